//! Simulations in SPIN's words: at random, by choice, along a trail.

mod depths;
mod dump;
mod ears;
mod finale;
mod free;
mod guided;
mod message;
mod narrator;
mod processes;
mod queues;
mod talk;
mod values;
mod verifier;

pub(crate) use free::free;
pub(crate) use guided::{guided, replay_of_pan};
