//! Visited sets made for the states that they will get.

use crate::SearchOrder;
use crate::engine::Setup;
use spinor_search::{is_local, layout_of_copies, movers, sample, share_of_new_moves};
use spinor_store::{Bitstate, Collapse, LongTree, Store, Tree, WideTree, Words};
use spinor_ts::{CellsOf, LayoutOf, TransitionSystem};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// States that are kept of those met on random walks, to learn what states look like.
const SAMPLE_STATES: usize = 2000;
/// Expansions spent on it.
const SAMPLE_EXPANSIONS: usize = 2000;

/// The share of moves that do not come again beyond which states had better be words in which cells stand as they are, level by level.
const MOST_NEW: f64 = 0.2;
/// The same depth first, where moves are recalled one state at a time.
const MOST_NEW_DEEP: f64 = 0.025;
/// They had better be so, too, if so many groups have moves at most: all groups are looked up for these. (Lossy stores have short words only, and do
/// without them where these are too short.)
const FEW: f64 = 1.6;
/// Hardly ever more than one.
const SINGLE: f64 = 1.1;

/// If this is set, for tests, they are whenever that is possible; a number of bits, as 256, means words of at least that length.
const ALWAYS: &str = "SPINOR_WORDS";

/// Says something of a sample of states.
type Judge<'a, T = bool> = dyn Fn(&[Vec<u8>]) -> T + 'a;

/// What the bits of a set stand for.
pub(crate) enum Bits {
    OfWords(Box<Words<Bitstate>>),
    OfBytes(Box<Bitstate>),
}

/// A tree store with words of some length.
pub(crate) enum Trees {
    Short(Box<Tree>),
    /// The same, and it says when it is too short.
    Tight(Box<Tree>, Arc<AtomicBool>),
    Long(Box<LongTree>, Option<Arc<AtomicBool>>),
    Wide(Box<WideTree>, Arc<AtomicBool>),
}

impl Trees {
    /// What says later on that words were too short, if it can be said.
    pub(crate) fn strain(&self) -> Option<Arc<AtomicBool>> {
        match self {
            Trees::Short(_) => None,
            Trees::Tight(_, strain) | Trees::Wide(_, strain) => Some(Arc::clone(strain)),
            Trees::Long(_, strain) => strain.clone(),
        }
    }

    /// Whether cells stand in words as they are, but a surer plan may have more room for them.
    pub(crate) fn is_risky(&self) -> bool {
        let layout = match self {
            Trees::Short(tree) | Trees::Tight(tree, _) => tree.word_layout(),
            Trees::Long(tree, _) => tree.word_layout(),
            Trees::Wide(tree, _) => tree.word_layout(),
        };
        layout.is_some_and(|layout| !layout.is_sure)
    }
}

/// Makes stores for the states of one system.
pub(crate) struct StoreMaker<'a> {
    layouts: LayoutOf,
    /// Looks around and tells what states look like.
    scout: Box<dyn Fn() -> Vec<Vec<u8>> + 'a>,
    /// Tells of some states whether moves look at small parts of them only.
    is_local: Box<Judge<'a>>,
    /// Tells of some states how many groups have moves.
    movers: Box<Judge<'a, f64>>,
    /// Tells of some states what share of groups of moves does not come again.
    new_moves: Box<Judge<'a, f64>>,
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
        let forgetful = Rc::clone(&scout);
        let met = move || sample(&mut scout(), SAMPLE_STATES, SAMPLE_EXPANSIONS);
        let is_local = move |states: &[Vec<u8>]| is_local(&mut local(), states);
        let movers = move |states: &[Vec<u8>]| movers(&mut several(), states);
        let new_moves = move |states: &[Vec<u8>]| share_of_new_moves(&mut forgetful(), states);
        StoreMaker {
            layouts,
            new_moves: Box::new(new_moves),
            scout: Box::new(met),
            is_local: Box::new(is_local),
            movers: Box::new(movers),
        }
    }

    /// An empty tree store; states may have the number of a copy behind them.
    pub(crate) fn tree(&self, has_copies: bool) -> Tree {
        let mut met = (self.scout)();
        if has_copies {
            met.iter_mut().for_each(|state| state.push(0));
            return Tree::new(self.layouts(true), &met);
        }
        self.short(&met)
    }

    /// An empty tree store. Words are long at once if short ones have no room for all parts of most states, or not
    /// for those of a board that is all there is to moves; if there is hardly room, as soon as it is used up.
    pub(crate) fn trees(&self) -> Trees {
        let met = (self.scout)();
        let short = self.short(&met);
        let is_coarse = || short.is_coarse() && (self.movers)(&met) <= SINGLE;
        if short.suits(&met) && !is_coarse() {
            return Trees::Short(Box::new(short));
        }
        let Some(long) = self.long_for(&met) else { return Trees::Short(Box::new(short)) };
        if !short.fits(&met) || is_coarse() {
            return Trees::Long(Box::new(long), None);
        }
        let (tree, strain) = short.replaceable();
        Trees::Tight(Box::new(tree), strain)
    }

    /// An empty tree store of words in which cells stand as they are, if the system can make moves of such words. `is_sure`: it should not be too
    /// small for anything that is possible.
    pub(crate) fn direct(
        &self,
        system: &mut impl TransitionSystem,
        order: SearchOrder,
        is_sure: bool,
    ) -> Option<Trees> {
        let met = (self.scout)();
        let most_new = if order == SearchOrder::Dfs { MOST_NEW_DEEP } else { MOST_NEW };
        let cells = self.cells(system, &met, most_new, FEW)?;
        let least = forced().unwrap_or(0);
        let short = || Tree::of_cells(self.layouts(false), &cells, &met, is_sure);
        if let Some(tree) = (least <= 64).then(short).flatten() {
            let (tree, strain) = tree.replaceable();
            return Some(Trees::Tight(Box::new(tree), strain));
        }
        let long = || LongTree::of_cells(self.layouts(false), &cells, &met, is_sure);
        if let Some(tree) = (least <= 128).then(long).flatten() {
            let (tree, strain) = tree.replaceable();
            return Some(Trees::Long(Box::new(tree), Some(strain)));
        }
        let tree = WideTree::of_cells(self.layouts(false), &cells, &met, is_sure)?;
        let (tree, strain) = tree.replaceable();
        Some(Trees::Wide(Box::new(tree), strain))
    }

    /// The cells of states, if moves from word to word are better than what can be recalled.
    fn cells(
        &self,
        system: &mut impl TransitionSystem,
        met: &[Vec<u8>],
        most_new: f64,
        few: f64,
    ) -> Option<CellsOf> {
        let cells = system.cells(met)?;
        let is_better =
            forced().is_some() || (self.movers)(met) <= few || (self.new_moves)(met) > most_new;
        is_better.then_some(cells)
    }

    /// An empty tree store of long words, unless these are too short as well.
    pub(crate) fn longer(&self) -> Trees {
        let met = (self.scout)();
        let long = self.long_for(&met).map(|long| Trees::Long(Box::new(long), None));
        long.unwrap_or_else(|| Trees::Short(Box::new(self.short(&met))))
    }

    fn long_for(&self, met: &[Vec<u8>]) -> Option<LongTree> {
        let long = LongTree::for_moves(self.layouts(false), met, || (self.is_local)(met));
        long.fits(met).then_some(long)
    }

    fn short(&self, met: &[Vec<u8>]) -> Tree {
        Tree::for_moves(self.layouts(false), met, || (self.is_local)(met))
    }

    /// An empty store of hashes that no two states share; `None` if states are too wide for that, or nothing is
    /// gained by it.
    pub(crate) fn hashes(&self, system: &mut impl TransitionSystem) -> Option<Tree> {
        let met = (self.scout)();
        let cells = self.cells(system, &met, MOST_NEW, SINGLE);
        let direct =
            cells.and_then(|cells| Tree::of_cells(self.layouts(false), &cells, &met, false));
        if let Some(tree) = direct {
            return Some(tree.compact());
        }
        if (self.movers)(&met) <= SINGLE {
            return None;
        }
        let tree = self.short(&met);
        tree.suits(&met).then(|| tree.compact())
    }

    /// An empty set of bits for words; for bytes if states are too wide for words, or nothing is gained by them.
    pub(crate) fn bits(&self, setup: &Setup, system: &mut impl TransitionSystem) -> Bits {
        let met = (self.scout)();
        let cells = self.cells(system, &met, MOST_NEW, SINGLE);
        let direct = cells.and_then(|cells| {
            Words::direct(bits(setup), self.layouts(false), &cells, &met, false).ok()
        });
        if let Some(words) = direct {
            return Bits::OfWords(Box::new(words));
        }
        if (self.movers)(&met) <= SINGLE {
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

/// The least length of words in bits, if tests ask for words.
fn forced() -> Option<u32> {
    std::env::var(ALWAYS).ok().map(|bits| bits.parse().unwrap_or(0))
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
