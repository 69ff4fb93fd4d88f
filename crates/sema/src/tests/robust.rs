//! Damaged models are analysed without panic.

use std::path::Path;

use spinor_syntax::{NoFiles, PreprocessOptions};

/// Leaves out one line or one word at a time.
#[test]
fn models_with_holes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut list = Vec::new();
    super::corpus::models(&root, &mut list);
    list.sort();
    for path in list {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let lines: Vec<&str> = text.split('\n').collect();
        for hole in 0..lines.len() {
            analyse(&without(&lines, hole).join("\n"));
        }
        let words: Vec<&str> = text.split_inclusive([' ', '\t', '\n', ';', '(', '{']).collect();
        for hole in (0..words.len()).step_by(7) {
            analyse(&without(&words, hole).concat());
        }
    }
}

fn without<'a>(parts: &[&'a str], hole: usize) -> Vec<&'a str> {
    parts.iter().enumerate().filter(|(i, _)| *i != hole).map(|(_, p)| *p).collect()
}

fn analyse(src: &str) {
    let parsed = spinor_syntax::parse("m.pml", src, &PreprocessOptions::default(), &NoFiles);
    let _ = crate::analyze(&parsed);
}

#[test]
fn bounds_of_a_select_at_the_ends_of_their_type() {
    // The first bound is read as a negative number: the difference does not fit.
    let text = "active proctype A() { int x; select (x : 2147483649 .. 2147483647) }";
    analyse(text);
}
