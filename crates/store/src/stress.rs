//! Tests for every shared store.

use crate::{Insertion, Store};
use std::collections::{HashMap, HashSet};
use std::sync::Barrier;
use std::thread;

const THREADS: u64 = 8;

fn insert<S: Store>(store: &S, local: &mut S::Local, state: &[u8]) -> Insertion<S::Ref> {
    let key = store.key(local, state);
    store.prefetch(key);
    store.insert(local, key, state)
}

fn contains<S: Store>(store: &S, local: &mut S::Local, state: &[u8]) -> bool {
    let key = store.key(local, state);
    store.contains(local, key, state)
}

fn assert_loads<S: Store>(store: &S, local: &mut S::Local, reference: S::Ref, state: &[u8]) {
    if S::KEEPS_STATES {
        let mut bytes = vec![1, 2, 3];
        store.load(local, reference, &mut bytes);
        assert_eq!(bytes, state);
    }
    if S::KEY_IS_STATE {
        let mut bytes = vec![3, 2, 1];
        let key = store.key(local, state);
        store.load_key(local, key, &mut bytes);
        assert_eq!(bytes, state);
    }
}

/// Random states, many of them equal, against a map of the standard library.
pub(crate) fn equals_a_map<S: Store>(make: impl Fn() -> S) {
    let short = |random: &mut fastrand::Rng| {
        let length = random.usize(..4);
        (0..length).map(|_| random.u8(..12)).collect()
    };
    for seed in 0..10 {
        compare(&make(), seed, 3_000, short);
    }
    compare(&make(), 100, 100_000, |random| {
        let number = random.u32(..70_000);
        [number, 5, number >> 10, 1 << 30].map(u32::to_le_bytes).concat()
    });
    compare(&make(), 101, 100, |random| vec![random.u8(..30); 50_000 + random.usize(..2)]);
    compare(&make(), 102, 2_000, |random| vec![random.u8(..3); random.usize(..600)]);
}

fn compare<S: Store>(
    store: &S,
    seed: u64,
    steps: usize,
    state: impl Fn(&mut fastrand::Rng) -> Vec<u8>,
) {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut local = store.local();
    let mut expected: HashMap<Vec<u8>, S::Ref> = HashMap::new();
    for step in 0..steps {
        let state = state(&mut random);
        if random.u8(..3) == 0 {
            store.set_origin(&mut local, &state);
        }
        assert_eq!(contains(store, &mut local, &state), expected.contains_key(&state));
        match insert(store, &mut local, &state) {
            Insertion::Known => assert!(expected.contains_key(&state)),
            Insertion::New(reference) => {
                assert_loads(store, &mut local, reference, &state);
                assert!(expected.insert(state, reference).is_none());
            }
        }
        if step % 1000 == 0 {
            store.quiesce();
        }
    }
    for (state, reference) in &expected {
        assert_loads(store, &mut local, *reference, state);
        assert!(contains(store, &mut local, state));
    }
}

/// Threads that insert the same states at the same time, in a hundred random ways.
pub(crate) fn threads_agree<S: Store>(make: impl Fn() -> S) {
    (0..100).for_each(|seed| race(&make(), seed));
}

fn race<S: Store>(store: &S, seed: u64) {
    let mut random = fastrand::Rng::with_seed(seed);
    let pool: HashSet<Vec<u8>> = (0..400).map(|_| random_state(&mut random)).collect();
    let pool: Vec<Vec<u8>> = pool.into_iter().collect();
    let mut inserted: HashSet<usize> = HashSet::new();
    for round in 0..2 {
        let start = Barrier::new(THREADS as usize);
        let work = |thread: u64| {
            let mut random = fastrand::Rng::with_seed(seed * THREADS + thread);
            // For the points where the table lets others run.
            fastrand::seed(seed * THREADS + thread);
            let mut local = store.local();
            start.wait();
            let mut won = Vec::new();
            for _ in 0..300 {
                let at = random.usize(..pool.len());
                if random.bool() {
                    store.set_origin(&mut local, &pool[random.usize(..pool.len())]);
                }
                match insert(store, &mut local, &pool[at]) {
                    Insertion::Known => {}
                    Insertion::New(reference) => {
                        assert_loads(store, &mut local, reference, &pool[at]);
                        won.push((at, reference));
                    }
                }
                assert!(contains(store, &mut local, &pool[at]));
            }
            won
        };
        let won: Vec<(usize, S::Ref)> = thread::scope(|scope| {
            let work = &work;
            let threads: Vec<_> =
                (0..THREADS).map(|thread| scope.spawn(move || work(thread))).collect();
            threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
        });
        // The second round goes the same ways: nothing is new any more.
        assert!(round == 0 || won.is_empty());
        let mut local = store.local();
        store.quiesce();
        for (at, reference) in &won {
            assert_loads(store, &mut local, *reference, &pool[*at]);
            assert!(inserted.insert(*at), "new for two threads");
        }
        let is_there = |at: &usize| contains(store, &mut local, &pool[*at]);
        let there: HashSet<usize> = (0..pool.len()).filter(is_there).collect();
        assert!(inserted.is_subset(&there));
        // A lossy store may rarely take a state for another one.
        let may_miss = usize::from(store.loss(pool.len() as u64).is_some());
        assert!(there.len() <= inserted.len() + may_miss);
    }
}

fn random_state(random: &mut fastrand::Rng) -> Vec<u8> {
    let mut state = vec![random.u8(..4), 0, 0, random.u8(..20)];
    state.resize(4 + random.usize(..3) * 4, 7);
    state.push(random.u8(..10));
    state
}
