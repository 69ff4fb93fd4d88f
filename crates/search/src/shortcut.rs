//! Moves from word to word, as soon as there are any, and as long as they help.

use spinor_store::Store;
use spinor_ts::{TransitionSystem, WordCode, WordLayout, WordMoves};
use std::sync::Arc;

/// States of a search before which nobody asks for code: small models do not pay for it.
const PATIENCE: u64 = 300;
/// States after which it is looked at how many had to be expanded as a whole,
const WINDOW: u64 = 1 << 12;
/// one of so many at most,
const PART: u64 = 4;
/// and for how many states it rests otherwise, at first.
const PAUSE: u64 = 1 << 16;

/// What one thread knows of such moves.
pub(crate) struct Shortcut {
    pub(crate) layout: Arc<WordLayout>,
    moves: Option<Box<dyn WordMoves>>,
    /// There will be none.
    is_closed: bool,
    /// States since the last look, and how many of them were expanded as a whole.
    states: u64,
    whole: u64,
    resumes: u64,
    pause: u64,
}

impl Shortcut {
    /// If the store has words.
    pub(crate) fn new<S: Store>(store: &S) -> Option<Box<Self>> {
        let layout = Arc::clone(store.word_layout()?);
        Some(Box::new(Self {
            layout,
            moves: None,
            is_closed: false,
            states: 0,
            whole: 0,
            resumes: PATIENCE,
            pause: PAUSE,
        }))
    }

    /// The moves, if there are any for now. `expanded`: states so far.
    #[inline]
    pub(crate) fn moves(
        &mut self,
        system: &mut impl TransitionSystem,
        expanded: u64,
    ) -> Option<&mut dyn WordMoves> {
        if expanded < self.resumes || self.is_closed {
            return None;
        }
        if self.moves.is_none() {
            self.ask(system, expanded);
        }
        match &mut self.moves {
            Some(moves) => Some(&mut **moves),
            None => None,
        }
    }

    #[cold]
    fn ask(&mut self, system: &mut impl TransitionSystem, expanded: u64) {
        match system.word_moves(&self.layout) {
            WordCode::Never => self.is_closed = true,
            WordCode::Later => self.resumes = expanded + PATIENCE / 4,
            WordCode::Ready(moves) => self.moves = Some(moves),
        }
    }

    /// Some states were expanded, some of them as a whole. Looks now and then whether it helps. `expanded`: states so far.
    #[inline]
    pub(crate) fn judge(&mut self, states: usize, whole: usize, expanded: u64) {
        self.states += states as u64;
        self.whole += whole as u64;
        if self.states < WINDOW {
            return;
        }
        if PART * self.whole > self.states {
            self.resumes = expanded + self.pause;
            self.pause *= 4;
        }
        (self.states, self.whole) = (0, 0);
    }
}
