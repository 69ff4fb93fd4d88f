//! The events that a depth-first search has still to try.
//!
//! One stack for all frames: events in reverse, so that the next one is on top.
//! The oldest can be given up to save memory; they are generated again when the
//! search comes back to them.

use spinor_ts::{EventKind, Expansion};

/// An event without its state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub(crate) kind: EventKind,
    pub(crate) steps: u32,
    /// Length of the state.
    length: u32,
    /// Hash of the state, without its hidden bytes.
    pub(crate) hash: u64,
}

/// A stack of events.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    records: Vec<Record>,
    states: Vec<u8>,
}

impl Pending {
    /// Adds the events from number `first` on, given the hashes of all.
    #[inline]
    pub(crate) fn push(&mut self, expansion: &Expansion, hashes: &[u64], first: usize) {
        for (event, hash) in expansion.events().iter().zip(hashes).skip(first).rev() {
            let state = expansion.state(event);
            self.states.extend_from_slice(state);
            let length = state.len() as u32;
            self.records.push(Record { kind: event.kind, steps: event.steps, length, hash: *hash });
        }
    }

    /// The next event. Its state has to be [dropped](Self::drop_state) after use.
    #[inline]
    pub(crate) fn pop(&mut self) -> Record {
        self.records.pop().expect("the frame has events left")
    }

    /// The state of the event popped last.
    #[inline]
    pub(crate) fn state(&self, record: Record) -> &[u8] {
        &self.states[self.states.len() - record.length as usize..]
    }

    #[inline]
    pub(crate) fn drop_state(&mut self, record: Record) {
        self.states.truncate(self.states.len() - record.length as usize);
    }

    /// Size of what is on the stack.
    #[inline]
    pub(crate) fn size(&self) -> usize {
        self.records.len() * size_of::<Record>() + self.states.len()
    }

    /// Gives up all but the newest frames, where `left` are the numbers of events
    /// of the frames, newest first. Returns how many frames are kept: those that
    /// need no more than `size` together, but one at least.
    pub(crate) fn shed(&mut self, left: impl Iterator<Item = u32>, size: usize) -> usize {
        let (mut frames, mut records, mut bytes) = (0, 0, 0);
        for count in left {
            let newer = records + count as usize;
            let from = self.records.len() - newer;
            let of_frame = &self.records[from..self.records.len() - records];
            let states: usize = of_frame.iter().map(|record| record.length as usize).sum();
            if frames > 0 && newer * size_of::<Record>() + bytes + states > size {
                break;
            }
            (frames, records, bytes) = (frames + 1, newer, bytes + states);
        }
        self.records.drain(..self.records.len() - records);
        self.states.drain(..self.states.len() - bytes);
        frames
    }

    pub(crate) fn bytes_used(&self) -> u64 {
        (self.records.capacity() * size_of::<Record>() + self.states.capacity()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(states: &[&[u8]]) -> Expansion {
        let mut expansion = Expansion::new();
        for state in states {
            expansion.push_successor(state, 1);
        }
        expansion
    }

    fn next(pending: &mut Pending) -> Vec<u8> {
        let record = pending.pop();
        let state = pending.state(record).to_vec();
        pending.drop_state(record);
        state
    }

    #[test]
    fn events_come_in_order() {
        let mut pending = Pending::default();
        pending.push(&events(&[b"a", b"bb", b"ccc"]), &[0; 3], 1);
        pending.push(&events(&[b"", b"d"]), &[0; 2], 0);
        let states: Vec<_> = (0..4).map(|_| next(&mut pending)).collect();
        assert_eq!(states, [&b""[..], b"d", b"bb", b"ccc"]);
        assert_eq!(pending.size(), 0);
    }

    #[test]
    fn the_oldest_are_given_up() {
        let mut pending = Pending::default();
        for _ in 0..3 {
            pending.push(&events(&[b"a", b"bb"]), &[0; 2], 0);
        }
        let frame = pending.size() / 3;
        assert_eq!(pending.shed([2, 2, 2].into_iter(), 2 * frame), 2);
        assert_eq!(pending.size(), 2 * frame);
        assert_eq!(next(&mut pending), b"a");
        assert_eq!(pending.shed([1, 2].into_iter(), 0), 1);
        assert_eq!(next(&mut pending), b"bb");
        assert_eq!(pending.size(), 0);
    }
}
