//! Visited sets.
//!
//! For threads that search together there is the trait [`Store`], with exact stores and
//! lossy ones; one lock-free table (`concurrent`) is under all but the set of bits.
//!
//! For one thread that numbers states there is [`Visited`]: byte strings in, dense ids
//! out, from zero without gaps, so whatever else is known of a state (its depth,
//! its parent, a mark) lives in a side table by id; the tables for that, [`ChunkedVec`],
//! [`DepthTable`] and [`BitSet`], are here too.
//!
//! Invariants
//! - A state's id never changes and its bytes can be had back by id.
//! - Memory is reported from capacities, in constant time: searches ask often.
//! - Nothing here copies everything in order to grow.
//! - Nothing here knows of models or of searches.

/// Tests with words and entries of either length.
#[cfg(test)]
macro_rules! in_all_lengths {
    ($($name:ident)*) => {
        mod short {
            $(#[test] fn $name() { super::$name::<u64>(); })*
        }
        mod long {
            $(#[test] fn $name() { super::$name::<u128>(); })*
        }
        mod wide {
            $(#[test] fn $name() { super::$name::<spinor_ts::Quad>(); })*
        }
    };
}
#[cfg(test)]
pub(crate) use in_all_lengths;

mod arena;
mod automaton;
mod bits;
mod bitstate;
mod blocks;
mod chunked;
mod collapse;
mod concurrent;
mod depths;
mod dictionary;
mod equal;
mod exact;
mod faults;
mod hash;
mod hash_compact;
mod hashed;
mod huge;
mod interleave;
mod key_numbers;
mod key_set;
mod prefetch;
mod reserve;
mod shared_exact;
mod store;
#[cfg(test)]
mod stress;
mod table;
mod threads;
mod tree;
mod visited;
mod zeroed;

pub use automaton::Automaton;
pub use bits::BitSet;
pub use bitstate::{Bitstate, BitstateLocal};
pub use blocks::Number;
pub use chunked::ChunkedVec;
pub use collapse::{Collapse, CollapseLocal, Collapser, CollapserLocal};
pub use concurrent::Table;
pub use depths::DepthTable;
pub use exact::ExactStore;
pub use faults::refuse_request;
pub use hash::hash;
pub use hash_compact::HashCompact;
pub use hashed::{Hashed, HashedLocal, HashedPlaces};
pub use key_numbers::KeyNumbers;
pub use key_set::{KeyPlaces, KeySet};
pub use prefetch::prefetch;
pub use reserve::{Allocator, LastWords, address_space, is_refused, set_aside, set_last_words};
pub use shared_exact::{SharedExact, SharedExactLocal};
pub use store::{
    Arrival, Dependence, Distinct, Insertion, Loss, Origins, Recall, Recalled, Store, Successors,
    Survey,
};
pub use threads::thread;
pub use tree::{LongTree, Tree, WideTree, Words, WordsLocal};
pub use visited::{Inserted, StateId, Visited};
