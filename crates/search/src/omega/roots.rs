//! Components in the making, after Couvreur and Gabow.
//!
//! The states on the way fall into parts: each one is strongly connected by
//! what has been seen so far. A part begins with its root, the first state of it that was
//! met. A move back to a state of a part joins it with all parts above.

use super::marks::Marks;

/// A part that begins with this state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Root<M> {
    /// Its number: states of this part have this one or larger ones.
    pub(crate) number: u32,
    /// Where on the stack of the search it is.
    pub(crate) position: u32,
    /// Of all moves inside.
    pub(crate) marks: M,
    /// Of the move that led to it.
    entry: M,
    /// Whether there is a move inside.
    pub(crate) is_cyclic: bool,
    /// Whether an error was reported for it.
    pub(crate) is_reported: bool,
}

/// The parts, lowest first.
#[derive(Debug, Default)]
pub(crate) struct Roots<M>(Vec<Root<M>>);

impl<M: Marks> Roots<M> {
    /// A new state, reached by a move with the marks `entry`.
    #[inline]
    pub(crate) fn push(&mut self, number: u32, position: u32, entry: M) {
        let marks = M::default();
        let (is_cyclic, is_reported) = (false, false);
        self.0.push(Root { number, position, marks, entry, is_cyclic, is_reported });
    }

    /// A move from the state on top to the state `number`, which is on the way or in a
    /// part. Returns the part that both are in now.
    #[inline]
    pub(crate) fn close(&mut self, number: u32, mut marks: M) -> &mut Root<M> {
        let mut is_reported = false;
        let mut at = self.0.len() - 1;
        while self.0[at].number > number {
            let root = &self.0[at];
            marks = marks.union(root.marks).union(root.entry);
            is_reported |= root.is_reported;
            at -= 1;
        }
        self.0.truncate(at + 1);
        let root = &mut self.0[at];
        root.marks = root.marks.union(marks);
        root.is_cyclic = true;
        root.is_reported |= is_reported;
        root
    }

    /// Takes the last part if it begins at this place of the stack: it is a component then.
    #[inline]
    pub(crate) fn pop_at(&mut self, position: u32) -> Option<Root<M>> {
        self.0.pop_if(|root| root.position == position)
    }

    pub(crate) fn bytes_used(&self) -> u64 {
        (self.0.capacity() * size_of::<Root<M>>()) as u64
    }
}
