//! Chains of statements that can be one step.
//!
//! A chain begins with a statement that may block or with any of its members, and goes on
//! with statements that never block, carry no label, are not pre-empted by `unless`, and are
//! local to their process or inside an atomic sequence. Where others may come in between, only one
//! of them may be noticed; see [`audience`](crate::audience).

use crate::audience::{Audience, starts_process};
use crate::global::Globality;
use crate::seen::Seen;
use spinor_program::expr::{Expr, Predefined, ProctypeId};
use spinor_program::{Action, Automaton, LocId, Program, Statement, StmtId, Transition, Written};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// Statements that become one step.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    /// In order of execution.
    pub members: Vec<StmtId>,
    /// Where the last one leads.
    pub target: LocId,
    /// Whether the process is then still inside an atomic sequence.
    pub atomic: bool,
}

/// The chains of two and more statements that processes come to, and whether some are shorter
/// because others can tell. Each statement begins at most one.
pub(crate) fn chains(program: &Program, seen: &Seen) -> (Vec<Chain>, bool) {
    let mut found = Vec::new();
    let kept_apart = Cell::new(false);
    let audience = Audience::new(program);
    for (number, process) in program.proctypes.iter().enumerate() {
        let automaton = &process.automaton;
        let watched = watched(program, automaton, seen, audience);
        let places = automaton.locations.iter().zip(&watched).filter(|(_, watched)| **watched);
        let leaving = places.flat_map(|(l, _)| &l.transitions).map(|t| t.statement).collect();
        let finder = Finder {
            program,
            automaton,
            watched,
            leaving,
            globality: Globality { program, proctype: ProctypeId(number as u32), seen },
            audience,
            kept_apart: &kept_apart,
        };
        found.extend(finder.reached().into_values().flatten());
    }
    (found, kept_apart.get())
}

fn watched(program: &Program, automaton: &Automaton, seen: &Seen, audience: Audience) -> Vec<bool> {
    let is_watched = |at: LocId| {
        // `P[i]@L` of another type is true at the same number.
        seen.labels.iter().any(|(_, label)| *label == at)
            || audience.notices_at(program, automaton, at)
    };
    (0..automaton.locations.len()).map(|at| is_watched(LocId(at as u32))).collect()
}

struct Finder<'p> {
    program: &'p Program,
    automaton: &'p Automaton,
    /// By location: whether others may notice that the process is there.
    watched: Vec<bool>,
    /// Statements by which it leaves such locations; choices and blocks borrow those of others.
    leaving: BTreeSet<StmtId>,
    globality: Globality<'p>,
    audience: Audience,
    /// Set once a chain is cut short because others can tell.
    kept_apart: &'p Cell<bool>,
}

impl Finder<'_> {
    /// Per statement that a process comes to: the chain that it begins, if it does.
    fn reached(&self) -> BTreeMap<StmtId, Option<Chain>> {
        let mut chains = BTreeMap::new();
        let mut visited = vec![false; self.automaton.locations.len()];
        let mut work = vec![self.automaton.start];
        while let Some(at) = work.pop() {
            if std::mem::replace(&mut visited[at.index()], true) {
                continue;
            }
            for transition in &self.automaton.locations[at.index()].transitions {
                let home = self.program.statement(transition.statement).location;
                let chain = chains.entry(transition.statement).or_insert_with(|| {
                    self.chain_from(home).filter(|c| c.members[0] == transition.statement)
                });
                work.push(chain.as_ref().map_or(transition.target, |chain| chain.target));
            }
        }
        chains
    }

    fn chain_from(&self, at: LocId) -> Option<Chain> {
        let first = self.only_transition(at)?;
        if !self.is_member(at) && !self.is_opening(at) {
            return None;
        }
        let mut members = vec![first.statement];
        let mut last = first;
        // What an atomic sequence did before is part of the same move.
        let mut is_noticed = self.is_noticed(first) || self.is_inside(at);
        // Others may have come in since somebody noticed.
        let mut is_exposed = false;
        // Up to here no atomic sequence goes on after the chain, of which somebody may notice more.
        let mut whole = (1, first);
        while self.is_member(last.target)
            && let Some(next) = self.only_transition(last.target)
            && !members.contains(&next.statement)
        {
            is_exposed |= is_noticed && !self.audience.is_kept_out(last.atomic);
            if self.is_noticed(next) {
                if is_exposed {
                    self.kept_apart.set(true);
                    break;
                }
                is_noticed = true;
            }
            members.push(next.statement);
            last = next;
            if !is_exposed || !self.audience.is_kept_out(next.atomic) {
                whole = (members.len(), next);
            }
        }
        if whole.0 < members.len() {
            self.kept_apart.set(true);
            members.truncate(whole.0);
            last = whole.1;
        }
        let Transition { target, atomic, .. } = *last;
        (members.len() > 1).then_some(Chain { members, target, atomic })
    }

    /// Whether a process may come to a location in the middle of an atomic sequence.
    fn is_inside(&self, at: LocId) -> bool {
        let mut all = self.automaton.locations.iter().flat_map(|location| &location.transitions);
        all.any(|transition| transition.atomic && transition.target == at)
    }

    /// The transition of a location that is a statement by itself, without alternatives
    /// or escapes. Choices and blocks borrow the statements of others.
    fn only_transition(&self, at: LocId) -> Option<&Transition> {
        match self.automaton.locations[at.index()].transitions.as_slice() {
            [only] if only.escape == LocId(0) => {
                (self.program.statement(only.statement).location == at).then_some(only)
            }
            _ => None,
        }
    }

    fn statement(&self, at: LocId) -> Option<&Statement> {
        Some(self.program.statement(self.only_transition(at)?.statement))
    }

    /// Whether the statement at a location can be in a chain, at any place.
    fn is_member(&self, at: LocId) -> bool {
        let Some(statement) = self.statement(at) else { return false };
        let never_blocks = match statement.action {
            Action::Assign(_) | Action::Assert(_) | Action::Print(..) | Action::PrintMtype(_) => {
                true
            }
            Action::SetPriority(..) => statement.written == Written::Assignment,
            // SPIN gives the exit of a loop a label.
            Action::Skip => statement.written == Written::Jump,
            _ => false,
        };
        never_blocks
            && self.automaton.locations[at.index()].labels.is_empty()
            && self.is_invisible(statement)
            && !looks_around(&statement.action)
    }

    /// Whether a chain can begin with the statement although it may block.
    fn is_opening(&self, at: LocId) -> bool {
        let Some(statement) = self.statement(at) else { return false };
        let can_open = match &statement.action {
            Action::Skip => statement.written == Written::Other,
            Action::Condition(_) => !starts_process(&statement.action),
            Action::Receive(_) => true,
            // After a rendezvous the receiver goes on.
            Action::Send(_) => !self.audience.has_rendezvous,
            _ => false,
        };
        can_open
            && !self.globality.seen.labels.contains(&(self.globality.proctype, at))
            && match &statement.action {
                Action::Condition(e) => statement.in_atomic || !self.globality.of_guard(e),
                _ => self.is_invisible(statement),
            }
    }

    fn is_invisible(&self, statement: &Statement) -> bool {
        statement.in_atomic || !self.globality.of(&statement.action)
    }

    /// Whether others may notice that the process takes a transition: by what it does, by where it
    /// was, or by where it is then.
    fn is_noticed(&self, transition: &Transition) -> bool {
        let action = &self.program.statement(transition.statement).action;
        self.audience.notices(action)
            || self.globality.of(action)
            || self.watched[transition.target.index()]
            || self.leaving.contains(&transition.statement)
    }
}

/// Whether the statement can tell that the steps before it were not taken one by one.
fn looks_around(action: &Action) -> bool {
    let mut found = false;
    action.walk(&mut |e| {
        found |= match e {
            Expr::Predefined(name) => {
                matches!(name, Predefined::Last | Predefined::Timeout | Predefined::NonProgress)
            }
            Expr::Enabled(_) | Expr::PcValue(_) | Expr::RemoteLabel { .. } => true,
            _ => false,
        };
    });
    found
}
