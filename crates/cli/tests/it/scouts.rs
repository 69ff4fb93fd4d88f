//! Errors that are far from the beginning of large models.

use crate::support::check;

/// Every run ends in the error, after some thousand steps; the levels on the way are beyond all memory.
const FAR: &str = "byte last, done;
active [8] proctype Walker() {
  byte i;
  do
  :: i < 100 -> i++; last = (last + i) % 7
  :: else -> break
  od;
  done++;
  assert(done < 8)
}
";

/// The same way, without an error.
const NOWHERE: &str = "byte last, done;
active [8] proctype Walker() {
  byte i;
  do
  :: i < 100 -> i++; last = (last + i) % 7
  :: else -> break
  od;
  done++;
  assert(done <= 8)
}
";

#[test]
fn scouts_find_what_lies_deep() {
    let ran = check(FAR, &["--threads", "2", "--json"]);
    assert_eq!(ran.code, 10, "{}{}", ran.out, ran.err);
    let result = &ran.json()["results"][0];
    assert_eq!(result["verdict"], "violated");
    assert_eq!(result["complete"], false);
    assert_eq!(result["search"]["order"], "bfs");
    assert_eq!(result["errors"][0]["kind"], "assertion");
    // Each of eight goes round a hundred times.
    assert!(result["errors"][0]["length"].as_u64().unwrap() > 8 * 100 * 2);
    let note = result["notes"][0].as_str().unwrap();
    assert!(note.starts_with("found by a search that goes deep"), "{note}");
    assert!(result["limits"].as_array().unwrap().is_empty(), "{}", result["limits"]);
}

/// A formula that finite runs decide, and one about infinite runs whose claim waits until the error is near. A search for cycles goes deep
/// itself, so it may be the first to find it.
#[test]
fn scouts_find_what_formulas_forbid() {
    for (formula, is_lasso) in
        [("[] (done < 8)", false), ("[] (done == 8 -> <> (done == 9))", true)]
    {
        let model = format!("{}ltl p {{ {formula} }}\n", NOWHERE.replace("assert(done <= 8)", ""));
        let options = ["--threads", "2", "--property", "p", "--json"];
        for fairness in ["none", "weak"] {
            let ran = check(&model, &[&options[..], &["--fairness", fairness]].concat());
            let result = &ran.json()["results"][0];
            assert_eq!(result["verdict"], "violated", "{formula}: {}", ran.out);
            assert_eq!(!result["errors"][0]["cycle_start"].is_null(), is_lasso, "{formula}");
        }
    }
}

#[test]
fn scouts_prove_nothing() {
    let ran = check(NOWHERE, &["--threads", "2", "--timeout", "1500ms"]);
    assert_eq!(ran.code, 20, "{}{}", ran.out, ran.err);
    assert!(ran.verdict().starts_with("incomplete: the time limit of 1.5 s"), "{}", ran.out);
}

#[test]
fn whoever_asks_for_something_else_gets_that() {
    for options in [
        &["--threads", "1"][..],
        &["--shortest"],
        &["--search", "bfs"],
        &["--max-errors", "2"],
        &["--depth", "1000000"],
    ] {
        let ran = check(FAR, &[options, &["--timeout", "1s"]].concat());
        assert_eq!(ran.code, 20, "{options:?}: {}{}", ran.out, ran.err);
    }
}
