//! How each state was reached.
//!
//! Every state gets a position; with it go two bytes: how far its parent's position
//! lies behind that of the state before, and the number of the event. Parents are
//! expanded in the order of their positions, so this nearly always suffices; what
//! does not fit stands in a list beside. A run is read backwards from these, without
//! a look at any state.
//!
//! Positions come in blocks. A thread draws a block at a time and fills it alone.

use spinor_ts::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// States of a block.
const BLOCK: u64 = 4096;
/// Both bytes of a state whose parent and event stand in the list.
const ELSEWHERE: [u8; 2] = [u8::MAX; 2];

/// The position of the first state.
pub(crate) const ROOT: u64 = 0;

/// How a state was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Origin {
    /// Position of the parent.
    pub(crate) parent: u64,
    /// Number of the event among those of the parent.
    pub(crate) event: u32,
}

/// Hands out blocks.
#[derive(Debug, Default)]
pub(crate) struct Blocks(AtomicU64);

impl Blocks {
    fn draw(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}

#[derive(Debug)]
struct Block {
    number: u64,
    entries: Vec<[u8; 2]>,
    /// Index in `entries` and what does not fit there, by ascending index.
    elsewhere: Vec<(u32, Origin)>,
}

impl Block {
    /// How the state at `index` was reached.
    fn origin(&self, index: usize) -> Origin {
        let before = self.elsewhere.partition_point(|(at, _)| *at as usize <= index);
        let (at, base) = before
            .checked_sub(1)
            .map(|last| self.elsewhere[last])
            .expect("the first entry of a block stands in the list");
        let at = at as usize;
        if at == index {
            return base;
        }
        let steps: u64 =
            self.entries[at + 1..=index].iter().map(|[step, _]| u64::from(*step)).sum();
        Origin { parent: base.parent + steps, event: u32::from(self.entries[index][1]) }
    }
}

/// The origins of the states that one thread has found.
#[derive(Debug)]
pub(crate) struct Lineage {
    /// Those that are full, and last the one that is being filled.
    blocks: Vec<Block>,
    /// Parent of the last state.
    last_parent: u64,
    bytes: u64,
}

impl Lineage {
    pub(crate) fn new() -> Self {
        Self { blocks: Vec::new(), last_parent: 0, bytes: 0 }
    }

    /// Adds a state and gives it its position.
    #[inline]
    pub(crate) fn push(&mut self, blocks: &Blocks, origin: Origin) -> u64 {
        let step = origin.parent.wrapping_sub(self.last_parent);
        self.last_parent = origin.parent;
        if let Some(block) = self.blocks.last_mut()
            && block.entries.len() < BLOCK as usize
            && step < u64::from(u8::MAX)
            && origin.event < u32::from(u8::MAX)
        {
            let position = block.number * BLOCK + block.entries.len() as u64;
            block.entries.push([step as u8, origin.event as u8]);
            return position;
        }
        self.push_elsewhere(blocks, origin)
    }

    /// Adds some states with consecutive positions and gives the first of these; `None` if that is not possible
    /// at once.
    #[inline]
    pub(crate) fn extend(&mut self, origins: impl ExactSizeIterator<Item = Origin>) -> Option<u64> {
        let block = self.blocks.last_mut()?;
        let first = block.entries.len();
        if first + origins.len() > BLOCK as usize {
            return None;
        }
        let mut last = self.last_parent;
        for origin in origins {
            let step = origin.parent.wrapping_sub(last);
            last = origin.parent;
            let mut entry = [step as u8, origin.event as u8];
            // There is room.
            if step >= u64::from(u8::MAX) || origin.event >= u32::from(u8::MAX) {
                let index = block.entries.len() as u32;
                self.bytes += note(&mut block.elsewhere, index, origin);
                entry = ELSEWHERE;
            }
            block.entries.push(entry);
        }
        self.last_parent = last;
        Some(block.number * BLOCK + first as u64)
    }

    #[cold]
    fn push_elsewhere(&mut self, blocks: &Blocks, origin: Origin) -> u64 {
        if self.blocks.last().is_none_or(|block| block.entries.len() == BLOCK as usize) {
            let entries = Vec::with_capacity(BLOCK as usize);
            self.blocks.push(Block { number: blocks.draw(), entries, elsewhere: Vec::new() });
            self.bytes += BLOCK * size_of_val(&ELSEWHERE) as u64 + size_of::<Block>() as u64;
        }
        let block = self.blocks.last_mut().expect("one was added if there was none");
        let index = block.entries.len();
        self.bytes += note(&mut block.elsewhere, index as u32, origin);
        block.entries.push(ELSEWHERE);
        block.number * BLOCK + index as u64
    }

    pub(crate) fn bytes_used(&self) -> u64 {
        self.bytes
    }
}

/// Adds what does not fit elsewhere; says by how many bytes the list has grown.
#[cold]
fn note(list: &mut Vec<(u32, Origin)>, index: u32, origin: Origin) -> u64 {
    let before = list.capacity();
    list.push((index, origin));
    ((list.capacity() - before) * size_of::<(u32, Origin)>()) as u64
}

/// The event numbers from the first state to the one at `position`.
pub(crate) fn path_to<'l>(lineages: impl Iterator<Item = &'l Lineage>, position: u64) -> Path {
    path_through(lineages.flat_map(|lineage| &lineage.blocks).collect(), position)
}

fn path_through(mut blocks: Vec<&Block>, position: u64) -> Path {
    blocks.sort_unstable_by_key(|block| block.number);
    let mut path = Path::new();
    let mut at = position;
    while at != ROOT {
        // Numbers are drawn one after the other, so a block's number is its index.
        let origin = blocks[(at / BLOCK) as usize].origin((at % BLOCK) as usize);
        path.push(origin.event);
        at = origin.parent;
    }
    path.reverse();
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_found_again() {
        let mut random = fastrand::Rng::with_seed(1);
        let blocks = Blocks::default();
        let mut lineages = [Lineage::new(), Lineage::new(), Lineage::new()];
        let mut expected = std::collections::HashMap::new();
        let root = lineages[0].push(&blocks, Origin { parent: ROOT, event: 0 });
        assert_eq!(root, ROOT);
        let mut known = vec![ROOT];
        let mut parents = [0; 3];
        for _ in 0..60_000 {
            let thread = random.usize(..3);
            let parent = &mut parents[thread];
            // Mostly a little forward, sometimes anywhere.
            *parent = match random.u32(..100) {
                0 => random.usize(..known.len()),
                _ => (*parent + random.usize(..3)).min(known.len() - 1),
            };
            let event = if random.u32(..50) == 0 { random.u32(200..1000) } else { random.u32(..9) };
            let origin = Origin { parent: known[*parent], event };
            let position = lineages[thread].push(&blocks, origin);
            assert_eq!(expected.insert(position, origin), None, "positions are unique");
            known.push(position);
        }
        for position in known {
            let mut wanted = Path::new();
            let mut at = position;
            while at != ROOT {
                wanted.push(expected[&at].event);
                at = expected[&at].parent;
            }
            wanted.reverse();
            assert_eq!(path_to(lineages.iter(), position), wanted);
        }
    }

    #[test]
    fn two_bytes_a_state() {
        let blocks = Blocks::default();
        let mut lineage = Lineage::new();
        for position in 0..100_000 {
            let origin = Origin { parent: position / 3, event: 1 };
            assert_eq!(lineage.push(&blocks, origin), position);
        }
        assert!(lineage.bytes_used() < 240_000, "{}", lineage.bytes_used());
    }
}
