//! How finely the parts of states are cut.
//!
//! What moves do is recalled by the leaves that they look at ([`recall`](super::recall)): the finer
//! leaves are, the more states agree in those that count. But every leaf wants bits of the word of its
//! own, and together with its neighbour it mostly wants fewer. So parts are cut at all
//! seams, and neighbours are joined again until what a sample of states needs fits well.

use spinor_ts::{Layout, LayoutOf};

/// Bytes of a leaf at most: a dictionary's value.
pub(super) const LEAF: usize = 8;
/// Bits of a word that the leaves of the sample may not take: what it does not show has to fit as well.
const SPARE: u32 = 8;
/// Leaves of a state at most, unless there are more parts.
const MANY: usize = 40;
/// Parts without seams that change, at least: there are several processes.
const OTHERS: usize = 2;
/// States that are looked at.
const LOOKED_AT: usize = 512;

/// At which seams parts are cut.
#[derive(Debug, Default)]
pub(super) struct Grain {
    /// By the number of the seam.
    cuts: Box<[bool]>,
    /// Some that had better be cut are not, because words are too short.
    pub(super) is_coarse: bool,
}

impl Grain {
    /// Fine enough for the moves of such states, and not too fine for words of so many bits.
    pub(super) fn of(
        layout_of: &LayoutOf,
        sample: &[Vec<u8>],
        bits: u32,
        is_local: impl FnOnce() -> bool,
    ) -> Self {
        let Some((layout, states)) = most_frequent(layout_of, sample) else {
            return Self::default();
        };
        if layout.seams.is_empty() {
            return Self::default();
        }
        let step = states.len().div_ceil(LOOKED_AT);
        let states: Vec<&[u8]> = states.into_iter().step_by(step).collect();
        let pieces = Pieces::new(&layout, &states);
        // Where nothing else changes, whatever moves looks at most of it anyway, unless it is known to be otherwise.
        let is_other = |piece: &&Piece| !piece.can_join && piece.is_changing;
        if pieces.all.iter().filter(is_other).count() < OTHERS && !is_local() {
            return Self::default();
        }
        let wanted = pieces.all.len();
        let pieces = pieces.joined(bits - SPARE);
        let is_cut = |seam: &usize| pieces.iter().any(|piece| piece.start == *seam);
        let cuts = layout.seams.iter().map(is_cut).collect();
        Self { cuts, is_coarse: pieces.len() < wanted }
    }

    /// Where the leaves of a layout end, unless they are longer than a leaf can be.
    pub(super) fn ends(&self, layout: &Layout) -> Vec<usize> {
        let seams = layout.seams.iter().zip(&self.cuts).filter(|(_, is_cut)| **is_cut);
        let mut ends: Vec<usize> = seams.map(|(seam, _)| *seam).collect();
        ends.extend_from_slice(&layout.ends);
        ends.sort_unstable();
        ends
    }
}

/// The layout that most states of the sample have, and these states.
fn most_frequent<'a>(
    layout_of: &LayoutOf,
    sample: &'a [Vec<u8>],
) -> Option<(Layout, Vec<&'a [u8]>)> {
    let mut kinds: Vec<(Layout, Vec<&[u8]>)> = Vec::new();
    for state in sample {
        let is_like = |(layout, states): &(Layout, Vec<&[u8]>)| {
            let (first, prefix) = (states[0], layout.prefix.min(state.len()));
            first.len() == state.len() && first[..prefix] == state[..prefix]
        };
        match kinds.iter_mut().rev().find(|kind| is_like(kind)) {
            Some((_, states)) => states.push(state),
            None => kinds.push((layout_of(state), vec![state])),
        }
    }
    kinds.into_iter().max_by_key(|(_, states)| states.len())
}

/// Some bytes that may become a leaf.
#[derive(Clone, Debug)]
struct Piece {
    start: usize,
    end: usize,
    /// Whether it can be joined with the piece before it.
    can_join: bool,
    /// Its values in the sample, state by state.
    values: Vec<u64>,
    is_changing: bool,
    /// Hardly a value is there twice: how many there are cannot be told.
    is_endless: bool,
    /// What it needs, with what the sample does not show.
    bits: u32,
}

impl Piece {
    fn new(start: usize, end: usize, can_join: bool, values: Vec<u64>) -> Self {
        let count = |values: &[u64]| {
            let mut different = values.to_vec();
            different.sort_unstable();
            different.dedup();
            different.len() as u32
        };
        let (half, all) = (count(&values[..values.len().div_ceil(2)]), count(&values));
        let bytes = (end - start) as u32;
        let bits = match all - 1 {
            // It may change later.
            0 => 2 + bytes,
            last if all > half => last.ilog2() + 4,
            last => last.ilog2() + 2,
        };
        let bits = bits.min(8 * bytes);
        let is_endless = 2 * all as usize > values.len();
        Self { start, end, can_join, values, is_changing: all > 1, is_endless, bits }
    }

    /// Both in one.
    fn with(&self, next: &Piece) -> Self {
        let shift = 8 * (self.end - self.start);
        let values = self.values.iter().zip(&next.values).map(|(a, b)| a | b << shift);
        Self::new(self.start, next.end, self.can_join, values.collect())
    }

    fn can_take(&self, next: &Piece) -> bool {
        next.can_join && next.end - self.start <= LEAF
    }
}

/// The pieces of a layout, in order.
struct Pieces {
    all: Vec<Piece>,
    /// For each but the first: the piece that it makes with the one before, if both can be joined.
    pairs: Vec<Option<Piece>>,
}

impl Pieces {
    fn new(layout: &Layout, states: &[&[u8]]) -> Self {
        let len = states[0].len();
        let mut cuts: Vec<(usize, bool)> = layout.ends.iter().map(|end| (*end, false)).collect();
        cuts.extend(layout.seams.iter().map(|seam| (*seam, true)));
        // An end that is a seam as well is an end.
        cuts.sort_unstable();
        cuts.dedup_by_key(|(at, _)| *at);
        let mut all = Vec::new();
        let (mut start, mut can_join) = (layout.prefix, false);
        for (cut, is_seam) in cuts.into_iter().filter(|(at, _)| *at <= len).chain([(len, false)]) {
            while start < cut {
                let end = cut.min(start + LEAF);
                let value = |state: &&[u8]| {
                    let mut bytes = [0; LEAF];
                    bytes[..end - start].copy_from_slice(&state[start..end]);
                    u64::from_le_bytes(bytes)
                };
                all.push(Piece::new(start, end, can_join, states.iter().map(value).collect()));
                (start, can_join) = (end, end == cut && is_seam);
            }
            can_join = is_seam && start == cut;
        }
        let mut pieces = Self { all, pairs: Vec::new() };
        pieces.join_constants();
        pieces.pairs = (0..pieces.all.len()).map(|at| pieces.pair(at)).collect();
        pieces
    }

    /// What never changed need not be kept apart.
    fn join_constants(&mut self) {
        let mut at = 1;
        while at < self.all.len() {
            let (left, right) = (&self.all[at - 1], &self.all[at]);
            if !left.is_changing && !right.is_changing && left.can_take(right) {
                self.all[at - 1] = left.with(right);
                self.all.remove(at);
            } else {
                at += 1;
            }
        }
    }

    fn pair(&self, at: usize) -> Option<Piece> {
        let (left, right) = (self.all.get(at.checked_sub(1)?)?, self.all.get(at)?);
        left.can_take(right).then(|| left.with(right))
    }

    /// Pieces that need no more than there is.
    fn joined(mut self, room: u32) -> Vec<Piece> {
        loop {
            let needed: u32 = self.all.iter().map(|piece| piece.bits).sum();
            if needed <= room && self.all.len() <= MANY {
                return self.all;
            }
            // How much of what the smaller one needs is saved, if that can be told; of equals, the shortest.
            let gain = |at: usize| {
                let pair = self.pairs[at].as_ref()?;
                let (left, right) = (self.all[at - 1].bits, self.all[at].bits);
                let saved = 64 * (left + right).saturating_sub(pair.bits) / left.min(right).max(1);
                let saved = if pair.is_endless { 0 } else { saved };
                Some((saved, std::cmp::Reverse(pair.end - pair.start)))
            };
            let best = (1..self.all.len()).filter(|at| gain(*at).is_some());
            let Some(at) = best.max_by_key(|at| gain(*at)) else { return self.all };
            let Some(pair) = self.pairs.remove(at) else { return self.all };
            self.all.remove(at);
            self.all[at - 1] = pair;
            self.pairs[at - 1] = self.pair(at - 1);
            if at < self.all.len() {
                self.pairs[at] = self.pair(at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn grain(states: &[Vec<u8>], ends: &[usize], seams: &[usize]) -> Vec<bool> {
        let layout = Layout { prefix: 1, ends: ends.to_vec(), seams: seams.to_vec() };
        let layout_of: LayoutOf = Arc::new(move |_: &[u8]| layout.clone());
        Grain::of(&layout_of, states, 64, || false).cuts.into()
    }

    #[test]
    fn what_is_small_is_cut_at_all_seams() {
        let state = |n| vec![0, n % 5, n % 7, 9, 9, n % 3, n % 2];
        let states: Vec<Vec<u8>> = (0..200_u8).map(state).collect();
        // The two bytes that never change stay together.
        assert_eq!(grain(&states, &[5, 6, 7], &[1, 2, 3, 4]), [true, true, true, false]);
        assert!(grain(&states, &[5, 7], &[1, 2, 3, 4]).is_empty(), "only one other part");
    }

    #[test]
    fn neighbours_that_go_together_are_joined_first() {
        let mut random = fastrand::Rng::with_seed(1);
        let state = |_| {
            let mut state = vec![0];
            for _ in 0..6 {
                let byte = random.u8(..);
                state.extend([byte, byte]);
            }
            state
        };
        let states: Vec<Vec<u8>> = (0..2000).map(state).collect();
        let seams: Vec<usize> = (2..12).collect();
        let cuts = grain(&states, &[11, 12, 13], &seams);
        let odd_seams = cuts.iter().step_by(2).filter(|is_cut| **is_cut).count();
        assert_eq!(odd_seams, 0, "{cuts:?}");
        assert!(cuts.iter().any(|is_cut| *is_cut), "{cuts:?}");
    }

    #[test]
    fn no_sample_no_seams() {
        assert!(grain(&[], &[3], &[2]).is_empty());
        let layout = Layout { prefix: 0, ends: vec![4], seams: vec![1, 3] };
        assert_eq!(Grain::default().ends(&layout), [4]);
        let grain = Grain { cuts: [true, false].into(), is_coarse: false };
        assert_eq!(grain.ends(&layout), [1, 4]);
    }
}
