//! How often states are arrived at, told from a sample.
//!
//! Says how much is hidden behind a missed state where it is not known which states lead to which (or too few are, see
//! [`shadows`](super::shadows)). If a share q of all states is arrived at
//! once, a state has q successors on average that nobody else leads to, each of these has q, and
//! so on: 1 / (1 - q) states are not met for one that was missed. Successors that several lead to can
//! be hidden as well, if all of these are behind the same state; that is not counted.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// One hash out of so many is in the sample.
const RARE: u64 = 1 << 10;
/// A larger sample says nothing more.
const ENOUGH: usize = 1 << 16;
/// Of some million states.
const SOME: usize = 1 << 13;
/// A smaller one says nothing.
const FEW: usize = 100;
/// Chains do not go on for ever.
const MOST: f64 = 0.9;

/// Numbers of arrivals of some states.
#[derive(Debug, Default)]
pub(super) struct Arrivals(Mutex<HashMap<u64, u32>>);

impl Arrivals {
    /// Takes note of an arrival at a state with this hash, if it is in the sample.
    #[inline]
    pub(super) fn note(&self, hash: u64) {
        if hash.is_multiple_of(RARE) {
            self.count(hash);
        }
    }

    #[cold]
    fn count(&self, hash: u64) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.len() < ENOUGH || counts.contains_key(&hash) {
            *counts.entry(hash).or_insert(0) += 1;
        }
    }

    /// Whether the sample is of some million states at most.
    pub(super) fn are_few(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len() < SOME
    }

    /// How many states are not met when one is missed.
    pub(super) fn hidden_factor(&self) -> f64 {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.len() < FEW {
            return 1.0;
        }
        let once = counts.values().filter(|count| **count == 1).count();
        let share = once as f64 / counts.len() as f64;
        1.0 / (1.0 - share.min(MOST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_one_way_to_it_is_hidden() {
        let arrivals = Arrivals::default();
        assert_eq!(arrivals.hidden_factor(), 1.0);
        for number in 0..1000 {
            arrivals.note(number * RARE);
            arrivals.note(number * RARE + 1);
            if number % 2 == 0 {
                arrivals.note(number * RARE);
            }
        }
        assert_eq!(arrivals.hidden_factor(), 2.0);
    }
}
