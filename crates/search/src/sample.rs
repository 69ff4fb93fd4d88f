//! A look at some states before a search, for stores that plan ahead.

use spinor_ts::{EventKind, Expansion, Footprint, GroupMoves, TransitionSystem};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A walk begins anew after so many steps at the latest.
const WALK: usize = 4096;

/// Up to `states` states, without their hidden bytes, met on random walks from the
/// initial state; some may be met twice. Expands at most `budget` states. The same
/// for the same system every time.
pub fn sample<T: TransitionSystem>(system: &mut T, states: usize, budget: usize) -> Vec<Vec<u8>> {
    let hidden = system.hidden_bytes();
    let Ok(initial) = system.initial() else { return Vec::new() };
    let key = |state: &[u8]| state[..state.len() - hidden].to_vec();
    let mut found = Vec::new();
    let mut expansion = Expansion::new();
    let mut random = Random::new(0);
    let mut state = initial.clone();
    let mut walked = 0;
    if states > 0 {
        found.push(key(&initial));
    }
    for _ in 0..budget {
        if found.len() >= states {
            break;
        }
        system.expand(&state, &mut expansion);
        let is_successor = |kind: &EventKind| *kind == EventKind::Successor;
        // Where part of the events may be enough, it mostly is.
        let enough = if expansion.enough == 0 { usize::MAX } else { expansion.enough as usize };
        let events = expansion.events().iter().take(enough);
        let successors = events.filter(|event| is_successor(&event.kind));
        let count = successors.clone().count();
        let chosen = successors.clone().nth(random.below(count));
        match chosen {
            Some(event) if walked < WALK => {
                state.clear();
                state.extend_from_slice(expansion.state(event));
                found.push(key(&state));
                walked += 1;
            }
            // Every walk would end here.
            None if walked == 0 => break,
            _ => {
                state.clone_from(&initial);
                walked = 0;
            }
        }
    }
    found
}

/// Gives up to `states` different states to `expand`, which one of those met so far is left to chance; says how many there were. Other
/// than walks, which meet again and again what lies on the way, these tell what most states are like.
pub fn spread(
    initial: Vec<u8>,
    states: usize,
    mut expand: impl FnMut(&[u8], &mut Expansion),
) -> usize {
    let mut met = HashSet::from([initial.clone()]);
    let mut open = vec![initial];
    let mut expansion = Expansion::new();
    let mut random = Random::new(0);
    for expanded in 0..states {
        if open.is_empty() {
            return expanded;
        }
        let state = open.swap_remove(random.below(open.len()));
        expand(&state, &mut expansion);
        for event in expansion.events().iter().filter(|event| event.kind == EventKind::Successor) {
            let next = expansion.state(event);
            if !met.contains(next) {
                met.insert(next.to_vec());
                open.push(next.to_vec());
            }
        }
    }
    states
}

/// States that are looked at to find out whether moves are local.
const ASKED: usize = 16;

/// Whether no group of moves looks at more than half of a state, in the mean over some of these.
pub fn is_local<T: TransitionSystem>(system: &mut T, states: &[Vec<u8>]) -> bool {
    let (mut anchors, mut footprint, mut out) =
        (Vec::new(), Footprint::default(), Expansion::new());
    let (mut looked, mut bytes) = (0, 0);
    for state in states.iter().step_by(states.len().div_ceil(ASKED).max(1)) {
        if system.hidden_bytes() > 0 || !system.groups(state, &mut anchors) {
            return false;
        }
        let mut largest = 0;
        for group in 0..anchors.len() {
            let own = match system.expand_group(state, group, &mut out, Some(&mut footprint)) {
                GroupMoves::Local => footprint.bytes(),
                GroupMoves::Global | GroupMoves::Inseparable => state.len(),
            };
            largest = largest.max(own);
        }
        looked += largest;
        bytes += state.len();
    }
    2 * looked < bytes
}

/// Moves of a state, in the mean over some.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Movers {
    /// Groups that have a move. Where there is only one, it goes through the whole state sooner or later, and little can be recalled.
    pub groups: f64,
    /// Moves of all groups. Where there are few, all groups have to be looked up for little.
    pub moves: f64,
}

/// How many moves some of these states have.
pub fn movers<T: TransitionSystem>(system: &mut T, states: &[Vec<u8>]) -> Movers {
    let (mut anchors, mut out) = (Vec::new(), Expansion::new());
    let (mut asked, mut moving, mut moves) = (0, 0, 0);
    for state in states.iter().step_by(states.len().div_ceil(ASKED).max(1)) {
        if system.hidden_bytes() > 0 || !system.groups(state, &mut anchors) {
            continue;
        }
        asked += 1;
        for group in 0..anchors.len() {
            system.expand_group(state, group, &mut out, None);
            moving += usize::from(!out.events().is_empty());
            moves += out.events().len();
        }
    }
    let mean = |sum: usize| if asked == 0 { 0.0 } else { sum as f64 / asked as f64 };
    Movers { groups: mean(moving), moves: mean(moves) }
}

/// States that are looked at to find out whether moves come again.
const COMPARED: usize = 256;

/// The share of groups of moves, in the second half of these states, that were not met in the first half: in a state with the same
/// bytes where they look. All of them if that cannot be known.
pub fn share_of_new_moves<T: TransitionSystem>(system: &mut T, states: &[Vec<u8>]) -> f64 {
    let (mut anchors, mut footprint, mut out) =
        (Vec::new(), Footprint::default(), Expansion::new());
    let mut met = HashSet::new();
    let (mut asked, mut new) = (0, 0);
    let step = states.len().div_ceil(COMPARED).max(1);
    let count = states.len().div_ceil(step);
    for (at, state) in states.iter().step_by(step).enumerate() {
        if system.hidden_bytes() > 0 || !system.groups(state, &mut anchors) {
            return 1.0;
        }
        for group in 0..anchors.len() {
            let moves = system.expand_group(state, group, &mut out, Some(&mut footprint));
            // Only then there is a footprint.
            let is_local = moves == GroupMoves::Local;
            let is_new = !is_local || met.insert(hash_of(state, group, &footprint));
            if 2 * at >= count {
                asked += 1;
                new += usize::from(is_new);
            }
        }
    }
    if asked == 0 { 1.0 } else { new as f64 / asked as f64 }
}

/// A number for what a group of moves looks at.
fn hash_of(state: &[u8], group: usize, footprint: &Footprint) -> u64 {
    let mut hasher = DefaultHasher::new();
    (group, state.len()).hash(&mut hasher);
    let mut ranges = footprint.ranges().to_vec();
    ranges.sort_unstable_by_key(|range| (range.start, range.end));
    ranges.dedup();
    for range in ranges {
        (range.start, state.get(range)).hash(&mut hasher);
    }
    hasher.finish()
}

/// Numbers that look random (`SplitMix64`).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number less than `bound`, or 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        ((u128::from(mixed) * bound as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy::{Edge, Graph, Grid, bad};
    use std::collections::BTreeSet;

    #[test]
    fn states_of_walks() {
        let mut grid = Grid { counters: 4, max: 9 };
        let states = sample(&mut grid, 1000, 1100);
        assert_eq!(states, sample(&mut grid, 1000, 1100));
        assert_eq!((states.len(), &states[0][..]), (1000, &[0; 4][..]));
        // Walks of 36 steps each, and different ones.
        assert!(states.contains(&vec![9; 4]));
        assert!(states.iter().collect::<BTreeSet<_>>().len() > 500);
        assert_eq!(sample(&mut grid, 1000, 10).len(), 11);
        assert_eq!(sample(&mut grid, 0, 10).len(), 0);
    }

    #[test]
    fn states_all_over_the_graph() {
        let met = |states| {
            let mut grid = Grid { counters: 2, max: 9 };
            let mut met = Vec::new();
            let count = spread(vec![0; 2], states, |state, out| {
                met.push(state.to_vec());
                grid.expand(state, out);
            });
            assert_eq!(count, met.len());
            met
        };
        let some = met(50);
        assert_eq!(some, met(50));
        assert_eq!((some.len(), some.iter().collect::<BTreeSet<_>>().len()), (50, 50));
        // Chance takes states at different distances, neither level by level nor straight on.
        let depth = |state: &Vec<u8>| state.iter().sum::<u8>();
        assert!(!some.is_sorted_by_key(depth));
        // All states there are, once each.
        let all = met(1000);
        assert_eq!((all.len(), all.iter().collect::<BTreeSet<_>>().len()), (100, 100));
    }

    #[test]
    fn without_groups_nothing_moves_apart() {
        let mut grid = Grid { counters: 4, max: 9 };
        let states = sample(&mut grid, 100, 100);
        assert!(movers(&mut grid, &states).groups < 1.0);
    }

    #[test]
    fn dead_ends_and_hidden_bytes() {
        let mut graph = Graph::new(vec![vec![Edge::Bad(bad(1), 1)]]);
        assert_eq!(sample(&mut graph, 9, 9).len(), 1);
        let mut graph = Graph { has_hidden: true, ..Graph::line(3) };
        let states = sample(&mut graph, 9, 99);
        assert_eq!(states.len(), 9);
        assert!(states.iter().all(|state| state.len() < 7));
        graph.fails_at_once = Some(bad(1));
        assert!(sample(&mut graph, 9, 9).is_empty());
    }
}
