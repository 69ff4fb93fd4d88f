use super::*;
use spinor_ts::Quad;
use std::collections::{HashMap, HashSet};
use std::sync::Barrier;
use std::thread;

const THREADS: u64 = 8;

/// Entries of either length.
trait Key: Entry + std::hash::Hash {
    /// One of these bits that is none of the reserved entries.
    fn made_of(bits: u128) -> Self;
}

impl Key for u64 {
    fn made_of(bits: u128) -> u64 {
        ((bits >> 64) as u64).clamp(1, u64::MAX - 1)
    }
}

impl Key for u128 {
    fn made_of(bits: u128) -> u128 {
        let key = bits | 1 << 64;
        if key.is_possible() { key } else { key | 1 }
    }
}

impl Key for Quad {
    fn made_of(bits: u128) -> Quad {
        let (low, high) = (bits as u64, (bits >> 64) as u64);
        Quad([high | 1, high, low, low | 1])
    }
}

/// Keys that are no reserved entries.
fn random_key<K: Key>(random: &mut fastrand::Rng) -> K {
    K::made_of(random.u128(..))
}

crate::in_all_lengths! {
    keys_behave_like_a_set
    a_table_of_one_thread_is_the_same_set
    memory_is_in_proportion
    a_key_is_new_for_one_thread
}

fn count<E: Entry>(table: &Table<E>) -> usize {
    let mut count = 0;
    table.for_each(|_| count += 1);
    count
}

fn keys_behave_like_a_set<K: Key>() {
    for segments in [1, 4, 64] {
        let mut random = fastrand::Rng::with_seed(segments as u64);
        let table = Table::<K>::new(segments);
        let mut expected = HashSet::new();
        let pool: Vec<K> = (0..60_000).map(|_| random_key(&mut random)).collect();
        for _ in 0..120_000 {
            let key = pool[random.usize(..pool.len())];
            assert_eq!(table.contains_key(key), expected.contains(&key));
            assert_eq!(table.insert_key(key), expected.insert(key));
        }
        assert!(pool.iter().all(|key| table.contains_key(*key) == expected.contains(key)));
        assert_eq!(count(&table), expected.len());
        table.quiesce();
        assert!(expected.iter().all(|key| table.contains_key(*key)));
    }
}

/// Large enough for arrays that grow in place.
fn a_table_of_one_thread_is_the_same_set<K: Key>() {
    let count_of_keys = 24_000_000 / size_of::<K>();
    let mut random = fastrand::Rng::with_seed(11);
    let (table, shared) = (Table::<K>::new(1), Table::<K>::new(1));
    table.set_alone(true);
    // Some tags are frequent: lines overflow, at both ends of an array as well.
    let tag = |random: &mut fastrand::Rng| match random.u32(..200) {
        0 => u32::MAX - random.u32(..3000),
        1 => random.u32(..3000),
        _ => random.u32(..),
    };
    // In halves, too: equal first ones with different second ones.
    let key = |random: &mut fastrand::Rng| {
        let first = u64::from(tag(random)) << 32 | u64::from(random.u32(1..1 << 20));
        K::made_of(u128::from(first) << 64 | random.u128(1..4))
    };
    let keys: Vec<K> = (0..count_of_keys).map(|_| key(&mut random)).collect();
    let (mut new, mut expected) = (Vec::new(), Vec::new());
    for keys in keys.chunks(1000) {
        table.insert_keys(keys, &mut new, |key| key);
        shared.insert_keys(keys, &mut expected, |key| key);
        assert_eq!(new, expected);
        new.clear();
        expected.clear();
        shared.quiesce();
    }
    assert_eq!(count(&table), count(&shared));
    assert!(keys.iter().all(|key| table.contains_key(*key)));
    assert!(!table.contains_key(K::made_of(3 << 64 | 99)));
    table.quiesce();
    assert!(table.bytes_used() <= shared.bytes_used(), "{table:?} {shared:?}");
}

#[test]
fn entries_with_equal_tags_are_all_found() {
    for tag in [0, 7, u32::MAX] {
        let table = Table::new(2);
        let entry = |number: u64| u64::from(tag) << 32 | number;
        for number in 1..1000 {
            let found = table.find_or_insert(tag, |at| at == entry(number), || entry(number));
            assert_eq!(found, Found::Added(entry(number)));
        }
        for number in 1..1000 {
            let is_it = |at| at == entry(number);
            assert_eq!(table.find(tag, is_it), Some(entry(number)));
            let found = table.find_or_insert(tag, is_it, || unreachable!("it is there"));
            assert_eq!(found, Found::At(entry(number)));
        }
        assert_eq!(table.find(tag, |_| false), None);
        assert_eq!(table.find(tag ^ 5, |_| true), None);
        assert_eq!(count(&table), 999);
    }
}

fn memory_is_in_proportion<K: Key>() {
    let mut random = fastrand::Rng::with_seed(9);
    let table = Table::<K>::new(16);
    assert!(table.bytes_used() < 8_000, "{}", table.bytes_used());
    assert_eq!(count(&table), 0);
    let count = 1_000_000;
    for _ in 0..count {
        assert!(table.insert_key(random_key::<K>(&mut random)));
    }
    table.quiesce();
    let per_entry = table.bytes_used() as f64 / f64::from(count);
    let per_entry = per_entry * 8.0 / size_of::<K>() as f64;
    assert!((9.0..18.0).contains(&per_entry), "{per_entry}");
}

/// Lets threads insert keys from a small pool and checks that each is new for one of them.
fn race_for_keys<K: Key>(seed: u64) {
    let mut random = fastrand::Rng::with_seed(seed);
    let table = Table::<K>::new(1 << random.u32(..3));
    // Few distinct tags make for long probes.
    let mask = if random.bool() { u128::MAX } else { 7 << 125 | 0xffff << 64 };
    // Few distinct first halves make for others to be waited for.
    let few = if random.bool() { u128::MAX } else { 7 << 125 | 7 };
    let key = |random: &mut fastrand::Rng| K::made_of(random.u128(..) & (mask | 7) & few);
    let pool: Vec<K> = (0..400).map(|_| key(&mut random)).collect();
    let start = Barrier::new(THREADS as usize);
    let insert = |thread: u64| {
        let mut random = fastrand::Rng::with_seed(seed * THREADS + thread);
        fastrand::seed(seed * THREADS + thread);
        start.wait();
        let mut won = Vec::new();
        for _ in 0..600 {
            let key = pool[random.usize(..pool.len())];
            if table.insert_key(key) {
                won.push(key);
            }
            assert!(table.contains_key(key));
        }
        won
    };
    let mut won: Vec<K> = thread::scope(|scope| {
        let insert = &insert;
        let threads: Vec<_> =
            (0..THREADS).map(|thread| scope.spawn(move || insert(thread))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
    });
    won.sort_unstable();
    assert!(won.windows(2).all(|pair| pair[0] < pair[1]), "new for two threads");
    let mut there = Vec::new();
    table.for_each(|entry| there.push(entry));
    there.sort_unstable();
    assert_eq!(there, won);
    assert!(pool.iter().all(|key| table.contains_key(*key) == won.binary_search(key).is_ok()));
}

fn a_key_is_new_for_one_thread<K: Key>() {
    (0..100).for_each(race_for_keys::<K>);
}

/// The same for entries that stand for something else: values by number.
fn race_for_numbers(seed: u64) {
    let table = Table::new(1);
    let values: Vec<AtomicU64> = (0..=600 * THREADS).map(|_| AtomicU64::new(0)).collect();
    let start = Barrier::new(THREADS as usize);
    let insert = |thread: u64| {
        let mut random = fastrand::Rng::with_seed(seed * THREADS + thread);
        fastrand::seed(seed * THREADS + thread);
        start.wait();
        let mut numbers = HashMap::new();
        let mut next = 1 + thread * 600;
        for _ in 0..600 {
            let value = random.u64(1..300);
            let tag = (value % 50) as u32 * 0x0508_0000;
            // Relaxed: the table has to make the value visible.
            let is_it = |entry| values[entry as u32 as usize].load(Ordering::Relaxed) == value;
            let found = table.find_or_insert(tag, is_it, || {
                values[next as usize].store(value, Ordering::Relaxed);
                u64::from(tag) << 32 | next
            });
            let at = match found {
                Found::Added(entry) => {
                    next += 1;
                    entry
                }
                Found::At(at) | Found::Lost { at, .. } => at,
            };
            assert_eq!(*numbers.entry(value).or_insert(at), at);
        }
        numbers
    };
    let all: Vec<HashMap<u64, u64>> = thread::scope(|scope| {
        let insert = &insert;
        let threads: Vec<_> =
            (0..THREADS).map(|thread| scope.spawn(move || insert(thread))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    let mut merged = HashMap::new();
    for (value, entry) in all.iter().flatten() {
        assert_eq!(merged.entry(value).or_insert(entry), &entry);
    }
    assert_eq!(count(&table), merged.len());
}

#[test]
fn a_value_has_one_number() {
    (0..100).for_each(race_for_numbers);
}

/// The limit of memory is looked at now and then: no two of four segments should grow by much at once.
#[test]
fn segments_grow_at_different_times() {
    let lengths = |stagger: usize| {
        let pace = array::Pace { stagger, is_bold: true };
        let next = move |len: &usize| Some(array::larger_len(*len, pace));
        std::iter::successors(Some(1), next).take_while(|len| *len < 1 << 24).collect::<Vec<_>>()
    };
    let all: Vec<Vec<usize>> = [0, 2, 4, 6].map(lengths).into();
    for own in &all {
        assert!(own.windows(2).all(|pair| pair[1] >= pair[0] + pair[0] / 4), "{own:?}");
    }
    // From ten to sixty megabytes, in lines: shorter ones matter less, and longer ones grow by a half, where lengths meet.
    let others = |own: &[usize], len: &usize| all.iter().any(|all| all != own && all.contains(len));
    for own in &all {
        let long = own.iter().filter(|len| (5 << 15..1 << 20).contains(*len));
        assert!(long.clone().count() > 1 && !long.into_iter().any(|len| others(own, len)));
    }
}
