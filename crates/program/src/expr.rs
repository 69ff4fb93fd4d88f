//! Expressions over the state vector: names are gone, offsets are known.

pub use spinor_sema::hir::{BinaryOp, CodeId, Predefined, Probe, ProctypeId, UnaryOp};

use crate::{LocId, Scalar};

/// A side-effect free expression ([`Expr::Run`] aside). Values are 32-bit integers.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// Constant.
    Const(i32),
    /// Value of a variable.
    Load(Place),
    /// `_pid`, `timeout`, …
    Predefined(Predefined),
    /// Unary operator.
    Unary(UnaryOp, Box<Expr>),
    /// Binary operator; `&&` and `||` do not evaluate their right side in vain.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Starts a process; the value is its pid.
    Run(Box<Run>),
    /// `len(q)`.
    Len(Place),
    /// `empty(q)` and its like.
    Probe(Probe, Place),
    /// `q?[…]`, `q??[…]`.
    Poll(Box<Poll>),
    /// `enabled(p)`.
    Enabled(Box<Expr>),
    /// `pc_value(p)`.
    PcValue(Box<Expr>),
    /// `get_priority(p)`.
    GetPriority(Box<Expr>),
    /// `P[p]@L`.
    RemoteLabel {
        /// The proctype named.
        proctype: ProctypeId,
        /// Which instance; `None`: the first of that type.
        pid: Option<Box<Expr>>,
        /// Where it should be.
        location: LocId,
    },
    /// `P[p]:x`.
    RemoteVar {
        /// The proctype named.
        proctype: ProctypeId,
        /// Which instance; `None`: the first of that type.
        pid: Option<Box<Expr>>,
        /// Based in the frame of that process.
        place: Place,
    },
    /// `c_expr`: the value that C code gives.
    CExpr(CodeId),
}

/// `run P(…)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Which.
    pub proctype: ProctypeId,
    /// Values of the flattened parameters.
    pub args: Vec<Expr>,
    /// `priority`.
    pub priority: Option<Expr>,
}

/// A test of a channel's content.
#[derive(Clone, Debug, PartialEq)]
pub struct Poll {
    /// The channel.
    pub channel: Place,
    /// `??`.
    pub random: bool,
    /// Per field: the value to match, or anything.
    pub pattern: Vec<Option<Expr>>,
}

/// A scalar somewhere in the state vector.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// What the offset counts from.
    pub base: Base,
    /// Offset with all indices zero.
    pub offset: u32,
    /// Run-time indices.
    pub indices: Vec<Index>,
    /// Representation.
    pub scalar: Scalar,
}

/// What offsets count from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// Start of the globals.
    Global,
    /// Start of the frame of the process at hand.
    Frame,
    /// Start of the hidden variables.
    Hidden,
    /// `_`: nothing is kept.
    Sink,
}

/// One run-time index of a [`Place`].
#[derive(Clone, Debug, PartialEq)]
pub struct Index {
    /// The index.
    pub value: Expr,
    /// Number of elements: `value` must be less.
    pub bound: u32,
    /// Bytes from one element to the next.
    pub stride: u32,
}

impl Expr {
    /// Whether an operator makes the value 0 or 1.
    #[must_use]
    pub fn is_truth(&self) -> bool {
        match self {
            Expr::Unary(op, _) => *op == UnaryOp::Not,
            Expr::Binary(op, ..) => op.is_truth(),
            _ => false,
        }
    }

    /// Calls `f` on this expression and all its parts.
    pub fn walk(&self, f: &mut impl FnMut(&Expr)) {
        f(self);
        match self {
            Expr::Const(_) | Expr::Predefined(_) | Expr::CExpr(_) => {}
            Expr::Load(place) | Expr::Len(place) | Expr::Probe(_, place) => place.walk(f),
            Expr::Unary(_, e) | Expr::Enabled(e) | Expr::PcValue(e) | Expr::GetPriority(e) => {
                e.walk(f);
            }
            Expr::Binary(_, a, b) => {
                a.walk(f);
                b.walk(f);
            }
            Expr::Conditional(c, a, b) => {
                c.walk(f);
                a.walk(f);
                b.walk(f);
            }
            Expr::Run(run) => {
                run.args.iter().chain(&run.priority).for_each(|e| e.walk(f));
            }
            Expr::Poll(poll) => {
                poll.channel.walk(f);
                poll.pattern.iter().flatten().for_each(|e| e.walk(f));
            }
            Expr::RemoteLabel { pid, .. } => {
                if let Some(pid) = pid {
                    pid.walk(f);
                }
            }
            Expr::RemoteVar { pid, place, .. } => {
                if let Some(pid) = pid {
                    pid.walk(f);
                }
                place.walk(f);
            }
        }
    }
}

impl Place {
    /// Calls `f` on all expressions in the place.
    pub fn walk(&self, f: &mut impl FnMut(&Expr)) {
        self.indices.iter().for_each(|i| i.value.walk(f));
    }
}
