//! Tests of the whole analysis, and the dump they compare with.

mod corpus;
mod declarations;
mod deep;
mod dump;
mod errors;
mod robust;
mod statements;
mod warnings;

use spinor_base::Diagnostic;
use spinor_syntax::{NoFiles, Parsed, PreprocessOptions};

use crate::hir::Model;

fn parse(src: &str) -> Parsed {
    let parsed = spinor_syntax::parse("m.pml", src, &PreprocessOptions::default(), &NoFiles);
    let errors: Vec<_> = parsed.diagnostics.iter().filter(|d| d.is_error()).collect();
    assert!(errors.is_empty(), "{src}\ndoes not parse: {errors:#?}");
    parsed
}

/// Compares the dump of a model that has no errors.
#[track_caller]
fn check(src: &str, expected: &str) {
    let parsed = parse(src);
    let analysis = crate::analyze(&parsed);
    let errors: Vec<_> = analysis.diagnostics.iter().filter(|d| d.is_error()).collect();
    assert!(errors.is_empty(), "{src}\n{errors:#?}");
    let trim =
        |s: &str| s.lines().map(str::trim).filter(|l| !l.is_empty()).collect::<Vec<_>>().join("\n");
    assert_eq!(trim(&dump::model(&analysis.model)), trim(expected), "{src}");
}

/// Compares the errors of parser and analysis, each as `code@line:column`.
#[track_caller]
fn check_errors(src: &str, expected: &[&str]) {
    compare(src, expected, Diagnostic::is_error);
}

/// Compares the warnings of a model without errors.
#[track_caller]
fn check_warnings(src: &str, expected: &[&str]) {
    check_errors(src, &[]);
    compare(src, expected, |d| !d.is_error());
}

#[track_caller]
fn compare(src: &str, expected: &[&str], keep: impl Fn(&Diagnostic) -> bool) {
    let parsed = spinor_syntax::parse("m.pml", src, &PreprocessOptions::default(), &NoFiles);
    let analysis = crate::analyze(&parsed);
    let found: Vec<String> = parsed
        .diagnostics
        .iter()
        .chain(&analysis.diagnostics)
        .filter(|d| keep(d))
        .map(|d| {
            let at = parsed.sources.location(d.primary);
            format!("{}@{}:{}", d.code, at.line, at.column)
        })
        .collect();
    assert_eq!(found, expected, "{src}\n{:#?}", analysis.diagnostics);
}

fn model(src: &str) -> Model {
    crate::analyze(&parse(src)).model
}
