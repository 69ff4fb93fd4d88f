//! Searches that go deep, beside one that goes level by level.
//!
//! Level by level the first error is a shortest one, but if levels are large, an error far from the
//! beginning is out of reach, although whoever goes deep may come upon it at once. So where a search
//! takes longer than a moment, a thread of its own looks for errors now and then: a small swarm, which
//! has part of the time and little memory. What it finds counts unless the search level by level comes
//! to an error itself, or to its end, in about as much time again. Errors are real whoever finds them;
//! that there are none only the search itself can say.

use crate::check::{Checker, own_c_memory};
use crate::config::{Customs, EngineKind, SearchOrder, StoreKind};
use crate::engine::{Searched, Setup, search};
use spinor_exec::Options;
use spinor_program::Program;
use spinor_search::SearchConfig;
use spinor_ts::{Control, FoundError, Incomplete, Observer, Stats};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A search that has not ended by then is joined by scouts for the first time.
const PATIENCE: Duration = Duration::from_millis(150);
/// They have one of so many parts of the time that has passed,
const SHARE: u32 = 4;
/// but not less than this, and come again when twice as much has passed.
const LEAST: Duration = Duration::from_millis(60);
/// A search level by level is given up at the earliest after this time.
const GRACE: Duration = Duration::from_secs(1);
/// Scouts of a round: one in the order of the model, one the other way round, the others by chance.
const SCOUTS: u32 = 3;
/// Binary logarithm of the bits of each: 16 MB,
pub(crate) const BITS: u32 = 27;
/// but at most one of so many parts of the memory.
const MEMORY_SHARE: u64 = 16;
/// Native code is made for scouts that have so much time.
const COMPILED: Duration = Duration::from_millis(500);
/// Expressions of a model may be nested deeply.
const STACK_BYTES: usize = 256 << 20;

/// Said of what scouts have found.
pub(crate) const FOUND: &str = "found by a search that goes deep, beside the one level by level: \
    there may be a shorter run, `--shortest` looks for it";

/// An error that scouts have found.
struct Find {
    errors: Vec<FoundError>,
    /// The search level by level has time until then.
    until: Instant,
}

/// What a search and its scouts tell each other.
struct Post {
    begin: Instant,
    /// The search has ended.
    is_over: AtomicBool,
    found: Mutex<Option<Find>>,
}

impl Post {
    fn new() -> Self {
        Self { begin: Instant::now(), is_over: AtomicBool::new(false), found: Mutex::default() }
    }

    fn publish(&self, errors: Vec<FoundError>) {
        let until = self.begin + (2 * self.begin.elapsed()).max(GRACE);
        *self.found.lock().unwrap_or_else(PoisonError::into_inner) = Some(Find { errors, until });
    }

    /// Whether the search has had its time.
    fn is_time_up(&self) -> bool {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.as_ref().is_some_and(|find| Instant::now() >= find.until)
    }
}

/// Ends a search when the time is up that it has beside a find.
struct Beside<'a> {
    observer: &'a mut dyn Observer,
    post: &'a Post,
    /// The user interrupted it.
    is_interrupted: bool,
}

impl Observer for Beside<'_> {
    fn progress(&mut self, stats: &Stats) -> Control {
        let control = self.observer.progress(stats);
        self.is_interrupted |= control == Control::Interrupt;
        if self.post.is_time_up() { Control::Interrupt } else { control }
    }
}

/// Ends scouts when the search has ended.
struct Recall<'a>(&'a Post);

impl Observer for Recall<'_> {
    fn progress(&mut self, _stats: &Stats) -> Control {
        if self.0.is_over.load(Ordering::Relaxed) { Control::Interrupt } else { Control::Continue }
    }
}

impl Checker<'_> {
    /// Whether a search is one that scouts may join: nobody has asked for an order, a shortest run, more than the first error,
    /// or a single thread.
    pub(crate) fn has_scouts(&self, setup: &Setup) -> bool {
        let config = self.config;
        setup.order == SearchOrder::Bfs
            && config.order.is_none()
            && config.threads != Some(1)
            && config.max_errors == 1
            && !config.shortest
            && config.max_depth.is_none()
            && config.context_bound.is_none()
            && config.swarm.is_none()
            && config.cache_bytes.is_none()
            && config.customs == Customs::default()
            && own_c_memory(self.program).is_none()
    }

    /// Runs a search, with scouts beside it once it takes longer. Errors are in events of `program`; says whether they
    /// are what scouts have found.
    pub(crate) fn with_scouts<E>(
        &self,
        program: &Arc<Program>,
        options: Options,
        setup: &Setup,
        config: &SearchConfig,
        observer: &mut dyn Observer,
        run: impl FnOnce(&mut dyn Observer) -> Result<Searched, E>,
    ) -> Result<(Searched, bool), E> {
        let post = Post::new();
        let mut beside = Beside { observer, post: &post, is_interrupted: false };
        let searched = std::thread::scope(|scope| {
            let (end, ended) = channel::<()>();
            let post = &post;
            let scouts = move || self.scout(program, options, setup, config, post, &ended);
            // Without a thread there are no scouts.
            let _ = spinor_store::thread(STACK_BYTES)
                .and_then(|thread| thread.name("scouts".to_owned()).spawn_scoped(scope, scouts));
            let searched = run(&mut beside);
            post.is_over.store(true, Ordering::Relaxed);
            drop(end);
            searched
        });
        let is_interrupted = beside.is_interrupted;
        let mut searched = searched?;
        let found = post.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        let outcome = &mut searched.outcome;
        let Some(find) = found.filter(|_| outcome.errors.is_empty()) else {
            return Ok((searched, false));
        };
        outcome.error_count = find.errors.iter().map(|error| error.occurrences).sum();
        outcome.errors = find.errors;
        outcome.incomplete.retain(|why| *why != Incomplete::Interrupted || is_interrupted);
        outcome.incomplete.push(Incomplete::ErrorLimit(config.max_errors));
        Ok((searched, true))
    }

    /// Looks for an error, round by round, until there is one or the search has ended.
    fn scout(
        &self,
        program: &Arc<Program>,
        options: Options,
        setup: &Setup,
        config: &SearchConfig,
        post: &Post,
        ended: &Receiver<()>,
    ) {
        let memory = config.memory_limit_bytes.map(|bytes| bytes / MEMORY_SHARE);
        let setup = Setup {
            order: SearchOrder::Dfs,
            store: StoreKind::Bitstate,
            threads: 1,
            bits: memory.map_or(BITS, |bytes| (bytes.max(1024).ilog2() + 2).min(BITS)),
            swarm: Some(SCOUTS),
            ..*setup
        };
        let mut is_reduced = None;
        let mut due = PATIENCE;
        for round in 0.. {
            let wait = due.saturating_sub(post.begin.elapsed());
            if ended.recv_timeout(wait) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let spent = post.begin.elapsed();
            due = 2 * spent;
            let time = (spent / SHARE).max(LEAST);
            let engine = if time < COMPILED { EngineKind::Interpreter } else { setup.engine };
            let setup = Setup { engine, hash_seed: setup.hash_seed + round, ..setup };
            let config = SearchConfig {
                time_limit: Some(time),
                memory_limit_bytes: memory,
                by_moves: false,
                ..config.clone()
            };
            let is_reduced =
                *is_reduced.get_or_insert_with(|| self.is_reducible(program, options, &setup));
            let mut recall = Recall(post);
            let found = if is_reduced {
                self.search_reduced(program, options, &setup, &config, &mut recall)
            } else {
                Ok(search(program, options, &setup, &config, &mut recall))
            };
            match found {
                Ok(found) if found.outcome.errors.is_empty() => {}
                Ok(mut found) => {
                    found.outcome.errors.truncate(1);
                    post.publish(found.outcome.errors);
                    return;
                }
                // What cannot be replayed is for the search itself to find.
                Err(_) => return,
            }
        }
    }
}
