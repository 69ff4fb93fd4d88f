//! Simulated runs.

use crate::support::{Folder, Ran};
use std::io::Write as _;
use std::process::Stdio;

const COUNTER: &str = "byte n;
active [2] proctype P() {
  byte t;
  t = n;
  printf(\"read %d\\n\", t);
  n = t + 1
}
";

const HANDSHAKE: &str = "chan c = [0] of { byte };
chan q = [1] of { byte };
active proctype A() { c!1; q!5 }
active proctype B() { byte x; c?x; q?x }
";

fn simulate(model: &str, options: &[&str]) -> Ran {
    let args = [&["simulate"], options, &["m.pml"]].concat();
    Folder::with(model).run(&args)
}

fn interactive(model: &str, options: &[&str], input: &str) -> Ran {
    let folder = Folder::with(model);
    let args = [&["simulate", "--interactive", "--seed", "1"], options, &["m.pml"]].concat();
    let mut command = folder.command(&args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn a_random_run() {
    let ran = simulate(HANDSHAKE, &["--seed", "1"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let expected = "random run of m.pml, seed 1, at most 10000 steps

  1   A (0) -> B (1)  m.pml:3  c!1 -> c?x  B(1):x: 0 -> 1
  2   A (0)           m.pml:3  q!5         q = [5]
  3   B (1)           m.pml:4  q?x         q = empty, B(1):x: 1 -> 5
  4   B (1)           m.pml:4  -end-       B(1) ends
  5   A (0)           m.pml:3  -end-       A(0) ends

end: all processes have ended after 5 steps

final state
  q = empty
";
    assert_eq!(ran.out, expected);
}

#[test]
fn the_seed_decides() {
    let of = |seed: &str| simulate(COUNTER, &["--seed", seed]).out;
    assert_eq!(of("7"), of("7"));
    let all: Vec<String> = (0..6).map(|seed| of(&seed.to_string())).collect();
    assert!(all.iter().any(|run| run.lines().skip(1).ne(all[0].lines().skip(1))));
    assert!(simulate(COUNTER, &[]).out.contains("seed "));
}

#[test]
fn exit_codes_tell_the_error() {
    assert_eq!(simulate("active proctype P() { assert(false) }", &[]).code, 10);
    assert_eq!(simulate("active proctype P() { false }", &[]).code, 11);
    assert_eq!(simulate("byte x; active proctype P() { x = 1 / x }", &[]).code, 14);
    assert_eq!(simulate("byte a[2]; byte i = 2; active proctype P() { a[i] = 1 }", &[]).code, 14);
    assert_eq!(
        simulate("chan q = [1] of {byte}; active proctype P() { byte x; end: q?x }", &[]).code,
        0
    );
    assert_eq!(simulate("active proctype P() { x = 1 }", &[]).code, 65);
    let ran = simulate("active proctype P() { false }", &[]);
    assert!(ran.out.contains("error: invalid end state (m.pml:1)"), "{}", ran.out);
    assert!(ran.out.contains("waits for `false`"), "{}", ran.out);
}

#[test]
fn endless_models_stop_at_the_bound() {
    let model = "byte n; active proctype P() { do :: atomic { n++; n++; n++ } od }";
    let ran = simulate(model, &["--steps", "10"]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("end: stopped at the bound of 10 steps (`--steps`)"), "{}", ran.out);
    let json = simulate(model, &["--steps", "10", "--json"]).json();
    assert_eq!(json["steps"].as_array().unwrap().len(), 10);
    assert_eq!(json["ended"]["reason"], "bound");
    let json = simulate(model, &["--json"]).json();
    assert_eq!(json["taken"], 10_000);
}

#[test]
fn json() {
    let json = simulate(COUNTER, &["--json", "--seed", "3"]).json();
    assert_eq!(json["mode"], "random");
    assert_eq!(json["seed"], 3);
    assert_eq!(json["ended"]["reason"], "all-ended");
    assert_eq!(json["error"], serde_json::Value::Null);
    assert_eq!(json["state"]["variables"][0]["name"], "n");
    let printed = json["steps"].as_array().unwrap().iter().filter(|s| s["output"].is_string());
    assert_eq!(printed.count(), 2);
    let json = simulate(HANDSHAKE, &["--json"]).json();
    assert_eq!(json["steps"][0]["messages"][0]["transfer"], "rendezvous");
    assert_eq!(json["steps"][0]["receiver"]["name"], "B");
}

#[test]
fn what_is_shown() {
    let lines = |options: &[&str]| -> Vec<String> {
        let options = [&["--seed", "1"], options].concat();
        let ran = simulate(HANDSHAKE, &options);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let steps = ran.out.lines().skip(2).take_while(|line| !line.is_empty());
        steps.map(|line| line.trim().to_owned()).collect()
    };
    assert_eq!(lines(&[]).len(), 5);
    assert_eq!(lines(&["--skip", "3"]).len(), 2);
    assert_eq!(lines(&["--process", "B"]).len(), 3);
    assert_eq!(lines(&["--process", "0"]).len(), 3);
    assert_eq!(lines(&["--channel", "q"]).len(), 2);
    assert_eq!(lines(&["--channel", "c"]).len(), 1);
    assert_eq!(lines(&["--variable", "x"]).len(), 2);
    let shown = lines(&["--variable", "x"]);
    assert!(shown[1].ends_with("B(1):x: 1 -> 5"), "{shown:?}");
}

#[test]
fn only_what_the_model_prints() {
    let ran = simulate(COUNTER, &["--quiet", "--seed", "1"]);
    assert!(ran.out.starts_with("read 0\nread "), "{}", ran.out);
}

#[test]
fn columns() {
    let ran = simulate(HANDSHAKE, &["--columns", "--seed", "1"]);
    let expected = "     A (0)                               B (1)
   1 c!1 ->                              -> c?x
   2 q!5
   3                                     q?x
";
    assert!(ran.out.contains(expected), "{}", ran.out);
}

#[test]
fn the_user_chooses() {
    let ran = interactive(COUNTER, &[], "1\n2\ns\nb\n9\n?\nq\n");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.out.contains("step 1\n   1  P (1)  m.pml:4  t = n\n   2  P (0)  m.pml:4  t = n\n"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("  n = 0, P(0):t = 0, P(1):t = 0\n"), "{}", ran.out);
    assert!(ran.out.contains("a number from 1 to 2, or ? for help"), "{}", ran.out);
    assert!(ran.out.contains("back by one move"), "{}", ran.out);
    assert!(ran.out.contains("end: stopped by the user after 1 step\n"), "{}", ran.out);
}

#[test]
fn the_effect_of_a_choice_is_shown() {
    let model = "byte n; active proctype P() { if :: n = 1 :: n = 2; assert(n < 2) fi }
      active proctype Q() { atomic { n == 9; n = 3 } }";
    let ran = interactive(model, &[], "2\n");
    assert!(ran.out.contains("n = 1  n: 0 -> 1"), "{}", ran.out);
    assert!(ran.out.contains("n = 2  n: 0 -> 2"), "{}", ran.out);
    // What follows has no choice: it happens at once.
    assert_eq!(ran.code, 10, "{}", ran.out);
    assert!(ran.out.contains("error: assertion violated: n < 2"), "{}", ran.out);
}

#[test]
fn the_input_may_end() {
    let ran = interactive(COUNTER, &[], "");
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("end: the input ends after 0 steps"), "{}", ran.out);
    let endless = "byte n; active [2] proctype P() { do :: n = 1 :: n = 2 od }";
    let ran = interactive(endless, &[], "r 3\n");
    assert!(ran.out.contains("end: the input ends after 3 steps"), "{}", ran.out);
    let ran = interactive(endless, &["--skip", "3"], "\nq\n");
    assert!(ran.out.contains("end: stopped by the user after 4 steps"), "{}", ran.out);
}

#[test]
fn guided_by_a_trail() {
    let folder = Folder::with(&COUNTER.replace("n = t + 1", "n = t + 1; assert(n < 2)"));
    assert_eq!(folder.run(&["check", "m.pml"]).code, 10);
    let replayed = folder.run(&["replay", "m.pml"]);
    let guided = folder.run(&["simulate", "--trail", "m.pml.trail", "m.pml"]);
    assert_eq!(guided.code, 0);
    assert_eq!(guided.out, replayed.out);
    let args = ["simulate", "--json", "--process", "0", "--trail", "m.pml.trail", "m.pml"];
    let json = folder.run(&args).json();
    assert_eq!(json["ended"]["reason"], "trail-ends");
    assert!(json["steps"].as_array().unwrap().iter().all(|step| step["pid"] == 0));
    assert_eq!(folder.run(&["simulate", "--trail", "none", "m.pml"]).code, 66);
}

#[test]
fn wrong_usage() {
    assert_eq!(simulate(COUNTER, &["--interactive", "--json"]).code, 2);
    assert_eq!(simulate(COUNTER, &["--seed", "1", "--trail", "x"]).code, 2);
    let folder = Folder::new();
    assert_eq!(folder.run(&["simulate", "--interactive", "-"]).code, 2);
}
