//! Formulas to automata.

use crate::support::{Folder, Ran};
use std::io::Write;
use std::process::Stdio;

fn ltl(args: &[&str]) -> Ran {
    Folder::new().run(&[&["ltl"], args].concat())
}

#[track_caller]
fn prints(args: &[&str], expected: &str) {
    let ran = ltl(args);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(ran.out, expected, "{}", ran.out);
}

#[track_caller]
fn refuses(args: &[&str], code: i32, expected: &str) {
    let ran = ltl(args);
    assert_eq!((ran.code, ran.out.as_str()), (code, ""));
    assert_eq!(ran.err, expected, "{}", ran.err);
}

#[test]
fn a_never_claim_by_default() {
    prints(
        &["[] (p -> <> q)"],
        "\
never {    /* [](p -> <>q) */
accept_init:
	do
	:: (!p || q) -> goto accept_init
	:: (p && !q) -> goto T0_S1
	od;
T0_S1:
	do
	:: (q) -> goto accept_init
	:: (!q) -> goto T0_S1
	od;
}
",
    );
}

#[test]
fn the_negation() {
    prints(
        &["--negate", "[] (x < 3)"],
        "\
never {    /* ![](x < 3) */
T0_init:
	do
	:: ((x < 3)) -> goto T0_init
	:: (!(x < 3)) -> goto accept_all
	od;
accept_all:
	skip
}
",
    );
}

#[test]
fn generalised_automata_are_printed_in_hoa() {
    let expected = "\
HOA: v1
name: \"[]<>p && []<>q\"
States: 1
Start: 0
AP: 2 \"p\" \"q\"
acc-name: generalized-Buchi 2
Acceptance: 2 Inf(0) & Inf(1)
properties: trans-labels explicit-labels trans-acc deterministic complete
--BODY--
State: 0
  [!0&!1] 0
  [0&!1] 0 {0}
  [!0&1] 0 {1}
  [0&1] 0 {0 1}
--END--
";
    prints(&["--generalized", "[]<>p && []<>q"], expected);
    prints(&["--generalized", "--format", "hoa", "[]<>p && []<>q"], expected);
}

#[test]
fn dot() {
    prints(
        &["--format", "dot", "p U q"],
        "\
digraph claim {
  rankdir=LR;
  node [shape=circle];
  start [shape=point, style=invis];
  start -> 0;
  0 -> 0 [label=\"p && !q\"];
  0 -> 1 [label=\"q\"];
  1 [shape=doublecircle];
  1 -> 1 [label=\"1\"];
}
",
    );
}

#[test]
fn json() {
    let document = ltl(&["--format", "json", "[] (!(x > 3) U q)"]).json();
    assert_eq!(document["atoms"], serde_json::json!(["x > 3", "q"]));
    assert_eq!(document["class"], "strong");
    let states = document["states"].as_array().unwrap();
    let guards = states.iter().flat_map(|s| s["edges"].as_array().unwrap()).map(|e| &e["guard"]);
    assert!(guards.into_iter().any(|g| g == "!(x > 3) && !q"), "{document}");
    assert!(states.iter().any(|s| s["accepting"] == true), "{document}");
    let generalised = ltl(&["--generalized", "--format", "json", "[]<>p && []<>q"]).json();
    assert_eq!(generalised["acceptance_sets"], 2);
    assert_eq!(generalised["states"][0]["edges"][3]["marks"], serde_json::json!([0, 1]));
}

#[test]
fn statistics_are_one_object() {
    let stats = |args: &[&str]| {
        let mut found = ltl(&[&["--stats"], args].concat()).json();
        let seconds = found.as_object_mut().unwrap().remove("seconds").unwrap();
        assert!(seconds.as_f64().unwrap() >= 0.0);
        found
    };
    assert_eq!(
        stats(&["--negate", "[] (p -> <> q)"]),
        serde_json::json!({
            "states": 2, "edges": 3, "acceptance_sets": 1, "deterministic": false,
            "class": "weak", "stutter_invariant": true,
        })
    );
    assert_eq!(
        stats(&["--generalized", "[]<>p && []<>q && X r"]),
        serde_json::json!({
            "states": 3, "edges": 6, "acceptance_sets": 2, "deterministic": true,
            "class": "strong", "stutter_invariant": false,
        })
    );
    assert_eq!(stats(&["<> p"])["class"], "terminal");
}

#[test]
fn a_wrong_formula_is_shown_with_its_place() {
    refuses(
        &["G (p -> F q)"],
        2,
        "\
error: expected an operator or the end, found `(`
 --> formula:1:3
  |
1 | G (p -> F q)
  |   ^
  |
  = help: `G` is a name here: write `[]`
",
    );
    refuses(
        &["[] p &&\n(x > 3 U p)"],
        2,
        "\
error: a temporal operator inside an expression
 --> formula:2:8
  |
2 | (x > 3 U p)
  |        ^
  |
  = help: put the expression in parentheses of its own
",
    );
    refuses(
        &["p U"],
        2,
        "\
error: expected a formula, found the end
 --> formula:1:4
  |
1 | p U
  |    ^
",
    );
}

#[test]
fn limits_end_a_translation() {
    refuses(
        &["--max-states", "3", "<> (a && X <> (b && X <> (c && X <> d)))"],
        20,
        "error: the automaton of the formula needs more than 3 states\n  \
         `--max-states N` allows larger ones\n",
    );
    let parts: Vec<String> = (0..30).map(|i| format!("(p{i} U (q{i} U r{i}))")).collect();
    let ran = ltl(&["--stats", &parts.join(" && ")]);
    assert_eq!(ran.code, 20);
    assert!(ran.err.contains("needs more than"), "{}", ran.err);
}

#[test]
fn a_never_claim_is_not_generalised() {
    let ran = ltl(&["--generalized", "--format", "never", "p"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("a never claim has accepting states"), "{}", ran.err);
}

#[test]
fn the_formula_may_come_through_a_pipe() {
    let folder = Folder::new();
    let mut command = folder.command(&["ltl", "--stats", "-"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"[] p\n&& <> q\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let stats: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(stats["states"], 2);
}
