//! The resolved model: every name bound, every type known, `for` and `select`
//! taken apart, messages and arguments flattened to scalars.
//!
//! Invariants (for a model analysed without errors)
//! - All ids are in range and of the right kind.
//! - Every expression is a 32-bit integer; every [`Place`] in an expression,
//!   assignment or message is a scalar (its last projection chain ends in a
//!   basic type, with an index for each array on the way).
//! - Constants are folded only where the language asks for a constant.

mod embedded;

pub use embedded::{CCode, CState, CText, CTrack, CodeId, EmbeddedC, Storage};
use spinor_base::{Span, Text};
pub use spinor_syntax::ast::{BinaryOp, Probe, TemporalOp, UnaryOp};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A global variable, in declaration order.
    GlobalId,
    /// A local variable of one proctype: parameters first, then declaration order.
    LocalId,
    /// A `typedef`.
    StructId,
    /// A set of mtype names; 0 is the plain `mtype`.
    MtypeId,
    /// A proctype or `init`, in source order.
    ProctypeId,
    /// A label of one body, in order of appearance.
    LabelId,
}

/// A model without errors.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// `typedef`s.
    pub structs: Vec<StructDef>,
    /// Sets of mtype names.
    pub mtypes: Vec<MtypeSet>,
    /// Global variables.
    pub globals: Vec<Variable>,
    /// Proctypes and `init`, in source order.
    pub proctypes: Vec<Proctype>,
    /// `never` claims, in source order.
    pub claims: Vec<Claim>,
    /// `trace` or `notrace`.
    pub trace: Option<Trace>,
    /// `ltl` properties, in source order.
    pub ltl: Vec<LtlProperty>,
    /// `xr`/`xs` promises.
    pub exclusives: Vec<Exclusive>,
    /// Embedded C.
    pub embedded: EmbeddedC,
}

/// Record type.
#[derive(Clone, Debug)]
pub struct StructDef {
    /// Its name.
    pub name: Text,
    /// Where.
    pub span: Span,
    /// Fields in order; initialisers apply to every variable of the type.
    pub fields: Vec<Variable>,
}

/// One enumeration of symbolic names.
#[derive(Clone, Debug, Default)]
pub struct MtypeSet {
    /// Subtype name; `None` for the plain `mtype`.
    pub name: Option<Text>,
    /// Names and their values, in source order.
    pub names: Vec<(Text, i32)>,
}

/// Types of variables and message fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// 1 bit.
    Bit,
    /// 1 bit.
    Bool,
    /// Unsigned 8 bits.
    Byte,
    /// Unsigned 8 bits.
    Pid,
    /// Signed 16 bits.
    Short,
    /// Signed 32 bits.
    Int,
    /// Unsigned, this many bits (1..=31).
    Unsigned(u8),
    /// Symbolic name, unsigned 8 bits.
    Mtype(MtypeId),
    /// Number of a channel.
    Chan,
    /// Record.
    Struct(StructId),
}

/// A declared variable, parameter or record field.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Text,
    /// Where it is declared.
    pub span: Span,
    /// Its type.
    pub ty: Type,
    /// Number of elements of an array.
    pub array: Option<u32>,
    /// Value at creation of the state or process.
    pub init: Init,
    /// `hidden`.
    pub hidden: bool,
    /// `show`.
    pub show: bool,
    /// `local` promise on a global.
    pub local_promise: bool,
}

/// Value of a variable when it comes into being. A local declared after the
/// first statement or in an inner block has [`Init::Zero`] here and a
/// [`StmtKind::DeclInit`] step in the body (as SPIN has it), except channels.
#[derive(Clone, Debug)]
pub enum Init {
    /// All zero.
    Zero,
    /// This value, for every element.
    Value(Expr),
    /// One value per element; already completed (a short list repeats its last value).
    List(Vec<Expr>),
    /// A new channel, for every element.
    Channel(ChannelDef),
}

/// Capacity and flattened message type of a channel.
#[derive(Clone, Debug, PartialEq)]
pub struct ChannelDef {
    /// Slots; 0 is rendezvous.
    pub capacity: u32,
    /// Scalar fields: records are flattened (arrays in them element by element).
    pub fields: Vec<Type>,
}

/// A proctype or `init`.
#[derive(Clone, Debug)]
pub struct Proctype {
    /// `init` for the init process.
    pub name: Text,
    /// Where.
    pub span: Span,
    /// Place among all bodies of the model, in source order (included files
    /// stand where they are included).
    pub position: u32,
    /// Whether it is `init`.
    pub is_init: bool,
    /// Instances at the start (`init`: 1).
    pub active: u32,
    /// `D_proctype`.
    pub deterministic: bool,
    /// `priority` of the declaration.
    pub priority: Option<i32>,
    /// `provided`.
    pub provided: Option<Expr>,
    /// How many of the first locals are parameters.
    pub params: u32,
    /// All local variables, also those of inner blocks and inline bodies.
    pub locals: Vec<Variable>,
    /// Labels, in order of appearance.
    pub labels: Vec<Label>,
    /// The body.
    pub body: Block,
}

/// A label of a body.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its name.
    pub name: Text,
    /// Where.
    pub span: Span,
    /// Referred to from outside by `P@L`.
    pub remotely_referenced: bool,
}

/// A `never` claim.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its name (`never_0`, … if it has none).
    pub name: Text,
    /// Body and locals, shaped like a proctype.
    pub body: Proctype,
}

/// `trace` or `notrace`.
#[derive(Clone, Debug)]
pub struct Trace {
    /// `notrace`.
    pub negated: bool,
    /// Body, shaped like a proctype: sends and receives only (and control flow).
    pub body: Proctype,
}

/// An `ltl` block.
#[derive(Clone, Debug)]
pub struct LtlProperty {
    /// Its name (`ltl_0`, … if it has none).
    pub name: Text,
    /// Where.
    pub span: Span,
    /// What must hold.
    pub formula: Formula,
}

/// A temporal formula over resolved expressions.
#[derive(Clone, Debug)]
pub enum Formula {
    /// State predicate.
    Atom(Expr),
    /// `!`.
    Not(Box<Formula>),
    /// `X`.
    Next(Box<Formula>),
    /// `[]`.
    Always(Box<Formula>),
    /// `<>`.
    Eventually(Box<Formula>),
    /// Binary connective.
    Binary(TemporalOp, Box<Formula>, Box<Formula>),
}

/// `xr` or `xs` on channels, by the process that promises.
#[derive(Clone, Debug)]
pub struct Exclusive {
    /// Where.
    pub span: Span,
    /// The proctype in whose body it stands; `None` at top level.
    pub proctype: Option<ProctypeId>,
    /// `xs` (send) or `xr` (receive).
    pub send: bool,
    /// The channel.
    pub channel: Place,
}

/// A sequence of statements.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// Where.
    pub span: Span,
    /// In order.
    pub stmts: Vec<Stmt>,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Where, without labels.
    pub span: Span,
    /// Labels on it.
    pub labels: Vec<LabelId>,
    /// What.
    pub kind: StmtKind,
}

/// Statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Condition; `skip` is the constant 1 (also for a label without statement).
    Expr(Expr),
    /// `v = e`.
    Assign(Place, Expr),
    /// `v++` (`by` 1) or `v--` (`by` -1).
    Step {
        /// The variable.
        place: Place,
        /// 1 or -1.
        by: i32,
    },
    /// A declaration that is executed: all these assignments in one step, in order.
    DeclInit(Vec<(Place, Expr)>),
    /// Send.
    Send {
        /// The channel.
        channel: Place,
        /// `!!`.
        sorted: bool,
        /// Flattened message.
        args: Vec<Expr>,
    },
    /// Receive.
    Receive {
        /// The channel.
        channel: Place,
        /// `??`.
        random: bool,
        /// `<…>`.
        copy: bool,
        /// Flattened pattern.
        args: Vec<Pattern>,
    },
    /// `if`, options in source order.
    If(Vec<Block>),
    /// `do`, options in source order.
    Do(Vec<Block>),
    /// The loop of `for` and of a `select` that is not expanded. The start value
    /// is an `Assign` before it. Left by `else` (`for`) or at will (`select`).
    CountedLoop {
        /// Condition first, increment last.
        body: Block,
        /// `for`: the exit is an `else`; `select`: a free `break`.
        exit_by_else: bool,
    },
    /// `break` out of the innermost `do` or counted loop.
    Break,
    /// `goto`.
    Goto(LabelId),
    /// `else`.
    Else,
    /// `assert`.
    Assert(Expr),
    /// `printf`.
    Printf(Text, Vec<Expr>),
    /// `printm`.
    Printm(Expr),
    /// `c_code`.
    CCode(CodeId),
    /// `set_priority(p, n)`.
    SetPriority(Expr, Expr),
    /// `atomic`.
    Atomic(Block),
    /// `d_step`.
    DStep(Block),
    /// `{ … }` or the body of an inline call.
    Block(Block),
    /// `S unless E`.
    Unless {
        /// Normal part.
        main: Box<Stmt>,
        /// Escape part.
        escape: Box<Stmt>,
    },
}

/// One field of a receive pattern.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// Receive into this variable.
    Bind(Place),
    /// Must equal this value (constant or `eval`).
    Match(Expr),
    /// `_`.
    Any,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: Box<ExprKind>,
}

/// Expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// Constant.
    Int(i32),
    /// An mtype name: constant that prints as a name.
    Mtype(MtypeId, i32),
    /// Variable.
    Place(Place),
    /// Predefined name.
    Predefined(Predefined),
    /// Unary operator.
    Unary(UnaryOp, Expr),
    /// Binary operator.
    Binary(BinaryOp, Expr, Expr),
    /// `(c -> a : b)`.
    Conditional(Expr, Expr, Expr),
    /// `run`.
    Run {
        /// Which.
        proctype: ProctypeId,
        /// Scalars in the order of the flattened parameters.
        args: Vec<Expr>,
        /// `priority`.
        priority: Option<Expr>,
    },
    /// `len(q)`.
    Len(Place),
    /// `empty(q)` and its like.
    Probe(Probe, Place),
    /// `q?[…]`.
    Poll {
        /// The channel.
        channel: Place,
        /// `??`.
        random: bool,
        /// Flattened pattern: no [`Pattern::Bind`] has an effect here; a variable
        /// in a poll matches anything, as in a receive.
        args: Vec<Pattern>,
    },
    /// `enabled(p)`.
    Enabled(Expr),
    /// `pc_value(p)`.
    PcValue(Expr),
    /// `get_priority(p)`.
    GetPriority(Expr),
    /// `P[p]@L`; without `p`, the first process of that type.
    RemoteLabel {
        /// The proctype named.
        proctype: ProctypeId,
        /// Which instance.
        pid: Option<Expr>,
        /// The label.
        label: LabelId,
    },
    /// `P[p]:x`.
    RemoteVar {
        /// The proctype named.
        proctype: ProctypeId,
        /// Which instance.
        pid: Option<Expr>,
        /// A place rooted in a local of that proctype.
        place: Place,
    },
    /// `c_expr`.
    CExpr(CodeId),
}

/// Names that need no declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Predefined {
    /// `_pid`.
    Pid,
    /// `_nr_pr`.
    NrPr,
    /// `_last`.
    Last,
    /// `_priority` of the own process (read).
    Priority,
    /// `timeout`.
    Timeout,
    /// `np_`.
    NonProgress,
}

/// Somewhere to read or write.
#[derive(Clone, Debug)]
pub struct Place {
    /// Where it is named.
    pub span: Span,
    /// The variable.
    pub root: Root,
    /// How to get from the variable to the scalar.
    pub projections: Vec<Projection>,
    /// Type of the scalar.
    pub ty: Type,
}

/// The variable of a [`Place`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Root {
    /// Global.
    Global(GlobalId),
    /// Local of the process at hand.
    Local(LocalId),
    /// `_priority` of the own process (written).
    Priority,
    /// `_` as an assignment target: evaluated, dropped. Read only in the sends
    /// of a trace, where it matches any value.
    Sink,
}

/// One link of a [`Place`].
#[derive(Clone, Debug)]
pub enum Projection {
    /// `[e]` on an array.
    Index(Expr),
    /// Field of a record, by number.
    Field(u32),
}
