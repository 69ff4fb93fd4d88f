//! One line on stderr while a search runs, if somebody watches.

use crate::report::figures::{bytes, count};
use crate::{interrupt, output};
use spinor_check::{Control, Observer, Stats};
use std::time::{Duration, Instant};

/// Time between two updates of the line.
const PERIOD: Duration = Duration::from_millis(200);

/// Shows progress and passes on interrupts.
pub(crate) struct Progress {
    is_shown: bool,
    last: Instant,
    has_line: bool,
}

impl Progress {
    pub(crate) fn new() -> Self {
        Progress { is_shown: output::is_watched(), last: Instant::now(), has_line: false }
    }

    /// Takes the line away.
    pub(crate) fn finish(&mut self) {
        if std::mem::take(&mut self.has_line) {
            output::err("\r\x1b[K");
        }
    }
}

impl Observer for Progress {
    fn progress(&mut self, stats: &Stats) -> Control {
        if self.is_shown && self.last.elapsed() >= PERIOD {
            self.last = Instant::now();
            self.has_line = true;
            let seconds = stats.search_time.as_secs_f64().max(0.001);
            output::err(&format!(
                "\r\x1b[K{} states, {}/s, depth {}, {}, {seconds:.0} s",
                count(stats.stored),
                count((stats.stored as f64 / seconds) as u64),
                count(stats.depth_reached),
                bytes(stats.peak_memory_bytes),
            ));
        }
        if interrupt::is_requested() { Control::Interrupt } else { Control::Continue }
    }
}
