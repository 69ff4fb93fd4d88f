//! The program in the form in which it is executed.
//!
//! Statements by number, with [quick](crate::quick) expressions; locations and their
//! transitions in two flat tables. What is rare stays as it is in the program.

use crate::channel::Buffer;
use crate::plan::Plan;
use crate::quick::{Quick, Spot};
use spinor_program::expr::CodeId;
use spinor_program::{
    Action, DStep, Expr, ProcessType, Program, Receive, ReceiveField, Send, Statement, StmtId,
    Transition,
};

/// Guard and effect of a statement.
#[derive(Debug)]
pub(crate) enum Act {
    Skip,
    Else,
    Condition(Quick),
    Assign(Box<[(Spot, Quick)]>),
    Send(Box<SendAct>),
    Receive(Box<ReceiveAct>),
    Assert(Quick),
    Terminate,
    C(CodeId),
    DStep(Box<DStepAct>),
    /// A condition or assignments that start processes.
    Starts,
    /// All others.
    Rare,
}

/// `q!…`.
#[derive(Debug)]
pub(crate) struct SendAct {
    pub channel: Spot,
    pub sorted: bool,
    pub args: Box<[Quick]>,
}

/// `q?…`.
#[derive(Debug)]
pub(crate) struct ReceiveAct {
    pub channel: Spot,
    pub random: bool,
    pub copy: bool,
    pub fields: Box<[FieldAct]>,
}

/// One field of a receive.
#[derive(Debug)]
pub(crate) enum FieldAct {
    Bind(Spot),
    Match(Quick),
    Any,
}

/// `d_step`.
#[derive(Debug)]
pub(crate) struct DStepAct {
    pub inner: DStep,
    /// It may begin with a receive.
    pub accepts: bool,
}

/// A location: where its transitions are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop {
    pub first: u32,
    pub last: u32,
    /// Some transition may take the message of a rendezvous.
    pub accepts: bool,
}

/// Everything that is prepared.
#[derive(Debug, Default)]
pub(crate) struct Prepared {
    /// By statement.
    pub acts: Vec<Act>,
    /// By statement, too.
    pub plans: Vec<Plan>,
    /// By location, proctype after proctype.
    pub stops: Vec<Stop>,
    /// Transitions of all locations.
    pub moves: Vec<Transition>,
    /// By proctype: its location 0 among the stops.
    pub first_stops: Vec<u32>,
    /// By channel type.
    pub buffers: Vec<Buffer>,
}

impl Prepared {
    pub fn new(program: &Program) -> Self {
        let mut prepared = Prepared {
            acts: program.statements.iter().map(|s| Act::new(program, s)).collect(),
            plans: (0..program.statements.len() as u32)
                .map(|id| Plan::new(program, StmtId(id)))
                .collect(),
            buffers: program.channel_types.iter().map(Buffer::new).collect(),
            ..Prepared::default()
        };
        for process in &program.proctypes {
            let first = prepared.add_process(process);
            prepared.first_stops.push(first);
        }
        prepared
    }

    /// Adds the locations of an automaton; returns where they begin.
    fn add_process(&mut self, process: &ProcessType) -> u32 {
        let begin = self.stops.len() as u32;
        for location in &process.automaton.locations {
            let first = self.moves.len() as u32;
            self.moves.extend_from_slice(&location.transitions);
            let accepts = |t: &Transition| self.acts[t.statement.index()].may_accept();
            let accepts = location.transitions.iter().any(accepts);
            self.stops.push(Stop { first, last: self.moves.len() as u32, accepts });
        }
        begin
    }
}

impl Act {
    fn new(program: &Program, statement: &Statement) -> Self {
        match &statement.action {
            Action::Skip => Act::Skip,
            Action::Else => Act::Else,
            Action::Condition(_) | Action::Assign(_) if starts_process(&statement.action) => {
                Act::Starts
            }
            Action::Condition(e) => Act::Condition(Quick::new(e)),
            Action::Assign(pairs) => {
                Act::Assign(pairs.iter().map(|(p, e)| (Spot::new(p), Quick::new(e))).collect())
            }
            Action::Send(send) => Act::Send(Box::new(SendAct::new(send))),
            Action::Receive(receive) => Act::Receive(Box::new(ReceiveAct::new(receive))),
            Action::Assert(e) => Act::Assert(Quick::new(e)),
            Action::Terminate => Act::Terminate,
            Action::CCode(code) => Act::C(*code),
            Action::DStep(inner) => Act::DStep(Box::new(DStepAct::new(program, inner))),
            Action::Print(..) | Action::PrintMtype(_) | Action::SetPriority(..) => Act::Rare,
        }
    }

    /// Whether it is a condition or assignments, which can be done in place.
    #[inline]
    pub fn is_simple(&self) -> bool {
        matches!(self, Act::Skip | Act::Else | Act::Condition(_) | Act::Assign(_))
    }

    /// Whether it can be the receiving half of a rendezvous.
    #[inline]
    pub fn may_accept(&self) -> bool {
        match self {
            Act::Receive(_) => true,
            Act::DStep(d_step) => d_step.accepts,
            _ => false,
        }
    }
}

impl DStepAct {
    fn new(program: &Program, inner: &DStep) -> Self {
        let is_receive = |t: &Transition| {
            matches!(program.statement(t.statement).action, Action::Receive(_) | Action::DStep(_))
        };
        let accepts = inner.locations[inner.start.index()].iter().any(is_receive);
        DStepAct { inner: inner.clone(), accepts }
    }
}

impl SendAct {
    fn new(send: &Send) -> Self {
        SendAct {
            channel: Spot::new(&send.channel),
            sorted: send.sorted,
            args: send.args.iter().map(Quick::new).collect(),
        }
    }
}

impl ReceiveAct {
    fn new(receive: &Receive) -> Self {
        let field = |field: &ReceiveField| match field {
            ReceiveField::Bind(place) => FieldAct::Bind(Spot::new(place)),
            ReceiveField::Match(e) => FieldAct::Match(Quick::new(e)),
            ReceiveField::Any => FieldAct::Any,
        };
        ReceiveAct {
            channel: Spot::new(&receive.channel),
            random: receive.random,
            copy: receive.copy,
            fields: receive.args.iter().map(field).collect(),
        }
    }
}

fn starts_process(action: &Action) -> bool {
    let mut found = false;
    action.walk(&mut |e| found |= matches!(e, Expr::Run(_)));
    found
}
