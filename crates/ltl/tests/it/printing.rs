//! Never claims, HOA, DOT and JSON.

use std::process::Command;

use spinor_ltl::{Buchi, Limits, Tgba, degeneralize, output, parse, translate};

fn automata(text: &str) -> (Tgba, Buchi) {
    let tgba = translate(&parse(text).expect(text), &Limits::default()).expect(text);
    let buchi = degeneralize(&tgba);
    (tgba, buchi)
}

#[test]
fn never_claim() {
    let (_, buchi) = automata("<> (p && [] !q)");
    let expected = "\
never {    /* <>(p && []!q) */
T0_init:
\tdo
\t:: (1) -> goto T0_init
\t:: (p && !q) -> goto accept_S1
\tod;
accept_S1:
\tdo
\t:: (!q) -> goto accept_S1
\tod;
}
";
    assert_eq!(output::never::print(&buchi, Some("<>(p && []!q)")), expected);
    let (_, buchi) = automata("<> (x > 3)");
    assert!(output::never::print(&buchi, None).contains("!(x > 3)"));
}

#[test]
fn hoa() {
    let (tgba, buchi) = automata("[]<>p && []<>q");
    let expected = "\
HOA: v1
name: \"fair\"
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
    assert_eq!(output::hoa::print(&tgba, Some("fair")), expected);
    assert!(output::hoa::print_buchi(&buchi, None).contains("acc-name: Buchi"));
}

#[test]
fn dot_and_json() {
    let (tgba, buchi) = automata("[]<>(s == \"a\")");
    assert!(output::dot::print(&tgba).contains("0 -> 0 [label=\"(s == \\\"a\\\") {0}\"]"));
    assert!(output::dot::print_buchi(&buchi).contains("doublecircle"));
    let json = output::json::print(&tgba);
    assert!(json.contains("\"marks\":[0]") && json.contains("\"class\":\"strong\""), "{json}");
    let json = output::json::print_buchi(&buchi);
    assert!(json.contains("\"accepting\":true") && !json.contains("marks"), "{json}");
}

/// Whether the real SPIN reads our claims; without it there is nothing to ask.
#[test]
#[expect(clippy::print_stderr, reason = "a test that is left out says why")]
fn spin_accepts_the_claims() {
    if Command::new("spin").arg("-V").output().is_err() {
        eprintln!("left out: SPIN is not installed");
        return;
    }
    let folder = std::env::temp_dir().join(format!("spinor-ltl-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a scratch folder");
    for (i, text) in ["p", "!p && p", "true", "<>p", "[](p -> <>q)", "p U (q U (x > 3))", "X X p"]
        .into_iter()
        .enumerate()
    {
        let (_, buchi) = automata(text);
        let claim = output::never::print(&buchi, Some(text));
        let model = format!("bool p, q; byte x;\nactive proctype main() {{ skip }}\n{claim}");
        let file = folder.join(format!("claim{i}.pml"));
        std::fs::write(&file, model).expect("written");
        let ran = Command::new("spin").arg("-a").arg(&file).current_dir(&folder).output();
        let ran = ran.expect("spin runs");
        let said = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert!(ran.status.success() && !said.contains("Error"), "{text}:\n{claim}\n{said}");
    }
    std::fs::remove_dir_all(&folder).expect("removed");
}
