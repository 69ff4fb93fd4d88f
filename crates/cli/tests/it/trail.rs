//! What can be done with trails.

use crate::support::Folder;

const MODEL: &str = "mtype = { ACK, MSG };
chan q = [2] of { mtype, byte };
chan r = [0] of { byte };
bool late;
byte x;
active proctype A() {
  atomic { q!MSG,3; printf(\"sent %e %d\\n\", MSG, 3) };
  r!7
}
active proctype B() {
  byte y;
  r?y;
  q?MSG,x;
  assert(x + y == 11)
}
";

const LASSO: &str = "byte turn;
active proctype P() { do :: turn = 1 - turn od }
ltl p { <> (turn == 2) }
";

fn checked(model: &str) -> Folder {
    let folder = Folder::with(model);
    assert!(folder.run(&["check", "m.pml"]).code >= 10);
    folder
}

fn export(folder: &Folder, format: &str) -> String {
    let ran = folder.run(&["trail", "export", "--format", format, "m.pml"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran.out
}

#[test]
fn show_is_replay() {
    let folder = checked(MODEL);
    let (shown, replayed) =
        (folder.run(&["trail", "show", "m.pml"]), folder.run(&["replay", "m.pml"]));
    assert_eq!((shown.code, shown.out), (0, replayed.out));
}

#[test]
fn charts_as_text() {
    let expected = "      A (0)                 B (1)
   1  q!MSG,3
   2  prints sent MSG 3
   3  r!7 ────────────────▶ r?7
   4                        q?MSG,3 (of step 1)
      error: assertion violated: x + y == 11
";
    assert_eq!(export(&checked(MODEL), "text"), expected);
}

#[test]
fn charts_as_mermaid() {
    let expected = "sequenceDiagram
    participant P0 as A (0)
    participant P1 as B (1)
    Note over P0: 1. q!MSG,3
    Note over P0: 2. prints sent MSG 3
    P0->>P1: 3. r!7
    P0-)P1: 4. q?MSG,3
    Note over P0,P1: assertion violated#58; x + y == 11
";
    assert_eq!(export(&checked(MODEL), "mermaid"), expected);
    let lasso = export(&checked(LASSO), "mermaid");
    assert!(lasso.contains("    loop repeats for ever\n"), "{lasso}");
    assert!(lasso.contains("    end\n"), "{lasso}");
}

#[test]
fn charts_as_pictures() {
    let picture = export(&checked(MODEL), "svg");
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    // Through the buffer, from step 1 to step 4.
    assert!(picture.contains("d=\"M 155 58 L 345 148\""), "{picture}");
    assert!(picture.contains("q!MSG,3"), "{picture}");
    assert!(export(&checked(LASSO), "svg").contains("repeats for ever"));
}

#[test]
fn informal_trace_format() {
    let itf: serde_json::Value = serde_json::from_str(&export(&checked(MODEL), "itf")).unwrap();
    assert_eq!(itf["#meta"]["format"], "ITF");
    assert_eq!(itf["vars"], serde_json::json!(["late", "x", "q", "_processes"]));
    assert_eq!(itf.get("loop"), None);
    let states = itf["states"].as_array().unwrap();
    assert_eq!(states.len(), 6);
    for (index, state) in states.iter().enumerate() {
        assert_eq!(state["#meta"]["index"], index);
        assert!(
            itf["vars"]
                .as_array()
                .unwrap()
                .iter()
                .all(|v| state[v.as_str().unwrap()] != serde_json::Value::Null)
        );
    }
    assert_eq!(states[1]["q"], serde_json::json!([{"#tup": ["MSG", {"#bigint": "3"}]}]));
    assert_eq!(states[1]["late"], false);
    assert_eq!(states[3]["_processes"]["#map"][1][1]["y"], serde_json::json!({"#bigint": "7"}));
    assert_eq!(states[3]["#meta"]["process"], "A(0)");
}

#[test]
fn lassos_in_informal_trace_format() {
    let itf: serde_json::Value = serde_json::from_str(&export(&checked(LASSO), "itf")).unwrap();
    let states = itf["states"].as_array().unwrap();
    let start = itf["loop"].as_u64().unwrap() as usize;
    // The state that the last one returns to is not repeated.
    let turns: Vec<&str> = states.iter().map(|s| s["turn"]["#bigint"].as_str().unwrap()).collect();
    assert_eq!(turns[start..].len(), 2, "{turns:?}");
    assert_ne!(turns[start], turns[start + 1]);
}

#[test]
fn values_along_a_run() {
    let folder = checked(MODEL);
    let ran = folder.run(&["trail", "eval", "m.pml", "len(q) + x"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let expected = "len(q) + x
   0  0  initially
   1  1  A (0)           m.pml:7   q!MSG,3
   2  1  A (0)           m.pml:7   printf(\"sent %e %d\\n\", MSG, 3)
   3  1  A (0) -> B (1)  m.pml:8   r!7
   4  3  B (1)           m.pml:13  q?MSG,x
   5  3  B (1)           m.pml:14  assert(x + y == 11)
";
    assert_eq!(ran.out, expected);
    let values = |expression: &str| -> Vec<String> {
        let ran = folder.run(&["trail", "eval", "--json", "--changes", "m.pml", expression]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let json = ran.json();
        json["values"]
            .as_array()
            .unwrap()
            .iter()
            .map(|v| v["value"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(values("B[1]:y"), ["0", "7"]);
    assert_eq!(values("x == 3 && !late"), ["0", "1"]);
    assert_eq!(values("late"), ["false"]);
    assert_eq!(values("x > 2 -> late"), ["1", "0"]);
}

#[test]
fn what_cannot_be_evaluated() {
    let folder = checked(MODEL);
    let ran = folder.run(&["trail", "eval", "m.pml", "nobody == 1"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("cannot evaluate `nobody == 1`"), "{}", ran.err);
    let ran = folder.run(&["trail", "eval", "m.pml", "[] (x > 0)"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("it speaks of the future"), "{}", ran.err);
}

#[test]
fn long_runs_are_shortened() {
    let model = "byte n;
active proctype P() { do :: n < 20 -> n++ :: n = 0; break :: n == 0 -> break od; assert(n > 0) }
";
    let folder = Folder::with(model);
    assert_eq!(folder.run(&["check", "--search", "dfs", "--trail", "long", "m.pml"]).code, 10);
    let ran = folder.run(&["trail", "shorten", "m.pml", "long", "-o", "short"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("steps instead of"), "{}", ran.out);
    let story = folder.run(&["replay", "--json", "m.pml", "short"]).json();
    assert_eq!(story["error"]["kind"], "assertion");
    assert_eq!(story["steps"].as_array().unwrap().len(), 2);
    let ran = folder.run(&["trail", "shorten", "m.pml", "short"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, "no shorter run to this error: 2 steps\n"));
}

#[test]
fn another_error_is_no_shorter_run() {
    let model = "byte n;
active proctype P() { if :: assert(n > 0) :: n = 1; n = 2; assert(n < 2) fi }
";
    let folder = Folder::with(model);
    // The trail to the second assertion, as SPIN writes it.
    folder.write("spin", b"1:0:1\n2:0:2\n3:0:3\n");
    let ran = folder.run(&["replay", "--json", "m.pml", "spin"]);
    assert_eq!(ran.json()["error"]["message"], "assertion violated: n < 2");
    let ran = folder.run(&["trail", "shorten", "m.pml", "spin", "-o", "short"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, "no shorter run to this error: 3 steps\n"));
    assert_eq!(folder.run(&["trail", "shorten", "m.pml", "spin"]).code, 2);
}

#[test]
fn trails_of_spin() {
    let folder = checked(MODEL);
    let expected = "1:0:0\n2:0:1\n3:0:3\n4:1:5\n5:1:6\n6:1:7\n";
    assert_eq!(export(&folder, "spin"), expected);
    folder.write("spin", expected.as_bytes());
    let (theirs, ours) =
        (folder.run(&["replay", "m.pml", "spin"]), folder.run(&["replay", "m.pml"]));
    assert_eq!((theirs.code, theirs.out), (0, ours.out));
    folder.write("wrong", b"1:0:0\n2:0:1\n3:0:9\n");
    let ran = folder.run(&["replay", "m.pml", "wrong"]);
    assert_eq!(ran.code, 65);
    assert!(ran.err.contains("step 3 (process 0, statement 9) cannot be taken"), "{}", ran.err);
}

#[test]
fn claims_count_as_process_0_in_trails_of_spin() {
    let folder = checked(
        "byte x;\nactive proctype A() { x = 1; x = 2 }\nnever { do :: x == 2 -> break :: else od }",
    );
    let spin = export(&folder, "spin");
    assert!(spin.starts_with("-2:1:-2\n1:0:"), "{spin}");
    folder.write("spin", spin.as_bytes());
    let (theirs, ours) =
        (folder.run(&["replay", "m.pml", "spin"]), folder.run(&["replay", "m.pml"]));
    assert_eq!((theirs.code, theirs.out), (0, ours.out));
}

#[test]
fn spin_may_write_one_line_too_many() {
    // What pan 6.5.2 writes for this model: after the claim's end, a line that was left over.
    let folder = Folder::with(
        "byte x, y
active proctype p() { do :: x < 4 -> x++ :: x == 4 -> break od }
active proctype q() { y = 1 }
never { do :: x == 1 && y == 0 -> break :: else od }
",
    );
    folder.write("spin", b"-2:2:-2\n1:0:12\n2:1:0\n3:0:12\n4:1:1\n5:0:10\n6:1:1\n");
    let ran = folder.run(&["replay", "--json", "m.pml", "spin"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(ran.json()["error"]["kind"], "claim-violated");
}

#[test]
fn charts_follow_messages_out_of_order() {
    let folder = checked(
        "chan q = [3] of { byte };
active proctype A() { q!!2; q!!1 }
active proctype B() { byte x; len(q) == 2; q??2; q?x; assert(false) }
",
    );
    let chart = export(&folder, "text");
    assert!(chart.contains("q?2 (of step 1)"), "{chart}");
    assert!(chart.contains("q?1 (of step 2)"), "{chart}");
}
