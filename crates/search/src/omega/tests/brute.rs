//! Wanted cycles by definition, as slow as it takes.

use super::web::Web;
use spinor_ts::Fairness;

/// By two states: whether the second one is reached by one or more moves.
pub(crate) fn reachability(web: &Web) -> Vec<Vec<bool>> {
    let count = web.len() as usize;
    let mut reach = vec![vec![false; count]; count];
    for state in 0..web.len() {
        web.successors(state).for_each(|(to, ..)| reach[state as usize][to as usize] = true);
    }
    for middle in 0..count {
        for from in 0..count {
            for to in 0..count {
                reach[from][to] |= reach[from][middle] && reach[middle][to];
            }
        }
    }
    reach
}

/// Whether there is a wanted infinite run.
pub(crate) fn has_wanted_run(web: &Web, fairness: Fairness) -> bool {
    let reach = reachability(web);
    let is_reachable = |state: u32| state == 0 || reach[0][state as usize];
    if fairness == Fairness::Strong {
        return any_subset(web, &is_reachable);
    }
    (0..web.len()).filter(|state| is_reachable(*state)).any(|state| {
        let together = |other: &u32| {
            reach[state as usize][*other as usize] && reach[*other as usize][state as usize]
        };
        let members: Vec<u32> = (0..web.len()).filter(together).collect();
        !members.is_empty() && is_wanted(web, &members, fairness)
    })
}

/// The set of states that some run visits again and again, all their moves included.
fn is_wanted(web: &Web, members: &[u32], fairness: Fairness) -> bool {
    let (mut accepting, mut moved, mut can, mut cannot) = (0, 0, 0, 0);
    for state in members {
        can |= web.enabled[*state as usize];
        cannot |= !web.enabled[*state as usize];
        for (to, _, label) in web.successors(*state) {
            if members.contains(&to) {
                accepting |= label.accepting;
                moved |= label.movers;
            }
        }
    }
    let is_fair = match fairness {
        Fairness::None => true,
        Fairness::Weak => moved | cannot == u64::MAX,
        Fairness::Strong => can & !moved == 0,
    };
    accepting.count_ones() == web.sets && is_fair
}

/// Tries all sets of states that are strongly connected by themselves.
fn any_subset(web: &Web, is_reachable: &dyn Fn(u32) -> bool) -> bool {
    assert!(web.len() <= 12, "all subsets are tried");
    (1_u32..1 << web.len()).any(|set| {
        let members: Vec<u32> = (0..web.len()).filter(|state| set >> state & 1 != 0).collect();
        members.iter().all(|state| is_reachable(*state))
            && is_connected(web, set)
            && is_wanted(web, &members, Fairness::Strong)
    })
}

/// Whether every state of the set is reached from every one by moves inside the set.
fn is_connected(web: &Web, set: u32) -> bool {
    let successors =
        |state: u32| web.successors(state).fold(0, |next, (to, ..)| next | (1_u32 << to & set));
    (0..web.len()).filter(|state| set >> state & 1 != 0).all(|state| {
        let mut seen = successors(state);
        loop {
            let more = (0..web.len())
                .filter(|state| seen >> state & 1 != 0)
                .fold(seen, |seen, state| seen | successors(state));
            if more == seen {
                return seen == set;
            }
            seen = more;
        }
    })
}

/// The length of a shortest lasso for one acceptance set without fairness: over all
/// accepting moves on a cycle, a shortest cycle through it and a shortest way to that cycle's
/// nearest state is at most this long.
pub(crate) fn shortest_cycle(web: &Web) -> Option<u64> {
    let distances = distances(web);
    let is_reachable = |state: u32| distances[0][state as usize] < FAR;
    let mut best = None;
    for state in (0..web.len()).filter(|state| is_reachable(*state)) {
        for (to, steps, label) in web.successors(state) {
            let back = distances[to as usize][state as usize];
            if (label.accepting & 1 != 0 || web.sets == 0) && back < FAR {
                let length = back + u64::from(steps);
                best = Some(best.map_or(length, |best: u64| best.min(length)));
            }
        }
    }
    best
}

const FAR: u64 = 1 << 40;

/// Least steps between any two states.
pub(crate) fn distances(web: &Web) -> Vec<Vec<u64>> {
    let count = web.len() as usize;
    let mut distances = vec![vec![FAR; count]; count];
    for (state, distances) in distances.iter_mut().enumerate() {
        distances[state] = 0;
        for (to, steps, _) in web.successors(state as u32) {
            let distance = &mut distances[to as usize];
            *distance = u64::from(steps).min(*distance);
        }
    }
    for middle in 0..count {
        for from in 0..count {
            for to in 0..count {
                let through = distances[from][middle] + distances[middle][to];
                distances[from][to] = distances[from][to].min(through);
            }
        }
    }
    distances
}
