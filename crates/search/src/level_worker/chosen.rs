//! Recalled successors of which some may be enough (see `later`), and states that are passed: if there is one such
//! successor only, the search goes on from there at once, as the system does itself when it
//! [expands](spinor_ts::Expansion::passed) a state.

use super::Worker;
use super::recall::{Batch, Reminder};
use crate::frontier::Chunk;
use crate::lineage::Origin;
use spinor_store::Store;
use spinor_ts::TransitionSystem;

/// The successors of a state, group by group.
struct Successors<'a, K> {
    keys: &'a [K],
    /// How many each group has.
    events: &'a [u32],
    /// The groups that may be enough, one bit each, or all bits.
    enough: u64,
}

impl<K: Copy> Successors<'_, K> {
    fn is_enough(&self, group: usize) -> bool {
        self.enough == u64::MAX || self.enough >> group & 1 != 0
    }

    /// Calls `f` with those of the groups that may be enough, or of the others.
    fn each(&self, is_enough: bool, mut f: impl FnMut(K)) {
        let mut rest = self.keys;
        for (group, count) in self.events.iter().enumerate() {
            let (keys, others) = rest.split_at(*count as usize);
            if !keys.is_empty() && self.is_enough(group) == is_enough {
                keys.iter().for_each(|key| f(*key));
            }
            rest = others;
        }
    }

    /// The only one that is needed, and its group, if there is one.
    fn only(&self) -> Option<(usize, K)> {
        let mut only = None;
        let mut first = 0;
        for (group, count) in self.events.iter().enumerate() {
            if *count > 0 && self.is_enough(group) {
                if *count > 1 || only.is_some() {
                    return None;
                }
                only = Some((group, self.keys[first]));
            }
            first += *count as usize;
        }
        only
    }
}

/// Cuts the groups of a state out of all.
fn sizes(ends: &[u32], start: usize, events: &mut Vec<u32>) {
    let mut begin = start as u32;
    events.clear();
    events.extend(ends.iter().map(|end| end - std::mem::replace(&mut begin, *end)));
}

/// Whether more than one group has events: otherwise there is nothing to choose.
fn are_several(events: &[u32]) -> bool {
    events.iter().filter(|events| **events > 0).nth(1).is_some()
}

impl<T: TransitionSystem, S: Store> Worker<'_, '_, T, S> {
    /// Takes successors of the late batch that may be enough, and the others where they are not.
    pub(super) fn take_some(&mut self, chunk: &Chunk<S::Ref>, reminder: &mut Reminder<S>) {
        let mut late = std::mem::replace(&mut reminder.late, Box::new(Batch::new()));
        let Batch { recall, first, whole, .. } = &mut *late;
        let (mut begin, mut first_group) = (0, 0);
        let ends = recall.ends.iter().zip(&recall.groups);
        for (index, (end, groups)) in (*first..).zip(ends) {
            let (start, end, groups) = (begin, *end as usize, *groups as usize);
            sizes(&recall.group_ends[first_group..groups], start, &mut reminder.events);
            (begin, first_group) = (end, groups);
            if !whole.contains(&index)
                && !self.take_groups(chunk, index, &recall.keys[start..end], reminder)
            {
                whole.push(index);
            }
        }
        reminder.late = late;
    }

    /// The same for one state. `false` if it is to be expanded as a whole.
    fn take_groups(
        &mut self,
        chunk: &Chunk<S::Ref>,
        index: usize,
        keys: &[S::Key],
        reminder: &mut Reminder<S>,
    ) -> bool {
        let mut enough = u64::MAX;
        if are_several(&reminder.events) {
            chunk.load(index, self.store, &mut self.local, 0, &mut self.state);
            enough = self.system.enough_groups(&self.state, &reminder.events);
        }
        let most = self.system.most_passed();
        let (mut passed, mut spent) = (0_u32, 0);
        loop {
            let Reminder { onward, before, tools, events, events_before, known, .. } = reminder;
            let keys = if passed == 0 { keys } else { &before.recall.keys };
            let found = Successors { keys, events, enough };
            let next = found.only().filter(|_| spent < most);
            let mut is_last = next.is_none();
            if let Some((group, key)) = next {
                let Some(state_ref) = S::state_of(key) else { return false };
                self.store.load(&mut self.local, state_ref, &mut self.state);
                spent += self.system.pass_cost(&self.state, found.events.len() - 1 - group);
                is_last = spent > most;
                if !is_last {
                    onward.begin(0, 1);
                    self.recall_batch(&[state_ref], onward, tools);
                    if !onward.whole.is_empty() {
                        return false;
                    }
                    *known += onward.recall.probes;
                    sizes(&onward.recall.group_ends, 0, events_before);
                    enough = u64::MAX;
                    if are_several(events_before) {
                        // What was recalled was that of the state at hand, which is still there.
                        enough = self.system.enough_groups(&self.state, events_before);
                    }
                }
            }
            if is_last {
                #[cfg(debug_assertions)]
                self.verify_passed(chunk, index, found.keys);
                self.counts.passed += u64::from(passed);
                self.arrive_some(chunk, index, &found);
                return true;
            }
            std::mem::swap(before, onward);
            std::mem::swap(events, events_before);
            passed += 1;
        }
    }

    /// Expands a state as a whole and compares the keys after those that were passed.
    #[cfg(debug_assertions)]
    fn verify_passed(&mut self, chunk: &Chunk<S::Ref>, index: usize, keys: &[S::Key]) {
        let mut place = super::Place::<S::Key>::new();
        chunk.load(index, self.store, &mut self.local, 0, &mut self.state);
        self.system.expand(&self.state, &mut place.expansion);
        self.store.keys(&mut self.local, &place.expansion, 0, &mut place.keys);
        let numbers = |keys: &[S::Key]| {
            let mut numbers: Vec<_> = keys.iter().map(|key| S::identity(*key)).collect();
            numbers.sort_unstable();
            numbers
        };
        let is_same = numbers(&place.keys) == numbers(keys);
        assert!(is_same, "states were passed on another way than there is");
    }

    /// Arrives at those successors that may be enough, and at the others if they are not.
    fn arrive_some(&mut self, chunk: &Chunk<S::Ref>, index: usize, found: &Successors<'_, S::Key>) {
        let parent = chunk.first + index as u64;
        self.notes.met.clear();
        let mut number = 0;
        let mut arrive = |worker: &mut Self, is_enough: bool| {
            found.each(is_enough, |key| {
                worker.arrive(key, &[], Origin { parent, event: number });
                number += 1;
            });
        };
        arrive(self, true);
        if found.enough != u64::MAX && self.is_rest_due(chunk, index) {
            arrive(self, false);
        }
    }
}
