//! Nested depth-first search: the book's Figure 8.7.
//!
//! The first search visits every state. When it leaves an accepting state, a second search
//! looks for a way from there back to the way of the first one; over all its starts it
//! visits every state once more at most. A cycle that the first search closes
//! by itself is taken at once if one of the two ends of the closing move is accepting.
//!
//! The improved search knows the components of the claim (S. Edelkamp, S. Leue,
//! A. Lluch-Lafuente, *Directed explicit-state model checking in the validation of
//! communication protocols*, section 7): in a component without accepting cycles
//! there is nothing to look for, in one where all cycles are accepting the first search
//! sees them all, and in others the second search stays inside.

use super::ExactStates;
mod again;

pub(crate) use again::first_visit;

use super::copies::{Copies, needs_copies};
use super::judge::{Judge, Lasso, label_of};
use super::marking::{Look, Marking};
use super::second::Second;
use super::shorten::{Hint, build_lasso};
use super::trail::{Entry, Trail};
use crate::SearchConfig;
use crate::limits::Memory;
use crate::run::{Run, Stop};
use spinor_ts::{
    Component, ComponentClass, Depth, EventKind, Expansion, Fairness, Incomplete, Observer,
    OmegaSystem, Outcome, Violation,
};

/// Looks for wanted cycles by a nested depth-first search, and for violations on the way.
///
/// `states` has to be empty. Several acceptance sets and weak fairness are unfolded: if
/// [`needs_copies`] says so, states have one more byte, which the layout of a store
/// has to know ([`layout_of_copies`](super::layout_of_copies)). There is no strong fairness.
pub fn nested_depth_first<T: OmegaSystem, K: Marking>(
    system: &mut T,
    states: &mut K,
    fairness: Fairness,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Outcome {
    start(system, states, fairness, false, config, observer)
}

/// The same, guided by the components of the claim.
pub fn improved_nested<T: OmegaSystem, K: Marking>(
    system: &mut T,
    states: &mut K,
    fairness: Fairness,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Outcome {
    start(system, states, fairness, true, config, observer)
}

fn start<T: OmegaSystem, K: Marking>(
    system: &mut T,
    states: &mut K,
    fairness: Fairness,
    is_improved: bool,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Outcome {
    if fairness == Fairness::Strong {
        let why = "a nested search cannot deal with strong fairness";
        let incomplete = vec![Incomplete::Method(why.to_owned())];
        return Outcome { incomplete, ..Outcome::default() };
    }
    if needs_copies(system, fairness) {
        let mut copies = Copies::new(system, fairness);
        return search(&mut copies, states, Copies::lasso, is_improved, config, observer);
    }
    search(system, states, lasso::<T>, is_improved, config, observer)
}

/// A short lasso, given one.
pub(crate) fn lasso<T: OmegaSystem>(system: &mut T, hint: &Hint, visits: u64) -> Option<Lasso> {
    let judge = Judge::new(system, Fairness::None);
    build_lasso(system, ExactStates::new(), judge, hint, Box::new(|_| true), visits)
}

impl<T: OmegaSystem> Copies<'_, T> {
    /// A short lasso of the system itself.
    pub(crate) fn lasso(&mut self, hint: &Hint, visits: u64) -> Option<Lasso> {
        let judge = Judge::new(self.system, self.fairness);
        build_lasso(self.system, ExactStates::new(), judge, hint, Box::new(|_| true), visits)
    }
}

fn search<T: OmegaSystem, K: Marking>(
    system: &mut T,
    states: &mut K,
    lasso: fn(&mut T, &Hint, u64) -> Option<Lasso>,
    is_improved: bool,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Outcome {
    // A lasso is shortened once it is found.
    let config = SearchConfig { shorten: false, ..config.clone() };
    let mut run = Run::new(&config, observer);
    let first = match run.initial(system) {
        Ok(state) => state,
        Err(stop) => return run.finish(stop.into_iter().collect(), Memory::default()),
    };
    let hidden_length = system.hidden_bytes();
    let keeps_bytes = !K::KEY_IS_STATE || hidden_length > 0;
    let mut search = Nested {
        goal: system.acceptance_sets(),
        system,
        states,
        lasso,
        is_improved,
        run,
        trail: Trail::new(keeps_bytes, config.stack_buffer_bytes),
        second: Second::new(keeps_bytes, config.stack_buffer_bytes),
        depth: 0,
        is_cut: false,
        is_recovering: false,
        hidden_length,
        state: first,
        expansion: Expansion::new(),
        keys: Vec::new(),
        unknown: Vec::new(),
    };
    let stop = search.search().err();
    search.finish(stop)
}

/// What is known of a state on the way.
#[derive(Clone, Copy, Default, Debug)]
struct Note {
    is_accepting: bool,
    component: Component,
}

struct Nested<'a, T, K: Marking> {
    system: &'a mut T,
    states: &'a mut K,
    lasso: fn(&mut T, &Hint, u64) -> Option<Lasso>,
    is_improved: bool,
    /// Number of acceptance sets: with none, every state is accepting.
    goal: u32,
    run: Run<'a>,
    trail: Trail<K::Key, Note>,
    second: Second<K::Key>,
    depth: Depth,
    /// Whether a run was cut at the depth bound.
    is_cut: bool,
    /// Whether the events at hand were dealt with before.
    is_recovering: bool,
    hidden_length: usize,
    /// The state at hand, with its hidden bytes, and its events.
    state: Vec<u8>,
    expansion: Expansion,
    keys: Vec<K::Key>,
    unknown: Vec<u32>,
}

impl<T: OmegaSystem, K: Marking> Nested<'_, T, K> {
    fn search(&mut self) -> Result<(), Stop> {
        let visible = &self.state[..self.state.len() - self.hidden_length];
        self.states.set_origin(visible);
        let key = self.states.key(visible);
        self.states.meet(key, visible);
        self.run.stats.transitions = 1;
        self.enter(Entry::untried(key, 0, 0, Note::default()))?;
        while let Some(entry) = self.trail.pop() {
            if entry.is_shed() {
                self.recover(entry)?;
            } else if entry.is_open() {
                self.leave(&entry)?;
            } else {
                self.try_again(entry)?;
            }
        }
        Ok(())
    }

    fn try_again(&mut self, entry: Entry<K::Key, Note>) -> Result<(), Stop> {
        let bytes = self.trail.bytes();
        let visible = if K::KEY_IS_STATE { 0 } else { bytes.len() - self.hidden_length };
        if !self.states.meet(entry.key, &bytes[..visible]) {
            self.trail.drop_bytes();
            return Ok(());
        }
        self.load(&entry);
        self.trail.drop_bytes();
        self.depth += Depth::from(entry.steps);
        self.enter(entry)
    }

    /// Makes the state of the entry taken last the one at hand.
    fn load(&mut self, entry: &Entry<K::Key, Note>) {
        let bytes = self.trail.bytes();
        if K::KEY_IS_STATE {
            self.states.load_key(entry.key, &mut self.state);
            self.state.extend_from_slice(bytes);
        } else {
            self.state.clear();
            self.state.extend_from_slice(bytes);
            self.states.set_origin(&self.state[..bytes.len() - self.hidden_length]);
        }
    }

    /// Searches the state at hand, which is new, and on from there, always by the first
    /// unknown successor, down to a state that has none.
    fn enter(&mut self, mut entry: Entry<K::Key, Note>) -> Result<(), Stop> {
        loop {
            self.run.stats.stored += 1;
            if self.run.is_due() {
                self.check()?;
            }
            self.run.expand(self.system, &self.state, self.depth, &mut self.expansion);
            entry.marks = self.note();
            let visible = &self.state[..self.state.len() - self.hidden_length];
            self.states.enter(entry.key, visible, entry.marks.is_accepting);
            self.make_keys();
            self.push_open(entry);
            self.look_up(entry.marks)?;
            let Some(first) = self.unknown.first().copied() else { return Ok(()) };
            self.push_unknown(1);
            self.trail.trim();
            let event = self.expansion.events()[first as usize];
            let key = self.keys[first as usize];
            entry = Entry::untried(key, first as usize, event.steps, Note::default());
            self.depth += Depth::from(event.steps);
            self.state.clear();
            self.state.extend_from_slice(self.expansion.state(&event));
            let visible = &self.state[..self.state.len() - self.hidden_length];
            self.states.meet(key, visible);
            self.states.set_origin_keyed(key, visible);
        }
    }

    /// What there is to know of the state at hand, which is expanded.
    fn note(&self) -> Note {
        let accepts = |number: usize| label_of(&self.expansion, number).accepting & 1 != 0;
        let is_accepting = self.goal == 0 || (0..self.expansion.labels().len()).any(accepts);
        let component = if self.is_improved {
            self.system.component(&self.state)
        } else {
            Component::default()
        };
        Note { is_accepting, component }
    }

    fn push_open(&mut self, entry: Entry<K::Key, Note>) {
        let told = if K::KEY_IS_STATE { self.state.len() - self.hidden_length } else { 0 };
        self.trail.push_open(entry, &self.state[told..]);
    }

    fn push_unknown(&mut self, first: usize) {
        for index in (first..self.unknown.len()).rev() {
            let number = self.unknown[index] as usize;
            let event = self.expansion.events()[number];
            let entry = Entry::untried(self.keys[number], number, event.steps, Note::default());
            let state = self.expansion.state(&event);
            let told = if K::KEY_IS_STATE { state.len() - self.hidden_length } else { 0 };
            self.trail.push(entry, &state[told..]);
        }
    }

    fn make_keys(&mut self) {
        let Self { keys, expansion, states, hidden_length, .. } = self;
        keys.clear();
        keys.extend(expansion.events().iter().map(|event| {
            if event.kind != EventKind::Successor {
                // Violations have no state.
                return Default::default();
            }
            let state = expansion.state(event);
            states.key(&state[..state.len().saturating_sub(*hidden_length)])
        }));
        keys.iter().for_each(|key| states.prefetch(*key));
    }

    /// Deals with the moves to known states, and makes a list of the others.
    fn look_up(&mut self, origin: Note) -> Result<(), Stop> {
        self.unknown.clear();
        for number in 0..self.keys.len() {
            let event = self.expansion.events()[number];
            let depth = self.depth + Depth::from(event.steps);
            let is_cut = self.run.is_cut(depth);
            if let EventKind::Violation(violation) = event.kind {
                self.is_cut |= is_cut;
                if !is_cut && !self.is_recovering {
                    self.violation(violation, number, depth)?;
                }
                continue;
            }
            self.run.stats.transitions += u64::from(!self.is_recovering);
            let state = self.expansion.state(&event);
            let visible = &state[..state.len() - self.hidden_length];
            match self.states.look(self.keys[number], visible) {
                Look::Unknown if is_cut => self.is_cut = true,
                Look::Unknown => self.unknown.push(number as u32),
                Look::OnTheWay { is_accepting }
                    if !self.is_recovering && self.closes(origin, is_accepting, state) =>
                {
                    let mut path = self.trail.path();
                    path.push(number as u32);
                    let closing = visible.to_vec();
                    self.report(path, &closing)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Whether a move to a state on the way closes a wanted cycle for certain.
    fn closes(&self, origin: Note, is_accepting: bool, target: &[u8]) -> bool {
        if origin.is_accepting || is_accepting {
            return true;
        }
        self.is_improved
            && origin.component.class == ComponentClass::FullyAccepting
            && self.system.component(target).number == origin.component.number
    }

    #[cold]
    fn violation(&mut self, violation: Violation, number: usize, depth: Depth) -> Result<(), Stop> {
        let path = || {
            let mut path = self.trail.path();
            path.push(number as u32);
            path
        };
        self.run.violation(violation, depth, path)
    }

    /// Generates the moves of a state once more.
    #[cold]
    fn recover(&mut self, entry: Entry<K::Key, Note>) -> Result<(), Stop> {
        self.load(&entry);
        self.trail.drop_bytes();
        self.run.expand_again(self.system, &self.state, &mut self.expansion);
        self.make_keys();
        self.push_open(entry);
        self.is_recovering = true;
        self.look_up(entry.marks)?;
        self.is_recovering = false;
        self.push_unknown(0);
        Ok(())
    }

    fn memory(&self) -> Memory {
        let rest = self.trail.bytes_used() + self.second.bytes_used() + self.expansion.bytes_used();
        Memory { store: self.states.bytes_used(), rest }
    }

    #[cold]
    fn check(&mut self) -> Result<(), Stop> {
        self.states.tidy();
        if self.states.is_nearly_full() {
            let why = "the visited set cannot take more states";
            return Err(Incomplete::Method(why.to_owned()));
        }
        self.count_matched();
        let memory = self.memory();
        self.run.check(memory)
    }

    /// Arrivals that are not the first ones. Those that are still to be tried count, too.
    fn count_matched(&mut self) {
        let stats = &mut self.run.stats;
        stats.matched = stats.transitions - stats.stored;
    }

    fn finish(mut self, stop: Option<Stop>) -> Outcome {
        self.count_matched();
        let memory = self.memory();
        let loss = self.states.note_loss(&mut self.run.stats);
        let cut = self.is_cut.then_some(Incomplete::Depth(self.run.bound));
        self.run.finish(stop.into_iter().chain(cut).chain(loss).collect(), memory)
    }
}
