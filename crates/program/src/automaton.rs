//! Process automata: locations and the transitions between them.

use crate::expr::{CodeId, Expr, Place};
use spinor_base::{Span, Text};

/// A control point of one automaton, numbered as SPIN numbers its states.
/// Number 0 is "gone".
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Default)]
pub struct LocId(pub u32);

/// A statement of the program; several transitions may share it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct StmtId(pub u32);

impl LocId {
    /// As an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl StmtId {
    /// As an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A statement: what it does and where it stands.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Guard and effect.
    pub action: Action,
    /// Where.
    pub span: Span,
    /// As SPIN would print it.
    pub text: Text,
    /// Its own location number in the automaton.
    pub location: LocId,
    /// SPIN's number of it in trails.
    pub trail_id: u32,
    /// Written inside an `atomic` or `d_step`, be it as its last statement.
    pub in_atomic: bool,
    /// What it is in the source.
    pub written: Written,
}

/// What a statement is in the source: actions do not tell all of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    /// An assignment, be it to `_priority`.
    Assignment,
    /// Any other statement; a condition that always holds is one too.
    Other,
    /// `goto`, `break`, or where branches join.
    Jump,
    /// Where a loop is left.
    LoopExit,
}

/// Guard and effect of a statement.
#[derive(Clone, Debug)]
pub enum Action {
    /// `skip`, or a jump that is a step of its own.
    Skip,
    /// `else`.
    Else,
    /// Blocks until the value is not zero.
    Condition(Expr),
    /// Assignments in order, as one step. Never blocks.
    Assign(Vec<(Place, Expr)>),
    /// `q!…`.
    Send(Send),
    /// `q?…`.
    Receive(Receive),
    /// `assert(e)`.
    Assert(Expr),
    /// `printf`.
    Print(Text, Vec<Expr>),
    /// `printm`.
    PrintMtype(Expr),
    /// `set_priority(p, n)`, also `_priority = n`.
    SetPriority(Expr, Expr),
    /// `c_code`: runs C code. Never blocks.
    CCode(CodeId),
    /// The process ends; only the youngest can.
    Terminate,
    /// A deterministic sequence run to its end in one step.
    DStep(Box<DStep>),
}

/// A send.
#[derive(Clone, Debug)]
pub struct Send {
    /// The channel.
    pub channel: Place,
    /// `!!`.
    pub sorted: bool,
    /// The message.
    pub args: Vec<Expr>,
}

/// A receive.
#[derive(Clone, Debug)]
pub struct Receive {
    /// The channel.
    pub channel: Place,
    /// `??`.
    pub random: bool,
    /// The message stays in the channel.
    pub copy: bool,
    /// The pattern.
    pub args: Vec<ReceiveField>,
}

/// One field of a receive.
#[derive(Clone, Debug)]
pub enum ReceiveField {
    /// Store it here.
    Bind(Place),
    /// It must have this value.
    Match(Expr),
    /// Whatever.
    Any,
}

/// The inside of a `d_step`: locations `1..` of its own, left by reaching `exit`.
#[derive(Clone, Debug)]
pub struct DStep {
    /// Where it starts.
    pub start: LocId,
    /// Reaching it ends the step.
    pub exit: LocId,
    /// Indexed by location; at most the first executable transition is taken.
    pub locations: Vec<Vec<Transition>>,
}

/// An edge of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    /// Guard and effect.
    pub statement: StmtId,
    /// Where it leads; 0: the process is gone.
    pub target: LocId,
    /// The process stays inside an atomic sequence and goes on alone.
    pub atomic: bool,
    /// Not 0: belongs to the `unless` escape that starts at this location. The
    /// transitions of the first escape with an executable one pre-empt the rest.
    pub escape: LocId,
}

/// A control point.
#[derive(Clone, Debug, Default)]
pub struct Location {
    /// In the order of exploration: escapes first, `else` last.
    pub transitions: Vec<Transition>,
    /// A process may rest here at the end.
    pub is_end: bool,
    /// `accept` label.
    pub is_accepting: bool,
    /// `progress` label.
    pub is_progress: bool,
    /// Labels of the user at this location.
    pub labels: Vec<Text>,
    /// Where it is in the source: a statement, a choice, a block.
    pub span: Span,
}

/// The automaton of a proctype, claim or trace declaration.
#[derive(Clone, Debug, Default)]
pub struct Automaton {
    /// Indexed by [`LocId`]; many numbers are not used as control points.
    pub locations: Vec<Location>,
    /// Where it starts.
    pub start: LocId,
    /// Where its last step, the termination, stands.
    pub end: LocId,
}
