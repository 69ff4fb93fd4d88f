//! Time that this process spent computing.

use std::time::Duration;

/// CPU time of all threads so far, if it can be measured.
#[cfg(unix)]
pub(crate) fn time() -> Option<Duration> {
    use nix::time::{ClockId, clock_gettime};
    clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).ok().map(Duration::from)
}

#[cfg(not(unix))]
pub(crate) fn time() -> Option<Duration> {
    None
}
