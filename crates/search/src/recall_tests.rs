//! Searches that recall moves against searches that do not.

use crate::frontier::Grain;
use crate::levels::search;
use crate::toy::{Behind, bad, behind, violations};
use crate::{SearchConfig, depth_first, dive};
use spinor_store::{Bitstate, ExactStore, Hashed, LongTree, Store, Table, Tree, Words};
use spinor_ts::{
    EventKind, Expansion, Footprint, FoundError, GroupMoves, Layout, LayoutOf, Outcome,
    SilentObserver, Stats, TransitionSystem, Violation,
};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// Cells in a row behind a byte that says how many there are. A group of moves looks at some of them
/// and changes these, by a rule drawn from a seed; some groups watch a cell to know at which others to look.
#[derive(Clone)]
struct Cells {
    seed: u64,
    cells: usize,
    /// Bytes from one cell to the next, of which the first one is used: others make for long words.
    pitch: usize,
    values: u8,
    groups: Vec<Rule>,
    /// Groups are told apart.
    is_apart: bool,
    /// How many times a group was expanded alone.
    alone: u64,
}

#[derive(Clone)]
struct Rule {
    anchor: usize,
    others: Vec<usize>,
    /// Looks only at the other that this cell points to.
    pointer: Option<usize>,
    /// Says so.
    names_pointer: bool,
    is_global: bool,
}

impl Cells {
    fn random(random: &mut fastrand::Rng) -> Self {
        let cells = random.usize(3..8);
        let rule = |random: &mut fastrand::Rng| Rule {
            anchor: random.usize(..cells),
            others: (0..random.usize(1..3)).map(|_| random.usize(..cells)).collect(),
            pointer: (random.u8(..2) == 0).then(|| random.usize(..cells)),
            names_pointer: random.u8(..3) > 0,
            is_global: random.u8(..12) == 0,
        };
        Self {
            seed: random.u64(..),
            cells,
            pitch: 1,
            values: random.u8(2..5),
            groups: (0..random.usize(1..5)).map(|_| rule(random)).collect(),
            is_apart: true,
            alone: 0,
        }
    }

    /// Where a cell lies in a state.
    fn place(&self, cell: usize) -> usize {
        1 + cell * self.pitch
    }

    /// The byte of a cell.
    fn byte(&self, cell: usize) -> std::ops::Range<usize> {
        self.place(cell)..self.place(cell) + 1
    }

    /// All cells, of which `cut` together are a part.
    fn parts(&self, cut: usize) -> LayoutOf {
        parts(self.cells * self.pitch, cut)
    }

    /// The cells that a group looks at.
    fn looks(&self, rule: &Rule, state: &[u8]) -> Vec<usize> {
        let mut cells = vec![rule.anchor];
        if let Some(pointer) = rule.pointer {
            let to = usize::from(state[self.place(pointer)]) % rule.others.len();
            // The cell that is pointed to points on, so pointers become known one by one.
            let next = usize::from(state[self.place(rule.others[to])]) % rule.others.len();
            cells.extend([pointer, rule.others[to], rule.others[next]]);
        } else {
            cells.extend(&rule.others);
        }
        cells
    }

    fn moves(&self, number: usize, state: &[u8], out: &mut Expansion) {
        let rule = &self.groups[number];
        let cells = self.looks(rule, state);
        let seen: Vec<u8> = cells.iter().map(|cell| state[self.place(*cell)]).collect();
        let seen = seen.iter().fold(self.seed ^ number as u64, |hash, value| {
            hash.rotate_left(9).wrapping_add(u64::from(*value) + 1).wrapping_mul(0x9e37_79b9)
        });
        let mut random = fastrand::Rng::with_seed(seen);
        for _ in 0..random.u8(..5) {
            let steps = random.u32(1..3);
            if random.u8(..60) == 0 {
                out.push_violation(bad(random.u32(..3)), steps);
                continue;
            }
            let mut next = state.to_vec();
            for cell in &cells {
                next[self.place(*cell)] = random.u8(..self.values);
            }
            out.push_successor(&next, steps);
            out.deepest = out.deepest.max(steps);
            out.atomic_steps += u64::from(steps) - 1;
        }
    }
}

impl TransitionSystem for Cells {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        Ok([&[self.cells as u8][..], &vec![0; self.cells * self.pitch]].concat())
    }

    fn expand(&mut self, state: &[u8], out: &mut Expansion) {
        out.clear();
        (0..self.groups.len()).for_each(|number| self.moves(number, state, out));
    }

    fn groups(&mut self, _: &[u8], anchors: &mut Vec<usize>) -> bool {
        anchors.clear();
        anchors.extend(self.groups.iter().map(|rule| self.place(rule.anchor)));
        self.is_apart
    }

    fn expand_group(
        &mut self,
        state: &[u8],
        group: usize,
        out: &mut Expansion,
        footprint: Option<&mut Footprint>,
    ) -> GroupMoves {
        self.alone += 1;
        out.clear();
        self.moves(group, state, out);
        let rule = &self.groups[group];
        if out.events().iter().any(|event| event.kind != EventKind::Successor) {
            return GroupMoves::Inseparable;
        }
        if let Some(footprint) = footprint {
            footprint.clear();
            let looks = self.looks(rule, state);
            looks.iter().for_each(|cell| footprint.add(self.byte(*cell)));
            match rule.pointer {
                Some(pointer) if rule.names_pointer => {
                    footprint.add_decider(self.byte(pointer));
                    footprint.add_decider(self.byte(looks[2]));
                }
                Some(_) => footprint.set_varying(),
                None => {}
            }
        }
        if rule.is_global { GroupMoves::Global } else { GroupMoves::Local }
    }
}

/// So many cells, of which `cut` together are a part.
fn parts(cells: usize, cut: usize) -> LayoutOf {
    let ends = (1..=cells).filter(|at| at % cut == 0).map(|at| 1 + at);
    let layout = Layout { prefix: 1, ends: ends.chain([1 + cells]).collect(), seams: Vec::new() };
    Arc::new(move |_: &[u8]| layout.clone())
}

fn over<T: TransitionSystem + Send>(systems: &mut [T], store: &impl Store) -> Outcome {
    let config = SearchConfig { max_errors: 0, by_moves: true, ..SearchConfig::default() };
    let grain = Grain { chunk: 40, list: 3, share: 20 };
    search(&mut behind(systems), store, &config, &mut SilentObserver, grain)
}

fn bits(bits: u32, system: &Cells, cut: usize, seed: u64) -> Words<Bitstate> {
    let bits = Bitstate::seeded(1 << bits, 3, seed);
    Words::with(bits, system.parts(cut), &[], || false)
}

/// The same over hashes of long words.
fn long_bits(bits: u32, system: &Cells, cut: usize, seed: u64) -> Words<Hashed<Bitstate, u128>> {
    let bits = Hashed::new(Bitstate::seeded(1 << bits, 3, seed));
    Words::with(bits, system.parts(cut), &[], || false)
}

fn long_hashes(system: &Cells, cut: usize) -> Words<Hashed<Table, u128>> {
    Words::with(Hashed::new(Table::default()), system.parts(cut), &[], || false).compact()
}

fn on_tree(system: &Cells, cut: usize, threads: usize) -> (Outcome, u64) {
    let mut systems = vec![system.clone(); threads];
    let outcome = over(&mut systems, &Tree::new(system.parts(cut), &[]));
    (outcome, systems.iter().map(|system| system.alone).sum())
}

/// The same in long words, with other bytes between the cells.
fn on_long_tree(system: &Cells, pitch: usize, cut: usize, threads: usize) -> (Outcome, u64) {
    let system = Cells { pitch, ..system.clone() };
    let mut systems = vec![system.clone(); threads];
    let outcome = over(&mut systems, &LongTree::new(system.parts(cut), &[]));
    (outcome, systems.iter().map(|system| system.alone).sum())
}

/// All that searches level by level have in common.
fn figures(outcome: &Outcome) -> ([u64; 4], u64, u64, BTreeSet<Violation>) {
    let stats = &outcome.stats;
    let counts = [stats.stored, stats.matched, stats.transitions, stats.atomic_steps];
    (counts, stats.expanded, outcome.error_count, violations(&outcome.errors))
}

#[test]
fn the_same_is_found() {
    // Groups of moves in all states, and those that were made.
    let (mut all, mut alone) = (0, 0);
    for seed in 0..200 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut cells = Cells::random(&mut random);
        let cut = random.usize(1..4);
        let whole = Cells { is_apart: false, ..cells.clone() };
        for threads in [1, 2] {
            let (recalled, groups) = on_tree(&cells, cut, threads);
            let (plain, _) = on_tree(&whole, cut, threads);
            assert_eq!(figures(&recalled), figures(&plain), "seed {seed}");
            all += recalled.stats.expanded * cells.groups.len() as u64;
            alone += groups;
            recalled.errors.iter().for_each(|error| follow(&mut cells, error));
            let (long, groups) = on_long_tree(&cells, random.usize(1..6), cut, threads);
            assert_eq!(figures(&long), figures(&plain), "seed {seed}");
            all += long.stats.expanded * cells.groups.len() as u64;
            alone += groups;
        }
    }
    assert!(all > 100_000 && 5 * alone < 3 * all, "{alone} of {all}");
}

/// With enough bits nothing is missed; with few, about as many states as are estimated.
#[test]
fn the_same_is_found_by_bits() {
    let (mut all, mut missed, mut expected) = (0, 0.0, 0.0);
    for seed in 0..150 {
        let mut random = fastrand::Rng::with_seed(seed);
        let cells = Cells::random(&mut random);
        let cut = random.usize(1..4);
        let (tree, _) = on_tree(&cells, cut, 1);
        for threads in [1, 2] {
            let mut systems = vec![cells.clone(); threads];
            let many = over(&mut systems, &bits(24, &cells, cut, seed));
            assert_eq!(figures(&many), figures(&tree), "seed {seed}");
            assert!(many.stats.expected_omitted.expect("it is lossy") < 0.1);
            let long = Cells { pitch: random.usize(1..6), ..cells.clone() };
            let mut long_systems = vec![long.clone(); threads];
            let many = over(&mut long_systems, &long_bits(24, &long, cut, seed));
            assert_eq!(figures(&many), figures(&tree), "seed {seed}");
            let few = [
                over(&mut systems, &bits(11, &cells, cut, seed)),
                over(&mut long_systems, &long_bits(11, &long, cut, seed)),
            ];
            for stats in few.map(|outcome| outcome.stats) {
                assert!(stats.stored <= tree.stats.stored && stats.expanded == stats.stored);
                all += tree.stats.stored;
                missed += (tree.stats.stored - stats.stored) as f64;
                expected += stats.expected_omitted.expect("it is lossy");
            }
        }
    }
    assert!(missed > 1000.0 && all > 30_000, "{missed} of {all}");
    assert!(missed < 2.0 * expected && expected < 2.0 * missed, "{missed} {expected}");
}

#[test]
fn one_clock_is_not_several() {
    let mut clocks = Clocks { rounds: [5; 3], cells: 4 };
    assert!(crate::movers(&mut clocks, &[vec![0; 5]]).groups > 1.0);
    assert!(crate::movers(&mut clocks, &[]).groups < 1.0);
}

/// As a hash-compact store the same words are found, but the verdict is that of a lossy store.
#[test]
fn the_same_is_found_by_hashes() {
    let mut random = fastrand::Rng::with_seed(5);
    let cells = Cells::random(&mut random);
    let (tree, _) = on_tree(&cells, 1, 1);
    let compact = Tree::new(cells.parts(1), &[]).compact();
    assert_eq!(compact.name(), "hash-compact");
    let outcome = over(&mut [cells.clone()], &compact);
    assert_eq!(outcome.stats.stored, tree.stats.stored);
    assert_eq!(outcome.stats.expected_omitted, Some(0.0));
    assert_eq!((outcome.incomplete.len(), tree.incomplete.len()), (1, 0));
    for seed in 0..100 {
        let mut random = fastrand::Rng::with_seed(seed);
        let cells = Cells { pitch: random.usize(1..6), ..Cells::random(&mut random) };
        let cut = random.usize(1..4);
        for threads in [1, 2] {
            let (tree, _) = on_tree(&cells, cut, threads);
            let hashes = long_hashes(&cells, cut);
            assert_eq!(hashes.name(), "hash-compact");
            let outcome = over(&mut vec![cells.clone(); threads], &hashes);
            assert_eq!(figures(&outcome), figures(&tree), "seed {seed}");
            let omitted = outcome.stats.expected_omitted.expect("it is lossy");
            assert!(omitted < 1e-9 && outcome.incomplete.len() == 1);
        }
    }
}

/// All that depth-first searches have in common.
fn figures_of_dive(outcome: &Outcome) -> (Stats, &[FoundError], u64) {
    let stats = Stats {
        expanded: 0,
        store_bytes: 0,
        peak_memory_bytes: 0,
        search_time: Duration::ZERO,
        ..outcome.stats.clone()
    };
    (stats, &outcome.errors, outcome.error_count)
}

#[test]
fn depth_first_is_the_same_event_by_event() {
    let (mut all, mut alone) = (0, 0);
    for seed in 0..400 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut cells = Cells::random(&mut random);
        let cut = random.usize(1..4);
        let stack_buffer_bytes = if random.bool() { 300 } else { 1 << 20 };
        let max_errors = random.u64(..3);
        let config = SearchConfig { max_errors, stack_buffer_bytes, ..SearchConfig::default() };
        let expected = depth_first(
            &mut (&mut cells.clone() as Behind<'_>),
            &mut ExactStore::new(),
            &config,
            &mut SilentObserver,
        );
        let tree = Tree::new(cells.parts(cut), &[]);
        let recalled = dive(&mut (&mut cells as Behind<'_>), &tree, &config, &mut SilentObserver);
        assert_eq!(figures_of_dive(&recalled), figures_of_dive(&expected), "seed {seed}");
        let mut wide = Cells { pitch: random.usize(1..6), ..cells.clone() };
        let long = LongTree::new(wide.parts(cut), &[]);
        let mut in_long = dive(&mut (&mut wide as Behind<'_>), &long, &config, &mut SilentObserver);
        in_long.stats.state_bytes = recalled.stats.state_bytes;
        assert_eq!(figures_of_dive(&in_long), figures_of_dive(&expected), "seed {seed}");
        all += recalled.stats.expanded * cells.groups.len() as u64;
        alone += cells.alone;
        recalled.errors.iter().for_each(|error| follow(&mut cells, error));
    }
    assert!(all > 100_000 && 5 * alone < 3 * all, "{alone} of {all}");
}

/// Clocks that go round, the first ones of many cells. The others make fields narrow: numbers of a large clock do not fit the
/// first form of a word, and after each round they do again.
struct Clocks {
    rounds: [u8; 3],
    cells: usize,
}

impl Clocks {
    fn tick(&self, clock: usize, state: &[u8], out: &mut Expansion) {
        let mut next = state.to_vec();
        next[1 + clock] = (next[1 + clock] + 1) % self.rounds[clock];
        out.push_successor(&next, 1);
        out.deepest = 1;
    }
}

impl TransitionSystem for Clocks {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        Ok(vec![0; 1 + self.cells])
    }

    fn expand(&mut self, state: &[u8], out: &mut Expansion) {
        out.clear();
        (0..self.rounds.len()).for_each(|clock| self.tick(clock, state, out));
    }

    fn groups(&mut self, _: &[u8], anchors: &mut Vec<usize>) -> bool {
        anchors.clear();
        anchors.extend(1..=self.rounds.len());
        true
    }

    fn expand_group(
        &mut self,
        state: &[u8],
        group: usize,
        out: &mut Expansion,
        footprint: Option<&mut Footprint>,
    ) -> GroupMoves {
        out.clear();
        self.tick(group, state, out);
        if let Some(footprint) = footprint {
            footprint.clear();
            footprint.add(1 + group..2 + group);
        }
        GroupMoves::Local
    }
}

fn come_back<S: Store>(cells: usize, make: impl Fn(LayoutOf) -> S) {
    for rounds in [[200, 3, 3], [60, 60, 9], [70, 9, 60]] {
        let clocks = || Clocks { rounds, cells };
        let store = || make(parts(cells, 1));
        let outcome = over(&mut [clocks()], &store());
        let states: u64 = rounds.iter().map(|round| u64::from(*round)).product();
        // The first state counts as if a move led to it.
        assert_eq!((outcome.stats.stored, outcome.stats.transitions), (states, 3 * states + 1));
        let config = SearchConfig::default();
        let recalled =
            dive(&mut (&mut clocks() as Behind<'_>), &store(), &config, &mut SilentObserver);
        let exact = &mut ExactStore::new();
        let expected =
            depth_first(&mut (&mut clocks() as Behind<'_>), exact, &config, &mut SilentObserver);
        assert_eq!(figures_of_dive(&recalled), figures_of_dive(&expected));
    }
}

#[test]
fn states_come_back_to_an_earlier_form() {
    come_back(14, |layouts| Tree::new(layouts, &[]));
    come_back(28, |layouts| LongTree::new(layouts, &[]));
}

/// The path of an error leads there, event by event.
fn follow(system: &mut Cells, error: &FoundError) {
    let mut state = system.initial().expect("there is one");
    let mut expansion = Expansion::new();
    let (last, way) = error.path.split_last().expect("the violation is an event");
    for number in way {
        system.expand(&state, &mut expansion);
        state = expansion.state(&expansion.events()[*number as usize]).to_vec();
    }
    system.expand(&state, &mut expansion);
    assert_eq!(expansion.events()[*last as usize].kind, EventKind::Violation(error.violation));
}
