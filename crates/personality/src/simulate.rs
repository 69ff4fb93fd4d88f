//! Simulations in SPIN's words: at random, by choice, along a trail.

mod free;
mod guided;
mod message;
mod narrator;
mod queues;
mod values;

pub(crate) use free::free;
pub(crate) use guided::{guided, replay_of_pan};
