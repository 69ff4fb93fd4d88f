//! Sets of processes that may move alone, remembered by where all processes stand.

use crate::select::{Relations, Scene};

/// Entries, a power of two.
const ENTRIES: usize = 1 << 14;

/// What is remembered; each entry gives way to the next one with its number.
#[derive(Debug, Default)]
pub(crate) struct Choices {
    entries: Vec<Entry>,
    /// One that nobody looks for.
    single: Entry,
}

/// The sets in states where processes stand so, as far as they were asked for.
#[derive(Clone, Debug, Default)]
struct Entry {
    positions: Vec<u32>,
    enabled: u64,
    /// Lists of conditions that were looked at, and whether they held.
    conditions: Vec<(u16, bool)>,
    sets: Vec<u64>,
    /// Processes that no set was made for yet.
    left: u64,
}

/// The sets of a state, one after the other.
pub(crate) struct Sets<'a> {
    entry: &'a mut Entry,
    scene: &'a Scene<'a>,
    relations: &'a mut Relations,
    is_futile: &'a [bool],
    next: usize,
    /// The relations know the state.
    has_begun: bool,
    /// Others will ask for them, who may want all.
    is_remembered: bool,
}

impl Choices {
    /// The sets of processes that may move alone, other than all, each with one of those that can move and
    /// may begin (it is not futile). `is_remembered`: they are looked for among those made before.
    pub fn sets<'a>(
        &'a mut self,
        scene: &'a Scene<'a>,
        relations: &'a mut Relations,
        is_futile: &'a [bool],
        is_remembered: bool,
    ) -> Sets<'a> {
        if !is_remembered {
            let entry = &mut self.single;
            entry.begin(scene, &[]);
            return Sets {
                entry,
                scene,
                relations,
                is_futile,
                next: 0,
                has_begun: false,
                is_remembered,
            };
        }
        if self.entries.is_empty() {
            self.entries.resize(ENTRIES, Entry::default());
        }
        let entry = &mut self.entries[place(scene)];
        let is_known = entry.enabled == scene.enabled
            && entry.positions == scene.positions
            && entry.conditions.iter().all(|(list, held)| relations.holds(scene, *list) == *held);
        if !is_known {
            entry.begin(scene, scene.positions);
        }
        Sets { entry, scene, relations, is_futile, next: 0, has_begun: false, is_remembered }
    }
}

impl Sets<'_> {
    /// The next one; those that nobody asked for before are made now. Unless sets are remembered, those of which so many as `limit` can move
    /// are left out.
    pub fn next(&mut self, limit: u32) -> Option<u64> {
        while self.next >= self.entry.sets.len() {
            let first = self.entry.left.trailing_zeros() as usize;
            if self.entry.left == 0 {
                return None;
            }
            self.entry.left &= self.entry.left - 1;
            if !self.is_futile[self.scene.positions[first] as usize] {
                self.make(first, limit);
            }
        }
        self.next += 1;
        self.entry.sets.get(self.next - 1).copied()
    }

    /// The conditions that what was found depends on, and whether they held.
    pub fn conditions(&self) -> &[(u16, bool)] {
        &self.entry.conditions
    }

    fn make(&mut self, first: usize, limit: u32) {
        let Sets { entry, scene, relations, .. } = self;
        let limit = if self.is_remembered { u32::MAX } else { limit };
        if !std::mem::replace(&mut self.has_begun, true) {
            relations.begin(scene);
        }
        let set = relations.closure(scene, first, limit);
        if scene.enabled & !set != 0 && !entry.sets.contains(&set) {
            entry.sets.push(set);
        }
        for condition in relations.consulted() {
            if !entry.conditions.contains(condition) {
                entry.conditions.push(*condition);
            }
        }
    }
}

impl Entry {
    fn begin(&mut self, scene: &Scene<'_>, positions: &[u32]) {
        (self.enabled, self.left) = (scene.enabled, scene.enabled);
        self.positions.clear();
        self.positions.extend_from_slice(positions);
        self.sets.clear();
        self.conditions.clear();
    }
}

/// Where a state belongs.
fn place(scene: &Scene<'_>) -> usize {
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    let stir = |hash: u64, next: u64| (hash.rotate_left(23) ^ next).wrapping_mul(MULTIPLIER);
    let positions = scene.positions.iter().map(|position| u64::from(*position));
    (positions.fold(stir(0, scene.enabled), stir) >> 32) as usize % ENTRIES
}
