//! What the source says of variables beyond what statements do with them.
//! Executors need none of it, analyses do.

use crate::Expr;
use crate::expr::ProctypeId;

/// Facts about the variables of a program.
#[derive(Clone, Debug, Default)]
pub struct Usage {
    /// Global scalars and arrays of a basic type that nothing in the model reads.
    /// `printf`, `printm`, `x++` and `x--` do not count as reading, as in SPIN.
    pub unread: Vec<Slot>,
    /// Globals that were promised to be `local` to one process, and are.
    pub owned: Vec<Slot>,
    /// Channels promised to one sender or receiver.
    pub exclusive: Vec<Exclusive>,
    /// The propositions of the `ltl` blocks.
    pub propositions: Vec<Expr>,
}

/// The bytes of a variable among the globals or in a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Where it starts.
    pub offset: u32,
    /// Its length.
    pub bytes: u32,
}

/// `xr` or `xs` on a channel variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exclusive {
    /// The proctype whose local it is; `None`: a global.
    pub owner: Option<ProctypeId>,
    /// The variable.
    pub slot: Slot,
    /// `xs`.
    pub send: bool,
}

impl Slot {
    /// Whether the byte at `offset` belongs to it.
    #[must_use]
    pub fn contains(self, offset: u32) -> bool {
        (self.offset..self.offset + self.bytes).contains(&offset)
    }
}
