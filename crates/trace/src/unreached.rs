//! Statements that no run executed.

use crate::{Origin, View, statement};
use serde::Serialize;
use spinor_program::{Action, Automaton, LocId, Program, StmtId, Transition};
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
    /// A process did stand before it, but it was never executable there.
    pub reached: bool,
}

/// Proctypes (and the claim that ran along) with statements for which
/// `was_executed` is false.
#[must_use]
pub fn unreached(view: &View<'_>, was_executed: impl Fn(StmtId) -> bool) -> Vec<Unreached> {
    let program = &view.program;
    let claim = view.claim.map(|c| &program.claims[c]);
    let mut result = Vec::new();
    for (number, process) in program.proctypes.iter().chain(claim).enumerate() {
        let is_active = program.active.iter().any(|id| id.index() == number);
        let ids = statements(program, &process.automaton);
        let reached = reached(program, &process.automaton, is_active, &was_executed);
        let unreached: Vec<UnreachedStatement> = ids
            .iter()
            .filter(|id| !was_executed(**id))
            // A process may have to wait at its end for younger ones.
            .filter(|id| !reached.contains(id) || !is_end(program, **id))
            .map(|&id| UnreachedStatement {
                at: Origin::of_statement(program, view.sources, id),
                statement: statement::text(program, view.sources, id),
                reached: reached.contains(&id),
            })
            .collect();
        if !unreached.is_empty() {
            let name = process.name.to_string();
            result.push(Unreached { name, statements: ids.len(), unreached });
        }
    }
    result
}

fn is_end(program: &Program, id: StmtId) -> bool {
    matches!(program.statement(id).action, Action::Terminate)
}

/// Statements at control points that some process came to.
fn reached(
    program: &Program,
    automaton: &Automaton,
    is_active: bool,
    was_executed: &impl Fn(StmtId) -> bool,
) -> BTreeSet<StmtId> {
    let locations: Vec<&[Transition]> =
        automaton.locations.iter().map(|l| l.transitions.as_slice()).collect();
    let mut found = targets_of(&locations, automaton.start, is_active, was_executed);
    for outer in found.clone() {
        if let Action::DStep(inner) = &program.statement(outer).action {
            let locations: Vec<&[Transition]> = inner.locations.iter().map(Vec::as_slice).collect();
            found.extend(targets_of(&locations, inner.start, true, was_executed));
        }
    }
    found
}

/// Statements at `start`, if it is reached or anything was executed, and behind
/// executed ones.
fn targets_of(
    locations: &[&[Transition]],
    start: LocId,
    is_reached: bool,
    was_executed: &impl Fn(StmtId) -> bool,
) -> BTreeSet<StmtId> {
    let executed = || locations.iter().copied().flatten().filter(|t| was_executed(t.statement));
    let targets: BTreeSet<LocId> = executed().map(|t| t.target).collect();
    let first = (is_reached || executed().next().is_some()).then_some(start);
    let points = targets.into_iter().chain(first);
    let at = |point: LocId| locations.get(point.index()).copied().unwrap_or_default();
    points.flat_map(|point| at(point).iter().map(|t| t.statement)).collect()
}

/// The statements of an automaton, by their location.
fn statements(program: &Program, automaton: &Automaton) -> Vec<StmtId> {
    let locations = automaton.locations.iter().map(|l| l.transitions.as_slice());
    let mut ids = BTreeSet::new();
    for id in control_points(program, locations, automaton.start) {
        match &program.statement(id).action {
            Action::DStep(inner) => {
                let locations = inner.locations.iter().map(Vec::as_slice);
                ids.extend(control_points(program, locations, inner.start));
            }
            _ => {
                ids.insert(id);
            }
        }
    }
    let mut ids: Vec<StmtId> = ids.into_iter().collect();
    ids.sort_by_key(|id| program.statement(*id).location);
    ids
}

/// Statements at control points. Jumps that are part of the statement before
/// them, and the joins behind choices, are none.
fn control_points<'a>(
    program: &Program,
    locations: impl Iterator<Item = &'a [Transition]> + Clone,
    start: LocId,
) -> BTreeSet<StmtId> {
    let targets: BTreeSet<LocId> =
        locations.clone().flatten().map(|t| t.target).chain([start]).collect();
    let mut ids = BTreeSet::new();
    for (number, transitions) in (0..).map(LocId).zip(locations) {
        let is_point = |id: &StmtId| {
            let statement = program.statement(*id);
            let is_jump = matches!(statement.action, Action::Skip);
            !is_jump || (targets.contains(&number) && &*statement.text != ".(goto)")
        };
        ids.extend(transitions.iter().map(|t| t.statement).filter(is_point));
    }
    ids
}
