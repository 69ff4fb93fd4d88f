//! Statements that no run executed.

use crate::{Origin, View, statement};
use serde::Serialize;
use spinor_program::{Action, Automaton, LocId, Program, StmtId};
use std::collections::BTreeSet;

/// What was never executed in one proctype.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unreached {
    /// The proctype, or the claim.
    pub name: String,
    /// How many statements it has.
    pub statements: usize,
    /// Those never executed, by position.
    pub unreached: Vec<UnreachedStatement>,
}

/// A statement never executed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnreachedStatement {
    /// Where.
    #[serde(flatten)]
    pub at: Origin,
    /// What.
    pub statement: String,
}

/// Proctypes (and the claim that ran along) with statements for which
/// `was_executed` is false.
#[must_use]
pub fn unreached(view: &View<'_>, was_executed: impl Fn(StmtId) -> bool) -> Vec<Unreached> {
    let program = &view.program;
    let claim = view.claim.map(|c| &program.claims[c]);
    let mut result = Vec::new();
    for process in program.proctypes.iter().chain(claim) {
        let ids = statements(program, &process.automaton);
        let unreached: Vec<UnreachedStatement> = ids
            .iter()
            .filter(|id| !was_executed(**id))
            .map(|&id| UnreachedStatement {
                at: Origin::of(view.sources, program.statement(id).span),
                statement: statement::text(program, view.sources, id),
            })
            .collect();
        if !unreached.is_empty() {
            let name = process.name.to_string();
            result.push(Unreached { name, statements: ids.len(), unreached });
        }
    }
    result
}

/// The statements of an automaton, by their location. Jumps that are part of
/// the statement before them are no control points and not among them.
fn statements(program: &Program, automaton: &Automaton) -> Vec<StmtId> {
    let transitions = || automaton.locations.iter().flat_map(|l| &l.transitions);
    let targets: BTreeSet<LocId> =
        transitions().map(|t| t.target).chain([automaton.start]).collect();
    let mut ids = BTreeSet::new();
    for (number, location) in (0..).map(LocId).zip(&automaton.locations) {
        for transition in &location.transitions {
            let id = transition.statement;
            match &program.statement(id).action {
                Action::Skip if !targets.contains(&number) => {}
                Action::DStep(inner) => {
                    ids.extend(inner.locations.iter().flatten().map(|t| t.statement));
                }
                _ => {
                    ids.insert(id);
                }
            }
        }
    }
    let mut ids: Vec<StmtId> = ids.into_iter().collect();
    ids.sort_by_key(|id| program.statement(*id).location);
    ids
}
