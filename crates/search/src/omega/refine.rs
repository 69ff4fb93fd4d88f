//! Strong fairness: components taken apart.
//!
//! Where a process can move in a component but never does, no fair run of the component
//! passes the states where it can. Without them the rest falls into smaller components,
//! which are treated alike. A component to which all its processes are treated fairly
//! and whose marks are complete has a wanted cycle: one through all of it.

use super::Numbering;
use super::judge::label_of;
use super::marks::Marks;
use super::roots::Roots;
use crate::run::Run;
use spinor_ts::{EventKind, Expansion, OmegaSystem};

/// A state that is not looked at, and one that is still to be.
const OUTSIDE: u32 = 0;
const UNSEEN: u32 = 1;

/// States to be taken apart.
#[derive(Debug, Default)]
struct Region {
    states: Vec<u32>,
    /// Processes that may not be able to move.
    without: u64,
}

#[derive(Clone, Copy, Debug)]
struct Item<M> {
    number: u32,
    marks: M,
    is_open: bool,
}

/// How far a refinement is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Progress {
    /// There is more to do.
    Going,
    /// There is no wanted cycle.
    Done,
    /// There is one among the states that [`Refinement::is_found`] tells, given this.
    Found(u32),
}

/// Decomposes one region after the other.
#[derive(Debug, Default)]
pub(crate) struct Refinement<M> {
    /// By the number of a state: [`OUTSIDE`], [`UNSEEN`] or larger, in order of discovery.
    index: Vec<u32>,
    waiting: Vec<Region>,
    region: Region,
    /// How many states of the region were tried as a start.
    tried: usize,
    order: u32,
    stack: Vec<Item<M>>,
    roots: Roots<M>,
    /// Seen states of unfinished components, in order of discovery.
    live: Vec<u32>,
    state: Vec<u8>,
    expansion: Expansion,
}

impl<M: Marks> Refinement<M> {
    /// Begins with a component from which the states are to be removed where processes of
    /// `without` can move.
    pub(crate) fn begin(&mut self, states: Vec<u32>, without: u64) {
        let last = states.last().map_or(0, |last| *last as usize + 1);
        self.index.resize(last.max(self.index.len()), OUTSIDE);
        self.waiting.push(Region { states, without });
    }

    /// Whether a state belongs to what was found.
    pub(crate) fn is_found(&self, number: u32, found: u32) -> bool {
        self.index.get(number as usize).is_some_and(|index| *index >= found)
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Goes on, by one state at most. Numbers of `states` are those of the regions.
    pub(crate) fn step<T: OmegaSystem, N: Numbering>(
        &mut self,
        system: &mut T,
        states: &mut N,
        run: &mut Run<'_>,
        goal: u32,
    ) -> Progress {
        if let Some(item) = self.stack.pop() {
            if item.is_open {
                self.leave(goal);
                return Progress::Going;
            }
            return match self.index[item.number as usize] {
                OUTSIDE => Progress::Going,
                UNSEEN => self.enter(item, system, states, run),
                order => self.close(order, item.marks, goal),
            };
        }
        if let Some(number) = self.region.states.get(self.tried).copied() {
            self.tried += 1;
            if self.index[number as usize] == UNSEEN {
                let item = Item { number, marks: M::default(), is_open: false };
                return self.enter(item, system, states, run);
            }
            return Progress::Going;
        }
        let Some(next) = self.waiting.pop() else { return Progress::Done };
        next.states.iter().for_each(|number| self.index[*number as usize] = UNSEEN);
        self.region = next;
        (self.tried, self.order) = (0, UNSEEN);
        Progress::Going
    }

    fn enter<T: OmegaSystem, N: Numbering>(
        &mut self,
        item: Item<M>,
        system: &mut T,
        states: &mut N,
        run: &mut Run<'_>,
    ) -> Progress {
        let hidden = system.hidden_bytes();
        states.load(item.number, &mut self.state);
        // Which hidden bytes it was reached with is not known any more.
        self.state.resize(self.state.len() + hidden, 0);
        run.expand_again(system, &self.state, &mut self.expansion);
        if self.expansion.enabled & self.region.without != 0 {
            self.index[item.number as usize] = OUTSIDE;
            return Progress::Going;
        }
        self.order += 1;
        self.index[item.number as usize] = self.order;
        self.live.push(item.number);
        self.roots.push(self.order, self.stack.len() as u32, item.marks);
        self.stack.push(Item { is_open: true, ..item });
        for (at, event) in self.expansion.events().iter().enumerate() {
            if event.kind != EventKind::Successor {
                continue;
            }
            let state = self.expansion.state(event);
            let visible = &state[..state.len() - hidden];
            let key = states.key(visible);
            let Some(number) = states.find(key, visible) else { continue };
            if self.index.get(number as usize).is_none_or(|index| *index == OUTSIDE) {
                continue;
            }
            let marks = M::of(label_of(&self.expansion, at), self.expansion.enabled);
            self.stack.push(Item { number, marks, is_open: false });
        }
        Progress::Going
    }

    fn close(&mut self, order: u32, marks: M, goal: u32) -> Progress {
        let root = self.roots.close(order, marks);
        if root.marks.is_complete(goal) { Progress::Found(root.number) } else { Progress::Going }
    }

    fn leave(&mut self, goal: u32) {
        let Some(root) = self.roots.pop_at(self.stack.len() as u32) else { return };
        let index = |number: &u32| self.index[*number as usize];
        let first = self.live.partition_point(|number| index(number) < root.number);
        let states = self.live.split_off(first);
        states.iter().for_each(|number| self.index[*number as usize] = OUTSIDE);
        if root.is_cyclic && root.marks.accepting() & goal == goal {
            let without = self.region.without | root.marks.starving();
            self.waiting.push(Region { states, without });
        }
    }

    pub(crate) fn bytes_used(&self) -> u64 {
        let waiting = self.waiting.iter().map(|region| region.states.capacity()).sum::<usize>();
        let numbers =
            self.index.capacity() + waiting + self.region.states.capacity() + self.live.capacity();
        (numbers * 4 + self.stack.capacity() * size_of::<Item<M>>()) as u64
            + self.roots.bytes_used()
            + self.expansion.bytes_used()
    }
}
