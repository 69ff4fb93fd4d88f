//! Merging, dead variables, write-only variables.

use crate::support::{Folder, check};
use serde_json::json;

const MODEL: &str = "byte g, never_read;
active [2] proctype P() {
  byte a, b;
  a = 2;
  a = a - 1;
  if :: b = a :: b = a + 1 fi;
  never_read = _pid + 1;
  b > 0;
  g = g + a;
  assert(g < 3)
}
";

fn stored(options: &[&str]) -> u64 {
    let ran = check(MODEL, &[&["--json", "--no-reduction"], options].concat());
    assert_eq!(ran.code, 0, "{}", ran.out);
    ran.json()["results"][0]["stats"]["stored"].as_u64().unwrap()
}

#[test]
fn each_pass_makes_fewer_states() {
    let default = stored(&[]);
    let plain = stored(&["--plain"]);
    for pass in ["merging", "dead-variables", "write-only"] {
        let without = stored(&["--disable", pass]);
        assert!(default < without && without < plain, "{pass}: {default} {without} {plain}");
    }
    let all = ["merging", "dead-variables", "write-only", "reduction"];
    let all: Vec<&str> = all.iter().flat_map(|pass| ["--disable", pass]).collect();
    assert_eq!(stored(&all), plain);
}

#[test]
fn the_report_says_whether_steps_were_merged() {
    let merging = |options: &[&str]| {
        let ran = check(MODEL, &[&["--json", "--no-reduction"], options].concat());
        ran.json()["results"][0]["search"]["merging"].clone()
    };
    assert_eq!(merging(&[]), json!(true));
    assert_eq!(merging(&["--plain"]), json!(false));
    assert_eq!(merging(&["--disable", "merging"]), json!(false));
}

const BAD_INDEX: &str = "active proctype P() {
  byte a[2], i;
  i = 1;
  i = 2;
  a[i] = 1;
  i = 0
}
";

#[test]
fn errors_inside_merged_steps_are_told_statement_by_statement() {
    let folder = Folder::with(BAD_INDEX);
    for command in [["check", "m.pml"], ["replay", "m.pml"]] {
        let ran = folder.run(&command);
        let at = |text: &str| ran.out.find(text).unwrap_or_else(|| panic!("{text}: {}", ran.out));
        assert!(at("m.pml:3  i = 1") < at("m.pml:4  i = 2"), "{}", ran.out);
        assert!(at("m.pml:4  i = 2") < at("m.pml:5  a[i] = 1"), "{}", ran.out);
    }
    assert_eq!(folder.run(&["check", "m.pml"]).code, 14);
}

#[test]
fn statements_of_merged_steps_count_as_reached() {
    let model = "active proctype P() { byte x; x = 1; x = 2; if :: x == 3 -> x = 4; x = 5 \
                 :: else fi }";
    let unreached = |options: &[&str]| {
        let ran = check(model, &[&["--json", "--no-reduction"], options].concat());
        ran.json()["results"][0]["unreached"].clone()
    };
    assert_eq!(unreached(&[]), unreached(&["--plain"]));
    assert!(unreached(&[]).to_string().contains("x = 5"));
}
