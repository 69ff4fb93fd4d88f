//! A look at all that the moves of a process in a state look at.

use super::{Everything, Footprints, Found, SMALL, SMALL_ARRAY};
use crate::eval::Context;
use crate::exec::Exec;
use crate::lineup::Lineup;
use spinor_program::expr::{BinaryOp, Predefined, ProctypeId};
use spinor_program::{
    Action, Base, DStep, Expr, LocId, Place, Program, ReceiveField, StmtId, Transition,
};
use spinor_ts::Footprint;
use std::ops::Range;

/// Variables of a condition that all count, whatever they are.
const FEW_LOADS: usize = 8;

/// When a statement is executed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    /// In the state at hand.
    Now,
    /// After other steps of the same move.
    Later,
}

/// One look.
pub(super) struct Scan<'a> {
    pub exec: &'a Exec,
    pub known: &'a Footprints,
    pub lineup: &'a Lineup,
    pub state: &'a [u8],
    pub out: &'a mut Footprint,
    /// The process whose moves these are.
    pub mover: usize,
    /// Whether processes that may take a message are looked at where they are, not wherever they may be.
    pub looks_at_receivers: bool,
    pub notes: Notes,
}

/// What is noted on the way.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// Processes that have moved before what is looked at: it is not known where they are.
    pub moved: Vec<usize>,
    /// Bytes that decide where the footprint is; `None` if that is not known.
    pub deciders: Option<Vec<Range<usize>>>,
    /// Bytes that were changed on the way to the state at hand.
    pub written: Vec<Range<usize>>,
}

impl<'a> Scan<'a> {
    pub(super) fn program(&self) -> &'a Program {
        &self.exec.program
    }

    fn context(&self, pid: usize) -> Context<'a> {
        self.exec.context(self.lineup, self.state, Some(pid), false)
    }

    fn proctype(&self, pid: usize) -> ProctypeId {
        self.lineup.seats[pid].proctype
    }

    pub(super) fn transitions(&self, pid: usize, at: LocId) -> &'a [Transition] {
        let process = &self.program().proctypes[self.proctype(pid).index()];
        &process.automaton.locations[at.index()].transitions
    }

    /// In another state there may be another footprint.
    pub(super) fn vary(&mut self) {
        self.out.set_varying();
        self.notes.deciders = None;
    }

    /// In another state there may be another footprint, if these bytes are others; `is_anchored`: they belong to
    /// the part that the anchor lies in.
    fn decide(&mut self, decider: Range<usize>, is_anchored: bool) {
        if !is_anchored {
            self.out.add_decider(decider.clone());
        }
        if let Some(deciders) = &mut self.notes.deciders {
            deciders.push(decider);
        }
    }

    /// The same for all bytes that the value of an expression depends on in the state at hand.
    fn decide_by(&mut self, pid: usize, e: &Expr) {
        let cx = self.context(pid);
        let mut places = Some(Vec::new());
        e.walk(&mut |e| match e {
            Expr::Const(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Conditional(..)
            | Expr::Predefined(Predefined::Pid | Predefined::NrPr) => {}
            Expr::Load(place) => match (cx.locate(place), &mut places) {
                (Ok(Some(at)), Some(places)) => {
                    places.push((place.base, at..at + place.scalar.width() as usize));
                }
                _ => places = None,
            },
            _ => places = None,
        });
        let Some(places) = places else { return self.vary() };
        for (base, bytes) in places {
            let is_changed =
                |other: &Range<usize>| bytes.start < other.end && other.start < bytes.end;
            if self.notes.written.iter().any(is_changed) {
                // What they were changed to was decided by others.
                return self.vary();
            }
            let is_own = base == Base::Frame && self.is_small_mover(pid);
            self.decide(bytes, is_own);
        }
    }

    /// Whether the anchor lies in the part that is the whole frame of a process.
    fn is_small_mover(&self, pid: usize) -> bool {
        let process = &self.program().proctypes[self.proctype(pid).index()];
        // A larger frame is cut.
        pid == self.mover && process.frame.bytes as usize <= SMALL
    }

    /// All moves of a process.
    pub fn process(&mut self, pid: usize) -> Found {
        let at = LocId(self.lineup.seats[pid].location(self.state) as u32);
        self.frame(pid);
        for transition in self.transitions(pid, at) {
            if transition.atomic
                && let Some(row) = self.row_of_atomic(pid, transition)
            {
                self.row(pid, &row)?;
                continue;
            }
            self.statement(pid, transition.statement, When::Now)?;
            if transition.atomic {
                self.go_on(pid, transition.target)?;
            }
        }
        Ok(())
    }

    /// What a process does alone, after steps of its own or a rendezvous.
    fn go_on(&mut self, pid: usize, at: LocId) -> Found {
        let mut left = vec![at];
        let mut walked = Vec::new();
        while let Some(at) = left.pop() {
            if walked.contains(&at) {
                continue;
            }
            walked.push(at);
            for transition in self.transitions(pid, at) {
                self.statement(pid, transition.statement, When::Later)?;
                if transition.atomic {
                    left.push(transition.target);
                }
            }
        }
        Ok(())
    }

    /// The location and the variables of a process.
    fn frame(&mut self, pid: usize) {
        let process = &self.program().proctypes[self.proctype(pid).index()];
        let start = self.lineup.seats[pid].offset;
        self.out.add(start..start + process.frame.bytes as usize);
    }

    /// All that C may look at, beside the frame at hand.
    fn globals(&mut self) {
        let start = self.lineup.globals;
        self.out.add(start..start + self.program().globals.bytes as usize);
    }

    fn statement(&mut self, pid: usize, id: StmtId, when: When) -> Found {
        self.action(pid, &self.program().statement(id).action, when)
    }

    pub(super) fn action(&mut self, pid: usize, action: &'a Action, when: When) -> Found {
        match action {
            Action::Skip | Action::Else => {}
            Action::Condition(e) | Action::Assert(e) | Action::PrintMtype(e) => {
                self.expression(pid, e, when)?;
            }
            Action::Print(_, args) => {
                for e in args {
                    self.expression(pid, e, when)?;
                }
            }
            Action::Assign(pairs) if when == When::Now && pairs.len() > 1 => {
                self.row(pid, &[action])?;
            }
            Action::Assign(pairs) => {
                for (number, (place, e)) in pairs.iter().enumerate() {
                    let when = if number == 0 { when } else { When::Later };
                    self.expression(pid, e, when)?;
                    self.place(pid, place, when)?;
                }
            }
            Action::Send(send) => {
                for e in &send.args {
                    self.expression(pid, e, when)?;
                }
                for channel in self.channels(pid, &send.channel, when)? {
                    if self.lineup.channels[channel].capacity == 0 {
                        self.receivers(pid, channel, when)?;
                    } else {
                        self.buffer(channel);
                    }
                }
            }
            Action::Receive(receive) => {
                let channels = self.channels(pid, &receive.channel, when)?;
                let meets = |channel: &usize| self.lineup.channels[*channel].capacity == 0;
                // Somebody else has to begin a rendezvous.
                if when == When::Later || !channels.iter().all(meets) {
                    self.fields(pid, &receive.args, when)?;
                }
                channels.into_iter().for_each(|channel| self.buffer(channel));
            }
            // The youngest process takes its variables with it; another one waits.
            Action::Terminate if pid + 1 < self.lineup.seats.len() => {}
            Action::DStep(inner) => match self.row_of_d_step(inner) {
                Some(row) if when == When::Now => self.row(pid, &row)?,
                _ => self.d_step(pid, inner)?,
            },
            Action::CCode(_) => self.globals(),
            Action::Terminate | Action::SetPriority(..) => return Err(Everything),
        }
        Ok(())
    }

    fn fields(&mut self, pid: usize, fields: &'a [ReceiveField], when: When) -> Found {
        for field in fields {
            match field {
                // An index may have been received just before.
                ReceiveField::Bind(place) => self.place(pid, place, When::Later)?,
                ReceiveField::Match(e) => self.expression(pid, e, when)?,
                ReceiveField::Any => {}
            }
        }
        Ok(())
    }

    fn d_step(&mut self, pid: usize, inner: &'a DStep) -> Found {
        for transition in inner.locations.iter().flatten() {
            self.statement(pid, transition.statement, When::Later)?;
        }
        Ok(())
    }

    pub(super) fn expression(&mut self, pid: usize, e: &Expr, when: When) -> Found {
        if when == When::Now && is_long(e) {
            return self.as_evaluated(pid, e, false).map(|_| ());
        }
        self.parts(pid, e, when)
    }

    /// All parts of an expression.
    fn parts(&mut self, pid: usize, e: &Expr, when: When) -> Found {
        let mut found = Ok(());
        e.walk(&mut |e| {
            if found.is_ok() {
                found = self.node(pid, e, when);
            }
        });
        found
    }

    /// An expression as far as it is evaluated in the state at hand. How far that is, is decided by what was looked
    /// at before; `is_decider`: something else is decided by its value, which is the result.
    fn as_evaluated(&mut self, pid: usize, e: &Expr, is_decider: bool) -> Result<bool, Everything> {
        let Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), first, second) = e else {
            self.parts(pid, e, When::Now)?;
            if is_decider {
                self.decide_by(pid, e);
            }
            return self.context(pid).eval(e).map(|value| value != 0).map_err(|_| Everything);
        };
        let value = self.as_evaluated(pid, first, true)?;
        let is_settled = value == (*op == BinaryOp::Or);
        if is_settled { Ok(value) } else { self.as_evaluated(pid, second, is_decider) }
    }

    /// An expression without its parts.
    fn node(&mut self, pid: usize, e: &Expr, when: When) -> Found {
        match e {
            Expr::Const(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(..) => Ok(()),
            // The number of processes follows from the layout; nobody waits for a timeout here.
            Expr::Predefined(Predefined::Pid | Predefined::NrPr | Predefined::Timeout) => Ok(()),
            Expr::Load(place) => self.bytes_of(pid, place, when),
            Expr::Len(place) | Expr::Probe(_, place) => self.look(pid, place, when),
            Expr::Poll(poll) => self.look(pid, &poll.channel, when),
            Expr::RemoteLabel { proctype, pid: other, .. }
            | Expr::RemoteVar { proctype, pid: other, .. } => {
                self.remote(pid, *proctype, other.as_deref(), when)
            }
            Expr::Predefined(_)
            | Expr::Run(_)
            | Expr::Enabled(_)
            | Expr::PcValue(_)
            | Expr::GetPriority(_) => Err(Everything),
            Expr::CExpr(_) => {
                self.globals();
                Ok(())
            }
        }
    }

    /// Another process is looked at.
    fn remote(
        &mut self,
        pid: usize,
        proctype: ProctypeId,
        other: Option<&Expr>,
        when: When,
    ) -> Found {
        let other = match other {
            None => self.lineup.seats.iter().position(|seat| seat.proctype == proctype),
            Some(e) if when == When::Now => {
                self.decide_by(pid, e);
                let value = self.context(pid).eval(e).map_err(|_| Everything)?;
                usize::try_from(value).ok().filter(|other| *other < self.lineup.seats.len())
            }
            Some(_) => return Err(Everything),
        };
        if let Some(other) = other {
            self.frame(other);
        }
        Ok(())
    }

    /// The indices of a place, and its bytes.
    pub(super) fn place(&mut self, pid: usize, place: &Place, when: When) -> Found {
        let mut found = Ok(());
        place.walk(&mut |e| {
            if found.is_ok() {
                found = self.node(pid, e, when);
            }
        });
        found?;
        self.bytes_of(pid, place, when)
    }

    /// The bytes of a place whose indices are taken care of.
    fn bytes_of(&mut self, pid: usize, place: &Place, when: When) -> Found {
        match place.base {
            // The frame of whoever takes part is there as a whole.
            Base::Frame | Base::Sink => Ok(()),
            Base::Hidden => Err(Everything),
            Base::Global
                if when == When::Now
                    && !place.indices.is_empty()
                    && place.extent().len() > SMALL_ARRAY =>
            {
                place.indices.iter().for_each(|index| self.decide_by(pid, &index.value));
                // A bad index leads nowhere.
                if let Ok(Some(at)) = self.context(pid).locate(place) {
                    self.out.add(at..at + place.scalar.width() as usize);
                }
                Ok(())
            }
            Base::Global => {
                let bytes = place.extent();
                let start = self.lineup.globals;
                self.out.add(start + bytes.start as usize..start + bytes.end as usize);
                Ok(())
            }
        }
    }

    /// A channel whose content matters; its variable's indices are taken care of.
    fn look(&mut self, pid: usize, place: &Place, when: When) -> Found {
        for channel in self.numbers(pid, place, when)? {
            self.buffer(channel);
        }
        self.bytes_of(pid, place, when)
    }

    /// The content of a channel.
    fn buffer(&mut self, channel: usize) {
        let shape = &self.lineup.shape.channels[channel];
        let bytes = self.program().channel_types[shape.ty.0 as usize].bytes() as usize;
        self.out.add(shape.offset..shape.offset + bytes);
    }

    /// The channels that a variable may hold; it is looked at.
    fn channels(
        &mut self,
        pid: usize,
        place: &Place,
        when: When,
    ) -> Result<Vec<usize>, Everything> {
        self.place(pid, place, when)?;
        self.numbers(pid, place, when)
    }

    /// The numbers of these channels.
    fn numbers(&mut self, pid: usize, place: &Place, when: When) -> Result<Vec<usize>, Everything> {
        let cx = self.context(pid);
        let proctype = self.proctype(pid).index();
        let is_stable = self.known.stable.holds(place.base, Some(proctype), place.extent());
        let is_constant = is_stable && place.base == Base::Global;
        if when == When::Now {
            place.indices.iter().for_each(|index| self.decide_by(pid, &index.value));
        }
        if !is_constant {
            let base = if place.base == Base::Frame { cx.bases[1] } else { cx.bases[0] };
            // All elements count: it may not be known which one is meant.
            let bytes = place.extent();
            let bytes = base + bytes.start as usize..base + bytes.end as usize;
            let is_own = place.base == Base::Frame && self.is_small_mover(pid);
            self.decide(bytes, is_own);
        }
        if when == When::Now {
            return cx.channel_number(place).map(|number| vec![number]).map_err(|_| Everything);
        }
        if !is_stable {
            return Err(Everything);
        }
        let mut offsets = vec![place.offset];
        for index in &place.indices {
            let all = |offset: &u32| {
                let offset = *offset;
                (0..index.bound).map(move |value| offset + value * index.stride)
            };
            offsets = offsets.iter().flat_map(all).collect();
        }
        let number = |offset: u32| {
            let one = Place { offset, indices: Vec::new(), ..place.clone() };
            cx.channel_number(&one).map_err(|_| Everything)
        };
        offsets.into_iter().map(number).collect()
    }

    /// Who may take a message that is offered.
    fn receivers(&mut self, sender: usize, channel: usize, when: When) -> Found {
        for pid in (0..self.lineup.seats.len()).filter(|pid| *pid != sender) {
            if !self.may_receive(pid, channel) {
                continue;
            }
            if self.notes.moved.contains(&pid) {
                return Err(Everything);
            }
            let seat = &self.lineup.seats[pid];
            let location = seat.offset..seat.offset + usize::from(seat.location_bytes);
            self.out.add(location.clone());
            if self.looks_at_receivers {
                self.decide(location, false);
                let at = LocId(seat.location(self.state) as u32);
                for transition in self.transitions(pid, at) {
                    self.receiver(pid, channel, transition, when)?;
                }
                continue;
            }
            let process = &self.program().proctypes[seat.proctype.index()];
            let locations = &process.automaton.locations;
            for transition in locations.iter().flat_map(|location| &location.transitions) {
                self.receiver(pid, channel, transition, when)?;
            }
        }
        Ok(())
    }

    /// A statement that may take a message that is offered.
    fn receiver(
        &mut self,
        pid: usize,
        channel: usize,
        transition: &Transition,
        when: When,
    ) -> Found {
        let action = &self.program().statement(transition.statement).action;
        match action {
            Action::Receive(receive) => {
                self.frame(pid);
                self.place(pid, &receive.channel, when)?;
                let numbers = self.numbers(pid, &receive.channel, when);
                if numbers.is_ok_and(|numbers| !numbers.contains(&channel)) {
                    return Ok(());
                }
                self.fields(pid, &receive.args, When::Later)?;
            }
            Action::DStep(_) => {
                self.frame(pid);
                self.action(pid, action, When::Later)?;
            }
            _ => return Ok(()),
        }
        if transition.atomic {
            self.notes.moved.push(pid);
            self.go_on(pid, transition.target)?;
            self.notes.moved.pop();
        }
        Ok(())
    }

    /// Whether a process of this kind receives from a channel somewhere.
    fn may_receive(&mut self, pid: usize, channel: usize) -> bool {
        let Footprints { receives, stable, .. } = self.known;
        receives[self.proctype(pid).index()].iter().any(|place| {
            let is_known =
                place.base == Base::Global && stable.holds(Base::Global, None, place.extent());
            let numbers = if is_known { self.numbers(pid, place, When::Later).ok() } else { None };
            numbers.is_none_or(|numbers| numbers.contains(&channel))
        })
    }
}

/// Whether so many variables stand in a condition that it is worth asking which of them count.
fn is_long(e: &Expr) -> bool {
    let mut loads = 0;
    e.walk(&mut |e| loads += usize::from(matches!(e, Expr::Load(_))));
    loads > FEW_LOADS
}
