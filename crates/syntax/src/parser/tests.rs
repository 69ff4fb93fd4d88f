//! Tests of the parser: trees, errors, inlines, formulas, real models, hostile text.

mod corpus;
mod dump;
mod errors;
mod formulas;
mod inlines;
mod robust;
mod trees;

use crate::{NoFiles, Parsed, PreprocessOptions, parse};
use spinor_base::Severity;

fn read(text: &str) -> Parsed {
    parse("m.pml", text, &PreprocessOptions::default(), &NoFiles)
}

/// `line:column code message`, errors marked by code only.
fn complaints(parsed: &Parsed) -> Vec<String> {
    let line = |d: &spinor_base::Diagnostic| {
        let at = parsed.sources.location(d.primary);
        let kind = if d.severity == Severity::Warning { " warning" } else { "" };
        format!("{}:{} {}{kind} {}", at.line, at.column, d.code, d.message)
    };
    parsed.diagnostics.iter().map(line).collect()
}

/// The tree of a whole model without complaints.
#[track_caller]
fn tree(text: &str) -> String {
    let parsed = read(text);
    assert!(parsed.diagnostics.is_empty(), "{text}\n{:#?}", complaints(&parsed));
    dump::module(&parsed.module)
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(tree(text), expected, "{text}");
}

/// Checks the body of `init { body }`.
#[track_caller]
fn check_body(body: &str, expected: &str) {
    check(&format!("init {{ {body} }}"), &format!("(init [{expected}])"));
}

#[track_caller]
fn check_complaints(text: &str, expected: &[&str]) {
    assert_eq!(complaints(&read(text)), expected, "{text}");
}

/// Runs on a stack of 8 MB, far less than the tool has.
fn on_large_stack(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(run).unwrap();
    thread.join().unwrap();
}
