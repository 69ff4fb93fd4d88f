//! Entries of several words that are claimed by their first one.
//!
//! The first word of an entry is odd, the last one is not zero (a table is told so by whoever makes entries). What is empty
//! or frozen has an even first word.
//!
//! # Why it is as good as an entry that is written at once
//!
//! Everything that the [table](super) says of entries that change once holds for first words: they change from empty to
//! that of what is inserted, or from empty to frozen, by compare-and-swap. The other words belong to whoever has filled the first one. They
//! are written once, right after that, the last one last, and nothing else is done in between: so whoever finds the
//! first word of its key without the last one waits until it is there, and then knows whether it is the same key. Others
//! need not wait: an entry with another first word is another entry. So nobody passes a place
//! without knowing what is there for good, which is all that the argument needs; copying waits as well.
//!
//! The last word is written with release and read with acquire; an entry counts as found only if all were read. A look at all words
//! may show them as they were at different times. If the first one was still empty the place is taken for empty: to fill it
//! will fail. If the last one was still zero it is read again.

use super::array::wait_until;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::entry::WideGlance;
use super::entry::{Blocked, Cells, Entry, Glance};
use crate::interleave::interleave;
use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};

/// First words that are none.
pub(super) const EMPTY: u64 = 0;
const FROZEN: u64 = 2;
/// A last word that is not there yet.
const MISSING: u64 = 0;

/// Whether a first word is that of no entry.
#[inline(always)]
pub(super) fn is_vacant(first: u64) -> bool {
    first & 1 == 0
}

/// Whether words may be the first and the last one of an entry.
#[inline(always)]
pub(super) fn is_possible(first: u64, last: u64) -> bool {
    !is_vacant(first) && last != MISSING
}

/// The last word of an entry that was claimed. What was written before it is seen then.
#[inline]
pub(super) fn last(place: &AtomicU64) -> u64 {
    let last = place.load(Ordering::Acquire);
    if last == MISSING { wait_for(place) } else { last }
}

#[cold]
fn wait_for(place: &AtomicU64) -> u64 {
    wait_until(|| place.load(Ordering::Relaxed) != MISSING);
    place.load(Ordering::Acquire)
}

/// Empties a word. No other thread may use it.
#[inline]
pub(super) fn take(place: &AtomicU64) -> u64 {
    let word = place.load(Ordering::Relaxed);
    place.store(0, Ordering::Relaxed);
    word
}

/// A line of such entries.
pub trait Claimed<E: Entry>: Debug + Send + Sync + Sized {
    /// How many there are.
    const WIDTH: usize;

    /// A look at all of them.
    type Look: Glance<E, Self>;
    /// The same with longer words.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    type WideLook: WideGlance<E, Self>;

    /// The first word of an entry.
    fn first_of(entry: E) -> u64;

    /// The first word at a place.
    fn first(&self, at: usize) -> &AtomicU64;

    /// The entry at a place that was claimed.
    fn entry(&self, at: usize) -> E;

    /// Writes what comes behind the first word, the last one with release.
    fn write_rest(&self, at: usize, entry: E);

    /// Takes out all entries, then calls `visit` for each. No other thread may use the line.
    fn take(&self, visit: impl FnMut(E));

    /// Changes an empty first word, or tells what it is.
    #[inline]
    fn claim(&self, at: usize, first: u64) -> Result<(), u64> {
        let place = self.first(at);
        place.compare_exchange(EMPTY, first, Ordering::Relaxed, Ordering::Relaxed).map(|_| ())
    }
}

impl<E: Entry, L: Claimed<E>> Cells<E> for L {
    const WIDTH: usize = L::WIDTH;

    type Look = L::Look;
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    type WideLook = L::WideLook;

    #[inline]
    fn fill(&self, at: usize, entry: E) -> Result<(), Blocked> {
        let blocked = |other| if other == FROZEN { Blocked::Frozen } else { Blocked::Filled };
        self.claim(at, L::first_of(entry)).map_err(blocked)?;
        interleave();
        self.write_rest(at, entry);
        Ok(())
    }

    #[inline]
    fn put(&self, at: usize, entry: E) {
        self.first(at).store(L::first_of(entry), Ordering::Relaxed);
        self.write_rest(at, entry);
    }

    #[inline]
    fn freeze(&self, mut visit: impl FnMut(E)) {
        for at in 0..L::WIDTH {
            if self.first(at).load(Ordering::Relaxed) == EMPTY {
                interleave();
                if self.claim(at, FROZEN).is_ok() {
                    return;
                }
            }
            visit(self.entry(at));
        }
    }

    #[inline]
    fn take(&self, visit: impl FnMut(E)) {
        Claimed::take(self, visit);
    }

    fn for_each(&self, mut visit: impl FnMut(E)) {
        (0..L::WIDTH)
            .take_while(|at| !is_vacant(self.first(*at).load(Ordering::Relaxed)))
            .for_each(|at| visit(self.entry(at)));
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Whether a key is there, and the first vacant place, by either look.
    fn look<E: Entry, L: Claimed<E>>(line: &L, key: E) -> Vec<(bool, Option<usize>)> {
        let plain = <L as Claimed<E>>::Look::at(line);
        let mut seen = vec![(plain.has(line, key), plain.first_vacant())];
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if std::is_x86_feature_detected!("avx2") {
            let wide = <L as Claimed<E>>::WideLook::at(line);
            seen.push((wide.has(line, key), wide.first_vacant()));
            let (equal, empty) = wide.equal_and_empty(key);
            let first = |at: usize| line.first(at).load(Ordering::Relaxed);
            assert_eq!(equal != 0, seen[1].0);
            let is_right = |at| empty >> at & 1 == u32::from(first(at) == EMPTY);
            assert!((0..<L as Claimed<E>>::WIDTH).all(is_right));
        }
        seen
    }

    /// Lines of random entries, filled, frozen and looked at.
    pub fn looks_are_right<E: Entry, L: Claimed<E>>(
        empty: impl Fn() -> L,
        entry: impl Fn(&mut fastrand::Rng) -> E,
    ) {
        let width = <L as Claimed<E>>::WIDTH;
        let mut random = fastrand::Rng::with_seed(4);
        for _ in 0..2_000 {
            let line = empty();
            let mut entries = Vec::new();
            for at in 0..random.usize(..=width) {
                let entry = entry(&mut random);
                assert_eq!(line.fill(at, entry), Ok(()));
                assert_eq!(line.fill(at, entry), Err(Blocked::Filled));
                entries.push(entry);
            }
            let vacant = (entries.len() < width).then_some(entries.len());
            if random.bool() {
                let mut seen = Vec::new();
                line.freeze(|entry| seen.push(entry));
                assert_eq!(seen, entries);
                if let Some(at) = vacant {
                    assert_eq!(line.fill(at, entry(&mut random)), Err(Blocked::Frozen));
                }
            }
            for key in (0..8).map(|_| entry(&mut random)).chain(entries.clone()) {
                let expected = (entries.contains(&key), vacant);
                assert!(look(&line, key).into_iter().all(|seen| seen == expected));
            }
            let mut seen = Vec::new();
            line.for_each(|entry| seen.push(entry));
            assert_eq!(seen, entries);
        }
    }

    /// What comes late is waited for, by those only who have the same first word. `same` and
    /// `similar` have it, `other` has not.
    pub fn the_rest_is_waited_for<E: Entry, L: Claimed<E>>(
        line: &L,
        [same, similar, other]: [E; 3],
    ) {
        assert_eq!(line.claim(0, L::first_of(same)), Ok(()));
        assert!(look(line, other).into_iter().all(|seen| seen == (false, Some(1))));
        std::thread::scope(|scope| {
            let found = scope.spawn(|| look(line, same));
            let missed = scope.spawn(|| look(line, similar));
            std::thread::sleep(std::time::Duration::from_millis(20));
            assert!(!found.is_finished() && !missed.is_finished());
            line.write_rest(0, same);
            assert!(found.join().expect("no panic").into_iter().all(|seen| seen.0));
            assert!(missed.join().expect("no panic").into_iter().all(|seen| !seen.0));
        });
    }
}
