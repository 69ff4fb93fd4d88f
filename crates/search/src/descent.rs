//! The depth-first loop.
//!
//! A frame is 16 bytes: which state, how many of its events were tried, how many
//! are left, how long the step to it was. The untried events wait in `pending`;
//! below `floor` they were given up and are generated again on return. So a stack
//! costs its frames, whatever the size of states, and a buffer of limited size.
//! (Measured on a run of ten million states of 40 bytes with two successors each:
//! 160 MB of frames and 120 MB of buffer.)
//!
//! Invariants
//! - Frames from `floor` on have all their `left` events in `pending`.
//! - `depth` is the sum of the `steps` of all frames.
//! - `next` of a frame is one more than the event that leads to the frame above,
//!   so the frames spell the path.

use crate::SearchConfig;
use crate::closed::{Arrival, Closed, Handle};
use crate::limits::Memory;
use crate::pending::{Pending, Record};
use crate::run::{Run, Stop};
use spinor_store::ChunkedVec;
use spinor_ts::{
    Depth, EventKind, Expansion, Incomplete, Observer, Outcome, Path, TransitionSystem,
};

#[derive(Clone, Copy, Debug)]
struct Frame {
    handle: Handle,
    next: u32,
    left: u32,
    steps: u32,
}

struct Descent<'a, T, C> {
    system: &'a mut T,
    closed: C,
    run: Run<'a>,
    frames: ChunkedVec<Frame>,
    pending: Pending,
    pending_limit: usize,
    floor: usize,
    depth: Depth,
    /// Hidden bytes of the frames' states.
    hidden: Vec<u8>,
    hidden_length: usize,
    /// The state at hand, with its hidden bytes, and its events.
    state: Vec<u8>,
    expansion: Expansion,
    /// Hashes of the successors; 0 for violations.
    hashes: Vec<u64>,
}

/// Searches depth first all that `closed` does not know.
pub(crate) fn descend<T: TransitionSystem, C: Closed>(
    system: &mut T,
    closed: C,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Outcome {
    let hidden_length = system.hidden_bytes();
    let mut descent = Descent {
        system,
        closed,
        run: Run::new(config, observer),
        frames: ChunkedVec::new(),
        pending: Pending::default(),
        pending_limit: config.stack_buffer_bytes,
        floor: 0,
        depth: 0,
        hidden: Vec::new(),
        hidden_length,
        state: Vec::new(),
        expansion: Expansion::new(),
        hashes: Vec::new(),
    };
    let stop = match descent.run.initial(descent.system) {
        Ok(state) => descent.start(state).err(),
        Err(stop) => stop,
    };
    descent.finish(stop)
}

impl<T: TransitionSystem, C: Closed> Descent<'_, T, C> {
    fn start(&mut self, state: Vec<u8>) -> Result<(), Stop> {
        self.state = state;
        let key = &self.state[..self.state.len() - self.hidden_length];
        match self.closed.arrive(key, self.closed.hash(key), 0) {
            Arrival::New(handle) => self.enter(handle, 0, true)?,
            Arrival::Shorter(_) | Arrival::Known => return Ok(()),
        }
        self.search()
    }

    fn search(&mut self) -> Result<(), Stop> {
        let mut height = self.frames.len();
        while let Some(frame) = self.frames.last_mut() {
            if frame.left == 0 {
                self.leave();
                height -= 1;
                continue;
            }
            if height <= self.floor {
                self.recover();
                continue;
            }
            frame.left -= 1;
            frame.next += 1;
            let handle = frame.handle;
            let event = self.pending.pop();
            let depth = self.depth + Depth::from(event.steps);
            match event.kind {
                EventKind::Successor if self.run.is_cut(depth) => {
                    let state = self.pending.state(event);
                    let key = &state[..state.len() - self.hidden_length];
                    self.closed.cut_successor(handle, key);
                    self.pending.drop_state(event);
                    self.run.count_matched();
                }
                EventKind::Successor => self.arrive(event, depth)?,
                EventKind::Violation(violation) if self.run.hides_violation(depth) => {
                    if !self.run.ignores(violation) {
                        self.closed.cut_violation(handle);
                    }
                }
                EventKind::Violation(violation) => {
                    self.run.violation(violation, depth, || path(&self.frames))?;
                }
            }
            height = self.frames.len();
        }
        Ok(())
    }

    #[inline]
    fn arrive(&mut self, event: Record, depth: Depth) -> Result<(), Stop> {
        let state = self.pending.state(event);
        let key = &state[..state.len() - self.hidden_length];
        let (handle, is_new) = match self.closed.arrive(key, event.hash, depth) {
            Arrival::New(handle) => (handle, true),
            Arrival::Shorter(handle) => (handle, false),
            Arrival::Known => {
                self.pending.drop_state(event);
                self.run.count_matched();
                return Ok(());
            }
        };
        self.state.clear();
        self.state.extend_from_slice(state);
        self.pending.drop_state(event);
        self.depth = depth;
        self.enter(handle, event.steps, is_new)
    }

    /// Pushes `self.state`.
    fn enter(&mut self, handle: Handle, steps: u32, is_new: bool) -> Result<(), Stop> {
        if !C::STORES {
            self.run.count_visit();
        } else if is_new {
            self.run.count_stored();
        }
        if self.run.is_due() {
            self.check()?;
        }
        self.run.expand(self.system, &self.state, self.depth, &mut self.expansion);
        self.hash_successors();
        self.closed.prefetch(&self.hashes);
        let left = self.expansion.events().len() as u32;
        self.pending.push(&self.expansion, &self.hashes, 0);
        self.frames.push(Frame { handle, next: 0, left, steps });
        self.hidden.extend_from_slice(&self.state[self.state.len() - self.hidden_length..]);
        if self.pending.size() > self.pending_limit {
            self.shed();
        }
        Ok(())
    }

    fn hash_successors(&mut self) {
        self.hashes.clear();
        for event in self.expansion.events() {
            let state = self.expansion.state(event);
            let is_successor = event.kind == EventKind::Successor;
            let key = || &state[..state.len() - self.hidden_length];
            self.hashes.push(if is_successor { self.closed.hash(key()) } else { 0 });
        }
    }

    fn leave(&mut self) {
        let frame = self.frames.pop().expect("a frame is left only if there is one");
        self.depth -= Depth::from(frame.steps);
        self.hidden.truncate(self.frames.len() * self.hidden_length);
        self.closed.leave();
    }

    /// Gives up the untried events of the older frames.
    #[cold]
    fn shed(&mut self) {
        let height = self.frames.len();
        let left = (self.floor..height).rev().map(|index| self.frames.get(index).left);
        // Half, so that there is some way to the next time.
        self.floor = height - self.pending.shed(left, self.pending_limit / 2);
    }

    /// Generates the untried events of the top frame once more.
    #[cold]
    fn recover(&mut self) {
        let top = self.frames.len() - 1;
        let frame = self.frames.get(top);
        self.closed.state(frame.handle, &mut self.state);
        self.state.extend_from_slice(&self.hidden[top * self.hidden_length..]);
        self.run.expand_again(self.system, &self.state, &mut self.expansion);
        self.hash_successors();
        self.pending.push(&self.expansion, &self.hashes, frame.next as usize);
        self.floor = top;
    }

    fn memory(&self) -> Memory {
        let (store, tables) = self.closed.bytes_used();
        let frames = self.frames.bytes_used() + self.hidden.capacity() as u64;
        Memory { store, rest: tables + frames + self.pending.bytes_used() }
    }

    #[cold]
    fn check(&mut self) -> Result<(), Stop> {
        if self.closed.is_full() {
            let why = "the visited set cannot number more states";
            return Err(Incomplete::Method(why.to_owned()));
        }
        let memory = self.memory();
        self.run.check(memory)
    }

    fn finish(self, stop: Option<Stop>) -> Outcome {
        let memory = self.memory();
        let is_cut = self.closed.is_cut(self.system, &self.run, stop.is_some());
        let depth = is_cut.then_some(Incomplete::Depth(self.run.bound));
        self.run.finish(stop.into_iter().chain(depth).collect(), memory)
    }
}

fn path(frames: &ChunkedVec<Frame>) -> Path {
    frames.iter().map(|frame| frame.next - 1).collect()
}
