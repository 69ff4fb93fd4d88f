//! The visited set as the smallest automaton that accepts its states: SPIN's `MA`.
//!
//! States of one length are words of that many bytes, and the automaton has a layer per byte, so
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

mod nodes;

use crate::{Insertion, Store};
use nodes::{ACCEPT, NONE, Nodes};
use spinor_ts::Expansion;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Words that are looked for at the same time.
const TOGETHER: usize = 16;

/// A set of byte strings that is small where they are alike, and never errs.
#[derive(Debug)]
pub struct Automaton(Mutex<Words>);

#[derive(Debug)]
struct Words {
    nodes: Nodes,
    /// By length.
    roots: HashMap<usize, u32>,
    has_empty: bool,
    /// The word looked at last.
    last: Vec<u8>,
    /// Nodes on its way, as far as it goes.
    way: Vec<u32>,
}

impl Automaton {
    /// An empty one.
    #[must_use]
    pub fn new() -> Self {
        Self(Mutex::new(Words {
            nodes: Nodes::new(),
            roots: HashMap::new(),
            has_empty: false,
            last: Vec::new(),
            way: Vec::new(),
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
    fn has(&mut self, word: &[u8]) -> bool {
        if word.is_empty() { self.has_empty } else { self.walk(word) == ACCEPT }
    }

    /// Follows a word as far as its way is there, and returns where that ends.
    fn walk(&mut self, word: &[u8]) -> u32 {
        let Self { nodes, roots, last, way, .. } = self;
        let mut node = if last.len() == word.len() {
            let alike = last.iter().zip(word).take_while(|(a, b)| a == b).count();
            way.truncate(alike + 1);
            last[alike..].copy_from_slice(&word[alike..]);
            way.pop().unwrap_or(NONE)
        } else {
            last.clear();
            last.extend_from_slice(word);
            way.clear();
            roots.get(&word.len()).copied().unwrap_or(NONE)
        };
        for letter in &word[way.len()..] {
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
    fn walk_together(&self, words: &[&[u8]; TOGETHER]) -> [u32; TOGETHER] {
        let root = |word: &[u8]| match &self.way[..] {
            [root, ..] if self.last.len() == word.len() => *root,
            _ => self.roots.get(&word.len()).copied().unwrap_or(NONE),
        };
        let mut nodes = words.map(root);
        let longest = words.iter().map(|word| word.len()).max().unwrap_or(0);
        for at in 0..longest {
            for (node, word) in nodes.iter_mut().zip(words) {
                if *node != NONE
                    && let Some(letter) = word.get(at)
                {
                    *node = self.nodes.target(*node, *letter);
                    self.nodes.prefetch(*node);
                }
            }
        }
        nodes
    }

    fn add(&mut self, word: &[u8]) -> bool {
        if word.is_empty() {
            return !std::mem::replace(&mut self.has_empty, true);
        }
        if self.walk(word) == ACCEPT {
            return false;
        }
        let Self { nodes, roots, way, .. } = self;
        // Nodes of the way from here on have other edges that lead to them.
        let shared = way.iter().position(|node| !nodes.is_single(*node)).unwrap_or(usize::MAX);
        let known = way.len();
        let root = way.first().copied().unwrap_or(NONE);
        let replaced = way.get(shared).copied().unwrap_or(NONE);
        way.resize(word.len(), NONE);
        let mut below = ACCEPT;
        for at in (known..word.len()).rev() {
            below = nodes.single(word[at], below);
            way[at] = below;
        }
        for at in (0..known).rev() {
            let old = way[at];
            if at >= shared {
                below = nodes.with_edge(old, word[at], below);
                way[at] = below;
                continue;
            }
            // The first node above those that were copied has lost its edge to one of them.
            let new = nodes.set_edge(old, word[at], below);
            way[at] = new;
            if at + 1 == shared {
                nodes.release(replaced);
            }
            if new == old {
                return true;
            }
            below = new;
        }
        roots.insert(word.len(), below);
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
        self.words().nodes.bytes_used()
    }

    fn is_nearly_full(&self) -> bool {
        self.words().nodes.is_nearly_full()
    }
}

#[cfg(test)]
mod tests;
