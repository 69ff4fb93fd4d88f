//! The command as scripts and people use it.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod check;
mod directed;
mod embedded;
mod graph;
mod input;
mod limits;
mod ltl;
mod passes;
mod reduction;
mod replay;
mod scouts;
mod simulate;
mod snapshots;
mod spin;
mod spin_trails;
mod stores;
mod support;
mod swarm;
mod trail;
mod words;
