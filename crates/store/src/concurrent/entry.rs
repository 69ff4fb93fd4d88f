//! What a table keeps, and what lines of it can do.

use std::fmt::Debug;

/// What a table keeps. Its first 32 bits, the tag, decide where it belongs.
pub trait Entry: Copy + Eq + Ord + Debug + Send + Sync + 'static {
    /// A line of the cache full of entries.
    type Line: Cells<Self>;

    /// The first bits.
    fn tag(self) -> u32;

    /// Whether it is none of the values that a table needs for itself.
    fn is_possible(self) -> bool;
}

/// Why a place cannot be filled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blocked {
    /// Somebody was faster.
    Filled,
    /// Nothing comes there any more.
    Frozen,
}

/// The entries of one line of the cache. Zeros are an empty one.
pub trait Cells<E: Entry>: Debug + Send + Sync + Sized {
    /// How many there are.
    const WIDTH: usize;

    /// A look at all of them.
    type Look: Glance<E, Self>;
    /// The same with longer words.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    type WideLook: WideGlance<E, Self>;

    /// Changes an empty entry.
    fn fill(&self, at: usize, entry: E) -> Result<(), Blocked>;

    /// Writes an entry. No other thread may write to the line.
    fn put(&self, at: usize, entry: E);

    /// Makes sure that the line does not change any more, by freezing its first empty
    /// entry, and calls `visit` for the entries before it.
    fn freeze(&self, visit: impl FnMut(E));

    /// Takes out all entries, then calls `visit` for each. No other thread may use the line.
    fn take(&self, visit: impl FnMut(E));

    /// Calls `visit` for all entries.
    fn for_each(&self, visit: impl FnMut(E));
}

/// What one look at a line has shown.
pub trait Glance<E, L>: Sized {
    /// Looks.
    fn at(line: &L) -> Self;

    /// Whether one of the entries equals `key`.
    fn has(&self, line: &L, key: E) -> bool;

    /// The first entry that is empty or frozen.
    fn first_vacant(&self) -> Option<usize>;
}

/// A look by instructions that not every processor has: to be used where it has them.
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub trait WideGlance<E, L>: Glance<E, L> {
    /// The entries that equal `key`, and those that are empty, one bit each. No other thread may write to the line.
    fn equal_and_empty(&self, key: E) -> (u32, u32);
}

/// Reads a line of the cache.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn both_halves<E: Entry<Line = L>, L: Cells<E>>(
    line: &L,
) -> (std::arch::x86_64::__m256i, std::arch::x86_64::__m256i) {
    const { assert!(size_of::<L>() == 64 && align_of::<L>() == 64) };
    let (first, second);
    // SAFETY: reads the line, which is aligned to its 64 bytes. It may be written at the
    // same time: aligned words within one line of the cache do not tear.
    // Loads acquire on this architecture, and the compiler moves no access across this.
    unsafe {
        std::arch::asm!(
            "vmovdqa {first}, [{line}]",
            "vmovdqa {second}, [{line} + 32]",
            line = in(reg) line,
            first = out(ymm_reg) first,
            second = out(ymm_reg) second,
            options(nostack, preserves_flags),
        );
    }
    (first, second)
}
