//! States of which some successors may be enough (see `later`), and states that are passed: if there is one such
//! successor only, the search goes on from there at once, as the system does itself when it
//! [expands](spinor_ts::Expansion::passed) a state.
//!
//! All that on keys: what is known of the groups of a state is enough for the choice, and only the moves of those that are chosen become
//! successors.

use super::recall::{Reminder, Tools};
use super::{Level, Watch, Worker};
use crate::frontier::Chunk;
use crate::later::Undecided;
use crate::learning::moves_of_group;
use crate::lineage::Origin;
use spinor_store::{Distinct, Recalled, Store};
use spinor_ts::{Depth, Seats, TransitionSystem};

/// States taken at a time: their successors are on their way to the cache until all are made.
const BATCH: usize = 16;

/// Successors of some states in a row.
pub(super) struct Ways<S: Store> {
    keys: Vec<S::Key>,
    /// How each of them was found.
    origins: Vec<Origin>,
    /// States of which something was left out.
    partial: Vec<Partial<S::Identity>>,
    /// Places in the chunk of those that are to be expanded as a whole.
    whole: Vec<usize>,
    new: Vec<(u32, S::Ref)>,
    /// The successor that a state is passed to.
    next: Vec<S::Key>,
    /// Steps of ways that were gone before, by the number of the state they lead from: ways join.
    hops: Vec<Option<HopOf<S>>>,
    /// Of those that are expanded.
    atomic_steps: u64,
    deepest: u32,
}

/// A state of which something was left out.
struct Partial<I> {
    /// Its place in the lineage, and its number in the store.
    position: u64,
    number: I,
    /// Where its successors are.
    begin: usize,
    end: usize,
}

/// The only successor of a state that is needed.
#[derive(Clone, Copy)]
struct Hop<I, K> {
    /// The number of the state.
    from: I,
    to: K,
    /// As how many the successor counts if it is passed.
    cost: u32,
    /// Something else is left out.
    is_partial: bool,
}

type HopOf<S> = Hop<<S as Store>::Identity, <S as Store>::Key>;

/// Steps that are remembered, a power of two.
const HOPS: usize = 1 << 13;

/// Where a way ends: at the state that was surveyed last, unless
struct End<S: Store> {
    /// its last state has one successor that is needed, and that is known from before.
    hop: Option<HopOf<S>>,
    /// The groups whose moves are to be made, one bit each,
    chosen: u64,
    /// and those that may be left out.
    rest: u64,
    /// States that were passed.
    passed: u32,
}

impl<S: Store> End<S> {
    /// Whether something is left out.
    fn is_partial(&self) -> bool {
        self.hop.as_ref().map_or(self.rest != 0, |hop| hop.is_partial)
    }
}

/// Where a step is remembered.
#[inline]
fn place(from: impl Distinct) -> usize {
    (from.bits() >> 32) as usize % HOPS
}

impl<S: Store> Ways<S> {
    pub(super) fn new() -> Self {
        Self {
            keys: Vec::new(),
            origins: Vec::new(),
            partial: Vec::new(),
            whole: Vec::new(),
            new: Vec::new(),
            next: Vec::new(),
            hops: Vec::new(),
            atomic_steps: 0,
            deepest: 0,
        }
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.origins.clear();
        self.partial.clear();
        self.whole.clear();
        self.new.clear();
        (self.atomic_steps, self.deepest) = (0, 0);
    }

    /// The step from a state, if it is remembered.
    #[inline]
    fn hop(&self, from: S::Identity) -> Option<HopOf<S>> {
        let hop = *self.hops.get(place(from))?;
        hop.filter(|hop| hop.from == from)
    }

    #[inline]
    fn remember(&mut self, hop: HopOf<S>) {
        if self.hops.is_empty() {
            self.hops.resize(HOPS, None);
        }
        self.hops[place(hop.from)] = Some(hop);
    }
}

impl<T: TransitionSystem, S: Store> Worker<'_, '_, T, S> {
    /// Expands the states of a chunk that are left, as far as possible from what is known. Says how many states these are, not all if
    /// the work is to be left.
    pub(super) fn choose_chunk(
        &mut self,
        level: Level,
        chunk: &Chunk<S::Ref>,
        watch: &mut impl Watch,
        reminder: &mut Reminder<S>,
    ) -> usize {
        let refs = chunk.refs();
        let mut next = chunk.next;
        while next < refs.len() {
            let begin = next;
            reminder.ways.clear();
            while next < refs.len().min(begin + BATCH) && watch.goes_on() {
                if !self.find_way(chunk, next, reminder) {
                    reminder.ways.whole.push(next);
                }
                next += 1;
            }
            if next == begin {
                break;
            }
            self.take_ways(&mut reminder.ways);
            let Ways { whole, atomic_steps, deepest, .. } = &mut reminder.ways;
            let counts = &mut self.counts;
            counts.expanded += (next - begin - whole.len()) as u64;
            counts.atomic_steps += *atomic_steps;
            let deepest = level.depth + Depth::from(*deepest);
            counts.depth_reached = counts.depth_reached.max(deepest.min(level.bound));
            // As bad as if nothing of them had been known.
            reminder.tools.unknown += 4 * whole.len() as u64;
            for index in std::mem::take(whole) {
                self.expand_whole(level, chunk, index);
            }
        }
        next - chunk.next
    }

    /// Makes those successors of a state that may be enough. `false` if it is to be expanded as a whole.
    fn find_way(
        &mut self,
        chunk: &Chunk<S::Ref>,
        index: usize,
        reminder: &mut Reminder<S>,
    ) -> bool {
        let state_ref = chunk.refs()[index];
        // What is left out is decided upon by numbers.
        let Some(number) = S::identity_of(state_ref) else { return false };
        let Some(end) = self.follow(state_ref, reminder, true) else { return false };
        #[cfg(debug_assertions)]
        self.verify_way(state_ref, &end);
        let Ways { keys, origins, partial, .. } = &mut reminder.ways;
        let begin = keys.len();
        if let Some(hop) = end.hop {
            self.store.prefetch(hop.to);
            keys.push(hop.to);
        } else if !self.store.moves_of(&self.local, end.chosen, keys) {
            return false;
        }
        self.counts.passed += u64::from(end.passed);
        let parent = chunk.first + index as u64;
        let count = (keys.len() - begin) as u32;
        origins.extend((0..count).map(|event| Origin { parent, event }));
        if end.is_partial() {
            partial.push(Partial { position: parent, number, begin, end: keys.len() });
        }
        true
    }

    /// Goes on from a state as long as one successor is enough, by steps that are remembered or not. `None` if that is not known.
    fn follow(
        &mut self,
        first: S::Ref,
        reminder: &mut Reminder<S>,
        by_hops: bool,
    ) -> Option<End<S>> {
        let Reminder { ways, tools, known, .. } = reminder;
        let most = self.system.most_passed();
        let (mut passed, mut spent) = (0, 0);
        let mut state_ref = first;
        loop {
            let from = S::identity_of(state_ref)?;
            if by_hops
                && passed > 0
                && spent < most
                && let Some(hop) = ways.hop(from)
            {
                spent += hop.cost;
                if spent > most {
                    return Some(End { hop: Some(hop), chosen: 0, rest: 0, passed });
                }
                (state_ref, passed) = (S::state_of(hop.to)?, passed + 1);
                continue;
            }
            if !self.survey(state_ref, tools) {
                return None;
            }
            let survey = self.store.surveyed(&self.local)?;
            let (groups, active) = (survey.seats.len(), survey.active);
            *known += groups as u64;
            if passed == 0 {
                let (atomic_steps, deepest) = self.store.figures_of_survey(&self.local);
                ways.atomic_steps += atomic_steps;
                ways.deepest = ways.deepest.max(deepest);
            }
            let mut chosen = active;
            if active & active.wrapping_sub(1) != 0 {
                let peek = |bytes| self.store.peek(&self.local, bytes);
                let seats = Seats { all: &survey.seats, hash: survey.hash, active };
                chosen &= self.system.enough_at(&seats, &peek);
            }
            let group = chosen.trailing_zeros() as usize;
            let is_only = chosen & chosen.wrapping_sub(1) == 0 && survey.events(group) == 1;
            if is_only && spent < most {
                ways.next.clear();
                if !self.store.moves_of(&self.local, chosen, &mut ways.next) {
                    return None;
                }
                let to = *ways.next.first()?;
                let next = S::state_of(to)?;
                let cost = self.pass_cost(to, next, group, groups, tools);
                ways.remember(Hop { from, to, cost, is_partial: active != chosen });
                spent += cost;
                if spent <= most {
                    (state_ref, passed) = (next, passed + 1);
                    continue;
                }
            }
            return Some(End { hop: None, chosen, rest: active & !chosen, passed });
        }
    }

    /// As how many a state counts that a group of the one surveyed last, which has so many, leads to.
    #[inline]
    fn pass_cost(
        &mut self,
        key: S::Key,
        next: S::Ref,
        group: usize,
        groups: usize,
        tools: &mut Tools,
    ) -> u32 {
        if let Some(station) = self.store.station_in(&self.local, key, group) {
            return self.system.pass_cost_at(station);
        }
        self.learn_pass_cost(next, group, groups, tools)
    }

    #[cold]
    fn learn_pass_cost(
        &mut self,
        next: S::Ref,
        group: usize,
        groups: usize,
        tools: &mut Tools,
    ) -> u32 {
        self.store.load(&mut self.local, next, &mut self.state);
        if self.system.groups(&self.state, &mut tools.anchors) && tools.anchors.len() == groups {
            tools.bytes.clear();
            let station = self.system.station(&self.state, group, &mut tools.bytes);
            self.store.set_station(&mut self.local, group, station, &tools.bytes);
        }
        self.system.pass_cost(&self.state, groups - 1 - group)
    }

    /// Finds out what the groups of a state could do. `false` if it is to be expanded as a whole.
    #[inline]
    fn survey(&mut self, state_ref: S::Ref, tools: &mut Tools) -> bool {
        let wanted = self.store.survey(&mut self.local, state_ref);
        wanted == Recalled::All || self.learn_survey(state_ref, wanted, tools)
    }

    /// Makes the moves of groups that are not known.
    #[cold]
    fn learn_survey(&mut self, state_ref: S::Ref, mut wanted: Recalled, tools: &mut Tools) -> bool {
        let Tools { anchors, expansion, footprint, bytes, unknown } = tools;
        if wanted == Recalled::Whole {
            return false;
        }
        self.store.load(&mut self.local, state_ref, &mut self.state);
        loop {
            match wanted {
                Recalled::All => return true,
                Recalled::Whole => return false,
                Recalled::Unknown => {
                    let length = self.state.len() as u64;
                    self.counts.state_bytes = self.counts.state_bytes.max(length);
                    let has_groups = self.system.groups(&self.state, anchors);
                    let anchors = has_groups.then_some(&**anchors);
                    self.store.set_groups(&mut self.local, state_ref, anchors);
                }
                Recalled::Station { group } => {
                    bytes.clear();
                    let station = self.system.station(&self.state, group, bytes);
                    if !self.store.set_station(&mut self.local, group, station, bytes) {
                        return false;
                    }
                }
                Recalled::Group { group, is_anchored } => {
                    *unknown += 1;
                    let (system, state) = (&mut *self.system, &self.state);
                    let made =
                        moves_of_group(system, state, group, is_anchored, expansion, footprint);
                    let Some(dependence) = made else { return false };
                    if !self.store.learn(&mut self.local, group, expansion, dependence, false) {
                        return false;
                    }
                }
            }
            let next = self.store.survey(&mut self.local, state_ref);
            if std::mem::replace(&mut wanted, next) == next {
                // It was not kept.
                return false;
            }
        }
    }

    /// Expands a state as a whole and compares with where its way ends.
    #[cfg(debug_assertions)]
    fn verify_way(&mut self, state_ref: S::Ref, end: &End<S>) {
        let mut place = super::Place::<S::Key>::new();
        let numbers = |keys: &[S::Key]| {
            let mut numbers: Vec<_> = keys.iter().map(|key| S::identity(*key)).collect();
            numbers.sort_unstable();
            numbers
        };
        let (mut chosen, mut rest) = (Vec::new(), Vec::new());
        if let Some(hop) = end.hop {
            chosen.push(hop.to);
        } else if !self.store.moves_of(&self.local, end.chosen, &mut chosen)
            || !self.store.moves_of(&self.local, end.rest, &mut rest)
        {
            return;
        }
        self.store.load(&mut self.local, state_ref, &mut self.state);
        self.system.expand(&self.state, &mut place.expansion);
        self.store.keys(&mut self.local, &place.expansion, 0, &mut place.keys);
        let enough = match place.expansion.enough as usize {
            0 => place.keys.len(),
            enough => enough,
        };
        let (first, others) = place.keys.split_at(enough);
        assert_eq!(numbers(first), numbers(&chosen), "other moves are enough than there are");
        if end.hop.is_none() {
            assert_eq!(numbers(others), numbers(&rest), "other moves are left out than there are");
        }
        assert_eq!(!others.is_empty(), end.is_partial(), "something is left out, or not");
        assert_eq!(place.expansion.passed, end.passed, "other states are passed than there are");
    }

    /// Stores the successors that were made, and notes what was left out.
    fn take_ways(&mut self, ways: &mut Ways<S>) {
        let Ways { keys, origins, partial, new, .. } = ways;
        self.store.insert_all(&mut self.local, keys, &self.single.expansion, 0, new);
        self.counts.stored += new.len() as u64;
        self.counts.matched += (keys.len() - new.len()) as u64;
        let found = new.iter().map(|(at, _)| origins[*at as usize]);
        let state = |(_, state_ref): &(u32, S::Ref)| (*state_ref, 0);
        if let Some(position) = self.lineage.extend(found.clone()) {
            self.frontier.extend(position, new, state);
        } else {
            for (origin, one) in found.zip(new.chunks_exact(1)) {
                let position = self.lineage.push(&self.board.blocks, origin);
                self.frontier.extend(position, one, state);
            }
        }
        let mut later = new.iter().map(|(at, _)| *at as usize).peekable();
        for one in &*partial {
            while later.next_if(|at| *at < one.begin).is_some() {}
            let mut latest = None;
            while let Some(at) = later.next_if(|at| *at < one.end) {
                latest = Some(at);
            }
            if let Some(to) = latest.and_then(|at| S::identity(keys[at])) {
                self.notes.links.push((one.number, to));
                continue;
            }
            let numbers = keys[one.begin..one.end].iter().filter_map(|key| S::identity(*key));
            self.notes.postpone_with(one.position, one.number, numbers);
        }
    }

    /// Takes the events of a state that had been left out, if they are known.
    pub(super) fn recall_rest(&mut self, level: Level, undecided: &Undecided<S::Identity>) -> bool {
        let Some(state_ref) = undecided.number.and_then(S::with_identity) else { return false };
        if !S::RECALLS || level.depth >= level.bound {
            return false;
        }
        let is_on = |reminder: &mut Box<Reminder<S>>| reminder.worth.is_on;
        let Some(mut reminder) = self.reminder.take_if(is_on) else { return false };
        let is_known = self.take_known_rest(state_ref, undecided.position, &mut reminder);
        self.reminder = Some(reminder);
        is_known
    }

    fn take_known_rest(
        &mut self,
        state_ref: S::Ref,
        parent: u64,
        reminder: &mut Reminder<S>,
    ) -> bool {
        let Some(end) = self.follow(state_ref, reminder, false) else { return false };
        let keys = &mut reminder.ways.keys;
        keys.clear();
        if !self.store.moves_of(&self.local, end.chosen, keys) {
            return false;
        }
        let enough = keys.len();
        if !self.store.moves_of(&self.local, end.rest, keys) {
            return false;
        }
        for (event, key) in (0..).zip(&*keys).skip(enough) {
            self.arrive(*key, &[], Origin { parent, event });
        }
        true
    }
}
