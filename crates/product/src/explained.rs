//! Where the events of a product come from.

use crate::{Marked, Product};
use spinor_exec::Exec;
use spinor_ts::TransitionSystem;

/// Where an event of a product comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// From an event of the system.
    System(u32),
    /// The system has come to rest and repeats its state.
    Stutter,
    /// The claim alone.
    Claim,
}

/// A system that can tell what its events are in terms of the program.
pub trait Explained: TransitionSystem {
    /// Where event `event` of a state comes from; `None` if there is no such event.
    fn origin(&mut self, state: &[u8], event: u32) -> Option<Origin>;

    /// The part of a state that is the system's.
    fn system_state(&self, state: &[u8]) -> Vec<u8>;
}

impl Explained for Exec {
    fn origin(&mut self, _state: &[u8], event: u32) -> Option<Origin> {
        Some(Origin::System(event))
    }

    fn system_state(&self, state: &[u8]) -> Vec<u8> {
        state.to_vec()
    }
}

impl<T: TransitionSystem> Explained for Product<T> {
    fn origin(&mut self, state: &[u8], event: u32) -> Option<Origin> {
        self.origins(state).get(event as usize).copied()
    }

    fn system_state(&self, state: &[u8]) -> Vec<u8> {
        Product::system_state(self, state)
    }
}

impl<T: TransitionSystem> Explained for Marked<T> {
    fn origin(&mut self, state: &[u8], event: u32) -> Option<Origin> {
        let (all, of_system) = self.count_events(state);
        match event as usize {
            number if number < of_system => Some(Origin::System(event)),
            number => (number < all).then_some(Origin::Stutter),
        }
    }

    fn system_state(&self, state: &[u8]) -> Vec<u8> {
        state.to_vec()
    }
}
