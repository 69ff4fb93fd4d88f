//! Systems of any make behind one type: searches are compiled for few types of systems.

use crate::engine::Driven;
use spinor_jit::Tiered;
use spinor_ts::{
    CellsOf, Component, Expansion, Footprint, GroupMoves, OmegaSystem, Padded, Seats,
    TransitionSystem, Violation, WordCode, WordLayout,
};
use std::ops::Range;
use std::sync::Arc;

/// A system with an engine inside.
pub(crate) struct Boxed(Box<dyn DrivenSystem + Send>);

trait DrivenSystem: TransitionSystem + Driven {}

impl<T: TransitionSystem + Driven> DrivenSystem for T {}

impl Boxed {
    pub(crate) fn new(system: impl TransitionSystem + Driven + Send + 'static) -> Self {
        Self(Box::new(system))
    }
}

impl Driven for Boxed {
    fn engine(&self) -> &Tiered {
        self.0.engine()
    }
}

/// A system with an engine inside whose infinite runs are judged.
pub(crate) struct BoxedOmega(Box<dyn DrivenOmega + Send>);

trait DrivenOmega: OmegaSystem + Driven {}

impl<T: OmegaSystem + Driven> DrivenOmega for T {}

impl BoxedOmega {
    pub(crate) fn new(system: impl OmegaSystem + Driven + Send + 'static) -> Self {
        Self(Box::new(system))
    }
}

impl Driven for BoxedOmega {
    fn engine(&self) -> &Tiered {
        self.0.engine()
    }
}

impl OmegaSystem for BoxedOmega {
    fn acceptance_sets(&self) -> u32 {
        self.0.acceptance_sets()
    }

    fn is_state_based(&self) -> bool {
        self.0.is_state_based()
    }

    fn cycle_violation(&self) -> Violation {
        self.0.cycle_violation()
    }

    fn component(&self, state: &[u8]) -> Component {
        self.0.component(state)
    }
}

macro_rules! delegate {
    ($boxed:ty) => {
        impl TransitionSystem for $boxed {
            fn initial(&mut self) -> Result<Vec<u8>, Violation> {
                self.0.initial()
            }

            fn hidden_bytes(&self) -> usize {
                self.0.hidden_bytes()
            }

            fn lies_outside(&self, state: &[u8]) -> bool {
                self.0.lies_outside(state)
            }

            fn leaves_out(&self) -> bool {
                self.0.leaves_out()
            }

            fn most_passed(&self) -> u32 {
                self.0.most_passed()
            }

            fn pass_cost(&mut self, state: &[u8], rank: usize) -> u32 {
                self.0.pass_cost(state, rank)
            }

            fn expand(&mut self, state: &[u8], out: &mut Expansion) {
                self.0.expand(state, out);
            }

            fn expand_padded(&mut self, state: Padded<'_>, out: &mut Expansion) {
                self.0.expand_padded(state, out);
            }

            fn expand_many(
                &mut self,
                states: &[Padded<'_>],
                out: &mut Expansion,
                ends: &mut Vec<u32>,
            ) {
                self.0.expand_many(states, out, ends);
            }

            fn groups(&mut self, state: &[u8], anchors: &mut Vec<usize>) -> bool {
                self.0.groups(state, anchors)
            }

            fn expand_group(
                &mut self,
                state: &[u8],
                group: usize,
                out: &mut Expansion,
                footprint: Option<&mut Footprint>,
            ) -> GroupMoves {
                self.0.expand_group(state, group, out, footprint)
            }

            fn ends_quietly(&self) -> bool {
                self.0.ends_quietly()
            }

            fn station(
                &mut self,
                state: &[u8],
                group: usize,
                bytes: &mut Vec<Range<usize>>,
            ) -> u32 {
                self.0.station(state, group, bytes)
            }

            fn enough_at(&mut self, seats: &Seats<'_>, peek: &dyn Fn(Range<usize>) -> u32) -> u64 {
                self.0.enough_at(seats, peek)
            }

            fn pass_cost_at(&mut self, station: u32) -> u32 {
                self.0.pass_cost_at(station)
            }

            fn cells(&mut self, sample: &[Vec<u8>]) -> Option<CellsOf> {
                self.0.cells(sample)
            }

            fn word_moves(&mut self, layout: &Arc<WordLayout>) -> WordCode {
                self.0.word_moves(layout)
            }
        }
    };
}

delegate!(Boxed);
delegate!(BoxedOmega);
