//! The syntax tree of generated models.
//!
//! Only what the generator emits; names are unique, so no resolution is needed.

/// A whole model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// `mtype` declarations.
    pub mtypes: Vec<MtypeDecl>,
    /// Record types in order of dependence.
    pub typedefs: Vec<Typedef>,
    /// Global variables and channels.
    pub globals: Vec<Decl>,
    /// Inline definitions, callees first.
    pub inlines: Vec<Inline>,
    /// Proctypes and `init`, in file order.
    pub procs: Vec<Proc>,
    /// The body of a never claim.
    pub never: Option<Vec<Stmt>>,
    /// `ltl` blocks by name.
    pub ltl: Vec<(String, Formula)>,
    /// A trace (`true`: notrace) with its body.
    pub trace: Option<(bool, Vec<Stmt>)>,
}

/// `mtype[:subtype] = { names }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MtypeDecl {
    /// Subtype name.
    pub subtype: Option<String>,
    /// The constants.
    pub names: Vec<String>,
}

/// `typedef name { fields }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typedef {
    /// Type name.
    pub name: String,
    /// Fields.
    pub fields: Vec<Decl>,
}

/// `inline name(params) { body }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inline {
    /// Name.
    pub name: String,
    /// Parameter names.
    pub params: Vec<String>,
    /// Body.
    pub body: Vec<Stmt>,
}

/// A proctype, or `init` if `is_init`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proc {
    /// Name; ignored for `init`.
    pub name: String,
    /// True for the `init` process.
    pub is_init: bool,
    /// Number of active instances, 0 if only started by `run`.
    pub active: u32,
    /// Parameters.
    pub params: Vec<Decl>,
    /// Priority of active instances.
    pub priority: Option<i64>,
    /// Condition of the `provided` clause.
    pub provided: Option<Expr>,
    /// Body, declarations included.
    pub body: Vec<Stmt>,
}

/// Types of variables, parameters and message fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ty {
    /// `bit`
    Bit,
    /// `bool`
    Bool,
    /// `byte`
    Byte,
    /// `pid`
    Pid,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `unsigned x : n`
    Unsigned(u32),
    /// `mtype` or `mtype:subtype`
    Mtype(Option<String>),
    /// `chan`
    Chan,
    /// A record type.
    Record(String),
}

/// A declaration of one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decl {
    /// Type.
    pub ty: Ty,
    /// Name.
    pub name: String,
    /// Array length.
    pub len: Option<u32>,
    /// Initial value.
    pub init: Option<Init>,
    /// Declared `hidden`.
    pub hidden: bool,
}

/// Initial values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Init {
    /// An expression.
    Expr(Expr),
    /// `{1, 2, 3}` for an array.
    List(Vec<i64>),
    /// `[capacity] of { fields }`.
    Chan(u32, Vec<Ty>),
}

/// A place: segments joined by dots, each with an optional index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place(pub Vec<(String, Option<Box<Expr>>)>);

impl Place {
    /// A plain name.
    pub fn name(name: &str) -> Place {
        Place(vec![(name.to_owned(), None)])
    }
}

/// Expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// Integer constant.
    Const(i64),
    /// `true`, `false`, mtype constants, predefined names, `timeout`.
    Word(String),
    /// A variable.
    Place(Place),
    /// Prefix operator.
    Unary(&'static str, Box<Expr>),
    /// Infix operator.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`.
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Function-like operator (`len`, `full`, `enabled`, …).
    Call(&'static str, Box<Expr>),
    /// `q?[…]` or, if the flag is set, `q??[…]`.
    Poll(Place, bool, Vec<Arg>),
    /// `run name(args) priority n`.
    Run(String, Vec<Expr>, Option<i64>),
    /// `name[pid]@label`.
    RemoteLabel(String, Box<Expr>, String),
    /// `name[pid]:variable`.
    RemoteVar(String, Box<Expr>, String),
}

/// Temporal formulas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// A state predicate.
    Atom(Expr),
    /// `!`, `[]` or `<>`.
    Unary(&'static str, Box<Formula>),
    /// `U`, `W`, `V`, `&&`, `||` or `->`.
    Binary(&'static str, Box<Formula>, Box<Formula>),
}

/// Arguments of a receive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arg {
    /// A variable to store into.
    Store(Place),
    /// A constant to match.
    Match(Expr),
    /// `eval(e)`.
    Eval(Expr),
    /// `_`.
    Any,
}

/// A statement with its labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stmt {
    /// Labels in front.
    pub labels: Vec<String>,
    /// The statement.
    pub kind: Kind,
}

impl From<Kind> for Stmt {
    fn from(kind: Kind) -> Stmt {
        Stmt { labels: Vec::new(), kind }
    }
}

/// Statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Declaration in a body.
    Decl(Decl),
    /// `place = expr`.
    Assign(Place, Expr),
    /// `place++`.
    Inc(Place),
    /// `place--`.
    Dec(Place),
    /// A condition, or `run` as a statement.
    Expr(Expr),
    /// `skip`.
    Skip,
    /// `else` as first statement of an option.
    Else,
    /// `q!…`, or `q!!…` if the flag is set.
    Send(Place, bool, Vec<Expr>),
    /// `q?…` with flags for `??` and for `<…>`.
    Recv(Place, bool, bool, Vec<Arg>),
    /// `if … fi`.
    If(Vec<Vec<Stmt>>),
    /// `do … od`.
    Do(Vec<Vec<Stmt>>),
    /// `for (x : lo .. hi) { … }`.
    For(String, Expr, Expr, Vec<Stmt>),
    /// `for (x in array) { … }`.
    ForIn(String, String, Vec<Stmt>),
    /// `select (x : lo .. hi)`.
    Select(String, Expr, Expr),
    /// `atomic { … }`.
    Atomic(Vec<Stmt>),
    /// `d_step { … }`.
    DStep(Vec<Stmt>),
    /// `{ … }`.
    Block(Vec<Stmt>),
    /// `{ … } unless { … }`.
    Unless(Vec<Stmt>, Vec<Stmt>),
    /// `goto label`.
    Goto(String),
    /// `break`.
    Break,
    /// `assert(e)`.
    Assert(Expr),
    /// `printf("format", …)`.
    Print(String, Vec<Expr>),
    /// Call of an inline.
    Call(String, Vec<Expr>),
    /// `set_priority(p, n)`.
    SetPriority(Expr, Expr),
}

impl Kind {
    /// The statement lists directly inside.
    pub fn blocks_mut(&mut self) -> Vec<&mut Vec<Stmt>> {
        match self {
            Kind::If(options) | Kind::Do(options) => options.iter_mut().collect(),
            Kind::For(_, _, _, body)
            | Kind::ForIn(_, _, body)
            | Kind::Atomic(body)
            | Kind::DStep(body)
            | Kind::Block(body) => vec![body],
            Kind::Unless(body, escape) => vec![body, escape],
            _ => Vec::new(),
        }
    }
}
