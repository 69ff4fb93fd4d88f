//! Swarms, caches, bounded preemptions, and what lossy stores miss.

use crate::support::check;

/// 41 * 41 * 21 states, each of them met several times.
const GRID: &str = "byte a, b, c;
active proctype P() { end: do :: d_step { a < 40; a++ } :: d_step { b < 40; b++ } :: d_step { c < 20; c++ } od }
";
const GRID_STATES: f64 = 35_301.0;

/// An error that no short run shows, in a space that no small memory holds.
const DEEP: &str = "byte x[8]; int turns;
active [4] proctype P() {
  byte i;
  do
  :: atomic { i = 0; do :: i < 7 -> i++ :: break od; x[i] = x[i] + 1; turns++ }
  :: atomic { turns >= 40 -> assert(x[3] < 30) }
  od
}
";

#[test]
fn a_swarm_finds_errors_and_shortens_them() {
    let ran = check(DEEP, &["--swarm", "6", "--memory", "64M", "--timeout", "60s", "--json"]);
    assert_eq!(ran.code, 10, "{}{}", ran.out, ran.err);
    let result = &ran.json()["results"][0];
    assert_eq!(result["search"]["swarm"], 6);
    assert_eq!(result["search"]["store"], "bitstate");
    assert_eq!(result["verdict"], "violated");
}

#[test]
fn a_swarm_proves_nothing() {
    let ran = check(GRID, &["--swarm", "4", "--bits", "22", "--json"]);
    assert_eq!(ran.code, 20, "{}{}", ran.out, ran.err);
    let result = &ran.json()["results"][0];
    assert_eq!(result["complete"], false);
    let stored = result["stats"]["stored"].as_f64().unwrap();
    assert!((stored / GRID_STATES - 1.0).abs() < 0.05, "{stored}");
    assert!(result["limits"][0].as_str().unwrap().starts_with("a swarm sees part of the states"));
}

#[test]
fn few_preemptions_are_enough_for_many_errors() {
    let race = "byte n, done;
active [2] proctype P() { byte t; t = n; n = t + 1; done++; (done == 2) -> assert(n == 2) }
";
    let verdict = |bound| check(race, &["--context-bound", bound, "--ignore", "deadlock"]).code;
    assert_eq!(verdict("0"), 20);
    assert_eq!(verdict("1"), 10);
    // Where nothing is left out, everything was seen.
    let alone = "byte n; active proctype P() { do :: n < 9 -> n++ :: n == 9 -> break od }";
    assert_eq!(check(alone, &["--context-bound", "0"]).code, 0);
}

#[test]
fn a_cache_forgets_but_misses_nothing() {
    for size in ["4k", "100k", "10M"] {
        let ran = check(
            "byte a, b; active proctype P() { do :: a < 9 -> a++ :: b < 5 -> b++ :: else -> break od; assert(a != 9 || b != 5) }",
            &["--cache", size, "--json"],
        );
        assert_eq!(ran.code, 10, "{}{}", ran.out, ran.err);
        assert_eq!(ran.json()["results"][0]["search"]["store"], "cache");
    }
    let small =
        "byte a, b; active proctype P() { do :: a < 9 -> a++ :: b < 5 -> b++ :: else -> break od }";
    assert_eq!(check(small, &["--cache", "1k"]).code, 0);
}

#[test]
fn other_searches_are_refused() {
    let live = "bool p; active proctype A() { do :: p = !p od } ltl f { [] <> p }";
    for (options, word) in [
        (&["--swarm", "2"][..], "--property safety"),
        (&["--context-bound", "2"], "--property safety"),
        (&["--property", "safety", "--cache", "1M", "--store", "tree"], "leave out `--store`"),
        (&["--property", "safety", "--swarm", "2", "--search", "bfs"], "leave out `--search`"),
        (&["--property", "safety", "--swarm", "2", "--cache", "1M"], "different"),
        (&["--property", "safety", "--swarm", "2", "--shortest"], "--shortest"),
    ] {
        let ran = check(live, options);
        assert_eq!(ran.code, 2, "{options:?} {}{}", ran.out, ran.err);
        assert!(ran.err.contains(word), "{options:?} {}", ran.err);
    }
}

/// Over twenty hash functions the states missed are as many as expected, within a factor of two.
#[test]
fn bits_miss_as_many_states_as_they_say() {
    for bits in ["18", "19"] {
        let (mut missed, mut expected) = (0.0, 0.0);
        for seed in 1..=20 {
            let seed = seed.to_string();
            let store = ["--store", "bitstate", "--bits", bits, "--hash-seed", &seed];
            let ran = check(GRID, &[&store[..], &["--engine", "interpreter", "--json"]].concat());
            assert_eq!(ran.code, 20, "{}{}", ran.out, ran.err);
            let stats = &ran.json()["results"][0]["stats"];
            missed += GRID_STATES - stats["stored"].as_f64().unwrap();
            expected += stats["expected_omitted"].as_f64().unwrap();
        }
        assert!(missed > expected / 2.0 && missed < 2.0 * expected, "{bits}: {missed} {expected}");
    }
}
