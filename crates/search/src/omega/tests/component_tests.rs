//! The search by components.

use super::brute::has_wanted_run;
use super::web::{CYCLE, Move, Taste, Web};
use crate::omega::{ExactStates, KeyedStates, Numbering, check_lasso, components};
use crate::toy_store::ToyStore;
use crate::{SearchConfig, depth_first};
use spinor_store::{ExactStore, HashCompact, Tree};
use spinor_ts::{
    Control, Fairness, Incomplete, Label, Layout, Observer, Outcome, SilentObserver, Stats,
    ViolationKind,
};
use std::sync::Arc;

pub(super) const ALL: [Fairness; 3] = [Fairness::None, Fairness::Weak, Fairness::Strong];

pub(super) fn tree() -> Tree {
    let layout = |state: &[u8]| Layout { prefix: 0, ends: vec![2, state.len()], seams: Vec::new() };
    Tree::new(Arc::new(layout), &[])
}

pub(super) fn taste(random: &mut fastrand::Rng, max_states: u32) -> Taste {
    Taste {
        states: random.u32(1..=max_states),
        sets: random.u32(..4),
        processes: random.u32(..5),
        is_state_based: random.bool(),
        violations: false,
    }
}

fn on<N: Numbering>(mut states: N, web: &mut Web, fairness: Fairness) -> Outcome {
    components(web, &mut states, fairness, &SearchConfig::default(), &mut SilentObserver)
}

/// With a stack that gives up moves.
fn on_short_stack<N: Numbering>(mut states: N, web: &mut Web, fairness: Fairness) -> Outcome {
    let stack_buffer_bytes = web.moves.len() * 7;
    let config = SearchConfig { stack_buffer_bytes, ..SearchConfig::default() };
    components(web, &mut states, fairness, &config, &mut SilentObserver)
}

/// Judges an outcome of a search that stops at the first error.
#[track_caller]
pub(super) fn judge(web: &mut Web, fairness: Fairness, expected: bool, found: &Outcome) {
    assert_eq!(found.errors.len(), usize::from(expected), "{:?}", found.incomplete);
    for error in &found.errors {
        assert_eq!(error.violation, CYCLE);
        assert_eq!(check_lasso(web, error, fairness), Ok(()));
    }
    let sure = |why: &&Incomplete| !matches!(why, Incomplete::Method(_));
    let stop = found.incomplete.iter().find(sure);
    assert_eq!(stop, expected.then_some(&Incomplete::ErrorLimit(1)));
}

fn against_brute_force(fairness: Fairness, max_states: u32) {
    let mut wanted = 0;
    for seed in 0..10_000 {
        let mut random = fastrand::Rng::with_seed(seed);
        let taste = taste(&mut random, max_states);
        let mut web = Web::random(&mut random, taste);
        let expected = has_wanted_run(&web, fairness);
        wanted += u32::from(expected);
        let run = std::panic::AssertUnwindSafe(|| {
            let outcome = on(KeyedStates::new(&tree()), &mut web, fairness);
            judge(&mut web, fairness, expected, &outcome);
            if seed % 4 == 0 {
                let outcome = on(ExactStates::new(), &mut web, fairness);
                judge(&mut web, fairness, expected, &outcome);
                let outcome = on(KeyedStates::new(&HashCompact::new()), &mut web, fairness);
                judge(&mut web, fairness, expected, &outcome);
                let toy = ToyStore::<2>::default();
                let outcome = on_short_stack(KeyedStates::new(&toy), &mut web, fairness);
                judge(&mut web, fairness, expected, &outcome);
                let outcome = on_short_stack(ExactStates::new(), &mut web, fairness);
                judge(&mut web, fairness, expected, &outcome);
            }
        });
        assert!(std::panic::catch_unwind(run).is_ok(), "failed with seed {seed}");
    }
    assert!((2_000..8_000).contains(&wanted), "{wanted}");
}

#[test]
fn without_fairness() {
    against_brute_force(Fairness::None, 25);
}

#[test]
fn weak_fairness() {
    against_brute_force(Fairness::Weak, 25);
}

#[test]
fn strong_fairness() {
    against_brute_force(Fairness::Strong, 9);
}

/// Without wanted cycles, figures and violations are those of a plain search.
#[test]
fn figures_and_violations() {
    for seed in 0..600 {
        let mut random = fastrand::Rng::with_seed(seed);
        let taste = Taste { violations: true, ..taste(&mut random, 40) };
        let mut web = Web { has_hidden: false, ..Web::random(&mut random, taste) };
        let ignore = [ViolationKind::AcceptanceCycle].into();
        let config = SearchConfig { max_errors: 0, ignore, ..SearchConfig::default() };
        let expected = depth_first(&mut web, &mut ExactStore::new(), &config, &mut SilentObserver);
        for (fairness, stack_buffer_bytes) in ALL.into_iter().zip([1 << 20, 100, 300]) {
            let mut states = ExactStates::new();
            let config = SearchConfig { stack_buffer_bytes, ..config.clone() };
            let found = components(&mut web, &mut states, fairness, &config, &mut SilentObserver);
            assert_eq!(found.stats.stored, expected.stats.stored);
            assert_eq!(found.stats.transitions, expected.stats.transitions);
            assert_eq!(found.stats.matched, expected.stats.matched);
            assert_eq!(found.error_count, expected.error_count);
            assert_eq!(found.incomplete, expected.incomplete);
            let sites = |outcome: &Outcome| {
                let mut sites: Vec<_> =
                    outcome.errors.iter().map(|error| error.violation).collect();
                sites.sort_unstable();
                sites
            };
            assert_eq!(sites(&found), sites(&expected));
            found.errors.iter().for_each(|error| crate::toy::replay(&mut web, error));
        }
    }
}

/// Two rings after each other: two errors, one entry.
#[test]
fn every_component_counts() {
    let label = Label { accepting: 1, movers: 1 };
    let mut web = Web::ring(3, label);
    let second = Web::ring(3, label);
    for (state, mut moves) in second.moves.into_iter().enumerate() {
        let Move::To { target, .. } = &mut moves[0] else { unreachable!("a ring") };
        *target += 3;
        web.moves.push(moves);
        web.enabled.push(1);
        web.components.push(web.components[state]);
    }
    web.moves[1].push(Move::To { target: 4, steps: 1, label });
    for (max_errors, count) in [(0, 2), (1, 1), (2, 2), (3, 2)] {
        let config = SearchConfig { max_errors, ..SearchConfig::default() };
        for fairness in ALL {
            let mut states = ExactStates::new();
            let found = components(&mut web, &mut states, fairness, &config, &mut SilentObserver);
            assert_eq!((found.errors.len(), found.error_count), (1, count));
            assert_eq!(check_lasso(&mut web, &found.errors[0], fairness), Ok(()));
            assert_eq!(found.incomplete.is_empty(), max_errors == 0 || max_errors == 3);
        }
    }
}

#[test]
fn limits_are_named() {
    let mut web = Web::ring(60_000, Label { accepting: 0, movers: 1 });
    let mut search = |config: &SearchConfig, observer: &mut dyn Observer| {
        let tree = tree();
        let outcome =
            components(&mut web, &mut KeyedStates::new(&tree), Fairness::Weak, config, observer);
        outcome.incomplete
    };
    let plain = SearchConfig::default();
    assert_eq!(search(&plain, &mut SilentObserver), []);
    let little = SearchConfig { memory_limit_bytes: Some(1 << 20), ..plain.clone() };
    assert_eq!(search(&little, &mut SilentObserver), [Incomplete::Memory(1 << 20)]);
    let short = SearchConfig { time_limit: Some(std::time::Duration::ZERO), ..plain.clone() };
    assert_eq!(search(&short, &mut SilentObserver), [Incomplete::Time(std::time::Duration::ZERO)]);
    let flat = SearchConfig { max_depth: Some(100), ..plain.clone() };
    assert_eq!(search(&flat, &mut SilentObserver), [Incomplete::Depth(100)]);
    struct Impatient;
    impl Observer for Impatient {
        fn progress(&mut self, _stats: &Stats) -> Control {
            Control::Interrupt
        }
    }
    assert_eq!(search(&plain, &mut Impatient), [Incomplete::Interrupted]);
}

#[test]
fn a_long_ring_is_one_component() {
    let mut web = Web::ring(300_000, Label { accepting: 0, movers: 2 });
    let Move::To { label, .. } = &mut web.moves[299_999][0] else { unreachable!("a ring") };
    label.accepting = 1;
    for fairness in ALL {
        let tree = tree();
        let found = on(KeyedStates::new(&tree), &mut web, fairness);
        judge(&mut web, fairness, true, &found);
        assert_eq!((found.errors[0].length, found.stats.stored), (300_000, 300_000));
    }
}
