//! The visited set as the smallest automaton that accepts its states: SPIN's `MA`.
//!
//! States of one length are words: their letters are the bytes that vary ([`branch`]). The automaton has a layer per letter, so
//! it has no cycles and every subset of states has one smallest automaton. It is kept smallest by
//! having no two equal nodes, after every insertion. All lengths share the nodes.
//!
//! An insertion walks down the known part of the word. From the bottom up, nodes that only this
//! word passes are changed where they are, others are copied; a node that has become equal to
//! another one is replaced by it. Where a node was changed and is still itself, those above
//! need not be looked at. A. Puri and G. J. Holzmann, "A minimized automaton
//! representation of reachable states" (1999).
//!
//! One word is much like the next, so the way of the last one is kept: a walk begins where
//! they part.
//!
//! One thread works at a time.

mod branch;
mod nodes;

use crate::{Insertion, Store};
use branch::Branch;
use nodes::{ACCEPT, NONE, Nodes};
use spinor_ts::Expansion;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Words that are looked for at the same time.
const TOGETHER: usize = 16;
/// So few words of a length are put in again when one more of their bytes begins to vary.
const FEW: usize = if cfg!(test) { 40 } else { 1 << 12 };

/// A set of byte strings that is small where they are alike, and never errs.
#[derive(Debug)]
pub struct Automaton(Mutex<Words>);

#[derive(Debug)]
struct Words {
    nodes: Nodes,
    branches: Vec<Branch>,
    /// Numbers of branches by the length of their words.
    by_length: HashMap<usize, usize>,
    /// The branch of the word looked at last, and its letters.
    branch: usize,
    last: Vec<u8>,
    /// Nodes on its way, as far as it goes.
    way: Vec<u32>,
    /// Letters of words that are looked for.
    letters: Vec<u8>,
}

impl Automaton {
    /// An empty one.
    #[must_use]
    pub fn new() -> Self {
        Self(Mutex::new(Words {
            nodes: Nodes::new(),
            branches: Vec::new(),
            by_length: HashMap::new(),
            branch: 0,
            last: Vec::new(),
            way: Vec::new(),
            letters: Vec::new(),
        }))
    }

    fn words(&self) -> MutexGuard<'_, Words> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a string; false if it was there.
    pub fn add(&self, word: &[u8]) -> bool {
        self.words().add(word)
    }

    /// Whether a string is there.
    #[must_use]
    pub fn has(&self, word: &[u8]) -> bool {
        self.words().has(word)
    }
}

impl Default for Automaton {
    fn default() -> Self {
        Self::new()
    }
}

impl Words {
    /// The branch for words of a length.
    #[inline]
    fn branch_of(&self, length: usize) -> Option<usize> {
        match self.branches.get(self.branch) {
            Some(branch) if branch.length() == length => Some(self.branch),
            _ => self.by_length.get(&length).copied(),
        }
    }

    fn has(&mut self, word: &[u8]) -> bool {
        let Some(branch) = self.branch_of(word.len()) else { return false };
        self.branches[branch].suits(word) && self.walk(branch, word) == ACCEPT
    }

    /// Follows a word as far as its way is there, and returns where that ends.
    fn walk(&mut self, branch: usize, word: &[u8]) -> u32 {
        let Self { nodes, branches, last, way, letters, .. } = self;
        letters.clear();
        branches[branch].spell(word, letters);
        let mut node = if self.branch == branch && last.len() == letters.len() {
            let alike = last.iter().zip(&*letters).take_while(|(a, b)| a == b).count();
            way.truncate(alike + 1);
            last[alike..].copy_from_slice(&letters[alike..]);
            way.pop().unwrap_or(branches[branch].root)
        } else {
            last.clone_from(letters);
            way.clear();
            branches[branch].root
        };
        self.branch = branch;
        for letter in &letters[way.len()..] {
            if node == NONE {
                break;
            }
            way.push(node);
            node = nodes.target(node, *letter);
        }
        node
    }

    /// Where the ways of some words end. They are followed together, so that they wait for
    /// memory together.
    fn walk_together(&mut self, words: &[&[u8]; TOGETHER]) -> [u32; TOGETHER] {
        let mut letters = std::mem::take(&mut self.letters);
        letters.clear();
        let mut nodes = [NONE; TOGETHER];
        let mut starts = [0; TOGETHER];
        let mut longest = 0;
        for ((word, node), start) in words.iter().zip(&mut nodes).zip(&mut starts) {
            *start = letters.len();
            let branch = self.branch_of(word.len()).map(|at| &self.branches[at]);
            if let Some(branch) = branch.filter(|branch| branch.suits(word)) {
                branch.spell(word, &mut letters);
                *node = branch.root;
                longest = longest.max(branch.letters());
            }
        }
        for at in 0..longest {
            for (node, start) in nodes.iter_mut().zip(starts) {
                if *node != NONE && *node != ACCEPT {
                    *node = self.nodes.target(*node, letters[start + at]);
                    self.nodes.prefetch(*node);
                }
            }
        }
        self.letters = letters;
        nodes
    }

    fn add(&mut self, word: &[u8]) -> bool {
        let Some(branch) = self.branch_of(word.len()) else {
            self.by_length.insert(word.len(), self.branches.len());
            self.branches.push(Branch::new(word));
            return true;
        };
        if !self.branches[branch].suits(word) {
            self.widen(branch, word);
        }
        self.put(branch, word)
    }

    /// Makes a branch one that a word suits.
    #[cold]
    fn widen(&mut self, branch: usize, word: &[u8]) {
        self.way.clear();
        self.last.clear();
        let Self { nodes, branches, .. } = self;
        if branches[branch].count > FEW {
            branches[branch].widen(word, nodes);
            return;
        }
        for known in branches[branch].clear_and_widen(word, nodes) {
            self.put(branch, &known);
        }
    }

    /// Adds a word that suits a branch; false if it was there.
    fn put(&mut self, branch: usize, word: &[u8]) -> bool {
        if self.walk(branch, word) == ACCEPT {
            return false;
        }
        let Self { nodes, branches, way, last: letters, .. } = self;
        let branch = &mut branches[branch];
        branch.count += 1;
        // Nodes of the way from here on have other edges that lead to them.
        let shared = way.iter().position(|node| !nodes.is_single(*node)).unwrap_or(usize::MAX);
        let known = way.len();
        let root = way.first().copied().unwrap_or(NONE);
        let replaced = way.get(shared).copied().unwrap_or(NONE);
        way.resize(letters.len(), NONE);
        let mut below = ACCEPT;
        for at in (known..letters.len()).rev() {
            below = nodes.single(letters[at], below);
            way[at] = below;
        }
        for at in (0..known).rev() {
            let old = way[at];
            if at >= shared {
                below = nodes.with_edge(old, letters[at], below);
                way[at] = below;
                continue;
            }
            // The first node above those that were copied has lost its edge to one of them.
            let new = nodes.set_edge(old, letters[at], below);
            way[at] = new;
            if at + 1 == shared {
                nodes.release(replaced);
            }
            if new == old {
                return true;
            }
            below = new;
        }
        branch.root = below;
        if shared == 0 {
            nodes.release(root);
        }
        true
    }
}

impl Store for Automaton {
    type Key = ();
    type Ref = ();
    type Local = ();
    type Identity = ();

    const KEY_IS_STATE: bool = false;
    const KEEPS_STATES: bool = false;

    fn name(&self) -> &'static str {
        "automaton"
    }

    fn local(&self) {}

    fn set_origin(&self, _local: &mut (), _state: &[u8]) {}

    fn load(&self, _local: &mut (), _state: (), _out: &mut Vec<u8>) {
        unreachable!("states are not kept one by one");
    }

    fn load_key(&self, _local: &mut (), _key: (), _out: &mut Vec<u8>) {
        unreachable!("keys say nothing");
    }

    #[inline]
    fn key(&self, _local: &mut (), _state: &[u8]) {}

    fn insert(&self, _local: &mut (), _key: (), state: &[u8]) -> Insertion<()> {
        if self.add(state) { Insertion::New(()) } else { Insertion::Known }
    }

    fn insert_all(
        &self,
        _local: &mut (),
        keys: &[()],
        successors: &Expansion,
        hidden: usize,
        new: &mut Vec<(u32, ())>,
    ) {
        let mut all = self.words();
        let events = &successors.events()[..keys.len().min(successors.events().len())];
        for (first, events) in (0..).step_by(TOGETHER).zip(events.chunks(TOGETHER)) {
            let mut words: [&[u8]; TOGETHER] = [&[]; TOGETHER];
            for (word, event) in words.iter_mut().zip(events) {
                let state = successors.state(event);
                *word = &state[..state.len() - hidden];
            }
            // What is known stays known; of the others some may be equal.
            let ends = all.walk_together(&words);
            for (number, (word, end)) in (first..).zip(words.iter().zip(ends)).take(events.len()) {
                if end != ACCEPT && all.add(word) {
                    new.push((number, ()));
                }
            }
        }
    }

    fn contains(&self, _local: &mut (), _key: (), state: &[u8]) -> bool {
        self.has(state)
    }

    fn bytes_used(&self) -> u64 {
        let words = self.words();
        words.nodes.bytes_used() + words.branches.iter().map(Branch::bytes_used).sum::<u64>()
    }

    fn is_nearly_full(&self) -> bool {
        self.words().nodes.is_nearly_full()
    }
}

#[cfg(test)]
mod tests;
