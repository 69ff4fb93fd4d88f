//! States that will be wanted soon: where their moves are filed is found group by group, and what is
//! filed there is on its way to the cache until they are taken.

#![allow(unsafe_code)]

use super::extract::Extract;
use super::group::{AT_HAND, Filed, Group};
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
    /// Something is filed elsewhere since anybody looked ahead.
    pub(super) is_stale: bool,
    /// For a state that nobody looked ahead for.
    single: Vec<Filed>,
    /// Successors that are not in the cache yet.
    raw: Vec<Raw>,
}

/// Some states in a row.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// Their packing; none if nothing is remembered of states of their form.
    packing: Option<u8>,
    begin: usize,
    end: usize,
    /// Where what belongs to them begins.
    first: usize,
}

/// A successor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raw {
    pub(super) word: u64,
    pub(super) arrival: Arrival,
}

impl Ahead {
    /// As [`Store::look_ahead`](crate::Store::look_ahead).
    #[inline(always)]
    pub(super) fn look<E: Extract>(&mut self, forms: &[Remembered], refs: &[u64]) {
        let Self { states, words, runs, filed, is_stale, .. } = self;
        states.clear();
        words.clear();
        runs.clear();
        *is_stale = false;
        states.extend_from_slice(refs);
        words.extend(refs.iter().map(|state| unmix(*state)));
        let mut first = 0;
        for same in words.chunk_by(|a, b| kind(*a).packing() == kind(*b).packing()) {
            let begin = runs.last().map_or(0, |run| run.end);
            let end = begin + same.len();
            let groups = kind(same[0]).packing().map(|packing| (packing, &forms[packing]));
            let Some((packing, Remembered::Groups(form))) = groups else {
                runs.push(Run { packing: None, begin, end, first });
                continue;
            };
            runs.push(Run { packing: Some(packing as u8), begin, end, first });
            let count = form.groups.len();
            let next = first + same.len() * count;
            if filed.len() < next {
                filed.resize(next, Filed::default());
            }
            let all = &mut filed[first..next];
            first = next;
            for (number, group) in form.groups.iter().enumerate() {
                let finder = group.finder();
                let mut at = number;
                for word in same {
                    let place = finder.filed::<E>(*word);
                    prefetch_at(place.address());
                    // SAFETY: there is room for all groups of all these states.
                    unsafe { *all.get_unchecked_mut(at) = place };
                    at += count;
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
        self.single.extend(groups.iter().map(|group| group.filed::<E>(word)));
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
        let Self { words, runs, filed, raw, .. } = self;
        let first = out.ends.len();
        raw.clear();
        out.sleeping.resize(refs.len(), 0);
        for run in runs.iter().filter(|run| run.end > first) {
            let Some(packing) = run.packing else { break };
            let Remembered::Groups(form) = &forms[usize::from(packing)] else { break };
            let count = form.groups.len();
            if count > SLEEPERS || count == 0 {
                break;
            }
            let begin = run.begin.max(first);
            let words = &words[begin..run.end];
            let filed = &filed[run.first + (begin - run.begin) * count..][..words.len() * count];
            if !take_run::<E>(form, lenses, words, filed, raw, out) {
                break;
            }
        }
        recent.finish(table, raw, out);
    }
}

/// Takes states of one form. Says whether it took all.
#[inline(always)]
fn take_run<E: Extract>(
    form: &Form,
    lenses: &Lenses,
    words: &[u64],
    filed: &[Filed],
    raw: &mut Vec<Raw>,
    out: &mut Recall<u64>,
) -> bool {
    let groups = &*form.groups;
    let all = u32::MAX >> (SLEEPERS - groups.len());
    let mut sleepers = Sleepers::new();
    let mut total = out.successors();
    let (mut deepest, mut atomic_steps) = (out.deepest << 16, 0);
    let begin = out.ends.len();
    let states = words.iter().zip(&out.sleeping[begin..]).zip(filed.chunks_exact(groups.len()));
    for (at, ((word, sleeping), filed)) in states.enumerate() {
        let mut writer = Writer::new(raw, AT_HAND * groups.len());
        let mut arrival = Arrival::new(begin + at, 0);
        // The lower half: successors; the upper half: steps inside atomic sequences.
        let mut figures = 0;
        let mut deep = deepest;
        let mut awake = all & !sleeping;
        let mut is_known = true;
        for (at, filed) in filed.iter().enumerate() {
            // SAFETY: nothing is stale.
            let Some(slot) = (unsafe { filed.find_fresh() }) else {
                is_known = false;
                break;
            };
            deep = deep.max(slot.figures as u32);
            let [one, two] = slot.turns;
            let count = slot.count();
            let is_awake = awake & 1 != 0 && count != 0;
            awake >>= 1;
            if count <= AT_HAND {
                sleepers.set(at, filed.looks, one | two);
                figures += slot.figures & !0xffff_0000;
                if is_awake {
                    let sleep = sleepers.after::<E>(at, one);
                    // SAFETY: there is room for these, and for as many for each group after this one.
                    unsafe { writer.put(word ^ one, arrival.with(0, sleep)) };
                    if count > 1 {
                        let sleep = sleepers.after::<E>(at, two);
                        // SAFETY: as above.
                        unsafe { writer.put(word ^ two, arrival.with(1, sleep)) };
                    }
                }
            } else {
                let rest = groups[at].rest(slot);
                let turns = rest.iter().fold(one | two, |bits, turn| bits | turn);
                sleepers.set(at, filed.looks, turns);
                figures += groups[at].atomic_steps(slot) << 32 | count as u64;
                if is_awake {
                    writer.reserve(count + AT_HAND * groups.len());
                    for (later, turn) in (0..).zip([one, two].iter().chain(rest)) {
                        let sleep = sleepers.after::<E>(at, *turn);
                        // SAFETY: as above.
                        unsafe { writer.put(word ^ turn, arrival.with(later, sleep)) };
                    }
                }
            }
            arrival = arrival.with(count as u32, 0);
        }
        let events = figures as u32;
        let keeps = || form.keeps(lenses, *word, sleepers.turned(groups.len()));
        if !is_known
            || events == 0
            || events >= Arrival::EVENTS
            || !form.misfits.is_empty() && !keeps()
        {
            break;
        }
        writer.finish();
        #[cfg(debug_assertions)]
        for (group, filed) in groups.iter().zip(filed) {
            let slot = group.find(*filed).expect("all are known");
            group.each_turn(slot, |turn| out.all.push(crate::tree::mix::mix(word ^ turn)));
        }
        deepest = deep;
        atomic_steps += figures >> 32;
        total += events;
        out.ends.push(total);
    }
    let taken = out.ends.len() - begin;
    out.deepest = deepest >> 16;
    out.probes += (taken * groups.len()) as u64;
    out.atomic_steps += atomic_steps;
    taken == words.len()
}

/// Writes the successors of a state behind those of others.
struct Writer<'a> {
    raw: &'a mut Vec<Raw>,
    len: usize,
}

impl<'a> Writer<'a> {
    #[inline(always)]
    fn new(raw: &'a mut Vec<Raw>, room: usize) -> Self {
        raw.reserve(room);
        Self { len: raw.len(), raw }
    }

    #[cold]
    #[inline(never)]
    fn reserve(&mut self, room: usize) {
        // SAFETY: as many have been written.
        unsafe { self.raw.set_len(self.len) };
        self.raw.reserve(room);
    }

    /// Writes a successor.
    ///
    /// # Safety
    /// There is room.
    #[inline(always)]
    unsafe fn put(&mut self, word: u64, arrival: Arrival) {
        // SAFETY: the caller's promise.
        unsafe { self.raw.as_mut_ptr().add(self.len).write(Raw { word, arrival }) };
        self.len += 1;
    }

    /// What was written is there for good.
    #[inline(always)]
    fn finish(self) {
        // SAFETY: as many have been written.
        unsafe { self.raw.set_len(self.len) };
    }
}
