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
//! One thread works at a time.

mod nodes;

use crate::{Insertion, Store};
use nodes::{ACCEPT, NONE, Nodes};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A set of byte strings that is small where they are alike, and never errs.
#[derive(Debug)]
pub struct Automaton(Mutex<Words>);

#[derive(Debug)]
struct Words {
    nodes: Nodes,
    /// By length.
    roots: HashMap<usize, u32>,
    has_empty: bool,
    /// Nodes on the way of the word at hand.
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
    fn has(&self, word: &[u8]) -> bool {
        if word.is_empty() {
            return self.has_empty;
        }
        let mut node = self.roots.get(&word.len()).copied().unwrap_or(NONE);
        for letter in word {
            if node == NONE {
                return false;
            }
            node = self.nodes.target(node, *letter);
        }
        node == ACCEPT
    }

    fn add(&mut self, word: &[u8]) -> bool {
        if word.is_empty() {
            return !std::mem::replace(&mut self.has_empty, true);
        }
        let Self { nodes, roots, way, .. } = self;
        let root = roots.get(&word.len()).copied().unwrap_or(NONE);
        way.clear();
        // Nodes of the way from here on have other edges that lead to them.
        let mut shared = usize::MAX;
        let mut node = root;
        for letter in word {
            if node == NONE {
                break;
            }
            if shared == usize::MAX && !nodes.is_single(node) {
                shared = way.len();
            }
            way.push(node);
            node = nodes.target(node, *letter);
        }
        if node == ACCEPT {
            return false;
        }
        let mut below = ACCEPT;
        for letter in word[way.len()..].iter().rev() {
            below = nodes.single(*letter, below);
        }
        for at in (0..way.len()).rev() {
            let old = way[at];
            if at >= shared {
                below = nodes.with_edge(old, word[at], below);
                continue;
            }
            // The first node above those that were copied has lost its edge to one of them.
            let replaced = if at + 1 == shared { way.get(shared).copied() } else { None };
            let new = nodes.set_edge(old, word[at], below);
            replaced.into_iter().for_each(|replaced| nodes.release(replaced));
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
