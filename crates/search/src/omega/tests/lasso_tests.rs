//! Lassos: judged, and short.

use super::brute::{distances, shortest_cycle};
use super::component_tests::tree;
use super::web::{CYCLE, Move, Taste, Web};
use crate::SearchConfig;
use crate::omega::{KeyedStates, LassoFlaw, check_lasso, components};
use spinor_ts::{Fairness, FoundError, Label, SilentObserver};

fn to(target: u32, accepting: u32, movers: u64) -> Move {
    Move::To { target, steps: 2, label: Label { accepting, movers } }
}

/// 0 → 1 ⇄ 2, and 1 → 1 by a process that is not always able to.
fn sample() -> Web {
    Web {
        moves: vec![vec![to(1, 1, 1)], vec![to(2, 0, 1), to(1, 1, 2)], vec![to(1, 1, 1)]],
        enabled: vec![1, 3, 1],
        sets: 1,
        ..Web::default()
    }
}

fn lasso(path: &[u32], cycle_start: usize) -> FoundError {
    FoundError {
        violation: CYCLE,
        path: path.to_vec(),
        length: path.len() as u64 * 2,
        cycle_start: Some(cycle_start),
        occurrences: 1,
        number: 1,
    }
}

#[test]
fn lassos_are_judged() {
    use Fairness::{None, Strong, Weak};
    let web = &mut sample();
    let mut check = |path, start, fairness| check_lasso(web, &lasso(path, start), fairness);
    assert_eq!(check(&[0, 1], 1, None), Ok(()));
    assert_eq!(check(&[0, 1], 1, Weak), Err(LassoFlaw::Unfair(0)));
    assert_eq!(check(&[0, 0, 0], 1, Weak), Ok(()));
    assert_eq!(check(&[0, 0, 0], 1, Strong), Err(LassoFlaw::Unfair(1)));
    assert_eq!(check(&[0, 0, 0, 1], 1, Strong), Ok(()));
    assert_eq!(check(&[0, 0], 1, None), Err(LassoFlaw::NotClosed));
    assert_eq!(check(&[0, 1], 0, None), Err(LassoFlaw::NotClosed));
    assert_eq!(check(&[0, 7], 1, None), Err(LassoFlaw::NoSuchEvent(1)));
    assert_eq!(check(&[0, 1], 2, None), Err(LassoFlaw::NoCycle));
    assert_eq!(check(&[], 0, None), Err(LassoFlaw::NoCycle));
    let wrong = FoundError { length: 5, ..lasso(&[0, 1], 1) };
    assert_eq!(check_lasso(web, &wrong, None), Err(LassoFlaw::WrongLength));
    let endless = FoundError { cycle_start: Option::None, ..lasso(&[0, 1], 1) };
    assert_eq!(check_lasso(web, &endless, None), Err(LassoFlaw::NoCycle));
    web.moves[1][1] = to(1, 0, 2);
    assert_eq!(check_lasso(web, &lasso(&[0, 1], 1), None), Err(LassoFlaw::NotAccepting(0)));
    web.moves[1][1] = Move::Bad { violation: CYCLE, steps: 2 };
    assert_eq!(check_lasso(web, &lasso(&[0, 1], 1), None), Err(LassoFlaw::NoSuchEvent(1)));
}

/// With one set and no fairness, no lasso is longer than a shortest cycle and the way to
/// one of its accepting moves, and none is shorter than a shortest cycle.
#[test]
fn lassos_are_short() {
    let mut found = 0;
    for seed in 0..3_000 {
        let mut random = fastrand::Rng::with_seed(seed);
        let taste = Taste {
            states: random.u32(1..40),
            sets: random.u32(..2),
            processes: 2,
            is_state_based: false,
            violations: false,
        };
        let mut web = Web::random(&mut random, taste);
        let tree = tree();
        let outcome = components(
            &mut web,
            &mut KeyedStates::new(&tree),
            Fairness::None,
            &SearchConfig::default(),
            &mut SilentObserver,
        );
        let Some(error) = outcome.errors.first() else { continue };
        found += 1;
        let shortest = shortest_cycle(&web).expect("there is a cycle");
        assert!(shortest <= error.length, "seed {seed}");
        // The lead is a shortest way to where the cycle begins.
        let start = error.cycle_start.expect("a lasso");
        let mut state = 0;
        let mut lead = 0;
        if !web.has_hidden {
            for event in &error.path[..start] {
                let Move::To { target, steps, .. } = web.moves[state as usize][*event as usize]
                else {
                    unreachable!("it was replayed");
                };
                (state, lead) = (target, lead + u64::from(steps));
            }
            assert_eq!(lead, distances(&web)[0][state as usize], "seed {seed}");
        }
    }
    assert!(found > 500, "{found}");
}
