//! What is in scope while a model is being built.

use super::tree::Ty;

/// One part of a path to a variable.
#[derive(Clone, Debug)]
pub(super) struct Seg {
    pub(super) name: String,
    pub(super) len: Option<u32>,
}

/// What a variable or message field holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// A number in `0..=hi`.
    Num { hi: i64 },
    /// Any number; never used as index or fed back, so that the space stays finite.
    Wild,
    /// A constant of an `mtype` subtype.
    Mtype(Option<String>),
    /// A channel of this signature.
    Chan(usize),
    /// A whole record of this typedef.
    Record(String),
}

/// A variable in scope.
#[derive(Clone, Debug)]
pub(super) struct Var {
    pub(super) path: Vec<Seg>,
    pub(super) sort: Sort,
    /// May be assigned by ordinary statements (loop counters may not).
    pub(super) writable: bool,
    /// May be read (hidden variables may not: the order of search would show).
    pub(super) readable: bool,
    pub(super) global: bool,
    /// Storing cuts a value to `0..=hi` by itself.
    pub(super) cuts: bool,
    /// A channel that dies with its process.
    pub(super) mortal: bool,
}

impl Var {
    pub(super) fn new(name: &str, len: Option<u32>, sort: Sort) -> Var {
        Var {
            path: vec![Seg { name: name.to_owned(), len }],
            sort,
            writable: true,
            readable: true,
            global: false,
            cuts: false,
            mortal: false,
        }
    }

    /// The largest value, for numbers.
    pub(super) fn hi(&self) -> Option<i64> {
        match self.sort {
            Sort::Num { hi } => Some(hi),
            _ => None,
        }
    }

    /// The name if the variable is a plain scalar.
    pub(super) fn scalar_name(&self) -> Option<&str> {
        match self.path.as_slice() {
            [seg] if seg.len.is_none() => Some(&seg.name),
            _ => None,
        }
    }
}

/// The type of a channel.
#[derive(Clone, Debug)]
pub(super) struct Sig {
    pub(super) capacity: u32,
    pub(super) fields: Vec<(Ty, Sort)>,
}

/// A field of a record type, with what it holds.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) len: Option<u32>,
    pub(super) sort: Sort,
    pub(super) cuts: bool,
}

/// A record type; `flat` ones may be sent and passed.
#[derive(Clone, Debug)]
pub(super) struct RecordInfo {
    pub(super) name: String,
    pub(super) fields: Vec<Field>,
    pub(super) flat: bool,
    pub(super) has_channel: bool,
}

/// A finished proctype.
#[derive(Clone, Debug)]
pub(super) struct ProcInfo {
    pub(super) name: String,
    pub(super) params: Vec<Sort>,
    /// Labels on statements that other processes may refer to.
    pub(super) labels: Vec<String>,
    /// Numeric scalar locals declared at the top, with their bound.
    pub(super) locals: Vec<(String, i64)>,
    /// Pids of the active instances.
    pub(super) pids: std::ops::Range<i64>,
}

/// A finished inline: `true` parameters are assigned to.
#[derive(Clone, Debug)]
pub(super) struct InlineInfo {
    pub(super) name: String,
    pub(super) params: Vec<(bool, i64)>,
    /// Never blocks and contains nothing forbidden in a `d_step`.
    pub(super) steady: bool,
}

/// A label in the current body.
#[derive(Clone, Debug)]
pub(super) struct LabelInfo {
    pub(super) name: String,
    /// Inside an atomic: jumped to only from outside, so no atomic cycle arises.
    pub(super) in_atomic: bool,
}

/// How strictly statements are grouped where code is being generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Zone {
    Plain,
    Atomic,
    DStep,
}

/// Where code is being generated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ctx {
    pub(super) zone: Zone,
    /// `break` is allowed.
    pub(super) in_loop: bool,
    /// Levels of nesting left.
    pub(super) depth: usize,
    /// Inside an inline definition: no labels, no jumps, no run.
    pub(super) in_inline: bool,
}
