//! States whose successors the store knows from moves of others: neither they nor their successors
//! are put together.
//!
//! Whether the later successors of a state are known is asked only after those of the first new one were made: then what
//! is to be looked at has arrived, and what is to be looked at next is on its way.

use super::Dive;
use crate::dive_stack::{Entry, Kind};
use crate::learning::moves_of_group;
use crate::shortcut::Shortcut;
use crate::worth::Worth;
use spinor_store::{Recalled, Store, Successors};
use spinor_ts::{Depth, Expansion, Footprint, TransitionSystem};

/// What it takes to recall moves, and whether it helps.
pub(super) struct Recaller<S: Store> {
    worth: Worth,
    /// Moves from word to word, which nothing has to be known for.
    shortcut: Option<Box<Shortcut>>,
    /// The successors of the state at hand.
    found: Successors<S::Key>,
    /// Those of the state on top of the stack, and the first one that is not on the stack yet.
    late: Successors<S::Key>,
    late_from: usize,
    /// Which of them are unknown.
    absent: Vec<u32>,
    expansion: Expansion,
    footprint: Footprint,
    anchors: Vec<usize>,
    /// Groups of moves that were known lately, and that were made.
    known: u64,
    unknown: u64,
}

impl<S: Store> Recaller<S> {
    pub(super) fn new<T: TransitionSystem>(system: &T, store: &S) -> Self {
        // Only whole moves are remembered, and of these only where they lead.
        let is_on =
            S::RECALLS && S::KEY_IS_STATE && system.hidden_bytes() == 0 && !system.leaves_out();
        let found = || Successors { takes_ends: system.ends_quietly(), ..Successors::default() };
        Self {
            // Groups of moves are not anchored where every cell is a part of its own.
            worth: Worth::new(is_on && store.word_layout().is_none()),
            shortcut: Shortcut::new(store).filter(|_| is_on),
            found: found(),
            late: found(),
            late_from: 0,
            absent: Vec::new(),
            expansion: Expansion::new(),
            footprint: Footprint::default(),
            anchors: Vec::new(),
            known: 0,
            unknown: 0,
        }
    }

    /// Whether it is tried for now.
    #[inline]
    pub(super) fn is_on(&self) -> bool {
        self.worth.is_on || self.shortcut.is_some()
    }
}

impl<T: TransitionSystem, S: Store> Dive<'_, T, S> {
    /// Finds the successors of the state of a key, if their moves are known or can be learnt.
    #[inline]
    pub(super) fn recall(&mut self, key: S::Key) -> bool {
        if self.recaller.shortcut.is_some() {
            return self.follow_words(key);
        }
        let Self { recaller, store, local, run, .. } = self;
        if !S::RECALLS || !recaller.worth.is_on(run.stats.expanded) {
            return false;
        }
        self.is_at_hand = false;
        let wanted = store.successors(local, key, &mut recaller.found);
        let is_known = wanted == Recalled::All || self.learn(key, wanted);
        let Self { recaller, run, .. } = self;
        if is_known {
            let Successors { atomic_steps, deepest, groups, .. } = recaller.found;
            recaller.known += u64::from(groups);
            run.count_recalled(self.depth, atomic_steps, deepest);
            #[cfg(debug_assertions)]
            self.verify(key);
        } else {
            // As bad as if nothing of it had been known.
            recaller.unknown += 4;
        }
        let Recaller { worth, known, unknown, .. } = &mut self.recaller;
        if worth.is_due(1) {
            let (known, unknown) = (std::mem::take(known), std::mem::take(unknown));
            worth.judge(known, unknown, self.run.stats.expanded);
        }
        is_known
    }

    /// The same by moves from word to word.
    #[inline]
    fn follow_words(&mut self, key: S::Key) -> bool {
        let Self { recaller, store, local, run, system, .. } = self;
        let Some(shortcut) = &mut recaller.shortcut else { return false };
        let expanded = run.stats.expanded;
        let Some(moves) = shortcut.moves(*system, expanded) else { return false };
        let is_made = store.word_successors(local, key, moves, &mut recaller.found);
        shortcut.judge(1, usize::from(!is_made), expanded);
        if is_made {
            let length = shortcut.layout.state.len() as u64;
            run.stats.state_bytes = run.stats.state_bytes.max(length);
            let Successors { atomic_steps, deepest, .. } = recaller.found;
            run.count_recalled(self.depth, atomic_steps, deepest);
            self.is_at_hand = false;
            #[cfg(debug_assertions)]
            self.verify(key);
        }
        is_made
    }

    /// Makes the moves of groups that are not known, until all are or one cannot be.
    #[cold]
    fn learn(&mut self, key: S::Key, mut wanted: Recalled) -> bool {
        let Self { recaller, store, local, .. } = self;
        let Recaller { found, expansion, footprint, anchors, unknown, .. } = recaller;
        if wanted == Recalled::Whole {
            return false;
        }
        store.load_key(local, key, &mut self.state);
        self.is_at_hand = true;
        loop {
            match wanted {
                Recalled::All => {
                    self.is_at_hand = false;
                    return true;
                }
                Recalled::Whole | Recalled::Station { .. } => return false,
                Recalled::Unknown => {
                    let stats = &mut self.run.stats;
                    stats.state_bytes = stats.state_bytes.max(self.state.len() as u64);
                    let has_groups = self.system.groups(&self.state, anchors);
                    let Some(state_ref) = S::state_of(key) else { return false };
                    store.set_groups(local, state_ref, has_groups.then_some(&**anchors));
                }
                Recalled::Group { group, is_anchored } => {
                    *unknown += 1;
                    let (system, state) = (&mut *self.system, &self.state);
                    let made =
                        moves_of_group(system, state, group, is_anchored, expansion, footprint);
                    let Some(dependence) = made else { return false };
                    if !store.learn(local, group, expansion, dependence, true) {
                        return false;
                    }
                }
            }
            let before = std::mem::replace(&mut wanted, store.successors(local, key, found));
            if before == wanted {
                // It was not kept.
                return false;
            }
        }
    }

    /// Goes on from a state whose successors were found: to the first that is new.
    #[inline]
    pub(super) fn enter_recalled(&mut self, mut entry: Entry<S::Key>) -> Option<Entry<S::Key>> {
        let Self { recaller: Recaller { found, late, late_from, .. }, store, local, .. } = self;
        self.next = 0;
        entry.events = found.keys.len() as u32;
        let Some(first) = store.insert_first(local, &found.keys) else {
            self.leave(&entry);
            return None;
        };
        let (key, steps) = (found.keys[first], found.steps[first]);
        std::mem::swap(found, late);
        *late_from = first + 1;
        self.pass(first as u32);
        self.stack.push(entry);
        self.stack.trim();
        self.depth += Depth::from(steps);
        Some(Entry::new(Kind::Open, key, first as u32, steps))
    }

    /// Pushes the later successors of the state on top, but not those that are known.
    #[inline]
    pub(super) fn push_late(&mut self) {
        let Self { recaller, store, local, stack, .. } = self;
        let Recaller { late, late_from, absent, .. } = recaller;
        let Some(keys) = late.keys.get(*late_from..).filter(|keys| !keys.is_empty()) else {
            return;
        };
        absent.clear();
        store.absent(local, keys, absent);
        for at in absent.iter().rev() {
            let number = *late_from + *at as usize;
            let (key, steps) = (late.keys[number], late.steps[number]);
            stack.push(Entry::new(Kind::Untried, key, number as u32, steps));
        }
        late.keys.clear();
    }

    /// Expands a state as a whole and compares.
    #[cfg(debug_assertions)]
    fn verify(&mut self, key: S::Key) {
        use spinor_ts::EventKind;
        let mut state = Vec::new();
        let mut expansion = Expansion::new();
        self.store.load_key(&mut self.local, key, &mut state);
        self.system.expand(&state, &mut expansion);
        let Successors { keys, steps, atomic_steps, deepest, .. } = &self.recaller.found;
        let recalled = keys.iter().map(|key| S::identity(*key)).zip(steps.iter().copied());
        let expanded = expansion.events().iter().map(|event| {
            assert_eq!(event.kind, EventKind::Successor, "a violation was not recalled");
            let key = self.store.key(&mut self.local, expansion.state(event));
            (S::identity(key), event.steps)
        });
        assert!(recalled.eq(expanded), "other successors were recalled than there are");
        let figures = (*atomic_steps, *deepest, None);
        assert_eq!(figures, (expansion.atomic_steps, expansion.deepest, expansion.cut));
        assert!(!keys.is_empty() || self.system.ends_quietly(), "an end was not recalled");
    }
}
