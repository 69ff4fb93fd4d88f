//! No move is put off for ever, in searches level by level of systems that leave out moves.
//!
//! Moves may be left out of a state if some of those that are taken lead, from state to state, to
//! one of which nothing is left out: what was left out is still possible there, and is taken.
//! So each state with moves left out is linked to one of its successors, such that links never
//! form a circle. One that is stored just now is expanded later and has no link yet: nothing
//! can go wrong. If all are known, it is decided when the level is done, by following the links.

use crate::link_table::LinkTable;
use spinor_store::{Distinct, Store};
use std::ops::Range;

/// The links, by what tells states of the store apart. A state without one has nothing left out,
/// or is still to be expanded.
#[derive(Debug)]
pub(crate) struct Links<I>(LinkTable<I>);

impl<I> Default for Links<I> {
    fn default() -> Self {
        Self(LinkTable::default())
    }
}

/// A state with moves left out, all of whose other successors were known.
#[derive(Debug)]
pub(crate) struct Undecided<I> {
    /// Its bytes, if its number does not tell them.
    pub(crate) state: Vec<u8>,
    /// Its place in the lineage.
    pub(crate) position: u64,
    /// Its number, unless it was that in another store.
    pub(crate) number: Option<I>,
    /// Where the numbers of its successors are.
    successors: Range<usize>,
}

/// Some of them.
#[derive(Debug)]
pub(crate) struct Postponed<I> {
    pub(crate) states: Vec<Undecided<I>>,
    /// The numbers of their successors.
    successors: Vec<I>,
    /// Memory of their bytes.
    bytes: u64,
}

impl<I> Default for Postponed<I> {
    fn default() -> Self {
        Self { states: Vec::new(), successors: Vec::new(), bytes: 0 }
    }
}

impl<I: Copy> Postponed<I> {
    /// The numbers of the successors of one of them.
    pub(crate) fn successors(&self, of: &Undecided<I>) -> &[I] {
        &self.successors[of.successors.clone()]
    }

    fn push(&mut self, state: Vec<u8>, position: u64, number: Option<I>, successors: &[I]) {
        self.bytes += state.len() as u64;
        let begin = self.successors.len();
        self.successors.extend_from_slice(successors);
        let successors = begin..self.successors.len();
        self.states.push(Undecided { state, position, number, successors });
    }

    /// Takes over those of another one.
    pub(crate) fn append(&mut self, other: &Self) {
        for one in &other.states {
            self.push(one.state.clone(), one.position, one.number, other.successors(one));
        }
    }

    /// Puts them in an order that does not depend on who has found them.
    pub(crate) fn sort(&mut self)
    where
        I: Ord,
    {
        self.states.sort_by(|a, b| (&a.state, a.number).cmp(&(&b.state, b.number)));
    }

    /// Forgets all, keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.states.clear();
        self.successors.clear();
        self.bytes = 0;
    }

    fn bytes_used(&self) -> u64 {
        let states = self.states.capacity() * size_of::<Undecided<I>>();
        let successors = self.successors.capacity() * size_of::<I>();
        self.bytes + (states + successors) as u64
    }
}

/// What a thread notes down while a level is expanded.
#[derive(Debug)]
pub(crate) struct Notes<I> {
    /// States and successors of theirs that are expanded later.
    pub(crate) links: Vec<(I, I)>,
    pub(crate) undecided: Postponed<I>,
    /// What has come of the state at hand.
    pub(crate) met: Met<I>,
    /// Memory of the links of all threads, kept with one of them.
    pub(crate) shared_bytes: u64,
}

impl<I> Default for Notes<I> {
    fn default() -> Self {
        Self {
            links: Vec::new(),
            undecided: Postponed::default(),
            met: Met { has_later: false, later: None, known: Vec::new() },
            shared_bytes: 0,
        }
    }
}

/// The successors met of one state.
#[derive(Debug)]
pub(crate) struct Met<I> {
    /// Whether one of them is expanded later,
    pub(crate) has_later: bool,
    /// and its number, if the store has numbers.
    later: Option<I>,
    known: Vec<I>,
}

impl<I> Met<I> {
    pub(crate) fn clear(&mut self) {
        (self.has_later, self.later) = (false, None);
        self.known.clear();
    }

    #[inline]
    pub(crate) fn later<S: Store<Identity = I>>(&mut self, key: S::Key) {
        self.has_later = true;
        self.later = S::identity(key);
    }

    #[inline]
    pub(crate) fn known<S: Store<Identity = I>>(&mut self, key: S::Key) {
        self.known.extend(S::identity(key));
    }
}

impl<I: Copy> Notes<I> {
    /// Whether the moves of a state that were taken may be all. `Some(false)` if not, `None` if
    /// that is decided later.
    pub(crate) fn is_enough(&mut self, number: Option<I>) -> Option<bool> {
        let (Some(number), Met { has_later, later, known }) = (number, &self.met) else {
            return Some(self.met.has_later);
        };
        if *has_later {
            self.links.extend(later.map(|later| (number, later)));
            return Some(true);
        }
        if known.is_empty() { Some(false) } else { None }
    }

    /// What is left of it in another store, where states have other numbers. The bytes of all states are there.
    pub(crate) fn in_other_store<J: Copy>(self) -> Notes<J> {
        let mut undecided = Postponed::default();
        for one in self.undecided.states {
            undecided.push(one.state, one.position, None, &[]);
        }
        Notes { undecided, ..Notes::default() }
    }

    /// The state at hand is decided upon when the level is done. Its bytes are given if its number does not tell
    /// them.
    pub(crate) fn postpone(&mut self, state: Vec<u8>, position: u64, number: I) {
        self.undecided.push(state, position, Some(number), &self.met.known);
    }

    /// The same for a state of which all successors that were taken have these numbers.
    pub(crate) fn postpone_with(
        &mut self,
        position: u64,
        number: I,
        successors: impl Iterator<Item = I>,
    ) {
        self.met.known.clear();
        self.met.known.extend(successors);
        self.postpone(Vec::new(), position, number);
    }

    pub(crate) fn bytes_used(&self) -> u64 {
        let links = self.links.capacity() * size_of::<(I, I)>();
        links as u64 + self.undecided.bytes_used() + self.shared_bytes
    }
}

impl<I: Distinct> Links<I> {
    /// Adds the links of states that had none.
    pub(crate) fn add(&mut self, links: &[(I, I)]) {
        self.0.extend(links);
    }

    /// Asks for what will be looked at first when a state with these successors is linked.
    pub(crate) fn prefetch(&self, successors: &[I]) {
        successors.iter().take(1).for_each(|next| self.0.prefetch(*next));
    }

    /// Links a state to one of its successors from which no links lead back to it; `false` if
    /// there is none.
    pub(crate) fn link(&mut self, number: Option<I>, successors: &[I]) -> bool {
        let Some(number) = number else { return false };
        let found = successors.iter().find(|next| self.end(**next) != number);
        if let Some(next) = found {
            self.0.insert(number, *next);
        }
        found.is_some()
    }

    /// Where links lead; those on the way are made shorter.
    fn end(&mut self, mut at: I) -> I {
        while let Some(next) = self.0.get(at) {
            let Some(beyond) = self.0.get(next) else { return next };
            self.0.insert(at, beyond);
            at = beyond;
        }
        at
    }

    pub(crate) fn bytes_used(&self) -> u64 {
        self.0.bytes_used()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_form_no_circle() {
        let mut links: Links<u64> = Links::default();
        links.add(&[(1, 2), (2, 3)]);
        assert!(!links.link(Some(3), &[3]), "to itself");
        assert!(!links.link(Some(3), &[1, 2]), "back to itself");
        assert!(links.link(Some(3), &[1, 4]), "by another way");
        assert!(links.link(Some(5), &[1]));
        assert_eq!([1, 2, 3, 5].map(|at| links.end(at)), [4; 4]);
        assert!(!links.link(Some(4), &[5]));
    }

    #[test]
    fn random_links_end() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut links = Links::default();
        let mut linked = 0;
        for number in 0..2000 {
            let successors: Vec<u64> =
                (0..random.usize(1..3)).map(|_| random.u64(..2000)).collect();
            linked += usize::from(links.link(Some(number), &successors));
        }
        let mut at: Vec<u64> = (0..2000).collect();
        for _ in 0..2000 {
            at.iter_mut().for_each(|at| *at = links.0.get(*at).unwrap_or(*at));
        }
        assert!(at.iter().all(|end| links.0.get(*end).is_none()));
        assert!(linked > 1000);
    }
}
