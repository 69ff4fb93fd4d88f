use super::*;
use crate::toy::{Graph, Grid, replay, violations};
use crate::{breadth_first, depth_first};
use spinor_store::ExactStore;
use spinor_ts::{SilentObserver, Verdict};

const SMALL: Swarm = Swarm { members: 8, bits: 16, hash_functions: 3, seed: 0 };

#[test]
fn finds_errors_that_can_be_replayed() {
    for seed in 0..100 {
        let mut random = fastrand::Rng::with_seed(seed);
        let states = random.u32(2..200);
        let mut graph = Graph::random(&mut random, states, 3);
        let config = SearchConfig { max_errors: 0, ..SearchConfig::default() };
        let silent = &mut SilentObserver;
        let full = depth_first(&mut graph, &mut ExactStore::new(), &config, silent);
        let mut systems = vec![graph.clone(); 1 + seed as usize % 3];
        let outcome = swarm(&mut systems, &SMALL, &config, silent);
        assert_eq!(violations(&outcome.errors), violations(&full.errors), "seed {seed}");
        outcome.errors.iter().for_each(|error| replay(&mut graph, error));
        if full.errors.is_empty() {
            assert_eq!(outcome.verdict(), Verdict::Incomplete);
            assert!((outcome.stats.stored as f64 / full.stats.stored as f64 - 1.0).abs() < 0.05);
        }
        let config = SearchConfig { max_errors: 1, ..config };
        let outcome = swarm(&mut systems, &SMALL, &config, silent);
        assert_eq!(outcome.errors.is_empty(), full.errors.is_empty());
        outcome.errors.iter().for_each(|error| replay(&mut graph, error));
    }
}

/// Each member is too small for all states, together they see more than one of them.
#[test]
fn members_see_different_states() {
    let grid = Grid { counters: 6, max: 7 };
    let stored = |members| {
        let swarm_of = Swarm { members, bits: 17, ..SMALL };
        let config = SearchConfig::default();
        let outcome = swarm(&mut vec![grid.clone(); 2], &swarm_of, &config, &mut SilentObserver);
        assert_eq!(outcome.verdict(), Verdict::Incomplete);
        outcome.stats
    };
    let (one, many) = (stored(1), stored(24));
    assert!(many.stored as f64 > 1.5 * one.stored as f64, "{} {}", one.stored, many.stored);
    assert!(one.expected_omitted.is_none());
    let missing = (8_u64.pow(6).saturating_sub(many.stored)) as f64;
    let expected = many.expected_omitted.expect("both halves met many states");
    assert!(expected < 4.0 * missing.max(1000.0), "{expected} {missing}");
}

#[test]
fn time_is_a_limit() {
    let grid = Grid { counters: 12, max: 12 };
    let swarm_of = Swarm { members: 1000, bits: 24, ..SMALL };
    let limit = Duration::from_millis(300);
    let config = SearchConfig { time_limit: Some(limit), ..SearchConfig::default() };
    let outcome = swarm(&mut vec![grid; 2], &swarm_of, &config, &mut SilentObserver);
    assert!(outcome.incomplete.contains(&Incomplete::Time(limit)), "{:?}", outcome.incomplete);
}

#[test]
fn an_initial_violation_is_found() {
    let mut graph = Graph::line(3);
    graph.fails_at_once = Some(crate::toy::bad(1));
    let config = SearchConfig::default();
    let plain = breadth_first(&mut graph, &mut ExactStore::new(), &config, &mut SilentObserver);
    let outcome = swarm(&mut [graph], &SMALL, &config, &mut SilentObserver);
    assert_eq!(violations(&outcome.errors), violations(&plain.errors));
}
