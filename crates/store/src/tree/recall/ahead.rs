//! States that will be wanted soon: where their moves are filed is found group by group, and what is
//! filed there is on its way to the cache until they are taken.

#![allow(unsafe_code)]

use super::extract::{Extract, LANES, Plain};
use super::group::{AT_HAND, Filed, Group, Slot};
use super::recent::Recent;
use super::sleep::{SLEEPERS, Sleepers};
use super::{Form, Remembered};
use crate::concurrent::Table;
use crate::prefetch::prefetch_at;
use crate::store::{Arrival, Recall};
use crate::tree::lens::Lenses;
use crate::tree::mix::unmix;
use crate::tree::word::kind;

/// Where the moves of states are filed that will be wanted soon.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    states: Vec<u64>,
    words: Vec<u64>,
    /// States of the same form, one after the other.
    runs: Vec<Run>,
    filed: Vec<Filed>,
    /// What their groups look at.
    looks: Rows,
    /// Something is filed elsewhere since anybody looked ahead.
    pub(super) is_stale: bool,
    /// For a state that nobody looked ahead for.
    single: Vec<Filed>,
    /// What the groups of some states do, and which bits they turn over.
    found: Vec<Found>,
    turns: Rows,
    sums: Vec<Sums>,
    /// Successors whose places in the table are not known yet.
    raw: Vec<Raw>,
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
pub(super) struct Raw {
    pub(super) word: u64,
    pub(super) arrival: Arrival,
}

/// What one group of a state does.
#[derive(Clone, Copy, Debug)]
struct Found {
    slot: *const Slot,
    /// Number of its first successor among those of the state, and how many it has.
    event: u32,
    count: u32,
}

// SAFETY: what it points to is looked at only by who has the group at hand.
unsafe impl Send for Found {}

/// What the groups of a state come to.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    /// The lower half: successors; the upper half: steps inside atomic sequences.
    figures: u64,
    /// Of this the upper half counts.
    deepest: u32,
}

impl Ahead {
    /// As [`Store::look_ahead`](crate::Store::look_ahead).
    #[inline(always)]
    pub(super) fn look<E: Extract>(&mut self, forms: &[Remembered], refs: &[u64]) {
        let Self { states, words, runs, filed, looks, is_stale, .. } = self;
        states.clear();
        words.clear();
        runs.clear();
        *is_stale = false;
        states.extend_from_slice(refs);
        words.extend(refs.iter().map(|state| unmix(*state)));
        let (mut first, mut row, mut begin) = (0, 0, 0);
        for same in words.chunk_by(|a, b| kind(*a).packing() == kind(*b).packing()) {
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
            let width = Rows::width(count);
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
        groups: &[Group],
        at: usize,
        state: u64,
        word: u64,
    ) -> &[Filed] {
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
    pub(super) fn take<E: Extract>(
        &mut self,
        forms: &[Remembered],
        lenses: &Lenses,
        recent: &mut Recent,
        table: &Table,
        refs: &[u64],
        out: &mut Recall<u64>,
    ) {
        if self.states != refs {
            return;
        }
        let first = out.ends.len();
        self.raw.clear();
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
                let wanted = run.end - run.begin - skipped;
                let filed = run.first + skipped * count;
                let rows = (run.row + skipped * Rows::width(count)) * LANES;
                let begin = run.begin + skipped;
                self.find(form, lenses, begin, filed, wanted);
                if self.emit::<E>(form, begin, rows, out) < wanted {
                    break;
                }
            }
        }
        recent.finish(table, &self.raw, out);
    }

    /// Looks up what all groups of some states do, as far as it is known and it is clear of what form their
    /// successors are.
    #[inline(always)]
    fn find(&mut self, form: &Form, lenses: &Lenses, begin: usize, first: usize, wanted: usize) {
        let groups = &*form.groups;
        let Self { words, filed, found, turns, sums, .. } = self;
        let filed = &filed[first..][..wanted * groups.len()];
        if found.len() < filed.len() {
            let nothing = Found { slot: std::ptr::null(), event: 0, count: 0 };
            found.resize(filed.len(), nothing);
        }
        let width = Rows::width(groups.len());
        let rows = turns.from(0, wanted * width).chunks_exact_mut(width * LANES);
        sums.clear();
        let states = filed.chunks_exact(groups.len()).zip(found.chunks_exact_mut(groups.len()));
        'states: for ((filed, found), turns) in states.zip(rows) {
            let mut own = Sums::default();
            for (at, ((filed, found), turns)) in
                filed.iter().zip(&mut *found).zip(&mut *turns).enumerate()
            {
                // SAFETY: nothing is stale.
                let Some(slot) = (unsafe { filed.find_fresh() }) else { break 'states };
                let count = slot.count();
                *found = Found { slot, event: own.figures as u32, count: count as u32 };
                own.deepest = own.deepest.max(slot.figures as u32);
                *turns = slot.turns[0] | slot.turns[1];
                if count <= AT_HAND {
                    own.figures += slot.figures & !0xffff_0000;
                } else {
                    let group = &groups[at];
                    own.figures += group.atomic_steps(slot) << 32 | count as u64;
                    *turns = group.rest(slot).iter().fold(*turns, |bits, turn| bits | turn);
                }
            }
            if !form.misfits.is_empty()
                && !keeps(form, lenses, words[begin + sums.len()], turns, found)
            {
                break;
            }
            sums.push(own);
        }
    }

    /// Appends the successors of the states that were found, but for those by groups that sleep. Says of how many
    /// states.
    #[inline(always)]
    fn emit<E: Extract>(
        &mut self,
        form: &Form,
        begin: usize,
        rows: usize,
        out: &mut Recall<u64>,
    ) -> usize {
        let groups = &*form.groups;
        let Self { words, looks, found, turns, sums, raw, .. } = self;
        let width = Rows::width(groups.len()) * LANES;
        let (words, looks) = (&words[begin..], &looks.words[rows..]);
        let first = out.successors();
        let (mut total, mut deepest, mut atomic_steps) = (first, out.deepest << 16, 0);
        let mut taken = 0;
        for own in &*sums {
            let events = own.figures as u32;
            if events == 0 || events >= Arrival::EVENTS {
                break;
            }
            taken += 1;
            deepest = deepest.max(own.deepest);
            atomic_steps += own.figures >> 32;
            total += events;
            out.ends.push(total);
        }
        out.deepest = deepest >> 16;
        out.probes += (taken * groups.len()) as u64;
        out.atomic_steps += atomic_steps;
        raw.reserve((total - first) as usize);
        let all = u32::MAX >> (SLEEPERS - groups.len());
        let mut writer = Writer { len: raw.len(), places: raw.as_mut_ptr() };
        let bits = looks.chunks_exact(width).zip(turns.words.chunks_exact(width));
        let states = words.iter().zip(&out.sleeping[begin..]).zip(bits);
        let states = states.zip(found.chunks_exact(groups.len())).take(taken);
        for (at, (((word, sleeping), (looks, turns)), found)) in states.enumerate() {
            let sleepers = Sleepers { looks, turns };
            let arrival = Arrival::new(begin + at, 0);
            let mut awake = all & !sleeping;
            while awake != 0 {
                let at = awake.trailing_zeros() as usize;
                awake &= awake - 1;
                // SAFETY: only groups are awake.
                let found = unsafe { found.get_unchecked(at) };
                if found.count == 0 {
                    continue;
                }
                let arrival = arrival.with(found.event, 0);
                // SAFETY: it was found since anything has changed, and there is room for all successors.
                unsafe {
                    let [one, two] = (*found.slot).turns;
                    writer.put(word ^ one, arrival.with(0, sleepers.after::<E>(at, one)));
                    if found.count > 1 {
                        writer.put(word ^ two, arrival.with(1, sleepers.after::<E>(at, two)));
                    }
                    if found.count > AT_HAND as u32 {
                        let rest = groups[at].rest(&*found.slot);
                        put_rest(&mut writer, *word, rest, arrival, sleepers, at);
                    }
                }
            }
            #[cfg(debug_assertions)]
            for (group, found) in groups.iter().zip(found) {
                // SAFETY: as above.
                let slot = unsafe { &*found.slot };
                group.each_turn(slot, |turn| out.all.push(crate::tree::mix::mix(word ^ turn)));
            }
        }
        // SAFETY: as many have been written.
        unsafe { raw.set_len(writer.len) };
        taken
    }
}

/// Whether all successors of a word are of its form.
#[inline(never)]
fn keeps(form: &Form, lenses: &Lenses, word: u64, turns: &[u64], found: &[Found]) -> bool {
    let turned = turns[..found.len()].iter().fold(0, |all, bits| all | bits);
    let has_all = |(group, found): (&Group, &Found)| {
        // SAFETY: it was found since anything has changed.
        let slot = unsafe { &*found.slot };
        let at_hand = &slot.turns[..slot.count().min(AT_HAND)];
        at_hand.iter().chain(group.rest(slot)).all(|turn| form.has(lenses, word ^ turn))
    };
    form.keeps(lenses, word, turned) || form.groups.iter().zip(found).all(has_all)
}

/// Writes the successors of a group behind the first ones.
///
/// # Safety
/// There is room, and it is one of the groups.
#[cold]
#[inline(never)]
unsafe fn put_rest(
    writer: &mut Writer,
    word: u64,
    rest: &[u64],
    first: Arrival,
    sleepers: Sleepers<'_>,
    group: usize,
) {
    for (later, turn) in (AT_HAND as u32..).zip(rest) {
        // SAFETY: the caller's promise.
        unsafe {
            let sleep = sleepers.after::<Plain>(group, *turn);
            writer.put(word ^ turn, first.with(later, sleep));
        }
    }
}

/// Words of groups, those of a state in a row of whole blocks of [`LANES`].
#[derive(Debug, Default)]
struct Rows {
    words: Vec<u64>,
}

impl Rows {
    /// Blocks of a row.
    #[inline(always)]
    fn width(groups: usize) -> usize {
        groups.div_ceil(LANES)
    }

    /// So many blocks from one on.
    #[inline(always)]
    fn from(&mut self, first: usize, count: usize) -> &mut [u64] {
        let end = (first + count) * LANES;
        if self.words.len() < end {
            self.words.resize(end, 0);
        }
        &mut self.words[first * LANES..end]
    }
}

/// Writes successors behind others.
struct Writer {
    places: *mut Raw,
    len: usize,
}

impl Writer {
    /// Writes a successor.
    ///
    /// # Safety
    /// There is room.
    #[inline(always)]
    unsafe fn put(&mut self, word: u64, arrival: Arrival) {
        // SAFETY: the caller's promise.
        unsafe { self.places.add(self.len).write(Raw { word, arrival }) };
        self.len += 1;
    }
}
