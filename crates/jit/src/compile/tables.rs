//! Data that generated code refers to by its address. It lives as long as the code.

use super::ready::Ready;
use spinor_program::Program;

/// Functions and facts by proctype. The functions are filled in when all code is there.
pub(super) struct Tables {
    pub accept: Box<[usize]>,
    pub enabled: Box<[usize]>,
    pub provided: Box<[usize]>,
    /// Which bits of the four bytes at the start of a frame are the location.
    pub location_masks: Box<[u32]>,
    pub priority_offsets: Box<[u32]>,
    /// Per location: whether it is a progress state. Empty unless `np_` is used.
    progress: Vec<Box<[u8]>>,
    pub progress_of: Box<[usize]>,
    /// The watchers of sends and receives, and who may move.
    pub watch_send: Box<[usize; 1]>,
    pub watch_receive: Box<[usize; 1]>,
    pub may_move: Box<[usize; 1]>,
    /// Who waits for a rendezvous.
    pub ready: Ready,
    /// By location: the part of a large function that deals with it.
    pub parts: Vec<Box<[usize]>>,
}

impl Tables {
    pub fn new(program: &Program) -> Self {
        let types = &program.proctypes;
        let none = || vec![0usize; types.len()].into_boxed_slice();
        let progress: Vec<Box<[u8]>> = types
            .iter()
            .map(|p| p.automaton.locations.iter().map(|l| u8::from(l.is_progress)).collect())
            .collect();
        Tables {
            accept: none(),
            enabled: none(),
            provided: none(),
            location_masks: types
                .iter()
                .map(|p| u32::MAX >> (32 - 8 * p.location_bytes.clamp(1, 4)))
                .collect(),
            priority_offsets: types.iter().map(|p| p.priority_offset).collect(),
            progress_of: progress.iter().map(|p| p.as_ptr() as usize).collect(),
            progress,
            watch_send: Box::new([0]),
            watch_receive: Box::new([0]),
            may_move: Box::new([0]),
            ready: Ready::new(program),
            parts: Vec::new(),
        }
    }

    /// Whether there is a progress state at all.
    pub fn has_progress(&self) -> bool {
        self.progress.iter().any(|p| p.contains(&1))
    }
}
