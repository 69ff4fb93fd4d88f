//! What a search by components works with.

use crate::SearchConfig;
use crate::omega::live::Live;
use crate::omega::marks::Marks;
use crate::omega::refine::Refinement;
use crate::omega::roots::Roots;
use crate::omega::trail::Trail;
use spinor_ts::Expansion;

/// All that outlives the search from one state; nothing is on the way in between.
pub(super) struct Desk<K, M> {
    pub(super) trail: Trail<K, M>,
    pub(super) roots: Roots<M>,
    pub(super) live: Live,
    pub(super) refinement: Refinement<M>,
    /// The state at hand, with its hidden bytes, and its events.
    pub(super) state: Vec<u8>,
    pub(super) expansion: Expansion,
    /// Keys of the successors, by event; others are of no use.
    pub(super) keys: Vec<K>,
    /// Successors that were not known when the state at hand was entered.
    pub(super) unknown: Vec<u32>,
    /// Memory that others hold meanwhile.
    pub(super) others_bytes: u64,
}

impl<K: Copy, M: Marks> Desk<K, M> {
    /// An empty one; `keeps_bytes`: whether keys do not tell everything about a state.
    pub(super) fn new(keeps_bytes: bool, config: &SearchConfig) -> Self {
        Self {
            trail: Trail::new(keeps_bytes, config.stack_buffer_bytes),
            roots: Roots::default(),
            live: Live::default(),
            refinement: Refinement::default(),
            state: Vec::new(),
            expansion: Expansion::new(),
            keys: Vec::new(),
            unknown: Vec::new(),
            others_bytes: 0,
        }
    }

    pub(super) fn bytes_used(&self) -> u64 {
        self.trail.bytes_used()
            + self.roots.bytes_used()
            + self.live.bytes_used()
            + self.refinement.bytes_used()
            + self.expansion.bytes_used()
    }
}
