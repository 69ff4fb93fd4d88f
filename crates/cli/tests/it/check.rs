//! Verdicts, exit codes, JSON.

use crate::support::{Folder, check};
use serde_json::json;

#[track_caller]
fn verdict(model: &str, options: &[&str], code: i32, line: &str) {
    let ran = check(model, options);
    assert_eq!((ran.code, ran.verdict()), (code, line), "{}{}", ran.out, ran.err);
}

const COUNTER: &str = "byte x;
active [2] proctype A() {
  byte t;
  t = x;
  x = t + 1;
  assert(x < 3)
}
";

#[test]
fn each_kind_of_error_has_its_exit_code() {
    verdict(COUNTER, &["--plain"], 0, "holds: no errors in 39 states (complete search)");
    verdict(
        "byte x;\nactive proctype A() {\n  x++;\n  assert( x == 0 )\n}",
        &[],
        10,
        "violated: assertion `x == 0` (m.pml:4)",
    );
    verdict(
        "chan q = [0] of { byte };\nactive proctype A() { q!1 }",
        &[],
        11,
        "violated: invalid end state (deadlock) (m.pml:2)",
    );
    verdict(
        "byte x;\nactive proctype A() { x = 1 / x }",
        &[],
        14,
        "violated: division by zero in `x = 1 / x` (m.pml:2)",
    );
    verdict(
        "byte x;\nactive proctype A() { do :: x < 3 -> x++ :: x == 3 -> x = 0 od }\n\
         never { do :: x == 2 -> break :: else od }",
        &[],
        12,
        "violated: never claim `never_0` reached its end (m.pml:3)",
    );
    verdict(
        "chan q = [1] of { byte };\nactive proctype A() { q!2 }\ntrace { q!1 }",
        &[],
        10,
        "violated: `q!2` is against the trace declaration (m.pml:2)",
    );
}

#[test]
fn ignored_errors_are_passed_over() {
    let model = "byte x;\nactive proctype A() { assert(x); x = 1; x == 2 }";
    verdict(model, &[], 10, "violated: assertion `x` (m.pml:2)");
    verdict(model, &["--ignore", "assert"], 11, "violated: invalid end state (deadlock) (m.pml:2)");
    verdict(
        model,
        &["--ignore", "assert", "--ignore", "deadlock"],
        0,
        "holds: no errors in 3 states (complete search)",
    );
}

#[test]
fn json_has_the_fields_of_the_contract() {
    let folder = Folder::with("byte x;\nactive proctype A() {\n  x++;\n  assert(x == 0)\n}");
    let ran = folder.run(&["check", "--json", "--search", "dfs", "m.pml"]);
    assert_eq!(ran.code, 10);
    let document = ran.json();
    assert_eq!(document["spinor"], env!("CARGO_PKG_VERSION"));
    assert_eq!(document["model"], "m.pml");
    let result = &document["results"][0];
    assert_eq!(result["property"], json!({"kind": "safety", "name": null, "formula": null}));
    assert_eq!(result["verdict"], "violated");
    assert_eq!(result["complete"], false);
    assert_eq!(result["limits"], json!([]));
    assert_eq!(
        result["search"],
        json!({"order": "dfs", "cycles": null, "store": "tree", "reduction": false,
               "merging": true, "fairness": "none", "threads": 1, "engine": "interpreter",
               "swarm": null, "context_bound": null,
               "heuristic": null})
    );
    for field in [
        "stored",
        "matched",
        "transitions",
        "expanded",
        "passed",
        "atomic_steps",
        "depth_reached",
        "state_bytes",
        "store_bytes",
        "peak_memory_bytes",
        "compile_seconds",
        "search_seconds",
    ] {
        assert!(result["stats"][field].is_number(), "{field}");
    }
    let error = &result["errors"][0];
    assert_eq!(error["kind"], "assertion");
    assert_eq!(error["message"], "assertion violated: x == 0");
    assert_eq!(error["at"], json!({"file": "m.pml", "line": 4, "column": 3}));
    assert_eq!(error["length"], 2);
    assert!(error["cycle_start"].is_null());
    assert_eq!(error["trail"], "m.pml.trail");
    assert_eq!(folder.files(), ["m.pml", "m.pml.trail"]);
}

/// Counts of `spin -o1 -o2 -o3 -a`, `-DSAFETY -DNOREDUCE`, `pan -E -A -c0 -n`.
#[track_caller]
fn parity(model: &str, stored: u64, matched: u64, atomic: u64) {
    let bare = ["--plain", "--no-claim", "--property", "safety", "--max-errors", "0", "--json"];
    let ignore = ["--ignore", "deadlock", "--ignore", "assert"];
    for order in ["dfs", "bfs"] {
        let ran = check(model, &[&bare[..], &ignore, &["--search", order]].concat());
        let stats = &ran.json()["results"][0]["stats"];
        let counted = (&stats["stored"], &stats["matched"], &stats["atomic_steps"]);
        assert_eq!(counted, (&json!(stored), &json!(matched), &json!(atomic)), "{order}");
        assert_eq!(stats["transitions"], json!(stored + matched));
        assert_eq!(ran.code, 0);
    }
}

#[test]
fn counts_are_those_of_spin() {
    parity(COUNTER, 39, 18, 0);
    parity(PETERSON, 38, 27, 0);
    parity(RING, 22, 15, 3);
}

const PETERSON: &str = "bool turn, flag[2]; byte ncrit;
active [2] proctype user() {
again:
  flag[_pid] = 1;
  turn = _pid;
  (flag[1 - _pid] == 0 || turn == 1 - _pid);
  ncrit++;
  assert(ncrit == 1);
  ncrit--;
  flag[_pid] = 0;
  goto again
}
";

const RING: &str = "mtype = { token };
chan c[3] = [1] of { mtype };
proctype node(byte i) {
  do
  :: c[i]?token -> c[(i + 1) % 3]!token
  od
}
init {
  atomic { run node(0); run node(1); run node(2); c[0]!token };
  c[1]!token
}
";

#[test]
fn formulas_are_checked_each_by_itself() {
    let model = "byte x;\nactive proctype A() { do :: x = 1 - x od }\nltl p { [] (x < 2) }";
    let ran = check(model, &["--json"]);
    assert_eq!(ran.code, 0);
    let results = &ran.json()["results"];
    assert_eq!(results[0]["verdict"], "holds");
    assert_eq!(results[1]["verdict"], "holds");
    assert_eq!(
        results[1]["property"],
        json!({"kind": "ltl", "name": "p", "formula": "[] (x < 2)"})
    );
    assert_eq!(check(model, &["--ltl", "<> (x == 1)"]).code, 0);
    assert_eq!(check(model, &["--ltl", "<> [] (x == 1)"]).code, 12);
    assert_eq!(check(model, &["--ltl", "<> (x =="]).code, 2);
    assert_eq!(check(model, &["--no-claim"]).code, 0);
    assert_eq!(check(model, &["--property", "safety"]).code, 0);
    assert_eq!(check(model, &["--property", "non-progress"]).code, 13);
    let none = check(model, &["--property", "q"]);
    assert_eq!(none.code, 2);
    assert!(none.err.contains("no property `q`") && none.err.contains("`p`"), "{}", none.err);
    assert_eq!(check(model, &["--property", "p", "--no-claim"]).code, 2);
}

#[test]
fn a_lasso_says_where_its_cycle_begins() {
    let model =
        "byte x;\nactive proctype A() { x = 1; do :: x = 3 - x od }\nltl p { <> [] (x == 1) }";
    for cycles in ["scc", "ndfs", "indfs"] {
        let ran = check(model, &["--json", "--property", "p", "--cycles", cycles]);
        assert_eq!(ran.code, 12);
        let result = &ran.json()["results"][0];
        assert_eq!(result["search"]["cycles"], cycles);
        let error = &result["errors"][0];
        assert_eq!(error["kind"], "acceptance-cycle");
        assert_eq!((&error["length"], &error["cycle_start"]), (&json!(3), &json!(1)));
    }
}

#[test]
fn fairness_decides() {
    let model = "byte x;
active proctype A() { do :: x == 0 -> x = 1 :: x == 2 -> x = 0 od }
active proctype B() { do :: x == 1 -> x = 2 od }
active proctype C() { do :: skip od }
ltl p { [] <> (x == 2) }";
    for (fairness, code) in [("none", 12), ("weak", 0), ("strong", 0)] {
        let ran = check(model, &["--property", "p", "--fairness", fairness]);
        assert_eq!(ran.code, code, "{fairness}: {}", ran.out);
    }
}

#[test]
fn claims_that_accept_are_checked_for_cycles() {
    let model = "byte x;\nactive proctype A() { do :: x = 1 - x od }\n\
                 never { accept: do :: x == 0 :: else od }";
    let ran = check(model, &["--property", "never"]);
    assert_eq!((ran.code, ran.verdict()), (12, "violated: acceptance cycle"));
}

#[test]
fn all_errors_are_listed_and_the_first_is_named() {
    let model = "byte x;
active proctype A() {
  if :: x = 1 :: x = 2 fi;
  assert(x != 1);
  assert(x != 2)
}";
    let ran = check(model, &["--max-errors", "0"]);
    assert_eq!((ran.code, ran.verdict()), (10, "violated: assertion `x != 1` (m.pml:4)"));
    let json = check(model, &["--max-errors", "0", "--json"]).json();
    assert_eq!(json["results"][0]["error_count"], 2);
    assert_eq!(json["results"][0]["errors"].as_array().unwrap().len(), 2);
    assert_eq!(json["results"][0]["complete"], true);
}

#[test]
fn searches_agree_and_the_shortest_is_found() {
    let model = "byte x;
active proctype A() { do :: x < 9 -> x++ :: x < 9 -> x = 9 :: else -> break od; assert(false) }";
    let length = |options: &[&str]| {
        let json = check(model, &[&["--json"], options].concat()).json();
        json["results"][0]["errors"][0]["length"].as_u64().unwrap()
    };
    assert_eq!(length(&[]), 4);
    assert_eq!(length(&["--search", "bfs"]), 4);
    assert_eq!(length(&["--search", "dfs"]), 20);
    assert_eq!(length(&["--search", "dfs", "--shortest"]), 4);
    assert_eq!(length(&["--search", "stateless", "--shortest"]), 4);
}

#[test]
fn threads_are_accepted_and_the_truth_is_told() {
    let ran = check(COUNTER, &["--threads", "4"]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("bfs search, tree store, 4 threads"), "{}", ran.out);
    let ran = check(COUNTER, &["--threads", "4", "--search", "dfs"]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("note: 1 thread was used of the 4 asked for"), "{}", ran.out);
    assert!(!check(COUNTER, &[]).out.contains("note:"));
}

#[test]
fn engines_stores_and_threads_agree() {
    let counts = |options: &[&str]| {
        // What a reduction leaves out depends on the search.
        let ran = check(COUNTER, &[&["--json", "--no-reduction"], options].concat());
        let stats = &ran.json()["results"][0]["stats"];
        ["stored", "matched", "transitions"].map(|field| stats[field].as_u64().unwrap())
    };
    let expected = counts(&["--engine", "interpreter", "--store", "exact", "--search", "dfs"]);
    for engine in ["native", "interpreter", "auto"] {
        for store in ["tree", "exact", "hash-compact", "bitstate", "auto"] {
            for search in ["dfs", "bfs"] {
                let options = ["--engine", engine, "--store", store, "--search", search];
                assert_eq!(counts(&options), expected, "{options:?}");
            }
        }
    }
}

#[test]
fn a_lossy_store_proves_nothing() {
    for store in ["hash-compact", "bitstate"] {
        let ran = check(COUNTER, &["--store", store]);
        assert_eq!(ran.code, 20);
        assert!(ran.out.starts_with(&format!("incomplete: the {store} store")), "{}", ran.out);
    }
}
