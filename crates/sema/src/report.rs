//! Collecting diagnostics without repetition.

use std::collections::HashSet;

use spinor_base::{Diagnostic, FileId, Span};

/// Diagnostics found so far. The body of an inline is analysed once per call,
/// so the same complaint about the same characters is kept once.
#[derive(Default)]
pub(crate) struct Report {
    list: Vec<Diagnostic>,
    seen: HashSet<(&'static str, FileId, u32, u32, String)>,
    /// Where the parser complained: more about that place helps nobody.
    parse_errors: Vec<Span>,
}

impl Report {
    /// An empty report of a model with these diagnostics of the parser.
    pub(crate) fn new(parser: &[Diagnostic]) -> Self {
        let parse_errors = parser.iter().filter(|d| d.is_error()).map(|d| d.primary).collect();
        Report { parse_errors, ..Report::default() }
    }

    /// Adds a diagnostic unless the same one is there.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        let at = diagnostic.primary;
        let touches = |p: &Span| p.file == at.file && p.lo < at.hi && at.lo < p.hi;
        if self.parse_errors.iter().any(touches) {
            return;
        }
        let key = (diagnostic.code, at.file, at.lo, at.hi, diagnostic.message.clone());
        if self.seen.insert(key) {
            self.list.push(diagnostic);
        }
    }

    /// Shorthand for an error without further text.
    pub(crate) fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.push(Diagnostic::error(code, span, message));
    }

    /// Whether there is an error.
    pub(crate) fn has_errors(&self) -> bool {
        self.list.iter().any(Diagnostic::is_error)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Forgets everything after the first `len`.
    pub(crate) fn truncate(&mut self, len: usize) {
        for dropped in self.list.drain(len..) {
            let at = dropped.primary;
            self.seen.remove(&(dropped.code, at.file, at.lo, at.hi, dropped.message));
        }
    }

    /// All of them, in source order.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|d| (d.primary.file, d.primary.lo));
        self.list
    }
}
