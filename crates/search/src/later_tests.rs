//! Moves that a system leaves out of states are taken further on.

use crate::SearchConfig;
use crate::frontier::Grain;
use crate::levels::search;
use crate::toy::{Edge, Graph, behind, replay};
use crate::toy_store::ToyStore;
use spinor_store::Store;
use spinor_ts::{Expansion, SilentObserver, TransitionSystem, Violation};
use std::collections::BTreeSet;

const FINE: Grain = Grain { chunk: 2, list: 3, share: 1 };

/// A graph of which each state with several events says that some of the first are enough.
#[derive(Clone)]
struct Partial(Graph);

fn enough(events: usize) -> usize {
    if events > 1 { events / 2 } else { 0 }
}

impl TransitionSystem for Partial {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        self.0.initial()
    }

    fn leaves_out(&self) -> bool {
        true
    }

    fn expand(&mut self, state: &[u8], out: &mut Expansion) {
        self.0.expand(state, out);
        out.enough = enough(out.events().len()) as u32;
    }
}

fn targets(edges: &[Edge]) -> impl Iterator<Item = u32> {
    edges.iter().filter_map(|edge| match edge {
        Edge::To(to, _) => Some(*to),
        Edge::Bad(..) => None,
    })
}

/// From each state, the first events lead on to one all of whose successors were stored.
#[track_caller]
fn check(graph: &Graph, stored: &BTreeSet<u32>, seed: u64) {
    let edges = |state: &u32| &graph.edges[*state as usize];
    let is_whole = |state: &u32| targets(edges(state)).all(|to| stored.contains(&to));
    let mut good: BTreeSet<u32> = stored.iter().filter(|state| is_whole(state)).copied().collect();
    loop {
        let leads = |state: &&u32| {
            let first = &edges(state)[..enough(edges(state).len())];
            targets(first).any(|to| good.contains(&to))
        };
        let more: Vec<u32> =
            stored.iter().filter(|s| !good.contains(s)).filter(leads).copied().collect();
        if more.is_empty() {
            break;
        }
        good.extend(more);
    }
    assert_eq!(&good, stored, "seed {seed}");
}

fn stored_by<const KEPT: usize>(graph: &Graph, threads: usize, by_moves: bool) -> BTreeSet<u32>
where
    ToyStore<KEPT>: Store,
{
    let store = ToyStore::<KEPT>::default();
    let mut systems = vec![Partial(graph.clone()); threads];
    let config = SearchConfig { max_errors: 0, by_moves, ..SearchConfig::default() };
    let outcome = search(&mut behind(&mut systems), &store, &config, &mut SilentObserver, FINE);
    if !by_moves {
        outcome.errors.iter().for_each(|error| replay(&mut systems[0], error));
    }
    let number = |state: &Vec<u8>| u32::from_le_bytes(state[..4].try_into().expect("four bytes"));
    store.states().iter().map(number).collect()
}

#[test]
fn nothing_is_put_off_for_ever() {
    let (mut numbered, mut without, mut all) = (0, 0, 0);
    for seed in 0..400 {
        let mut random = fastrand::Rng::with_seed(seed);
        let states = random.u32(1..60);
        let max_steps = *random.choice(&[1, 3]).expect("there are some");
        let graph = Graph::random(&mut random, states, max_steps);
        for threads in [1, 3] {
            for by_moves in [false, true] {
                let stored = stored_by::<2>(&graph, threads, by_moves);
                check(&graph, &stored, seed);
                numbered += stored.len();
                let stored = stored_by::<1>(&graph, threads, by_moves);
                check(&graph, &stored, seed);
                without += stored.len();
                all += graph.distances().len();
            }
        }
    }
    // States are left out, and more of them if the store tells them apart by numbers.
    assert!(numbered < without && without < all, "{numbered} {without} {all}");
}
