//! Directed searches against brute force on random graphs.

use super::*;
use crate::SearchConfig;
use crate::toy::{Edge, Graph, bad, replay, violations};
use spinor_ts::{Depth, Estimate, HOPELESS, SilentObserver, Verdict};
use std::collections::BTreeMap;

/// The distance to the nearest error, made smaller (or larger) by some of the states' bytes.
struct Distances {
    to_error: BTreeMap<u32, Depth>,
    /// Estimates are at most so many percent of the distance.
    percent: u64,
}

impl Distances {
    fn new(graph: &Graph, percent: u64) -> Self {
        let mut to_error: BTreeMap<u32, Depth> = BTreeMap::new();
        loop {
            let mut changed = false;
            for (state, edges) in (0..).zip(&graph.edges) {
                for edge in edges {
                    let length = match edge {
                        Edge::Bad(_, steps) => Some(Depth::from(*steps)),
                        Edge::To(to, steps) => to_error.get(to).map(|d| d + Depth::from(*steps)),
                    };
                    if let Some(length) = length
                        && to_error.get(&state).is_none_or(|known| length < *known)
                    {
                        to_error.insert(state, length);
                        changed = true;
                    }
                }
            }
            if !changed {
                return Self { to_error, percent };
            }
        }
    }
}

impl Estimate for Distances {
    fn estimate(&mut self, state: &[u8]) -> u32 {
        let number = u32::from_le_bytes(state[..4].try_into().expect("four bytes"));
        match self.to_error.get(&number) {
            // Some states are estimated worse than others, so it is not consistent.
            Some(distance) if number.is_multiple_of(3) => (distance * self.percent / 100) as u32,
            Some(distance) => (distance * self.percent / 200) as u32,
            None => HOPELESS,
        }
    }
}

const RANKINGS: [Ranking; 4] =
    [Ranking::Estimate, Ranking::Sum { weight: 0 }, Ranking::A_STAR, Ranking::Sum { weight: 350 }];

fn best(graph: &mut Graph, percent: u64, ranking: Ranking, config: &SearchConfig) -> Directed {
    let mut estimate = Distances::new(graph, percent);
    best_first(graph, &mut estimate, ranking, config, &mut SilentObserver)
}

fn deepening(graph: &mut Graph, percent: u64, table: IdaTable, config: &SearchConfig) -> Directed {
    let mut estimate = Distances::new(graph, percent);
    iterative_deepening(graph, &mut estimate, table, config, &mut SilentObserver)
}

const BITS: IdaTable = IdaTable::Bits { bits: 1 << 16, functions: 2, restarts: 1 };

#[test]
fn the_first_error_is_a_shortest_one() {
    for seed in 0..400 {
        let mut random = fastrand::Rng::with_seed(seed);
        let states = random.u32(1..60);
        let mut graph = Graph::random(&mut random, states, 4);
        let shortest = graph.shortest_errors().into_values().min();
        let config = SearchConfig::default();
        for percent in [0, 50, 100] {
            let results = [
                best(&mut graph, percent, Ranking::A_STAR, &config),
                deepening(&mut graph, percent, IdaTable::Exact, &config),
            ];
            for Directed { outcome, .. } in results {
                assert_eq!(outcome.errors.first().map(|e| e.length), shortest, "seed {seed}");
                outcome.errors.iter().for_each(|error| replay(&mut graph, error));
            }
        }
    }
}

#[test]
fn everything_is_found_whatever_the_order() {
    for seed in 0..200 {
        let mut random = fastrand::Rng::with_seed(seed);
        let states = random.u32(1..60);
        let mut graph = Graph::random(&mut random, states, 3);
        graph.has_hidden = seed % 5 == 4;
        let wanted = graph.shortest_errors();
        let config = SearchConfig { max_errors: 0, ..SearchConfig::default() };
        for (ranking, percent) in RANKINGS.into_iter().flat_map(|r| [(r, 100), (r, 300)]) {
            let Directed { outcome, .. } = best(&mut graph, percent, ranking, &config);
            assert_eq!(outcome.incomplete, []);
            if !graph.has_hidden {
                assert_eq!(outcome.stats.stored, graph.distances().len() as u64);
            }
            assert_eq!(violations(&outcome.errors), wanted.keys().copied().collect());
            outcome.errors.iter().for_each(|error| replay(&mut graph, error));
        }
        let Directed { outcome, .. } = deepening(&mut graph, 300, IdaTable::Exact, &config);
        assert_eq!(outcome.incomplete, []);
        assert_eq!(violations(&outcome.errors), wanted.keys().copied().collect());
        outcome.errors.iter().for_each(|error| replay(&mut graph, error));
        let Directed { outcome, .. } = deepening(&mut graph, 100, BITS, &config);
        assert_ne!(outcome.incomplete, []);
        outcome.errors.iter().for_each(|error| replay(&mut graph, error));
        let mut estimate = Distances::new(&graph, 100);
        let wide = beam(&mut graph, &mut estimate, usize::MAX, &config, &mut SilentObserver);
        assert_eq!(violations(&wide.outcome.errors), wanted.keys().copied().collect());
        assert_eq!(wide.outcome.incomplete, []);
        wide.outcome.errors.iter().for_each(|error| replay(&mut graph, error));
    }
}

#[test]
fn a_bound_hides_nothing_within_it() {
    for seed in 0..200 {
        let mut random = fastrand::Rng::with_seed(seed);
        let states = random.u32(1..40);
        let mut graph = Graph::random(&mut random, states, 3);
        let bound = random.u64(..12);
        let near = graph.shortest_errors().into_iter().filter(|(_, length)| *length <= bound);
        let near: std::collections::BTreeSet<_> = near.map(|(violation, _)| violation).collect();
        let config =
            SearchConfig { max_errors: 0, max_depth: Some(bound), ..SearchConfig::default() };
        for ranking in RANKINGS {
            let Directed { outcome, .. } = best(&mut graph, 200, ranking, &config);
            assert_eq!(violations(&outcome.errors), near, "seed {seed} {ranking:?}");
            assert_eq!(outcome.incomplete.is_empty(), graph.fits(bound), "seed {seed}");
        }
        let Directed { outcome, .. } = deepening(&mut graph, 200, IdaTable::Exact, &config);
        assert_eq!(violations(&outcome.errors), near, "seed {seed}");
        assert!(!outcome.incomplete.is_empty() || graph.fits(bound), "seed {seed}");
        let shorten = SearchConfig { shorten: true, ..SearchConfig::default() };
        let shortest = graph.shortest_errors().into_values().min();
        let Directed { outcome, .. } = best(&mut graph, 300, Ranking::Estimate, &shorten);
        assert_eq!(outcome.errors.first().map(|e| e.length), shortest, "seed {seed}");
    }
}

#[test]
fn a_good_estimate_saves_work() {
    let mut edges: Vec<Vec<Edge>> =
        (0..1000).map(|s| vec![Edge::To(2 * s + 1, 1), Edge::To(2 * s + 2, 1)]).collect();
    edges.extend((1000..2001).map(|_| Vec::new()));
    edges[1500] = vec![Edge::Bad(bad(1), 1)];
    let mut graph = Graph::new(edges);
    let config = SearchConfig::default();
    let blind = best(&mut graph, 0, Ranking::Sum { weight: 0 }, &config).outcome.stats.expanded;
    for ranking in [Ranking::Estimate, Ranking::A_STAR] {
        let guided = best(&mut graph, 100, ranking, &config);
        assert!(guided.outcome.stats.expanded * 10 < blind, "{ranking:?}");
        assert!(guided.figures.range.is_some_and(|(least, most)| least < most));
    }
}

#[test]
fn a_full_table_is_no_end() {
    let mut graph = Graph::line(2000);
    graph.edges[1999] = vec![Edge::Bad(bad(1), 1)];
    let config = SearchConfig { memory_limit_bytes: Some(30_000), ..SearchConfig::default() };
    let result = best(&mut graph, 100, Ranking::A_STAR, &config);
    assert_eq!(result.outcome.verdict(), Verdict::Incomplete);
    let config = SearchConfig { memory_limit_bytes: Some(3_000_000), ..SearchConfig::default() };
    let result = deepening(&mut graph, 100, IdaTable::Exact, &config);
    assert_eq!(result.outcome.errors[0].length, 2000);
}

#[test]
fn a_narrow_beam_says_what_it_leaves_out() {
    let mut graph =
        Graph::new(vec![vec![Edge::To(1, 1), Edge::To(2, 1)], vec![], vec![Edge::Bad(bad(1), 1)]]);
    let config = SearchConfig::default();
    let blind = beam(&mut graph, &mut spinor_ts::Blind, 1, &config, &mut SilentObserver);
    assert_eq!(blind.outcome.verdict(), Verdict::Incomplete);
    let mut estimate = Distances::new(&graph, 100);
    let guided = beam(&mut graph, &mut estimate, 1, &config, &mut SilentObserver);
    assert_eq!(guided.outcome.errors[0].length, 2);
}

#[test]
fn walks_find_errors_and_prove_nothing() {
    let mut graph =
        Graph::new(vec![vec![Edge::To(0, 1), Edge::To(1, 1)], vec![Edge::Bad(bad(1), 1)]]);
    let outcome = random_walk(&mut graph, 7, &SearchConfig::default(), &mut SilentObserver);
    assert_eq!(outcome.errors.len(), 1);
    replay(&mut graph, &outcome.errors[0]);
    let outcome = random_walk(
        &mut Graph::line(5),
        7,
        &SearchConfig { time_limit: Some(std::time::Duration::ZERO), ..SearchConfig::default() },
        &mut SilentObserver,
    );
    assert_eq!(outcome.verdict(), Verdict::Incomplete);
}

#[test]
fn threads_find_the_same() {
    for seed in 0..6 {
        let mut random = fastrand::Rng::with_seed(seed);
        let graph = Graph::random(&mut random, 2000, 2);
        let config = SearchConfig::default();
        let all = SearchConfig { max_errors: 0, ..SearchConfig::default() };
        for (ranking, config) in
            RANKINGS.into_iter().flat_map(|ranking| [(ranking, &config), (ranking, &all)])
        {
            let mut graphs = [graph.clone(), graph.clone(), graph.clone()];
            let alone = best(&mut graphs[0], 0, ranking, config).outcome;
            let mut estimates = [(); 3].map(|()| Distances::new(&graph, 0));
            let team = parallel_best_first(
                &mut graphs,
                &mut estimates,
                ranking,
                config,
                &mut SilentObserver,
            );
            let team = team.outcome;
            assert_eq!(team.verdict(), alone.verdict(), "seed {seed}");
            if config.max_errors == 0 {
                assert_eq!(violations(&team.errors), violations(&alone.errors));
                assert_eq!(team.stats.stored, alone.stats.stored);
            }
            if ranking == Ranking::A_STAR {
                let length =
                    |outcome: &spinor_ts::Outcome| outcome.errors.first().map(|e| e.length);
                assert_eq!(length(&team), length(&alone), "seed {seed}");
            }
            team.errors.iter().for_each(|error| replay(&mut graphs[0], error));
        }
    }
}
