//! States whose successors the store knows from moves of others: neither they nor their successors
//! are put together.

use super::chosen::Ways;
use crate::frontier::{Chunk, Keep};
use crate::learning::moves_of_group;
use crate::level_worker::{LARGE, Level, Place, Watch, Worker};
use crate::lineage::Origin;
use crate::worth::Worth;
use spinor_store::{Arrival, Recall, Recalled, Store};
use spinor_ts::{Depth, Expansion, Footprint, TransitionSystem, WordMoves};
use std::ops::Range;

/// States taken at a time.
const BATCH: usize = 16;
/// The same if moves lead from word to word.
const WORDS: usize = 32;

/// Some states in a row and what is known of their successors.
pub(super) struct Batch<K> {
    pub(super) recall: Recall<K>,
    /// Where the first of them is in its chunk.
    pub(super) first: usize,
    count: usize,
    /// Those that are to be expanded as a whole.
    pub(super) whole: Vec<usize>,
}

impl<K> Batch<K> {
    pub(super) fn new() -> Self {
        Self { recall: Recall::default(), first: 0, count: 0, whole: Vec::new() }
    }

    pub(super) fn begin(&mut self, first: usize, count: usize) {
        self.recall.clear();
        self.whole.clear();
        (self.first, self.count) = (first, count);
    }

    /// The place of the state at hand in its chunk.
    fn at(&self) -> usize {
        self.first + self.recall.ends.len()
    }

    /// The state at hand is to be expanded as a whole.
    fn leave_whole(&mut self) {
        self.whole.push(self.at());
        self.recall.skip_state();
    }
}

/// What it takes to make moves that are not known.
#[derive(Default)]
pub(super) struct Tools {
    pub(super) expansion: Expansion,
    pub(super) footprint: Footprint,
    pub(super) anchors: Vec<usize>,
    /// Bytes that say where a group stands.
    pub(super) bytes: Vec<Range<usize>>,
    /// Groups of moves that were made lately.
    pub(super) unknown: u64,
}

/// What one thread needs for it, and whether it helps.
pub(crate) struct Reminder<S: Store> {
    /// The batch at hand, and the one before, whose successors are on their way to the cache.
    now: Box<Batch<S::Key>>,
    late: Box<Batch<S::Key>>,
    new: Vec<(u32, S::Ref)>,
    /// Successors where some may be enough.
    pub(super) ways: Ways<S>,
    pub(super) tools: Tools,
    /// Groups of moves that were known lately.
    pub(super) known: u64,
    /// States that had to be expanded as a whole.
    pub(super) whole: u64,
    pub(super) worth: Worth,
}

impl<S: Store> Reminder<S> {
    pub(crate) fn new(is_on: bool) -> Self {
        Self {
            now: Box::new(Batch::new()),
            late: Box::new(Batch::new()),
            new: Vec::new(),
            ways: Ways::new(),
            tools: Tools::default(),
            known: 0,
            whole: 0,
            worth: Worth::new(is_on && S::RECALLS),
        }
    }

    /// Looks now and then whether it helps, after some more states. `expanded`: states so far.
    fn judge(&mut self, states: u64, expanded: u64) {
        let Self { worth, known, tools, .. } = self;
        if worth.is_due(states) {
            worth.judge(std::mem::take(known), std::mem::take(&mut tools.unknown), expanded);
        }
    }
}

impl<T: TransitionSystem, S: Store> Worker<'_, '_, T, S> {
    /// Expands the states of a chunk that are left. Says how many states these are, not all if the
    /// work is to be left; `None` if it does not help.
    #[inline]
    pub(crate) fn expand_recalled(
        &mut self,
        level: Level,
        chunk: &Chunk<S::Ref>,
        watch: &mut impl Watch,
    ) -> Option<usize> {
        let expanded = self.counts.expanded;
        let is_on = |reminder: &mut Box<Reminder<S>>| reminder.worth.is_on(expanded);
        if !S::RECALLS || level.depth >= level.bound {
            return None;
        }
        let mut reminder = self.reminder.take_if(is_on)?;
        let done = if self.leaves_out {
            self.choose_chunk(level, chunk, watch, &mut reminder)
        } else {
            self.recall_chunk(level, chunk, watch, &mut reminder, None)
        };
        reminder.judge(done as u64, self.counts.expanded);
        let keep = if reminder.worth.is_on { Keep::Nothing } else { Keep::for_frontier::<S>(0) };
        self.frontier.set_keep(keep);
        self.reminder = Some(reminder);
        Some(done)
    }

    /// Expands the states of a chunk that are left by what is known of their moves, or by moves from word to word.
    pub(super) fn recall_chunk(
        &mut self,
        level: Level,
        chunk: &Chunk<S::Ref>,
        watch: &mut impl Watch,
        reminder: &mut Reminder<S>,
        mut moves: Option<&mut dyn WordMoves>,
    ) -> usize {
        let size = if moves.is_some() { WORDS } else { BATCH };
        let refs = chunk.refs();
        let mut next = chunk.next;
        reminder.late.begin(next, 0);
        let takes_ends = self.system.ends_quietly();
        reminder.now.recall.takes_ends = takes_ends;
        reminder.late.recall.takes_ends = takes_ends;
        if moves.is_none() {
            self.store.look_ahead(&mut self.local, &refs[next..refs.len().min(next + size)]);
        }
        while next < refs.len() {
            let mut count = 0;
            while count < size.min(refs.len() - next) && watch.goes_on() {
                count += 1;
            }
            reminder.now.begin(next, count);
            reminder.now.recall.sleeping.extend_from_slice(chunk.sleeping(next, count));
            next += count;
            let Reminder { now, tools, .. } = reminder;
            let states = &refs[now.first..][..now.count];
            match &mut moves {
                Some(moves) => self.follow_words(states, now, &mut **moves),
                None => self.recall_batch(states, now, tools),
            }
            #[cfg(debug_assertions)]
            self.verify(chunk, &reminder.now);
            // While the batch before is inserted, the next one is on its way.
            if moves.is_none() {
                self.store.look_ahead(&mut self.local, &refs[next..refs.len().min(next + size)]);
            }
            self.take_late(level, chunk, reminder);
            std::mem::swap(&mut reminder.now, &mut reminder.late);
            if count == 0 {
                break;
            }
        }
        self.take_late(level, chunk, reminder);
        next - chunk.next
    }

    /// Makes the keys of the successors of a batch, which are these states, by moves from word to word.
    fn follow_words(
        &mut self,
        refs: &[S::Ref],
        batch: &mut Batch<S::Key>,
        moves: &mut dyn WordMoves,
    ) {
        let Batch { recall, whole, first, .. } = batch;
        self.store.expand_words(&mut self.local, refs, moves, recall, whole);
        whole.iter_mut().for_each(|place| *place += *first);
    }

    /// Makes the keys of the successors of a batch, which are these states.
    fn recall_batch(&mut self, refs: &[S::Ref], batch: &mut Batch<S::Key>, tools: &mut Tools) {
        let Tools { anchors, expansion, footprint, unknown, .. } = tools;
        loop {
            let wanted = self.store.recall(&mut self.local, refs, &mut batch.recall);
            if wanted == Recalled::All {
                break;
            }
            if wanted == Recalled::Whole {
                batch.leave_whole();
                continue;
            }
            let state_ref = refs[batch.recall.ends.len()];
            self.store.load(&mut self.local, state_ref, &mut self.state);
            let Recalled::Group { group, is_anchored } = wanted else {
                let length = self.state.len() as u64;
                self.counts.state_bytes = self.counts.state_bytes.max(length);
                let has_groups = self.system.groups(&self.state, anchors);
                let anchors = has_groups.then_some(&**anchors);
                self.store.set_groups(&mut self.local, state_ref, anchors);
                continue;
            };
            *unknown += 1;
            let (system, state) = (&mut *self.system, &self.state);
            let made = moves_of_group(system, state, group, is_anchored, expansion, footprint);
            let Some(dependence) = made else {
                batch.leave_whole();
                continue;
            };
            self.store.remember(&mut self.local, expansion, dependence, &mut batch.recall);
        }
    }

    /// Expands the states of a batch as a whole and compares.
    #[cfg(debug_assertions)]
    fn verify(&mut self, chunk: &Chunk<S::Ref>, batch: &Batch<S::Key>) {
        let mut place = Place::<S::Key>::new();
        let mut begin = 0;
        for (index, end) in (batch.first..).zip(batch.recall.ends.iter().map(|end| *end as usize)) {
            if !batch.whole.contains(&index) {
                chunk.load(index, self.store, &mut self.local, 0, &mut self.state);
                self.system.expand(&self.state, &mut place.expansion);
                place.keys.clear();
                self.store.keys(&mut self.local, &place.expansion, 0, &mut place.keys);
                let recall = &batch.recall;
                let recalled = recall.all[begin..end].iter().map(|k| S::identity(*k));
                let expanded = place.keys.iter().map(|k| S::identity(*k));
                assert!(recalled.eq(expanded), "other successors were recalled than there are");
            }
            begin = end;
        }
    }

    /// Takes the successors of the late batch, and expands the states that have to be as a whole.
    fn take_late(&mut self, level: Level, chunk: &Chunk<S::Ref>, reminder: &mut Reminder<S>) {
        self.take_all(chunk, reminder);
        let Batch { recall, count, whole, .. } = &mut *reminder.late;
        let counts = &mut self.counts;
        counts.expanded += (*count - whole.len()) as u64;
        counts.atomic_steps += recall.atomic_steps;
        let deepest = level.depth + Depth::from(recall.deepest);
        counts.depth_reached = counts.depth_reached.max(deepest.min(level.bound));
        reminder.known += recall.probes;
        // As bad as if nothing of them had been known.
        reminder.tools.unknown += 4 * whole.len() as u64;
        reminder.whole += whole.len() as u64;
        for index in std::mem::take(whole) {
            self.expand_whole(level, chunk, index);
        }
        reminder.late.begin(0, 0);
    }

    /// Takes all successors.
    fn take_all(&mut self, chunk: &Chunk<S::Ref>, reminder: &mut Reminder<S>) {
        let Reminder { late, new, tools, .. } = reminder;
        let Batch { recall, first, .. } = &**late;
        new.clear();
        self.store.insert_all(&mut self.local, &recall.keys, &tools.expansion, 0, new);
        self.counts.stored += new.len() as u64;
        self.counts.matched += u64::from(recall.successors()) - new.len() as u64;
        let parent = chunk.first + *first as u64;
        let arrivals = new.iter().map(|(at, _)| recall.arrivals[*at as usize]);
        let origin = |arrival: Arrival| Origin {
            parent: parent + u64::from(arrival.state()),
            event: arrival.event(),
        };
        let asleep =
            |(at, state_ref): &(u32, S::Ref)| (*state_ref, recall.arrivals[*at as usize].sleep);
        if let Some(position) = self.lineage.extend(arrivals.clone().map(origin)) {
            self.frontier.extend(position, new, asleep);
            return;
        }
        for (arrival, state) in arrivals.zip(new.chunks_exact(1)) {
            let position = self.lineage.push(&self.board.blocks, origin(arrival));
            self.frontier.extend(position, state, asleep);
        }
    }

    /// Expands one state and takes its events.
    #[cold]
    pub(super) fn expand_whole(&mut self, level: Level, chunk: &Chunk<S::Ref>, index: usize) {
        let mut place = std::mem::replace(&mut self.single, Place::new());
        self.fill_place(level, chunk, index, &mut place);
        self.take_place(level, chunk, index, &mut place);
        if place.expansion.bytes_used() <= LARGE {
            self.single = place;
        }
    }
}
