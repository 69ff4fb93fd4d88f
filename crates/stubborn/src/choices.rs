//! Sets of processes that may move alone, remembered by where all processes stand.

use crate::select::{Relations, Scene};

/// Entries, a power of two.
const ENTRIES: usize = 1 << 14;

/// What is remembered; each entry gives way to the next one with its number.
#[derive(Debug, Default)]
pub(crate) struct Choices(Vec<Entry>);

/// The sets in states where processes stand so.
#[derive(Clone, Debug, Default)]
struct Entry {
    positions: Vec<u32>,
    enabled: u64,
    /// Lists of conditions that were looked at, and whether they held.
    conditions: Vec<(u16, bool)>,
    sets: Vec<u64>,
}

impl Choices {
    /// The sets of processes that may move alone, other than all, each with one of those that can move and
    /// that are not held.
    pub fn sets(
        &mut self,
        scene: &Scene<'_>,
        relations: &mut Relations,
        is_held: &[bool],
    ) -> &[u64] {
        if self.0.is_empty() {
            self.0.resize(ENTRIES, Entry::default());
        }
        let entry = &mut self.0[place(scene)];
        let is_known = entry.enabled == scene.enabled
            && entry.positions == scene.positions
            && entry.conditions.iter().all(|(list, held)| relations.holds(scene, *list) == *held);
        if !is_known {
            entry.fill(scene, relations, is_held);
        }
        &entry.sets
    }
}

impl Entry {
    fn fill(&mut self, scene: &Scene<'_>, relations: &mut Relations, is_held: &[bool]) {
        relations.begin();
        self.enabled = scene.enabled;
        self.positions.clear();
        self.positions.extend_from_slice(scene.positions);
        self.sets.clear();
        let mut left = scene.enabled;
        while left != 0 {
            let first = left.trailing_zeros() as usize;
            left &= left - 1;
            if is_held[scene.positions[first] as usize] {
                continue;
            }
            let set = relations.closure(scene, first);
            if scene.enabled & !set != 0 && !self.sets.contains(&set) {
                self.sets.push(set);
            }
        }
        self.conditions.clear();
        self.conditions.extend_from_slice(relations.consulted());
    }
}

/// Where a state belongs.
fn place(scene: &Scene<'_>) -> usize {
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    let stir = |hash: u64, next: u64| (hash.rotate_left(23) ^ next).wrapping_mul(MULTIPLIER);
    let positions = scene.positions.iter().map(|position| u64::from(*position));
    (positions.fold(stir(0, scene.enabled), stir) >> 32) as usize % ENTRIES
}
