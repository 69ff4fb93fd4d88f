//! One module per command.

pub(crate) mod check;
pub(crate) mod graph;
pub(crate) mod ltl;
pub(crate) mod replay;
pub(crate) mod simulate;
pub(crate) mod spin;
pub(crate) mod trail;
