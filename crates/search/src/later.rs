//! No move is put off for ever, in searches level by level of systems that leave out moves.
//!
//! Moves may be left out of a state if some of those that are taken lead, from state to state, to
//! one of which nothing is left out: what was left out is still possible there, and is taken.
//! So each state with moves left out is linked to one of its successors, such that links never
//! form a circle. One that is stored just now is expanded later and has no link yet: nothing
//! can go wrong. If all are known, it is decided when the level is done, by following the links.

use rapidhash::RapidHashMap;
use spinor_store::Store;
use std::hash::Hash;

/// The links, by what tells states of the store apart. A state without one has nothing left out,
/// or is still to be expanded.
#[derive(Debug)]
pub(crate) struct Links<I>(RapidHashMap<I, I>);

impl<I> Default for Links<I> {
    fn default() -> Self {
        Self(RapidHashMap::default())
    }
}

/// A state with moves left out, all of whose other successors were known.
#[derive(Debug)]
pub(crate) struct Undecided<I> {
    pub(crate) state: Vec<u8>,
    /// Its place in the lineage.
    pub(crate) position: u64,
    /// Its number, unless it was that in another store.
    pub(crate) number: Option<I>,
    /// The numbers of its successors.
    pub(crate) successors: Vec<I>,
}

/// What a thread notes down while a level is expanded.
#[derive(Debug)]
pub(crate) struct Notes<I> {
    /// States and successors of theirs that are expanded later.
    pub(crate) links: Vec<(I, I)>,
    undecided: Vec<Undecided<I>>,
    undecided_bytes: u64,
    /// What has come of the state at hand.
    pub(crate) met: Met<I>,
    /// Memory of the links of all threads, kept with one of them.
    pub(crate) shared_bytes: u64,
}

impl<I> Default for Notes<I> {
    fn default() -> Self {
        Self {
            links: Vec::new(),
            undecided: Vec::new(),
            undecided_bytes: 0,
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

    /// Gives away all that is undecided.
    pub(crate) fn take_undecided(&mut self) -> Vec<Undecided<I>> {
        self.undecided_bytes = 0;
        std::mem::take(&mut self.undecided)
    }

    /// What is left of it in another store, where states have other numbers.
    pub(crate) fn in_other_store<J>(mut self) -> Notes<J> {
        let nameless = |Undecided { state, position, .. }| {
            let (number, successors) = (None, Vec::new());
            Undecided { state, position, number, successors }
        };
        let undecided = self.take_undecided().into_iter().map(nameless).collect();
        Notes { undecided, ..Notes::default() }
    }

    /// The state at hand is decided upon when the level is done.
    pub(crate) fn postpone(&mut self, state: &[u8], position: u64, number: I) {
        let (state, successors) = (state.to_vec(), self.met.known.clone());
        let number = Some(number);
        let parts = [state.len(), size_of_val(&*successors), size_of::<Undecided<I>>()];
        self.undecided_bytes += parts.into_iter().sum::<usize>() as u64;
        self.undecided.push(Undecided { state, position, number, successors });
    }

    pub(crate) fn bytes_used(&self) -> u64 {
        let links = self.links.capacity() * size_of::<(I, I)>();
        links as u64 + self.undecided_bytes + self.shared_bytes
    }
}

impl<I: Copy + Eq + Hash> Links<I> {
    pub(crate) fn add(&mut self, (from, to): (I, I)) {
        self.0.insert(from, to);
    }

    /// Links a state to one of its successors from which no links lead back to it; `false` if
    /// there is none.
    pub(crate) fn link(&mut self, undecided: &Undecided<I>) -> bool {
        let Undecided { number: Some(number), successors, .. } = undecided else { return false };
        let found = successors.iter().find(|next| self.end(**next) != *number);
        self.0.extend(found.map(|next| (*number, *next)));
        found.is_some()
    }

    /// Where links lead; those on the way are made shorter.
    fn end(&mut self, mut at: I) -> I {
        while let Some(&next) = self.0.get(&at) {
            let Some(&beyond) = self.0.get(&next) else { return next };
            self.0.insert(at, beyond);
            at = beyond;
        }
        at
    }

    pub(crate) fn bytes_used(&self) -> u64 {
        (self.0.capacity() * (size_of::<(I, I)>() + 1)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(number: u64, successors: &[u64]) -> Undecided<u64> {
        let number = Some(number);
        Undecided { state: Vec::new(), position: 0, number, successors: successors.to_vec() }
    }

    #[test]
    fn links_form_no_circle() {
        let mut links = Links::default();
        links.add((1, 2));
        links.add((2, 3));
        assert!(!links.link(&state(3, &[3])), "to itself");
        assert!(!links.link(&state(3, &[1, 2])), "back to itself");
        assert!(links.link(&state(3, &[1, 4])), "by another way");
        assert!(links.link(&state(5, &[1])));
        assert_eq!([1, 2, 3, 5].map(|at| links.end(at)), [4; 4]);
        assert!(!links.link(&state(4, &[5])));
    }

    #[test]
    fn random_links_end() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut links = Links::default();
        for number in 0..2000 {
            let successors: Vec<u64> =
                (0..random.usize(1..3)).map(|_| random.u64(..2000)).collect();
            links.link(&state(number, &successors));
        }
        let mut at: Vec<u64> = (0..2000).collect();
        for _ in 0..2000 {
            at.iter_mut().for_each(|at| *at = links.0.get(at).copied().unwrap_or(*at));
        }
        assert!(at.iter().all(|end| !links.0.contains_key(end)));
        assert!(links.0.len() > 1000);
    }
}
