//! Violations in words.

use crate::statement;
use crate::{Origin, Standing, View};
use spinor_exec::Site;
use spinor_ts::{Violation, ViolationKind};

/// A violation in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Described {
    /// Kind, as in reports.
    pub kind: &'static str,
    /// For reports: `assertion violated: x == 1`.
    pub message: String,
    /// For a headline: ``assertion `x == 1` ``.
    pub headline: String,
    /// The statement to blame.
    pub at: Option<Origin>,
}

/// The kind of a violation as in reports.
#[must_use]
pub fn kind_name(kind: ViolationKind) -> &'static str {
    match kind {
        ViolationKind::Assertion => "assertion",
        ViolationKind::InvalidEndState => "invalid-end-state",
        ViolationKind::ClaimViolated => "claim-violated",
        ViolationKind::TraceViolated => "trace-violated",
        ViolationKind::Runtime => "runtime",
        ViolationKind::AcceptanceCycle => "acceptance-cycle",
        ViolationKind::NonProgressCycle => "non-progress-cycle",
    }
}

/// Describes a violation; `state` is the one it happens in, if there is one.
#[must_use]
pub fn describe(view: &View<'_>, violation: Violation, state: Option<&[u8]>) -> Described {
    let site = Site::of(violation);
    let text = site.statement.map(|id| statement::text(&view.program, view.sources, id));
    let text = text.as_deref().unwrap_or_default();
    let (message, headline) = match violation.kind {
        ViolationKind::Assertion => {
            let inner = statement::asserted(text);
            (format!("assertion violated: {inner}"), format!("assertion `{inner}`"))
        }
        ViolationKind::InvalidEndState => {
            ("invalid end state".to_owned(), "invalid end state (deadlock)".to_owned())
        }
        ViolationKind::ClaimViolated => {
            let name = view.claim.map_or("", |c| &*view.program.claims[c].name);
            let words = format!("never claim `{name}` reached its end");
            (words.clone(), words)
        }
        ViolationKind::TraceViolated => {
            let negated = view.program.trace.as_ref().is_some_and(|t| t.negated);
            let what = if negated { "notrace" } else { "trace" };
            let words = format!("`{text}` is against the {what} declaration");
            (words.clone(), words)
        }
        ViolationKind::AcceptanceCycle => {
            ("acceptance cycle".to_owned(), "acceptance cycle".to_owned())
        }
        ViolationKind::NonProgressCycle => {
            ("non-progress cycle".to_owned(), "cycle without progress".to_owned())
        }
        ViolationKind::Runtime => {
            let fault = site.fault.map_or("run-time error", |f| f.message());
            let words = match text {
                "" => fault.to_owned(),
                text => format!("{fault} in `{text}`"),
            };
            (words.clone(), words)
        }
    };
    let at = site
        .statement
        .map(|id| Origin::of_statement(&view.program, view.sources, id))
        .or_else(|| first_stuck(view, violation.kind, state));
    Described { kind: kind_name(violation.kind), message, headline, at }
}

/// A deadlock is looked for where the first process waits that should not.
fn first_stuck(view: &View<'_>, kind: ViolationKind, state: Option<&[u8]>) -> Option<Origin> {
    if kind != ViolationKind::InvalidEndState {
        return None;
    }
    let standings = Standing::all(view, state?);
    standings.into_iter().find(|s| !s.may_end).and_then(|s| s.at)
}
