//! Visited sets made for the states that they will get.

use crate::engine::Setup;
use spinor_search::{is_local, layout_of_copies, sample, several_move};
use spinor_store::{Bitstate, Collapse, LongTree, Tree, Words};
use spinor_ts::{LayoutOf, TransitionSystem};
use std::cell::OnceCell;
use std::rc::Rc;

/// States that are kept of those met on random walks, to learn what states look like.
const SAMPLE_STATES: usize = 2000;
/// Expansions spent on it.
const SAMPLE_EXPANSIONS: usize = 2000;

/// Says something of a sample of states.
type Judge<'a> = dyn Fn(&[Vec<u8>]) -> bool + 'a;

/// What the bits of a set stand for.
pub(crate) enum Bits {
    OfWords(Box<Words<Bitstate>>),
    OfBytes(Box<Bitstate>),
}

/// A tree store with words of some length.
pub(crate) enum Trees {
    Short(Box<Tree>),
    Long(Box<LongTree>),
}

/// Makes stores for the states of one system.
pub(crate) struct StoreMaker<'a> {
    layouts: LayoutOf,
    /// Looks around and tells what states look like.
    scout: Box<dyn Fn() -> Vec<Vec<u8>> + 'a>,
    /// Tells of some states whether moves look at small parts of them only.
    is_local: Box<Judge<'a>>,
    /// Tells of some states whether more than one group has moves.
    several_move: Box<Judge<'a>>,
}

impl<'a> StoreMaker<'a> {
    /// For states of these layouts; `scout` makes a system that has such states. It should be an
    /// interpreter: a look around is no reason to start the compiler.
    pub(crate) fn new<T: TransitionSystem>(
        layouts: LayoutOf,
        scout: impl Fn() -> T + 'a,
    ) -> StoreMaker<'a> {
        let scout = Rc::new(scout);
        let (local, several) = (Rc::clone(&scout), Rc::clone(&scout));
        let met = move || sample(&mut scout(), SAMPLE_STATES, SAMPLE_EXPANSIONS);
        let is_local = move |states: &[Vec<u8>]| is_local(&mut local(), states);
        let several_move = move |states: &[Vec<u8>]| several_move(&mut several(), states);
        StoreMaker {
            layouts,
            scout: Box::new(met),
            is_local: Box::new(is_local),
            several_move: Box::new(several_move),
        }
    }

    /// An empty tree store; states may have the number of a copy behind them.
    pub(crate) fn tree(&self, has_copies: bool) -> Tree {
        let mut met = (self.scout)();
        if has_copies {
            met.iter_mut().for_each(|state| state.push(0));
            return Tree::new(self.layouts(true), &met);
        }
        Tree::for_moves(self.layouts(false), &met, || (self.is_local)(&met))
    }

    /// An empty tree store with words that are long enough for what is in states, if any are.
    pub(crate) fn trees(&self) -> Trees {
        let met = (self.scout)();
        let known = OnceCell::new();
        let is_local = || *known.get_or_init(|| (self.is_local)(&met));
        let short = Tree::for_moves(self.layouts(false), &met, is_local);
        let (suits, coarse) = (short.suits(&met), short.is_coarse());
        if suits && !coarse && std::env::var("FORCE").is_err() {
            return Trees::Short(Box::new(short));
        }
        let long = LongTree::for_moves(self.layouts(false), &met, is_local);
        eprintln!(
            "short suits {suits} coarse {coarse}; long suits {} coarse {}",
            long.suits(&met),
            long.is_coarse()
        );
        if std::env::var("SHORT").is_err() && (long.suits(&met) || std::env::var("FORCE").is_ok()) {
            Trees::Long(Box::new(long))
        } else {
            Trees::Short(Box::new(short))
        }
    }

    /// An empty store of hashes that no two states share; `None` if states are too wide for that, or nothing is
    /// gained by it.
    pub(crate) fn hashes(&self) -> Option<Tree> {
        let met = (self.scout)();
        if !(self.several_move)(&met) {
            return None;
        }
        let tree = Tree::for_moves(self.layouts(false), &met, || (self.is_local)(&met));
        tree.suits(&met).then(|| tree.compact())
    }

    /// An empty set of bits for words; for bytes if states are too wide for words, or nothing is gained by them.
    pub(crate) fn bits(&self, setup: &Setup) -> Bits {
        let met = (self.scout)();
        if !(self.several_move)(&met) {
            return Bits::OfBytes(Box::new(bits(setup)));
        }
        let is_local = || (self.is_local)(&met);
        let words = Words::with(bits(setup), self.layouts(false), &met, is_local);
        if words.suits(&met) {
            Bits::OfWords(Box::new(words))
        } else {
            Bits::OfBytes(Box::new(words.into_visited()))
        }
    }

    /// An empty store of components.
    pub(crate) fn collapse(&self) -> Collapse {
        Collapse::new(self.layouts(false))
    }

    /// What the states look like.
    pub(crate) fn layouts(&self, has_copies: bool) -> LayoutOf {
        if has_copies {
            layout_of_copies(LayoutOf::clone(&self.layouts))
        } else {
            LayoutOf::clone(&self.layouts)
        }
    }
}

/// An empty set of bits.
pub(crate) fn bits(setup: &Setup) -> Bitstate {
    Bitstate::seeded(1 << setup.bits, setup.hash_functions, setup.hash_seed)
}

/// The same for a number of bytes at most.
pub(crate) fn bits_within(setup: &Setup, bytes: u64) -> Bitstate {
    let fitting = bytes.saturating_mul(8).max(1024).ilog2();
    Bitstate::seeded(1 << fitting.min(setup.bits), setup.hash_functions, setup.hash_seed)
}
