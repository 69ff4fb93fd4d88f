//! Statements that one process executes in a row, without a choice.
//!
//! Where a later one looks depends on what earlier ones assign. So they are carried out in a copy of the state,
//! whether the process could or not: where they look then depends on the deciders alone.

use super::Found;
use super::scan::{Scan, When};
use spinor_program::{Action, DStep, Expr, LocId, Place, Transition};

impl<'a> Scan<'a> {
    /// The statements of a `d_step` in a row, if there is no choice and all are simple.
    pub(super) fn row_of_d_step(&self, inner: &'a DStep) -> Option<Vec<&'a Action>> {
        let mut row = Vec::new();
        let mut at = inner.start;
        while at != inner.exit {
            let [transition] = &*inner.locations[at.index()] else { return None };
            self.extend_row(&mut row, transition, inner.locations.len())?;
            at = transition.target;
        }
        Some(row)
    }

    /// The same for a transition and those behind it, as long as they belong to an atomic sequence.
    pub(super) fn row_of_atomic(
        &self,
        pid: usize,
        first: &'a Transition,
    ) -> Option<Vec<&'a Action>> {
        let mut row = Vec::new();
        let mut transition = first;
        loop {
            self.extend_row(&mut row, transition, LONG)?;
            if !transition.atomic || transition.target == LocId(0) {
                return Some(row);
            }
            let [next] = self.transitions(pid, transition.target) else { return None };
            transition = next;
        }
    }

    fn extend_row(
        &self,
        row: &mut Vec<&'a Action>,
        transition: &Transition,
        most: usize,
    ) -> Option<()> {
        let action = &self.program().statement(transition.statement).action;
        let is_simple = matches!(
            action,
            Action::Skip
                | Action::Condition(_)
                | Action::Assert(_)
                | Action::Print(..)
                | Action::PrintMtype(_)
                | Action::Assign(_)
        );
        row.push(action);
        (is_simple && row.len() <= most).then_some(())
    }

    /// All that a row of statements looks at.
    pub(super) fn row(&mut self, pid: usize, row: &[&'a Action]) -> Found {
        let found = self.rehearse(pid, row);
        self.notes.written.clear();
        found
    }

    fn rehearse(&mut self, pid: usize, row: &[&'a Action]) -> Found {
        let mut state = self.state.to_vec();
        for action in row {
            let Action::Assign(pairs) = action else {
                let mut scan = self.in_state(&state);
                let found = scan.action(pid, action, When::Now);
                self.notes = scan.notes;
                found?;
                continue;
            };
            for (place, e) in pairs {
                let mut scan = self.in_state(&state);
                let found = scan.expression(pid, e, When::Now);
                let found = found.and_then(|()| scan.place(pid, place, When::Now));
                self.notes = scan.notes;
                found?;
                if self.assign(pid, &mut state, place, e).is_none() {
                    // In another state it may go on.
                    self.vary();
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Carries out an assignment, unless that fails.
    fn assign(&mut self, pid: usize, state: &mut [u8], place: &Place, e: &Expr) -> Option<()> {
        let cx = self.exec.context(self.lineup, state, Some(pid), false);
        let (value, at) = (cx.eval(e).ok()?, cx.locate(place).ok()?);
        if let Some(at) = at {
            place.scalar.store(state, at, value);
            self.notes.written.push(at..at + place.scalar.width() as usize);
        }
        Some(())
    }

    /// The same look in another state of the same layout; its notes are to be taken back.
    fn in_state<'b>(&'b mut self, state: &'b [u8]) -> Scan<'b> {
        Scan {
            exec: self.exec,
            known: self.known,
            lineup: self.lineup,
            state,
            out: &mut *self.out,
            mover: self.mover,
            looks_at_receivers: self.looks_at_receivers,
            notes: std::mem::take(&mut self.notes),
        }
    }
}

/// Statements of a row at most.
const LONG: usize = 256;
