//! Memory that is refused on purpose, so that tests get to see every place where it may be.
//!
//! Requests for much memory are counted; one of them, or all from one on, is treated as if the system had
//! said no.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Requests for fewer bytes do not count: there is always room for these.
const MUCH: usize = 64 << 10;

/// Requests up to the one that is refused; 0 if none is.
static LEFT: AtomicU64 = AtomicU64::new(0);
/// So are all that follow.
static FOR_GOOD: AtomicBool = AtomicBool::new(false);

/// Refuses the request of this number, counted from 1, and those that follow as well if `for_good`.
pub fn refuse_request(number: u64, for_good: bool) {
    FOR_GOOD.store(for_good, Ordering::Relaxed);
    LEFT.store(number, Ordering::Relaxed);
}

/// Whether a request for so many bytes is to be refused.
#[inline]
pub(crate) fn refuses(bytes: usize) -> bool {
    bytes >= MUCH && LEFT.load(Ordering::Relaxed) > 0 && count_down()
}

#[cold]
fn count_down() -> bool {
    let step = |left: u64| match left {
        0 => None,
        1 if FOR_GOOD.load(Ordering::Relaxed) => Some(1),
        left => Some(left - 1),
    };
    LEFT.fetch_update(Ordering::Relaxed, Ordering::Relaxed, step) == Ok(1)
}
