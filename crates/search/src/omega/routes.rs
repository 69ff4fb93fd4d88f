//! Shortest ways, in elementary steps.

use super::Numbering;
use super::part::{Edge, Part};
use spinor_ts::{Depth, TransitionSystem};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// No edge leads to where a search began.
const START: usize = usize::MAX;

/// A step of a way: a node and the number of an edge of it.
pub(crate) type Step = (u32, usize);

#[derive(Clone, Copy, Debug)]
struct Seen {
    /// Of the search that has seen it last.
    round: u32,
    source: u32,
    edge: usize,
    distance: Depth,
}

/// Something that was reached: a node, or an edge that was looked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Arrival {
    distance: Depth,
    /// Edges that were looked for come first among equals.
    is_node: bool,
    target: u32,
    source: u32,
    edge: usize,
}

/// A search from one node outwards; memory is reused from one to the next.
#[derive(Debug, Default)]
pub(crate) struct Routes {
    round: u32,
    seen: Vec<Seen>,
    queue: BinaryHeap<Reverse<Arrival>>,
}

/// How much may be spent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Longest way.
    pub(crate) length: Depth,
    /// Most nodes to look at.
    pub(crate) visits: u64,
    /// Whether only members may be passed.
    pub(crate) members_only: bool,
}

impl Routes {
    /// Begins a search.
    pub(crate) fn begin(&mut self, from: u32) {
        self.round += 1;
        self.queue.clear();
        let start = Arrival { distance: 0, is_node: true, target: from, source: from, edge: START };
        self.queue.push(Reverse(start));
    }

    /// The nearest node that was not given yet, with its distance. Its edges
    /// are followed.
    pub(crate) fn next<T: TransitionSystem, N: Numbering>(
        &mut self,
        part: &mut Part<'_, T, N>,
        bounds: &Bounds,
    ) -> Option<(u32, Depth)> {
        let arrival = self.advance(part, bounds, |_, _| false)?;
        Some((arrival.target, arrival.distance))
    }

    /// The shortest way whose last edge is `wanted`. Counts the nodes looked at in
    /// `visits`.
    pub(crate) fn find<T: TransitionSystem, N: Numbering>(
        &mut self,
        part: &mut Part<'_, T, N>,
        from: u32,
        bounds: &Bounds,
        visits: &mut u64,
        mut wanted: impl FnMut(&Part<'_, T, N>, &Edge) -> bool,
    ) -> Option<Vec<Step>> {
        self.begin(from);
        let allowed = *visits + bounds.visits.min(u64::MAX - *visits);
        while *visits < allowed {
            *visits += 1;
            let arrival = self.advance(part, bounds, &mut wanted)?;
            if !arrival.is_node {
                let mut way = self.way_to(arrival.source);
                way.push((arrival.source, arrival.edge));
                return Some(way);
            }
        }
        None
    }

    fn advance<T: TransitionSystem, N: Numbering>(
        &mut self,
        part: &mut Part<'_, T, N>,
        bounds: &Bounds,
        mut wanted: impl FnMut(&Part<'_, T, N>, &Edge) -> bool,
    ) -> Option<Arrival> {
        loop {
            let Reverse(arrival) = self.queue.pop()?;
            if !arrival.is_node {
                return Some(arrival);
            }
            let Arrival { distance, target: node, source, edge, .. } = arrival;
            let unseen = Seen { round: 0, source: 0, edge: 0, distance: 0 };
            self.seen.resize(part.len().max(self.seen.len()), unseen);
            if self.has_seen(node) {
                continue;
            }
            self.seen[node as usize] = Seen { round: self.round, source, edge, distance };
            for number in part.edges(node) {
                let edge = part.edge(number);
                let distance = distance + Depth::from(part.kind(&edge).steps);
                if distance > bounds.length || bounds.members_only && !part.is_member(edge.target) {
                    continue;
                }
                let is_wanted = wanted(part, &edge);
                if is_wanted || !self.has_seen(edge.target) {
                    let (source, target, edge) = (node, edge.target, number);
                    let is_node = !is_wanted;
                    self.queue.push(Reverse(Arrival { distance, is_node, target, source, edge }));
                }
            }
            return Some(arrival);
        }
    }

    fn has_seen(&self, node: u32) -> bool {
        self.seen.get(node as usize).is_some_and(|seen| seen.round == self.round)
    }

    /// The distance of a node that was given.
    pub(crate) fn distance(&self, node: u32) -> Option<Depth> {
        self.has_seen(node).then(|| self.seen[node as usize].distance)
    }

    /// The way to a node that was given.
    pub(crate) fn way_to(&self, node: u32) -> Vec<Step> {
        let mut way = Vec::new();
        let mut seen = self.seen[node as usize];
        while seen.edge != START {
            way.push((seen.source, seen.edge));
            seen = self.seen[seen.source as usize];
        }
        way.reverse();
        way
    }
}
