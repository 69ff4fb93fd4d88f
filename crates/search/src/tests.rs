//! All searches against each other and against brute force on explicit graphs.

use crate::toy::{Edge, Graph, Grid, bad, replay, violations};
use crate::{SearchConfig, breadth_first, depth_first, stateless};
use spinor_store::{ExactStore, Visited};
use spinor_ts::{
    Control, Depth, Incomplete, Observer, Outcome, SilentObserver, Stats, TransitionSystem,
    Verdict, ViolationKind,
};
use std::collections::BTreeSet;
use std::time::Duration;

fn dfs<T: TransitionSystem>(system: &mut T, config: &SearchConfig) -> Outcome {
    depth_first(system, &mut ExactStore::new(), config, &mut SilentObserver)
}

fn bfs<T: TransitionSystem>(system: &mut T, config: &SearchConfig) -> Outcome {
    breadth_first(system, &mut ExactStore::new(), config, &mut SilentObserver)
}

fn without_store<T: TransitionSystem>(system: &mut T, config: &SearchConfig) -> Outcome {
    stateless(system, config, &mut SilentObserver)
}

fn all_errors() -> SearchConfig {
    SearchConfig { max_errors: 0, ..SearchConfig::default() }
}

fn bounded(bound: Depth) -> SearchConfig {
    SearchConfig { max_depth: Some(bound), ..all_errors() }
}

/// Runs a check on many random graphs; the seed is in the message if it fails.
#[track_caller]
fn on_random_graphs(max_states: u32, check: impl Fn(&mut Graph, &mut fastrand::Rng)) {
    for seed in 0..400 {
        let mut random = fastrand::Rng::with_seed(seed);
        let states = random.u32(1..=max_states);
        let max_steps = *random.choice(&[1, 2, 7, 20]).expect("there are some");
        let mut graph = Graph::random(&mut random, states, max_steps);
        let run = std::panic::AssertUnwindSafe(|| check(&mut graph, &mut random));
        assert!(std::panic::catch_unwind(run).is_ok(), "failed with seed {seed}");
    }
}

fn counts(stats: &Stats) -> [u64; 5] {
    [stats.stored, stats.matched, stats.transitions, stats.expanded, stats.atomic_steps]
}

#[test]
fn depth_first_and_breadth_first_count_alike() {
    on_random_graphs(60, |graph, _| {
        let deep = dfs(graph, &all_errors());
        let broad = bfs(graph, &all_errors());
        assert_eq!(counts(&deep.stats), counts(&broad.stats));
        assert_eq!(deep.stats.stored, graph.distances().len() as u64);
        assert_eq!(deep.stats.transitions, graph.transitions());
        assert_eq!(deep.stats.transitions, deep.stats.stored + deep.stats.matched);
        assert!(deep.incomplete.is_empty() && broad.incomplete.is_empty());
        assert_eq!(deep.error_count, broad.error_count);
        let expected: BTreeSet<_> = graph.shortest_errors().into_keys().collect();
        assert_eq!(violations(&deep.errors), expected);
        assert_eq!(violations(&broad.errors), expected);
        for outcome in [&deep, &broad] {
            let occurrences: u64 = outcome.errors.iter().map(|error| error.occurrences).sum();
            assert_eq!(occurrences, outcome.error_count);
            outcome.errors.iter().for_each(|error| replay(graph, error));
        }
    });
}

#[test]
fn breadth_first_finds_shortest_errors() {
    on_random_graphs(60, |graph, _| {
        let expected = graph.shortest_errors();
        let all = bfs(graph, &all_errors());
        for error in &all.errors {
            assert_eq!(error.length, expected[&error.violation]);
        }
        assert!(all.errors.is_sorted_by_key(|error| error.length));
        let first = bfs(graph, &SearchConfig::default());
        let lengths = first.errors.iter().map(|error| error.length);
        assert_eq!(lengths.min(), expected.values().copied().min());
        first.errors.iter().for_each(|error| replay(graph, error));
    });
}

#[test]
fn shortening_finds_a_shortest_error() {
    let config = SearchConfig { shorten: true, ..SearchConfig::default() };
    on_random_graphs(60, |graph, _| {
        let shortest = graph.shortest_errors().into_values().min();
        for outcome in [dfs(graph, &config), bfs(graph, &config)] {
            assert_eq!(outcome.errors.first().map(|error| error.length), shortest);
            outcome.errors.iter().for_each(|error| replay(graph, error));
        }
    });
    on_random_graphs(7, |graph, _| {
        let shortest = graph.shortest_errors().into_values().min();
        let outcome = without_store(graph, &config);
        assert_eq!(outcome.errors.first().map(|error| error.length), shortest);
    });
}

#[test]
fn shortening_passes_over_errors_of_equal_length() {
    let mut graph = Graph::new(vec![
        vec![Edge::Bad(bad(1), 5), Edge::Bad(bad(2), 5), Edge::Bad(bad(3), 4), Edge::To(1, 4)],
        vec![Edge::Bad(bad(4), 0), Edge::Bad(bad(3), 0)],
    ]);
    let config = SearchConfig { shorten: true, ..SearchConfig::default() };
    let outcome = dfs(&mut graph, &config);
    let found: Vec<_> = outcome.errors.iter().map(|error| error.violation).collect();
    assert_eq!((&found[..], outcome.error_count), (&[bad(3), bad(1)][..], 2));
    assert_eq!(outcome.incomplete, [Incomplete::Depth(3)]);
}

#[track_caller]
fn check_bounded(graph: &mut Graph, outcome: &Outcome, bound: Depth) {
    let within = graph.shortest_errors().into_iter().filter(|(_, length)| *length <= bound);
    let within: BTreeSet<_> = within.map(|(violation, _)| violation).collect();
    assert_eq!(violations(&outcome.errors), within);
    for error in &outcome.errors {
        assert!(error.length <= bound);
        replay(graph, error);
    }
    assert!(outcome.stats.depth_reached <= bound);
}

#[test]
fn a_bound_hides_nothing_within() {
    on_random_graphs(40, |graph, random| {
        let bound = random.u64(..25);
        let within = graph.distances().into_values().filter(|distance| *distance <= bound).count();
        let cut = if graph.fits(bound) { vec![] } else { vec![Incomplete::Depth(bound)] };
        for outcome in [dfs(graph, &bounded(bound)), bfs(graph, &bounded(bound))] {
            check_bounded(graph, &outcome, bound);
            assert_eq!(outcome.stats.stored, within as u64);
            assert_eq!(outcome.incomplete, cut);
        }
    });
}

#[test]
fn without_revisits_a_bound_may_hide_errors_but_says_so() {
    on_random_graphs(40, |graph, random| {
        let config = SearchConfig { revisit_shallower: false, ..bounded(random.u64(..25)) };
        let outcome = dfs(graph, &config);
        outcome.errors.iter().for_each(|error| replay(graph, error));
        if outcome.incomplete.is_empty() {
            assert_eq!(outcome.stats.stored, graph.distances().len() as u64);
            let all: BTreeSet<_> = graph.shortest_errors().into_keys().collect();
            assert_eq!(violations(&outcome.errors), all);
        }
    });
}

/// The book's Figure 8.3: the long way to state 2 is tried first.
#[test]
fn the_example_of_the_book() {
    let graph = Graph::new(vec![
        vec![Edge::To(1, 1), Edge::To(2, 1)],
        vec![Edge::To(2, 1)],
        vec![Edge::To(3, 1)],
        vec![Edge::Bad(bad(0), 0)],
    ]);
    let config = SearchConfig { revisit_shallower: false, ..bounded(2) };
    let missed = dfs(&mut graph.clone(), &config);
    assert_eq!((missed.verdict(), missed.stats.stored), (Verdict::Incomplete, 3));
    let found = dfs(&mut graph.clone(), &bounded(2));
    assert_eq!((found.verdict(), found.errors[0].length), (Verdict::Violated, 2));
    assert_eq!(counts(&found.stats)[..3], [4, 1, 5]);
    assert_eq!(found.errors[0].path, [1, 0, 0]);
    assert!(found.incomplete.is_empty());
    let config = SearchConfig { shorten: true, ..SearchConfig::default() };
    let shortened = dfs(&mut graph.clone(), &config);
    assert_eq!((shortened.error_count, shortened.errors[0].length), (2, 2));
}

#[test]
fn stateless_finds_the_same() {
    on_random_graphs(8, |graph, random| {
        let outcome = without_store(graph, &all_errors());
        let expected: BTreeSet<_> = graph.shortest_errors().into_keys().collect();
        assert_eq!(violations(&outcome.errors), expected);
        assert!(outcome.incomplete.is_empty());
        let stats = &outcome.stats;
        assert_eq!((stats.stored, stats.store_bytes), (0, 0));
        assert_eq!(stats.transitions, stats.expanded + stats.matched);
        outcome.errors.iter().for_each(|error| replay(graph, error));

        let bound = random.u64(..25);
        let outcome = without_store(graph, &bounded(bound));
        check_bounded(graph, &outcome, bound);
        assert!(!outcome.incomplete.is_empty() || graph.fits(bound));
    });
}

#[test]
fn a_short_stack_buffer_changes_nothing() {
    on_random_graphs(60, |graph, random| {
        graph.has_hidden = random.bool();
        let large =
            SearchConfig { max_depth: random.bool().then(|| random.u64(..25)), ..all_errors() };
        let small = SearchConfig { stack_buffer_bytes: random.usize(..300), ..large.clone() };
        let [large, small] = [large, small].map(|config| dfs(graph, &config));
        assert_eq!(counts(&large.stats)[..3], counts(&small.stats)[..3]);
        assert_eq!(large.stats.atomic_steps, small.stats.atomic_steps);
        assert_eq!(large.errors, small.errors);
        assert_eq!(large.incomplete, small.incomplete);
        assert!(large.stats.expanded <= small.stats.expanded);
    });
    on_random_graphs(8, |graph, random| {
        graph.has_hidden = random.bool();
        let small = SearchConfig { stack_buffer_bytes: 0, ..all_errors() };
        let [large, small] = [all_errors(), small].map(|config| without_store(graph, &config));
        assert_eq!(large.errors, small.errors);
        assert_eq!(large.stats.transitions, small.stats.transitions);
    });
}

#[test]
fn hidden_bytes_travel_with_the_run() {
    on_random_graphs(60, |graph, _| {
        graph.has_hidden = true;
        let expected: BTreeSet<_> = graph.shortest_errors().into_keys().collect();
        for outcome in [dfs(graph, &all_errors()), bfs(graph, &all_errors())] {
            assert_eq!(outcome.stats.stored, graph.distances().len() as u64);
            assert_eq!(violations(&outcome.errors), expected);
            outcome.errors.iter().for_each(|error| replay(graph, error));
        }
    });
}

#[test]
fn events_are_tried_in_order() {
    // Both ways end badly; the first one is the longer one.
    let mut graph = Graph::new(vec![
        vec![Edge::To(1, 5), Edge::Bad(bad(1), 1)],
        vec![Edge::To(0, 1), Edge::Bad(bad(2), 1), Edge::To(1, 1)],
    ]);
    let deep = dfs(&mut graph, &SearchConfig::default());
    assert_eq!(deep.errors[0].violation, bad(2));
    assert_eq!((&deep.errors[0].path[..], deep.errors[0].length), (&[0, 1][..], 6));
    assert_eq!(counts(&deep.stats)[..3], [2, 1, 3]);
    let broad = bfs(&mut graph, &SearchConfig::default());
    assert_eq!(broad.errors[0].violation, bad(1));
}

#[test]
fn the_search_stops_at_the_wanted_number_of_errors() {
    let mut graph = Graph::new(vec![vec![Edge::Bad(bad(1), 1); 10]]);
    for search in [dfs, bfs, without_store] {
        let config = SearchConfig { max_errors: 3, ..SearchConfig::default() };
        let outcome = search(&mut graph, &config);
        assert_eq!((outcome.error_count, outcome.errors.len()), (3, 1));
        assert_eq!(outcome.errors[0].occurrences, 3);
        assert_eq!(outcome.incomplete, [Incomplete::ErrorLimit(3)]);
        let outcome = search(&mut graph, &all_errors());
        assert_eq!((outcome.error_count, outcome.incomplete.len()), (10, 0));
    }
}

#[test]
fn ignored_kinds_are_no_errors() {
    on_random_graphs(40, |graph, random| {
        let ignore = BTreeSet::from([ViolationKind::Assertion]);
        let config = SearchConfig {
            ignore,
            max_depth: random.bool().then(|| random.u64(..25)),
            ..all_errors()
        };
        let mut expected = graph.shortest_errors();
        expected.retain(|violation, length| {
            violation.kind == ViolationKind::Runtime
                && Some(*length) <= config.max_depth.or(Some(Depth::MAX))
        });
        for outcome in [dfs(graph, &config), bfs(graph, &config)] {
            assert_eq!(violations(&outcome.errors), expected.keys().copied().collect());
        }
    });
}

#[test]
fn a_model_that_fails_at_once() {
    let mut graph = Graph { fails_at_once: Some(bad(7)), ..Graph::line(3) };
    for search in [dfs, bfs, without_store] {
        let outcome = search(&mut graph, &SearchConfig::default());
        assert_eq!((outcome.errors.len(), outcome.error_count), (1, 1));
        assert!(outcome.errors[0].path.is_empty() && outcome.errors[0].length == 0);
        let ignore = BTreeSet::from([ViolationKind::Assertion]);
        let outcome = search(&mut graph, &SearchConfig { ignore, ..SearchConfig::default() });
        assert_eq!(outcome.verdict(), Verdict::Incomplete);
    }
}

#[test]
fn a_state_without_events() {
    for search in [dfs, bfs, without_store] {
        let outcome = search(&mut Graph::line(1), &bounded(0));
        assert_eq!(outcome.verdict(), Verdict::Holds);
        assert_eq!(outcome.stats.transitions, 1);
    }
}

#[test]
fn the_grid_has_the_states_it_should() {
    for search in [dfs, bfs] {
        let outcome = search(&mut Grid { counters: 4, max: 9 }, &SearchConfig::default());
        assert_eq!(counts(&outcome.stats)[..3], [10_000, 36_001 - 10_000, 36_001]);
        assert_eq!((outcome.stats.depth_reached, outcome.stats.state_bytes), (36, 4));
        assert_eq!(outcome.verdict(), Verdict::Holds);
    }
}

#[test]
fn a_deep_stack_is_small() {
    let mut line = Graph::line(1_000_000);
    let mut visited = ExactStore::new();
    let outcome = depth_first(&mut line, &mut visited, &all_errors(), &mut SilentObserver);
    assert_eq!((outcome.stats.depth_reached, visited.len()), (999_999, 1_000_000));
    let stack = outcome.stats.peak_memory_bytes - outcome.stats.store_bytes;
    assert!(stack < 20_000_000, "{stack}");
}

struct Interrupter {
    calls: u64,
    patience: u64,
}

impl Observer for Interrupter {
    fn progress(&mut self, stats: &Stats) -> Control {
        self.calls += 1;
        assert!(stats.stored > 0 && stats.transitions >= stats.stored);
        if self.calls > self.patience { Control::Interrupt } else { Control::Continue }
    }
}

#[test]
fn the_observer_is_called_and_can_interrupt() {
    let mut line = Graph::line(100_000);
    let mut observer = Interrupter { calls: 0, patience: u64::MAX };
    let config = SearchConfig::default();
    depth_first(&mut line, &mut ExactStore::new(), &config, &mut observer);
    assert!((90..=110).contains(&observer.calls), "{}", observer.calls);

    let mut observer = Interrupter { calls: 0, patience: 3 };
    let outcome = breadth_first(&mut line, &mut ExactStore::new(), &config, &mut observer);
    assert_eq!(outcome.incomplete, [Incomplete::Interrupted]);
    assert!((3_000..6_000).contains(&outcome.stats.stored), "{}", outcome.stats.stored);
}

#[test]
fn memory_and_time_are_limited() {
    let mut grid = Grid { counters: 6, max: 20 };
    for search in [dfs, bfs] {
        let limit = 2_000_000;
        let config = SearchConfig { memory_limit_bytes: Some(limit), ..SearchConfig::default() };
        let outcome = search(&mut grid, &config);
        assert_eq!(outcome.incomplete, [Incomplete::Memory(limit)]);
        assert!(outcome.stats.stored > 20_000, "{}", outcome.stats.stored);
        let peak = outcome.stats.peak_memory_bytes;
        assert!((limit..limit * 3 / 2).contains(&peak), "{peak}");

        let config = SearchConfig { time_limit: Some(Duration::ZERO), ..SearchConfig::default() };
        let outcome = search(&mut grid, &config);
        assert_eq!(outcome.incomplete, [Incomplete::Time(Duration::ZERO)]);
    }
}
