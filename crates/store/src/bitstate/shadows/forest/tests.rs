use super::*;
use std::collections::VecDeque;

type Graph = Vec<Vec<usize>>;

fn random_graph(random: &mut fastrand::Rng) -> Graph {
    let size = random.usize(1..40);
    // From chains to thickets.
    let most = random.usize(1..4);
    (0..size).map(|_| (0..random.usize(0..=most)).map(|_| random.usize(..size)).collect()).collect()
}

/// States that are met from the first one without going through `left_out`.
fn met(graph: &Graph, left_out: Option<usize>) -> Vec<bool> {
    let mut seen = vec![false; graph.len()];
    let mut work = vec![0];
    while let Some(at) = work.pop() {
        if Some(at) != left_out && !std::mem::replace(&mut seen[at], true) {
            work.extend(&graph[at]);
        }
    }
    seen
}

fn hash_of(state: usize) -> u64 {
    (state as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Searches, from the oldest state on or from the newest, and tells the forest every way.
fn explore(graph: &Graph, casts: &[bool], forest: &mut Forest, is_breadth_first: bool) {
    let weight = |state: usize| casts[state].then_some(1.0);
    let mut seen = vec![false; graph.len()];
    seen[0] = true;
    forest.add(hash_of(0), &[], weight(0));
    let mut work = VecDeque::from([0]);
    while let Some(from) = if is_breadth_first { work.pop_front() } else { work.pop_back() } {
        for &to in &graph[from] {
            let origin = Some(hash_of(from)).filter(|hash| forest.holds(*hash));
            if std::mem::replace(&mut seen[to], true) {
                forest.connect(origin, hash_of(to));
            } else {
                forest.add(hash_of(to), origin.as_slice(), weight(to));
                work.push_back(to);
            }
        }
    }
}

#[test]
fn shadows_are_what_is_not_met_without_their_casters() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut largest = 0.0_f64;
    for round in 0..3_000 {
        let graph = random_graph(&mut random);
        let casts: Vec<bool> = graph.iter().map(|_| random.u32(..3) > 0).collect();
        let mut forest = Forest::default();
        explore(&graph, &casts, &mut forest, round % 2 == 0);
        let all = met(&graph, None);
        let casters: Vec<usize> = (0..graph.len()).filter(|at| all[*at] && casts[*at]).collect();
        assert_eq!(forest.casters(), casters.len());
        let shadow = |caster: usize| {
            let rest = met(&graph, Some(caster));
            all.iter().zip(&rest).filter(|(with, without)| **with && !**without).count()
        };
        let sum: usize = casters.iter().map(|caster| shadow(*caster)).sum();
        let mean = if casters.is_empty() { 1.0 } else { sum as f64 / casters.len() as f64 };
        assert!((forest.mean() - mean).abs() < 1e-9, "{graph:?} {casts:?} {mean}");
        largest = largest.max(mean);
    }
    assert!(largest > 5.0, "{largest}");
}

/// Chains of five states each: shadows of 5, 4, 3, 2 and 1.
#[test]
fn half_of_a_sample_says_the_same() {
    let mut forest = Forest::default();
    let mut mask = FIRST_MASK;
    for state in 0..40 * MOST {
        let hash = hash_of(state);
        let origin = (state % 5 > 0).then(|| hash_of(state - 1));
        let origin = origin.filter(|hash| forest.holds(*hash));
        let casts = sample(hash, 3) & mask == 0;
        forest.add(hash, origin.as_slice(), casts.then_some(0.25));
        if forest.is_crowded() {
            mask = forest.thin_out(3);
            assert!(!forest.is_crowded());
        }
    }
    assert!(mask > FIRST_MASK, "{mask}");
    assert!(forest.casters() > 500, "{}", forest.casters());
    assert!((forest.mean() - 3.0).abs() < 0.2, "{}", forest.mean());
}

#[test]
fn a_shadow_that_never_ends_is_given_up() {
    let mut forest = Forest::default();
    forest.add(hash_of(0), &[], Some(1.0));
    let mut given_up = 0;
    for state in 1..10 * LARGE as usize {
        let origin = Some(hash_of(state - 1)).filter(|hash| forest.holds(*hash));
        forest.add(hash_of(state), origin.as_slice(), (state % 5_000 == 0).then_some(1.0));
        if forest.is_crowded() {
            forest.mask = 0;
            forest.thin_out(0);
            given_up += 1;
        }
        assert!(forest.nodes.len() <= LARGE as usize + 2);
    }
    // The third has just begun.
    assert_eq!((given_up, forest.casters()), (2, 1));
}
