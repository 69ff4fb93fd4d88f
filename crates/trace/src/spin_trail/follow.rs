//! Trails of SPIN as runs.
//!
//! Each event of a state is a list of elementary steps; the one whose steps stand next in the
//! trail is taken. Where SPIN has merged statements, a step of the trail stands for a chain: then
//! steps of local statements may happen in between, which makes this a (small) search.

use super::write::line;
use super::{SpinClaim, SpinStep, SpinTrail};
use crate::{Move, Run, View};
use spinor_exec::{Actor, ReplayedStep};
use spinor_program::Action;
use spinor_ts::{EventKind, Expansion, TransitionSystem, Violation, ViolationKind};
use std::collections::HashSet;

/// Expansions for each line of a trail, and some more.
const PATIENCE: (usize, usize) = (16, 10_000);

/// A trail that this model cannot follow.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum FollowError {
    /// Some step cannot be taken.
    #[error(
        "step {step} (process {slot}, statement {id}) cannot be taken: is it a trail of this model, \
         with the same `-D` options?"
    )]
    Step {
        /// From 1.
        step: usize,
        /// The process, as in the trail.
        slot: usize,
        /// The statement.
        id: u32,
    },
    /// The last state is not the one where the cycle begins.
    #[error("the cycle does not return to the state where it begins")]
    Open,
    /// Too many ways were tried.
    #[error("too many ways to read it were tried up to step {0}")]
    Tired(usize),
    /// The model goes wrong before its first step.
    #[error("the initial state of the model cannot be built")]
    Stillborn,
}

/// A run that follows a trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followed {
    /// The run.
    pub run: Run,
    /// The violation at its end, if there is one.
    pub violation: Option<Violation>,
}

/// A way to go on.
#[derive(Clone, Copy, Debug)]
struct Way {
    event: u32,
    /// Lines that it takes.
    lines: usize,
    violation: Option<Violation>,
}

struct Node {
    state: Vec<u8>,
    at: usize,
    /// The event that leads to it.
    taken: u32,
    ways: Vec<Way>,
}

struct Follower<'v, 'a> {
    view: &'v mut View<'a>,
    lines: Vec<SpinStep>,
    merged: bool,
    /// Furthest line reached.
    furthest: usize,
    expansions: usize,
}

impl SpinTrail {
    /// The run that takes these steps. The view has to run with the trail's claim if that is
    /// one of the program, else without one.
    ///
    /// # Errors
    /// There is no such run.
    pub fn follow(&self, view: &mut View<'_>) -> Result<Followed, FollowError> {
        let result = self.follow_exactly(view);
        // SPIN may write one line too many where a trace or a claim decides: the step that is
        // against the trace again, or one that the claim has no more to do with.
        if let (Err(_), Some(_)) = (&result, self.steps.last()) {
            let mut shorter = self.clone();
            shorter.steps.pop();
            let decides = |violation: Violation| {
                use ViolationKind::{ClaimViolated, TraceViolated};
                matches!(violation.kind, ClaimViolated | TraceViolated)
            };
            let followed = shorter.follow_exactly(view).ok();
            let followed = followed.filter(|f| f.violation.is_some_and(decides));
            return followed.map_or(result, Ok);
        }
        result
    }

    fn follow_exactly(&self, view: &mut View<'_>) -> Result<Followed, FollowError> {
        let claim = self.claim_in(&view.program);
        let is_foreign = matches!(claim, SpinClaim::Ltl(_) | SpinClaim::NonProgress);
        let lines: Vec<SpinStep> = if is_foreign {
            let ours = self.steps.iter().filter(|step| step.slot > 0);
            ours.map(|step| SpinStep { slot: step.slot - 1, id: step.id }).collect()
        } else {
            self.steps.clone()
        };
        let cycle = self.cycle_start.map(|start| {
            let before = &self.steps[..start];
            if is_foreign { before.iter().filter(|s| s.slot > 0).count() } else { start }
        });
        let mut follower =
            Follower { view, lines, merged: self.merged, furthest: 0, expansions: 0 };
        let (nodes, last) = follower.search(cycle.is_none())?;
        let states_at = |line: usize| nodes.iter().position(|node| node.at >= line);
        let mut run = Run {
            moves: nodes.iter().skip(1).map(|n| Move::Event(n.taken)).collect(),
            ..Run::default()
        };
        let mut violation = last;
        if let Some(line) = cycle {
            let start = states_at(line).unwrap_or(nodes.len() - 1);
            if start + 1 == nodes.len() {
                run.moves.push(Move::Stutter);
            } else if !self.may_be_open && nodes[start].state != nodes[nodes.len() - 1].state {
                return Err(FollowError::Open);
            }
            run.cycle_start = Some(start);
            let kind = match claim {
                SpinClaim::NonProgress => ViolationKind::NonProgressCycle,
                _ => ViolationKind::AcceptanceCycle,
            };
            violation = Some(Violation { kind, site: 0 });
            run.violation = violation;
        } else if matches!(claim, SpinClaim::Ltl(_)) && violation.is_none() {
            violation = Some(Violation { kind: ViolationKind::ClaimViolated, site: 0 });
            run.violation = violation;
        }
        Ok(Followed { run, violation })
    }
}

/// A state of the run found and the event that leads to it.
struct Reached {
    state: Vec<u8>,
    at: usize,
    taken: u32,
}

/// The states of a run and the violation at its end.
type Found = (Vec<Reached>, Option<Violation>);

impl Follower<'_, '_> {
    /// Depth first through the ways to read the trail.
    fn search(&mut self, is_finite: bool) -> Result<Found, FollowError> {
        let initial = self.view.exec.initial().map_err(|_| FollowError::Stillborn)?;
        let mut seen: HashSet<(Vec<u8>, usize)> = HashSet::new();
        // All lines were read, but there may be a better end.
        let mut complete: Option<Found> = None;
        let ways = self.ways(&initial, 0, is_finite);
        let mut nodes = vec![Node { state: initial, at: 0, taken: 0, ways }];
        while let Some(node) = nodes.last_mut() {
            if node.at == self.lines.len() && complete.is_none() {
                complete = Some((reached(&nodes), None));
                self.expansions = 0;
                continue;
            }
            let Some(way) = node.ways.pop() else {
                nodes.pop();
                continue;
            };
            let at = node.at + way.lines;
            if way.violation.is_some() {
                let state = node.state.clone();
                nodes.push(Node { state, at, taken: way.event, ways: Vec::new() });
                return Ok((reached(&nodes), way.violation));
            }
            let Some(state) = self.successor(&node.state, way.event) else { continue };
            if self.merged && !seen.insert((state.clone(), at)) {
                continue;
            }
            let (per_line, more) = PATIENCE;
            if self.expansions > per_line * self.lines.len() + more {
                return complete.ok_or(FollowError::Tired(self.furthest + 1));
            }
            let ways = self.ways(&state, at, is_finite);
            nodes.push(Node { state, at, taken: way.event, ways });
        }
        let next = self.lines.get(self.furthest).or(self.lines.last());
        let SpinStep { slot, id } = next.copied().unwrap_or(SpinStep { slot: 0, id: 0 });
        complete.ok_or(FollowError::Step { step: self.furthest + 1, slot, id })
    }

    fn successor(&mut self, state: &[u8], event: u32) -> Option<Vec<u8>> {
        let mut expansion = Expansion::new();
        self.view.exec.expand(state, &mut expansion);
        let event = expansion.events().get(event as usize)?;
        Some(expansion.state(event).to_vec())
    }

    /// The ways to go on, the best one last.
    fn ways(&mut self, state: &[u8], at: usize, is_finite: bool) -> Vec<Way> {
        let mut expansion = Expansion::new();
        self.view.exec.expand(state, &mut expansion);
        self.expansions += 1;
        let rest = self.lines.len() - at;
        let (mut good, mut silent) = (Vec::new(), Vec::new());
        for (number, event) in expansion.events().iter().enumerate() {
            let violation = match event.kind {
                EventKind::Violation(violation) => Some(violation),
                EventKind::Successor => None,
            };
            if !self.merged && event.steps as usize > rest {
                continue;
            }
            let Some((steps, _)) = self.view.exec.replay(state, number as u32) else { continue };
            let Some(lines) = self.lines_of(&steps, at) else { continue };
            let ends = lines == rest;
            // A violation is the end of a trail; there is none at the end of an endless run.
            if violation.is_some() && !(ends && is_finite) {
                continue;
            }
            let way = Way { event: number as u32, lines, violation };
            if lines > 0 || violation.is_some() {
                good.push(way);
            } else if self.merged && !steps.is_empty() {
                silent.push((self.is_due(&steps[0], at), way));
            }
        }
        // At the end of the trail, a violation comes before going on.
        good.sort_by_key(|way| (way.violation.is_some() && way.lines == rest, way.lines));
        silent.sort_by_key(|(is_due, _)| *is_due);
        if rest == 0 && !is_finite {
            return Vec::new();
        }
        let mut ways: Vec<Way> = silent.into_iter().map(|(_, way)| way).collect();
        ways.append(&mut good);
        ways
    }

    /// Whether a step is one of the process that the trail names next.
    fn is_due(&self, step: &ReplayedStep, at: usize) -> bool {
        self.lines.get(at).is_some_and(|next| next.slot == line(self.view, step).slot)
    }

    /// How many lines from `at` on these steps are; none if they are something else.
    fn lines_of(&mut self, steps: &[ReplayedStep], at: usize) -> Option<usize> {
        let mut lines = 0;
        for step in steps {
            if self.lines.get(at + lines) == Some(&line(self.view, step)) {
                lines += 1;
                self.furthest = self.furthest.max(at + lines);
            } else if !self.merged || !self.may_be_merged(step) {
                return None;
            }
        }
        Some(lines)
    }

    /// Whether SPIN may have merged a statement with the one before.
    fn may_be_merged(&self, step: &ReplayedStep) -> bool {
        let action = &self.view.program.statement(step.statement).action;
        matches!(step.actor, Actor::Process(_))
            && !matches!(action, Action::Send(_) | Action::Receive(_) | Action::Terminate)
    }
}

fn reached(nodes: &[Node]) -> Vec<Reached> {
    let of = |node: &Node| Reached { state: node.state.clone(), at: node.at, taken: node.taken };
    nodes.iter().map(of).collect()
}
