//! Searches that go deep, beside one that goes level by level.
//!
//! Level by level the first error is a shortest one, but if levels are large, an error far from the
//! beginning is out of reach, although whoever goes deep may come upon it at once. So where a search
//! takes longer than a moment, a thread of its own looks for errors now and then: a small swarm, which
//! has part of the time and little memory. What it finds counts unless the search level by level comes
//! to an error itself, or to its end, in about as much time again. Errors are real whoever finds them;
//! that there are none only the search itself can say.

use crate::check::{CheckError, Checker, own_c_memory};
use crate::config::{Customs, CycleSearch, EngineKind, SearchOrder, StoreKind};
use crate::engine::{Searched, Setup, search};
use spinor_exec::Options;
use spinor_program::Program;
use spinor_search::SearchConfig;
use spinor_ts::{Control, FoundError, Incomplete, Observer, Stats};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
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

/// What scouts have found.
struct Find<F> {
    found: F,
    /// The search level by level has time until then.
    until: Instant,
}

/// What a search and its scouts tell each other.
struct Post<F> {
    begin: Instant,
    /// The search has ended.
    is_over: AtomicBool,
    find: Mutex<Option<Find<F>>>,
}

impl<F> Post<F> {
    fn new() -> Self {
        Self { begin: Instant::now(), is_over: AtomicBool::new(false), find: Mutex::new(None) }
    }

    fn publish(&self, found: F) {
        let until = self.begin + (2 * self.begin.elapsed()).max(GRACE);
        *self.find.lock().unwrap_or_else(PoisonError::into_inner) = Some(Find { found, until });
    }

    /// Whether the search has had its time.
    fn is_time_up(&self) -> bool {
        let find = self.find.lock().unwrap_or_else(PoisonError::into_inner);
        find.as_ref().is_some_and(|find| Instant::now() >= find.until)
    }
}

/// Ends a search when the time is up that it has beside a find.
struct Beside<'a, F> {
    observer: &'a mut dyn Observer,
    post: &'a Post<F>,
    /// The user interrupted it.
    is_interrupted: bool,
}

impl<F> Observer for Beside<'_, F> {
    fn progress(&mut self, stats: &Stats) -> Control {
        let control = self.observer.progress(stats);
        self.is_interrupted |= control == Control::Interrupt;
        if self.post.is_time_up() { Control::Interrupt } else { control }
    }
}

/// Ends scouts when the search has ended.
struct Recall<'a, F>(&'a Post<F>);

impl<F> Observer for Recall<'_, F> {
    fn progress(&mut self, _stats: &Stats) -> Control {
        if self.0.is_over.load(Ordering::Relaxed) { Control::Interrupt } else { Control::Continue }
    }
}

/// One time that scouts are sent out.
pub(crate) struct Round {
    number: u64,
    time: Duration,
}

impl Round {
    /// How they search: as a swarm, or for cycles if a search for cycles is given.
    pub(crate) fn setup(
        &self,
        setup: &Setup,
        config: &SearchConfig,
        cycles: Option<CycleSearch>,
    ) -> Setup {
        let memory = config.memory_limit_bytes.map(|bytes| bytes / MEMORY_SHARE);
        Setup {
            order: SearchOrder::Dfs,
            // Components cannot be told from bits.
            store: match cycles {
                Some(CycleSearch::Scc) => StoreKind::Tree,
                _ => StoreKind::Bitstate,
            },
            engine: if self.time < COMPILED { EngineKind::Interpreter } else { setup.engine },
            threads: 1,
            bits: memory.map_or(BITS, |bytes| (bytes.max(1024).ilog2() + 2).min(BITS)),
            hash_seed: setup.hash_seed + self.number,
            swarm: cycles.is_none().then_some(SCOUTS),
            cycles,
            ..*setup
        }
    }

    /// Within which limits.
    pub(crate) fn config(&self, config: &SearchConfig) -> SearchConfig {
        SearchConfig {
            time_limit: Some(self.time),
            memory_limit_bytes: config.memory_limit_bytes.map(|bytes| bytes / MEMORY_SHARE),
            ..config.clone()
        }
    }
}

/// Runs a search, with scouts beside it once it takes longer: `scout` is called round by round until it finds something, and
/// `search` is interrupted when its grace is over. Says what was found, and whether the user interrupted the search.
fn beside<R, F: Send>(
    observer: &mut dyn Observer,
    search: impl FnOnce(&mut dyn Observer) -> R,
    scout: impl Fn(&Round, &mut dyn Observer) -> Option<F> + Send,
) -> (R, Option<F>, bool) {
    let post = Post::new();
    let mut beside = Beside { observer, post: &post, is_interrupted: false };
    let result = std::thread::scope(|scope| {
        let (end, ended) = channel::<()>();
        let post = &post;
        let rounds = move || {
            let mut due = PATIENCE;
            for number in 0.. {
                let wait = due.saturating_sub(post.begin.elapsed());
                if ended.recv_timeout(wait) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
                let spent = post.begin.elapsed();
                due = 2 * spent;
                let round = Round { number, time: (spent / SHARE).max(LEAST) };
                if let Some(found) = scout(&round, &mut Recall(post)) {
                    post.publish(found);
                    return;
                }
            }
        };
        // Without a thread there are no scouts.
        let _ = spinor_store::thread(STACK_BYTES)
            .and_then(|thread| thread.name("scouts".to_owned()).spawn_scoped(scope, rounds));
        let result = search(&mut beside);
        post.is_over.store(true, Ordering::Relaxed);
        drop(end);
        result
    });
    let is_interrupted = beside.is_interrupted;
    let find = post.find.into_inner().unwrap_or_else(PoisonError::into_inner);
    (result, find.map(|find| find.found), is_interrupted)
}

/// Puts what scouts have found in the place of what a search has not.
pub(crate) fn take_over(searched: &mut Searched, errors: Vec<FoundError>, is_interrupted: bool) {
    let outcome = &mut searched.outcome;
    outcome.error_count = errors.iter().map(|error| error.occurrences).sum();
    outcome.errors = errors;
    outcome.incomplete.retain(|why| *why != Incomplete::Interrupted || is_interrupted);
    outcome.incomplete.push(Incomplete::ErrorLimit(1));
}

impl Checker<'_> {
    /// Whether scouts may join a search: nobody has asked for an order, a shortest run, more than the first error, a bound, or a
    /// single thread.
    pub(crate) fn wants_scouts(&self) -> bool {
        let config = self.config;
        config.order.is_none()
            && config.cycles.is_none()
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

    /// Searches for violations, with scouts. Errors are in events of `program`; says whether they are what scouts have found.
    pub(crate) fn with_scouts(
        &self,
        program: &Arc<Program>,
        options: Options,
        setup: &Setup,
        config: &SearchConfig,
        observer: &mut dyn Observer,
        run: impl FnOnce(&mut dyn Observer) -> Result<Searched, CheckError>,
    ) -> Result<(Searched, bool), CheckError> {
        let is_reduced = OnceLock::new();
        let scout = |round: &Round, observer: &mut dyn Observer| {
            let (setup, config) = (round.setup(setup, config, None), round.config(config));
            let found = if *is_reduced.get_or_init(|| self.is_reducible(program, options, &setup)) {
                // What cannot be replayed is for the search itself to find.
                self.search_reduced(program, options, &setup, &config, observer).ok()?
            } else {
                search(program, options, &setup, &config, observer)
            };
            let mut errors = found.outcome.errors;
            errors.truncate(1);
            (!errors.is_empty()).then_some(errors)
        };
        let (searched, found, is_interrupted) = beside(observer, run, scout);
        let mut searched = searched?;
        let found = found.filter(|_| searched.outcome.errors.is_empty());
        let is_scouted = found.is_some();
        if let Some(errors) = found {
            take_over(&mut searched, errors, is_interrupted);
        }
        Ok((searched, is_scouted))
    }

    /// The same for infinite runs.
    pub(crate) fn runs_with_scouts<R, F: Send>(
        &self,
        observer: &mut dyn Observer,
        search: impl FnOnce(&mut dyn Observer) -> R,
        scout: impl Fn(&Round, &mut dyn Observer) -> Option<F> + Send,
    ) -> (R, Option<F>, bool) {
        if self.wants_scouts() {
            return beside(observer, search, scout);
        }
        (search(observer), None, false)
    }
}
