//! A set of states that gives up its members in the reverse order of their arrival.
//!
//! The states on the path of an atomic sequence are such a set. Because only the
//! youngest member ever leaves, clearing its slot never breaks a chain of probes.

use crate::hash::hash;

/// Slots beyond which an emptied set gives its memory back.
const LARGE: usize = 1 << 14;

struct Member {
    hash: u64,
    start: usize,
    depth: u32,
}

/// The set.
#[derive(Default)]
pub(crate) struct StateSet {
    /// Number of a member plus one, or 0; linear probing, at most half full.
    slots: Vec<u32>,
    members: Vec<Member>,
    bytes: Vec<u8>,
}

impl StateSet {
    /// Adds a state at a depth no smaller than those before; `false` if it was there.
    pub fn insert(&mut self, state: &[u8], depth: u32) -> bool {
        if self.slots.len() < 2 * (self.members.len() + 1) {
            self.grow();
        }
        let hash = hash(state);
        let mut at = self.home(hash);
        while self.slots[at] != 0 {
            let number = self.slots[at] as usize - 1;
            if self.members[number].hash == hash && self.state(number) == state {
                return false;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.members.push(Member { hash, start: self.bytes.len(), depth });
        self.bytes.extend_from_slice(state);
        self.slots[at] = self.members.len() as u32;
        true
    }

    /// Removes all members at `depth` or deeper.
    pub fn leave(&mut self, depth: u32) {
        while self.members.last().is_some_and(|m| m.depth >= depth) {
            self.pop();
        }
    }

    /// Removes everything.
    pub fn clear(&mut self) {
        if self.slots.len() > LARGE {
            *self = StateSet::default();
        }
        while !self.members.is_empty() {
            self.pop();
        }
    }

    fn pop(&mut self) {
        let number = self.members.len() as u32;
        let Some(member) = self.members.pop() else { return };
        let mut at = self.home(member.hash);
        while self.slots[at] != number {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = 0;
        self.bytes.truncate(member.start);
    }

    fn home(&self, hash: u64) -> usize {
        hash as usize & (self.slots.len() - 1)
    }

    fn state(&self, number: usize) -> &[u8] {
        let end = self.members.get(number + 1).map_or(self.bytes.len(), |m| m.start);
        &self.bytes[self.members[number].start..end]
    }

    /// Members come back in the order of their arrival, so that they can leave as before.
    fn grow(&mut self) {
        let size = (2 * self.slots.len()).max(64);
        self.slots.clear();
        self.slots.resize(size, 0);
        for (i, member) in self.members.iter().enumerate() {
            let mut at = member.hash as usize & (size - 1);
            while self.slots[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            self.slots[at] = i as u32 + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_and_go_like_a_stack() {
        let mut set = StateSet::default();
        let state = |i: u32| i.to_le_bytes().repeat(1 + i as usize % 5);
        for round in 0..3 {
            for depth in 0..1000 {
                assert!(set.insert(&state(depth * 7), depth));
                assert!(!set.insert(&state(depth / 2 * 7), depth));
            }
            set.leave(300);
            for depth in 0..300 {
                assert!(!set.insert(&state(depth * 7), 300), "round {round}");
            }
            for depth in 300..1000 {
                assert!(set.insert(&state(depth * 7), depth));
            }
            set.clear();
        }
        assert!(set.insert(&state(0), 0));
    }
}
