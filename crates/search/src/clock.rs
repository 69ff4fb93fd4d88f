//! Time that a thread spent computing: what else the machine does must not count for what is worth its while.

use std::time::Duration;

/// Time of this thread since some moment in the past.
#[cfg(unix)]
#[must_use]
pub fn thread_time() -> Duration {
    use nix::time::{ClockId, clock_gettime};
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

/// Time since the first call.
#[cfg(not(unix))]
#[must_use]
pub fn thread_time() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed()
}
