//! Moves told one by one.

use crate::message::{Message, messages};
use crate::snapshot::Snapshot;
use crate::story::{Half, Step, Watched, Who};
use crate::{Interest, Origin, View, printf, statement};
use spinor_exec::{Actor, ReplayedStep, StepKind};
use spinor_program::{Action, StmtId};
use spinor_ts::{EventKind, Violation};

/// A move in words.
#[derive(Clone, Debug)]
pub struct Told {
    /// Its steps.
    pub steps: Vec<Step>,
    /// The state after each step.
    pub states: Vec<Vec<u8>>,
    /// The state it leads to; of a violation, the state it is committed in.
    pub next: Vec<u8>,
    /// The violation that it is.
    pub violation: Option<Violation>,
}

/// Tells moves and numbers their steps.
#[derive(Debug)]
pub struct Teller<'i> {
    interest: &'i Interest,
    steps: usize,
    moves: usize,
}

impl<'i> Teller<'i> {
    /// Before the first step.
    #[must_use]
    pub fn new(interest: &'i Interest) -> Self {
        Teller { interest, steps: 0, moves: 0 }
    }

    /// Steps told so far.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Goes back to where `steps` steps in `moves` moves had been told.
    pub fn rewind(&mut self, steps: usize, moves: usize) {
        (self.steps, self.moves) = (steps, moves);
    }

    /// Tells an event of a state; none if there is no such event.
    pub fn event(&mut self, view: &View<'_>, state: &[u8], event: u32) -> Option<Told> {
        let (replayed, expansion) = view.exec.replay(state, event)?;
        let happened = expansion.events()[event as usize];
        self.moves += 1;
        let mut told = self.tell_move(view, state, &replayed);
        match happened.kind {
            EventKind::Successor => told.next = expansion.state(&happened).to_vec(),
            EventKind::Violation(violation) => told.violation = Some(violation),
        }
        if let Some(last) = told.steps.last_mut()
            && !self.interest.watched.is_empty()
        {
            last.holds = Some(holding(view, &told.next, &self.interest.watched));
        }
        Some(told)
    }

    /// Tells that nothing moves, for ever.
    pub fn stutter(&mut self, view: &View<'_>, state: &[u8]) -> Told {
        self.moves += 1;
        self.steps += 1;
        let watched = &self.interest.watched;
        let step = Step {
            number: self.steps,
            who: Who { name: "-".to_owned(), pid: None },
            statement: "(no process can move)".to_owned(),
            at: Origin::nowhere(),
            receiver: None,
            changes: Vec::new(),
            messages: Vec::new(),
            output: None,
            atomic: None,
            trail_id: None,
            holds: (!watched.is_empty()).then(|| holding(view, state, watched)),
            state: self.interest.full.then(|| view.snapshot(state)),
        };
        let state = state.to_vec();
        Told { steps: vec![step], states: vec![state.clone()], next: state, violation: None }
    }

    fn tell_move(&mut self, view: &View<'_>, before: &[u8], replayed: &[ReplayedStep]) -> Told {
        let (mut steps, mut states) = (Vec::new(), Vec::new());
        let mut old = before;
        let mut rest = replayed.iter().peekable();
        while let Some(step) = rest.next() {
            let answer =
                rest.next_if(|next| step.kind == StepKind::Offer && next.kind == StepKind::Accept);
            let new = answer.map_or(&step.state, |a| &a.state);
            self.steps += 1;
            steps.push(self.tell_step(view, old, step, answer));
            states.push(new.clone());
            old = new;
        }
        let is_atomic = steps.iter().filter(|s| s.who.pid.is_some()).count() > 1;
        if is_atomic {
            for step in steps.iter_mut().filter(|s| s.who.pid.is_some()) {
                step.atomic = Some(self.moves);
            }
        }
        Told { steps, states, next: old.to_vec(), violation: None }
    }

    fn tell_step(
        &self,
        view: &View<'_>,
        old: &[u8],
        step: &ReplayedStep,
        answer: Option<&ReplayedStep>,
    ) -> Step {
        let new = answer.map_or(&step.state, |a| &a.state);
        let text = |id: StmtId| statement::text(&view.program, view.sources, id);
        let messages: Vec<Message> = messages(view, (old, new), step, answer.is_some());
        Step {
            number: self.steps,
            who: who(view, old, step.actor),
            statement: text(step.statement),
            at: origin(view, step.statement),
            receiver: answer.map(|a| Half {
                who: who(view, old, a.actor),
                statement: text(a.statement),
                at: origin(view, a.statement),
                trail_id: view.program.statement(a.statement).trail_id,
            }),
            changes: view.changes(old, new),
            messages,
            output: printf::output(view, old, step.actor, step.statement),
            atomic: None,
            trail_id: Some(view.program.statement(step.statement).trail_id),
            holds: None,
            state: self.interest.full.then(|| -> Snapshot { view.snapshot(new) }),
        }
    }
}

/// Which propositions hold in a state.
pub(crate) fn holding(view: &View<'_>, state: &[u8], watched: &[Watched]) -> Vec<bool> {
    let holds = |w: &Watched| {
        let one = std::slice::from_ref(&w.proposition);
        view.exec.valuation(state, one).is_ok_and(|valuation| valuation != 0)
    };
    watched.iter().map(holds).collect()
}

fn who(view: &View<'_>, state: &[u8], actor: Actor) -> Who {
    match actor {
        Actor::Process(pid) => Who {
            name: view.process(state, pid).map_or_else(String::new, |p| p.name.to_string()),
            pid: Some(pid),
        },
        Actor::Claim => Who {
            name: view.claim.map_or("never", |c| &*view.program.claims[c].name).to_owned(),
            pid: None,
        },
    }
}

fn origin(view: &View<'_>, id: StmtId) -> Origin {
    let program = &view.program;
    // A d_step is where its first statement is.
    let first = match &program.statement(id).action {
        Action::DStep(inner) => inner.locations[inner.start.index()].first(),
        _ => None,
    };
    Origin::of_statement(program, view.sources, first.map_or(id, |t| t.statement))
}
