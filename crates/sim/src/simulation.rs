//! One run, move by move.

use crate::choice::choices;
use crate::draw::prints;
use crate::{Chance, Choice, Ending};
use spinor_exec::{Exec, Moves, Options};
use spinor_trace::{
    Interest, Move, Run, Snapshot, Standing, Step, Story, Teller, Told, View, describe,
};
use spinor_ts::{Expansion, TransitionSystem, Violation};
use std::sync::Arc;

/// What a move came to.
#[derive(Clone, Debug)]
pub struct Happened {
    /// Its steps.
    pub steps: Vec<Step>,
    /// The violation that it is.
    pub violation: Option<Violation>,
}

/// A state of the past.
#[derive(Debug)]
pub(crate) struct Past {
    state: Vec<u8>,
    steps: usize,
}

/// A run of a model that goes on as it is told.
pub struct Simulation<'a, 'i> {
    pub(crate) view: View<'a>,
    /// Expands with labels, so that it is known who moves.
    pub(crate) scout: Exec,
    expansion: Expansion,
    pub(crate) teller: Teller<'i>,
    pub(crate) state: Option<Vec<u8>>,
    pub(crate) moves: Vec<Move>,
    /// Moves that nobody remembers.
    pub(crate) passed: usize,
    pub(crate) past: Option<Vec<Past>>,
    /// The moves of the process that was drawn last.
    pub(crate) ways: Moves,
    /// Processes that have not been drawn yet.
    pub(crate) waiting: Vec<usize>,
    /// Some statement of the model prints.
    pub(crate) prints: bool,
    violation: Option<Violation>,
    pub(crate) ending: Option<Ending>,
}

impl<'a, 'i> Simulation<'a, 'i> {
    /// A run that has not begun. If it `remembers`, it can go back.
    #[must_use]
    pub fn new(mut view: View<'a>, interest: &'i Interest, remembers: bool) -> Self {
        let options = Options { labels: true, ..view.options };
        let (state, violation) = match view.exec.initial() {
            Ok(state) => (Some(state), None),
            Err(violation) => (None, Some(violation)),
        };
        Simulation {
            prints: view.program.statements.iter().any(prints),
            scout: Exec::new(Arc::clone(&view.program), options),
            expansion: Expansion::new(),
            teller: Teller::new(interest),
            moves: Vec::new(),
            passed: 0,
            ways: Moves::default(),
            waiting: Vec::new(),
            past: remembers.then(Vec::new),
            ending: violation.map(|_| Ending::Error),
            violation,
            state,
            view,
        }
    }

    /// Steps taken.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.teller.steps() as u64
    }

    /// The state at hand, if there is one.
    #[must_use]
    pub fn state(&self) -> Option<&[u8]> {
        self.state.as_deref()
    }

    /// The moves taken; none if some of them were passed over.
    #[must_use]
    pub fn run(&self) -> Option<Run> {
        (self.passed == 0).then(|| Run { moves: self.moves.clone(), ..Run::default() })
    }

    /// Why the run has ended, if it has.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Ends the run, unless it has ended already.
    pub fn end(&mut self, ending: Ending) {
        self.ending.get_or_insert(ending);
    }

    /// The view on the run.
    #[must_use]
    pub fn view(&self) -> &View<'a> {
        &self.view
    }

    /// What can happen next. If nothing can, the run has ended.
    pub fn choices(&mut self) -> Vec<Choice> {
        let (None, Some(state)) = (self.ending, &self.state) else { return Vec::new() };
        self.scout.expand(state, &mut self.expansion);
        let found = choices(&self.view.exec, state, &self.expansion);
        if found.is_empty() {
            self.ending = Some(match self.expansion.cut {
                Some(_) => Ending::GivenUp,
                None if self.view.exec.process_count(state) == 0 => Ending::AllEnded,
                None => Ending::ValidEnd,
            });
        }
        found
    }

    /// One of the choices by chance: every process that can move is as likely as the others,
    /// however many ways it has.
    pub fn pick(&self, choices: &[Choice], chance: &mut Chance) -> Option<Choice> {
        let mut movers: Vec<Option<usize>> = Vec::new();
        for choice in choices {
            if !movers.contains(&choice.pid) {
                movers.push(choice.pid);
            }
        }
        let mover = match movers.len() {
            0 => return None,
            1 => movers[0],
            count => movers[chance.below(count)],
        };
        let ways: Vec<&Choice> = choices.iter().filter(|c| c.pid == mover).collect();
        let way = if ways.len() > 1 { chance.below(ways.len()) } else { 0 };
        Some(*ways[way])
    }

    /// What a choice would do.
    pub fn preview(&mut self, choice: &Choice) -> Option<Told> {
        let state = self.state.as_deref()?;
        let (steps, moves) = (self.teller.steps(), self.moves.len() + self.passed);
        let told = self.teller.event(&self.view, state, choice.event);
        self.teller.rewind(steps, moves);
        told
    }

    /// What all steps of a preview together change.
    #[must_use]
    pub fn effect(&self, told: &Told) -> Vec<spinor_trace::Change> {
        self.state.as_deref().map(|old| self.view.changes(old, &told.next)).unwrap_or_default()
    }

    /// Takes a choice, but at most `bound` of its steps.
    pub fn take(&mut self, choice: &Choice, bound: u64) -> Option<Happened> {
        let state = self.state.as_deref()?;
        let before = self.teller.steps();
        let Told { mut steps, mut states, next, violation } =
            self.teller.event(&self.view, state, choice.event)?;
        self.moves.push(Move::Event(choice.event));
        let room = usize::try_from(bound).unwrap_or(usize::MAX);
        let is_cut = steps.len() > room;
        let next = if is_cut {
            steps.truncate(room);
            self.teller.rewind(before + room, self.moves.len() + self.passed);
            self.ending = Some(Ending::Bound);
            room.checked_sub(1).map_or_else(|| state.to_vec(), |last| states.swap_remove(last))
        } else {
            next
        };
        let violation = violation.filter(|_| !is_cut);
        if violation.is_some() {
            self.violation = violation;
            self.ending = Some(Ending::Error);
        }
        let old = self.state.replace(next);
        if let (Some(past), Some(state)) = (&mut self.past, old) {
            past.push(Past { state, steps: before });
        }
        Some(Happened { steps, violation })
    }

    /// Goes back by one move; says whether there was one.
    pub fn back(&mut self) -> bool {
        let Some(Past { state, steps }) = self.past.as_mut().and_then(Vec::pop) else {
            return false;
        };
        self.moves.pop();
        self.teller.rewind(steps, self.moves.len());
        self.state = Some(state);
        (self.violation, self.ending) = (None, None);
        true
    }

    /// Variables and channels as they are.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        self.state.as_deref().map(|state| self.view.snapshot(state)).unwrap_or_default()
    }

    /// The run as a story with these steps.
    #[must_use]
    pub fn story(&self, steps: Vec<Step>) -> Story {
        let state = self.state.as_deref();
        Story {
            steps,
            violation: self.violation,
            error: self.violation.map(|violation| describe(&self.view, violation, state)),
            state: self.snapshot(),
            processes: state.map(|s| Standing::all(&self.view, s)).unwrap_or_default(),
            cycle: None,
            propositions: Vec::new(),
            initially: Vec::new(),
        }
    }
}
