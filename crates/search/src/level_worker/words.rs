//! States that are words, expanded by moves from word to word: neither they nor their successors are put together. What comes of
//! it is taken as if it had been recalled.

use super::recall::Batch;
use crate::frontier::{Chunk, Keep};
use crate::level_worker::{Level, Watch, Worker};
use spinor_store::Store;
use spinor_ts::{TransitionSystem, WordCode, WordLayout, WordMoves};
use std::sync::Arc;

/// States of a search before which nobody asks for code: small models do not pay for it.
const PATIENCE: u64 = 500;
/// States after which it is looked at how many had to be expanded as a whole,
const WINDOW: u64 = 1 << 12;
/// one of so many at most,
const PART: u64 = 4;
/// and for how many states it rests otherwise, at first.
const PAUSE: u64 = 1 << 16;

/// What one thread needs for it.
pub(crate) struct Shortcut {
    layout: Arc<WordLayout>,
    moves: Option<Box<dyn WordMoves>>,
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
            states: 0,
            whole: 0,
            resumes: PATIENCE,
            pause: PAUSE,
        }))
    }

    /// Makes the keys of the successors of a batch, which are these states.
    pub(super) fn fill<S: Store>(
        &mut self,
        store: &S,
        local: &mut S::Local,
        refs: &[S::Ref],
        batch: &mut Batch<S::Key>,
    ) {
        let Some(moves) = &mut self.moves else { return };
        let Batch { recall, whole, first, .. } = batch;
        store.expand_words(local, refs, &mut **moves, recall, whole);
        self.states += refs.len() as u64;
        self.whole += whole.len() as u64;
        whole.iter_mut().for_each(|place| *place += *first);
    }

    /// Looks now and then whether it helps. `expanded`: states so far.
    fn judge(&mut self, expanded: u64) {
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

impl<T: TransitionSystem, S: Store> Worker<'_, '_, T, S> {
    /// Expands the states of a chunk that are left. Says how many states these are, not all if the
    /// work is to be left; `None` if there are no moves from word to word.
    #[inline]
    pub(crate) fn expand_shortcut(
        &mut self,
        level: Level,
        chunk: &Chunk<S::Ref>,
        watch: &mut impl Watch,
    ) -> Option<usize> {
        let expanded = self.counts.expanded;
        if level.depth >= level.bound {
            return None;
        }
        let mut shortcut = self.shortcut.take_if(|shortcut| shortcut.resumes <= expanded)?;
        if shortcut.moves.is_none() {
            match self.system.word_moves(&shortcut.layout) {
                WordCode::Never => return None,
                WordCode::Later => {
                    self.shortcut = Some(shortcut);
                    return None;
                }
                WordCode::Ready(moves) => shortcut.moves = Some(moves),
            }
        }
        let length = shortcut.layout.state.len() as u64;
        self.counts.state_bytes = self.counts.state_bytes.max(length);
        let mut done = None;
        if let Some(mut reminder) = self.reminder.take() {
            let taken = self.recall_chunk(level, chunk, watch, &mut reminder, Some(&mut shortcut));
            self.reminder = Some(reminder);
            self.frontier.set_keep(Keep::Nothing);
            done = Some(taken);
        }
        shortcut.judge(self.counts.expanded);
        self.shortcut = Some(shortcut);
        done
    }
}
