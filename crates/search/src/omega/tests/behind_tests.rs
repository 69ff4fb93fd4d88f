//! The search by components behind what is searched breadth first.

use super::brute::has_wanted_run;
use super::component_tests::{ALL, judge, taste, tree};
use super::web::{Taste, Web};
use crate::SearchConfig;
use crate::omega::{ExactStates, components, components_behind};
use spinor_ts::{Fairness, Outcome, SilentObserver, ViolationKind};

/// A graph of which a part at the beginning, often all of it, lies outside.
fn fenced(seed: u64, violations: bool) -> Web {
    let mut random = fastrand::Rng::with_seed(seed);
    let taste = Taste { violations, ..taste(&mut random, 25) };
    let taste = Taste { sets: taste.sets.max(1), states: taste.states + 1, ..taste };
    let mut web = Web { has_hidden: false, ..Web::random(&mut random, taste) };
    web.fence(random.u32(1..taste.states));
    web
}

fn behind(web: &Web, threads: usize, fairness: Fairness, config: &SearchConfig) -> Outcome {
    let mut outer = vec![web.clone(); threads];
    let mut inner = web.clone();
    let store = tree();
    components_behind(&mut outer, &mut inner, &store, fairness, config, &mut SilentObserver)
}

#[test]
fn wanted_runs_are_those_of_brute_force() {
    let mut wanted = 0;
    for seed in 0..6_000 {
        let mut web = fenced(seed, false);
        let fairness = ALL[seed as usize % 3];
        if fairness == Fairness::Strong && web.len() > 10 {
            continue;
        }
        let expected = has_wanted_run(&web, fairness);
        wanted += u32::from(expected);
        let found = behind(&web, 1 + seed as usize % 2, fairness, &SearchConfig::default());
        judge(&mut web, fairness, expected, &found);
    }
    assert!((500..4_000).contains(&wanted), "{wanted}");
}

#[test]
fn figures_and_violations() {
    let ignore = [ViolationKind::AcceptanceCycle].into();
    let config = SearchConfig { max_errors: 0, ignore, ..SearchConfig::default() };
    for seed in 0..1_000 {
        let mut web = fenced(seed, true);
        let fairness = ALL[seed as usize % 3];
        let states = &mut ExactStates::new();
        let expected = components(&mut web, states, fairness, &config, &mut SilentObserver);
        let found = behind(&web, 1 + seed as usize % 2, fairness, &config);
        let figures = |outcome: &Outcome| {
            let stats = &outcome.stats;
            (stats.stored, stats.matched, stats.transitions, stats.expanded, outcome.error_count)
        };
        assert_eq!(figures(&found), figures(&expected), "seed {seed}");
        assert_eq!(found.incomplete, expected.incomplete);
    }
}

/// All components with wanted cycles are found, as by the other search.
#[test]
fn errors_are_counted() {
    let config = SearchConfig { max_errors: 0, every_error: true, ..SearchConfig::default() };
    for seed in 0..1_000 {
        let mut web = fenced(seed, false);
        let states = &mut ExactStates::new();
        let fairness = ALL[seed as usize % 2];
        let expected = components(&mut web, states, fairness, &config, &mut SilentObserver);
        let found = behind(&web, 1, fairness, &config);
        assert_eq!(found.error_count, expected.error_count, "seed {seed}");
    }
}
