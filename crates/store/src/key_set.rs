//! Sets of keys: the visited part of a store that turns states into words.
//!
//! A key stands for one state only, so a set that keeps all of a key is exact. One that keeps less may take a state for
//! another one, and says how many it expects to have missed.

use crate::Loss;
use crate::concurrent::{Entry, Locator, Table};
use crate::prefetch::prefetch_at;
use crate::store::Insertion;
use crate::tree::Word;

/// Bytes of a set below which it is not too late to begin anew.
const SOON: u64 = 1 << 26;

/// A set of keys shared by threads.
pub trait KeySet: Sync {
    /// A word that was mixed.
    type Key: Word;
    /// What a thread has for itself.
    type Local: Send;
    /// Tells where keys are looked for.
    type Places<'a>: KeyPlaces<Self::Key>
    where
        Self: 'a;

    /// As on the command line.
    const NAME: &'static str;
    /// Whether the set wants to know which states lead to which: by [`set_origin`](Self::set_origin) and
    /// [`reach`](Self::reach).
    const FOLLOWS: bool = false;

    /// A thread's own part.
    fn local(&self) -> Self::Local;

    /// Says whether one thread has the set for itself from now on.
    fn set_alone(&self, _is_alone: bool) {}

    /// Whether groups of moves may sleep: no more than next to nothing was missed so far.
    #[inline]
    fn lets_sleep(&self) -> bool {
        true
    }

    /// Says that the keys reached from now on are those of successors of this state.
    #[inline]
    fn set_origin(&self, _local: &mut Self::Local, _key: Self::Key) {}

    /// There is a way from the origin to a state, which may be inserted later or not at all.
    #[inline]
    fn reach(&self, _local: &mut Self::Local, _key: Self::Key) {}

    /// Whether it matters where the origin leads to. All that it leads to has to be inserted then.
    #[inline]
    fn follows_origin(&self, _local: &Self::Local) -> bool {
        false
    }

    /// Whether that is so for one of these states.
    #[inline]
    fn follows_any(&self, _keys: &[Self::Key]) -> bool {
        false
    }

    /// Where keys are looked for.
    fn places(&self) -> Self::Places<'_>;

    /// Adds a key unless it is there.
    fn insert_key(&self, local: &mut Self::Local, key: Self::Key) -> Insertion<Self::Key>;

    /// The same for several; appends the numbers of those that were not there.
    fn insert_keys(
        &self,
        local: &mut Self::Local,
        keys: &[Self::Key],
        new: &mut Vec<(u32, Self::Key)>,
    );

    /// Adds the first of some keys that is not there, and tells which one it is.
    #[inline]
    fn insert_first(&self, local: &mut Self::Local, keys: &[Self::Key]) -> Option<usize> {
        let mut is_new =
            |key: &Self::Key| matches!(self.insert_key(local, *key), Insertion::New(_));
        keys.iter().position(&mut is_new)
    }

    /// Appends the places of the keys that are not there.
    #[inline]
    fn absent(&self, keys: &[Self::Key], out: &mut Vec<u32>) {
        out.extend((0..).zip(keys).filter(|(_, key)| !self.contains_key(**key)).map(|(at, _)| at));
    }

    /// Whether a key is there.
    fn contains_key(&self, key: Self::Key) -> bool;

    /// As [`Store::quiesce`](crate::Store::quiesce).
    fn quiesce(&self) {}

    /// Memory allocated. Constant time.
    fn bytes_used(&self) -> u64;

    /// Whether there are so few keys that it is not too late to begin anew.
    fn is_young(&self) -> bool {
        self.bytes_used() < SOON
    }

    /// As [`Store::loss`](crate::Store::loss).
    fn loss(&self, _stored: u64) -> Option<Loss> {
        None
    }
}

/// Tells where keys are looked for, of many in a row.
pub trait KeyPlaces<K>: Copy {
    /// Fetches what is looked at first for a key.
    fn prefetch(self, key: K);

    /// Fetches that and what is looked at next.
    #[inline(always)]
    fn prefetch_all(self, key: K) {
        self.prefetch(key);
    }
}

impl<K: Entry> KeyPlaces<K> for Locator<'_, K> {
    #[inline(always)]
    fn prefetch(self, key: K) {
        prefetch_at(self.address(key.tag()));
    }

    #[inline(always)]
    fn prefetch_all(self, key: K) {
        let line = self.address(key.tag());
        prefetch_at(line);
        prefetch_at(line.wrapping_add(64));
    }
}

/// Keys as the entries of a table.
impl<K: Word> KeySet for Table<K> {
    type Key = K;
    type Local = ();
    type Places<'a> = Locator<'a, K>;

    const NAME: &'static str = "tree";

    fn local(&self) {}

    fn set_alone(&self, is_alone: bool) {
        Table::set_alone(self, is_alone);
    }

    #[inline]
    fn places(&self) -> Locator<'_, K> {
        self.locator()
    }

    #[inline]
    fn insert_key(&self, _local: &mut (), key: K) -> Insertion<K> {
        if Table::insert_key(self, key) { Insertion::New(key) } else { Insertion::Known }
    }

    #[inline]
    fn insert_keys(&self, _local: &mut (), keys: &[K], new: &mut Vec<(u32, K)>) {
        Table::insert_keys(self, keys, new, |key| key);
    }

    #[inline]
    fn insert_first(&self, _local: &mut (), keys: &[K]) -> Option<usize> {
        Table::insert_first(self, keys)
    }

    #[inline]
    fn absent(&self, keys: &[K], out: &mut Vec<u32>) {
        Table::absent(self, keys, out);
    }

    #[inline]
    fn contains_key(&self, key: K) -> bool {
        Table::contains_key(self, key)
    }

    fn quiesce(&self) {
        Table::quiesce(self);
    }

    fn bytes_used(&self) -> u64 {
        Table::bytes_used(self)
    }
}
