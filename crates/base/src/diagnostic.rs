//! Messages about the user's model. Data only: the front ends render them.

use crate::Span;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Severity {
    /// Legal, but probably not what was meant.
    Warning,
    /// The model cannot be used.
    Error,
}

/// A secondary place that belongs to a diagnostic.
#[derive(Clone, Debug)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is there.
    pub message: String,
}

/// One message about the model.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Stable code, `P0001` …; see `docs/diagnostics.md`.
    pub code: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// Lower case, no full stop, names in backticks.
    pub message: String,
    /// The place to underline.
    pub primary: Span,
    /// Short text under the primary place.
    pub inline_label: Option<String>,
    /// Other places that explain it.
    pub labels: Vec<Label>,
    /// Background, what was expected.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at `primary`.
    pub fn error(code: &'static str, primary: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, primary, message.into())
    }

    /// A warning at `primary`.
    pub fn warning(code: &'static str, primary: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, primary, message.into())
    }

    fn new(severity: Severity, code: &'static str, primary: Span, message: String) -> Self {
        Diagnostic {
            code,
            severity,
            message,
            primary,
            inline_label: None,
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
        }
    }

    /// Sets the text under the primary place.
    #[must_use]
    pub fn here(mut self, text: impl Into<String>) -> Self {
        self.inline_label = Some(text.into());
        self
    }

    /// Adds a secondary place.
    #[must_use]
    pub fn label(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(Label { span, message: message.into() });
        self
    }

    /// Adds background.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Whether the model cannot be used.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
