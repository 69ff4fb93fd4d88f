//! Puts chains and resets into a program.
//!
//! A chain of assignments is one assignment; a chain that begins with anything else is a
//! `d_step` of its members, runs of assignments taken together. A reset is an assignment of 0.

use crate::chain::Chain;
use crate::dead::Resets;
use spinor_program::{
    Action, Automaton, DStep, Expr, LocId, Place, Program, Statement, StmtId, Transition, Written,
};
use std::collections::BTreeMap;

/// Applies both. Statements keep their numbers, those of the chains follow, then
/// those that only occur inside a `d_step`.
pub(crate) fn apply(program: &mut Program, chains: &[Chain], resets: &Resets) {
    let mut builder = Builder { resets, inner: Vec::new(), first_inner: 0 };
    builder.first_inner = program.statements.len() + chains.len();
    let merged: Vec<Statement> =
        chains.iter().map(|chain| builder.statement(program, &chain.members)).collect();
    let alone: Vec<(StmtId, Statement)> =
        resets.keys().map(|&id| (id, builder.statement(program, &[id]))).collect();
    redirect(program, chains);
    for (id, statement) in alone {
        program.statements[id.index()] = statement;
    }
    program.statements.extend(merged);
    program.statements.extend(builder.inner);
}

/// Lets every transition that performed the first statement of a chain perform the chain.
fn redirect(program: &mut Program, chains: &[Chain]) {
    let first = program.statements.len() as u32;
    let by_first: BTreeMap<StmtId, (StmtId, &Chain)> = (first..)
        .map(StmtId)
        .zip(chains)
        .map(|(id, chain)| (chain.members[0], (id, chain)))
        .collect();
    for process in &mut program.proctypes {
        for transition in process.automaton.locations.iter_mut().flat_map(|l| &mut l.transitions) {
            if let Some((id, chain)) = by_first.get(&transition.statement) {
                transition.statement = *id;
                transition.target = chain.target;
                transition.atomic = chain.atomic;
            }
        }
        if !chains.is_empty() {
            leave_unreached(&mut process.automaton);
        }
    }
}

/// Takes the transitions from locations inside chains, so that nobody works for them.
fn leave_unreached(automaton: &mut Automaton) {
    let mut visited = vec![false; automaton.locations.len()];
    let mut work = vec![automaton.start];
    while let Some(at) = work.pop() {
        if !std::mem::replace(&mut visited[at.index()], true) {
            work.extend(automaton.locations[at.index()].transitions.iter().map(|t| t.target));
        }
    }
    for (location, visited) in automaton.locations.iter_mut().zip(visited) {
        if !visited {
            location.transitions.clear();
        }
    }
}

struct Builder<'r> {
    resets: &'r Resets,
    /// Statements inside the `d_step`s made.
    inner: Vec<Statement>,
    first_inner: usize,
}

impl Builder<'_> {
    /// The statement that does what `members` do, one after the other.
    fn statement(&mut self, program: &Program, members: &[StmtId]) -> Statement {
        let mut parts: Vec<Part> = Vec::new();
        for &id in members {
            let statement = program.statement(id);
            let resets = self.resets.get(&id).map(Vec::as_slice).unwrap_or_default();
            match &statement.action {
                Action::Skip => {}
                Action::Assign(pairs) if !pairs.iter().any(|(_, e)| starts_process(e)) => {
                    append(&mut parts, id, pairs.iter().cloned());
                }
                _ => parts.push(Part::Whole(id)),
            }
            append(&mut parts, id, resets.iter().map(|place| (place.clone(), Expr::Const(0))));
        }
        let first = program.statement(members[0]);
        let action = match parts.as_mut_slice() {
            [] => Action::Skip,
            [Part::Assign(_, pairs)] => Action::Assign(std::mem::take(pairs)),
            [Part::Whole(id)] if *id == members[0] => first.action.clone(),
            _ => Action::DStep(Box::new(self.dstep(program, parts))),
        };
        let texts: Vec<&str> = members
            .iter()
            .map(|id| program.statement(*id))
            .filter(|s| !matches!(s.action, Action::Skip) || s.written == Written::Other)
            .map(|s| &*s.text)
            .collect();
        let text = if texts.is_empty() { first.text.clone() } else { texts.join("; ").into() };
        Statement { action, text, ..first.clone() }
    }

    fn dstep(&mut self, program: &Program, parts: Vec<Part>) -> DStep {
        let mut locations = vec![Vec::new()];
        let last = parts.len();
        for (at, part) in parts.into_iter().enumerate() {
            let statement = match part {
                // The number is taken by the statement together with its resets.
                Part::Whole(id) if self.resets.contains_key(&id) => {
                    self.copy(program, id, program.statement(id).action.clone())
                }
                Part::Whole(id) => id,
                Part::Assign(id, pairs) => self.copy(program, id, Action::Assign(pairs)),
            };
            let target = if at + 1 == last { LocId(0) } else { LocId(at as u32 + 2) };
            locations.push(vec![Transition { statement, target, atomic: false, escape: LocId(0) }]);
        }
        DStep { start: LocId(1), exit: LocId(0), locations }
    }

    fn copy(&mut self, program: &Program, id: StmtId, action: Action) -> StmtId {
        self.inner.push(Statement { action, ..program.statement(id).clone() });
        StmtId((self.first_inner + self.inner.len() - 1) as u32)
    }
}

/// A piece of a chain.
enum Part {
    /// A statement as it is.
    Whole(StmtId),
    /// Assignments, the first of which belongs to this statement.
    Assign(StmtId, Vec<(Place, Expr)>),
}

fn append(parts: &mut Vec<Part>, id: StmtId, pairs: impl Iterator<Item = (Place, Expr)>) {
    let mut pairs = pairs.peekable();
    if pairs.peek().is_none() {
        return;
    }
    match parts.last_mut() {
        Some(Part::Assign(_, all)) => all.extend(pairs),
        _ => parts.push(Part::Assign(id, pairs.collect())),
    }
}

fn starts_process(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |e| found |= matches!(e, Expr::Run(_)));
    found
}
