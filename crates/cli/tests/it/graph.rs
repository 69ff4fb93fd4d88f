//! Pictures of automata.

use crate::support::Folder;

const MODEL: &str = "byte x;
active proctype P() {
end_loop:
  do
  :: x < 2 -> x++
  :: atomic { x == 2 -> x = 0 }
  od
}
";

#[test]
fn dot() {
    let ran = Folder::with(MODEL).run(&["graph", "m.pml"]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.starts_with("digraph model {\n"));
    assert!(ran.out.contains("label=\"proctype P\""), "{}", ran.out);
    assert!(ran.out.contains("end_loop\", peripheries=2"), "{}", ran.out);
    assert!(ran.out.contains("[label=\"x < 2\", tooltip=\"m.pml:5\"]"), "{}", ran.out);
    assert!(ran.out.contains("[label=\"x == 2\", tooltip=\"m.pml:6\", style=bold]"), "{}", ran.out);
}

#[test]
fn json() {
    let document = Folder::with(MODEL).run(&["graph", "--format", "json", "m.pml"]).json();
    let automaton = &document["automata"][0];
    assert_eq!(automaton["name"], "P");
    assert_eq!(automaton["locations"].as_array().unwrap().len(), 3);
    assert_eq!(automaton["transitions"].as_array().unwrap().len(), 4);
    let start = automaton["start"].as_u64().unwrap();
    let is_start = |l: &&serde_json::Value| l["id"].as_u64() == Some(start);
    let location = automaton["locations"].as_array().unwrap().iter().find(is_start).unwrap();
    assert_eq!(location["labels"][0], "end_loop");
    assert_eq!(location["end"], true);
}

#[test]
fn svg() {
    let ran = Folder::with(MODEL).run(&["graph", "--format", "svg", "m.pml"]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.starts_with("<svg ") && ran.out.ends_with("</svg>\n"));
    assert!(ran.out.contains("x &lt; 2"), "{}", ran.out);
    assert_eq!(ran.out.matches("<g").count(), ran.out.matches("</g>").count());
}

#[test]
fn wrong_models_are_not_drawn() {
    assert_eq!(Folder::with("active proctype P() { y = 1 }").run(&["graph", "m.pml"]).code, 65);
}
