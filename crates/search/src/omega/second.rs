//! The second search of a nested one.

use super::marking::{Look, Marking};
use super::trail::{Entry, Trail};
use crate::run::Run;
use spinor_ts::{Depth, EventKind, Expansion, OmegaSystem, Path};

/// A depth-first search from an accepting state, through states that no second search has
/// met, for a state on the way of the first one.
#[derive(Debug)]
pub(crate) struct Second<Key> {
    trail: Trail<Key, ()>,
    depth: Depth,
    /// The component of the claim that it does not leave.
    within: Option<u32>,
    /// A state on the way of the first search that was reached, and by which event.
    closing: Option<(Vec<u8>, u32)>,
    /// The first entry, which is not looked up.
    start: Option<Entry<Key, ()>>,
    state: Vec<u8>,
    expansion: Expansion,
    keys: Vec<Key>,
}

impl<Key: Copy + Default> Second<Key> {
    pub(crate) fn new(keeps_bytes: bool, limit: usize) -> Self {
        Self {
            trail: Trail::new(keeps_bytes, limit),
            depth: 0,
            within: None,
            closing: None,
            start: None,
            state: Vec::new(),
            expansion: Expansion::new(),
            keys: Vec::new(),
        }
    }

    /// Begins at a state, which is the origin of keys.
    pub(crate) fn begin(&mut self, key: Key, state: &[u8], depth: Depth, within: Option<u32>) {
        self.state.clear();
        self.state.extend_from_slice(state);
        (self.depth, self.within) = (depth, within);
        self.start = Some(Entry::untried(key, 0, 0, ()));
    }

    /// Forgets what is left to do.
    pub(crate) fn clear(&mut self) {
        self.trail.clear();
    }

    /// A state on the way of the first search, if one was reached, and the events that
    /// lead there.
    pub(crate) fn take_closing(&mut self) -> Option<(Vec<u8>, Path)> {
        let (state, event) = self.closing.take()?;
        let mut path = self.trail.path();
        path.push(event);
        Some((state, path))
    }

    /// Goes on, by one state at most; false if there is nothing left to do.
    pub(crate) fn step<T: OmegaSystem, K: Marking<Key = Key>>(
        &mut self,
        system: &mut T,
        states: &mut K,
        run: &mut Run<'_>,
    ) -> bool {
        if let Some(entry) = self.start.take() {
            self.enter(entry, system, states, run);
            return true;
        }
        let Some(entry) = self.trail.pop() else { return false };
        let hidden_length = system.hidden_bytes();
        let bytes = self.trail.bytes();
        if entry.is_open() && !entry.is_shed() {
            self.trail.drop_bytes();
            self.depth -= Depth::from(entry.steps);
            return true;
        }
        let visible = if K::KEY_IS_STATE { 0 } else { bytes.len() - hidden_length };
        if !entry.is_open() && !states.meet_again(entry.key, &bytes[..visible]) {
            self.trail.drop_bytes();
            return true;
        }
        self.state.clear();
        if K::KEY_IS_STATE {
            states.load_key(entry.key, &mut self.state);
        }
        self.state.extend_from_slice(bytes);
        if !K::KEY_IS_STATE {
            states.set_origin(&self.state[..visible]);
        }
        self.trail.drop_bytes();
        if !entry.is_open() {
            self.depth += Depth::from(entry.steps);
        }
        self.enter(entry, system, states, run);
        true
    }

    fn enter<T: OmegaSystem, K: Marking<Key = Key>>(
        &mut self,
        entry: Entry<Key, ()>,
        system: &mut T,
        states: &mut K,
        run: &mut Run<'_>,
    ) {
        let hidden_length = system.hidden_bytes();
        let told = if K::KEY_IS_STATE { self.state.len() - hidden_length } else { 0 };
        run.expand(system, &self.state, self.depth, &mut self.expansion);
        let is_first = !entry.is_shed();
        self.trail.push_open(entry, &self.state[told..]);
        let Self { keys, expansion, .. } = self;
        keys.clear();
        keys.extend(expansion.events().iter().map(|event| {
            if event.kind != EventKind::Successor {
                // Violations have no state.
                return Default::default();
            }
            let state = expansion.state(event);
            states.key(&state[..state.len().saturating_sub(hidden_length)])
        }));
        keys.iter().for_each(|key| states.prefetch(*key));
        for (number, event) in self.expansion.events().iter().enumerate().rev() {
            if event.kind != EventKind::Successor {
                continue;
            }
            run.stats.transitions += u64::from(is_first);
            let state = self.expansion.state(event);
            if self.within.is_some_and(|within| system.component(state).number != within) {
                continue;
            }
            let (visible, key) = (&state[..state.len() - hidden_length], self.keys[number]);
            match states.look(key, visible) {
                Look::OnTheWay { .. } => {
                    self.closing = Some((visible.to_vec(), number as u32));
                    return;
                }
                Look::Once => {
                    let told = if K::KEY_IS_STATE { visible.len() } else { 0 };
                    self.trail.push(Entry::untried(key, number, event.steps, ()), &state[told..]);
                }
                // What the first search does not know lies beyond a bound.
                Look::Unknown | Look::Twice => {}
            }
        }
        self.trail.trim();
    }

    pub(crate) fn bytes_used(&self) -> u64 {
        self.trail.bytes_used() + self.expansion.bytes_used()
    }
}
