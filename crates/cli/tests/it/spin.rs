//! `spinor spin`, and the `pan.c` that it writes.

use crate::support::{Folder, Ran};
use std::process::Command;

const RACE: &str = "byte n;
active [2] proctype P() { byte t; t = n; n = t + 1; assert(n == 2) }
";

const FORMULA: &str = "bool p;
active proctype A() { do :: p = !p od }
ltl always { [] !p }
ltl again { [] <> p }
";

fn spin(model: &str, words: &[&str]) -> Ran {
    Folder::with(model).run(&[&["spin"], words].concat())
}

#[test]
fn a_search_prints_what_scripts_look_for_and_ends_with_0() {
    let folder = Folder::with(RACE);
    let ran = folder.run(&["spin", "-run", "-DNOREDUCE", "m.pml"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("pan:1: assertion violated (n==2) (at depth "), "{}", ran.out);
    assert!(ran.out.contains("pan: wrote m.pml.trail\n"), "{}", ran.out);
    assert!(
        ran.out.contains("errors: 1\n") && ran.out.contains(" states, stored\n"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("Warning: Search not completed\n"), "{}", ran.out);
    let replayed = folder.run(&["spin", "-t", "-p", "m.pml"]);
    assert_eq!(replayed.code, 0, "{}", replayed.err);
    assert!(
        replayed.out.contains("spin: text of failed assertion: assert((n==2))"),
        "{}",
        replayed.out
    );
    assert!(replayed.out.contains("#processes: 2\n\t\tn = 1\n"), "{}", replayed.out);
}

#[test]
fn every_error_has_a_trail_of_its_own_if_asked_for() {
    let folder = Folder::with(RACE);
    let ran = folder.run(&["spin", "-run", "-e", "m.pml"]);
    assert!(ran.out.contains("pan: wrote m.pml1.trail\npan: wrote m.pml2.trail\n"), "{}", ran.out);
    let second = folder.run(&["spin", "-t2", "m.pml"]);
    assert!(second.out.contains("spin: trail ends after "), "{}", second.out);
}

#[test]
fn formulas_are_chosen_by_name() {
    let ran = spin(FORMULA, &["-run", "-ltl", "always", "m.pml"]);
    assert!(ran.out.contains("ltl always: [] (! (p))\n"), "{}", ran.out);
    assert!(ran.out.contains("pan: ltl formula always\n"), "{}", ran.out);
    assert!(ran.out.contains("never claim         \t+ (always)\n"), "{}", ran.out);
    assert!(ran.out.contains("errors: 1\n"), "{}", ran.out);
    let ran = spin(FORMULA, &["-run", "-ltl", "again", "m.pml"]);
    assert!(ran.out.contains("errors: 0\n"), "{}", ran.out);
    let ran = spin(FORMULA, &["-run", "-ltl", "nothing", "m.pml"]);
    assert!(ran.out.contains("cannot find claim 'nothing'"), "{}", ran.out);
}

#[test]
fn a_bound_that_cuts_says_so() {
    let ran = spin(RACE, &["-run", "-m2", "m.pml"]);
    assert!(ran.out.contains("error: max search depth too small\n"), "{}", ran.out);
    assert!(ran.out.contains("errors: 0\n"), "{}", ran.out);
    // The step at the bound is tried, as pan does.
    let ran = spin(RACE, &["-run", "-m3", "m.pml"]);
    assert!(ran.out.contains("errors: 1\n"), "{}", ran.out);
}

#[test]
fn full_channels_lose_messages_if_asked_to() {
    let model = "chan q = [1] of { byte };\nactive proctype A() { q!1; q!2; assert(len(q) == 1) }";
    let blocked = spin(model, &["-run", "m.pml"]);
    assert!(blocked.out.contains("pan:1: invalid end state"), "{}", blocked.out);
    let lossy = spin(model, &["-m", "-run", "m.pml"]);
    assert!(lossy.out.contains("errors: 0\n"), "{}", lossy.out);
}

#[test]
fn simulations_are_repeatable() {
    let model = "byte n; active [3] proctype P() { n = n + _pid; printf(\"%d\\n\", n) }";
    let (one, two) = (spin(model, &["-n7", "-p", "m.pml"]), spin(model, &["-n7", "-p", "m.pml"]));
    assert_eq!(one.out, two.out);
    assert!(one.out.contains("  0:\tproc  - (:root:) creates proc  0 (P)\n"), "{}", one.out);
    assert!(one.out.ends_with("3 processes created\n"), "{}", one.out);
    assert_eq!(spin(RACE, &["-n1", "m.pml"]).code, 1);
}

#[test]
fn what_is_wrong_is_refused_as_spin_refuses_it() {
    let ran = spin("active proctype A() { x = 1 }", &["-a", "m.pml"]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(ran.out.contains("spin: m.pml:1, Error: "), "{}", ran.out);
    let ran = spin(RACE, &["-?"]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.starts_with("use: spin [-option]"), "{}", ran.out);
    assert_eq!(spin(RACE, &["-V"]).out, "Spin Version 6.5.2 -- 6 December 2019\n");
    let ran = spin(RACE, &["-run", "-y", "m.pml"]);
    // SPIN forgets what pan returns.
    assert_eq!(ran.code, 0);
    assert!(ran.err.starts_with("saw option -y\n") && !ran.out.contains("errors:"), "{}", ran.err);
}

#[test]
fn pan_c_can_be_compiled_and_called_anything() {
    let has_compiler =
        Command::new("cc").arg("--version").output().is_ok_and(|o| o.status.success());
    if !has_compiler {
        return;
    }
    let folder = Folder::with(RACE);
    assert_eq!(folder.run(&["spin", "-a", "m.pml"]).code, 0);
    let at = |name: &str| folder.path(name);
    let words = ["-DSAFETY", "-DNOREDUCE", "-DVECTORSZ=5000", "-DFROB", "-o", "checker", "pan.c"];
    let compiled = Command::new("cc").args(words).current_dir(folder.path("")).output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    // The model is inside: it may change or go.
    std::fs::remove_file(at("m.pml")).unwrap();
    let ran = Command::new(at("checker"))
        .args(["-m500", "-E"])
        .current_dir(folder.path(""))
        .output()
        .unwrap();
    let out = String::from_utf8(ran.stdout).unwrap();
    assert_eq!(ran.status.code(), Some(0), "{out}");
    assert!(out.contains("cycle checks       \t- (disabled by -DSAFETY)"), "{out}");
    assert!(
        out.contains("pan:1: assertion violated (n==2)") && at("m.pml.trail").exists(),
        "{out}"
    );
}
