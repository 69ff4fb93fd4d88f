//! Syntax tree to resolved model: names, types, constants, messages, loops,
//! labels; and the diagnostics that a model can earn before it runs.
//!
//! [`analyze`] never fails: it returns a [`hir::Model`] and diagnostics. The
//! model may be used only if no diagnostic is an error.
//!
//! Order of work: declarations in source order ([`items`]), then bodies in
//! source order ([`bodies`]), then warnings that need the whole model
//! ([`lints`]).

pub mod codes;
pub mod hir;

mod analyzer;
mod bodies;
mod choices;
mod compound;
mod consts;
mod declare;
mod embedded;
mod exprs;
mod items;
mod labels;
mod lints;
mod local_decls;
mod loops;
mod messages;
mod monitors;
mod places;
mod remote;
mod report;
mod runs;
mod sizes;
mod stmts;
mod types;

#[cfg(test)]
mod tests;

use spinor_base::Diagnostic;
use spinor_syntax::Parsed;

/// What [`analyze`] found.
#[derive(Debug)]
pub struct Analysis {
    /// The resolved model; usable only if no diagnostic is an error.
    pub model: hir::Model,
    /// Errors and warnings of this crate, in source order (those of the parser
    /// are not repeated).
    pub diagnostics: Vec<Diagnostic>,
}

/// How far the names declared in an inner block reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scoping {
    /// To the end of the block.
    #[default]
    Block,
    /// To the end of the body around, as before SPIN 6: a name is declared once there.
    Body,
}

/// Resolves a parsed model. Recursive: the deepest model that the parser lets
/// through needs a stack of 8 MB.
#[must_use]
pub fn analyze(parsed: &Parsed) -> Analysis {
    analyze_scoped(parsed, Scoping::Block)
}

/// As [`analyze`], under other rules for names.
#[must_use]
pub fn analyze_scoped(parsed: &Parsed, scoping: Scoping) -> Analysis {
    analyzer::Analyzer::new(parsed, scoping).run()
}
