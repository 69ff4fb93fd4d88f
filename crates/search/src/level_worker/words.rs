//! States that are words, expanded by moves from word to word: neither they nor their successors are put together. What comes of
//! it is taken as if it had been recalled.

use crate::frontier::{Chunk, Keep};
use crate::level_worker::{Level, Watch, Worker};
use spinor_store::Store;
use spinor_ts::TransitionSystem;

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
        if level.depth >= level.bound {
            return None;
        }
        let mut shortcut = self.shortcut.take()?;
        let mut done = None;
        if let Some(moves) = shortcut.moves(self.system, self.counts.expanded)
            && let Some(mut reminder) = self.reminder.take()
        {
            let whole = reminder.whole;
            let taken = self.recall_chunk(level, chunk, watch, &mut reminder, Some(moves));
            let whole = (reminder.whole - whole) as usize;
            self.reminder = Some(reminder);
            self.frontier.set_keep(Keep::Nothing);
            shortcut.judge(taken, whole, self.counts.expanded);
            if shortcut.may_sleep() && self.store.is_awake(&self.local) {
                shortcut.stay_awake();
            }
            let length = shortcut.layout.state.len() as u64;
            self.counts.state_bytes = self.counts.state_bytes.max(length);
            done = Some(taken);
        }
        self.shortcut = Some(shortcut);
        done
    }
}
