//! The last state of a run in SPIN's words.

use super::narrator::Narrator;
use super::values::Values;
use crate::host::Host;
use spinor_base::Span;
use spinor_program::{LocId, Location, StmtId};
use spinor_trace::{At, Origin};
use std::fmt::Write as _;

impl Narrator<'_> {
    /// `#processes: …` and everything that the last state holds.
    pub fn final_state(&mut self, state: &[u8], depth: i64, host: &mut Host<'_>) {
        let count = self.view.exec.process_count(state);
        let mut out = String::new();
        if count > 0 || self.view.claim.is_some() {
            let _ = writeln!(out, "#processes: {count}");
            let values = Values { view: self.view, queues: &self.queues, state };
            values.globals(None, &mut out);
            for pid in (0..count).rev() {
                let Some(process) = self.view.process(state, pid) else { continue };
                let location = self.view.location(state, pid);
                let place = process.automaton.locations.get(location.index());
                let at = self.place(location, place);
                let _ = write!(out, "{depth:3}:\t{}", self.process(state, pid));
                let _ = write!(out, "{}:{} (state {})", at.file, at.line, location.0);
                out.push_str(if place.is_some_and(|p| p.is_end) {
                    " <valid end state>\n"
                } else {
                    "\n"
                });
                if self.style.views.locals {
                    values.locals(pid, None, &mut out);
                }
            }
            self.claim_line_at(state, depth, &mut out);
        }
        // SPIN: a claim is a process as far as the plural goes.
        let is_one = self.created == 1 && self.view.claim.is_none();
        let es = if is_one { "" } else { "es" };
        let _ = writeln!(out, "{} process{es} created", self.created);
        host.print(out);
    }

    fn claim_line_at(&self, state: &[u8], depth: i64, out: &mut String) {
        let Some(claim) = self.view.claim.map(|c| &self.program().claims[c]) else { return };
        let offset = self.view.exec.shape(state).claim;
        let bytes = &state[offset..offset + claim.location_bytes as usize];
        let location = bytes.iter().rev().fold(0, |n, &b| n << 8 | u32::from(b));
        let place = claim.automaton.locations.get(location as usize);
        let at = self.place(LocId(location), place);
        let end = if place.is_some_and(|p| p.is_end) { " <valid end state>" } else { "" };
        let _ = writeln!(
            out,
            "{depth:3}:\tproc  - ({}:1) {}:{} (state {location}){end}",
            claim.name, at.file, at.line
        );
    }

    /// A choice stands where it is written, even if there is but one way; anything else where its
    /// statement is.
    fn place(&self, number: LocId, location: Option<&Location>) -> At {
        let own = |only: StmtId| self.program().statement(only).location == number;
        match location.map(|l| (l, l.transitions.as_slice())) {
            Some((_, [only])) if own(only.statement) => self.at(only.statement),
            Some((location, _)) => Origin::of(self.view.sources, location.span).at,
            None => Origin::of(self.view.sources, Span::default()).at,
        }
    }
}
