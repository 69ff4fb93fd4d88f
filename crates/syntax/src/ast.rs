//! The syntax tree: what the user wrote, names not yet resolved.
//!
//! Macros are gone and inline calls are already replaced by their bodies
//! ([`StmtKind::InlineCall`]), because both are textual in Promela.

use spinor_base::{Span, Text};

/// A name and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Ident {
    /// The name.
    pub name: Text,
    /// Where.
    pub span: Span,
}

/// A whole model.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// In source order.
    pub items: Vec<Item>,
}

/// A top-level unit.
#[derive(Clone, Debug)]
pub enum Item {
    /// `proctype`.
    Proctype(Proctype),
    /// `init`.
    Init(Init),
    /// `never`.
    Never(Never),
    /// `trace` or `notrace`.
    Trace(Trace),
    /// `ltl`.
    Ltl(Ltl),
    /// `typedef`.
    Typedef(Typedef),
    /// `mtype = { … }`.
    Mtype(MtypeDecl),
    /// Global variables.
    Vars(VarDecls),
    /// `xr` or `xs` outside a body.
    Exclusive(Exclusive),
    /// `inline`: kept for listings and warnings; calls are expanded already.
    Inline(InlineDecl),
    /// `c_decl`, `c_state`, `c_track`, global `c_code`.
    EmbeddedC(EmbeddedC),
}

/// `[active [n]] proctype P(params) [priority n] [provided (e)] { … }`.
#[derive(Clone, Debug)]
pub struct Proctype {
    /// From the first keyword to the closing brace.
    pub span: Span,
    /// Its name.
    pub name: Ident,
    /// `active`, with the number of instances if given.
    pub active: Option<Active>,
    /// `D_proctype`.
    pub deterministic: bool,
    /// Formal parameters.
    pub params: Vec<VarDecls>,
    /// `priority`.
    pub priority: Option<Expr>,
    /// `provided`.
    pub provided: Option<Expr>,
    /// The body.
    pub body: Block,
}

/// `active` or `active [n]`.
#[derive(Clone, Debug)]
pub struct Active {
    /// Where.
    pub span: Span,
    /// `n`.
    pub count: Option<Expr>,
}

/// `init [priority n] { … }`.
#[derive(Clone, Debug)]
pub struct Init {
    /// The keyword.
    pub span: Span,
    /// `priority`.
    pub priority: Option<Expr>,
    /// The body.
    pub body: Block,
}

/// `never [name] { … }`.
#[derive(Clone, Debug)]
pub struct Never {
    /// The keyword.
    pub span: Span,
    /// Name, if any.
    pub name: Option<Ident>,
    /// The body.
    pub body: Block,
}

/// `trace { … }` or `notrace { … }`.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The keyword.
    pub span: Span,
    /// `notrace`.
    pub negated: bool,
    /// Name, if any.
    pub name: Option<Ident>,
    /// The body.
    pub body: Block,
}

/// `ltl [name] { formula }`.
#[derive(Clone, Debug)]
pub struct Ltl {
    /// The keyword.
    pub span: Span,
    /// Name, if any.
    pub name: Option<Ident>,
    /// What must hold.
    pub formula: Formula,
}

/// A temporal formula over Promela expressions.
#[derive(Clone, Debug)]
pub struct Formula {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: FormulaKind,
}

/// Temporal connectives. Boolean structure without temporal operators below it
/// stays inside [`FormulaKind::Atom`].
#[derive(Clone, Debug)]
pub enum FormulaKind {
    /// A state predicate.
    Atom(Expr),
    /// `!`.
    Not(Box<Formula>),
    /// `X`, `next`.
    Next(Box<Formula>),
    /// `[]`, `always`.
    Always(Box<Formula>),
    /// `<>`, `eventually`.
    Eventually(Box<Formula>),
    /// A binary connective.
    Binary(TemporalOp, Box<Formula>, Box<Formula>),
}

/// Binary connectives of formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemporalOp {
    /// `&&`, `/\`.
    And,
    /// `||`, `\/`.
    Or,
    /// `->`, `implies`.
    Implies,
    /// `<->`, `equivalent`.
    Equiv,
    /// `U`, `until`, `stronguntil`.
    Until,
    /// `W`, `weakuntil`.
    WeakUntil,
    /// `V`, `R`, `release`.
    Release,
}

/// `typedef T { … }`.
#[derive(Clone, Debug)]
pub struct Typedef {
    /// Where.
    pub span: Span,
    /// Its name.
    pub name: Ident,
    /// The fields.
    pub fields: Vec<VarDecls>,
}

/// `mtype[:sub] = { A, B, … }`.
#[derive(Clone, Debug)]
pub struct MtypeDecl {
    /// Where.
    pub span: Span,
    /// The subtype.
    pub subtype: Option<Ident>,
    /// The names in source order.
    pub names: Vec<Ident>,
}

/// `inline f(a, b) { … }`.
#[derive(Clone, Debug)]
pub struct InlineDecl {
    /// Where.
    pub span: Span,
    /// Its name.
    pub name: Ident,
    /// Formal parameters.
    pub params: Vec<Ident>,
    /// How often it is called in the model.
    pub calls: u32,
}

/// A piece of embedded C, recognised and kept as text.
#[derive(Clone, Debug)]
pub struct EmbeddedC {
    /// Where.
    pub span: Span,
    /// `c_decl`, `c_state`, …
    pub keyword: Text,
    /// `[…]` before the body.
    pub precondition: Option<Text>,
    /// Braced body or string arguments.
    pub parts: Vec<Text>,
    /// Where the first part stands.
    pub body: Span,
    /// Definitions of the macros that the body mentions, a `#define` on each line.
    pub macros: Text,
}

/// One declaration statement: a type and variables.
#[derive(Clone, Debug)]
pub struct VarDecls {
    /// Where.
    pub span: Span,
    /// `hidden`, `show`, `local`.
    pub visibility: Option<Visibility>,
    /// The type.
    pub ty: TypeRef,
    /// The variables.
    pub vars: Vec<VarDecl>,
}

/// Prefixes of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// Not part of the state.
    Hidden,
    /// Shown in traces.
    Show,
    /// Promise: used by one process only.
    Local,
}

/// A type as written.
#[derive(Clone, Debug)]
pub struct TypeRef {
    /// Where.
    pub span: Span,
    /// Which.
    pub kind: TypeKind,
}

/// Types as written.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// `bit`.
    Bit,
    /// `bool`.
    Bool,
    /// `byte`.
    Byte,
    /// `short`.
    Short,
    /// `int`.
    Int,
    /// `unsigned`, the width stands with the variable.
    Unsigned,
    /// `pid`.
    Pid,
    /// `chan`.
    Chan,
    /// `mtype` or `mtype:sub`.
    Mtype(Option<Ident>),
    /// A `typedef`.
    Named(Ident),
}

/// One declared variable.
#[derive(Clone, Debug)]
pub struct VarDecl {
    /// Its name.
    pub name: Ident,
    /// `: n` of `unsigned`.
    pub width: Option<Expr>,
    /// `[n]`.
    pub array: Option<Expr>,
    /// `= …`.
    pub init: Option<Initializer>,
}

/// The part after `=` in a declaration.
#[derive(Clone, Debug)]
pub enum Initializer {
    /// One value.
    Expr(Expr),
    /// `{ 1, 2, 3 }`.
    List(Span, Vec<Expr>),
    /// `[n] of { … }`.
    Channel(ChannelInit),
}

/// `[capacity] of { type, … }`.
#[derive(Clone, Debug)]
pub struct ChannelInit {
    /// Where.
    pub span: Span,
    /// Number of slots, 0 is rendezvous.
    pub capacity: Expr,
    /// Types of the message fields.
    pub fields: Vec<TypeRef>,
}

/// `xr c, d` or `xs c, d`.
#[derive(Clone, Debug)]
pub struct Exclusive {
    /// Where.
    pub span: Span,
    /// `xs` (send) or `xr` (receive).
    pub send: bool,
    /// The channels.
    pub channels: Vec<Place>,
}

/// A sequence of statements with a scope of its own.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// With the braces, where there are any.
    pub span: Span,
    /// In source order.
    pub stmts: Vec<Stmt>,
}

/// A statement with its labels.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Without the labels.
    pub span: Span,
    /// `L1: L2: …`.
    pub labels: Vec<Ident>,
    /// What it does.
    pub kind: StmtKind,
}

/// Statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Nothing stands after the label.
    LabelOnly,
    /// Local variables.
    Vars(VarDecls),
    /// `xr`, `xs`.
    Exclusive(Exclusive),
    /// A condition; `skip` and `true` are the constant 1, `run P()` is one too.
    Expr(Expr),
    /// `v = e`.
    Assign(Place, Expr),
    /// `v++`.
    Increment(Place),
    /// `v--`.
    Decrement(Place),
    /// `q!…` or `q!!…`.
    Send {
        /// The channel.
        channel: Place,
        /// `!!`.
        sorted: bool,
        /// The message, `q!a(b,c)` already as `q!a,b,c`.
        args: Vec<Expr>,
    },
    /// `q?…`, `q??…`, `q?<…>`, `q??<…>`.
    Receive {
        /// The channel.
        channel: Place,
        /// `??`.
        random: bool,
        /// `<…>`: the message stays.
        copy: bool,
        /// The pattern.
        args: Vec<ReceiveArg>,
    },
    /// `if :: … fi`.
    If(Vec<Block>),
    /// `do :: … od`.
    Do(Vec<Block>),
    /// `for (i : a .. b) { … }`.
    ForRange {
        /// The index.
        var: Place,
        /// First value.
        from: Expr,
        /// Last value.
        to: Expr,
        /// Repeated.
        body: Block,
    },
    /// `for (i in x) { … }`: an array or a channel.
    ForIn {
        /// The index, or the message variable.
        var: Place,
        /// The array or channel.
        container: Place,
        /// Repeated.
        body: Block,
    },
    /// `select (v : a .. b)`.
    Select {
        /// Gets the value.
        var: Place,
        /// First value.
        from: Expr,
        /// Last value.
        to: Expr,
    },
    /// `break`.
    Break,
    /// `goto L`.
    Goto(Ident),
    /// `else`.
    Else,
    /// `assert(e)`.
    Assert(Expr),
    /// `printf("…", …)`.
    Printf(Text, Vec<Expr>),
    /// `printm(e)`.
    Printm(Expr),
    /// `set_priority(p, n)`.
    SetPriority(Expr, Expr),
    /// `atomic { … }`.
    Atomic(Block),
    /// `d_step { … }`.
    DStep(Block),
    /// `{ … }`.
    Block(Block),
    /// `S unless E`.
    Unless(Box<Stmt>, Box<Stmt>),
    /// A call of an inline, replaced by its body.
    InlineCall {
        /// Name and place of the call.
        name: Ident,
        /// The body with the actual parameters in place.
        body: Block,
    },
    /// `c_code { … }`.
    EmbeddedC(EmbeddedC),
}

/// One field of a receive pattern.
#[derive(Clone, Debug)]
pub struct ReceiveArg {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: ReceiveArgKind,
}

/// Fields of receive patterns.
#[derive(Clone, Debug)]
pub enum ReceiveArgKind {
    /// A name: variable to receive into, or an mtype constant to match.
    Place(Place),
    /// A constant to match (number, `true`, `-1`, …).
    Const(Expr),
    /// `eval(e)`: match the value.
    Eval(Expr),
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
    /// Literal; also `true`, `false`, `skip` and characters.
    Int(i32),
    /// Variable, mtype name or predefined `_…` name.
    Place(Place),
    /// `-e`, `!e`, `~e`.
    Unary(UnaryOp, Expr),
    /// `a op b`.
    Binary(BinaryOp, Expr, Expr),
    /// `(c -> a : b)`.
    Conditional(Expr, Expr, Expr),
    /// `run P(…) [priority n]`.
    Run {
        /// Which proctype.
        proctype: Ident,
        /// Actual parameters.
        args: Vec<Expr>,
        /// `priority`.
        priority: Option<Expr>,
    },
    /// `len(q)`.
    Len(Place),
    /// `empty(q)` and its like.
    Probe(Probe, Place),
    /// `q?[…]`, `q??[…]`.
    Poll {
        /// The channel.
        channel: Place,
        /// `??`.
        random: bool,
        /// The pattern.
        args: Vec<ReceiveArg>,
    },
    /// `enabled(p)`.
    Enabled(Expr),
    /// `pc_value(p)`.
    PcValue(Expr),
    /// `get_priority(p)`.
    GetPriority(Expr),
    /// `timeout`.
    Timeout,
    /// `np_`.
    NonProgress,
    /// `P@L`, `P[p]@L`.
    RemoteLabel {
        /// The proctype named.
        proctype: Ident,
        /// Which instance.
        pid: Option<Expr>,
        /// The label.
        label: Ident,
    },
    /// `P:x`, `P[p]:x`.
    RemoteVar {
        /// The proctype named.
        proctype: Ident,
        /// Which instance.
        pid: Option<Expr>,
        /// Its variable.
        var: Place,
    },
    /// `c_expr { … }`.
    EmbeddedC(EmbeddedC),
}

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-`.
    Neg,
    /// `!`.
    Not,
    /// `~`.
    BitNot,
}

/// Binary operators of expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    And,
    Or,
}

impl BinaryOp {
    /// Whether the value is 0 or 1, whatever the operands are.
    #[must_use]
    pub fn is_truth(self) -> bool {
        match self {
            Self::Lt
            | Self::Le
            | Self::Gt
            | Self::Ge
            | Self::Eq
            | Self::Ne
            | Self::And
            | Self::Or => true,
            Self::Add | Self::Sub | Self::Mul | Self::Div | Self::Rem => false,
            Self::BitAnd | Self::BitOr | Self::BitXor | Self::Shl | Self::Shr => false,
        }
    }
}

/// Channel probes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Probe {
    /// `empty(q)`.
    Empty,
    /// `nempty(q)`.
    Nempty,
    /// `full(q)`.
    Full,
    /// `nfull(q)`.
    Nfull,
}

/// `a`, `a[i]`, `a[i].b.c[j]`.
#[derive(Clone, Debug)]
pub struct Place {
    /// Where.
    pub span: Span,
    /// At least one.
    pub parts: Vec<PlacePart>,
}

/// One segment of a [`Place`].
#[derive(Clone, Debug)]
pub struct PlacePart {
    /// Variable or field.
    pub name: Ident,
    /// `[i]`.
    pub index: Option<Expr>,
}
