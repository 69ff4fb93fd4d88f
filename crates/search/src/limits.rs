//! When to look up from the work, and when to stop.

use crate::SearchConfig;
use spinor_ts::{Control, Incomplete, Observer, Stats};
use std::time::{Duration, Instant};

/// Expansions between two looks at the clock, if they are fast.
const STRIDE: u32 = 256;
/// The same under a memory limit, which a few large states can overrun,
const STRIDE_MEMORY: u32 = 16;
/// and if states are no larger than so many bytes.
const STRIDE_SMALL: u32 = 64;
const SMALL: u64 = 256;
/// A stride should not take longer than this.
const STRIDE_TIME: Duration = Duration::from_millis(20);
/// The observer is called after so many expansions or so much time.
const POLL_EXPANSIONS: u32 = 1024;
const POLL_TIME: Duration = Duration::from_millis(50);

/// Said when the system gives no more memory.
const REFUSED: &str = "the system gave no more memory";

/// Memory in use.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Memory {
    /// The visited set.
    pub(crate) store: u64,
    /// Frontier and side tables.
    pub(crate) rest: u64,
}

/// Watches time, memory and the observer.
pub(crate) struct Limits<'o> {
    observer: &'o mut dyn Observer,
    memory_limit: Option<u64>,
    time_limit: Option<Duration>,
    start: Instant,
    last_look: Instant,
    last_poll: Instant,
    unpolled: u32,
    stride: u32,
    max_stride: u32,
    countdown: u32,
}

impl<'o> Limits<'o> {
    pub(crate) fn new(config: &SearchConfig, observer: &'o mut dyn Observer) -> Self {
        let now = Instant::now();
        let max_stride = if config.memory_limit_bytes.is_some() { STRIDE_MEMORY } else { STRIDE };
        Self {
            observer,
            memory_limit: config.memory_limit_bytes,
            time_limit: config.time_limit,
            start: now,
            last_look: now,
            last_poll: now,
            unpolled: 0,
            // How slow the model is will be seen.
            stride: 1,
            max_stride,
            countdown: 1,
        }
    }

    /// To be asked once per expansion: is it time for `check`?
    #[inline]
    pub(crate) fn is_due(&mut self) -> bool {
        self.countdown -= 1;
        self.countdown == 0
    }

    /// Changes the limit while the search runs.
    pub(crate) fn set_memory_limit(&mut self, bytes: u64) {
        self.memory_limit = Some(bytes);
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Completes the figures and says why to stop, if so.
    pub(crate) fn check(&mut self, stats: &mut Stats, memory: Memory) -> Result<(), Incomplete> {
        let now = Instant::now();
        if self.max_stride == STRIDE_MEMORY && (1..=SMALL).contains(&stats.state_bytes) {
            self.max_stride = STRIDE_SMALL;
        } else if self.max_stride == STRIDE_SMALL && stats.state_bytes > SMALL {
            self.max_stride = STRIDE_MEMORY;
            self.stride = self.stride.min(STRIDE_MEMORY);
        }
        self.pace(now);
        stats.search_time = now - self.start;
        note_memory(stats, memory);
        if let Some(limit) = self.memory_limit
            && memory.store + memory.rest > limit
        {
            return Err(Incomplete::Memory(limit));
        }
        if spinor_store::is_refused() {
            return Err(Incomplete::Method(REFUSED.to_owned()));
        }
        if let Some(limit) = self.time_limit
            && stats.search_time >= limit
        {
            return Err(Incomplete::Time(limit));
        }
        if self.unpolled >= POLL_EXPANSIONS || now - self.last_poll >= POLL_TIME {
            self.unpolled = 0;
            self.last_poll = now;
            if self.observer.progress(stats) == Control::Interrupt {
                return Err(Incomplete::Interrupted);
            }
        }
        Ok(())
    }

    /// Slow models are looked after more often.
    fn pace(&mut self, now: Instant) {
        let taken = now - self.last_look;
        self.last_look = now;
        self.unpolled += self.stride;
        if taken > STRIDE_TIME {
            self.stride = (self.stride / 4).max(1);
        } else if taken < STRIDE_TIME / 4 {
            self.stride = (self.stride * 2).min(self.max_stride);
        }
        self.countdown = self.stride;
    }
}

/// Enters memory in the figures.
pub(crate) fn note_memory(stats: &mut Stats, memory: Memory) {
    stats.store_bytes = memory.store;
    stats.peak_memory_bytes = stats.peak_memory_bytes.max(memory.store + memory.rest);
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinor_ts::SilentObserver;

    #[test]
    fn slow_models_are_looked_after_more_often() {
        let mut observer = SilentObserver;
        let mut limits = Limits::new(&SearchConfig::default(), &mut observer);
        let mut now = limits.start;
        let mut pace = |limits: &mut Limits, taken: Duration| {
            now += taken;
            limits.pace(now);
            limits.countdown
        };
        for stride in [2, 4, 8, 16, 32, 64, 128, 256, 256] {
            assert_eq!(pace(&mut limits, Duration::from_millis(1)), stride);
        }
        assert_eq!(pace(&mut limits, Duration::from_secs(1)), 64);
        assert_eq!(pace(&mut limits, Duration::from_millis(10)), 64);
        for _ in 0..5 {
            pace(&mut limits, Duration::from_secs(1));
        }
        assert_eq!(limits.countdown, 1);
        assert_eq!(pace(&mut limits, Duration::from_millis(1)), 2);
    }
}
