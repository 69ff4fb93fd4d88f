//! Locations that every loop of a process passes.
//!
//! Of the locations where a process can rest, so many are chosen that no loop is left between
//! the others. Those are preferred where the process has something to do with others: there a
//! process hardly ever moves alone anyway.

use spinor_program::{Automaton, LocId};

/// By location: whether it is chosen. `is_busy` says where the process has to do with others.
pub(crate) fn sticky(automaton: &Automaton, is_busy: impl Fn(usize) -> bool) -> Vec<bool> {
    let count = automaton.locations.len();
    let edges: Vec<Vec<usize>> = (0..count).map(|at| next_rests(automaton, at)).collect();
    let mut chosen = vec![false; count];
    loop {
        let on_loop = on_loops(&edges, &chosen);
        // Where a step leads straight back there is no choice.
        let best = (0..count).filter(|&at| on_loop[at]).max_by_key(|&at| {
            let arrivals = edges.iter().flatten().filter(|&&to| to == at).count();
            (edges[at].contains(&at), is_busy(at), arrivals, std::cmp::Reverse(at))
        });
        match best {
            Some(at) => chosen[at] = true,
            None => return chosen,
        }
    }
}

/// Where a process may rest after one move from a location.
fn next_rests(automaton: &Automaton, at: usize) -> Vec<usize> {
    let count = automaton.locations.len();
    let (mut rests, mut walked) = (vec![false; count], vec![false; count]);
    let mut left = vec![LocId(at as u32)];
    while let Some(at) = left.pop() {
        for transition in &automaton.locations[at.index()].transitions {
            let to = transition.target;
            // It may block inside an atomic sequence, too.
            rests[to.index()] = true;
            if transition.atomic && !std::mem::replace(&mut walked[to.index()], true) {
                left.push(to);
            }
        }
    }
    (0..count).filter(|&at| rests[at]).collect()
}

/// Which locations lie on loops of locations that are not chosen, or between such loops.
fn on_loops(edges: &[Vec<usize>], chosen: &[bool]) -> Vec<bool> {
    let mut left: Vec<bool> = chosen.iter().map(|chosen| !chosen).collect();
    loop {
        let mut arrivals = vec![false; edges.len()];
        for at in (0..edges.len()).filter(|&at| left[at]) {
            edges[at].iter().for_each(|&to| arrivals[to] = true);
        }
        let stays = |at: usize| arrivals[at] && edges[at].iter().any(|&to| left[to]);
        let trimmed: Vec<bool> = (0..edges.len()).map(|at| left[at] && stays(at)).collect();
        if trimmed == left {
            return left;
        }
        left = trimmed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinor_program::{Location, StmtId, Transition};

    fn automaton(edges: &[&[(u32, bool)]]) -> Automaton {
        let transition = |&(target, atomic): &(u32, bool)| Transition {
            statement: StmtId(0),
            target: LocId(target),
            atomic,
            escape: LocId(0),
        };
        let location = |to: &&[(u32, bool)]| Location {
            transitions: to.iter().map(transition).collect(),
            ..Location::default()
        };
        Automaton {
            locations: edges.iter().map(location).collect(),
            start: LocId(1),
            end: LocId(0),
        }
    }

    #[test]
    fn every_loop_is_cut_at_a_busy_place() {
        let loops = automaton(&[&[], &[(2, false)], &[(3, false)], &[(1, false), (4, false)], &[]]);
        assert_eq!(sticky(&loops, |at| at == 2), [false, false, true, false, false]);
        let straight = automaton(&[&[], &[(2, false)], &[(0, false)]]);
        assert_eq!(sticky(&straight, |_| true), [false; 3]);
    }

    #[test]
    fn a_step_straight_back_leaves_no_choice() {
        let own = automaton(&[&[], &[(1, false), (2, false)], &[(1, false)]]);
        assert!(sticky(&own, |at| at == 2)[1]);
    }

    #[test]
    fn a_loop_of_one_atomic_sequence_is_cut_where_it_rests() {
        let atomic = automaton(&[&[], &[(2, true)], &[(1, false)]]);
        let chosen = sticky(&atomic, |_| false);
        assert!(chosen[1]);
    }
}
