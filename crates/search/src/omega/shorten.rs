//! From a cycle that is known to exist to a short lasso.
//!
//! A first lasso is built whatever it costs, unless there is one. Then states are looked at
//! by their distance from the initial one, and from each move that can begin a
//! wanted cycle the rest of one is sought, by legs: each is a shortest way to a move
//! that adds what is still missing, the last one leads back. With one acceptance set
//! and no fairness that is a shortest cycle through that move. The lead goes to the
//! state of the cycle that is nearest. The best one wins; effort is bounded.

use super::Numbering;
use super::judge::{Judge, Lasso, Tally, check_lasso, follow, label_of};
use super::part::{Edge, Members, Part};
use super::routes::{Bounds, Routes, Step};
use spinor_ts::{Depth, EventKind, Expansion, FoundError, OmegaSystem, Path};

/// Most nodes to look at for a shorter lasso.
const MAX_VISITS: u64 = 2_000_000;
/// One cycle may cost so much of it.
const SHARE: u64 = 8;

/// Nodes to look at after a search that has expanded so many states.
pub(crate) fn visits_for(expanded: u64) -> u64 {
    (10_000 + 4 * expanded).min(MAX_VISITS)
}

/// What a search knows when it has found that there is a wanted cycle.
pub(crate) struct Hint {
    /// A path from the initial state to a state from which members can be reached.
    pub(crate) path: Path,
    /// If the path is a lasso already: where its cycle begins.
    pub(crate) cycle_start: Option<usize>,
}

/// A lasso in the making.
struct Draft {
    /// Whether it begins with the path of the hint; else with the initial state.
    is_hinted: bool,
    lead: Vec<Step>,
    cycle: Vec<Step>,
    length: Depth,
}

/// Builds a lasso whose cycle goes through members only. `None` if the hint does not lead
/// where it should, as can happen if hidden bytes decide on what is possible.
pub(crate) fn build_lasso<'a, T: OmegaSystem, N: Numbering>(
    system: &'a mut T,
    numbering: N,
    judge: Judge,
    hint: &Hint,
    is_member: Members<'a>,
    visits: u64,
) -> Option<Lasso> {
    let initial = system.initial().ok()?;
    let (hinted, length) = replay(system, &initial, &hint.path)?;
    let part = Part::new(system, numbering, is_member);
    let mut builder = Builder { part, judge, routes: Routes::default(), visits: 0 };
    let (known, length) = if let Some(cycle_start) = hint.cycle_start {
        let known = Lasso { path: hint.path.clone(), cycle_start, length };
        (builder.checked(known), length)
    } else {
        let draft = builder.draft(&hinted, length)?;
        (builder.finish(&draft, hint, &initial, &hinted), draft.length)
    };
    let shorter = builder.shorten(&initial, length, visits);
    shorter.and_then(|draft| builder.finish(&draft, hint, &initial, &hinted)).or(known)
}

/// The state at the end of a path, and the length of the path.
fn replay<T: OmegaSystem>(
    system: &mut T,
    initial: &[u8],
    path: &[u32],
) -> Option<(Vec<u8>, Depth)> {
    let mut expansion = Expansion::new();
    let mut state = initial.to_vec();
    let mut length = 0;
    for event in path {
        let (_, _, steps) = follow(system, &mut state, *event as usize, &mut expansion)?;
        length += Depth::from(steps);
    }
    Some((state, length))
}

struct Builder<'a, T, N> {
    part: Part<'a, T, N>,
    judge: Judge,
    routes: Routes,
    /// Nodes looked at.
    visits: u64,
}

impl<T: OmegaSystem, N: Numbering> Builder<'_, T, N> {
    /// A lasso that begins with the path of the hint, to the state `from`.
    fn draft(&mut self, from: &[u8], length: Depth) -> Option<Draft> {
        let from = self.part.node(from);
        let unbounded = Bounds { length: Depth::MAX, visits: u64::MAX, members_only: false };
        let mut lead = Vec::new();
        let mut start = from;
        if !self.part.is_member(from) {
            lead = self.routes.find(
                &mut self.part,
                from,
                &unbounded,
                &mut self.visits,
                |part, edge| part.is_member(edge.target),
            )?;
            start = lead.last().map_or(from, |(_, edge)| self.part.edge(*edge).target);
        }
        let cycle = self.cycle(start, None, Depth::MAX, u64::MAX)?;
        let length = length + self.length(&lead) + self.length(&cycle);
        Some(Draft { is_hinted: true, lead, cycle, length })
    }

    fn length(&self, way: &[Step]) -> Depth {
        let steps = |(_, edge): &Step| self.part.kind(&self.part.edge(*edge)).steps;
        way.iter().map(|step| Depth::from(steps(step))).sum()
    }

    /// A wanted cycle through `start` (and its edge `first`) of at most this length.
    fn cycle(
        &mut self,
        start: u32,
        first: Option<usize>,
        mut length: Depth,
        visits: u64,
    ) -> Option<Vec<Step>> {
        let mut cycle: Vec<Step> = Vec::new();
        let mut tally = Tally::default();
        let mut at = start;
        let mut leg: Vec<Step> = first.map(|edge| (start, edge)).into_iter().collect();
        loop {
            for (_, edge) in &leg {
                let edge = self.part.edge(*edge);
                let kind = self.part.kind(&edge);
                tally.add(kind.label(), kind.enabled);
                length = length.checked_sub(Depth::from(kind.steps))?;
                at = edge.target;
            }
            cycle.append(&mut leg);
            let lack = self.judge.lack(tally);
            if lack.is_nothing() && at == start && !cycle.is_empty() {
                return Some(cycle);
            }
            let bounds = Bounds { length, visits, members_only: true };
            let find = |builder: &mut Self, wanted: &mut dyn FnMut(&Part<'_, T, N>, &_) -> bool| {
                builder.routes.find(&mut builder.part, at, &bounds, &mut builder.visits, wanted)
            };
            leg = if lack.is_nothing() {
                find(self, &mut |_, edge: &Edge| edge.target == start)?
            } else {
                find(self, &mut |part, edge| {
                    let kind = part.kind(edge);
                    lack.is_met_by(kind.label(), kind.enabled)
                })?
            };
        }
    }

    /// A lasso shorter than `known`, if one is found.
    fn shorten(&mut self, initial: &[u8], known: Depth, visits: u64) -> Option<Draft> {
        let limit = self.visits.saturating_add(visits);
        let share = visits / SHARE + 1;
        let mut best: Option<Draft> = None;
        let mut known = known;
        let mut nearest = None;
        let mut leads = Routes::default();
        leads.begin(self.part.node(initial));
        loop {
            let bounds = Bounds { length: known, visits: u64::MAX, members_only: false };
            let Some((node, distance)) = leads.next(&mut self.part, &bounds) else { break };
            self.visits += 1;
            let nearest = match nearest {
                None if !self.part.is_member(node) => 0,
                None => *nearest.insert(distance),
                Some(nearest) => nearest,
            };
            if self.visits > limit || distance + 1 >= known {
                break;
            }
            if !self.part.is_member(node) {
                continue;
            }
            for number in self.part.edges(node) {
                let edge = self.part.edge(number);
                let accepting = self.part.kind(&edge).accepting & self.judge.goal;
                let is_start =
                    self.part.is_member(edge.target) && (accepting != 0 || self.judge.goal == 0);
                let Some(room) = known.checked_sub(nearest + 1) else { break };
                if !is_start || self.visits > limit {
                    continue;
                }
                let Some(cycle) = self.cycle(node, Some(number), room, share) else { continue };
                let (at, lead) = self.entry(&cycle, &leads);
                let length = lead + self.length(&cycle);
                if length < known {
                    known = length;
                    let lead = leads.way_to(cycle[at].0);
                    let mut cycle = cycle;
                    cycle.rotate_left(at);
                    best = Some(Draft { is_hinted: false, lead, cycle, length });
                }
            }
        }
        best
    }

    /// The step of a cycle before which the initial state is nearest, and how near.
    fn entry(&self, cycle: &[Step], leads: &Routes) -> (usize, Depth) {
        let distances = cycle.iter().enumerate();
        let distances = distances.filter_map(|(at, (node, _))| Some((leads.distance(*node)?, at)));
        distances.min().map_or((0, Depth::MAX / 2), |(distance, at)| (at, distance))
    }

    /// The lasso as events, if it is one.
    fn finish(
        &mut self,
        draft: &Draft,
        hint: &Hint,
        initial: &[u8],
        hinted: &[u8],
    ) -> Option<Lasso> {
        let steps: Vec<Step> = draft.lead.iter().chain(&draft.cycle).copied().collect();
        let mut path = if draft.is_hinted { hint.path.clone() } else { Path::new() };
        let cycle_start = path.len() + draft.lead.len();
        if self.part.has_hidden() {
            path.extend(self.thread(if draft.is_hinted { hinted } else { initial }, &steps)?);
        } else {
            path.extend(steps.iter().map(|(_, edge)| self.part.edge(*edge).event));
        }
        self.checked(Lasso { path, cycle_start, length: draft.length })
    }

    /// The lasso if it is a wanted one.
    fn checked(&mut self, lasso: Lasso) -> Option<Lasso> {
        let Lasso { path, cycle_start, length } = lasso;
        let violation = self.part.system.cycle_violation();
        let cycle_start = Some(cycle_start);
        let error = FoundError { violation, path, length, cycle_start, occurrences: 1, number: 1 };
        check_lasso(self.part.system, &error, self.judge.fairness).ok()?;
        Some(Lasso { path: error.path, cycle_start: lasso.cycle_start, length })
    }

    /// The events of a way for the hidden bytes that a run along it really has.
    fn thread(&mut self, from: &[u8], way: &[Step]) -> Option<Path> {
        let mut path = Path::new();
        let mut expansion = Expansion::new();
        let (mut state, mut next) = (from.to_vec(), Vec::new());
        let hidden = self.part.system.hidden_bytes();
        for (_, edge) in way {
            let edge = self.part.edge(*edge);
            let kind = *self.part.kind(&edge);
            self.part.state(edge.target, &mut next);
            let wanted = &next[..next.len() - hidden];
            self.part.system.expand(&state, &mut expansion);
            let is_it = |(number, event): &(usize, &spinor_ts::Event)| {
                event.kind == EventKind::Successor
                    && event.steps == kind.steps
                    && label_of(&expansion, *number) == kind.label()
                    && expansion.state(event).split_at(wanted.len()).0 == wanted
            };
            let events = expansion.events().iter().enumerate();
            let same_length =
                events.filter(|(_, event)| expansion.state(event).len() == next.len());
            let (number, event) = same_length.into_iter().find(is_it)?;
            path.push(number as u32);
            state.clear();
            state.extend_from_slice(expansion.state(event));
        }
        Some(path)
    }
}
