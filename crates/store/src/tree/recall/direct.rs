//! Successors that are made by moves from word to word, in place of being recalled.
//!
//! Groups sleep after them as after moves that are recalled: what a group looks at is told by who makes its moves. Moves of groups that
//! sleep are made as well, since somebody has to count them, but go no further.

#![allow(unsafe_code)]

use super::ahead::{Raw, Writer};
use super::extract::{Extract, Work};
use super::sleep::{SLEEPERS, Sleepers};
use super::{Memory, Visited};
use crate::key_set::{KeyPlaces, KeySet};
use crate::store::{Arrival, Recall, Successors};
use crate::tree::local::TreeLocal;
use crate::tree::word::{Kind, Word, kind};
use spinor_ts::{WordFigures, WordMoves, WordSuccessors};

/// What is needed for it, used over and over.
#[derive(Debug)]
pub(super) struct Direct<W> {
    words: Vec<W>,
    made: WordSuccessors<W>,
    raw: Vec<Raw<W>>,
    naps: Naps,
}

/// How many successors were there while moves could sleep, and how many of them were not made.
#[derive(Clone, Copy, Debug, Default)]
struct Naps {
    all: u64,
    asleep: u64,
}

impl Naps {
    /// So many tell.
    const ENOUGH: u64 = 1 << 15;
    /// One of so many has to sleep at least, or to find out who may costs more than it spares.
    const PART: u64 = 5;

    /// Whether moves should sleep.
    fn is_worthwhile(self) -> bool {
        self.all < Self::ENOUGH || self.asleep * Self::PART >= self.all
    }
}

impl<W> Default for Direct<W> {
    fn default() -> Self {
        Self {
            words: Vec::new(),
            made: WordSuccessors::default(),
            raw: Vec::new(),
            naps: Naps::default(),
        }
    }
}

impl<W: Word> TreeLocal<W> {
    /// As [`Store::is_awake`](crate::Store::is_awake).
    pub(in crate::tree) fn is_awake(&self) -> bool {
        !self.memory.direct.naps.is_worthwhile()
    }

    /// As [`Store::expand_words`](crate::Store::expand_words).
    pub(in crate::tree) fn expand_words<V: KeySet<Key = W>>(
        &mut self,
        visited: &V,
        local: &mut V::Local,
        refs: &[W],
        moves: &mut dyn WordMoves,
        out: &mut Recall<W>,
        whole: &mut Vec<usize>,
    ) {
        let Memory { direct, recent, .. } = &mut self.memory;
        let lets_sleep = visited.lets_sleep() && direct.naps.is_worthwhile();
        if !lets_sleep {
            out.sleeping.clear();
        }
        out.sleeping.resize(refs.len(), 0);
        direct.raw.clear();
        direct.words.clear();
        direct.words.extend(refs.iter().map(|state| state.unmix()));
        let mut at = 0;
        while let Some(word) = direct.words.get(at) {
            let is_other = |word: &W| kind(*word) != Kind::Packed(0);
            if is_other(word) {
                whole.push(at);
                out.ends.push(out.successors());
                at += 1;
                continue;
            }
            let rest = &direct.words[at..];
            let count = rest.iter().position(is_other).unwrap_or(rest.len());
            W::expand(moves, &rest[..count], &mut direct.made);
            let WordFigures { atomic_steps, deepest } = direct.made.figures;
            out.atomic_steps += atomic_steps;
            out.deepest = out.deepest.max(deepest);
            whole.extend(direct.made.whole.iter().map(|place| at + *place as usize));
            take(Run { direct, begin: at, end: at + count, lets_sleep, out });
            at += count;
        }
        recent.finish(Visited { set: visited, local }, refs, &direct.raw, out);
    }

    /// As [`Store::word_successors`](crate::Store::word_successors).
    #[inline]
    pub(in crate::tree) fn word_successors<V: KeySet<Key = W>>(
        &mut self,
        visited: &V,
        state: W,
        moves: &mut dyn WordMoves,
        out: &mut Successors<W>,
    ) -> bool {
        let word = state.unmix();
        if kind(word) != Kind::Packed(0) {
            return false;
        }
        let made = &mut self.memory.direct.made;
        W::expand(moves, &[word], made);
        if !made.whole.is_empty() {
            return false;
        }
        out.keys.clear();
        out.steps.clear();
        let places = visited.places();
        for successor in &made.all {
            let key = successor.word.mix();
            places.prefetch(key);
            out.keys.push(key);
            out.steps.push(successor.steps);
        }
        let WordFigures { atomic_steps, deepest } = made.figures;
        (out.atomic_steps, out.deepest, out.groups) = (atomic_steps, deepest, 0);
        true
    }
}

/// Takes what was made, as fast as the processor can.
fn take<W: Word>(run: Run<'_, W>) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if super::Quick::is_there() {
        super::Quick::apart(run);
        return;
    }
    super::Plain::apart(run);
}

/// States in a row, whose successors are made.
struct Run<'a, W> {
    direct: &'a mut Direct<W>,
    begin: usize,
    end: usize,
    lets_sleep: bool,
    out: &'a mut Recall<W>,
}

impl<W: Word> Work for Run<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run<E: Extract>(self) {
        let Run { direct: Direct { words, made, raw, naps }, begin, end, lets_sleep, out } = self;
        let before = raw.len();
        let WordSuccessors { groups, all, ends, looks, turns, .. } = &*made;
        let row = made.row();
        let sleeps = lets_sleep && *groups <= SLEEPERS && row > 0;
        let mut writer = Writer::new(raw, all.len());
        let mut first = 0;
        let mut total = out.successors();
        let mut arrival = Arrival::new(begin, 0);
        let states = words[begin..end].iter().zip(&out.sleeping[begin..end]).zip(ends);
        for (at, ((&word, &sleeping), &end)) in states.enumerate() {
            let own = all.get(first as usize..end as usize).unwrap_or_default();
            first = end;
            let mut next = arrival;
            let told = at * row..(at + 1) * row;
            let (looks, turns) =
                if sleeps { (&looks[told.clone()], &turns[told]) } else { (&[][..], &[][..]) };
            let sleepers = Sleepers { looks, turns };
            for successor in own {
                let group = successor.group as usize;
                // SAFETY: it is one of the groups, and there is room for all successors.
                unsafe {
                    if sleeps {
                        debug_assert!(group < *groups);
                        let sleep = sleepers.after::<E>(group, successor.word ^ word);
                        // Whether it sleeps cannot be foretold: it is overwritten if it does.
                        writer.put_if(
                            sleeping >> group & 1 == 0,
                            successor.word,
                            next.asleep(sleep),
                        );
                    } else {
                        writer.put_if(true, successor.word, next);
                    }
                }
                next = next.later(1);
            }
            total += own.len() as u32;
            out.ends.push(total);
            #[cfg(debug_assertions)]
            out.all.extend(own.iter().map(|successor| successor.word.mix()));
            arrival = arrival.next_state();
        }
        writer.finish();
        if sleeps {
            naps.all += all.len() as u64;
            naps.asleep += (all.len() - (raw.len() - before)) as u64;
        }
    }
}
