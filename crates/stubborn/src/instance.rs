//! The accesses of a process, location by location.

use crate::access::Access;
use crate::bits::Channels;
use crate::known::Known;
use crate::walk::expressions;
use spinor_program::expr::{Predefined, ProctypeId};
use spinor_program::{Action, Base, DStep, Expr, LocId, Place, ProcessType, Program, Transition};

/// What a process at a location touches.
#[derive(Clone, Default, Debug)]
pub(crate) struct Stop {
    /// By its next move.
    pub now: Access,
    /// By all moves from here on, of processes that it starts as well.
    pub future: Access,
}

/// How wide messages of a channel are kept.
pub(crate) type Capacities<'a> = &'a dyn Fn(u8) -> Option<u32>;

/// What is common to all processes of a program.
pub(crate) struct Facts<'a> {
    pub program: &'a Program,
    /// By proctype: whether somebody looks at its locations or locals from outside.
    pub is_watched: &'a [bool],
    /// Everything that processes of a type, and those they start, may touch.
    pub whole: &'a [Access],
}

/// The stops of a process by location.
pub(crate) fn stops(
    facts: &Facts<'_>,
    known: &Known<'_>,
    proctype: ProctypeId,
    capacity: Capacities<'_>,
) -> Vec<Stop> {
    let process = &facts.program.proctypes[proctype.index()];
    let scanner = Scanner { facts, known, capacity, proctype: Some(proctype) };
    let mut stops: Vec<Stop> = (0..process.automaton.locations.len())
        .map(|at| {
            let now = scanner.location(process, LocId(at as u32));
            Stop { future: now.clone(), now }
        })
        .collect();
    let mut changes = true;
    while changes {
        changes = false;
        for (at, location) in process.automaton.locations.iter().enumerate().rev() {
            let mut future = stops[at].future.clone();
            for transition in &location.transitions {
                future.add(&stops[transition.target.index()].future);
                scanner.started(transition, &mut future);
            }
            if future != stops[at].future {
                stops[at].future = future;
                changes = true;
            }
        }
    }
    stops
}

/// What the evaluation of an expression outside of processes touches.
pub(crate) fn reads_of(facts: &Facts<'_>, known: &Known<'_>, e: &Expr) -> Access {
    let scanner = Scanner { facts, known, capacity: &|_| None, proctype: None };
    let mut access = Access::default();
    scanner.expression(e, &mut access);
    access
}

struct Scanner<'a> {
    facts: &'a Facts<'a>,
    known: &'a Known<'a>,
    capacity: Capacities<'a>,
    proctype: Option<ProctypeId>,
}

impl Scanner<'_> {
    /// What the next move from a location touches, atomic sequences to their end.
    fn location(&self, process: &ProcessType, at: LocId) -> Access {
        let mut access = Access::default();
        let locations = &process.automaton.locations;
        let transitions = &locations[at.index()].transitions;
        let mut reached = vec![false; locations.len()];
        let mut left = Vec::new();
        for transition in transitions {
            self.transition(transition, true, &mut access);
            if transition.atomic {
                left.push(transition.target);
            }
        }
        let action = |t: &Transition| &self.facts.program.statement(t.statement).action;
        if transitions.iter().any(|t| matches!(action(t), Action::Else)) {
            // It is executable where the others are not.
            access.looks = access.looks.or(access.sends).or(access.receives);
        }
        while let Some(at) = left.pop() {
            if std::mem::replace(&mut reached[at.index()], true) {
                continue;
            }
            for transition in &locations[at.index()].transitions {
                self.transition(transition, false, &mut access);
                if transition.atomic {
                    left.push(transition.target);
                }
            }
        }
        access
    }

    /// What one transition touches; `is_first` in its move.
    fn transition(&self, transition: &Transition, is_first: bool, access: &mut Access) {
        let program = self.facts.program;
        let action = &program.statement(transition.statement).action;
        let mut own = Access::default();
        let mut count = 0;
        program.actions_of(action, &mut |action| {
            self.action(action, &mut own);
            count += 1;
        });
        let is_simple = match action {
            Action::DStep(inner) => self.waits_only_first(inner),
            _ => true,
        };
        if !is_first || !is_simple {
            // It may block in the middle, or depend on what it has done itself.
            own.looks = own.looks.or(own.sends).or(own.receives);
            own.all |= !own.meets.is_empty();
        }
        if let Some(proctype) = self.proctype
            && self.facts.is_watched[proctype.index()]
        {
            own.writes.insert_range(self.watched(proctype));
        }
        access.add(&own);
    }

    /// Whether a step of several statements is like its first one as far as channels go: there
    /// is no choice of a first one, and the others use none.
    fn waits_only_first(&self, step: &DStep) -> bool {
        let uses_none = |transition: &Transition| {
            let mut own = Access::default();
            self.action(&self.facts.program.statement(transition.statement).action, &mut own);
            own.sends.or(own.receives).or(own.looks).or(own.meets).is_empty()
        };
        let mut places = step.locations.iter().enumerate();
        places.all(|(at, transitions)| {
            if at == step.start.index() {
                transitions.len() < 2
            } else {
                transitions.iter().all(uses_none)
            }
        })
    }

    /// The object that stands for what is seen of processes of a type from outside.
    fn watched(&self, proctype: ProctypeId) -> std::ops::Range<u32> {
        let at = self.facts.program.globals.bytes + proctype.0;
        at..at + 1
    }

    fn action(&self, action: &Action, access: &mut Access) {
        expressions(action, &mut |e| self.expression(e, access));
        action.written(&mut |place| match place.base {
            Base::Global => access.writes.insert_range(self.known.range(place)),
            Base::Hidden => access.all = true,
            Base::Frame | Base::Sink => {}
        });
        match action {
            Action::Send(send) => {
                let (channels, meets) = self.channels(&send.channel, access);
                access.sends = access.sends.or(channels);
                access.meets = access.meets.or(meets);
                if send.sorted {
                    access.looks = access.looks.or(channels);
                }
            }
            Action::Receive(receive) => {
                let (channels, meets) = self.channels(&receive.channel, access);
                access.receives = access.receives.or(channels);
                access.meets = access.meets.or(meets);
                if receive.random {
                    access.looks = access.looks.or(channels);
                }
            }
            // C may touch everything.
            Action::SetPriority(..) | Action::CCode(_) => access.all = true,
            Action::Terminate => {
                access.ends = true;
                self.drop_channels(access);
            }
            _ => {}
        }
    }

    /// The channels of a process go with it: that is in the way of all who use them.
    fn drop_channels(&self, access: &mut Access) {
        let program = self.facts.program;
        let Some(process) = self.proctype.map(|p| &program.proctypes[p.index()]) else {
            access.all = true;
            return;
        };
        for site in &process.frame.channels {
            let number = self.known.byte_of_frame(site.variable);
            let mut own = Channels::ALL;
            if let Some(number) = number.and_then(|n| n.checked_sub(1)) {
                own = Channels::default();
                own.insert(number);
            }
            if program.channel_types[site.channel.0 as usize].capacity == 0 {
                access.meets = access.meets.or(own);
            } else {
                access.looks = access.looks.or(own);
            }
        }
    }

    /// The channels that a variable may hold: with a buffer, without.
    fn channels(&self, place: &Place, access: &mut Access) -> (Channels, Channels) {
        self.read(place, access);
        let number = self.known.load(place).and_then(|n| u8::try_from(n - 1).ok());
        let Some(number) = number else { return (Channels::ALL, Channels::ALL) };
        let mut one = Channels::default();
        one.insert(number);
        match (self.capacity)(number) {
            Some(0) => (Channels::default(), one),
            Some(_) => (one, Channels::default()),
            None => (one, one),
        }
    }

    fn read(&self, place: &Place, access: &mut Access) {
        match place.base {
            Base::Global => access.reads.insert_range(self.known.range(place)),
            Base::Hidden => access.all = true,
            Base::Frame | Base::Sink => {}
        }
    }

    fn expression(&self, e: &Expr, access: &mut Access) {
        e.walk(&mut |e| match e {
            Expr::Load(place) => self.read(place, access),
            Expr::Predefined(Predefined::NrPr) => access.counts = true,
            Expr::Predefined(Predefined::Timeout) => access.timeouts = true,
            Expr::Predefined(Predefined::Pid) | Expr::Const(_) => {}
            Expr::Predefined(_)
            | Expr::Enabled(_)
            | Expr::PcValue(_)
            | Expr::GetPriority(_)
            | Expr::CExpr(_) => access.all = true,
            Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(..) => {}
            Expr::Run(_) => access.starts = true,
            Expr::Len(place) | Expr::Probe(_, place) => self.look(place, access),
            Expr::Poll(poll) => self.look(&poll.channel, access),
            Expr::RemoteLabel { proctype, .. } | Expr::RemoteVar { proctype, .. } => {
                access.reads.insert_range(self.watched(*proctype));
                // Which instance is meant depends on which there are.
                access.counts = true;
            }
        });
    }

    fn look(&self, place: &Place, access: &mut Access) {
        let (channels, meets) = self.channels(place, access);
        access.looks = access.looks.or(channels);
        access.meets = access.meets.or(meets);
    }

    /// Adds what the processes that a transition starts may touch.
    fn started(&self, transition: &Transition, access: &mut Access) {
        let program = self.facts.program;
        let action = &program.statement(transition.statement).action;
        program.actions_of(action, &mut |action| {
            expressions(action, &mut |e| {
                e.walk(&mut |e| {
                    if let Expr::Run(run) = e {
                        access.add(&self.facts.whole[run.proctype.index()]);
                    }
                });
            });
        });
    }
}
