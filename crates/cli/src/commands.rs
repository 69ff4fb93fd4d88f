//! One module per command.

pub(crate) mod check;
pub(crate) mod graph;
pub(crate) mod ltl;
pub(crate) mod replay;
