//! Nested searches.

use super::brute::has_wanted_run;
use super::component_tests::{judge, taste, tree};
use super::web::{Move, Taste, Web};
use crate::omega::{
    ExactStates, HashedMarks, KeyedStates, Marking, NumberedMarks, check_lasso, improved_nested,
    layout_of_copies, needs_copies, nested_depth_first,
};
use crate::{SearchConfig, depth_first};
use spinor_store::{Bitstate, ExactStore, HashCompact, Tree};
use spinor_ts::{
    Component, ComponentClass, Fairness, Incomplete, Label, Layout, Outcome, SilentObserver,
    ViolationKind,
};
use std::sync::Arc;

fn nested<K: Marking>(mut states: K, web: &mut Web, fairness: Fairness) -> Outcome {
    let config = &SearchConfig::default();
    nested_depth_first(web, &mut states, fairness, config, &mut SilentObserver)
}

fn improved<K: Marking>(mut states: K, web: &mut Web, fairness: Fairness) -> Outcome {
    let config = &SearchConfig::default();
    improved_nested(web, &mut states, fairness, config, &mut SilentObserver)
}

fn against_brute_force(
    fairness: Fairness,
    cases: u64,
    taste: impl Fn(&mut fastrand::Rng) -> Taste,
) {
    let mut wanted = 0;
    for seed in 0..cases {
        let mut random = fastrand::Rng::with_seed(seed);
        let taste = taste(&mut random);
        let mut web = Web::random(&mut random, taste);
        web.classify();
        let expected = has_wanted_run(&web, fairness);
        wanted += u64::from(expected);
        let run = std::panic::AssertUnwindSafe(|| {
            let of_web =
                |state: &[u8]| Layout { prefix: 0, ends: vec![2, state.len()], seams: Vec::new() };
            let tree = if needs_copies(&web, fairness) {
                Tree::new(layout_of_copies(Arc::new(of_web)), &[])
            } else {
                tree()
            };
            let marks = || NumberedMarks::new(KeyedStates::new(&tree));
            let outcome = nested(marks(), &mut web, fairness);
            judge(&mut web, fairness, expected, &outcome);
            let outcome = improved(marks(), &mut web, fairness);
            judge(&mut web, fairness, expected, &outcome);
            if seed % 4 == 0 {
                let outcome = nested(NumberedMarks::new(ExactStates::new()), &mut web, fairness);
                judge(&mut web, fairness, expected, &outcome);
                let store = Bitstate::new(1 << 18, 3);
                let outcome = nested(HashedMarks::new(&store), &mut web, fairness);
                judge(&mut web, fairness, expected, &outcome);
                let store = HashCompact::new();
                let outcome = improved(HashedMarks::new(&store), &mut web, fairness);
                judge(&mut web, fairness, expected, &outcome);
                let config = SearchConfig {
                    stack_buffer_bytes: web.moves.len() * 7,
                    ..SearchConfig::default()
                };
                let mut states = NumberedMarks::new(ExactStates::new());
                let observer = &mut SilentObserver;
                let outcome =
                    nested_depth_first(&mut web, &mut states, fairness, &config, observer);
                judge(&mut web, fairness, expected, &outcome);
            }
        });
        assert!(std::panic::catch_unwind(run).is_ok(), "failed with seed {seed}");
    }
    assert!((cases / 5..cases / 5 * 4).contains(&wanted), "{wanted}");
}

#[test]
fn one_set_of_states() {
    against_brute_force(Fairness::None, 10_000, |random| Taste {
        sets: 1,
        is_state_based: true,
        ..taste(random, 25)
    });
}

#[test]
fn any_sets() {
    against_brute_force(Fairness::None, 3_000, |random| taste(random, 25));
}

#[test]
fn weak_fairness() {
    against_brute_force(Fairness::Weak, 10_000, |random| taste(random, 20));
}

#[test]
fn strong_fairness_is_refused() {
    let mut web = Web::ring(3, Label { accepting: 1, movers: 1 });
    let outcome = nested(NumberedMarks::new(ExactStates::new()), &mut web, Fairness::Strong);
    assert!(matches!(outcome.incomplete[..], [Incomplete::Method(_)]));
}

/// A ring on which every state or just one is accepting, without the move that closes it.
fn line(length: u32, class: ComponentClass) -> Web {
    let mut web = Web::ring(length, Label { accepting: 1, movers: 1 });
    web.moves[length as usize - 1].clear();
    web.components = vec![Component { number: 0, class }; length as usize];
    web
}

/// The second search visits every state once more, unless the claim's components say that
/// it is not needed.
#[test]
fn work_of_both_searches() {
    let count = |outcome: &Outcome| {
        (outcome.stats.stored, outcome.stats.expanded, outcome.stats.transitions)
    };
    let marks = || NumberedMarks::new(ExactStates::new());
    for class in [
        ComponentClass::NonAccepting,
        ComponentClass::FullyAccepting,
        ComponentClass::PartlyAccepting,
    ] {
        let web = &mut line(1000, class);
        let plain = nested(marks(), web, Fairness::None);
        // Each one but the first is expanded for the one before.
        assert_eq!(count(&plain), (1000, 2000, 1000 + 999));
        let better = improved(marks(), web, Fairness::None);
        if class == ComponentClass::PartlyAccepting {
            assert_eq!(count(&better), count(&plain));
        } else {
            assert_eq!(count(&better), (1000, 1000, 1000));
        }
        assert!(plain.incomplete.is_empty() && better.incomplete.is_empty());
    }
}

#[test]
fn violations_and_limits() {
    for seed in 0..300 {
        let mut random = fastrand::Rng::with_seed(seed);
        let taste =
            Taste { violations: true, sets: 1, is_state_based: true, ..taste(&mut random, 40) };
        let mut web = Web { has_hidden: false, ..Web::random(&mut random, taste) };
        let ignore = [ViolationKind::AcceptanceCycle].into();
        let config = SearchConfig { max_errors: 0, ignore, ..SearchConfig::default() };
        let expected = depth_first(&mut web, &mut ExactStore::new(), &config, &mut SilentObserver);
        let mut states = NumberedMarks::new(ExactStates::new());
        let observer = &mut SilentObserver;
        let found = nested_depth_first(&mut web, &mut states, Fairness::None, &config, observer);
        assert_eq!(found.stats.stored, expected.stats.stored);
        assert_eq!(found.error_count, expected.error_count);
        assert_eq!(found.incomplete, expected.incomplete);
        found.errors.iter().for_each(|error| crate::toy::replay(&mut web, error));
    }
    let mut web = line(50_000, ComponentClass::PartlyAccepting);
    let mut search = |config: &SearchConfig| {
        let mut states = NumberedMarks::new(ExactStates::new());
        let observer = &mut SilentObserver;
        nested_depth_first(&mut web, &mut states, Fairness::None, config, observer).incomplete
    };
    let little = SearchConfig { memory_limit_bytes: Some(1 << 20), ..SearchConfig::default() };
    assert_eq!(search(&little), [Incomplete::Memory(1 << 20)]);
    let flat = SearchConfig { max_depth: Some(100), ..SearchConfig::default() };
    assert_eq!(search(&flat), [Incomplete::Depth(100)]);
}

/// All cycles are counted, one is shown.
#[test]
fn several_errors() {
    let label = Label { accepting: 1, movers: 1 };
    let mut web = Web::ring(6, label);
    for state in 0..6 {
        web.moves[state].push(Move::To { target: 0, steps: 1, label });
    }
    for (max_errors, count) in [(1, 1), (3, 3), (0, 7)] {
        let config = SearchConfig { max_errors, ..SearchConfig::default() };
        let mut states = NumberedMarks::new(ExactStates::new());
        let observer = &mut SilentObserver;
        let found = nested_depth_first(&mut web, &mut states, Fairness::None, &config, observer);
        assert_eq!(found.errors.len(), 1);
        assert!(found.error_count >= count, "{}", found.error_count);
        assert_eq!(check_lasso(&mut web, &found.errors[0], Fairness::None), Ok(()));
        assert_eq!(found.errors[0].length, 1);
    }
}
