//! What one group of moves did, by the fields that it looks at.

/// Pairs of slots of a group at first, and at most: both powers of two.
const FIRST_BITS: u32 = 5;
const LAST_BITS: u32 = 17;
/// Successors of a slot.
pub(super) const AT_HAND: usize = 2;
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// Where the moves of a group are filed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filed {
    /// The bits that count; 0 if that is not known.
    pub key: u64,
    pub pair: u32,
}

/// The memory of a group.
#[derive(Debug)]
pub(super) struct Group {
    /// The field of the anchor.
    pub shift: u32,
    pub limit: u64,
    /// For each value of the anchor: the bits of a word that count; none if nothing is known.
    pub masks: Vec<u64>,
    /// Whether these will not change.
    pub is_final: Vec<bool>,
    pub pairs: Box<[Pair]>,
    /// Bits of a hash that do not tell pairs apart.
    dropped: u32,
    used: usize,
    /// What does not fit into slots: steps inside atomic sequences, then the third successor and so on.
    pub rest: Vec<u64>,
}

/// A cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Pair([Slot; 2]);

const NO_PAIR: Pair = Pair([Slot { key: NO_KEY, turns: [0; AT_HAND], figures: 0 }; 2]);

/// Not the key of anything, nor that of what is not known: words begin with something else.
const NO_KEY: u64 = 1;

#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    /// The bits that count.
    pub key: u64,
    /// The bits that are turned over.
    pub turns: [u64; AT_HAND],
    /// 16 bits: the number of successors, 16 bits: the longest chain of steps, 32 bits: steps inside atomic
    /// sequences, or, if there are more successors, where the rest begins.
    pub figures: u64,
}

impl Slot {
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.figures as usize & 0xffff
    }

    #[inline(always)]
    pub fn deepest(&self) -> u32 {
        self.figures as u32 >> 16
    }

    #[inline(always)]
    pub fn last(&self) -> u64 {
        self.figures >> 32
    }
}

impl Group {
    pub fn new(shift: u32, limit: u64) -> Self {
        Self {
            shift,
            limit,
            masks: Vec::new(),
            is_final: Vec::new(),
            pairs: vec![NO_PAIR; 1 << FIRST_BITS].into(),
            dropped: u64::BITS - FIRST_BITS,
            used: 0,
            rest: Vec::new(),
        }
    }

    #[inline(always)]
    pub fn anchor(&self, word: u64) -> usize {
        (word >> self.shift & self.limit) as usize
    }

    #[inline(always)]
    fn pair(&self, key: u64) -> usize {
        ((key ^ key >> 32).wrapping_mul(MULTIPLIER) >> self.dropped) as usize
    }

    /// Where moves from a word are filed.
    #[inline(always)]
    pub fn filed(&self, word: u64) -> Filed {
        let mask = self.masks.get(self.anchor(word)).map_or(0, |mask| *mask);
        let key = word & mask;
        Filed { key, pair: self.pair(key) as u32 }
    }

    /// What is remembered there.
    #[inline(always)]
    pub fn find(&self, at: Filed) -> Option<&Slot> {
        let Pair([first, second]) = self.pairs.get(at.pair as usize)?;
        let slot = if first.key == at.key { first } else { second };
        (slot.key == at.key).then_some(slot)
    }

    /// Memory of what is remembered.
    pub fn bytes_used(&self) -> usize {
        size_of_val(&*self.pairs) + self.rest.capacity() * size_of::<u64>()
    }

    /// Files something; says whether other things are filed elsewhere now.
    pub fn remember(&mut self, slot: Slot, may_grow: bool) -> bool {
        let is_small = self.dropped > u64::BITS - LAST_BITS;
        let grows = may_grow && is_small && 2 * self.used > self.pairs.len();
        if grows {
            let old = std::mem::take(&mut self.pairs);
            self.pairs = vec![NO_PAIR; 2 * old.len()].into();
            self.dropped -= 1;
            self.used = 0;
            let slots = old.iter().flat_map(|pair| pair.0).filter(|slot| slot.key != NO_KEY);
            slots.for_each(|slot| self.put(slot));
        }
        self.put(slot);
        grows
    }

    /// Files something in the place of what is there, if need be.
    fn put(&mut self, slot: Slot) {
        let at = self.pair(slot.key);
        let Pair([first, second]) = &mut self.pairs[at];
        let is_free = |place: &Slot| place.key == NO_KEY || place.key == slot.key;
        self.used += usize::from(first.key == NO_KEY || second.key == NO_KEY);
        if is_free(first) {
            *first = slot;
        } else if is_free(second) {
            *second = slot;
        } else {
            *second = std::mem::replace(first, slot);
        }
    }
}
