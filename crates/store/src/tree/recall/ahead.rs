//! States that will be wanted soon: where their moves are filed is found group by group, and what is
//! filed there is on its way to the cache until they are taken.

#![allow(unsafe_code)]

use super::extract::{Extract, LANES, Plain, Work};
use super::group::{AT_HAND, EVENT_BITS, Filed, Group, Slot, events, has_rest, longest, steps};
use super::recent::Recent;
use super::sleep::{SLEEPERS, Sleepers};
use super::{Form, Remembered, Visited};
use crate::key_set::KeySet;
use crate::prefetch::prefetch_at;
use crate::store::{Arrival, Recall};
use crate::tree::lens::Lenses;
use crate::tree::word::{Word, has_one_form, kind};

/// Where the moves of states are filed that will be wanted soon.
#[derive(Debug, Default)]
pub(super) struct Ahead<W> {
    states: Vec<W>,
    words: Vec<W>,
    /// States of the same form, one after the other.
    runs: Vec<Run>,
    filed: Vec<Filed<W>>,
    /// What their groups look at.
    looks: Rows<W>,
    /// Something is filed elsewhere since anybody looked ahead.
    pub(super) is_stale: bool,
    /// For a state that nobody looked ahead for.
    single: Vec<Filed<W>>,
    /// Successors whose places in the table are not known yet.
    raw: Vec<Raw<W>>,
}

/// Some states in a row.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// Their packing; none if nothing is remembered of states of their form.
    packing: Option<u8>,
    begin: usize,
    end: usize,
    /// Where what belongs to them begins,
    first: usize,
    /// and which row of words is the first of theirs.
    row: usize,
}

/// A successor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raw<W> {
    pub(super) word: W,
    pub(super) arrival: Arrival,
}

impl<W: Word> Ahead<W> {
    /// As [`Store::look_ahead`](crate::Store::look_ahead).
    #[inline(always)]
    pub(super) fn look<E: Extract>(&mut self, forms: &[Remembered<W>], refs: &[W]) {
        let Self { states, words, runs, filed, looks, is_stale, .. } = self;
        states.clear();
        words.clear();
        runs.clear();
        *is_stale = false;
        states.extend_from_slice(refs);
        // Those that come next.
        let behind = refs.as_ptr_range().end.cast::<u8>();
        prefetch_at(behind);
        prefetch_at(behind.wrapping_add(64));
        words.extend(refs.iter().map(|state| state.unmix()));
        let (mut first, mut row, mut begin) = (0, 0, 0);
        for same in runs_of(words) {
            let end = begin + same.len();
            let groups = kind(same[0]).packing().map(|packing| (packing, &forms[packing]));
            let Some((packing, Remembered::Groups(form))) = groups else {
                runs.push(Run { packing: None, begin, end, first, row });
                begin = end;
                continue;
            };
            runs.push(Run { packing: Some(packing as u8), begin, end, first, row });
            begin = end;
            let count = form.groups.len();
            let next = first + same.len() * count;
            if filed.len() < next {
                filed.resize(next, Filed::default());
            }
            let width = Rows::<W>::width(count);
            let rows = looks.from(row, same.len() * width);
            row += same.len() * width;
            let all = &mut filed[first..next];
            first = next;
            for (number, group) in form.groups.iter().enumerate() {
                let finder = group.finder();
                let (mut at, mut word_at) = (number, number);
                for word in same {
                    let (place, bits) = finder.filed::<E>(*word);
                    prefetch_at(place.address());
                    // SAFETY: there is room for all groups of all these states.
                    unsafe {
                        *all.get_unchecked_mut(at) = place;
                        *rows.get_unchecked_mut(word_at) = bits;
                    }
                    at += count;
                    word_at += width * LANES;
                }
            }
        }
    }

    /// Where the moves of a state are filed.
    pub(super) fn filed<E: Extract>(
        &mut self,
        groups: &[Group<W>],
        at: usize,
        state: W,
        word: W,
    ) -> &[Filed<W>] {
        if !self.is_stale && self.states.get(at) == Some(&state) {
            let run = self.runs.iter().find(|run| at < run.end && run.packing.is_some());
            if let Some(run) = run.filter(|run| run.begin <= at) {
                return &self.filed[run.first + (at - run.begin) * groups.len()..][..groups.len()];
            }
        }
        self.single.clear();
        self.single.extend(groups.iter().map(|group| group.finder().filed::<E>(word).0));
        &self.single
    }

    /// Takes states as long as all their moves are known and it is clear that their successors are of the
    /// same form. Nothing may be stale.
    #[inline(always)]
    pub(super) fn take<E: Extract, V: KeySet<Key = W>>(
        &mut self,
        forms: &[Remembered<W>],
        lenses: &Lenses<W>,
        recent: &mut Recent<W>,
        visited: Visited<'_, V>,
        refs: &[W],
        out: &mut Recall<W>,
    ) {
        if self.states != refs {
            return;
        }
        let first = out.ends.len();
        self.raw.clear();
        let lets_sleep = visited.set.lets_sleep();
        if !lets_sleep {
            out.sleeping.clear();
        }
        out.sleeping.resize(refs.len(), 0);
        for at in 0..self.runs.len() {
            let run = self.runs[at];
            let Some(packing) = run.packing else { break };
            let Remembered::Groups(form) = &forms[usize::from(packing)] else { break };
            let count = form.groups.len();
            if count > SLEEPERS || count == 0 {
                break;
            }
            if run.end > first {
                let skipped = first.saturating_sub(run.begin);
                let rest = Run {
                    begin: run.begin + skipped,
                    first: run.first + skipped * count,
                    row: run.row + skipped * Rows::<W>::width(count),
                    ..run
                };
                let wanted = rest.end - rest.begin;
                let (ahead, out) = (&mut *self, &mut *out);
                let taken = if lets_sleep {
                    E::apart(Lot::<W, true> { ahead, form, lenses, run: rest, out })
                } else {
                    E::apart(Lot::<W, false> { ahead, form, lenses, run: rest, out })
                };
                if taken < wanted {
                    break;
                }
            }
        }
        recent.finish(visited, refs, &self.raw, out);
    }
}

/// States in a row that are of a form. Appends their successors, but for those by groups that sleep, as long as all their moves
/// are known and it is clear of what form the successors are. Says of how many states.
///
/// One pass over the groups of a state is enough: who sleeps after a move depends on the groups before only.
struct Lot<'a, W, const SLEEPS: bool> {
    ahead: &'a mut Ahead<W>,
    form: &'a Form<W>,
    lenses: &'a Lenses<W>,
    run: Run,
    out: &'a mut Recall<W>,
}

impl<W: Word, const SLEEPS: bool> Work for Lot<'_, W, SLEEPS> {
    type Output = usize;

    #[inline(always)]
    fn run<E: Extract>(self) -> usize {
        let Lot { ahead, form, lenses, run, out } = self;
        let groups = &*form.groups;
        let Ahead { words, filed, looks, raw, .. } = ahead;
        let width = Rows::<W>::width(groups.len()) * LANES;
        let words = &words[run.begin..run.end];
        let filed = filed[run.first..][..words.len() * groups.len()].chunks_exact(groups.len());
        let looks = looks.words[run.row * LANES..][..words.len() * width].chunks_exact(width);
        let sleeping = &out.sleeping[run.begin..run.end];
        let mut turns = [W::NONE; SLEEPERS];
        let mut writer = Writer::new(raw, AT_HAND * words.len() * groups.len());
        let takes_ends = out.takes_ends;
        let (mut total, mut deepest, mut atomic_steps) = (out.successors(), 0, 0);
        let mut first = Arrival::new(run.begin, 0);
        let before = out.ends.len();
        let states = words.iter().zip(sleeping).zip(filed).zip(looks);
        'states: for (((&word, &sleeping), filed), looks) in states {
            let begin = writer.len();
            // The sum of what slots say.
            let mut figures = 0;
            let mut awake = !sleeping;
            for (at, filed) in filed.iter().enumerate() {
                // SAFETY: nothing is stale.
                let Some(slot) = (unsafe { filed.find_fresh() }) else {
                    writer.forget_from(begin);
                    break 'states;
                };
                let [one, two] = slot.turns;
                let count = slot.count();
                // SAFETY: there are no more groups than that.
                unsafe { *turns.get_unchecked_mut(at) = one | two };
                // If the state is not taken here, its moves are made elsewhere.
                deepest = deepest.max(slot.figures);
                let arrival = first.later(events(figures));
                let is_awake = awake & 1 != 0;
                awake >>= 1;
                if has_rest(slot.figures) {
                    let group = &groups[at];
                    let rest = group.rest(slot);
                    turns[at] = rest.iter().fold(one | two, |bits, turn| bits | *turn);
                    let sleepers = Sleepers { looks, turns: &turns };
                    if is_awake {
                        // SAFETY: it is one of the groups.
                        unsafe { put_many(&mut writer, word, slot, rest, arrival, sleepers, at) };
                    }
                    figures += group.atomic_steps(slot) << EVENT_BITS | count as u64;
                    continue;
                }
                figures = figures.wrapping_add(slot.figures);
                if count == 0 || !is_awake {
                    continue;
                }
                let sleepers = Sleepers { looks, turns: &turns };
                // SAFETY: it is one of the groups, and there is room for two successors of each.
                unsafe {
                    let after = |turn| if SLEEPS { sleepers.after::<E>(at, turn) } else { 0 };
                    writer.put(word ^ one, arrival.asleep(after(one)));
                    if count > 1 {
                        writer.put(word ^ two, arrival.later(1).asleep(after(two)));
                    }
                }
            }
            let events = events(figures);
            let is_end = events == 0 && !takes_ends;
            if is_end || !form.keeps_all(lenses, word, &turns, filed) {
                writer.forget_from(begin);
                break;
            }
            total += events;
            atomic_steps += u64::from(steps(figures));
            first = first.next_state();
            out.ends.push(total);
            #[cfg(debug_assertions)]
            for (group, filed) in groups.iter().zip(filed) {
                // SAFETY: nothing is stale.
                if let Some(slot) = unsafe { filed.find_fresh() } {
                    group.each_turn(slot, |turn| out.all.push((word ^ turn).mix()));
                }
            }
        }
        writer.finish();
        let taken = out.ends.len() - before;
        out.deepest = out.deepest.max(longest(deepest));
        out.probes += (taken * groups.len()) as u64;
        out.atomic_steps += atomic_steps;
        taken
    }
}

impl<W: Word> Form<W> {
    /// Whether all successors of a word, whose moves are filed there and turn over these bits, are of its form.
    #[inline(always)]
    fn keeps_all(&self, lenses: &Lenses<W>, word: W, turns: &[W], filed: &[Filed<W>]) -> bool {
        if self.is_first() {
            return true;
        }
        let turned = turns[..filed.len()].iter().fold(W::NONE, |all, bits| all | *bits);
        self.keeps(word, turned) || has_all(self, lenses, word, filed)
    }
}

/// Words of the same form in a row: mostly it is one row.
#[inline(always)]
fn runs_of<W: Word>(words: &[W]) -> impl Iterator<Item = &[W]> {
    let first = words.first().copied().unwrap_or(W::NONE);
    let other = words.iter().fold(W::NONE, |bits, word| bits | *word ^ first);
    let (whole, rest) =
        if has_one_form(first, other) { (words, &[][..]) } else { (&[][..], words) };
    let whole = Some(whole).filter(|words| !words.is_empty());
    whole.into_iter().chain(rest.chunk_by(|a, b| kind(*a).packing() == kind(*b).packing()))
}

/// Whether all successors of a word are of its form.
#[inline(never)]
fn has_all<W: Word>(form: &Form<W>, lenses: &Lenses<W>, word: W, filed: &[Filed<W>]) -> bool {
    form.groups.iter().zip(filed).all(|(group, filed)| {
        // SAFETY: nothing is stale.
        let Some(slot) = (unsafe { filed.find_fresh() }) else { return false };
        let at_hand = &slot.turns[..slot.count().min(AT_HAND)];
        at_hand.iter().chain(group.rest(slot)).all(|turn| form.has(lenses, word ^ *turn))
    })
}

/// Writes the successors of a group that has many.
///
/// # Safety
/// It is one of the groups.
#[inline(never)]
unsafe fn put_many<W: Word>(
    writer: &mut Writer<'_, W>,
    word: W,
    slot: &Slot<W>,
    rest: &[W],
    first: Arrival,
    sleepers: Sleepers<'_, W>,
    group: usize,
) {
    writer.reserve(rest.len());
    let at_hand = &slot.turns[..slot.count().min(AT_HAND)];
    for (later, turn) in (0..).zip(at_hand.iter().chain(rest)) {
        // SAFETY: the caller's promise; there was room for those at hand, and there is for the rest.
        unsafe {
            // None comes before the first.
            let sleep = if group == 0 { 0 } else { sleepers.after::<Plain>(group, *turn) };
            writer.put(word ^ *turn, first.later(later).asleep(sleep));
        }
    }
}

/// Words of groups, those of a state in a row of whole blocks of [`LANES`].
#[derive(Debug, Default)]
struct Rows<W> {
    words: Vec<W>,
}

impl<W: Word> Rows<W> {
    /// Blocks of a row.
    #[inline(always)]
    fn width(groups: usize) -> usize {
        groups.div_ceil(LANES)
    }

    /// So many blocks from one on.
    #[inline(always)]
    fn from(&mut self, first: usize, count: usize) -> &mut [W] {
        let end = (first + count) * LANES;
        if self.words.len() < end {
            self.words.resize(end, W::NONE);
        }
        &mut self.words[first * LANES..end]
    }
}

/// Writes successors behind others.
pub(super) struct Writer<'a, W> {
    raw: &'a mut Vec<Raw<W>>,
    next: *mut Raw<W>,
    /// For so many there is room.
    room: usize,
}

impl<'a, W: Word> Writer<'a, W> {
    /// One that has room for so many.
    #[inline(always)]
    pub(super) fn new(raw: &'a mut Vec<Raw<W>>, room: usize) -> Self {
        raw.reserve(room);
        let room = raw.len() + room;
        Self { next: raw.spare_capacity_mut().as_mut_ptr().cast(), room, raw }
    }

    /// Successors up to here.
    #[inline(always)]
    fn len(&self) -> usize {
        (self.next.addr() - self.raw.as_ptr().addr()) / size_of::<Raw<W>>()
    }

    /// Forgets the successors from this one on.
    #[inline(always)]
    fn forget_from(&mut self, begin: usize) {
        // SAFETY: there were so many.
        self.next = unsafe { self.raw.as_mut_ptr().add(begin) };
    }

    /// Makes room for some more.
    #[cold]
    fn reserve(&mut self, more: usize) {
        // SAFETY: as many have been written.
        unsafe { self.raw.set_len(self.len()) };
        self.room += more;
        self.raw.reserve(self.room - self.raw.len());
        self.next = self.raw.spare_capacity_mut().as_mut_ptr().cast();
    }

    /// Writes a successor.
    ///
    /// # Safety
    /// There is room.
    #[inline(always)]
    unsafe fn put(&mut self, word: W, arrival: Arrival) {
        debug_assert!(self.len() < self.room);
        // SAFETY: the caller's promise.
        unsafe {
            self.next.write(Raw { word, arrival });
            self.next = self.next.add(1);
        }
    }

    /// The same if it is to be kept.
    ///
    /// # Safety
    /// There is room.
    #[inline(always)]
    pub(super) unsafe fn put_if(&mut self, is_kept: bool, word: W, arrival: Arrival) {
        debug_assert!(self.len() < self.room);
        // SAFETY: the caller's promise.
        unsafe {
            self.next.write(Raw { word, arrival });
            self.next = self.next.add(usize::from(is_kept));
        }
    }

    #[inline(always)]
    pub(super) fn finish(self) {
        // SAFETY: as many have been written.
        unsafe { self.raw.set_len(self.len()) };
    }
}
