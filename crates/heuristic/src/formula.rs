//! From expressions to costs: the tables in Figures 8, 9 and 10 of the paper.

use crate::actions::{each_statement, is_first_in_first_out, moves_many_messages, runs_of};
use crate::cost::{Control, Cost, Message, Reach, Who};
use crate::distance::{FAR, Table, to_locations};
use crate::drift::{Drifts, limits};
use spinor_exec::{ChannelVar, Value};
use spinor_program::expr::{BinaryOp, Probe, UnaryOp};
use spinor_program::{Expr, Place, Poll, Program, ReceiveField};

/// How the parts of a conjunction are put together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Combine {
    /// They add up, as in the paper: often near the truth, sometimes too much.
    Sum,
    /// Never too much: steps of different processes add up, of all else the largest counts.
    Bound,
}

/// Makes costs of expressions of one program.
pub(crate) struct Formulas<'p> {
    pub program: &'p Program,
    pub combine: Combine,
    drifts: Drifts,
    /// Every step moves one message at most, from the front to the end.
    counts_messages: bool,
    starts_processes: bool,
}

/// The conditions of a comparison with a constant.
fn range(op: BinaryOp, bound: i64, (least, most): (i64, i64)) -> Option<(i64, i64)> {
    match op {
        BinaryOp::Eq => Some((bound, bound)),
        BinaryOp::Lt => Some((least, bound - 1)),
        BinaryOp::Le => Some((least, bound)),
        BinaryOp::Gt => Some((bound + 1, most)),
        BinaryOp::Ge => Some((bound, most)),
        _ => None,
    }
}

/// The same with sides exchanged.
fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        other => other,
    }
}

fn negated(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Le => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Ge => BinaryOp::Lt,
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        _ => return None,
    })
}

impl<'p> Formulas<'p> {
    pub fn new(program: &'p Program, combine: Combine) -> Self {
        let counts_messages = combine == Combine::Sum
            || (!moves_many_messages(program) && is_first_in_first_out(program));
        let mut starts_processes = false;
        each_statement(program, |_, id| starts_processes |= runs_of(program, id).next().is_some());
        let drifts = Drifts::new(program);
        Formulas { program, combine, drifts, counts_messages, starts_processes }
    }

    /// Steps until `e` is true (`wanted`) or false. `proctype` is the one whose frame it reads.
    pub fn cost(&self, e: &Expr, wanted: bool, proctype: Option<usize>) -> Cost {
        match e {
            Expr::Const(value) => Cost::Const(if (*value != 0) == wanted { 0 } else { FAR }),
            Expr::Unary(UnaryOp::Not, a) => self.cost(a, !wanted, proctype),
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let parts = vec![self.cost(a, wanted, proctype), self.cost(b, wanted, proctype)];
                if (*op == BinaryOp::And) == wanted { self.all(parts) } else { any(parts) }
            }
            Expr::Binary(op, a, b) => {
                self.comparison(*op, a, b, wanted, proctype).unwrap_or_else(|| test(e, wanted))
            }
            Expr::Probe(probe, place) => self.probe(e, *probe, place, wanted),
            Expr::Poll(poll) if self.counts_messages => poll_cost(poll, wanted),
            Expr::RemoteLabel { proctype, pid, location } => {
                let control = Box::new(Control {
                    who: pid.as_ref().map_or(Who::First, |pid| Who::Pid(Value::new(pid))),
                    proctype: *proctype,
                    location: location.index(),
                    table: self.control_table(proctype.index(), location.index()),
                });
                if wanted { Cost::At(control) } else { Cost::Leave(control) }
            }
            _ => test(e, wanted),
        }
    }

    /// Steps to a location. In place of a process that ends another one may be started, so a bound
    /// ends there.
    fn control_table(&self, proctype: usize, location: usize) -> Table {
        let automaton = &self.program.proctypes[proctype].automaton;
        let is_bound = self.combine == Combine::Bound && self.starts_processes;
        to_locations(automaton, |at| at == location || (is_bound && at == 0))
    }

    /// All parts have to hold.
    pub fn all(&self, parts: Vec<Cost>) -> Cost {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Cost::Sum(inner) if self.combine == Combine::Sum => flat.extend(inner),
                Cost::Max(inner) if self.combine == Combine::Bound => flat.extend(inner),
                Cost::Const(0) => {}
                part => flat.push(part),
            }
        }
        match self.combine {
            _ if flat.len() == 1 => flat.remove(0),
            Combine::Sum => Cost::Sum(flat),
            Combine::Bound => bound(flat),
        }
    }

    fn comparison(
        &self,
        op: BinaryOp,
        a: &Expr,
        b: &Expr,
        wanted: bool,
        proctype: Option<usize>,
    ) -> Option<Cost> {
        let (op, place, constant) = match (a, b) {
            (Expr::Load(place), Expr::Const(c)) => (op, place, *c),
            (Expr::Const(c), Expr::Load(place)) => (mirrored(op), place, *c),
            _ => return None,
        };
        let op = if wanted { op } else { negated(op)? };
        let drift = self.drifts.of(place, proctype)?;
        let (least, most) = limits(place.scalar);
        let range = range(op, i64::from(constant), (least, most))?;
        if range.0 > range.1 || range.1 < least || range.0 > most {
            return None;
        }
        let variable = Value::new(&Expr::Load(place.clone()));
        let (up, down) = (drift.up, drift.down);
        Some(Cost::Reach(Box::new(Reach { variable, range, up, down, values: most - least + 1 })))
    }

    fn probe(&self, e: &Expr, probe: Probe, place: &Place, wanted: bool) -> Cost {
        let (probe, wanted) = match probe {
            Probe::Nempty => (Probe::Empty, !wanted),
            Probe::Nfull => (Probe::Full, !wanted),
            other => (other, wanted),
        };
        match probe {
            Probe::Full if wanted && self.counts_messages => Cost::Full(ChannelVar::new(place)),
            Probe::Empty if wanted && self.counts_messages => Cost::Empty(ChannelVar::new(place)),
            _ => test(e, matches!(e, Expr::Probe(p, _) if *p == probe) == wanted),
        }
    }
}

fn test(e: &Expr, wanted: bool) -> Cost {
    Cost::Test(Value::new(e), wanted)
}

fn any(mut parts: Vec<Cost>) -> Cost {
    parts.retain(|part| !matches!(part, Cost::Const(cost) if *cost >= FAR));
    match parts.len() {
        0 => Cost::Const(FAR),
        1 => parts.remove(0),
        _ => Cost::Min(parts),
    }
}

/// A lower bound on the steps until all parts hold: control conditions on different processes,
/// each by a constant pid, add up.
fn bound(parts: Vec<Cost>) -> Cost {
    let (mut controls, rest): (Vec<Cost>, Vec<Cost>) =
        parts.into_iter().partition(|part| matches!(part, Cost::At(_)));
    let mut by_process: Vec<(String, Vec<Cost>)> = Vec::new();
    for control in controls.drain(..) {
        let Cost::At(at) = &control else { continue };
        // The same text, the same process; different texts may be the same one.
        let who = format!("{:?}", at.who);
        match by_process.iter_mut().find(|(known, _)| *known == who) {
            Some((_, list)) => list.push(control),
            None => by_process.push((who, vec![control])),
        }
    }
    let are_constant = by_process.iter().all(|(_, list)| {
        list.iter()
            .all(|c| matches!(c, Cost::At(at) if matches!(&at.who, Who::Pid(v) if v.is_constant())))
    });
    let mut all = rest;
    let groups = by_process.into_iter().map(|(_, list)| Cost::Max(list));
    if are_constant {
        all.push(Cost::Sum(groups.collect()));
    } else {
        all.extend(groups);
    }
    Cost::Max(all)
}

fn poll_cost(poll: &Poll, wanted: bool) -> Cost {
    Cost::Message(Box::new(Message {
        channel: ChannelVar::new(&poll.channel),
        pattern: poll.pattern.iter().map(|e| e.as_ref().map(Value::new)).collect(),
        anywhere: poll.random,
        wanted,
    }))
}

/// What a receive has to find, or must not.
pub(crate) fn receive_cost(receive: &spinor_program::Receive, wanted: bool) -> Cost {
    let field = |field: &ReceiveField| match field {
        ReceiveField::Match(e) => Some(Value::new(e)),
        ReceiveField::Bind(_) | ReceiveField::Any => None,
    };
    Cost::Message(Box::new(Message {
        channel: ChannelVar::new(&receive.channel),
        pattern: receive.args.iter().map(field).collect(),
        anywhere: receive.random,
        wanted,
    }))
}
