//! Errors of an optimised program as errors of the program it was made from.
//!
//! Whatever is found is told, kept and replayed in terms of the program as it was written:
//! each step of the optimised program is one or several steps there, and the run is put
//! together from moves that take exactly those. So a trail does not depend on what was
//! optimised, and an error that the passes made up would not get through.

use crate::AsFound;
use spinor_exec::{Actor, Exec, Options, ReplayedStep, Site};
use spinor_program::{Program, StmtId};
use spinor_reduce::Optimised;
use spinor_trace::TrailStep;
use spinor_ts::{EventKind, FoundError, TransitionSystem, Violation};
use std::sync::Arc;

/// Translates errors.
pub(crate) struct Unfolder<'a> {
    optimised: &'a Optimised,
    program: &'a Program,
    folded: Exec,
    plain: Exec,
}

/// Moves of the program as written that do what one move of the other does.
struct Unfolded {
    events: Vec<u32>,
    steps: u64,
    state: Vec<u8>,
    violation: Option<Violation>,
}

/// Where both programs are.
pub(crate) struct Way {
    folded: Vec<u8>,
    plain: Vec<u8>,
}

/// A move of the folded program in the one as written.
pub(crate) struct Taken {
    /// The events there.
    pub events: Vec<u32>,
    /// Their elementary steps.
    pub steps: u64,
    /// The steps of the folded program.
    pub found: Vec<TrailStep>,
    /// How many steps of the other program each of them is.
    pub counts: Vec<usize>,
    /// The violation that it is.
    pub violation: Option<Violation>,
}

/// A state on the way through such moves.
struct Frame {
    state: Vec<u8>,
    /// Steps done.
    done: usize,
    /// The event that led here.
    event: u32,
    /// The next event to try.
    next: u32,
}

type Step = (Actor, StmtId);

impl<'a> Unfolder<'a> {
    pub fn new(
        plain: &'a Arc<Program>,
        folded: &Arc<Program>,
        optimised: &'a Optimised,
        options: Options,
    ) -> Self {
        let exec = |program: &Arc<Program>| Exec::new(Arc::clone(program), options);
        Unfolder { optimised, program: plain, folded: exec(folded), plain: exec(plain) }
    }

    /// The same error in the program as written, and how it was found; `None` if it is none there.
    pub fn error(&mut self, error: &FoundError) -> Option<(FoundError, AsFound)> {
        let kept_apart = self.optimised.kept_apart;
        let mut as_found = AsFound { length: error.length, steps: Vec::new(), kept_apart };
        if error.path.is_empty() {
            return Some((error.clone(), as_found));
        }
        let mut result = FoundError { path: Vec::new(), length: 0, ..error.clone() };
        let mut way = self.begin()?;
        for &number in &error.path {
            let taken = self.advance(&mut way, number)?;
            as_found.steps.extend(taken.found);
            result.path.extend(taken.events);
            result.length += taken.steps;
            result.violation = taken.violation.unwrap_or(result.violation);
        }
        Some((result, as_found))
    }

    /// Both programs in their initial states.
    pub fn begin(&mut self) -> Option<Way> {
        Some(Way { folded: self.folded.initial().ok()?, plain: self.plain.initial().ok()? })
    }

    /// Takes an event of the folded program in both.
    pub fn advance(&mut self, way: &mut Way, number: u32) -> Option<Taken> {
        let (steps, expansion) = self.folded.replay(&way.folded, number)?;
        let event = expansion.events()[number as usize];
        let mut wanted: Vec<Step> = Vec::new();
        let mut counts = Vec::with_capacity(steps.len());
        for step in &steps {
            let before = wanted.len();
            wanted.extend(self.members(step.statement).map(|id| (step.actor, id)));
            counts.push(wanted.len() - before);
        }
        let found = steps.iter().map(|step| self.found(step)).collect();
        let goal = match event.kind {
            EventKind::Successor => None,
            EventKind::Violation(violation) => Some(violation),
        };
        let plain = std::mem::take(&mut way.plain);
        let Unfolded { events, steps, state, violation } =
            self.moves(plain, &wanted, goal, number)?;
        way.plain = state;
        way.folded = expansion.state(&event).to_vec();
        Some(Taken { events, steps, found, counts, violation })
    }

    /// A step of the folded program as a line of SPIN's trails.
    fn found(&self, step: &ReplayedStep) -> TrailStep {
        let first = self.members(step.statement).next().unwrap_or(step.statement);
        TrailStep {
            pid: match step.actor {
                Actor::Process(pid) => Some(pid),
                Actor::Claim => None,
            },
            trail_id: self.program.statement(first).trail_id,
        }
    }

    fn members(&self, id: StmtId) -> impl Iterator<Item = StmtId> + use<'a> {
        let chain = id.index().checked_sub(self.optimised.originals);
        let members = chain.and_then(|at| self.optimised.chains.get(at));
        let own = members.is_none().then_some(id);
        members.into_iter().flatten().copied().chain(own)
    }

    /// Searches for moves from `state` that take the steps `wanted`, or the first of them up to
    /// the violation that is the goal. `hint` is the number of an event to try first.
    fn moves(
        &self,
        state: Vec<u8>,
        wanted: &[Step],
        goal: Option<Violation>,
        hint: u32,
    ) -> Option<Unfolded> {
        let finish = |way: &[Frame], last: Option<(u32, usize)>, state, violation| {
            let done = way.last().map_or(0, |f| f.done) + last.map_or(0, |(_, steps)| steps);
            let events = way.iter().skip(1).map(|f| f.event).chain(last.map(|(event, _)| event));
            Some(Unfolded { events: events.collect(), steps: done as u64, state, violation })
        };
        let mut hint = Some(hint);
        let mut way = vec![Frame { state, done: 0, event: 0, next: 0 }];
        loop {
            let frame = way.last_mut()?;
            if goal.is_none() && frame.done == wanted.len() {
                let state = frame.state.clone();
                return finish(&way, None, state, None);
            }
            let number = hint.take().unwrap_or_else(|| {
                frame.next += 1;
                frame.next - 1
            });
            let Some((steps, expansion)) = self.plain.replay(&frame.state, number) else {
                if frame.next > number {
                    way.pop();
                }
                continue;
            };
            let rest = &wanted[frame.done..];
            let is_next = steps.len() <= rest.len()
                && steps.iter().zip(rest).all(|(s, w)| (s.actor, s.statement) == *w);
            let event = expansion.events()[number as usize];
            match (event.kind, goal) {
                (EventKind::Successor, _) if is_next && !steps.is_empty() => {
                    let state = expansion.state(&event).to_vec();
                    let done = frame.done + steps.len();
                    way.push(Frame { state, done, event: number, next: 0 });
                }
                (EventKind::Violation(found), Some(goal))
                    if is_next && self.is_same(found, goal) =>
                {
                    let state = frame.state.clone();
                    return finish(&way, Some((number, steps.len())), state, Some(found));
                }
                _ => {}
            }
        }
    }

    /// Whether a violation of the program as written is the one that was found.
    fn is_same(&self, found: Violation, goal: Violation) -> bool {
        let (here, there) = (Site::of(found), Site::of(goal));
        let is_blamed = |id: StmtId| match there.statement {
            Some(blamed) => self.members(blamed).any(|member| member == id),
            None => false,
        };
        found.kind == goal.kind
            && here.fault == there.fault
            && here.statement.map_or(there.statement.is_none(), is_blamed)
    }
}
