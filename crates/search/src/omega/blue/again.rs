//! The second search of a thread.

use super::{Note, Worker, load};
use crate::omega::trail::Entry;
use spinor_store::Store;
use spinor_ts::{Depth, EventKind, OmegaSystem};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// If all threads wait for each other for so long, a lossy store has misled them.
const PATIENCE: Duration = Duration::from_millis(200);

impl<T: OmegaSystem, S: Store<Key = u64>> Worker<'_, T, S> {
    /// The second search, from the state at hand, which is not on the trail any more.
    pub(super) fn search_again(&mut self, seed: &Entry<u64, Note>) {
        let within = seed.marks.component.number;
        self.pink.insert(seed.key);
        let depth = self.depth;
        self.enter_again(Entry::untried(seed.key, 0, 0, ()), within, seed);
        while !self.board.is_stopped() {
            let Some(entry) = self.red_trail.pop() else { break };
            let is_new = !entry.is_open() && !self.is_red(entry.key) && self.pink.insert(entry.key);
            if is_new || entry.is_shed() {
                let bytes = self.red_trail.bytes();
                load(self.store, &mut self.local, entry.key, bytes, &mut self.state);
                self.red_trail.drop_bytes();
                self.depth += if is_new { Depth::from(entry.steps) } else { 0 };
                self.enter_again(entry, within, seed);
                continue;
            }
            self.red_trail.drop_bytes();
            if entry.is_open() {
                self.depth -= Depth::from(entry.steps);
            }
        }
        self.depth = depth;
        self.red_trail.clear();
        self.await_seeds(seed.key);
        for key in self.pink.drain() {
            self.reds.insert(&mut self.local, self.store, key);
        }
        self.seeds.clear();
    }

    fn is_red(&mut self, key: u64) -> bool {
        self.reds.contains(&mut self.local, self.store, key)
    }

    fn enter_again(&mut self, entry: Entry<u64, ()>, within: u32, seed: &Entry<u64, Note>) {
        self.expand();
        if self.is_accepting() {
            self.seeds.push(entry.key);
        }
        let told = if S::KEY_IS_STATE { self.state.len() - self.hidden_length } else { 0 };
        self.red_trail.push_open(entry, &self.state[told..]);
        for number in (0..self.keys.len()).rev() {
            let event = self.expansion.events()[number];
            let (key, state) = (self.keys[number], self.expansion.state(&event));
            if event.kind != EventKind::Successor || self.system.component(state).number != within {
                continue;
            }
            if self.way.contains_key(&key) {
                let mut path = self.trail.path();
                path.extend((self.trail.open() > 0).then_some(seed.event()));
                path.extend(self.red_trail.path());
                self.cycle(path, number, self.depth + Depth::from(event.steps));
                self.red_trail.clear();
                return;
            }
            let told = if S::KEY_IS_STATE { state.len() - self.hidden_length } else { 0 };
            if !self.pink.contains(&key) && !self.reds.contains(&mut self.local, self.store, key) {
                let entry = Entry::untried(key, number, event.steps, ());
                self.red_trail.push(entry, &state[told..]);
            }
        }
        self.red_trail.trim();
    }

    /// Waits until accepting states that were met are red: others search from there.
    fn await_seeds(&mut self, seed: u64) {
        let mut seeds = std::mem::take(&mut self.seeds);
        seeds.retain(|key| *key != seed && !self.is_red(*key));
        if !seeds.is_empty() {
            self.board.waiting.fetch_add(1, Ordering::Relaxed);
            let mut since = Instant::now();
            while !seeds.is_empty() && !self.board.is_stopped() {
                self.board.rest();
                std::thread::yield_now();
                seeds.retain(|key| !self.is_red(*key));
                if self.board.waiting.load(Ordering::Relaxed) < self.board.running() {
                    since = Instant::now();
                } else if since.elapsed() > PATIENCE {
                    self.board.is_stuck.store(true, Ordering::Relaxed);
                    break;
                }
            }
            self.board.waiting.fetch_sub(1, Ordering::Relaxed);
        }
        self.seeds = seeds;
    }
}
