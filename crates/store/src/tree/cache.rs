//! A thread's own memory of what it has looked up.

use super::layouts::Numbered;
use crate::dictionary::Dictionary;

/// Binary logarithm of the number of slots.
const BITS: u32 = 14;
/// No dictionary has this number.
const NONE: u32 = 0;

#[derive(Clone, Copy, Debug)]
struct Slot {
    value: u64,
    dictionary: u32,
    number: u32,
}

/// The latest answers of dictionaries, each in the one slot where it belongs.
#[derive(Debug)]
pub(super) struct Cache {
    slots: Box<[Slot; 1 << BITS]>,
}

impl Cache {
    pub(super) fn new() -> Self {
        let empty = Slot { value: 0, dictionary: NONE, number: 0 };
        let slots = vec![empty; 1 << BITS].into_boxed_slice();
        Self { slots: slots.try_into().expect("as long as it was made") }
    }

    /// The number of a value in a dictionary.
    #[inline]
    pub(super) fn intern(&mut self, dictionary: &Numbered, value: u64) -> u32 {
        self.intern_in(dictionary.number, value, || &dictionary.dictionary)
    }

    /// The number of a value in the dictionary of which the number is known.
    #[inline]
    pub(super) fn intern_in<'a>(
        &mut self,
        dictionary: u32,
        value: u64,
        get: impl FnOnce() -> &'a Dictionary,
    ) -> u32 {
        let slot = &mut self.slots[place(dictionary, value)];
        if slot.value != value || slot.dictionary != dictionary {
            slot.fill(dictionary, value, get());
        }
        slot.number
    }

    /// The same if it is here.
    #[inline(always)]
    pub(super) fn find(&self, dictionary: u32, value: u64) -> Option<u32> {
        let slot = &self.slots[place(dictionary, value)];
        (slot.value == value && slot.dictionary == dictionary).then_some(slot.number)
    }
}

/// The slot of a value. The upper bits of the product depend on all of it.
#[inline(always)]
fn place(dictionary: u32, value: u64) -> usize {
    let mixed = (value ^ u64::from(dictionary) << 20).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> (64 - BITS)) as usize
}

impl Slot {
    #[inline(never)]
    fn fill(&mut self, number: u32, value: u64, dictionary: &Dictionary) {
        *self = Slot { value, dictionary: number, number: dictionary.intern(value) };
    }
}
