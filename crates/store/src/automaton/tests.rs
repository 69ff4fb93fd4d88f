use super::*;
use crate::stress;
use std::collections::{BTreeMap, BTreeSet, HashSet};

#[test]
fn equals_a_map() {
    stress::equals_a_map(Automaton::new);
}

#[test]
fn threads_agree() {
    stress::threads_agree(Automaton::new);
}

/// Number of different sets of suffixes: that many nodes a smallest automaton has.
fn smallest(words: &BTreeSet<Vec<u8>>) -> usize {
    let mut sets: HashSet<BTreeSet<Vec<u8>>> = HashSet::new();
    let mut prefixes: BTreeMap<(usize, Vec<u8>), BTreeSet<Vec<u8>>> = BTreeMap::new();
    for word in words {
        for at in 0..word.len() {
            let key = (word.len(), word[..at].to_vec());
            prefixes.entry(key).or_default().insert(word[at..].to_vec());
        }
    }
    sets.extend(prefixes.into_values());
    sets.len()
}

#[test]
fn is_always_the_smallest() {
    for seed in 0..60 {
        let mut random = fastrand::Rng::with_seed(seed);
        let automaton = Automaton::new();
        let mut words = BTreeSet::new();
        let (letters, longest) = (random.u8(2..6), random.usize(1..6));
        for _ in 0..150 {
            let length = random.usize(1..=longest);
            let word: Vec<u8> = (0..length).map(|_| random.u8(..letters)).collect();
            assert_eq!(automaton.has(&word), words.contains(&word));
            assert_eq!(automaton.add(&word), words.insert(word));
            assert_eq!(automaton.words().nodes.count(), smallest(&words), "seed {seed}");
        }
    }
}

#[test]
fn all_words_take_a_node_per_letter() {
    let automaton = Automaton::new();
    let mut random = fastrand::Rng::with_seed(3);
    let mut numbers: Vec<u32> = (0..1 << 16).collect();
    random.shuffle(&mut numbers);
    for number in numbers {
        assert!(automaton.add(&number.to_le_bytes()));
    }
    assert_eq!(automaton.words().nodes.count(), 4);
}

#[test]
fn memory_of_nodes_is_used_again() {
    let automaton = Automaton::new();
    let mut random = fastrand::Rng::with_seed(5);
    let mut numbers: Vec<u64> = (0..200_000).collect();
    random.shuffle(&mut numbers);
    for number in numbers {
        let digits = [number % 60, number / 60 % 60, number / 3600];
        let word: Vec<u8> = digits.iter().flat_map(|digit| (*digit as u16).to_le_bytes()).collect();
        automaton.add(&word);
    }
    assert!(automaton.words().nodes.count() < 200);
    assert!(automaton.bytes_used() < 8 << 20, "{}", automaton.bytes_used());
}
