//! Representations of the visited set.

use crate::support::check;

/// Some hundred states, an assertion that holds, and a process that comes and goes.
const MODEL: &str = "byte a, b; chan q = [2] of { byte };
proctype Child(byte n) { q!n; a = n }
active proctype P() { byte i; do :: i < 20 -> i++; b = (b + 3) % 17; q!i :: i == 20 -> break od; run Child(3) }
active proctype Q() { byte x; do :: q?x; a = a ^ x; assert(a < 128) od }
";

const LIVE: &str = "bool p; byte n;
active proctype A() { do :: n < 9 -> n++ :: n == 9 -> n = 0; p = !p od }
ltl often { [] <> p }
ltl always { [] (n < 9) }
";

#[test]
fn exact_stores_agree() {
    for order in ["bfs", "dfs"] {
        let options = ["--ignore", "deadlock", "--json", "--plain", "--search", order];
        let stored = |store: &str| {
            let ran = check(MODEL, &[&options[..], &["--store", store]].concat());
            assert_eq!(ran.code, 0, "{store}: {}{}", ran.out, ran.err);
            let result = &ran.json()["results"][0];
            assert_eq!(result["search"]["store"], store);
            let stats = &result["stats"];
            ["stored", "matched", "atomic_steps"].map(|name| stats[name].as_u64().unwrap())
        };
        let exact = stored("exact");
        assert!(exact[0] > 100);
        for store in ["tree", "collapse", "automaton"] {
            assert_eq!(stored(store), exact, "{store} {order}");
        }
    }
}

/// What `bitstate` says it has missed is what it has missed, up to a factor of two, over twenty seeds.
#[test]
fn what_is_missed_is_told() {
    const LOCK: &str = include_str!("../../../../models/protocols/seqlock.pml");
    let run = |options: &[&str]| {
        let common = ["--plain", "--json", "--threads", "1"];
        let stats =
            check(LOCK, &[&common[..], options].concat()).json()["results"][0]["stats"].clone();
        (stats["stored"].as_f64().unwrap(), stats["expected_omitted"].as_f64())
    };
    let (all, _) = run(&[]);
    let (mut missed, mut expected) = (0.0, 0.0);
    for seed in 1..=20 {
        let seed = seed.to_string();
        let (stored, omitted) = run(&["--store", "bitstate", "--bits", "18", "--hash-seed", &seed]);
        missed += all - stored;
        expected += omitted.unwrap();
    }
    assert!(
        missed > 1000.0 && missed < 2.0 * expected && expected < 2.0 * missed,
        "{missed} {expected}"
    );
    let (stored, omitted) = run(&["--store", "hash-compact"]);
    assert!((all - stored).abs() < 0.5 && omitted.unwrap() < 1e-6);
}

#[test]
fn the_automaton_has_one_thread() {
    let ran = check(MODEL, &["--json", "--store", "automaton", "--threads", "2"]);
    let result = &ran.json()["results"][0];
    assert_eq!(result["search"]["threads"], 1);
    assert!(result["notes"].to_string().contains("1 thread was used"), "{result}");
}

#[test]
fn cycles_are_found_in_every_store() {
    for store in ["exact", "tree", "collapse", "automaton", "hash-compact", "bitstate"] {
        let ran = check(LIVE, &["--store", store, "--property", "often"]);
        let lossy = matches!(store, "hash-compact" | "bitstate");
        assert_eq!(ran.code, if lossy { 20 } else { 0 }, "{store}: {}{}", ran.out, ran.err);
        let ran = check(LIVE, &["--store", store, "--property", "always"]);
        assert_eq!(ran.code, 12, "{store}: {}{}", ran.out, ran.err);
        for fairness in ["none", "weak"] {
            let options = ["--store", store, "--fairness", fairness, "--ltl", "<> [] (p == 0)"];
            let ran = check(LIVE, &options);
            assert_eq!(ran.code, 12, "{store}: {}{}", ran.out, ran.err);
        }
    }
}

#[test]
fn what_cannot_be_done_is_refused() {
    for (options, word) in [
        (&["--store", "automaton", "--cycles", "scc"][..], "ndfs"),
        (&["--store", "bitstate", "--cycles", "scc"], "ndfs"),
        (&["--store", "automaton", "--fairness", "strong"], "another store"),
        (&["--store", "tree", "--search", "stateless"], "no visited set"),
    ] {
        let ran = check(LIVE, options);
        assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
        assert!(ran.err.contains(word) && ran.out.is_empty(), "{}{}", ran.out, ran.err);
    }
}

/// States of 30 bytes, more than three megabytes hold in any store.
const LARGE: &str = "int a, b, c; byte x[20];
active proctype P() { do :: a++ :: b++ :: c++ :: a + b + c == -1 -> break :: x[a % 20] = b od }
ltl p { [] <> (a != 1000000) }
";

#[test]
fn every_store_respects_the_memory_limit() {
    for store in ["exact", "tree", "collapse", "automaton", "hash-compact"] {
        for search in [&["--property", "safety"][..], &["--search", "dfs"], &["--property", "p"]] {
            let limits = ["--memory", "3M", "--timeout", "60s", "--json", "--store", store];
            let ran = check(LARGE, &[&limits[..], search].concat());
            assert_eq!(ran.code, 20, "{store}: {}{}", ran.out, ran.err);
            let result = &ran.json()["results"][0];
            assert_eq!(result["limits"][0], "the memory limit of 3072 kB was reached", "{result}");
        }
    }
}

#[test]
fn auto_goes_on_with_bits() {
    for search in [&["--property", "safety"][..], &["--search", "dfs"], &["--property", "p"]] {
        let options = ["--memory", "3M", "--timeout", "4s", "--json", "--store", "auto"];
        let ran = check(LARGE, &[&options[..], search].concat());
        assert_eq!(ran.code, 20, "{}{}", ran.out, ran.err);
        let result = &ran.json()["results"][0];
        assert_eq!(result["verdict"], "incomplete");
        assert!(result["limits"].to_string().contains("memory was too short"), "{result}");
        assert!(result["limits"].to_string().contains("bitstate"), "{result}");
    }
}
