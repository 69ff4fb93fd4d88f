//! Where a statement stands, as a person looks for it.

use serde::Serialize;
use spinor_base::{ExpansionKind, SourceMap, Span};
use spinor_program::{Action, Program, StmtId};
use std::fmt;

/// A position in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct At {
    /// Name of the file.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
}

/// A macro use or an inline call on the way to a statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Call {
    /// `macro` or `inline`.
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// Where it is used.
    pub at: At,
}

/// A position and how the model gets there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Origin {
    /// The statement; inside a macro, the use of the macro.
    #[serde(flatten)]
    pub at: At,
    /// Macros and inlines around it, innermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Call>,
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            return Ok(());
        }
        write!(f, "{}:{}", self.file, self.line)
    }
}

impl At {
    /// The start of a span.
    #[must_use]
    pub fn of(sources: &SourceMap, span: Span) -> Self {
        let location = sources.location(span);
        At { file: location.file.to_string(), line: location.line, column: location.column }
    }
}

impl Origin {
    /// Of what stands in no file.
    pub(crate) fn nowhere() -> Self {
        Origin { at: At { file: String::new(), line: 0, column: 0 }, calls: Vec::new() }
    }

    /// The origin of a statement; the end of a process is at its closing brace.
    #[must_use]
    pub fn of_statement(program: &Program, sources: &SourceMap, id: StmtId) -> Self {
        let statement = program.statement(id);
        let mut span = statement.span;
        let is_end = matches!(statement.action, Action::Terminate);
        if is_end && sources.text(span).ends_with('}') {
            span.lo = span.hi - 1;
        }
        Self::of(sources, span)
    }

    /// The origin of a span.
    ///
    /// A statement from a macro is looked for where the macro is used, one from
    /// an inline where it is written, as SPIN has it.
    #[must_use]
    pub fn of(sources: &SourceMap, span: Span) -> Self {
        let mut shown = span;
        while let Some(expansion) = sources.expansion(shown.expn)
            && expansion.kind == ExpansionKind::Macro
        {
            shown = expansion.call;
        }
        let calls = sources
            .chain(span)
            .map(|e| Call {
                kind: match e.kind {
                    ExpansionKind::Macro => "macro",
                    ExpansionKind::Inline => "inline",
                },
                name: e.name.to_string(),
                at: At::of(sources, e.call),
            })
            .collect();
        Origin { at: At::of(sources, shown), calls }
    }

    /// The inlines around it: `lock, called at m.pml:30`.
    #[must_use]
    pub fn inlines(&self) -> Option<String> {
        let inlines: Vec<String> = self
            .calls
            .iter()
            .filter(|c| c.kind == "inline")
            .map(|c| format!("in `{}` called at {}", c.name, c.at))
            .collect();
        (!inlines.is_empty()).then(|| inlines.join(", "))
    }
}
