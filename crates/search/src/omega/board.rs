//! What the threads of a parallel search for cycles share.

use crate::SearchConfig;
use spinor_ts::{Depth, Path, Stats, Violation, ViolationKind};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The caller looks up so often.
const LOOK: Duration = Duration::from_millis(5);

/// Figures of a thread, for all to read.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Gauge {
    pub(crate) stored: AtomicU64,
    pub(crate) transitions: AtomicU64,
    pub(crate) expanded: AtomicU64,
    pub(crate) atomic_steps: AtomicU64,
    pub(crate) depth_reached: AtomicU64,
    pub(crate) state_bytes: AtomicU64,
    /// Memory that is the thread's own.
    pub(crate) memory: AtomicU64,
}

/// An error as a thread has found it.
#[derive(Clone, Debug)]
pub(crate) struct Find {
    pub(crate) path: Path,
    pub(crate) length: Depth,
    /// If it is a cycle: the state that the path leads back to.
    pub(crate) closing: Option<Vec<u8>>,
    pub(crate) occurrences: u64,
}

/// Errors so far.
#[derive(Debug, Default)]
pub(crate) struct Finds {
    pub(crate) errors: BTreeMap<Violation, Find>,
    pub(crate) cut: Option<&'static str>,
    pub(crate) count: u64,
}

/// How many threads are where.
#[derive(Debug)]
struct Presence {
    running: usize,
    parked: usize,
}

/// The board.
#[derive(Debug)]
pub(crate) struct Board {
    pub(crate) gauges: Vec<Gauge>,
    pub(crate) memory_limit: Option<u64>,
    pub(crate) bound: Depth,
    max_errors: u64,
    ignore: BTreeSet<ViolationKind>,
    stop: AtomicBool,
    pub(crate) is_over_memory: AtomicBool,
    pub(crate) is_cut_at_bound: AtomicBool,
    pub(crate) is_stuck: AtomicBool,
    /// Threads that wait for states to become red.
    pub(crate) waiting: AtomicUsize,
    pause: AtomicBool,
    presence: Mutex<Presence>,
    changed: Condvar,
    finds: Mutex<Finds>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Board {
    pub(crate) fn new(threads: usize, config: &SearchConfig) -> Self {
        Self {
            gauges: (0..threads).map(|_| Gauge::default()).collect(),
            memory_limit: config.memory_limit_bytes,
            bound: config.max_depth.unwrap_or(Depth::MAX),
            max_errors: config.max_errors,
            ignore: config.ignore.clone(),
            stop: AtomicBool::new(false),
            is_over_memory: AtomicBool::new(false),
            is_cut_at_bound: AtomicBool::new(false),
            is_stuck: AtomicBool::new(false),
            waiting: AtomicUsize::new(0),
            pause: AtomicBool::new(false),
            presence: Mutex::new(Presence { running: threads, parked: 0 }),
            changed: Condvar::new(),
            finds: Mutex::default(),
        }
    }

    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    pub(crate) fn ignores(&self, violation: Violation) -> bool {
        self.ignore.contains(&violation.kind)
    }

    /// Records an error if it is the first of its kind. Stops the search if one is wanted.
    pub(crate) fn find(
        &self,
        violation: Violation,
        length: Depth,
        path: impl FnOnce() -> (Path, Option<Vec<u8>>),
    ) {
        let mut finds = lock(&self.finds);
        finds.errors.entry(violation).or_insert_with(|| {
            let (path, closing) = path();
            Find { path, length, closing, occurrences: 0 }
        });
        if self.max_errors == 1 {
            self.stop();
        }
    }

    /// Counts an error that was recorded.
    pub(crate) fn count(&self, violation: Violation) {
        let finds = &mut *lock(&self.finds);
        if self.max_errors > 0 && finds.count >= self.max_errors {
            return;
        }
        if let Some(find) = finds.errors.get_mut(&violation) {
            find.occurrences += 1;
            finds.count += 1;
        }
        if finds.count == self.max_errors {
            self.stop();
        }
    }

    pub(crate) fn note_cut(&self, why: Option<&'static str>) {
        if why.is_some() {
            lock(&self.finds).cut = why;
        }
    }

    pub(crate) fn take_finds(&self) -> Finds {
        std::mem::take(&mut lock(&self.finds))
    }

    /// Number of threads that have not ended.
    pub(crate) fn running(&self) -> usize {
        lock(&self.presence).running
    }

    /// A thread has ended.
    pub(crate) fn end(&self) {
        lock(&self.presence).running -= 1;
        self.changed.notify_all();
    }

    /// To be called by threads now and then: waits while the caller wants them to rest.
    #[inline]
    pub(crate) fn rest(&self) {
        if self.pause.load(Ordering::Relaxed) {
            self.park();
        }
    }

    #[cold]
    fn park(&self) {
        let mut presence = lock(&self.presence);
        presence.parked += 1;
        self.changed.notify_all();
        while self.pause.load(Ordering::Relaxed) {
            presence = self.changed.wait(presence).unwrap_or_else(PoisonError::into_inner);
        }
        presence.parked -= 1;
    }

    /// Waits for a moment, or until a thread ends; whether some still run.
    pub(crate) fn watch(&self) -> bool {
        let presence = lock(&self.presence);
        if presence.running == 0 {
            return false;
        }
        let waited = self.changed.wait_timeout(presence, LOOK);
        let (presence, _) = waited.unwrap_or_else(PoisonError::into_inner);
        presence.running > 0
    }

    /// Does something while no thread works.
    pub(crate) fn at_rest(&self, work: impl FnOnce()) {
        self.pause.store(true, Ordering::Relaxed);
        let mut presence = lock(&self.presence);
        while presence.parked < presence.running {
            presence = self.changed.wait(presence).unwrap_or_else(PoisonError::into_inner);
        }
        work();
        self.pause.store(false, Ordering::Relaxed);
        drop(presence);
        self.changed.notify_all();
    }

    /// Adds up the figures; returns the threads' own memory.
    pub(crate) fn sum(&self, stats: &mut Stats) -> u64 {
        let sum = |of: fn(&Gauge) -> &AtomicU64| -> u64 {
            self.gauges.iter().map(|gauge| of(gauge).load(Ordering::Relaxed)).sum()
        };
        let max = |of: fn(&Gauge) -> &AtomicU64| -> u64 {
            let values = self.gauges.iter().map(|gauge| of(gauge).load(Ordering::Relaxed));
            values.max().unwrap_or(0)
        };
        stats.stored = sum(|gauge| &gauge.stored);
        stats.transitions = 1 + sum(|gauge| &gauge.transitions);
        stats.matched = stats.transitions.saturating_sub(stats.stored);
        stats.expanded = sum(|gauge| &gauge.expanded);
        stats.atomic_steps = sum(|gauge| &gauge.atomic_steps);
        stats.depth_reached = max(|gauge| &gauge.depth_reached);
        stats.state_bytes = max(|gauge| &gauge.state_bytes);
        sum(|gauge| &gauge.memory)
    }
}
