//! The nested search by several threads.

use super::brute::has_wanted_run;
use super::component_tests::{judge, taste};
use super::web::{Move, Taste, Web};
use crate::omega::{check_lasso, layout_of_copies, needs_copies, parallel_nested};
use crate::toy_store::ToyStore;
use crate::{SearchConfig, depth_first};
use spinor_store::{Bitstate, ExactStore, HashCompact, Store, Tree};
use spinor_ts::{
    Control, Fairness, Incomplete, Label, Layout, LayoutOf, Observer, Outcome, SilentObserver,
    Stats, ViolationKind,
};
use std::sync::Arc;

fn on<S: Store<Key = u64>>(
    store: &S,
    web: &Web,
    threads: usize,
    fairness: Fairness,
    config: &SearchConfig,
) -> Outcome {
    let mut systems = vec![web.clone(); threads];
    parallel_nested(&mut systems, store, fairness, config, &mut SilentObserver)
}

fn tree_for(web: &Web, fairness: Fairness) -> Tree {
    let of_web: LayoutOf = Arc::new(|state: &[u8]| Layout {
        prefix: 0,
        ends: vec![2, state.len()],
        seams: Vec::new(),
    });
    let layout = if needs_copies(web, fairness) { layout_of_copies(of_web) } else { of_web };
    Tree::new(layout, &[])
}

fn against_brute_force(
    fairness: Fairness,
    cases: u64,
    taste: impl Fn(&mut fastrand::Rng) -> Taste,
) {
    let config = &SearchConfig::default();
    let short = &SearchConfig { stack_buffer_bytes: 300, ..SearchConfig::default() };
    let mut wanted = 0;
    for seed in 0..cases {
        let mut random = fastrand::Rng::with_seed(seed);
        let taste = taste(&mut random);
        let mut web = Web::random(&mut random, taste);
        web.classify();
        let expected = has_wanted_run(&web, fairness);
        wanted += u64::from(expected);
        let run = std::panic::AssertUnwindSafe(|| {
            for threads in [1, 2, 4] {
                let tree = tree_for(&web, fairness);
                let outcome = on(&tree, &web, threads, fairness, config);
                judge(&mut web, fairness, expected, &outcome);
            }
            if seed % 4 == 0 {
                let outcome = on(&HashCompact::new(), &web, 2, fairness, config);
                judge(&mut web, fairness, expected, &outcome);
                let outcome = on(&Bitstate::new(1 << 18, 3), &web, 2, fairness, config);
                judge(&mut web, fairness, expected, &outcome);
                let outcome = on(&ToyStore::<2>::default(), &web, 3, fairness, short);
                judge(&mut web, fairness, expected, &outcome);
            }
        });
        assert!(std::panic::catch_unwind(run).is_ok(), "failed with seed {seed}");
    }
    assert!((cases / 5..cases / 5 * 4).contains(&wanted), "{wanted}");
}

#[test]
fn one_set_of_states() {
    against_brute_force(Fairness::None, 3_000, |random| Taste {
        sets: 1,
        is_state_based: true,
        ..taste(random, 25)
    });
}

#[test]
fn any_sets() {
    against_brute_force(Fairness::None, 1_500, |random| taste(random, 40));
}

#[test]
fn weak_fairness() {
    against_brute_force(Fairness::Weak, 3_000, |random| taste(random, 25));
}

/// Larger graphs, so that threads meet.
#[test]
fn threads_meet() {
    for seed in 0..60 {
        let mut random = fastrand::Rng::with_seed(seed);
        let taste = Taste { sets: 1, is_state_based: true, ..taste(&mut random, 30) };
        // Copies of a small graph one after the other: a cycle in the last one at most.
        let part = Web::random(&mut random, taste);
        let (size, count) = (part.len(), 400);
        let has_cycle = has_wanted_run(&part, Fairness::None);
        let mut web = Web { has_hidden: false, ..part.clone() };
        web.moves.clear();
        for copy in 0..count {
            for moves in &part.moves {
                let shift = |to: &Move| match to {
                    Move::To { target, steps, label } => {
                        let accepting = if copy + 1 == count { label.accepting } else { 0 };
                        let label = Label { accepting, ..*label };
                        Move::To { target: target + copy * size, steps: *steps, label }
                    }
                    bad => *bad,
                };
                let mut moves: Vec<Move> = moves.iter().map(shift).collect();
                if copy + 1 < count {
                    let label = Label::default();
                    moves.push(Move::To { target: (copy + 1) * size, steps: 1, label });
                }
                web.moves.push(moves);
            }
        }
        web.enabled = vec![0; web.moves.len()];
        web.components = vec![spinor_ts::Component::default(); web.moves.len()];
        for threads in [2, 4] {
            let tree = tree_for(&web, Fairness::None);
            let outcome = on(&tree, &web, threads, Fairness::None, &SearchConfig::default());
            judge(&mut web, Fairness::None, has_cycle, &outcome);
        }
    }
}

#[test]
fn figures_and_violations() {
    for seed in 0..300 {
        let mut random = fastrand::Rng::with_seed(seed);
        let taste =
            Taste { violations: true, sets: 1, is_state_based: true, ..taste(&mut random, 40) };
        let mut web = Web { has_hidden: false, ..Web::random(&mut random, taste) };
        let ignore = [ViolationKind::AcceptanceCycle].into();
        let config = SearchConfig { max_errors: 0, ignore, ..SearchConfig::default() };
        let expected = depth_first(&mut web, &mut ExactStore::new(), &config, &mut SilentObserver);
        for threads in [1, 2, 4] {
            let tree = tree_for(&web, Fairness::None);
            let found = on(&tree, &web, threads, Fairness::None, &config);
            assert_eq!(found.stats.stored, expected.stats.stored);
            assert_eq!(found.stats.transitions, expected.stats.transitions);
            assert_eq!(found.error_count, expected.error_count);
            assert_eq!(found.incomplete, expected.incomplete);
            let sum = |outcome: &Outcome| {
                let mut sum: Vec<_> = outcome
                    .errors
                    .iter()
                    .map(|error| (error.violation, error.occurrences))
                    .collect();
                sum.sort_unstable();
                sum
            };
            assert_eq!(sum(&found), sum(&expected));
            found.errors.iter().for_each(|error| crate::toy::replay(&mut web, error));
        }
    }
}

#[test]
fn limits_are_named() {
    let web = Web::ring(60_000, Label { accepting: 0, movers: 1 });
    let search = |config: &SearchConfig, observer: &mut dyn Observer| {
        let tree = tree_for(&web, Fairness::None);
        let mut systems = vec![web.clone(); 2];
        parallel_nested(&mut systems, &tree, Fairness::None, config, observer).incomplete
    };
    let plain = SearchConfig::default();
    assert_eq!(search(&plain, &mut SilentObserver), []);
    let little = SearchConfig { memory_limit_bytes: Some(1 << 20), ..plain.clone() };
    assert!(search(&little, &mut SilentObserver).contains(&Incomplete::Memory(1 << 20)));
    let flat = SearchConfig { max_depth: Some(100), ..plain.clone() };
    assert_eq!(search(&flat, &mut SilentObserver), [Incomplete::Depth(100)]);
    struct Impatient;
    impl Observer for Impatient {
        fn progress(&mut self, _stats: &Stats) -> Control {
            Control::Interrupt
        }
    }
    // It may be over before anybody looks.
    let large = Web::ring(2_000_000, Label { accepting: 0, movers: 1 });
    let tree = tree_for(&large, Fairness::None);
    let mut systems = vec![large.clone(); 2];
    let outcome = parallel_nested(&mut systems, &tree, Fairness::None, &plain, &mut Impatient);
    assert_eq!(outcome.incomplete, [Incomplete::Interrupted]);
}

#[test]
fn refuses_what_it_cannot_do() {
    let web = Web::ring(3, Label { accepting: 1, movers: 1 });
    let tree = tree_for(&web, Fairness::None);
    let config = SearchConfig::default();
    for (threads, fairness) in [(2, Fairness::Strong), (0, Fairness::None)] {
        let outcome = on(&tree, &web, threads, fairness, &config);
        assert!(matches!(outcome.incomplete[..], [Incomplete::Method(_)]));
    }
}

#[test]
fn several_errors() {
    let label = Label { accepting: 1, movers: 1 };
    let mut web = Web::ring(6, label);
    for state in 0..6 {
        web.moves[state].push(Move::To { target: 0, steps: 1, label });
    }
    for max_errors in [1, 3, 0] {
        let config = SearchConfig { max_errors, ..SearchConfig::default() };
        let tree = tree_for(&web, Fairness::None);
        let found = on(&tree, &web, 2, Fairness::None, &config);
        assert_eq!(found.errors.len(), 1);
        assert!(max_errors == 0 || found.error_count <= max_errors);
        assert_eq!(check_lasso(&mut web, &found.errors[0], Fairness::None), Ok(()));
    }
}
