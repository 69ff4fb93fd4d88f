//! The tree against plain maps.

use super::*;
use fastrand::Rng;
use spinor_ts::{Layout, PADDING, Padded};
use std::collections::HashMap;
use std::sync::Arc;

type Set<W> = Words<Table<W>>;

crate::in_all_lengths! {
    few_layouts
    many_layouts
    a_sample_gives_frequent_layouts_the_numbers
    widths_overflow
    wide_from_the_start
    random_states
    sizes_at_the_edge
    odd_layouts_do_no_harm
    each_state_of_a_large_set_is_new_once
    memory_is_that_of_the_table_and_the_dictionaries
    is_like_every_store
    a_hundred_races
    keys_of_many_are_keys
    short_words_are_given_up
    suits_narrow_states
}

/// Parts of `part` bytes behind a prefix of one.
fn parts(part: usize) -> LayoutOf {
    Arc::new(move |state: &[u8]| {
        let prefix = 1.min(state.len());
        let mut ends: Vec<usize> = (prefix..state.len()).step_by(part).skip(1).collect();
        ends.push(state.len());
        Layout { prefix, ends, seams: Vec::new() }
    })
}

/// A source of states that are related: walks with jumps.
struct Walk {
    random: Rng,
    /// Of each layout: first byte and length.
    layouts: Vec<(u8, usize)>,
    /// Bytes take values below this.
    values: u8,
    state: Vec<u8>,
}

impl Walk {
    fn new(seed: u64, layouts: Vec<(u8, usize)>, values: u8) -> Self {
        let mut walk = Self { random: Rng::with_seed(seed), layouts, values, state: Vec::new() };
        walk.jump();
        walk
    }

    fn jump(&mut self) {
        let (first, len) = self.layouts[self.random.usize(..self.layouts.len())];
        self.state.resize(len, 0);
        if let Some(byte) = self.state.first_mut() {
            *byte = first;
        }
    }

    fn step(&mut self) -> &[u8] {
        if self.random.u32(..20) == 0 {
            self.jump();
        }
        for _ in 0..self.random.u32(..3) {
            if self.state.len() > 1 {
                let at = self.random.usize(1..self.state.len());
                self.state[at] = self.random.u8(..self.values);
            }
        }
        &self.state
    }
}

/// Inserts the states of a walk and compares with a map, from whatever origins.
fn compare<W: Word>(tree: &Set<W>, walk: &mut Walk, steps: usize) {
    let mut known: HashMap<Vec<u8>, W> = HashMap::new();
    let mut keys: HashMap<W, Vec<u8>> = HashMap::new();
    let mut local = tree.local();
    let mut out = Vec::new();
    let mut random = Rng::with_seed(steps as u64);
    for step in 0..steps {
        let state = walk.step().to_vec();
        let key = tree.key(&mut local, &state);
        assert_eq!(tree.contains(&mut local, key, &state), known.contains_key(&state));
        let inserted = tree.insert(&mut local, key, &[]);
        match known.get(&state) {
            Some(other) => assert_eq!((inserted, *other), (Insertion::Known, key)),
            None => {
                assert_eq!(inserted, Insertion::New(key));
                assert_eq!(keys.insert(key, state.clone()), None, "one key for two states");
                known.insert(state.clone(), key);
            }
        }
        match random.u32(..6) {
            0 => tree.set_origin(&mut local, &state),
            1 => {
                tree.load_key(&mut local, key, &mut out);
                assert_eq!(out, state);
            }
            2 if step % 16 == 0 => local = tree.local(),
            _ => {}
        }
    }
    for (state, key) in &known {
        tree.load(&mut local, *key, &mut out);
        assert_eq!(&out, state);
        assert_eq!(tree.key(&mut local, state), *key);
    }
    let mut count = 0;
    tree.for_each_state(|state| {
        assert!(known.contains_key(state));
        count += 1;
    });
    assert_eq!(count, known.len());
}

fn forms<W: Word>(tree: &Set<W>) -> Vec<Vec<Option<usize>>> {
    let form = |form: &packing::Packing| form.number.map(|_| form.level);
    let shape = |shape: &Arc<layouts::Shape>| shape.forms().map(form).collect();
    tree.codec.plan().shapes.all.iter().map(shape).collect()
}

fn few_layouts<W: Word>() {
    let tree = Set::<W>::new(parts(4), &[]);
    let mut walk = Walk::new(1, vec![(0, 20), (1, 20), (1, 33)], 4);
    compare(&tree, &mut walk, 50_000);
    assert!(forms(&tree).iter().all(|forms| forms[0] == Some(0)), "{:?}", forms(&tree));
}

fn many_layouts<W: Word>() {
    let tree = Set::<W>::new(parts(3), &[]);
    let layouts = (0..400).map(|n| ((n % 200) as u8, 2 + n / 3)).collect();
    compare(&tree, &mut Walk::new(2, layouts, 3), 30_000);
    let forms = forms(&tree);
    assert!(forms.len() > 300, "{}", forms.len());
    assert!(forms.iter().any(|forms| forms == &[None]), "no number is left for some");
}

fn a_sample_gives_frequent_layouts_the_numbers<W: Word>() {
    let layouts = (0..400).map(|n| ((n % 200) as u8, 2 + n / 3)).collect();
    let mut sample: Vec<Vec<u8>> = Vec::new();
    let mut rare = Walk::new(3, layouts, 2);
    sample.extend((0..600).map(|_| rare.step().to_vec()));
    let mut frequent = Walk::new(4, vec![(250, 12), (251, 40)], 3);
    sample.extend((0..1000).map(|_| frequent.step().to_vec()));
    let tree = Set::<W>::new(parts(3), &sample);
    let &(first, _) = tree.codec.packings[0].get().unwrap();
    let first = Arc::clone(&tree.codec.plan().shapes.all[first as usize]);
    assert!(first.prefix[0] >= 250, "{first:?}");
    compare(&tree, &mut frequent, 20_000);
    compare_again(&tree, &mut rare);
}

/// As `compare`, for a tree that is not empty.
fn compare_again<W: Word>(tree: &Set<W>, walk: &mut Walk) {
    let mut local = tree.local();
    let mut out = Vec::new();
    for _ in 0..5000 {
        let state = walk.step().to_vec();
        let key = tree.key(&mut local, &state);
        tree.insert(&mut local, key, &[]);
        tree.load(&mut local, key, &mut out);
        assert_eq!(out, state);
    }
}

fn widths_overflow<W: Word>() {
    // Too few bits for all leaves, and the sample has them small.
    let len = W::BITS as usize / 32 * 20;
    let calm: Vec<Vec<u8>> = (0..100_u8).map(|n| [&vec![0; len][..], &[n % 3]].concat()).collect();
    let tree = Set::<W>::new(parts(2), &calm);
    let mut walk = Walk::new(5, vec![(0, len + 1)], 12);
    compare(&tree, &mut walk, 60_000);
    let forms = &forms(&tree)[0];
    assert!(forms.len() > 2 && forms[0] == Some(0), "{forms:?}");
    assert!(forms.is_sorted_by_key(|form| form.unwrap_or(usize::MAX)), "{forms:?}");
}

fn wide_from_the_start<W: Word>() {
    let tree = Set::<W>::new(parts(5), &[]);
    for (len, number) in [(1, 0), (2, 1), (8, 2), (90, 3)] {
        let state: Vec<u8> = vec![number; len];
        let mut local = tree.local();
        let shape = local.codec.shape_of(&tree.codec, &state);
        let shape = Arc::clone(&local.codec.finder.shapes[shape]);
        shape.need_pairs(&mut tree.codec.plan().dictionaries);
        shape.forms[0].set(packing::Packing::wide(shape.top())).unwrap();
    }
    compare(&tree, &mut Walk::new(6, vec![(0, 1), (1, 2), (2, 8), (3, 90)], 9), 40_000);
    assert!(forms(&tree).iter().all(|forms| forms == &[None]));
}

fn random_states<W: Word>() {
    for seed in 0..20 {
        let mut random = Rng::with_seed(seed);
        let layouts = (0..random.u8(1..9)).map(|n| (n, random.usize(1..80))).collect();
        let tree = Set::<W>::new(parts(random.usize(1..20)), &[]);
        compare(&tree, &mut Walk::new(seed, layouts, random.u8(2..)), 5000);
    }
}

fn sizes_at_the_edge<W: Word>() {
    let whole: LayoutOf = Arc::new(|state: &[u8]| Layout {
        prefix: state.len(),
        ends: vec![state.len()],
        seams: Vec::new(),
    });
    let tree = Set::<W>::new(whole, &[]);
    compare(&tree, &mut Walk::new(7, vec![(0, 1), (1, 1), (2, 9), (3, 30)], 3), 3000);
    let tree = Set::<W>::new(parts(1), &[vec![]]);
    compare(&tree, &mut Walk::new(8, vec![(0, 0), (0, 1), (0, 2), (0, 10_001)], 200), 500);
    let tree = Set::<W>::new(parts(1000), &[]);
    compare(&tree, &mut Walk::new(9, vec![(0, 100_000), (1, 64), (1, 65), (1, 63)], 200), 500);
}

fn odd_layouts_do_no_harm<W: Word>() {
    let odd: LayoutOf =
        Arc::new(|_: &[u8]| Layout { prefix: 50, ends: vec![70, 3, 20], seams: Vec::new() });
    let tree = Set::<W>::new(odd, &[]);
    compare(&tree, &mut Walk::new(10, vec![(0, 10), (0, 55), (0, 90)], 5), 2000);
}

fn each_state_of_a_large_set_is_new_once<W: Word>() {
    // Two million entries: a table that grows often, with few states at each border.
    const STATES: u32 = 1 << 21;
    let tree = Set::<W>::new(parts(1), &[]);
    let mut local = tree.local();
    for round in 0..2 {
        for number in 0..STATES {
            // Odd times anything is a bijection: neighbours come in no order.
            let number = number.wrapping_mul(0x9e37_79b1) % STATES;
            let state = [&[0][..], &number.to_le_bytes()[..3]].concat();
            let key = tree.key(&mut local, &state);
            let is_new = tree.insert(&mut local, key, &[]) != Insertion::Known;
            assert_eq!(is_new, round == 0, "{state:?}");
        }
    }
}

fn memory_is_that_of_the_table_and_the_dictionaries<W: Word>() {
    let tree = Set::<W>::new(parts(2), &[]);
    let mut local = tree.local();
    let mut random = Rng::with_seed(11);
    let mut stored = 0;
    // So many that a large page for each segment is not much.
    while stored < 600_000 {
        let state: Vec<u8> = [&[0][..], &random.u64(..).to_le_bytes()[..6]].concat();
        let key = tree.key(&mut local, &state);
        stored += u64::from(tree.insert(&mut local, key, &[]) != Insertion::Known);
    }
    tree.quiesce();
    let dictionaries = 3 * 65_536 * (8 + 8);
    let bytes = tree.bytes_used();
    let least = stored * size_of::<W>() as u64 + dictionaries;
    assert!((least..2 * least + (1 << 20)).contains(&bytes), "{bytes} of {least}");
}

/// Threads insert overlapping walks; what they find new must add up.
fn race<W: Word>(seed: u64) {
    const THREADS: u64 = 8;
    let mut random = Rng::with_seed(seed);
    let layouts: Vec<(u8, usize)> =
        (0..random.u8(1..40)).map(|n| (n, random.usize(1..60))).collect();
    let values = random.u8(2..30);
    let part = random.usize(1..9);
    let tree = Set::<W>::new(parts(part), &[]);
    let barrier = std::sync::Barrier::new(THREADS as usize);
    let found: Vec<HashMap<Vec<u8>, (W, u32)>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| {
                let (tree, layouts, barrier) = (&tree, layouts.clone(), &barrier);
                scope.spawn(move || {
                    // Four walks, each by two threads.
                    let mut walk = Walk::new(seed * 10 + thread / 2, layouts, values);
                    let mut pauses = Rng::with_seed(thread);
                    let mut found = HashMap::new();
                    let mut local = tree.local();
                    barrier.wait();
                    for _ in 0..600 {
                        let state = walk.step().to_vec();
                        let key = tree.key(&mut local, &state);
                        let is_new = tree.insert(&mut local, key, &[]) != Insertion::Known;
                        let entry = found.entry(state.clone()).or_insert((key, 0));
                        assert_eq!(entry.0, key);
                        entry.1 += u32::from(is_new);
                        match pauses.u32(..10) {
                            0 => std::thread::yield_now(),
                            1..4 => tree.set_origin(&mut local, &state),
                            _ => {}
                        }
                    }
                    found
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let mut all: HashMap<Vec<u8>, (W, u32)> = HashMap::new();
    for (state, (key, new)) in found.into_iter().flatten() {
        let entry = all.entry(state).or_insert((key, 0));
        assert_eq!(entry.0, key, "two keys for one state");
        entry.1 += new;
    }
    assert!(all.values().all(|(_, new)| *new == 1), "each state is new once");
    let mut local = tree.local();
    let mut out = Vec::new();
    for (state, (key, _)) in &all {
        tree.load(&mut local, *key, &mut out);
        assert_eq!(&out, state);
    }
}

fn is_like_every_store<W: Word>() {
    crate::stress::equals_a_map(|| Set::<W>::new(parts(3), &[]));
    crate::stress::threads_agree(|| Set::<W>::new(parts(2), &[]));
}

fn a_hundred_races<W: Word>() {
    (0..100).for_each(race::<W>);
}

/// The keys of whole expansions are those of their states, padded or not, whatever the origin.
fn keys_of_many_are_keys<W: Word>() {
    let mut random = Rng::with_seed(12);
    for (seed, layouts) in [
        vec![(1, 20)],
        vec![(1, 9), (2, 9), (3, 33)],
        vec![(1, 64), (2, 63)],
        vec![(1, 2), (2, 40), (3, 70), (4, 300)],
        vec![(1, 130)],
    ]
    .into_iter()
    .enumerate()
    {
        let mut walk = Walk::new(seed as u64, layouts, if seed == 0 { 255 } else { 7 });
        // A small sample: packings will be outgrown.
        let sample: Vec<Vec<u8>> = (0..3).map(|_| walk.step().to_vec()).collect();
        let tree = Set::<W>::new(parts(5), &sample);
        let (mut local, mut judge) = (tree.local(), tree.local());
        for _ in 0..400 {
            let count = random.usize(1..5);
            let padding = |state: &mut Vec<u8>| state.resize(state.len() + PADDING, random.u8(..));
            let mut parents: Vec<Vec<u8>> = (0..count).map(|_| walk.step().to_vec()).collect();
            let lengths: Vec<usize> = parents.iter().map(Vec::len).collect();
            let refs: Vec<W> = parents.iter().map(|p| tree.key(&mut judge, p)).collect();
            parents.iter_mut().for_each(padding);
            let states: Vec<Padded<'_>> = (parents.iter().zip(&lengths))
                .map(|(bytes, len)| Padded::new(bytes, *len).unwrap())
                .collect();
            let mut expansion = Expansion::new();
            let (mut ends, mut expected) = (Vec::new(), Vec::new());
            for parent in &states {
                for _ in 0..random.u32(..6) {
                    let mut next = parent.state().to_vec();
                    for _ in 0..random.u32(..3) {
                        let at = random.usize(1..next.len());
                        next[at] = random.u8(..);
                    }
                    if random.u32(..9) == 0 {
                        next = walk.step().to_vec();
                    }
                    expected.push(tree.key(&mut judge, &next));
                    expansion.push_successor(&next, 1);
                }
                if random.u32(..5) == 0 {
                    let kind = spinor_ts::ViolationKind::Assertion;
                    expansion.push_violation(spinor_ts::Violation { kind, site: 0 }, 1);
                }
                ends.push(expansion.events().len() as u32);
            }
            if random.bool() {
                let bytes = expansion.raw_parts().1;
                bytes.resize(bytes.len() + PADDING, 1);
            }
            let origins = Origins { refs: &refs, states: &states, ends: &ends };
            let mut keys = vec![W::from(7)];
            tree.keys_many(&mut local, &origins, &expansion, &mut keys);
            assert_eq!(keys[1..], expected);
            let mut new = Vec::new();
            let known: Vec<bool> =
                expected.iter().map(|key| tree.contains(&mut local, *key, &[])).collect();
            tree.insert_all(&mut local, &expected, &expansion, 0, &mut new);
            for (number, key) in &new {
                assert!(!known[*number as usize] && expected[*number as usize] == *key);
            }
            assert!(expected.iter().all(|key| tree.contains(&mut local, *key, &[])));
            let mut missing: Vec<W> =
                expected.iter().zip(&known).filter(|(_, k)| !**k).map(|(key, _)| *key).collect();
            missing.sort_unstable();
            missing.dedup();
            assert_eq!(new.len(), missing.len());
        }
    }
}

/// A store whose words become too short says so, if it can be replaced by another one.
fn short_words_are_given_up<W: Word>() {
    let len = W::BITS as usize / 32 * 20;
    let calm: Vec<Vec<u8>> = (0..100_u8).map(|n| [&vec![0; len][..], &[n % 3]].concat()).collect();
    let plain = Set::<W>::new(parts(2), &calm);
    let (tree, has_given_up) = Set::<W>::new(parts(2), &calm).replaceable();
    assert!(tree.fits(&calm) && !has_given_up.load(std::sync::atomic::Ordering::Relaxed));
    assert!(!tree.is_nearly_full());
    let mut walk = Walk::new(5, vec![(0, len + 1)], 12);
    let (mut local, mut other) = (tree.local(), plain.local());
    for _ in 0..60_000 {
        let state = walk.step();
        tree.key(&mut local, state);
        plain.key(&mut other, state);
    }
    assert!(!has_given_up.load(std::sync::atomic::Ordering::Relaxed), "it was not asked");
    assert!(tree.is_nearly_full() && !plain.is_nearly_full());
    assert!(has_given_up.load(std::sync::atomic::Ordering::Relaxed));
}

/// Words of leaves are for states whose parts have few values, and no more and more of them.
fn suits_narrow_states<W: Word>() {
    let of = |values: u32, parts: usize| -> Vec<Vec<u8>> {
        let mut random = Rng::with_seed(1);
        let part = |random: &mut Rng| (random.u32(..values) as u16).to_le_bytes();
        (0..2000)
            .map(|_| [vec![1], (0..parts).flat_map(|_| part(&mut random)).collect()].concat())
            .collect()
    };
    let many = W::BITS as usize / 2;
    let suits = |sample: Vec<Vec<u8>>| Set::<W>::new(parts(2), &sample).suits(&sample);
    assert!(suits(of(20, many / 5)));
    assert!(!suits(of(20, many)), "too many parts");
    assert!(!suits(of(60_000, many / 6)), "parts that take ever more values");
    assert!(suits(of(60_000, 1)));
    assert!(!suits(Vec::new()), "nothing is known");
}
