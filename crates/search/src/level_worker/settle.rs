//! Candidates whose level has come.

use crate::level_candidates::Candidates;
use crate::level_worker::{Watch, Worker};
use spinor_store::Store;
use spinor_ts::TransitionSystem;

/// Candidates looked up together.
const GROUP: usize = 32;

impl<T: TransitionSystem, S: Store> Worker<'_, '_, T, S> {
    /// Stores candidates whose level has come, until there are no more.
    pub(crate) fn settle(
        &mut self,
        mut lists: impl FnMut() -> Option<Candidates<S::Key>>,
        watch: &mut impl Watch,
    ) {
        while self.left_candidates.is_none()
            && let Some(mut list) = lists()
        {
            while list.next < list.len() && watch.goes_on() {
                let group = list.next..list.len().min(list.next + GROUP);
                group.clone().for_each(|index| self.store.prefetch(list.get(index).0));
                for index in group.clone() {
                    let (key, origin, state) = list.get(index);
                    self.arrive(key, state, origin);
                }
                list.next = group.end;
                self.publish();
            }
            if list.next < list.len() {
                self.left_candidates = Some(list);
            } else {
                self.freed_bytes += list.bytes_used();
            }
        }
        self.publish();
    }

    /// Counts candidates beyond the bound when all states within it are known.
    pub(crate) fn give_up(&mut self, lists: &[Candidates<S::Key>]) {
        for list in lists {
            for (key, _, state) in (list.next..list.len()).map(|index| list.get(index)) {
                self.counts.matched += 1;
                self.is_cut = self.is_cut || !self.is_known(key, state);
            }
        }
    }
}
