//! Which locals a statement reads and writes.

use crate::bits::Bits;
use spinor_program::expr::Expr;
use spinor_program::{Action, Base, Leaf, Place, ProcessType, ReceiveField};
use spinor_sema::hir::Type;
use std::collections::BTreeMap;

/// The local scalars of a proctype that may be reset, numbered.
pub(crate) struct Locals<'p> {
    numbers: BTreeMap<u32, usize>,
    leaves: Vec<&'p Leaf>,
}

impl<'p> Locals<'p> {
    /// Plain variables and parameters: no array, no record, no channel.
    pub fn new(process: &'p ProcessType) -> Self {
        let is_plain =
            |leaf: &&Leaf| !leaf.hidden && leaf.ty != Type::Chan && !leaf.name.contains(['[', '.']);
        let leaves: Vec<&Leaf> = process.frame.leaves.iter().filter(is_plain).collect();
        let numbers = leaves.iter().enumerate().map(|(i, leaf)| (leaf.offset, i)).collect();
        Locals { numbers, leaves }
    }

    pub fn len(&self) -> usize {
        self.leaves.len()
    }

    /// Where a variable lies.
    pub fn place(&self, number: usize) -> Place {
        let leaf = self.leaves[number];
        Place { base: Base::Frame, offset: leaf.offset, indices: Vec::new(), scalar: leaf.scalar }
    }

    fn number(&self, place: &Place) -> Option<usize> {
        let is_plain = place.base == Base::Frame && place.indices.is_empty();
        self.numbers.get(&place.offset).copied().filter(|_| is_plain)
    }

    /// What the statement reads; of a `d_step` nothing.
    pub fn reads(&self, action: &Action) -> Bits {
        let mut reads = Bits::new(self.len());
        action.walk(&mut |e| {
            if let Expr::Load(place) = e
                && let Some(number) = self.number(place)
            {
                reads.insert(number);
            }
        });
        reads
    }

    /// What the statement writes; of a `d_step` nothing.
    pub fn writes(&self, action: &Action) -> Bits {
        let mut writes = Bits::new(self.len());
        let mut write = |place: &Place| {
            if let Some(number) = self.number(place) {
                writes.insert(number);
            }
        };
        match action {
            Action::Assign(pairs) => pairs.iter().for_each(|(place, _)| write(place)),
            Action::Receive(receive) => {
                for field in &receive.args {
                    if let ReceiveField::Bind(place) = field {
                        write(place);
                    }
                }
            }
            _ => {}
        }
        writes
    }
}
