//! Whether it pays to recall moves: where one large array is looked at by everybody, too few of them are known.

use crate::clock::thread_time;
use std::time::Duration;

/// Moves that are recalled in the time in which one is made, about.
const SEVERAL: u64 = 12;
/// How much slower it may be than going without, before it is left.
const SLACK: f64 = 1.1;
/// States after which it is looked at whether it was worth it,
const WINDOW: u64 = 1 << 11;
/// how many times in a row it must not have been to leave it,
const STRIKES: u32 = 4;
/// and for how many states at first.
const PAUSE: u64 = 1 << 15;

/// Whether moves are recalled for now.
pub(crate) struct Worth {
    pub(crate) is_on: bool,
    states: u64,
    /// After so many of these it is looked at whether it helps.
    window: u64,
    strikes: u32,
    /// Number of states after which it is tried again, and how long it rested.
    resumes: u64,
    pause: u64,
    /// From here on the rest is timed.
    timed_from: u64,
    /// Windows that do not count: at first nothing can be known.
    grace: u32,
    /// When something began that is being timed, in the thread's own time, and states expanded by then.
    since: Option<(Duration, u64)>,
    /// Seconds for a state without it; as much as you like if that was never timed.
    rested: f64,
}

impl Worth {
    pub(crate) fn new(is_on: bool) -> Self {
        Self {
            is_on,
            states: 0,
            window: WINDOW,
            strikes: 0,
            resumes: u64::MAX,
            timed_from: u64::MAX,
            pause: PAUSE,
            grace: 2,
            since: None,
            rested: f64::INFINITY,
        }
    }

    /// Whether to look, some states later.
    #[inline]
    pub(crate) fn is_due(&mut self, states: u64) -> bool {
        self.states += states;
        self.states >= self.window
    }

    /// Looks whether it helps. `known`, `unknown`: groups of moves since the last look; `expanded`: states so far.
    #[cold]
    pub(crate) fn judge(&mut self, known: u64, unknown: u64, expanded: u64) {
        self.window = WINDOW;
        let mut is_hopeless = 2 * unknown > known;
        // To make a move, and to find out what it depends on, costs as much as to recall several.
        let mut is_bad = SEVERAL * unknown > known;
        self.states = 0;
        let taken = self.lap(expanded);
        if self.grace > 0 {
            self.grace -= 1;
            return;
        }
        if is_bad && self.rested < f64::INFINITY {
            // It is known how long it takes without.
            is_bad = taken > SLACK * self.rested;
            is_hopeless &= is_bad;
        }
        self.strikes = if is_bad { self.strikes + 1 } else { 0 };
        if is_hopeless || self.strikes >= STRIKES {
            self.is_on = false;
            self.strikes = 0;
            // One short look then, unless it is better than before.
            self.window = WINDOW / 2;
            // What does not help twice will not soon.
            self.pause *= if is_hopeless { 4 } else { 2 };
            self.resumes = expanded + self.pause;
            self.timed_from = expanded + self.pause / 2;
            self.since = None;
        }
    }

    /// Seconds for a state since the last call.
    fn lap(&mut self, expanded: u64) -> f64 {
        let now = thread_time();
        let (begin, first) = self.since.replace((now, expanded)).unwrap_or((now, expanded));
        now.saturating_sub(begin).as_secs_f64() / (expanded - first).max(1) as f64
    }

    /// Whether to recall moves now.
    #[inline]
    pub(crate) fn is_on(&mut self, expanded: u64) -> bool {
        self.is_on || expanded >= self.timed_from && self.rest(expanded)
    }

    /// The second half of a rest is timed: what waits by then was found without recalling. Says whether
    /// the rest is over.
    #[cold]
    fn rest(&mut self, expanded: u64) -> bool {
        if self.since.is_none() {
            self.lap(expanded);
        } else if expanded >= self.resumes {
            self.rested = self.lap(expanded);
            self.is_on = true;
        }
        self.is_on
    }
}
