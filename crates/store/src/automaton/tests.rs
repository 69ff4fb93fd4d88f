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

/// Number of different sets of suffixes: that many nodes a smallest automaton has. Words are given by their letters, with their lengths
/// in bytes.
fn smallest(words: &BTreeSet<(usize, Vec<u8>)>) -> usize {
    let mut sets: HashSet<BTreeSet<Vec<u8>>> = HashSet::new();
    let mut prefixes: BTreeMap<(usize, Vec<u8>), BTreeSet<Vec<u8>>> = BTreeMap::new();
    for (length, word) in words {
        for at in 0..word.len() {
            let key = (*length, word[..at].to_vec());
            prefixes.entry(key).or_default().insert(word[at..].to_vec());
        }
    }
    sets.extend(prefixes.into_values());
    sets.len()
}

/// The letters of a word that is there.
fn spelt(words: &Words, word: &[u8]) -> (usize, Vec<u8>) {
    let branch = &words.branches[words.by_length[&word.len()]];
    assert!(branch.suits(word));
    let mut letters = Vec::new();
    branch.spell(word, &mut letters);
    (word.len(), letters)
}

#[test]
fn is_always_the_smallest() {
    for seed in 0..60 {
        let mut random = fastrand::Rng::with_seed(seed);
        let automaton = Automaton::new();
        let mut words = BTreeSet::new();
        let (letters, longest) = (random.u8(2..6), random.usize(0..6));
        for _ in 0..150 {
            let length = random.usize(0..=longest);
            let word: Vec<u8> = (0..length).map(|_| random.u8(..letters)).collect();
            assert_eq!(automaton.has(&word), words.contains(&word));
            assert_eq!(automaton.add(&word), words.insert(word));
            let all = automaton.words();
            let letters = words.iter().map(|word| spelt(&all, word)).collect();
            assert_eq!(all.nodes.count(), smallest(&letters), "seed {seed}");
        }
    }
}

#[test]
fn all_words_take_a_node_per_byte_that_varies() {
    let automaton = Automaton::new();
    let mut random = fastrand::Rng::with_seed(3);
    let mut numbers: Vec<u32> = (0..1 << 16).collect();
    random.shuffle(&mut numbers);
    for number in numbers {
        assert!(automaton.add(&number.to_le_bytes()));
    }
    assert_eq!(automaton.words().nodes.count(), 2);
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

#[test]
fn bytes_begin_to_vary_early_and_late() {
    let automaton = Automaton::new();
    let mut random = fastrand::Rng::with_seed(9);
    let mut words = BTreeSet::new();
    for round in 0..400_usize {
        // From time to time one more byte is not zero.
        let mut word = vec![0; 12];
        (0..=round / 40).for_each(|at| word[(5 * at) % 12] = random.u8(..3));
        assert_eq!(automaton.has(&word), words.contains(&word));
        assert_eq!(automaton.add(&word), words.insert(word));
    }
    let all = automaton.words();
    let branch = &all.branches[0];
    assert_eq!((branch.count, branch.letters()), (words.len(), 10));
    let mut found = BTreeSet::new();
    all.nodes.each_word(branch.root, branch.letters(), &mut |letters| {
        found.insert(letters.to_vec());
    });
    let expected = words.iter().map(|word| spelt(&all, word).1).collect();
    assert_eq!(found, expected);
}
