//! Trails: written, read, refused.

use crate::support::Folder;

const MODEL: &str = "mtype = { ACK, MSG };
chan q = [2] of { mtype, byte };
chan r = [0] of { byte };
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

const STORY: &str = r#"  1 ┌ A (0)           m.pml:6   q!MSG,3                         q = [MSG 3]
  2 └ A (0)           m.pml:6   printf("sent %e %d\n", MSG, 3)
        prints: sent MSG 3
  3   A (0) -> B (1)  m.pml:7   r!7 -> r?y                      B(1):y: 0 -> 7
  4   B (1)           m.pml:12  q?MSG,x                         x: 0 -> 3, q = empty
  5   B (1)           m.pml:13  assert(x + y == 11)
  error: assertion violated: x + y == 11 (m.pml:13)

final state
  x = 3, B(1):y = 7
  q = empty
  A (0)  m.pml:8   is at its end
  B (1)  m.pml:14  is at its end
"#;

#[test]
fn replay_tells_what_check_found() {
    let folder = Folder::with(MODEL);
    assert_eq!(folder.run(&["check", "m.pml"]).code, 10);
    let ran = folder.run(&["replay", "m.pml"]);
    assert_eq!(ran.code, 0);
    assert_eq!(ran.out, STORY);
    let full = folder.run(&["replay", "--full", "m.pml"]);
    assert!(full.out.contains("        x = 3, B(1):y = 7\n        q = empty\n"), "{}", full.out);
}

#[test]
fn json_story() {
    let folder = Folder::with(MODEL);
    folder.run(&["check", "--trail", "other", "m.pml"]);
    assert_eq!(folder.files(), ["m.pml", "other"]);
    let story = folder.run(&["replay", "--json", "m.pml", "other"]).json();
    assert_eq!(story["error"]["kind"], "assertion");
    assert_eq!(story["steps"][0]["atomic"], story["steps"][1]["atomic"]);
    assert_eq!(story["steps"][2]["receiver"]["name"], "B");
    assert_eq!(story["steps"][2]["changes"][0]["name"], "B(1):y");
    assert_eq!(story["steps"][3]["line"], serde_json::Value::Null);
    assert_eq!(story["steps"][3]["at"]["line"], 12);
    assert_eq!(story["processes"][1]["pid"], 1);
}

#[test]
fn claims_are_replayed_with_the_claim() {
    let folder = Folder::with(
        "byte x;\nactive proctype A() { x = 1; x = 2 }\nnever { do :: x == 2 -> break :: else od }",
    );
    assert_eq!(folder.run(&["check", "m.pml"]).code, 12);
    let ran = folder.run(&["replay", "m.pml"]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("error: never claim `never_0` reached its end"), "{}", ran.out);
}

#[test]
fn other_models_are_refused() {
    let folder = Folder::with(MODEL);
    folder.run(&["check", "m.pml"]);
    folder.write("m.pml", format!("/* a comment changes nothing */\n{MODEL}").as_bytes());
    assert_eq!(folder.run(&["replay", "m.pml"]).code, 0);
    folder.write("m.pml", MODEL.replace("r!7", "r!8").as_bytes());
    let ran = folder.run(&["replay", "m.pml"]);
    assert_eq!(ran.code, 65);
    assert!(ran.err.contains("it was written for a different model"), "{}", ran.err);
}

#[test]
fn missing_and_damaged_trails() {
    let folder = Folder::with(MODEL);
    assert_eq!(folder.run(&["replay", "m.pml"]).code, 66);
    folder.write("m.pml.trail", b"anything\n");
    let ran = folder.run(&["replay", "m.pml"]);
    assert_eq!(ran.code, 65);
    assert!(ran.err.contains("it is not a trail of Spinor"), "{}", ran.err);
    folder.write("m.pml.trail", b"1:0:0\n2:7:1\n");
    let ran = folder.run(&["replay", "m.pml"]);
    assert_eq!(ran.code, 65);
    assert!(ran.err.contains("step 2 (process 7, statement 1) cannot be taken"), "{}", ran.err);
    folder.run(&["check", "m.pml"]);
    let good = std::fs::read_to_string(folder.path("m.pml.trail")).unwrap();
    folder.write("m.pml.trail", good.replace("\nevents ", "\nevents 99 ").as_bytes());
    let ran = folder.run(&["replay", "m.pml"]);
    assert_eq!(ran.code, 65);
    assert!(ran.err.contains("does not exist in the model"), "{}", ran.err);
}
