//! Replays as the verifier tells them: `pan -r`, `-C`, `-g`, `-S`.
//!
//! Each line of the trail is one line here, with the place where the process was before it; what merged statements
//! print comes before their line.

use super::dump;
use super::guided::{Found, moment, taken};
use super::message;
use super::narrator::Moment;
use super::values::shown_name;
use crate::host::Host;
use crate::model::Model;
use crate::pan::{ReplayWish, assertion};
use spinor_exec::Actor;
use spinor_program::{Action, LocId, ProcessType, StmtId};
use spinor_trace::{Move, Origin, View};
use std::fmt::Write as _;

/// A replay by the verifier.
pub(super) struct Replay<'a> {
    pub model: &'a Model,
    pub view: &'a View<'a>,
    pub wish: &'a ReplayWish,
    /// All values at each step.
    pub verbose: bool,
    /// Processes numbered before the first one: a claim.
    pub shift: usize,
}

/// A line that is told when all of it has happened.
struct Line {
    depth: u64,
    actor: Actor,
    statement: StmtId,
    location: LocId,
    /// What a message consists of, for `-g`.
    values: Option<String>,
}

impl Replay<'_> {
    /// Tells a run.
    pub fn tell(&self, found: &Found, initial: Vec<u8>, host: &mut Host<'_>) -> u8 {
        let mut counter = found.counter();
        let (mut state, mut line): (Vec<u8>, Option<Line>) = (initial, None);
        let mut claim_at = None;
        let mut failed = None;
        'moves: for (number, step) in found.run.moves.iter().enumerate() {
            if found.run.cycle_start == Some(number) {
                self.close(line.take(), &state, &mut claim_at, host);
                host.print("<<<<<START OF CYCLE>>>>>\n");
            }
            let Move::Event(event) = *step else { continue };
            let Some((steps, after)) = taken(self.view, &state, event) else { break };
            for step in steps {
                let depth = counter.next(self.view, &step);
                let moment = moment(self.view, depth, &state, step);
                if counter.begins_line() {
                    self.close(line.take(), &state, &mut claim_at, host);
                    line = Some(self.line(&moment));
                }
                if moment.fails {
                    let program = &self.view.program;
                    let message = assertion(program, &program.statement(moment.statement).text);
                    host.print(format_args!("pan:1: {message} (at depth {depth})\n"));
                    failed = line.take();
                    break 'moves;
                }
                if let Some(text) =
                    self.view.printed(&moment.before, moment.actor, moment.statement)
                {
                    host.print(text);
                }
                state = moment.after;
            }
            state = after;
        }
        self.close(line.take(), &state, &mut claim_at, host);
        self.ending(&state, failed.as_ref(), counter.depth, host);
        0
    }

    fn line(&self, moment: &Moment) -> Line {
        let location = match moment.actor {
            Actor::Process(pid) => self.view.location(&moment.before, pid),
            Actor::Claim => self.claim_location(&moment.before),
        };
        let values = self.wish.values.then(|| message::values(self.view, moment)).flatten();
        Line {
            depth: moment.depth,
            actor: moment.actor,
            statement: moment.statement,
            location,
            values,
        }
    }

    fn claim_location(&self, state: &[u8]) -> LocId {
        let Some(claim) = self.view.claim else { return LocId(0) };
        let (body, at) = (&self.view.program.claims[claim], self.view.exec.shape(state).claim);
        let bytes = &state[at..at + body.location_bytes as usize];
        LocId(bytes.iter().rev().fold(0, |n, &byte| n << 8 | u32::from(byte)))
    }

    /// SPIN's number of who acts.
    fn slot(&self, actor: Actor) -> usize {
        match actor {
            Actor::Process(pid) => pid + self.shift,
            Actor::Claim => 0,
        }
    }

    /// Name and body of who acted; the process may be gone.
    fn owner(&self, line: &Line) -> Option<&ProcessType> {
        let program = &self.view.program;
        let owns = |process: &&ProcessType| {
            let location = process.automaton.locations.get(line.location.index());
            location.is_some_and(|l| l.transitions.iter().any(|t| t.statement == line.statement))
        };
        match line.actor {
            Actor::Process(_) => program.proctypes.iter().find(owns),
            Actor::Claim => self.view.claim.map(|claim| &program.claims[claim]),
        }
    }

    /// `file:line` of a location.
    fn place(&self, process: &ProcessType, location: LocId) -> String {
        let first = process.automaton.locations.get(location.index());
        let Some(first) = first.and_then(|l| l.transitions.first()) else { return "-:0".into() };
        let at = Origin::of_statement(&self.view.program, self.view.sources, first.statement).at;
        format!("{}:{}", at.file, at.line)
    }

    /// A statement in pan's words: a `d_step` has the number of its line.
    fn text(&self, id: StmtId) -> String {
        let statement = self.view.program.statement(id);
        match statement.action {
            Action::Terminate => "-end-".to_owned(),
            Action::DStep(_) => {
                let at = Origin::of_statement(&self.view.program, self.view.sources, id).at;
                format!("D_STEP{}", at.line)
            }
            _ => statement.text.to_string(),
        }
    }

    /// Tells a line that is over.
    fn close(
        &self,
        line: Option<Line>,
        state: &[u8],
        claim_at: &mut Option<LocId>,
        host: &mut Host<'_>,
    ) {
        let Some(line) = line else { return };
        let Some(process) = self.owner(&line) else { return };
        let (depth, slot, name) = (line.depth, self.slot(line.actor), shown_name(&process.name));
        if self.wish.only.is_some_and(|only| usize::try_from(only) != Ok(slot)) {
            return;
        }
        let text = self.text(line.statement);
        let is_end = text == "-end-";
        let place = if is_end { "-:0".to_owned() } else { self.place(process, line.location) };
        let number = if is_end { 0 } else { line.location.0 };
        if self.verbose {
            let id = self.view.program.statement(line.statement).trail_id;
            host.print(format_args!(
                "{depth:3}: proc {slot:2} ({name})  {place} (state {number}) trans {{{id}}} [{text}]\n"
            ));
            host.print(dump::state(self.model, self.view, state, self.shift));
            return;
        }
        if line.actor == Actor::Claim && claim_at.replace(line.location) != Some(line.location) {
            let at = place.rsplit(':').next().unwrap_or("0");
            host.print(format_args!("MSC: ~G {at}\n"));
        }
        if self.wish.columns {
            let indent = "\t\t".repeat(slot);
            host.print(format_args!("{depth}: {indent}{name}({slot}):[{text}]\n"));
        } else if !self.wish.silent {
            let head = format!("{depth:3}:\tproc {slot:2} ({name}) {place} (state {number})\t");
            if let Some(values) = &line.values {
                host.print(format_args!("{head}[values: {values}]\n"));
            }
            host.print(format_args!("{head}[{text}]\n"));
        }
    }

    /// Where everybody is, and all values.
    fn ending(&self, state: &[u8], failed: Option<&Line>, depth: u64, host: &mut Host<'_>) {
        let count = self.view.exec.process_count(state);
        let mut out = format!("spin: trail ends after {depth} steps\n");
        let only = self.wish.only.and_then(|only| usize::try_from(only).ok());
        if only.is_none() {
            let _ = writeln!(out, "#processes {}:", count + self.shift);
        }
        let claim = self.view.claim.map(|_| Actor::Claim);
        for actor in claim.into_iter().chain((0..count).map(Actor::Process)) {
            let slot = self.slot(actor);
            if only.is_some_and(|only| only != slot) {
                continue;
            }
            let (process, location) = match actor {
                Actor::Process(pid) => {
                    (self.view.process(state, pid), self.view.location(state, pid))
                }
                Actor::Claim => {
                    let claim = self.view.claim.map(|claim| &self.view.program.claims[claim]);
                    (claim, self.claim_location(state))
                }
            };
            let Some(process) = process else { continue };
            // Who fails does not move.
            let stays = failed.filter(|line| line.actor == actor).map(|line| line.location);
            let location = stays.unwrap_or(location);
            let (name, place) = (shown_name(&process.name), self.place(process, location));
            let _ =
                write!(out, "{depth:3}:\tproc {slot} ({name})  {place} (state {:2})", location.0);
            let at = process.automaton.locations.get(location.index());
            out.push_str(if at.is_some_and(|l| l.is_end) {
                "\n"
            } else {
                " (invalid end state)\n"
            });
            for transition in at.map_or(&[][..], |l| &l.transitions) {
                let _ = writeln!(out, "\t\t{}", self.text(transition.statement));
            }
        }
        host.print(out);
        if only.is_none() {
            host.print(dump::state(self.model, self.view, state, self.shift));
        }
    }
}
