//! What every other crate speaks of: source files, spans with their macro and
//! inline history, and diagnostics.
//!
//! Invariants
//! - Nothing here does I/O or prints.
//! - A [`Span`] is only meaningful together with the [`SourceMap`] that made it.

mod diagnostic;
mod source;
mod suggest;

pub use diagnostic::{Diagnostic, Label, Severity};
pub use source::{Expansion, ExpansionKind, ExpnId, FileId, Location, SourceFile, SourceMap, Span};
pub use suggest::nearest;

/// Shared immutable text: identifiers, string literals.
pub type Text = std::sync::Arc<str>;
