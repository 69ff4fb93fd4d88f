//! Depth first on shared stores against the plain depth-first search.

use crate::toy::{Behind, Edge, Graph, Grid, bad};
use crate::toy_store::ToyStore;
use crate::{SearchConfig, depth_first, dive};
use spinor_store::{Bitstate, ExactStore, HashCompact, Insertion, SharedExact, Store, Tree};
use spinor_ts::{
    Control, Expansion, Incomplete, Layout, Observer, Outcome, SilentObserver, Stats,
    TransitionSystem, Verdict, Violation, ViolationKind,
};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

fn all_errors() -> SearchConfig {
    SearchConfig { max_errors: 0, ..SearchConfig::default() }
}

fn plain(mut system: Behind<'_>, config: &SearchConfig) -> Outcome {
    depth_first(&mut system, &mut ExactStore::new(), config, &mut SilentObserver)
}

fn on<S: Store>(store: &S, mut system: Behind<'_>, config: &SearchConfig) -> Outcome {
    dive(&mut system, store, config, &mut SilentObserver)
}

/// All that does not depend on the store and on how much was generated again.
fn figures(outcome: &Outcome) -> Stats {
    Stats {
        expanded: 0,
        store_bytes: 0,
        peak_memory_bytes: 0,
        search_time: Duration::ZERO,
        expected_omitted: None,
        hash_factor: None,
        ..outcome.stats.clone()
    }
}

#[track_caller]
fn assert_same(expected: &Outcome, found: &Outcome) {
    assert_eq!(figures(expected), figures(found));
    assert_eq!(expected.errors, found.errors);
    assert_eq!(expected.error_count, found.error_count);
    let sure = found.incomplete.iter().filter(|why| !matches!(why, Incomplete::Method(_)));
    assert!(expected.incomplete.iter().eq(sure), "{:?}", found.incomplete);
}

fn tree() -> Tree {
    let layout = |state: &[u8]| Layout { prefix: 0, ends: vec![2, state.len()], seams: Vec::new() };
    Tree::new(Arc::new(layout), &[])
}

/// Compares on all stores; without shedding the expansions agree as well. Lossy stores
/// are right, too, about so few states.
#[track_caller]
fn compare(graph: &mut Graph, config: &SearchConfig) {
    let expected = plain(graph, config);
    let check = |found: Outcome| {
        assert_same(&expected, &found);
        if config.stack_buffer_bytes > 1_000_000 {
            assert_eq!(expected.stats.expanded, found.stats.expanded);
        } else {
            assert!(expected.stats.stored <= found.stats.expanded);
        }
    };
    check(on(&ToyStore::<0>::default(), graph, config));
    check(on(&ToyStore::<1>::default(), graph, config));
    check(on(&ToyStore::<2>::default(), graph, config));
    check(on(&tree(), graph, config));
    check(on(&SharedExact::new(), graph, config));
    check(on(&HashCompact::new(), graph, config));
    check(on(&Bitstate::new(1 << 16, 3), graph, config));
}

#[track_caller]
fn on_random_graphs(check: impl Fn(&mut Graph, &mut fastrand::Rng)) {
    for seed in 0..600 {
        let mut random = fastrand::Rng::with_seed(seed);
        let states = random.u32(1..=80);
        let max_steps = *random.choice(&[1, 2, 7, 20]).expect("there are some");
        let mut graph = Graph::random(&mut random, states, max_steps);
        graph.has_hidden = random.bool();
        let run = std::panic::AssertUnwindSafe(|| check(&mut graph, &mut random));
        assert!(std::panic::catch_unwind(run).is_ok(), "failed with seed {seed}");
    }
}

#[test]
fn the_outcome_is_that_of_a_plain_search() {
    on_random_graphs(|graph, random| {
        let max_errors = random.u64(..4);
        let ignored = [ViolationKind::Assertion, ViolationKind::InvalidEndState];
        let ignore = BTreeSet::from([*random.choice(&ignored).expect("there are two")]);
        compare(graph, &SearchConfig { max_errors, ignore, ..all_errors() });
        compare(graph, &SearchConfig { max_errors, ..all_errors() });
    });
}

#[test]
fn a_short_stack_changes_nothing() {
    on_random_graphs(|graph, random| {
        let stack_buffer_bytes = random.usize(..600);
        compare(graph, &SearchConfig { stack_buffer_bytes, ..all_errors() });
        compare(graph, &SearchConfig { stack_buffer_bytes, ..SearchConfig::default() });
    });
}

#[test]
fn deep_entries_come_back_in_any_number() {
    for length in 1..120 {
        for has_hidden in [false, true] {
            // Each state has an event before and some after the one that leads on.
            let mut graph = Graph::line(length);
            for (state, edges) in graph.edges.iter_mut().enumerate() {
                edges.insert(0, Edge::To(0, 2));
                edges.push(Edge::To(state as u32 / 2, 3));
                edges.push(Edge::Bad(bad(state as u32 % 7), 1));
                edges.push(Edge::To((state as u32 + 2).min(length - 1), 1));
            }
            graph.has_hidden = has_hidden;
            compare(&mut graph, &SearchConfig { stack_buffer_bytes: 300, ..all_errors() });
        }
    }
}

#[test]
fn a_state_with_very_many_events() {
    let mut graph = Graph::line(50);
    graph.edges[20].extend((0..2_000).map(|index| Edge::To(index % 50, 1)));
    graph.edges[20].extend((0..2_000).map(|index| Edge::Bad(bad(index % 3), 1)));
    graph.edges[49].push(Edge::To(3, 1));
    for stack_buffer_bytes in [0, 500, 5_000, 1 << 26] {
        compare(&mut graph, &SearchConfig { stack_buffer_bytes, ..all_errors() });
    }
}

#[test]
fn a_lossy_store_proves_nothing() {
    let outcome = on(&ToyStore::<0>::default(), &mut Graph::line(30), &all_errors());
    assert_eq!(outcome.verdict(), Verdict::Incomplete);
    assert_eq!(outcome.stats.expected_omitted, Some(3.0));
    assert_eq!(outcome.stats.hash_factor, Some(7.0));
    let [Incomplete::Method(why)] = &outcome.incomplete[..] else {
        panic!("{:?}", outcome.incomplete);
    };
    assert!(why.contains("toy") && why.contains("3.00") && why.contains("7.0"), "{why}");
    let exact = on(&ToyStore::<2>::default(), &mut Graph::line(30), &all_errors());
    assert_eq!(exact.verdict(), Verdict::Holds);
}

#[test]
fn a_model_that_fails_at_once() {
    let mut graph = Graph { fails_at_once: Some(bad(7)), ..Graph::line(3) };
    compare(&mut graph, &SearchConfig::default());
    let ignore = BTreeSet::from([ViolationKind::Assertion]);
    let config = SearchConfig { ignore, ..SearchConfig::default() };
    let outcome = on(&ToyStore::<2>::default(), &mut graph, &config);
    assert_eq!(outcome.verdict(), Verdict::Incomplete);
}

/// States in a row; each has a second successor, further on or known.
struct Chain {
    length: u32,
    /// Size of a state.
    width: usize,
}

impl Chain {
    fn state(&self, number: u32) -> Vec<u8> {
        let mut state = number.to_le_bytes().to_vec();
        state.resize(self.width, 1);
        state
    }
}

impl TransitionSystem for Chain {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        Ok(self.state(0))
    }

    fn expand(&mut self, state: &[u8], out: &mut Expansion) {
        out.clear();
        let number = u32::from_le_bytes(state[..4].try_into().expect("four bytes"));
        out.deepest = 1;
        for next in [number + 1, number.wrapping_add(number % 3)] {
            if next < self.length {
                out.push_successor(&self.state(next), 1);
            }
        }
    }
}

/// A set of numbers below a bound, in no time.
struct Numbers {
    bits: Vec<AtomicU64>,
}

impl Store for Numbers {
    type Key = u64;
    type Ref = u64;
    type Local = ();
    type Identity = ();
    const KEY_IS_STATE: bool = true;
    const KEEPS_STATES: bool = true;

    fn name(&self) -> &'static str {
        "numbers"
    }

    fn local(&self) {}

    fn set_origin(&self, (): &mut (), _: &[u8]) {}

    fn load(&self, local: &mut (), state: u64, out: &mut Vec<u8>) {
        self.load_key(local, state, out);
    }

    fn load_key(&self, (): &mut (), key: u64, out: &mut Vec<u8>) {
        out.clear();
        out.extend_from_slice(&(key as u32).to_le_bytes());
    }

    fn key(&self, (): &mut (), state: &[u8]) -> u64 {
        u64::from(u32::from_le_bytes(state[..4].try_into().expect("four bytes")))
    }

    fn insert(&self, (): &mut (), key: u64, _: &[u8]) -> Insertion<u64> {
        let bit = 1 << (key % 64);
        let old = self.bits[key as usize / 64].fetch_or(bit, Ordering::Relaxed);
        if old & bit == 0 { Insertion::New(key) } else { Insertion::Known }
    }

    fn contains(&self, (): &mut (), key: u64, _: &[u8]) -> bool {
        self.bits[key as usize / 64].load(Ordering::Relaxed) >> (key % 64) & 1 != 0
    }

    fn bytes_used(&self) -> u64 {
        0
    }
}

#[track_caller]
fn check_chain<S: Store>(store: &S, mut chain: Chain, level: u64) {
    let config = SearchConfig { stack_buffer_bytes: 16 << 20, ..all_errors() };
    let stats = on(store, &mut chain, &config).stats;
    let length = u64::from(chain.length);
    assert_eq!((stats.stored, stats.depth_reached), (length, length));
    // Two successors each, but for the ends.
    let missing = stats.transitions.abs_diff(2 * length);
    assert!(missing < 5, "{missing}");
    let per_level = (stats.peak_memory_bytes - stats.store_bytes) / length;
    assert!(per_level < level, "{per_level}");
}

#[test]
fn ten_million_levels_cost_a_few_tens_of_bytes_each() {
    let length = 10_000_000;
    let bits = (0..=length / 64).map(|_| AtomicU64::new(0)).collect();
    check_chain(&Numbers { bits }, Chain { length, width: 4 }, 30);
}

/// Of the bytes of the states on the way a sixteenth is kept.
#[test]
fn levels_cost_little_where_the_store_does_not_keep_states() {
    let chain = Chain { length: 1_000_000, width: 160 };
    check_chain(&HashCompact::new(), chain, 24 + 20 + 32);
}

struct Interrupter {
    patience: u64,
}

impl Observer for Interrupter {
    fn progress(&mut self, stats: &Stats) -> Control {
        assert!(stats.stored > 0 && stats.transitions >= stats.stored);
        self.patience -= 1;
        if self.patience == 0 { Control::Interrupt } else { Control::Continue }
    }
}

#[test]
fn a_search_can_be_stopped() {
    let grid = || Grid { counters: 6, max: 20 };
    let mut observer = Interrupter { patience: 3 };
    let outcome = dive(
        &mut (&mut grid() as Behind<'_>),
        &ToyStore::<2>::default(),
        &SearchConfig::default(),
        &mut observer,
    );
    assert_eq!(outcome.incomplete, [Incomplete::Interrupted]);
    assert!((2_000..10_000).contains(&outcome.stats.stored), "{}", outcome.stats.stored);

    let config = SearchConfig { time_limit: Some(Duration::ZERO), ..SearchConfig::default() };
    let outcome = on(&ToyStore::<2>::default(), &mut grid(), &config);
    assert_eq!(outcome.incomplete, [Incomplete::Time(Duration::ZERO)]);

    let limit = 1_000_000;
    let config = SearchConfig { memory_limit_bytes: Some(limit), ..SearchConfig::default() };
    let outcome = on(&ToyStore::<2>::default(), &mut grid(), &config);
    assert_eq!(outcome.incomplete, [Incomplete::Memory(limit)]);
    assert!(outcome.stats.stored > 10_000, "{}", outcome.stats.stored);
}
