//! When statements are executable: Figure 11 of the paper, and the number of active processes.

use spinor_exec::{ChannelVar, Look, Value};
use spinor_program::{Action, Expr, Program, ReceiveField, StmtId};
use std::sync::Arc;

/// When a statement is executable.
#[derive(Debug)]
enum Guard {
    Always,
    Condition(Value),
    Send {
        channel: ChannelVar,
        args: Vec<Value>,
    },
    Receive {
        channel: ChannelVar,
        pattern: Vec<Option<Value>>,
        random: bool,
    },
    /// Only the youngest process can end.
    Terminate,
    /// One of the first statements of a `d_step` is.
    First(Vec<StmtId>),
}

/// The guards of all statements, and who may be at a rendezvous where.
#[derive(Debug)]
pub(crate) struct Guards {
    program: Arc<Program>,
    by_statement: Vec<Guard>,
    provided: Vec<Option<Value>>,
    /// By proctype and location: whether a process there may send or receive.
    talks: Vec<Vec<bool>>,
}

fn starts(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |part| found |= matches!(part, Expr::Run(_)));
    found
}

impl Guard {
    fn new(action: &Action) -> Self {
        match action {
            Action::Condition(e) if !starts(e) => Guard::Condition(Value::new(e)),
            Action::Send(send) => Guard::Send {
                channel: ChannelVar::new(&send.channel),
                args: send.args.iter().map(Value::new).collect(),
            },
            Action::Receive(receive) => Guard::Receive {
                channel: ChannelVar::new(&receive.channel),
                pattern: receive
                    .args
                    .iter()
                    .map(|field| match field {
                        ReceiveField::Match(e) => Some(Value::new(e)),
                        ReceiveField::Bind(_) | ReceiveField::Any => None,
                    })
                    .collect(),
                random: receive.random,
            },
            Action::Terminate => Guard::Terminate,
            Action::DStep(inner) => Guard::First(
                inner.locations[inner.start.index()].iter().map(|t| t.statement).collect(),
            ),
            _ => Guard::Always,
        }
    }
}

impl Guards {
    pub fn new(program: &Arc<Program>) -> Self {
        let by_statement: Vec<Guard> =
            program.statements.iter().map(|s| Guard::new(&s.action)).collect();
        let talks = |id: StmtId| match &by_statement[id.index()] {
            Guard::Send { .. } | Guard::Receive { .. } => true,
            Guard::First(inner) => inner.iter().any(|id| {
                matches!(by_statement[id.index()], Guard::Send { .. } | Guard::Receive { .. })
            }),
            _ => false,
        };
        let talks = program.proctypes.iter().map(|process| {
            let at =
                |l: &spinor_program::Location| l.transitions.iter().any(|t| talks(t.statement));
            process.automaton.locations.iter().map(at).collect()
        });
        Guards {
            talks: talks.collect(),
            provided: program
                .proctypes
                .iter()
                .map(|p| p.provided.as_ref().map(Value::new))
                .collect(),
            by_statement,
            program: Arc::clone(program),
        }
    }

    /// Whether some statement of a process is executable.
    pub fn is_active(&self, look: &Look<'_>, pid: usize) -> bool {
        let proctype = look.proctype(pid).index();
        if let Some(provided) = &self.provided[proctype]
            && look.value(Some(pid), provided) == Some(0)
        {
            return false;
        }
        let location = &self.program.proctypes[proctype].automaton.locations[look.location(pid)];
        location.transitions.iter().any(|t| self.is_executable(look, pid, t.statement))
    }

    /// Whether a statement of a process is executable, were the process there.
    pub fn is_executable(&self, look: &Look<'_>, pid: usize, id: StmtId) -> bool {
        match &self.by_statement[id.index()] {
            Guard::Always => true,
            // What errs is not blocked.
            Guard::Condition(value) => look.value(Some(pid), value) != Some(0),
            Guard::Send { channel, .. } => match look.channel(Some(pid), channel) {
                Some(queue) if queue.capacity == 0 => self.partners(look, pid, id) > 0,
                Some(queue) => queue.len < queue.capacity,
                None => true,
            },
            Guard::Receive { channel, pattern, random } => match look.channel(Some(pid), channel) {
                Some(queue) if queue.capacity == 0 => self.partners(look, pid, id) > 0,
                Some(queue) if pattern.iter().all(Option::is_none) => queue.len > 0,
                Some(queue) => {
                    let pattern: Vec<Option<i32>> = pattern
                        .iter()
                        .map(|v| v.as_ref().and_then(|v| look.value(Some(pid), v)))
                        .collect();
                    let candidates = if *random { queue.len } else { queue.len.min(1) };
                    (0..candidates).any(|index| look.fits(queue, index, &pattern))
                }
                None => true,
            },
            Guard::Terminate => pid + 1 == look.processes(),
            Guard::First(inner) => inner.iter().any(|id| self.is_executable(look, pid, *id)),
        }
    }

    /// Processes that stand where they could be the other half of a rendezvous.
    pub fn partners(&self, look: &Look<'_>, pid: usize, id: StmtId) -> u32 {
        let others = (0..look.processes()).filter(|other| *other != pid);
        others.filter(|other| self.is_partner(look, pid, id, *other)).count() as u32
    }

    fn is_partner(&self, look: &Look<'_>, pid: usize, id: StmtId, other: usize) -> bool {
        let (proctype, at) = (look.proctype(other).index(), look.location(other));
        if !self.talks[proctype][at] {
            return false;
        }
        let transitions = &self.program.proctypes[proctype].automaton.locations[at].transitions;
        transitions.iter().any(|t| match &self.by_statement[t.statement.index()] {
            Guard::First(inner) => {
                inner.iter().any(|there| self.meet(look, (pid, id), (other, *there)))
            }
            _ => self.meet(look, (pid, id), (other, t.statement)),
        })
    }

    /// Whether two statements of two processes are the halves of one rendezvous.
    fn meet(&self, look: &Look<'_>, here: (usize, StmtId), there: (usize, StmtId)) -> bool {
        let guard = |(_, id): (usize, StmtId)| &self.by_statement[id.index()];
        let (send, receive) = match (guard(here), guard(there)) {
            (Guard::Send { .. }, Guard::Receive { .. }) => (here, there),
            (Guard::Receive { .. }, Guard::Send { .. }) => (there, here),
            _ => return false,
        };
        let (Guard::Send { channel: to, args }, Guard::Receive { channel: from, pattern, .. }) =
            (guard(send), guard(receive))
        else {
            return false;
        };
        let number = |pid, channel| look.channel(Some(pid), channel).map(|queue| queue.number);
        let is_same = number(send.0, to).is_some_and(|n| number(receive.0, from) == Some(n));
        is_same
            && args.iter().zip(pattern).all(|(arg, wanted)| {
                wanted.as_ref().is_none_or(|wanted| {
                    look.value(Some(send.0), arg) == look.value(Some(receive.0), wanted)
                })
            })
    }
}
