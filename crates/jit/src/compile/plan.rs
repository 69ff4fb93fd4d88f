//! Which functions to generate, and who generates them.

use super::emit::Body;
use super::facts::Facts;
use super::step::{Role, reachable};
use spinor_program::Action;
use spinor_program::expr::ProctypeId;
use std::ops::Range;

/// Work beyond which a function is cut: register allocation should stay linear, and
/// several threads should find work.
const LARGE: usize = 300;

/// What a function does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Job {
    /// Tries the transitions of some locations.
    Try {
        role: Role,
        body: Body,
        part: Range<usize>,
        parts: Option<usize>,
    },
    /// Passes on to the part of a large function that deals with the location.
    Dispatch {
        role: Role,
        body: Body,
        parts: usize,
    },
    /// Tries the transitions of all processes.
    All,
    Enabled(ProctypeId),
    Provided(ProctypeId),
    MayMove,
    WatchSend,
    WatchReceive,
}

/// A function to be generated.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    pub job: Job,
    /// How much work it is, in transitions.
    pub weight: usize,
}

/// All functions that a program needs, and for each large one that is cut the number of
/// its locations.
pub(super) fn plan(facts: &Facts<'_>) -> (Vec<Unit>, Vec<usize>) {
    let mut units = Vec::new();
    let mut cuts = Vec::new();
    let program = facts.program;
    let is_enough = super::all::suffices(facts);
    if super::all::is_wanted(facts) {
        let shape = facts.fixed.iter();
        let ids = shape.flat_map(|shape| &shape.frames).map(|frame| frame.proctype);
        let work = ids.flat_map(|id| weights(facts, Body::Process(id))).sum();
        units.push(Unit { job: Job::All, weight: work });
    }
    let add = |units: &mut Vec<Unit>, job| units.push(Unit { job, weight: 2 });
    for (i, process) in program.proctypes.iter().enumerate() {
        if !process.is_instantiated {
            continue;
        }
        let id = ProctypeId(i as u32);
        let body = Body::Process(id);
        let weights = weights(facts, body);
        let total = weights.iter().sum();
        if !is_enough {
            cut(&mut units, &mut cuts, Role::Step, body, &weights);
        }
        let receives = facts.has_rendezvous
            && process.automaton.locations.iter().flat_map(|l| &l.transitions).any(|t| {
                matches!(facts.action(t.statement), Action::Receive(_) | Action::DStep(_))
            });
        if receives {
            cut(&mut units, &mut cuts, Role::Accept, body, &weights);
        }
        if facts.uses_enabled || program.uses_priority {
            units.push(Unit { job: Job::Enabled(id), weight: total });
        }
        if process.provided.is_some() {
            add(&mut units, Job::Provided(id));
        }
    }
    if let Some(claim) = facts.options.claim {
        let body = Body::Claim(claim);
        cut(&mut units, &mut cuts, Role::Step, body, &weights(facts, body));
    }
    if facts.restricts_moves && facts.has_rendezvous {
        add(&mut units, Job::MayMove);
    }
    if facts.is_watched {
        add(&mut units, Job::WatchSend);
        add(&mut units, Job::WatchReceive);
    }
    (units, cuts)
}

/// Work per location.
pub(super) fn weights(facts: &Facts<'_>, body: Body) -> Vec<usize> {
    let process = match body {
        Body::Process(id) => &facts.program.proctypes[id.index()],
        Body::Claim(claim) => &facts.program.claims[claim],
        Body::Trace => return Vec::new(),
    };
    let weight = |t: &spinor_program::Transition| match facts.action(t.statement) {
        Action::DStep(inner) => 1 + inner.locations.iter().map(Vec::len).sum::<usize>(),
        _ => 1,
    };
    let locations = process.automaton.locations.iter().zip(reachable(&process.automaton));
    locations.map(|(l, r)| if r { l.transitions.iter().map(weight).sum() } else { 0 }).collect()
}

/// Adds the functions of one role: one, or several and a distributor.
fn cut(units: &mut Vec<Unit>, cuts: &mut Vec<usize>, role: Role, body: Body, weights: &[usize]) {
    let mut parts: Vec<(Range<usize>, usize)> = Vec::new();
    let (mut start, mut sum) = (0, 0);
    for (at, weight) in weights.iter().enumerate() {
        if sum > 0 && sum + weight > LARGE {
            parts.push((start..at, sum));
            (start, sum) = (at, 0);
        }
        sum += weight;
    }
    parts.push((start..weights.len(), sum));
    let table = (parts.len() > 1).then(|| {
        cuts.push(weights.len());
        cuts.len() - 1
    });
    for (part, weight) in parts {
        units.push(Unit { job: Job::Try { role, body, part, parts: table }, weight: weight + 1 });
    }
    if let Some(parts) = table {
        units.push(Unit { job: Job::Dispatch { role, body, parts }, weight: 1 });
    }
}

/// Deals the units out to `hands`, the heaviest first, each to who has least.
pub(super) fn deal(units: &[Unit], hands: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..units.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(units[i].weight));
    let mut dealt = vec![(0, Vec::new()); hands.max(1)];
    for i in order {
        if let Some((weight, hand)) = dealt.iter_mut().min_by_key(|(weight, _)| *weight) {
            *weight += units[i].weight;
            hand.push(i);
        }
    }
    dealt.into_iter().map(|(_, hand)| hand).collect()
}
