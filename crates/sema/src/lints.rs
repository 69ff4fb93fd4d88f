//! Warnings about models that are legal but probably not meant so. One module
//! each; they look at the resolved model.

mod lone_else;
pub(crate) mod printf;
pub(crate) mod truncation;
mod unreachable;
mod unused;

use crate::analyzer::Analyzer;

/// Runs the lints that need the whole model.
pub(crate) fn run(analyzer: &mut Analyzer) {
    unused::check(analyzer);
    if !analyzer.report.has_errors() {
        unreachable::check(analyzer);
        lone_else::check(analyzer);
    }
}
