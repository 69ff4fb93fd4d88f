//! Many small searches in place of a large one.
//!
//! Each member searches depth first in a set of bits of its own: with its own hash, in its own order
//! of events, within its own depth. What one misses another one may see. G. J. Holzmann, R. Joshi,
//! A. Groce, "Swarm verification techniques" (2011).

mod distinct;
mod shuffle;

use crate::SearchConfig;
use crate::bit_states::bit_search;
use crate::limits::Memory;
use crate::run::Run;
use distinct::Distinct;
use shuffle::{Order, Shuffled};
use spinor_store::Bitstate;
use spinor_ts::{
    Control, Depth, FoundError, Incomplete, Observer, Outcome, Stats, TransitionSystem,
};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Expressions of a model may be nested deeply.
const STACK_BYTES: usize = 256 << 20;
/// The caller looks up so often while members search.
const LOOK: Duration = Duration::from_millis(20);
/// Members differ in their bounds on the depth, too.
const DEPTHS: [Option<Depth>; 4] = [None, Some(20_000), Some(1_000), Some(200_000)];

/// What a swarm is like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Swarm {
    /// Number of searches.
    pub members: usize,
    /// Binary logarithm of the number of bits of each.
    pub bits: u32,
    /// Bits per state of most of them.
    pub hash_functions: u32,
    /// Another number, another swarm.
    pub seed: u64,
}

/// How one member differs from the others.
struct Member {
    order: Order,
    depth: Option<Depth>,
    functions: u32,
    seed: u64,
}

impl Swarm {
    fn member(&self, number: usize) -> Member {
        let seed = (self.seed << 32) + number as u64;
        Member {
            order: match number % 4 {
                0 if number == 0 => Order::Given,
                1 => Order::Reversed,
                _ => Order::Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            },
            depth: DEPTHS[number / 2 % DEPTHS.len()],
            functions: if number % 3 == 2 { 2 } else { self.hash_functions },
            seed,
        }
    }
}

/// Runs a swarm on as many threads as there are systems, which have to be alike. Ends at the wanted
/// number of errors; time is divided among the members.
///
/// Figures are sums over the members, but for `stored`, an estimate of the number of different
/// states that were met. What is expected to be missing is estimated from how much of what one half
/// of the members has met the other half has met as well.
pub fn swarm<T: TransitionSystem + Send>(
    systems: &mut [T],
    swarm: &Swarm,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Outcome {
    let Some(first) = systems.first_mut() else {
        return Outcome::default();
    };
    let mut run = Run::new(config, observer);
    if let Err(stop) = run.initial(first) {
        return run.finish(stop.into_iter().collect(), Memory::default());
    }
    drop(run);
    let threads = systems.len();
    let board = Board {
        swarm,
        config,
        threads,
        start: Instant::now(),
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        seen: [Distinct::new(), Distinct::new()],
        merged: Mutex::default(),
    };
    let (done, finished) = channel();
    let interrupted = std::thread::scope(|scope| {
        for (thread, system) in systems.iter_mut().enumerate() {
            let (board, done) = (&board, done.clone());
            let work = move || board.work(system, &done);
            let name = format!("swarm {thread}");
            // Where there is no room for a thread the others have more to do.
            let _ = spinor_store::thread(STACK_BYTES)
                .and_then(|thread| thread.name(name).spawn_scoped(scope, work));
        }
        drop(done);
        let mut interrupted = false;
        loop {
            match finished.recv_timeout(LOOK) {
                Err(RecvTimeoutError::Disconnected) => return interrupted,
                Ok(()) | Err(RecvTimeoutError::Timeout) => {
                    if observer.progress(&board.stats()) == Control::Interrupt {
                        interrupted = true;
                        board.stop.store(true, Ordering::Relaxed);
                    }
                }
            }
        }
    });
    if let Some(system) = systems.first_mut() {
        // No thread could be started.
        board.work(system, &channel().0);
    }
    board.finish(interrupted)
}

/// What the threads of a swarm share.
struct Board<'a> {
    swarm: &'a Swarm,
    config: &'a SearchConfig,
    threads: usize,
    start: Instant,
    /// Next member.
    next: AtomicUsize,
    stop: AtomicBool,
    /// What members with even and with odd numbers have met.
    seen: [Distinct; 2],
    merged: Mutex<Merged>,
}

#[derive(Default)]
struct Merged {
    outcome: Outcome,
    /// Members that have run, and those that had seen all they could before a limit.
    run: usize,
    ended: usize,
}

impl Board<'_> {
    fn work<T: TransitionSystem>(&self, system: &mut T, done: &Sender<()>) {
        while !self.stop.load(Ordering::Relaxed) {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.swarm.members {
                return;
            }
            let Some(config) = self.share(number) else { return };
            self.search(system, number, &config);
            // The caller waits for all of them.
            let _ = done.send(());
        }
    }

    /// What a member may use up; nothing if there is no time left.
    fn share(&self, number: usize) -> Option<SearchConfig> {
        let member = self.swarm.member(number);
        let bounds = [member.depth, self.config.max_depth];
        let time_limit = match self.config.time_limit {
            None => None,
            Some(limit) => {
                let left =
                    limit.checked_sub(self.start.elapsed()).filter(|left| !left.is_zero())?;
                let rounds = (self.swarm.members - number).div_ceil(self.threads).max(1);
                Some(left / u32::try_from(rounds).unwrap_or(u32::MAX))
            }
        };
        Some(SearchConfig {
            max_depth: bounds.into_iter().flatten().min(),
            time_limit,
            memory_limit_bytes: self.config.memory_limit_bytes.map(|m| m / self.threads as u64),
            shorten: false,
            revisit_shallower: false,
            ..self.config.clone()
        })
    }

    fn search<T: TransitionSystem>(&self, system: &mut T, number: usize, config: &SearchConfig) {
        let member = self.swarm.member(number);
        let store = Bitstate::seeded(1 << self.swarm.bits, member.functions, member.seed);
        let mut shuffled = Shuffled::new(system, member.order);
        let mut watch = Watch { board: self, last: Stats::default() };
        let mut seen = |hash| self.seen[number % 2].add(hash);
        let mut outcome = bit_search(&mut shuffled, &store, &mut seen, config, &mut watch);
        for error in &mut outcome.errors {
            if let Some(path) = shuffled.path_of_system(&error.path) {
                error.path = path;
            }
        }
        watch.publish(&outcome.stats);
        self.merge(outcome);
    }

    fn merge(&self, outcome: Outcome) {
        let mut merged = self.merged.lock().unwrap_or_else(PoisonError::into_inner);
        let is_limit = |why: &Incomplete| {
            matches!(why, Incomplete::Memory(_) | Incomplete::Time(_) | Incomplete::Interrupted)
        };
        merged.run += 1;
        merged.ended += usize::from(!outcome.incomplete.iter().any(is_limit));
        let all = &mut merged.outcome;
        all.error_count += outcome.error_count;
        outcome.errors.into_iter().for_each(|error| add_error(&mut all.errors, error));
        for why in outcome.incomplete {
            // Why an expansion was not whole; what the store misses is told of the whole swarm.
            let is_told = matches!(&why, Incomplete::Method(text) if !text.contains("store can"));
            if is_told && !all.incomplete.contains(&why) {
                all.incomplete.push(why);
            }
        }
        let wanted = self.config.max_errors;
        if wanted > 0 && all.error_count >= wanted {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn stats(&self) -> Stats {
        let mut stats =
            self.merged.lock().unwrap_or_else(PoisonError::into_inner).outcome.stats.clone();
        let [even, odd] = &self.seen;
        stats.stored = even.union(odd).round() as u64;
        stats.search_time = self.start.elapsed();
        stats
    }

    fn finish(self, interrupted: bool) -> Outcome {
        let stats = self.stats();
        let Merged { mut outcome, run, ended } =
            self.merged.into_inner().unwrap_or_else(PoisonError::into_inner);
        outcome.stats = stats;
        let [even, odd] = &self.seen;
        let missed = missed(even.count(), odd.count(), even.union(odd));
        outcome.stats.expected_omitted = missed;
        let told = match missed {
            Some(missed) => format!("expected to be missed: about {missed:.0}"),
            None => "too few of them met twice to tell how many were missed".to_owned(),
        };
        let mut incomplete = Vec::new();
        if interrupted {
            incomplete.push(Incomplete::Interrupted);
        } else if let Some(limit) = self.config.time_limit.filter(|t| self.start.elapsed() >= *t) {
            incomplete.push(Incomplete::Time(limit));
        } else if self.stop.load(Ordering::Relaxed) {
            incomplete.push(Incomplete::ErrorLimit(self.config.max_errors));
        }
        incomplete.push(Incomplete::Method(format!(
            "a swarm sees part of the states: {run} of {} searches were run, {ended} to their end, \
             about {} different states ({told})",
            self.swarm.members, outcome.stats.stored
        )));
        incomplete.append(&mut outcome.incomplete);
        outcome.incomplete = incomplete;
        outcome
    }
}

/// States that neither half has met, if those that one half has met are as likely to be met by
/// the other as any others. `None` if nearly none was met by both.
fn missed(even: f64, odd: f64, union: f64) -> Option<f64> {
    let both = even + odd - union;
    // Within the error of the counts nothing can be told.
    (both > 0.05 * union).then(|| (even * odd / both - union).max(0.0))
}

/// Adds an error, or keeps the shorter one of two of a kind.
fn add_error(errors: &mut Vec<FoundError>, mut error: FoundError) {
    let Some(known) = errors.iter_mut().find(|known| known.violation == error.violation) else {
        errors.push(error);
        return;
    };
    error.occurrences += known.occurrences;
    if error.length < known.length {
        *known = error;
    } else {
        known.occurrences = error.occurrences;
    }
}

/// Stops a member, and adds up what all of them do.
struct Watch<'b, 'a> {
    board: &'b Board<'a>,
    /// What was added already.
    last: Stats,
}

impl Watch<'_, '_> {
    fn publish(&mut self, stats: &Stats) {
        let mut merged = self.board.merged.lock().unwrap_or_else(PoisonError::into_inner);
        let (all, last) = (&mut merged.outcome.stats, &self.last);
        all.matched += stats.matched - last.matched;
        all.transitions += stats.transitions - last.transitions;
        all.expanded += stats.expanded - last.expanded;
        all.atomic_steps += stats.atomic_steps - last.atomic_steps;
        all.depth_reached = all.depth_reached.max(stats.depth_reached);
        all.state_bytes = all.state_bytes.max(stats.state_bytes);
        let threads = self.board.threads as u64;
        all.store_bytes = all.store_bytes.max(stats.store_bytes * threads);
        all.peak_memory_bytes = all.peak_memory_bytes.max(stats.peak_memory_bytes * threads);
        self.last = stats.clone();
    }
}

impl Observer for Watch<'_, '_> {
    fn progress(&mut self, stats: &Stats) -> Control {
        self.publish(stats);
        if self.board.stop.load(Ordering::Relaxed) { Control::Interrupt } else { Control::Continue }
    }
}

#[cfg(test)]
mod tests;
