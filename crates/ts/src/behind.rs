//! Systems behind a pointer are systems: searches can be compiled for few types.

use crate::{
    CellsOf, Component, Expansion, Footprint, GroupMoves, OmegaSystem, Padded, Seats,
    TransitionSystem, Violation, WordCode, WordLayout,
};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

macro_rules! delegate {
    () => {
        fn initial(&mut self) -> Result<Vec<u8>, Violation> {
            (**self).initial()
        }

        fn hidden_bytes(&self) -> usize {
            (**self).hidden_bytes()
        }

        fn lies_outside(&self, state: &[u8]) -> bool {
            (**self).lies_outside(state)
        }

        fn leaves_out(&self) -> bool {
            (**self).leaves_out()
        }

        fn most_passed(&self) -> u32 {
            (**self).most_passed()
        }

        fn pass_cost(&mut self, state: &[u8], rank: usize) -> u32 {
            (**self).pass_cost(state, rank)
        }

        fn expand(&mut self, state: &[u8], out: &mut Expansion) {
            (**self).expand(state, out);
        }

        fn expand_padded(&mut self, state: Padded<'_>, out: &mut Expansion) {
            (**self).expand_padded(state, out);
        }

        fn expand_many(&mut self, states: &[Padded<'_>], out: &mut Expansion, ends: &mut Vec<u32>) {
            (**self).expand_many(states, out, ends);
        }

        fn groups(&mut self, state: &[u8], anchors: &mut Vec<usize>) -> bool {
            (**self).groups(state, anchors)
        }

        fn expand_group(
            &mut self,
            state: &[u8],
            group: usize,
            out: &mut Expansion,
            footprint: Option<&mut Footprint>,
        ) -> GroupMoves {
            (**self).expand_group(state, group, out, footprint)
        }

        fn ends_quietly(&self) -> bool {
            (**self).ends_quietly()
        }

        fn station(&mut self, state: &[u8], group: usize, bytes: &mut Vec<Range<usize>>) -> u32 {
            (**self).station(state, group, bytes)
        }

        fn enough_at(&mut self, seats: &Seats<'_>, peek: &dyn Fn(Range<usize>) -> u32) -> u64 {
            (**self).enough_at(seats, peek)
        }

        fn pass_cost_at(&mut self, station: u32) -> u32 {
            (**self).pass_cost_at(station)
        }

        fn cells(&mut self, sample: &[Vec<u8>]) -> Option<CellsOf> {
            (**self).cells(sample)
        }

        fn word_moves(&mut self, layout: &Arc<WordLayout>, patience: Duration) -> WordCode {
            (**self).word_moves(layout, patience)
        }
    };
}

impl<T: TransitionSystem + ?Sized> TransitionSystem for Box<T> {
    delegate!();
}

impl<T: TransitionSystem + ?Sized> TransitionSystem for &mut T {
    delegate!();
}

impl<T: OmegaSystem + ?Sized> OmegaSystem for Box<T> {
    fn acceptance_sets(&self) -> u32 {
        (**self).acceptance_sets()
    }

    fn is_state_based(&self) -> bool {
        (**self).is_state_based()
    }

    fn cycle_violation(&self) -> Violation {
        (**self).cycle_violation()
    }

    fn component(&self, state: &[u8]) -> Component {
        (**self).component(state)
    }
}
