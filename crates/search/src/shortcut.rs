//! Moves from word to word, as soon as there are any, and as long as they help.

use spinor_store::Store;
use spinor_ts::{TransitionSystem, WordCode, WordLayout, WordMoves};
use std::sync::Arc;
use std::time::Duration;

/// States of a search before which nobody asks for code: small models do not pay for it.
const PATIENCE: u64 = 300;
/// States to expand while code is being made. Then the search had better wait for it: what it does without takes twenty times as long.
const WITHOUT: u64 = 300;
/// It does not wait longer than that.
const MOST_WAIT: Duration = Duration::from_millis(30);
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
    /// The same layout for moves of which nobody wants to know what they look at, while these are being waited for.
    awake: Option<Arc<WordLayout>>,
    /// There will be none.
    is_closed: bool,
    /// States since the last look, and how many of them were expanded as a whole.
    states: u64,
    whole: u64,
    resumes: u64,
    pause: u64,
    /// It will not wait again.
    has_waited: bool,
}

impl Shortcut {
    /// If the store has words.
    pub(crate) fn new<S: Store>(store: &S) -> Option<Box<Self>> {
        let layout = Arc::clone(store.word_layout()?);
        Some(Box::new(Self {
            layout,
            moves: None,
            awake: None,
            is_closed: false,
            states: 0,
            whole: 0,
            resumes: PATIENCE,
            pause: PAUSE,
            has_waited: false,
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
        if self.moves.is_none() || self.awake.is_some() {
            self.ask(system, expanded);
        }
        match &mut self.moves {
            Some(moves) => Some(&mut **moves),
            None => None,
        }
    }

    #[cold]
    fn ask(&mut self, system: &mut impl TransitionSystem, expanded: u64) {
        if let Some(layout) = self.awake.take() {
            match system.word_moves(&layout, Duration::ZERO) {
                WordCode::Later => {
                    self.awake = Some(layout);
                    return;
                }
                // Those that there are will do.
                WordCode::Never => {}
                WordCode::Ready(moves) => self.moves = Some(moves),
            }
            self.layout = layout;
            return;
        }
        let waits = !self.has_waited && expanded >= PATIENCE + WITHOUT;
        self.has_waited |= waits;
        let patience = if waits { MOST_WAIT } else { Duration::ZERO };
        match system.word_moves(&self.layout, patience) {
            WordCode::Never => self.is_closed = true,
            WordCode::Later => self.resumes = expanded + PATIENCE / 4,
            WordCode::Ready(moves) => self.moves = Some(moves),
        }
    }

    /// Whether the moves tell who may sleep after them, and nothing else is being waited for.
    pub(crate) fn may_sleep(&self) -> bool {
        self.layout.good_for.may_sleep && self.awake.is_none() && !self.is_closed
    }

    /// Nobody has to sleep any more: asks for moves that are made faster.
    #[cold]
    pub(crate) fn stay_awake(&mut self) {
        let mut layout = WordLayout::clone(&self.layout);
        layout.good_for.may_sleep = false;
        self.awake = Some(Arc::new(layout));
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
