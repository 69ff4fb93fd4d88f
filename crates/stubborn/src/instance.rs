//! The accesses of a process, location by location.

use crate::access::Access;
use crate::bits::Channels;
use crate::known::Known;
use crate::promised::Promised;
use crate::walk::expressions;
use crate::watch::Watch;
use spinor_program::expr::{BinaryOp, Predefined, Probe, ProctypeId, UnaryOp};
use spinor_program::{Action, Base, DStep, Expr, LocId, Place, ProcessType, Program, Transition};

/// What a process at a location touches.
#[derive(Clone, Default, Debug)]
pub(crate) struct Stop {
    /// By its next move.
    pub now: Access,
    /// By what decides whether it can move.
    pub gate: Access,
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
    /// Processes come and go without anybody noticing.
    pub is_anonymous: bool,
    /// It may matter that nobody is ready to [meet](crate::partners::are_minded).
    pub minds_partners: bool,
    /// Channels on which somebody minds that nobody is ready, if sequences that stop may be
    /// [put off](crate::sequence).
    pub minded: Option<Channels>,
    /// What the trace declaration watches, if there is one.
    pub watch: Option<&'a Watch>,
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
        .map(|at| scanner.location(process, LocId(at as u32)))
        .collect();
    if facts.minds_partners {
        scanner.add_offers(process, &mut stops);
    }
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

/// Reads what statements touch.
pub(crate) struct Scanner<'a> {
    pub facts: &'a Facts<'a>,
    pub known: &'a Known<'a>,
    pub capacity: Capacities<'a>,
    pub proctype: Option<ProctypeId>,
}

impl Scanner<'_> {
    /// What the next move from a location touches, atomic sequences to their end. The future is
    /// that of this move only.
    fn location(&self, process: &ProcessType, at: LocId) -> Stop {
        let transitions = &process.automaton.locations[at.index()].transitions;
        let (mut now, mut gate) = (Access::default(), Access::default());
        let mut hands_on = false;
        for transition in transitions {
            let first = self.transition(transition, &mut None);
            gate.add(&first.gate());
            now.add(&first);
            hands_on |= self.sequence(process, at, transition, &first, &mut now);
        }
        // What becomes executable takes the place of something else.
        let future =
            if self.is_exclusive(process, at) { now.clone().looking() } else { now.clone() };
        now.all |= hands_on;
        Stop { now, gate, future }
    }

    /// Whether what becomes executable at a location may make something else impossible.
    fn is_exclusive(&self, process: &ProcessType, at: LocId) -> bool {
        let transitions = &process.automaton.locations[at.index()].transitions;
        let action = |t: &Transition| &self.facts.program.statement(t.statement).action;
        process.deterministic
            || transitions.iter().any(|t| matches!(action(t), Action::Else) || t.escape.0 != 0)
    }

    /// What one transition touches; the first of its move if nothing is `promised`.
    pub fn transition(&self, transition: &Transition, promised: &mut Option<Promised>) -> Access {
        let program = self.facts.program;
        let action = &program.statement(transition.statement).action;
        let mut own = Access::default();
        program.actions_of(action, &mut |action| self.action(action, &mut own));
        let is_simple = match action {
            Action::DStep(inner) => self.waits_only_first(inner),
            _ => true,
        };
        let is_certain = match promised {
            None => is_simple,
            Some(promised) => promised.keeps(self.opening(action), &own) && is_simple,
        };
        if !is_certain {
            // It may block in the middle, or depend on what it has done itself.
            own = own.looking();
            let is_message = matches!(action, Action::Send(_)) || self.begins_with_receive(action);
            own.all |= !own.meets().is_empty() && !is_message;
        }
        // Whether others can move is known at the beginning of a move only.
        own.all |= own.timeouts && (promised.is_some() || !is_simple);
        if let Some(proctype) = self.proctype
            && self.facts.is_watched[proctype.index()]
        {
            own.writes.insert_range(self.watched(proctype));
        }
        if let Some(watch) = self.facts.watch {
            watch.add(&mut own);
        }
        own
    }

    /// Whether a step is a receive, or begins with one that is all it has to do with channels.
    pub fn begins_with_receive(&self, action: &Action) -> bool {
        let is_simple = match action {
            Action::DStep(inner) => self.waits_only_first(inner),
            _ => true,
        };
        is_simple && matches!(self.opening(action), Some(Action::Receive(_)))
    }

    /// The first action of a step.
    fn opening<'a>(&'a self, action: &'a Action) -> Option<&'a Action> {
        match action {
            Action::DStep(inner) => {
                let first = inner.locations[inner.start.index()].first()?;
                Some(&self.facts.program.statement(first.statement).action)
            }
            _ => Some(action),
        }
    }

    /// Whether a step of several statements is like its first one as far as channels go: there
    /// is no choice of a first one, and the others use none.
    fn waits_only_first(&self, step: &DStep) -> bool {
        let uses_none = |transition: &Transition| {
            let mut own = Access::default();
            self.action(&self.facts.program.statement(transition.statement).action, &mut own);
            own.buffers().or(own.looks).or(own.meets()).is_empty()
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
        match action {
            Action::Condition(e) => self.condition(e, true, access),
            _ => expressions(action, &mut |e| self.expression(e, access)),
        }
        action.written(&mut |place| match place.base {
            Base::Global => access.writes.insert_range(self.known.range(place)),
            Base::Hidden => access.writes.insert_range(self.hidden(place)),
            Base::Frame | Base::Sink => {}
        });
        match action {
            Action::Send(send) => {
                let (channels, meets) = self.channels(&send.channel, access);
                access.sends = access.sends.or(channels);
                access.calls = access.calls.or(meets);
                if send.sorted {
                    access.looks = access.looks.or(channels);
                }
            }
            Action::Receive(receive) => {
                let (channels, meets) = self.channels(&receive.channel, access);
                access.receives = access.receives.or(channels);
                access.takes = access.takes.or(meets);
                if receive.random {
                    access.looks = access.looks.or(channels);
                }
            }
            // C may touch everything.
            Action::SetPriority(..) | Action::CCode(_) => access.all = true,
            Action::Terminate => {
                access.ends |= !self.facts.is_anonymous;
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
            access.renews = access.renews.or(own);
        }
    }

    /// The channels that a variable may hold: with a buffer, without.
    pub fn channels(&self, place: &Place, access: &mut Access) -> (Channels, Channels) {
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
            Base::Hidden => access.reads.insert_range(self.hidden(place)),
            Base::Frame | Base::Sink => {}
        }
    }

    /// The objects of a hidden variable, which is one for all processes: behind those of everything else.
    fn hidden(&self, place: &Place) -> std::ops::Range<u32> {
        let Program { globals, proctypes, .. } = self.facts.program;
        let first = globals.bytes + proctypes.len() as u32 + 1;
        let range = self.known.range(place);
        first + range.start..first + range.end
    }

    pub fn expression(&self, e: &Expr, access: &mut Access) {
        e.walk(&mut |e| self.part(e, access));
    }

    /// One node of an expression.
    fn part(&self, e: &Expr, access: &mut Access) {
        match e {
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
            Expr::Run(run) => self.start(run.proctype, access),
            Expr::Len(place) | Expr::Probe(_, place) => self.look(place, access),
            Expr::Poll(poll) => self.look(&poll.channel, access),
            Expr::RemoteLabel { proctype, .. } | Expr::RemoteVar { proctype, .. } => {
                access.reads.insert_range(self.watched(*proctype));
                // Which instance is meant depends on which there are.
                access.counts = true;
            }
        }
    }

    /// A process comes into being. The first values of its variables are evaluated there and then. Its
    /// channels get numbers that somebody may have already: of channels that are gone, or out of the blue.
    fn start(&self, proctype: ProctypeId, access: &mut Access) {
        let Program { proctypes, globals, embedded, .. } = self.facts.program;
        let frame = &proctypes[proctype.index()].frame;
        access.starts |= !self.facts.is_anonymous;
        if !frame.channels.is_empty() {
            access.renews = access.renews.or(Channels::from(globals.channels.len()));
        }
        let known =
            Known { proctype: Some(proctype.index()), pid: None, frame: &[], ..*self.known };
        let scanner = Scanner { known: &known, ..*self };
        for initial in &frame.initials {
            scanner.expression(&initial.value, access);
        }
        let is_c_run = embedded.as_ref().is_some_and(|c| {
            c.library.as_ref().is_none_or(|library| library.initialises(proctype))
        });
        access.all |= is_c_run;
    }

    /// A condition, or (if not `wanted`) one that must not hold. Where more room or more messages
    /// can only help, that is all that matters.
    fn condition(&self, e: &Expr, wanted: bool, access: &mut Access) {
        match e {
            Expr::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                self.condition(a, wanted, access);
                self.condition(b, wanted, access);
            }
            Expr::Unary(UnaryOp::Not, a) => self.condition(a, !wanted, access),
            Expr::Probe(probe, place) => {
                let (channels, meets) = self.channels(place, access);
                place.walk(&mut |e| self.part(e, access));
                access.peek(meets);
                let set = match (probe, wanted) {
                    (Probe::Nfull, true) | (Probe::Full, false) => &mut access.room,
                    (Probe::Nempty, true) | (Probe::Empty, false) => &mut access.content,
                    _ => &mut access.looks,
                };
                *set = set.or(channels);
            }
            _ => self.expression(e, access),
        }
    }

    fn look(&self, place: &Place, access: &mut Access) {
        let (channels, meets) = self.channels(place, access);
        access.looks = access.looks.or(channels);
        access.peek(meets);
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
