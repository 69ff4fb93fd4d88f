//! Visited sets made for the states that they will get.

use crate::SearchOrder;
use crate::engine::Setup;
use spinor_search::{Movers, is_local, layout_of_copies, movers, sample, share_of_new_moves};
use spinor_store::{
    Bitstate, Collapse, HashCompact, Hashed, KeySet, LongTree, Store, Table, Tree, WideTree, Words,
};
use spinor_ts::{CellsOf, LayoutOf, TransitionSystem, WordUse};
use std::cell::OnceCell;
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
/// They had better be so, too, if there are so many moves at most: all groups are looked up for these.
const FEW: f64 = 1.6;
/// Hardly ever more than one.
const SINGLE: f64 = 1.1;

/// If this is set, for tests, they are whenever that is possible; a number of bits, as 256, means words of at least that length.
const ALWAYS: &str = "SPINOR_WORDS";

/// Says something of a sample of states.
type Judge<'a, T = bool> = dyn Fn(&[Vec<u8>]) -> T + 'a;

/// A store of which it may turn out soon that another one should be used instead.
pub(crate) trait Replaceable {
    /// What says later on that the store stopped its search for that, if it may.
    fn gives_up(&self) -> Option<Arc<AtomicBool>>;

    /// Whether cells stand in words as they are, but a surer plan may have more room for them.
    fn is_risky(&self) -> bool;
}

/// A tree store with words of some length.
pub(crate) enum Trees {
    Short(Box<Tree>),
    /// The same, and it says when it is too short.
    Tight(Box<Tree>, Arc<AtomicBool>),
    Long(Box<LongTree>, Option<Arc<AtomicBool>>),
    Wide(Box<WideTree>, Arc<AtomicBool>),
}

impl Replaceable for Trees {
    fn gives_up(&self) -> Option<Arc<AtomicBool>> {
        match self {
            Trees::Short(_) => None,
            Trees::Tight(_, flag) | Trees::Wide(_, flag) => Some(Arc::clone(flag)),
            Trees::Long(_, flag) => flag.clone(),
        }
    }

    fn is_risky(&self) -> bool {
        let layout = match self {
            Trees::Short(tree) | Trees::Tight(tree, _) => tree.word_layout(),
            Trees::Long(tree, _) => tree.word_layout(),
            Trees::Wide(tree, _) => tree.word_layout(),
        };
        layout.is_some_and(|layout| !layout.good_for.is_sure)
    }
}

/// What a store is made of that may take a state for another one.
pub(crate) trait Basis {
    /// Keeps words of 64 bits, or hashes of longer ones,
    type Set: KeySet<Key = u64>;
    /// or whole states, if that is better.
    type Bytes: Store;

    /// An empty set.
    fn set(&self) -> Self::Set;

    /// An empty one of whole states.
    fn bytes(&self) -> Self::Bytes;

    /// A store that has such a set.
    fn store<V: KeySet>(words: Words<V>) -> Box<Words<V>>;
}

/// Hashes. No two words of 64 bits share theirs.
pub(crate) struct Hashes;

impl Basis for Hashes {
    type Set = Table;
    type Bytes = HashCompact;

    fn set(&self) -> Table {
        Table::default()
    }

    fn bytes(&self) -> HashCompact {
        HashCompact::new()
    }

    fn store<V: KeySet>(words: Words<V>) -> Box<Words<V>> {
        Box::new(words.compact())
    }
}

/// Bits.
pub(crate) struct Bits<'a>(pub(crate) &'a Setup);

impl Basis for Bits<'_> {
    type Set = Bitstate;
    type Bytes = Bitstate;

    fn set(&self) -> Bitstate {
        bits(self.0)
    }

    fn bytes(&self) -> Bitstate {
        bits(self.0)
    }

    fn store<V: KeySet>(words: Words<V>) -> Box<Words<V>> {
        Box::new(words)
    }
}

/// Such a store. Words may say when they are too short.
pub(crate) enum Lossy<B: Basis> {
    Short(Box<Words<B::Set>>, Option<Arc<AtomicBool>>),
    Long(Box<Words<Hashed<B::Set, u128>>>, Option<Arc<AtomicBool>>),
    Bytes(Box<B::Bytes>),
}

impl<B: Basis> Replaceable for Lossy<B> {
    fn gives_up(&self) -> Option<Arc<AtomicBool>> {
        match self {
            Lossy::Short(_, flag) | Lossy::Long(_, flag) => flag.clone(),
            Lossy::Bytes(_) => None,
        }
    }

    fn is_risky(&self) -> bool {
        let layout = match self {
            Lossy::Short(words, _) => words.word_layout(),
            Lossy::Long(words, _) => words.word_layout(),
            Lossy::Bytes(_) => None,
        };
        layout.is_some_and(|layout| !layout.good_for.is_sure)
    }
}

/// Words in which cells stand as they are.
struct Direct {
    cells: CellsOf,
    /// Bits that words have at least.
    least: u32,
    /// Several groups move at a time, and often.
    may_sleep: bool,
}

/// Makes stores for the states of one system.
pub(crate) struct StoreMaker<'a> {
    layouts: LayoutOf,
    /// Looks around and tells what states look like.
    scout: Box<dyn Fn() -> Vec<Vec<u8>> + 'a>,
    met: OnceCell<Vec<Vec<u8>>>,
    /// Tells of some states whether moves look at small parts of them only.
    is_local: Box<Judge<'a>>,
    /// Tells of some states how many groups have moves, and how many.
    movers: Box<Judge<'a, Movers>>,
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
            met: OnceCell::new(),
            is_local: Box::new(is_local),
            movers: Box::new(movers),
        }
    }

    /// States as the scout has met them.
    fn met(&self) -> &[Vec<u8>] {
        self.met.get_or_init(|| (self.scout)())
    }

    /// An empty tree store; states may have the number of a copy behind them.
    pub(crate) fn tree(&self, has_copies: bool) -> Tree {
        if !has_copies {
            return self.short(self.met());
        }
        let mut met = self.met().to_vec();
        met.iter_mut().for_each(|state| state.push(0));
        Tree::new(self.layouts(true), &met)
    }

    /// An empty tree store. Words are long at once if short ones have no room for all parts of most states, or not
    /// for those of a board that is all there is to moves; if there is hardly room, as soon as it is used up.
    pub(crate) fn trees(&self) -> Trees {
        let met = self.met();
        let short = self.short(met);
        let is_coarse = || short.is_coarse() && (self.movers)(met).groups <= SINGLE;
        if short.suits(met) && !is_coarse() {
            return Trees::Short(Box::new(short));
        }
        let Some(long) = self.long_for(met) else { return Trees::Short(Box::new(short)) };
        if !short.fits(met) || is_coarse() {
            return Trees::Long(Box::new(long), None);
        }
        let (tree, flag) = short.replaceable();
        Trees::Tight(Box::new(tree), flag)
    }

    /// An empty tree store of words in which cells stand as they are, if the system can make moves of such words. `is_sure`: it should not be too
    /// small for anything that is possible.
    pub(crate) fn direct(
        &self,
        system: &mut impl TransitionSystem,
        order: SearchOrder,
        is_sure: bool,
    ) -> Option<Trees> {
        let met = self.met();
        let most_new = if order == SearchOrder::Dfs { MOST_NEW_DEEP } else { MOST_NEW };
        let Direct { cells, least, may_sleep } = self.cells(system, met, most_new)?;
        let wanted = WordUse { is_sure, may_sleep: may_sleep && order != SearchOrder::Dfs };
        let short = || Tree::of_cells(self.layouts(false), &cells, met, wanted);
        if let Some(tree) = (least <= 64).then(short).flatten() {
            let (tree, flag) = tree.replaceable();
            return Some(Trees::Tight(Box::new(tree), flag));
        }
        let long = || LongTree::of_cells(self.layouts(false), &cells, met, wanted);
        if let Some(tree) = (least <= 128).then(long).flatten() {
            let (tree, flag) = tree.replaceable();
            return Some(Trees::Long(Box::new(tree), Some(flag)));
        }
        let wide = WideTree::of_cells(self.layouts(false), &cells, met, wanted);
        let (tree, flag) = wide?.replaceable();
        Some(Trees::Wide(Box::new(tree), flag))
    }

    /// The cells of states, if moves from word to word are better than what can be recalled.
    fn cells(
        &self,
        system: &mut impl TransitionSystem,
        met: &[Vec<u8>],
        most_new: f64,
    ) -> Option<Direct> {
        let cells = system.cells(met)?;
        let Movers { groups, moves } = (self.movers)(met);
        let are_few = groups <= SINGLE || moves <= FEW;
        let may_sleep = !are_few;
        if let Some(least) = forced() {
            return Some(Direct { cells, least, may_sleep });
        }
        let suits = are_few || (self.new_moves)(met) > most_new;
        suits.then_some(Direct { cells, least: 64, may_sleep })
    }

    /// An empty tree store of long words, unless these are too short as well.
    pub(crate) fn longer(&self) -> Trees {
        let met = self.met();
        let long = self.long_for(met).map(|long| Trees::Long(Box::new(long), None));
        long.unwrap_or_else(|| Trees::Short(Box::new(self.short(met))))
    }

    fn long_for(&self, met: &[Vec<u8>]) -> Option<LongTree> {
        let long = LongTree::for_moves(self.layouts(false), met, || (self.is_local)(met));
        long.fits(met).then_some(long)
    }

    fn short(&self, met: &[Vec<u8>]) -> Tree {
        Tree::for_moves(self.layouts(false), met, || (self.is_local)(met))
    }

    /// The same as [`direct`](Self::direct), of hashes or bits; there are none of the longest words.
    pub(crate) fn direct_lossy<B: Basis>(
        &self,
        basis: &B,
        system: &mut impl TransitionSystem,
        is_sure: bool,
    ) -> Option<Lossy<B>> {
        let met = self.met();
        let Direct { cells, least, may_sleep } = self.cells(system, met, MOST_NEW)?;
        let wanted = WordUse { is_sure, may_sleep };
        let short = || Words::direct(basis.set(), self.layouts(false), &cells, met, wanted).ok();
        if let Some(words) = (least <= 64).then(short).flatten() {
            let (words, flag) = words.replaceable();
            return Some(Lossy::Short(B::store(words), Some(flag)));
        }
        let set = || Hashed::new(basis.set());
        let long = || Words::direct(set(), self.layouts(false), &cells, met, wanted).ok();
        let (words, flag) = (least <= 128).then(long).flatten()?.replaceable();
        Some(Lossy::Long(B::store(words), Some(flag)))
    }

    /// An empty store of hashes or bits; of those of bytes if states are too wide for words, or nothing is gained by them.
    pub(crate) fn lossy<B: Basis>(&self, basis: &B) -> Lossy<B> {
        let met = self.met();
        if (self.movers)(met).groups > SINGLE {
            let is_local = || (self.is_local)(met);
            let short = Words::with(basis.set(), self.layouts(false), met, is_local);
            if short.suits(met) {
                return Lossy::Short(B::store(short), None);
            }
            drop(short);
            // Whole states are hashed faster than long words are put together, unless moves come again.
            if (self.new_moves)(met) <= MOST_NEW {
                let set = Hashed::new(basis.set());
                let long = Words::with(set, self.layouts(false), met, is_local);
                if long.suits(met) {
                    return Lossy::Long(B::store(long), None);
                }
            }
        }
        Lossy::Bytes(Box::new(basis.bytes()))
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
