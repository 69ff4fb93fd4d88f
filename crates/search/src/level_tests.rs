//! Breadth first by several threads against brute force and the plain searches.

use crate::frontier::Grain;
use crate::levels::search;
use crate::toy::{Behind, Edge, Graph, Grid, bad, behind, replay, violations};
use crate::toy_store::ToyStore;
use crate::{SearchConfig, breadth_first, parallel_breadth_first};
use spinor_store::{ExactStore, SharedExact, Store};
use spinor_ts::{
    Control, Depth, Expansion, Incomplete, Observer, Outcome, SilentObserver, Stats,
    TransitionSystem, Verdict, Violation, ViolationKind,
};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Every level is shared, in pieces as small as can be.
const FINE: Grain = Grain { chunk: 2, list: 3, share: 1 };

fn all_errors() -> SearchConfig {
    SearchConfig { max_errors: 0, ..SearchConfig::default() }
}

fn plain(mut system: Behind<'_>, config: &SearchConfig) -> Outcome {
    breadth_first(&mut system, &mut ExactStore::new(), config, &mut SilentObserver)
}

fn on<T: TransitionSystem + Clone + Send, S: Store>(
    store: &S,
    system: &T,
    threads: usize,
    config: &SearchConfig,
) -> Outcome {
    let mut systems = vec![system.clone(); threads];
    search(&mut behind(&mut systems), store, config, &mut SilentObserver, FINE)
}

/// Outcomes of all kinds of stores, with a number of threads.
fn outcomes(graph: &Graph, threads: usize, config: &SearchConfig) -> [Outcome; 4] {
    let lossy = ToyStore::<0>::default();
    let mut loses = on(&lossy, graph, threads, config);
    let last = loses.incomplete.pop();
    assert!(matches!(last, Some(Incomplete::Method(_))), "{last:?}");
    assert_eq!(loses.stats.hash_factor, Some(7.0));
    [
        loses,
        on(&ToyStore::<1>::default(), graph, threads, config),
        on(&ToyStore::<2>::default(), graph, threads, config),
        on(&SharedExact::new(), graph, threads, config),
    ]
}

/// Runs a check on many random graphs; the seed is in the message if it fails.
#[track_caller]
fn on_random_graphs(max_states: u32, check: impl Fn(&mut Graph, usize, &mut fastrand::Rng)) {
    for seed in 0..150 {
        let mut random = fastrand::Rng::with_seed(seed);
        let states = random.u32(1..=max_states);
        let max_steps = *random.choice(&[1, 2, 7, 20, 100]).expect("there are some");
        let threads = *random.choice(&[1, 2, 4, 8]).expect("there are some");
        let mut graph = Graph::random(&mut random, states, max_steps);
        let run = std::panic::AssertUnwindSafe(|| check(&mut graph, threads, &mut random));
        assert!(std::panic::catch_unwind(run).is_ok(), "failed with seed {seed}");
    }
}

fn counts(stats: &Stats) -> [u64; 7] {
    [
        stats.stored,
        stats.matched,
        stats.transitions,
        stats.expanded,
        stats.atomic_steps,
        stats.depth_reached,
        stats.state_bytes,
    ]
}

#[test]
fn threads_and_stores_change_nothing() {
    on_random_graphs(100, |graph, threads, _| {
        let plain = plain(graph, &all_errors());
        let shortest = graph.shortest_errors();
        for outcome in outcomes(graph, threads, &all_errors()) {
            assert_eq!(counts(&outcome.stats), counts(&plain.stats));
            assert_eq!(outcome.stats.stored, graph.distances().len() as u64);
            assert_eq!(outcome.incomplete, []);
            assert_eq!(outcome.error_count, plain.error_count);
            assert!(outcome.errors.is_sorted_by_key(|error| error.length));
            let all: BTreeSet<_> = shortest.keys().copied().collect();
            assert_eq!(violations(&outcome.errors), all);
            for error in &outcome.errors {
                assert_eq!(error.length, shortest[&error.violation]);
                let same = plain.errors.iter().find(|e| e.violation == error.violation);
                assert_eq!(same.map(|e| e.occurrences), Some(error.occurrences));
                replay(graph, error);
            }
        }
    });
}

#[test]
fn the_first_error_is_a_shortest_one() {
    on_random_graphs(100, |graph, threads, random| {
        let max_errors = random.u64(1..4);
        let config = SearchConfig { max_errors, ..SearchConfig::default() };
        let plain = plain(graph, &config);
        let shortest = graph.shortest_errors().into_values().min();
        for outcome in outcomes(graph, threads, &config) {
            assert_eq!(outcome.errors.first().map(|error| error.length), shortest);
            assert_eq!(outcome.error_count, plain.error_count);
            assert_eq!(outcome.stats.transitions, outcome.stats.stored + outcome.stats.matched);
            assert_eq!(outcome.incomplete, plain.incomplete);
            outcome.errors.iter().for_each(|error| replay(graph, error));
        }
    });
}

#[test]
fn a_bound_hides_nothing_within() {
    on_random_graphs(60, |graph, threads, random| {
        let bound = random.u64(..40);
        let config = SearchConfig { max_depth: Some(bound), ..all_errors() };
        let plain = plain(graph, &config);
        let cut = if graph.fits(bound) { vec![] } else { vec![Incomplete::Depth(bound)] };
        let mut within = graph.shortest_errors();
        within.retain(|_, length| *length <= bound);
        for outcome in outcomes(graph, threads, &config) {
            assert_eq!(counts(&outcome.stats), counts(&plain.stats));
            assert_eq!(outcome.incomplete, cut);
            let found = outcome.errors.iter().map(|error| (error.violation, error.length));
            assert_eq!(found.collect::<std::collections::BTreeMap<_, _>>(), within);
            outcome.errors.iter().for_each(|error| replay(graph, error));
        }
    });
}

#[test]
fn shortening_finds_a_shortest_error() {
    let config = SearchConfig { shorten: true, ..SearchConfig::default() };
    on_random_graphs(60, |graph, threads, _| {
        let plain = plain(graph, &config);
        for outcome in outcomes(graph, threads, &config) {
            let lengths = |outcome: &Outcome| {
                outcome.errors.iter().map(|error| error.length).collect::<Vec<_>>()
            };
            assert_eq!(lengths(&outcome), lengths(&plain));
            assert_eq!(outcome.error_count, plain.error_count);
            assert_eq!(outcome.incomplete, plain.incomplete);
            outcome.errors.iter().for_each(|error| replay(graph, error));
        }
    });
}

#[test]
fn hidden_bytes_travel_with_the_run() {
    on_random_graphs(60, |graph, threads, random| {
        graph.has_hidden = true;
        let max_depth = random.bool().then(|| random.u64(..30));
        let config = SearchConfig { max_depth, ..all_errors() };
        let bound = max_depth.unwrap_or(Depth::MAX);
        let within = graph.distances().into_values().filter(|distance| *distance <= bound).count();
        let mut shortest = graph.shortest_errors();
        shortest.retain(|_, length| *length <= bound);
        for outcome in outcomes(graph, threads, &config) {
            assert_eq!(outcome.stats.stored, within as u64);
            let found = outcome.errors.iter().map(|error| (error.violation, error.length));
            assert_eq!(found.collect::<std::collections::BTreeMap<_, _>>(), shortest);
            outcome.errors.iter().for_each(|error| replay(graph, error));
        }
    });
}

#[test]
fn ignored_kinds_are_no_errors() {
    on_random_graphs(40, |graph, threads, random| {
        let config = SearchConfig {
            ignore: BTreeSet::from([ViolationKind::Assertion]),
            max_depth: random.bool().then(|| random.u64(..25)),
            ..all_errors()
        };
        let plain = plain(graph, &config);
        for outcome in outcomes(graph, threads, &config) {
            assert_eq!(violations(&outcome.errors), violations(&plain.errors));
            assert_eq!(outcome.error_count, plain.error_count);
            assert_eq!(outcome.incomplete, plain.incomplete);
        }
    });
}

#[test]
fn a_model_that_fails_at_once() {
    let graph = Graph { fails_at_once: Some(bad(7)), ..Graph::line(3) };
    let outcome = on(&SharedExact::new(), &graph, 2, &SearchConfig::default());
    assert_eq!((outcome.errors.len(), outcome.error_count), (1, 1));
    assert!(outcome.errors[0].path.is_empty() && outcome.errors[0].length == 0);
    let ignore = BTreeSet::from([ViolationKind::Assertion]);
    let config = SearchConfig { ignore, ..SearchConfig::default() };
    assert_eq!(on(&SharedExact::new(), &graph, 2, &config).verdict(), Verdict::Incomplete);
    let outcome = on(&SharedExact::new(), &graph, 0, &config);
    assert_eq!(outcome.verdict(), Verdict::Incomplete);
}

#[test]
fn levels_of_many_chunks() {
    let grid = Grid { counters: 5, max: 11 };
    for threads in [1, 2, 4, 8] {
        let mut grids = vec![grid.clone(); threads];
        let store = SharedExact::new();
        let config = SearchConfig::default();
        let outcome =
            parallel_breadth_first(&mut behind(&mut grids), &store, &config, &mut SilentObserver);
        let [stored, matched, transitions, expanded, _, depth, _] = counts(&outcome.stats);
        assert_eq!((stored, expanded, depth), (12_u64.pow(5), 12_u64.pow(5), 55));
        assert_eq!((transitions, matched), (5 * 12_u64.pow(4) * 11 + 1, transitions - stored));
        assert_eq!(outcome.verdict(), Verdict::Holds);
        let rest = outcome.stats.peak_memory_bytes - outcome.stats.store_bytes;
        assert!(rest > 2 * stored && rest < 16 * stored, "{rest}");
    }
}

#[test]
fn a_long_way_back_is_found() {
    let mut graph = Graph::line(100_000);
    graph.edges[99_999] = vec![Edge::Bad(bad(1), 3)];
    let outcome = on(&SharedExact::new(), &graph, 2, &SearchConfig::default());
    assert_eq!((outcome.errors[0].path.len(), outcome.errors[0].length), (100_000, 100_002));
    replay(&mut graph, &outcome.errors[0]);
}

/// A grid that panics at a state, or takes its time.
#[derive(Clone)]
struct Unkind {
    grid: Grid,
    panics_at: Option<u8>,
    delay: Duration,
}

impl TransitionSystem for Unkind {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        self.grid.initial()
    }

    fn expand(&mut self, state: &[u8], out: &mut Expansion) {
        if let Some(value) = self.panics_at {
            assert!(state.iter().any(|byte| *byte != value), "as it was meant to");
        }
        if !self.delay.is_zero() {
            std::thread::sleep(self.delay);
        }
        self.grid.expand(state, out);
    }
}

#[test]
fn a_panic_is_passed_on() {
    let unkind =
        Unkind { grid: Grid { counters: 4, max: 9 }, panics_at: Some(5), delay: Duration::ZERO };
    for threads in [1, 2, 3, 8] {
        let run = || on(&SharedExact::new(), &unkind, threads, &SearchConfig::default());
        let panic = std::panic::catch_unwind(run).expect_err("it panics");
        let text = panic.downcast_ref::<&str>().copied();
        assert_eq!(text, Some("as it was meant to"));
    }
}

struct Interrupter {
    start: Instant,
    patience: Duration,
    calls: u64,
}

impl Observer for Interrupter {
    fn progress(&mut self, stats: &Stats) -> Control {
        self.calls += 1;
        assert!(stats.stored > 0 && stats.transitions >= stats.stored);
        let is_over = self.start.elapsed() > self.patience;
        if is_over { Control::Interrupt } else { Control::Continue }
    }
}

#[test]
fn slow_systems_can_be_interrupted() {
    let delay = Duration::from_millis(3);
    let unkind = Unkind { grid: Grid { counters: 6, max: 20 }, panics_at: None, delay };
    for threads in [1, 3] {
        let start = Instant::now();
        let mut observer = Interrupter { start, patience: Duration::from_millis(100), calls: 0 };
        let mut systems = vec![unkind.clone(); threads];
        let store = SharedExact::new();
        let config = SearchConfig::default();
        let outcome = search(&mut behind(&mut systems), &store, &config, &mut observer, FINE);
        assert_eq!(outcome.incomplete, [Incomplete::Interrupted]);
        assert!(observer.calls >= 2);
    }
}

/// A tree whose last level keeps the helper busy; the caller's thread is done at once, but
/// not before the helper has begun.
#[derive(Clone, Default)]
struct Idle {
    is_chief: bool,
    has_begun: Arc<AtomicBool>,
}

impl TransitionSystem for Idle {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        self.is_chief = true;
        Ok(vec![0; 4])
    }

    fn expand(&mut self, state: &[u8], out: &mut Expansion) {
        out.clear();
        let number = u32::from_le_bytes(state.try_into().expect("four bytes"));
        if !self.is_chief {
            self.has_begun.store(true, Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(5));
        } else if number >= 1093 {
            let start = Instant::now();
            while !self.has_begun.load(Ordering::Relaxed) {
                assert!(start.elapsed() < Duration::from_secs(60), "nobody helps");
                std::thread::yield_now();
            }
        }
        for next in (3 * number + 1..=3 * number + 3).filter(|next| *next < 3280) {
            out.push_successor(&next.to_le_bytes(), 1);
        }
    }
}

#[test]
fn the_caller_looks_up_while_others_work() {
    let patience = Duration::from_millis(100);
    let mut observer = Interrupter { start: Instant::now(), patience, calls: 0 };
    let has_begun = Arc::default();
    let mut systems = vec![Idle { is_chief: false, has_begun }; 2];
    // The helper's chunk of the last level would take five seconds.
    let grain = Grain { chunk: 1000, list: 1, share: 1000 };
    let config = SearchConfig::default();
    let outcome =
        search(&mut behind(&mut systems), &SharedExact::new(), &config, &mut observer, grain);
    assert_eq!(outcome.incomplete, [Incomplete::Interrupted]);
    assert!(outcome.stats.expanded < 3280, "the helper was stopped");
}

#[test]
fn memory_and_time_are_limited() {
    let grid = Grid { counters: 6, max: 20 };
    for threads in [1, 3] {
        let limit = 20_000_000;
        let config = SearchConfig { memory_limit_bytes: Some(limit), ..SearchConfig::default() };
        let outcome = on(&SharedExact::new(), &grid, threads, &config);
        assert_eq!(outcome.incomplete, [Incomplete::Memory(limit)]);
        assert!(outcome.stats.stored > 20_000, "{}", outcome.stats.stored);
        let peak = outcome.stats.peak_memory_bytes;
        assert!((limit..limit * 2).contains(&peak), "{peak}");

        let config = SearchConfig { time_limit: Some(Duration::ZERO), ..SearchConfig::default() };
        let outcome = on(&SharedExact::new(), &grid, threads, &config);
        assert_eq!(outcome.incomplete, [Incomplete::Time(Duration::ZERO)]);
    }
}
