//! A thread's own memory of what it has looked up.

use super::layouts::Numbered;

/// Binary logarithm of the number of slots.
const BITS: u32 = 12;
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

    /// The number of a value.
    #[inline]
    pub(super) fn intern(&mut self, dictionary: &Numbered, value: u64) -> u32 {
        let mixed = (value ^ (value >> 32) ^ u64::from(dictionary.number) << 20)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = &mut self.slots[(mixed >> (64 - BITS)) as usize];
        if slot.value != value || slot.dictionary != dictionary.number {
            let number = dictionary.dictionary.intern(value);
            *slot = Slot { value, dictionary: dictionary.number, number };
        }
        slot.number
    }
}
