//! Searches that do not finish.

use crate::support::{Folder, check};

/// Far more states than anybody waits for.
const HUGE: &str = "int a, b, c, d;
active proctype P() {
  do :: a++ :: b++ :: c++ :: d++ :: a + b + c + d == -1 -> break od
}
";

#[test]
fn limits_make_it_incomplete() {
    for (options, reason) in [
        (&["--timeout", "200ms"][..], "the time limit of 0.2 s was reached"),
        (&["--memory", "3M"], "the memory limit of 3072 kB was reached"),
        (&["--depth", "9"], "runs were cut at depth 9"),
        (&["--search", "dfs", "--depth", "9"], "runs were cut at depth 9"),
    ] {
        let ran = check(HUGE, options);
        assert_eq!(ran.code, 20, "{}", ran.out);
        assert!(ran.verdict().starts_with(&format!("incomplete: {reason}")), "{}", ran.out);
        assert!(!ran.out.contains("never executed"), "{}", ran.out);
        let json = check(HUGE, &[options, &["--json"]].concat()).json();
        assert_eq!(json["results"][0]["verdict"], "incomplete");
        assert_eq!(json["results"][0]["limits"][0], reason);
        assert!(json["results"][0]["unreached"].is_null());
    }
}

/// Whatever the growth step at which the system refuses memory: a report, never an abort.
#[cfg(target_os = "linux")]
#[test]
fn refused_memory_makes_it_incomplete() {
    let folder = Folder::with(HUGE);
    let spinor = env!("CARGO_BIN_EXE_spinor");
    let ways: [&[&str]; 6] = [
        &["--threads", "1"],
        &["--threads", "2"],
        &["--search", "dfs"],
        &["--store", "exact"],
        &["--store", "hash-compact"],
        &["--search", "astar"],
    ];
    for (number, way) in (0..).zip(ways.iter().cycle().take(12)) {
        let kilobytes = 50_000 + 13_000 * number;
        // Without a limit of our own: the system decides.
        let script = format!(
            "ulimit -v {kilobytes}; exec {spinor} check --no-trail --memory 64G {} m.pml",
            way.join(" ")
        );
        let output = folder.program("sh").args(["-c", &script]).output().unwrap();
        let out = String::from_utf8_lossy(&output.stdout);
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(20), "{kilobytes} kB, {way:?}: {out}{err}");
        assert!(out.starts_with("incomplete: the system gave no more memory"), "{out}");
    }
}

/// A search that ends, with tables that grow several times.
const SOME: &str = "byte a, b, c;
active proctype P() { do :: a < 24 -> a++ :: b < 24 -> b++ :: c < 24 -> c++ :: else -> a = 0 od }
ltl finally { []<> (a + b + c < 200) }
";

/// Every request for memory of any size is refused in its turn, and given after the reserve was given back: that is
/// no error and no answer.
#[test]
fn every_refusal_makes_it_incomplete() {
    let folder = Folder::with(SOME);
    let ways: [&[&str]; 12] = [
        &["--store", "tree"],
        &["--store", "exact"],
        &["--store", "collapse"],
        &["--store", "automaton"],
        &["--store", "hash-compact"],
        &["--store", "auto"],
        &["--search", "dfs"],
        &["--search", "dfs", "--store", "exact"],
        &["--search", "astar"],
        &["--engine", "native"],
        &["--property", "finally"],
        &["--property", "finally", "--cycles", "ndfs"],
    ];
    for way in ways {
        let safety: &[&str] = if way[0] == "--property" { &[] } else { &["--property", "safety"] };
        let options =
            ["check", "--no-trail", "--plain", "--threads", "1", "--engine", "interpreter"];
        let options = if way[0] == "--engine" { &options[..5] } else { &options[..] };
        let words = [options, way, safety, &["m.pml"]].concat();
        let (mut refused, mut not_refused) = (0, 0);
        for number in 1.. {
            let number: u32 = number;
            let refuse = number.to_string();
            let output = folder.command(&words).env("SPINOR_REFUSE", &refuse).output().unwrap();
            let out = String::from_utf8_lossy(&output.stdout);
            let is_told = out.starts_with("incomplete: the system gave no more memory");
            let is_lossy = way[1] == "hash-compact";
            match output.status.code() {
                Some(20) if is_told => (refused, not_refused) = (refused + 1, 0),
                // The search was over, or so many requests are not made.
                Some(0) if !is_lossy => not_refused += 1,
                Some(20) if is_lossy => not_refused += 1,
                code => panic!("{way:?}, {number}: {code:?} {out}"),
            }
            if not_refused == 5 {
                break;
            }
        }
        assert!(refused > 0, "{way:?}");
    }
}

/// The same where nothing is given from then on: there are words for that, one way or the other.
#[cfg(target_os = "linux")]
#[test]
fn without_any_more_memory_there_are_last_words() {
    let folder = Folder::with(SOME);
    for way in [&["--store", "tree"], &["--store", "exact"], &["--engine", "native"]] {
        let options = ["check", "--no-trail", "--property", "safety", "--json", "--plain"];
        let words = [&options[..], &way[..], &["--threads", "2", "m.pml"]].concat();
        for number in (1..60).step_by(3) {
            let refuse = format!("{number}+");
            let output = folder.command(&words).env("SPINOR_REFUSE", &refuse).output().unwrap();
            let err = String::from_utf8_lossy(&output.stderr);
            match output.status.code() {
                Some(0 | 20) => {
                    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
                    let is_whole = json["results"][0]["complete"].as_bool();
                    assert_eq!(is_whole, Some(output.status.code() == Some(0)), "{json}");
                }
                Some(70) => assert!(err.contains("too little memory to begin"), "{err}"),
                code => panic!("{way:?}, {number}: {code:?} {err}"),
            }
        }
    }
}

/// Where there is not even memory to build a report.
#[cfg(target_os = "linux")]
#[test]
fn too_little_memory_to_begin_is_said() {
    let folder = Folder::with(HUGE);
    let spinor = env!("CARGO_BIN_EXE_spinor");
    let mut begun = 0;
    for megabytes in [22, 24, 26, 28, 30, 35, 40, 45] {
        for way in ["--store tree", "--store bitstate --bits 28", "--store automaton --json"] {
            let script = format!(
                "ulimit -v {}; exec {spinor} check --no-trail --memory 64G {way} --timeout 2s m.pml",
                megabytes << 10
            );
            let output = folder.program("sh").args(["-c", &script]).output().unwrap();
            let err = String::from_utf8_lossy(&output.stderr);
            let code = output.status.code();
            if code == Some(127) && err.contains("error while loading shared libraries") {
                // There is no room for the program itself.
                continue;
            }
            begun += 1;
            // Before the options are read it cannot be more than an error.
            let is_early = code == Some(70) && err.contains("too little memory to begin");
            assert!(code == Some(20) || is_early, "{megabytes} MB, {way}: {code:?} {err}");
        }
    }
    assert!(begun >= 15, "only {begun} runs of 24 began");
}

#[test]
fn a_bound_that_cuts_nothing_is_complete() {
    assert_eq!(check("active proctype A() { skip; skip }", &["--depth", "100"]).code, 0);
}

#[cfg(unix)]
#[test]
fn an_interrupt_reports_what_was_found() {
    use std::process::{Command, Stdio};
    use std::time::Duration;
    let folder = Folder::with(HUGE);
    let child = folder
        .command(&["check", "--memory", "500M", "m.pml"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_secs(1));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(130), "{out}");
    assert!(out.starts_with("incomplete: the search was interrupted (no errors in "), "{out}");
    assert!(out.contains("states stored"), "{out}");
}

#[test]
fn steps_that_count_for_ever_are_cut() {
    let ran = check("int x; init { d_step { do :: x++ od } }", &[]);
    assert_eq!(ran.code, 20, "{}", ran.out);
    assert!(ran.verdict().starts_with("incomplete: a d_step of more than"), "{}", ran.out);
}

#[test]
fn hidden_variables_are_searched_depth_first() {
    let ran = check("hidden byte h; byte x; init { h = 1; x = h }", &["--json"]);
    assert_eq!(ran.json()["results"][0]["search"]["order"], "dfs");
    let ran = check("hidden byte h; byte x; init { h = 1; x = h }", &["--json", "--search", "bfs"]);
    assert_eq!(ran.json()["results"][0]["search"]["order"], "bfs");
}
