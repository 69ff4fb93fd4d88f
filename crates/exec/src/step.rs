//! When a statement is executable, and what it does.

use crate::channel;
use crate::eval::Context;
use crate::exec::Exec;
use crate::fault::{Fault, violation};
use crate::shape::{Shape, location, set_location};
use spinor_program::{
    Action, Expr, LocId, Place, Receive, ReceiveField, Run, Send, StmtId, Transition,
};
use spinor_ts::{Violation, ViolationKind};

/// A message that a rendezvous send offers; somebody must take it at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Offer {
    pub channel: usize,
    pub message: Vec<i32>,
    pub sender: usize,
}

/// What came of trying a statement.
#[derive(Debug)]
pub(crate) enum Attempt {
    /// Not executable.
    Blocked,
    /// Executed; the new state is complete.
    Done,
    /// The first half of a rendezvous.
    Offered(Offer),
}

/// Who tries a statement, and when.
#[derive(Clone, Copy)]
pub(crate) struct Try<'a> {
    pub state: &'a [u8],
    pub shape: &'a Shape,
    /// `None`: the claim.
    pub pid: Option<usize>,
    /// Some transition of the process was executed in this state.
    pub moved: bool,
    pub timeout: bool,
    /// A rendezvous waits for its receiver.
    pub offer: Option<&'a Offer>,
}

impl Exec {
    /// Tries a transition. If it is executable, `next` becomes the state after
    /// it. Violations that do not stop the step are added to `violations`.
    pub(crate) fn attempt(
        &self,
        try_: Try<'_>,
        transition: &Transition,
        next: &mut Vec<u8>,
        violations: &mut Vec<Violation>,
    ) -> Attempt {
        let id = transition.statement;
        let result = self.perform(try_, id, next, violations);
        for fault in self.faults.borrow_mut().drain(..) {
            violations.push(self.runtime(Some(id), fault));
        }
        let attempt = result.unwrap_or_else(|fault| {
            violations.push(self.runtime(Some(id), fault));
            Attempt::Blocked
        });
        if !matches!(attempt, Attempt::Blocked) {
            self.conclude(try_, transition, next);
        }
        attempt
    }

    /// Moves the process on and remembers that it moved.
    fn conclude(&self, try_: Try<'_>, transition: &Transition, next: &mut [u8]) {
        let changed;
        let shape = if next.len() == try_.state.len() {
            try_.shape
        } else {
            // A process came or went.
            changed = self.shape(next);
            &changed
        };
        let moves = transition.target != LocId(0);
        match try_.pid {
            Some(pid) => {
                if let Some(frame) = shape.frames.get(pid).filter(|_| moves) {
                    let process = &self.program.proctypes[frame.proctype.index()];
                    set_location(process, next, frame.offset, transition.target);
                }
                if self.program.uses_last {
                    next[shape.last] = pid as u8;
                }
            }
            None => {
                if let Some(claim) = self.options.claim.filter(|_| moves) {
                    let claim = &self.program.claims[claim];
                    set_location(claim, next, shape.claim, transition.target);
                }
            }
        }
    }

    /// Guard and effect of a statement, location aside.
    pub(crate) fn perform(
        &self,
        try_: Try<'_>,
        id: StmtId,
        next: &mut Vec<u8>,
        violations: &mut Vec<Violation>,
    ) -> Result<Attempt, Fault> {
        let action = &self.program.statement(id).action;
        if try_.offer.is_some() && !matches!(action, Action::Receive(_) | Action::DStep(_)) {
            return Ok(Attempt::Blocked);
        }
        let cx = self.context(try_.shape, try_.state, try_.pid, try_.timeout);
        match action {
            Action::Skip => copy(try_.state, next),
            Action::Else => {
                if try_.moved {
                    return Ok(Attempt::Blocked);
                }
                copy(try_.state, next);
            }
            Action::Condition(e) => {
                if self.starts_process[id.index()] {
                    copy(try_.state, next);
                    if self.run_and_eval(cx, e, next)? == 0 {
                        return Ok(Attempt::Blocked);
                    }
                } else {
                    if cx.eval(e)? == 0 {
                        return Ok(Attempt::Blocked);
                    }
                    copy(try_.state, next);
                }
            }
            Action::Assign(pairs) => {
                copy(try_.state, next);
                for (place, e) in pairs {
                    self.assign(try_, id, place, e, next)?;
                }
            }
            Action::Send(send) => return self.send(try_, cx, id, send, next, violations),
            Action::Receive(receive) => {
                if !self.receive(try_, cx, id, receive, next, violations)? {
                    return Ok(Attempt::Blocked);
                }
            }
            Action::Assert(e) => {
                if cx.eval(e)? == 0 {
                    violations.push(violation(ViolationKind::Assertion, Some(id), None));
                }
                copy(try_.state, next);
            }
            Action::Print(_, args) => {
                for e in args {
                    cx.eval(e)?;
                }
                copy(try_.state, next);
            }
            Action::PrintMtype(e) => {
                cx.eval(e)?;
                copy(try_.state, next);
            }
            Action::SetPriority(pid, value) => {
                let (pid, value) = (cx.eval(pid)?, cx.eval(value)?);
                copy(try_.state, next);
                self.set_priority(try_.shape, pid, value, next)?;
            }
            Action::Terminate => match try_.pid {
                Some(pid) if pid + 1 < try_.shape.frames.len() => return Ok(Attempt::Blocked),
                Some(_) => {
                    copy(try_.state, next);
                    self.terminate(next, try_.shape);
                }
                None => copy(try_.state, next),
            },
            Action::DStep(inner) => return self.d_step(try_, id, inner, next, violations),
        }
        self.executed[id.index()].set(true);
        Ok(Attempt::Done)
    }

    fn assign(
        &self,
        try_: Try<'_>,
        id: StmtId,
        place: &Place,
        e: &Expr,
        next: &mut Vec<u8>,
    ) -> Result<(), Fault> {
        if self.starts_process[id.index()] {
            let cx = self.context(try_.shape, try_.state, try_.pid, try_.timeout);
            let value = self.run_and_eval(cx, e, next)?;
            let shape = self.shape(next);
            let at = self.context(&shape, next, try_.pid, try_.timeout).locate(place)?;
            store(place, at, value, next);
            return Ok(());
        }
        let cx = self.context(try_.shape, next, try_.pid, try_.timeout);
        let value = cx.eval(e)?;
        let at = cx.locate(place)?;
        store(place, at, value, next);
        Ok(())
    }

    /// Starts the process that `e` asks for and evaluates `e` then.
    fn run_and_eval(&self, cx: Context<'_>, e: &Expr, next: &mut Vec<u8>) -> Result<i32, Fault> {
        let Some(run) = find_run(e) else { return cx.eval(e) };
        let args = run.args.iter().map(|a| cx.eval(a)).collect::<Result<Vec<_>, _>>()?;
        let priority = run.priority.as_ref().map_or(Ok(1), |p| cx.eval(p))?;
        if !(1..=255).contains(&priority) {
            return Err(Fault::PriorityRange);
        }
        let pid = self.start(next, run.proctype, &args, priority)?;
        let shape = self.shape(next);
        let cx = self.context(&shape, next, cx.pid, cx.timeout);
        Context { run_value: pid as i32, ..cx }.eval(e)
    }

    fn set_priority(
        &self,
        shape: &Shape,
        pid: i32,
        value: i32,
        next: &mut [u8],
    ) -> Result<(), Fault> {
        let Some(frame) = usize::try_from(pid).ok().and_then(|pid| shape.frames.get(pid)) else {
            return Ok(());
        };
        if !(1..=255).contains(&value) {
            return Err(Fault::PriorityRange);
        }
        let process = &self.program.proctypes[frame.proctype.index()];
        next[frame.offset + process.priority_offset as usize] = value as u8;
        Ok(())
    }

    fn send(
        &self,
        try_: Try<'_>,
        cx: Context<'_>,
        id: StmtId,
        send: &Send,
        next: &mut Vec<u8>,
        violations: &mut Vec<Violation>,
    ) -> Result<Attempt, Fault> {
        let number = cx.channel_number(&send.channel)?;
        let at = try_.shape.channels[number];
        let ty = cx.channel_type(at);
        if ty.capacity > 0 && channel::len(ty, try_.state, at.offset) >= ty.capacity as usize {
            return Ok(Attempt::Blocked);
        }
        let mut message = send.args.iter().map(|a| cx.eval(a)).collect::<Result<Vec<_>, _>>()?;
        if message.len() != ty.fields.len() {
            cx.soft(if message.len() > ty.fields.len() {
                Fault::TooManySendFields
            } else {
                Fault::TooFewSendFields
            });
            message.resize(ty.fields.len(), 0);
        }
        copy(try_.state, next);
        if ty.capacity > 0 {
            channel::insert(ty, next, at.offset, &message, send.sorted);
        }
        for (value, scalar) in message.iter_mut().zip(&ty.fields) {
            *value = scalar.truncate(*value);
        }
        self.watch(try_, id, true, number, &message, next, violations)?;
        if ty.capacity > 0 {
            self.executed[id.index()].set(true);
            return Ok(Attempt::Done);
        }
        let Some(sender) = try_.pid else { return Ok(Attempt::Blocked) };
        Ok(Attempt::Offered(Offer { channel: number, message, sender }))
    }

    fn receive(
        &self,
        try_: Try<'_>,
        cx: Context<'_>,
        id: StmtId,
        receive: &Receive,
        next: &mut Vec<u8>,
        violations: &mut Vec<Violation>,
    ) -> Result<bool, Fault> {
        let number = cx.channel_number(&receive.channel)?;
        let at = try_.shape.channels[number];
        let ty = cx.channel_type(at);
        if ty.capacity == 0 && receive.copy {
            return Err(Fault::PollRendezvous);
        }
        match try_.offer {
            Some(offer) if offer.channel != number => return Ok(false),
            None if ty.capacity == 0 => return Ok(false),
            None if channel::len(ty, try_.state, at.offset) == 0 => return Ok(false),
            _ => {}
        }
        if receive.args.len() > ty.fields.len() {
            return Err(Fault::TooManyReceiveFields);
        }
        let mut pattern = Vec::with_capacity(receive.args.len());
        for field in &receive.args {
            pattern.push(match field {
                ReceiveField::Match(e) => Some(cx.eval(e)?),
                ReceiveField::Bind(_) | ReceiveField::Any => None,
            });
        }
        let mut slot = 0;
        let message: Vec<i32> = if let Some(offer) = try_.offer {
            let fits = |(want, have): (&Option<i32>, &i32)| want.is_none_or(|want| want == *have);
            if !pattern.iter().zip(&offer.message).all(fits) {
                return Ok(false);
            }
            offer.message.clone()
        } else {
            let found = channel::find(ty, try_.state, at.offset, &pattern, receive.random);
            let Some(index) = found else { return Ok(false) };
            slot = index;
            let field = |f| channel::field(ty, try_.state, at.offset, index, f);
            (0..ty.fields.len()).map(field).collect()
        };
        if receive.args.len() < ty.fields.len() {
            if receive.args.iter().all(|a| matches!(a, ReceiveField::Match(_))) {
                return Err(Fault::TooFewReceiveFields);
            }
            cx.soft(Fault::TooFewReceiveFields);
        }
        copy(try_.state, next);
        for (field, &value) in receive.args.iter().zip(&message) {
            if let ReceiveField::Bind(place) = field {
                let at = self.context(try_.shape, next, try_.pid, try_.timeout).locate(place)?;
                store(place, at, value, next);
            }
        }
        if receive.copy {
            return Ok(true);
        }
        if try_.offer.is_none() {
            channel::remove(ty, next, at.offset, slot);
        }
        self.watch(try_, id, false, number, &message, next, violations)?;
        Ok(true)
    }
}

fn copy(state: &[u8], next: &mut Vec<u8>) {
    next.clear();
    next.extend_from_slice(state);
}

fn store(place: &Place, at: Option<usize>, value: i32, next: &mut [u8]) {
    if let Some(at) = at {
        place.scalar.store(next, at, value);
    }
}

fn find_run(e: &Expr) -> Option<&Run> {
    match e {
        Expr::Run(run) => Some(run),
        Expr::Unary(_, a) => find_run(a),
        Expr::Binary(_, a, b) => find_run(a).or_else(|| find_run(b)),
        Expr::Conditional(c, a, b) => find_run(c).or_else(|| find_run(a)).or_else(|| find_run(b)),
        _ => None,
    }
}

impl Context<'_> {
    /// `enabled(p)`: some transition of process `p` is executable now.
    pub(crate) fn is_enabled(&self, pid: i32) -> Result<bool, Fault> {
        let Some(pid) = usize::try_from(pid).ok().filter(|&p| p < self.shape.frames.len()) else {
            return Ok(false);
        };
        if self.pid == Some(pid) {
            return Err(Fault::OwnEnabled);
        }
        self.has_executable(pid)
    }

    /// Whether some transition of a process is executable, guards only.
    pub(crate) fn has_executable(&self, pid: usize) -> Result<bool, Fault> {
        let cx = self.of_process(pid);
        let process = self.process_type(pid);
        let at = location(process, self.state, cx.frame);
        for t in &process.automaton.locations[at.index()].transitions {
            if cx.is_executable(&self.program.statement(t.statement).action)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Guard of an action, without its effect. A rendezvous send counts.
    pub(crate) fn is_executable(&self, action: &Action) -> Result<bool, Fault> {
        Ok(match action {
            // Reached only if nothing before it was executable.
            Action::Else => true,
            Action::Condition(e) => find_run(e).is_some() || self.eval(e)? != 0,
            Action::Send(send) => {
                let at = self.channel(&send.channel)?;
                let ty = self.channel_type(at);
                ty.capacity == 0 || channel::len(ty, self.state, at.offset) < ty.capacity as usize
            }
            Action::Receive(receive) => {
                let at = self.channel(&receive.channel)?;
                let ty = self.channel_type(at);
                if ty.capacity == 0 {
                    return Ok(false);
                }
                let mut pattern = Vec::with_capacity(receive.args.len());
                for field in &receive.args {
                    pattern.push(match field {
                        ReceiveField::Match(e) => Some(self.eval(e)?),
                        ReceiveField::Bind(_) | ReceiveField::Any => None,
                    });
                }
                channel::find(ty, self.state, at.offset, &pattern, receive.random).is_some()
            }
            Action::Terminate => self.pid.is_none_or(|pid| pid + 1 == self.shape.frames.len()),
            Action::DStep(inner) => {
                for t in &inner.locations[inner.start.index()] {
                    if self.is_executable(&self.program.statement(t.statement).action)? {
                        return Ok(true);
                    }
                }
                false
            }
            _ => true,
        })
    }
}
