//! Distances to deadlocks: the inferred deadlock formula of the paper.
//!
//! Every process has to come to a dangerous location, one in which all statements can block, and all
//! of them have to be blocked. What that takes is added up over the processes.

use crate::cost::Cost;
use crate::distance::{FAR, Table, to_locations};
use crate::formula::{Formulas, receive_cost};
use crate::guard::Guards;
use spinor_exec::{ChannelVar, Look};
use spinor_program::{Action, Expr, Location, Program, StmtId};
use std::sync::Arc;

/// Locations that the designer has marked as dangerous; of proctypes without marks all that can
/// block are taken.
pub(crate) type Marks = Vec<Vec<bool>>;

/// The inferred formula.
#[derive(Debug)]
pub(crate) struct Deadlock {
    guards: Arc<Guards>,
    /// By proctype.
    places: Vec<Vec<Danger>>,
    /// By proctype and location: distances and dangerous locations, the nearest first.
    near: Vec<Vec<Vec<(u32, u32)>>>,
}

/// A dangerous location: what blocks each of its statements.
#[derive(Debug)]
struct Danger {
    blocks: Vec<Block>,
}

#[derive(Debug)]
enum Block {
    Cost(Cost),
    /// A send, or a receive: by the channel, or by all partners going away.
    Talk {
        id: StmtId,
        channel: ChannelVar,
        buffered: Cost,
    },
    Terminate,
}

/// Whether a statement may block; one that may err does, too.
pub(crate) fn may_block(program: &Program, id: StmtId) -> bool {
    match &program.statement(id).action {
        Action::Condition(Expr::Const(value)) => *value == 0,
        Action::Condition(_) | Action::Send(_) | Action::Receive(_) | Action::Terminate => true,
        Action::DStep(inner) => {
            inner.locations[inner.start.index()].iter().all(|t| may_block(program, t.statement))
        }
        _ => false,
    }
}

/// Whether a process may be blocked at a location.
pub(crate) fn is_dangerous(program: &Program, location: &Location) -> bool {
    !location.transitions.is_empty()
        && location.transitions.iter().all(|t| may_block(program, t.statement))
}

impl Deadlock {
    pub fn new(formulas: &Formulas<'_>, guards: &Arc<Guards>, marks: Option<&Marks>) -> Self {
        let program = formulas.program;
        let mut places = Vec::new();
        let mut near = Vec::new();
        for (proctype, process) in program.proctypes.iter().enumerate() {
            let locations = &process.automaton.locations;
            let marked = marks.map(|marks| &marks[proctype]).filter(|m| m.contains(&true));
            let is_chosen = |at: usize| match marked {
                Some(marked) => marked[at],
                None => is_dangerous(program, &locations[at]),
            };
            let chosen: Vec<usize> = (0..locations.len()).filter(|at| is_chosen(*at)).collect();
            let danger = |at: &usize| Danger {
                blocks: locations[*at]
                    .transitions
                    .iter()
                    .map(|t| Block::new(formulas, proctype, t.statement))
                    .collect(),
            };
            places.push(chosen.iter().map(danger).collect());
            let to = |at: &usize| to_locations(&process.automaton, |goal| goal == *at);
            let tables: Vec<Table> = chosen.iter().map(to).collect();
            let from = |at: usize| {
                let ways = (0..).zip(&tables).map(|(number, table)| (table[at], number));
                let mut ways: Vec<(u32, u32)> = ways.filter(|(way, _)| *way < FAR).collect();
                ways.sort_unstable();
                ways
            };
            near.push((0..locations.len()).map(from).collect());
        }
        Deadlock { guards: Arc::clone(guards), places, near }
    }

    /// Steps until all processes are blocked, about.
    pub fn cost(&self, look: &Look<'_>) -> u32 {
        let of = |pid| self.of_process(look, pid);
        (0..look.processes()).map(of).fold(0, u32::saturating_add).min(FAR)
    }

    fn of_process(&self, look: &Look<'_>, pid: usize) -> u32 {
        let proctype = look.proctype(pid).index();
        let mut least = FAR;
        for (way, place) in &self.near[proctype][look.location(pid)] {
            if *way >= least {
                break;
            }
            let mut cost = *way;
            for block in &self.places[proctype][*place as usize].blocks {
                cost = cost.saturating_add(block.cost(look, pid, &self.guards));
                if cost >= least {
                    break;
                }
            }
            least = least.min(cost);
        }
        least
    }
}

impl Block {
    fn new(formulas: &Formulas<'_>, proctype: usize, id: StmtId) -> Self {
        match &formulas.program.statement(id).action {
            Action::Condition(e) => Block::Cost(formulas.cost(e, false, Some(proctype))),
            Action::Send(send) => {
                let channel = ChannelVar::new(&send.channel);
                let buffered = Cost::Full(ChannelVar::new(&send.channel));
                Block::Talk { id, channel, buffered }
            }
            Action::Receive(receive) => {
                let channel = ChannelVar::new(&receive.channel);
                let is_tagged = receive
                    .args
                    .iter()
                    .any(|field| matches!(field, spinor_program::ReceiveField::Match(_)));
                let buffered = if is_tagged {
                    receive_cost(receive, false)
                } else {
                    Cost::Empty(ChannelVar::new(&receive.channel))
                };
                Block::Talk { id, channel, buffered }
            }
            Action::DStep(inner) => {
                let first = inner.locations[inner.start.index()].first();
                first.map_or(Block::Cost(Cost::Const(0)), |t| {
                    Block::new(formulas, proctype, t.statement)
                })
            }
            Action::Terminate => Block::Terminate,
            _ => Block::Cost(Cost::Const(FAR)),
        }
    }

    fn cost(&self, look: &Look<'_>, pid: usize, guards: &Guards) -> u32 {
        match self {
            Block::Cost(cost) => cost.of(look, Some(pid)),
            Block::Talk { id, channel, buffered } => match look.channel(Some(pid), channel) {
                Some(queue) if queue.capacity == 0 => guards.partners(look, pid, *id),
                _ => buffered.of(look, Some(pid)),
            },
            Block::Terminate => 0,
        }
    }
}

/// A lower bound: steps of its own that every process needs to get to where it may be blocked, or
/// to its end.
#[derive(Debug)]
pub(crate) struct Rest {
    /// By proctype.
    tables: Vec<Table>,
}

impl Rest {
    /// `is_risky` says which statements may err: these may leave a process stuck, too.
    pub fn new(program: &Program, is_risky: &dyn Fn(StmtId) -> bool) -> Self {
        let table = |process: &spinor_program::ProcessType| {
            // Who may not move at all can be stuck anywhere.
            let is_held = program.uses_priority || process.provided.is_some();
            let locations = &process.automaton.locations;
            to_locations(&process.automaton, |at| {
                let can_rest = |id: StmtId| may_block(program, id) || is_risky(id);
                let location = &locations[at];
                at == 0 || is_held || location.transitions.iter().all(|t| can_rest(t.statement))
            })
        };
        Rest { tables: program.proctypes.iter().map(table).collect() }
    }

    pub fn cost(&self, look: &Look<'_>) -> u32 {
        let of = |pid| self.tables[look.proctype(pid).index()][look.location(pid)];
        (0..look.processes()).map(of).fold(0, u32::saturating_add).min(FAR)
    }
}
