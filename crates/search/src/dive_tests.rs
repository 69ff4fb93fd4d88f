//! Depth first on shared stores against the plain depth-first search.

use crate::toy::{Edge, Graph, Grid, bad};
use crate::{SearchConfig, depth_first, dive};
use spinor_store::{ExactStore, Insertion, Loss, Store};
use spinor_ts::{
    Control, Expansion, Incomplete, Observer, Outcome, SilentObserver, Stats, TransitionSystem,
    Verdict, Violation, ViolationKind,
};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no test thread panics inside")
}

/// Keys are numbers of states, inserted or not.
#[derive(Default)]
struct Numbered {
    /// All bytes seen, and which of them were inserted.
    states: Mutex<(Vec<Vec<u8>>, HashMap<Vec<u8>, u64>, HashSet<u64>)>,
}

impl Store for Numbered {
    type Key = u64;
    type Ref = u64;
    type Local = Vec<u8>;
    const KEY_IS_STATE: bool = true;
    const KEEPS_STATES: bool = true;

    fn name(&self) -> &'static str {
        "numbered"
    }

    fn local(&self) -> Vec<u8> {
        Vec::new()
    }

    fn set_origin(&self, origin: &mut Vec<u8>, state: &[u8]) {
        *origin = state.to_vec();
    }

    fn load(&self, origin: &mut Vec<u8>, state: u64, out: &mut Vec<u8>) {
        self.load_key(origin, state, out);
    }

    fn load_key(&self, origin: &mut Vec<u8>, key: u64, out: &mut Vec<u8>) {
        out.clone_from(&lock(&self.states).0[key as usize]);
        origin.clone_from(out);
    }

    fn key(&self, _: &mut Vec<u8>, state: &[u8]) -> u64 {
        let (states, numbers, _) = &mut *lock(&self.states);
        *numbers.entry(state.to_vec()).or_insert_with(|| {
            states.push(state.to_vec());
            states.len() as u64 - 1
        })
    }

    fn insert(&self, _: &mut Vec<u8>, key: u64, _: &[u8]) -> Insertion<u64> {
        if lock(&self.states).2.insert(key) { Insertion::New(key) } else { Insertion::Known }
    }

    fn contains(&self, _: &mut Vec<u8>, key: u64, _: &[u8]) -> bool {
        lock(&self.states).2.contains(&key)
    }

    fn bytes_used(&self) -> u64 {
        lock(&self.states).2.len() as u64 * 40
    }
}

/// Keys say little, the bytes have to be right.
#[derive(Default)]
struct Whole {
    states: Mutex<HashSet<Vec<u8>>>,
}

impl Store for Whole {
    type Key = u8;
    type Ref = ();
    type Local = ();
    const KEY_IS_STATE: bool = false;
    const KEEPS_STATES: bool = false;

    fn name(&self) -> &'static str {
        "whole"
    }

    fn local(&self) {}

    fn set_origin(&self, (): &mut (), _: &[u8]) {}

    fn load(&self, (): &mut (), (): (), _: &mut Vec<u8>) {
        unreachable!("states are not kept");
    }

    fn load_key(&self, (): &mut (), _: u8, _: &mut Vec<u8>) {
        unreachable!("keys are no states");
    }

    fn key(&self, (): &mut (), state: &[u8]) -> u8 {
        state.len() as u8
    }

    fn insert(&self, (): &mut (), key: u8, state: &[u8]) -> Insertion<()> {
        assert_eq!(key, state.len() as u8);
        if lock(&self.states).insert(state.to_vec()) {
            Insertion::New(())
        } else {
            Insertion::Known
        }
    }

    fn contains(&self, (): &mut (), _: u8, state: &[u8]) -> bool {
        lock(&self.states).contains(state)
    }

    fn bytes_used(&self) -> u64 {
        lock(&self.states).len() as u64 * 40
    }

    fn loss(&self, stored: u64) -> Option<Loss> {
        Some(Loss { expected_omitted: stored as f64 / 10.0, hash_factor: Some(7.0) })
    }
}

fn all_errors() -> SearchConfig {
    SearchConfig { max_errors: 0, ..SearchConfig::default() }
}

fn plain<T: TransitionSystem>(system: &mut T, config: &SearchConfig) -> Outcome {
    depth_first(system, &mut ExactStore::new(), config, &mut SilentObserver)
}

fn on<S: Store, T: TransitionSystem>(store: &S, system: &mut T, config: &SearchConfig) -> Outcome {
    dive(system, store, config, &mut SilentObserver)
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

/// Compares on all stores; without shedding the expansions agree as well.
#[track_caller]
fn compare(graph: &mut Graph, config: &SearchConfig) {
    let expected = plain(graph, config);
    for found in [on(&Numbered::default(), graph, config), on(&Whole::default(), graph, config)] {
        assert_same(&expected, &found);
        if config.stack_buffer_bytes > 1_000_000 {
            assert_eq!(expected.stats.expanded, found.stats.expanded);
        } else {
            assert!(expected.stats.stored <= found.stats.expanded);
        }
    }
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
    let outcome = on(&Whole::default(), &mut Graph::line(30), &all_errors());
    assert_eq!(outcome.verdict(), Verdict::Incomplete);
    assert_eq!(outcome.stats.expected_omitted, Some(3.0));
    assert_eq!(outcome.stats.hash_factor, Some(7.0));
    let [Incomplete::Method(why)] = &outcome.incomplete[..] else {
        panic!("{:?}", outcome.incomplete);
    };
    assert!(why.contains("whole") && why.contains("3.00") && why.contains("7.0"), "{why}");
    let exact = on(&Numbered::default(), &mut Graph::line(30), &all_errors());
    assert_eq!(exact.verdict(), Verdict::Holds);
}

#[test]
fn a_model_that_fails_at_once() {
    let mut graph = Graph { fails_at_once: Some(bad(7)), ..Graph::line(3) };
    compare(&mut graph, &SearchConfig::default());
    let ignore = BTreeSet::from([ViolationKind::Assertion]);
    let config = SearchConfig { ignore, ..SearchConfig::default() };
    let outcome = on(&Numbered::default(), &mut graph, &config);
    assert_eq!(outcome.verdict(), Verdict::Incomplete);
}

/// States in a row; each has a second successor, far down or known.
struct Chain {
    length: u32,
}

impl TransitionSystem for Chain {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        Ok(0_u32.to_le_bytes().to_vec())
    }

    fn expand(&mut self, state: &[u8], out: &mut Expansion) {
        out.clear();
        let number = u32::from_le_bytes(state.try_into().expect("four bytes"));
        out.deepest = 1;
        for next in [number + 1, number.wrapping_add(number % 3)] {
            if next < self.length {
                out.push_successor(&next.to_le_bytes(), 1);
            }
        }
    }
}

/// A set of numbers below a bound: nothing of the search's time is its own.
struct Numbers {
    bits: Mutex<Vec<u64>>,
}

impl Store for Numbers {
    type Key = u64;
    type Ref = u64;
    type Local = ();
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
        u64::from(u32::from_le_bytes(state.try_into().expect("four bytes")))
    }

    fn insert(&self, (): &mut (), key: u64, _: &[u8]) -> Insertion<u64> {
        let word = &mut lock(&self.bits)[key as usize / 64];
        let bit = 1 << (key % 64);
        if *word & bit != 0 {
            return Insertion::Known;
        }
        *word |= bit;
        Insertion::New(key)
    }

    fn contains(&self, (): &mut (), key: u64, _: &[u8]) -> bool {
        lock(&self.bits)[key as usize / 64] >> (key % 64) & 1 != 0
    }

    fn bytes_used(&self) -> u64 {
        0
    }
}

#[test]
fn ten_million_levels_cost_a_few_tens_of_bytes_each() {
    let length = 10_000_000;
    let store = Numbers { bits: Mutex::new(vec![0; length as usize / 64 + 1]) };
    let config = SearchConfig { stack_buffer_bytes: 16 << 20, ..all_errors() };
    let outcome = on(&store, &mut Chain { length }, &config);
    assert_eq!(outcome.verdict(), Verdict::Holds);
    assert_eq!(outcome.stats.stored, u64::from(length));
    assert_eq!(outcome.stats.depth_reached, u64::from(length));
    // Two successors each, but for the ends.
    let missing = outcome.stats.transitions.abs_diff(2 * u64::from(length));
    assert!(missing < 5, "{missing}");
    let level = outcome.stats.peak_memory_bytes / u64::from(length);
    assert!(level < 30, "{level}");
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
    let outcome = dive(&mut grid(), &Numbered::default(), &SearchConfig::default(), &mut observer);
    assert_eq!(outcome.incomplete, [Incomplete::Interrupted]);
    assert!((2_000..10_000).contains(&outcome.stats.stored), "{}", outcome.stats.stored);

    let config = SearchConfig { time_limit: Some(Duration::ZERO), ..SearchConfig::default() };
    let outcome = on(&Numbered::default(), &mut grid(), &config);
    assert_eq!(outcome.incomplete, [Incomplete::Time(Duration::ZERO)]);

    let limit = 1_000_000;
    let config = SearchConfig { memory_limit_bytes: Some(limit), ..SearchConfig::default() };
    let outcome = on(&Numbered::default(), &mut grid(), &config);
    assert_eq!(outcome.incomplete, [Incomplete::Memory(limit)]);
    assert!(outcome.stats.stored > 10_000, "{}", outcome.stats.stored);
}
