//! Cycles by strongly connected components, on the fly.
//!
//! One depth-first search. Parts that are known to be strongly connected are joined
//! as moves back are found; as soon as the marks of a part are complete, a wanted cycle
//! exists. Acceptance sets on moves, any number of them, need no unfolding, and neither
//! does weak fairness: it is one more set per process.
//!
//! A state's successors are looked up when it is entered, in one batch, so that memory is
//! waited for once. Those known are done with then: a finished component stays
//! finished, and a state on the way stays on it as long as this one does. The rest
//! waits on the stack.

mod behind;
mod desk;
mod report;

use super::Numbering;
use super::judge::{Judge, label_of};
use super::marks::{Marks, Plain, StronglyFair, WeaklyFair};
use super::trail::Entry;
use crate::SearchConfig;
use crate::limits::Memory;
use crate::run::{Run, Stop};
pub use behind::components_behind;
use desk::Desk;
use spinor_ts::{
    Depth, Event, EventKind, Fairness, Incomplete, Observer, OmegaSystem, Outcome, Path, Violation,
};

/// Looks for wanted cycles, depth first, and for violations on the way.
///
/// `states` has to be empty. Each component with a wanted cycle counts as one error.
/// Weak fairness costs hardly anything; strong fairness takes components apart that are not
/// fair as a whole.
pub fn components<T: OmegaSystem, N: Numbering>(
    system: &mut T,
    states: &mut N,
    fairness: Fairness,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Outcome {
    match fairness {
        Fairness::None => start::<T, N, Plain>(system, states, fairness, config, observer),
        Fairness::Weak => start::<T, N, WeaklyFair>(system, states, fairness, config, observer),
        Fairness::Strong => {
            states.keep_states();
            start::<T, N, StronglyFair>(system, states, fairness, config, observer)
        }
    }
}

fn start<T: OmegaSystem, N: Numbering, M: Marks>(
    system: &mut T,
    states: &mut N,
    fairness: Fairness,
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
    let keeps_bytes = !N::KEY_IS_STATE || system.hidden_bytes() > 0;
    let mut desk = Desk::<N::Key, M>::new(keeps_bytes, &config);
    desk.state = first;
    let (stop, memory, is_cut) = {
        let lead = &Path::new;
        let mut search = Search::new(system, states, &mut run, &mut desk, lead, fairness);
        let stop = search.search().err();
        search.count_matched();
        (stop, search.memory(), search.is_cut)
    };
    let loss = states.note_loss(&mut run.stats);
    let cut = is_cut.then_some(Incomplete::Depth(run.bound));
    run.finish(stop.into_iter().chain(cut).chain(loss).collect(), memory)
}

struct Search<'a, 'o, T, N: Numbering, M> {
    system: &'a mut T,
    states: &'a mut N,
    judge: Judge,
    run: &'a mut Run<'o>,
    desk: &'a mut Desk<N::Key, M>,
    /// The way to the first state of the trail.
    lead: &'a dyn Fn() -> Path,
    depth: Depth,
    /// Whether a run was cut at the depth bound.
    is_cut: bool,
    /// Whether the events at hand were dealt with before.
    is_recovering: bool,
    hidden_length: usize,
}

impl<'a, 'o, T: OmegaSystem, N: Numbering, M: Marks> Search<'a, 'o, T, N, M> {
    fn new(
        system: &'a mut T,
        states: &'a mut N,
        run: &'a mut Run<'o>,
        desk: &'a mut Desk<N::Key, M>,
        lead: &'a dyn Fn() -> Path,
        fairness: Fairness,
    ) -> Self {
        Self {
            judge: Judge::new(system, fairness),
            hidden_length: system.hidden_bytes(),
            system,
            states,
            run,
            desk,
            lead,
            depth: 0,
            is_cut: false,
            is_recovering: false,
        }
    }

    /// Searches from the state at hand, the first one.
    fn search(&mut self) -> Result<(), Stop> {
        let visible = &self.desk.state[..self.desk.state.len() - self.hidden_length];
        self.states.set_origin(visible);
        let key = self.states.key(visible);
        let (number, _) = self.states.insert(key, visible);
        self.run.stats.transitions = 1;
        self.search_on(key, number)
    }

    /// Searches from the state at hand, which is new.
    fn search_on(&mut self, key: N::Key, number: u32) -> Result<(), Stop> {
        self.enter(Entry::untried(key, 0, 0, M::default()), number)?;
        while let Some(entry) = self.desk.trail.pop() {
            if let Some(next) = self.desk.trail.top() {
                self.states.prefetch(next.key);
            }
            if entry.is_shed() {
                self.recover(entry)?;
            } else if entry.is_open() {
                self.desk.trail.drop_bytes();
                self.leave(&entry)?;
            } else {
                self.try_again(entry)?;
            }
        }
        Ok(())
    }

    /// A successor that was unknown when its origin was entered.
    #[inline]
    fn try_again(&mut self, entry: Entry<N::Key, M>) -> Result<(), Stop> {
        let bytes = self.desk.trail.bytes();
        let visible = if N::KEY_IS_STATE { 0 } else { bytes.len() - self.hidden_length };
        let (number, is_new) = self.states.insert(entry.key, &bytes[..visible]);
        if !is_new {
            self.desk.trail.drop_bytes();
            return self.close(number, entry.marks);
        }
        self.load(&entry);
        self.desk.trail.drop_bytes();
        self.depth += Depth::from(entry.steps);
        self.enter(entry, number)
    }

    /// Makes the state of the entry taken last the one at hand.
    #[inline]
    fn load(&mut self, entry: &Entry<N::Key, M>) {
        let bytes = self.desk.trail.bytes();
        if N::KEY_IS_STATE {
            self.states.load_key(entry.key, &mut self.desk.state);
            self.desk.state.extend_from_slice(bytes);
        } else {
            self.desk.state.clear();
            self.desk.state.extend_from_slice(bytes);
            self.states.set_origin(&self.desk.state[..bytes.len() - self.hidden_length]);
        }
    }

    /// Generates the moves of a state once more. Those to known states are dealt with a
    /// second time, which changes nothing.
    #[cold]
    fn recover(&mut self, entry: Entry<N::Key, M>) -> Result<(), Stop> {
        self.load(&entry);
        self.desk.trail.drop_bytes();
        self.run.expand_again(self.system, &self.desk.state, &mut self.desk.expansion);
        self.make_keys();
        self.push_open(entry);
        self.is_recovering = true;
        self.look_up()?;
        self.is_recovering = false;
        self.push_unknown(0);
        Ok(())
    }

    /// Searches the state at hand, which is new, and on from there, always by the first
    /// unknown successor, down to a state that has none.
    fn enter(&mut self, mut entry: Entry<N::Key, M>, mut number: u32) -> Result<(), Stop> {
        loop {
            self.run.stats.stored += 1;
            if self.run.is_due() {
                self.check()?;
            }
            self.desk.live.push(number);
            self.desk.roots.push(number, self.desk.trail.open(), entry.marks);
            self.run.expand(self.system, &self.desk.state, self.depth, &mut self.desk.expansion);
            self.make_keys();
            self.run.stats.transitions += self.successors();
            self.push_open(entry);
            self.look_up()?;
            let Some(first) = self.desk.unknown.first().copied() else { return Ok(()) };
            self.push_unknown(1);
            self.desk.trail.trim();
            let first = first as usize;
            let event = self.desk.expansion.events()[first];
            entry = self.move_by(first, &event);
            self.depth += Depth::from(event.steps);
            self.desk.state.clear();
            self.desk.state.extend_from_slice(self.desk.expansion.state(&event));
            let visible = &self.desk.state[..self.desk.state.len() - self.hidden_length];
            number = self.states.insert(entry.key, visible).0;
            self.states.set_origin_keyed(entry.key, visible);
        }
    }

    /// Pushes the state at hand.
    #[inline]
    fn push_open(&mut self, entry: Entry<N::Key, M>) {
        let told = if N::KEY_IS_STATE { self.desk.state.len() - self.hidden_length } else { 0 };
        self.desk.trail.push_open(entry, &self.desk.state[told..]);
    }

    /// Pushes the unknown successors from number `first` of them on.
    #[inline]
    fn push_unknown(&mut self, first: usize) {
        for index in (first..self.desk.unknown.len()).rev() {
            let number = self.desk.unknown[index] as usize;
            let event = self.desk.expansion.events()[number];
            let entry = self.move_by(number, &event);
            let state = self.desk.expansion.state(&event);
            let told = if N::KEY_IS_STATE { state.len() - self.hidden_length } else { 0 };
            self.desk.trail.push(entry, &state[told..]);
        }
    }

    #[inline]
    fn move_by(&self, number: usize, event: &Event) -> Entry<N::Key, M> {
        let marks = M::of(label_of(&self.desk.expansion, number), self.desk.expansion.enabled);
        Entry::untried(self.desk.keys[number], number, event.steps, marks)
    }

    /// Makes the keys of all successors.
    #[inline]
    fn make_keys(&mut self) {
        let Self { desk, states, hidden_length, .. } = self;
        let Desk { keys, expansion, .. } = &mut **desk;
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
    #[inline]
    fn look_up(&mut self) -> Result<(), Stop> {
        self.desk.unknown.clear();
        for number in 0..self.desk.keys.len() {
            let event = self.desk.expansion.events()[number];
            let depth = self.depth + Depth::from(event.steps);
            if let EventKind::Violation(violation) = event.kind {
                self.violation(violation, number, depth)?;
                continue;
            }
            let state = if N::KEY_IS_STATE { &[] } else { self.desk.expansion.state(&event) };
            let visible = &state[..state.len().saturating_sub(self.hidden_length)];
            match self.states.find(self.desk.keys[number], visible) {
                None if self.run.is_cut(depth) => self.is_cut = true,
                None => self.desk.unknown.push(number as u32),
                Some(known) => {
                    if self.desk.live.contains(known) {
                        let label = label_of(&self.desk.expansion, number);
                        self.close(known, M::of(label, self.desk.expansion.enabled))?;
                    }
                }
            }
        }
        Ok(())
    }

    #[cold]
    fn violation(&mut self, violation: Violation, number: usize, depth: Depth) -> Result<(), Stop> {
        if self.run.is_cut(depth) {
            self.is_cut = true;
        }
        if self.is_recovering || self.run.is_cut(depth) {
            return Ok(());
        }
        let path = || {
            let mut path = (self.lead)();
            path.extend(self.desk.trail.path());
            path.push(number as u32);
            path
        };
        self.run.violation(violation, depth, path)
    }

    /// A move from the state on top to a known one.
    #[inline]
    fn close(&mut self, number: u32, marks: M) -> Result<(), Stop> {
        if !self.desk.live.contains(number) {
            return Ok(());
        }
        let root = self.desk.roots.close(number, marks);
        if root.is_reported || !root.marks.is_complete(self.judge.goal) {
            return Ok(());
        }
        root.is_reported = true;
        let (first, position) = (root.number, root.position);
        self.report(first, position, false)
    }

    /// All moves of the state on top were tried.
    #[inline]
    fn leave(&mut self, entry: &Entry<N::Key, M>) -> Result<(), Stop> {
        let component = self.desk.roots.pop_at(self.desk.trail.open());
        if let Some(component) = component {
            if self.judge.fairness == Fairness::Strong {
                self.refine(&component, entry)?;
            }
            self.desk.live.truncate(component.number);
        }
        self.depth -= Depth::from(entry.steps);
        Ok(())
    }

    /// Number of successors of the state at hand.
    #[inline]
    fn successors(&self) -> u64 {
        let events = self.desk.expansion.events().iter();
        events.filter(|event| event.kind == EventKind::Successor).count() as u64
    }

    /// Arrivals that are not the first ones. Those that are still to be tried count, too.
    fn count_matched(&mut self) {
        let stats = &mut self.run.stats;
        stats.matched = stats.transitions - stats.stored;
    }

    fn memory(&self) -> Memory {
        Memory {
            store: self.states.bytes_used(),
            rest: self.desk.bytes_used() + self.desk.others_bytes,
        }
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
}
