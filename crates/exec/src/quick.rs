//! Expressions and places prepared for the usual case.
//!
//! A [`Node`] gives the value that [`Context::eval`] gives, or nothing: where an
//! index is out of range, a divisor zero, a channel dead, or the expression of a rare
//! kind, the plain expression is evaluated instead. So errors of the model are
//! described once, there, and nodes neither report nor return them.

mod build;

use crate::eval::{Context, arithmetic};
use crate::fault::Fault;
use crate::lineup::Berth;
use spinor_program::expr::{BinaryOp, Probe, UnaryOp};
use spinor_program::{Expr, Place, Scalar};

/// An expression and its quick form.
#[derive(Debug)]
pub(crate) struct Quick {
    node: Node,
    plain: Box<Expr>,
}

/// A place and its quick form.
#[derive(Debug)]
pub(crate) struct Spot {
    path: Path,
    plain: Box<Place>,
}

/// What offsets count from, as indices of [`Context::bases`].
mod base {
    pub const GLOBALS: u8 = 0;
    pub const FRAME: u8 = 1;
    pub const HIDDEN: u8 = 2;
    pub const START: u8 = 3;
}

/// A byte of the state, or a constant: the byte under a mask, plus a number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaf {
    offset: u32,
    plus: i32,
    base: u8,
    mask: u8,
}

/// A part of a sum.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term {
    leaf: Leaf,
    factor: i32,
}

/// The quick form of an expression.
#[derive(Debug)]
pub(crate) enum Node {
    Leaf(Leaf),
    /// An operator on two leaves.
    Pair(BinaryOp, Leaf, Leaf),
    /// A number and bytes times numbers.
    Sum(i32, Box<[Term]>),
    Load(Box<Path>),
    Unary(UnaryOp, Box<Node>),
    Binary(BinaryOp, Box<(Node, Node)>),
    /// `a && b && …`
    All(Box<[Node]>),
    /// `a || b || …`
    Any(Box<[Node]>),
    Conditional(Box<(Node, Node, Node)>),
    Pid,
    Processes,
    Timeout,
    Len(Box<Path>),
    Probe(Probe, Box<Path>),
    /// Left to the plain expression.
    Rare,
}

/// A scalar in the state.
#[derive(Debug)]
pub(crate) struct Path {
    base: u8,
    /// `_`, which is nowhere.
    is_sink: bool,
    offset: u32,
    indices: Box<[IndexBy]>,
    scalar: Scalar,
    /// The bits that are kept if the scalar is a byte, else 0.
    mask: u8,
    /// It is always the same byte.
    is_byte: bool,
}

#[derive(Debug)]
struct IndexBy {
    value: Node,
    bound: u32,
    stride: u32,
}

impl Quick {
    pub fn new(e: &Expr) -> Self {
        Quick { node: Node::new(e), plain: Box::new(e.clone()) }
    }

    /// Whether it is the same in every state.
    pub fn is_constant(&self) -> bool {
        self.node.constant().is_some()
    }

    /// The value in the state at hand.
    #[inline]
    pub fn value(&self, cx: &Context<'_>) -> Result<i32, Fault> {
        self.value_in(cx, cx.state)
    }

    /// The value in another state with the same processes.
    #[inline]
    pub fn value_in(&self, cx: &Context<'_>, state: &[u8]) -> Result<i32, Fault> {
        match self.node.quick_value(cx, state) {
            Some(value) => Ok(value),
            None => Context { state, ..*cx }.eval(&self.plain),
        }
    }
}

impl Spot {
    pub fn new(place: &Place) -> Self {
        Spot { path: Path::new(place), plain: Box::new(place.clone()) }
    }

    /// Stores a value, truncated; nothing if the place is nowhere.
    #[inline]
    pub fn store(&self, cx: &Context<'_>, next: &mut [u8], value: i32) -> Result<(), Fault> {
        if self.path.store(cx, next, value).is_none()
            && let Some(at) = (Context { state: next, ..*cx }).locate(&self.plain)?
        {
            self.plain.scalar.store(next, at, value);
        }
        Ok(())
    }

    /// Whether the place certainly holds another channel than this.
    #[inline]
    pub fn is_other_channel(&self, cx: &Context<'_>, number: usize) -> bool {
        self.path.channel(cx, cx.state).is_some_and(|n| n != number)
    }

    /// The channel whose number the place holds, from 0.
    #[inline]
    pub fn channel(&self, cx: &Context<'_>) -> Result<usize, Fault> {
        match self.path.channel(cx, cx.state) {
            Some(number) => Ok(number),
            None => cx.channel_number(&self.plain),
        }
    }
}

impl Leaf {
    #[inline(always)]
    fn value(self, cx: &Context<'_>, state: &[u8]) -> i32 {
        let at = cx.bases[usize::from(self.base & 3)] + self.offset as usize;
        i32::from(state[at] & self.mask).wrapping_add(self.plus)
    }
}

impl Path {
    /// Where it lies, unless that is nowhere.
    #[inline(always)]
    fn locate(&self, cx: &Context<'_>, state: &[u8]) -> Option<usize> {
        if self.indices.is_empty() {
            return (!self.is_sink)
                .then(|| cx.bases[usize::from(self.base & 3)] + self.offset as usize);
        }
        self.locate_element(cx, state)
    }

    fn locate_element(&self, cx: &Context<'_>, state: &[u8]) -> Option<usize> {
        let mut at = self.offset;
        for index in &self.indices {
            let value = index.value.quick_value(cx, state)?;
            let value = u32::try_from(value).ok().filter(|value| *value < index.bound)?;
            at += value * index.stride;
        }
        (!self.is_sink).then(|| cx.bases[usize::from(self.base & 3)] + at as usize)
    }

    /// Stores a value, truncated, unless the path leads nowhere.
    #[inline(always)]
    pub fn store(&self, cx: &Context<'_>, state: &mut [u8], value: i32) -> Option<()> {
        let at = self.locate(cx, state)?;
        if self.mask != 0 {
            state[at] = value as u8 & self.mask;
        } else {
            self.scalar.store(state, at, value);
        }
        Some(())
    }

    #[inline(always)]
    fn load(&self, cx: &Context<'_>, state: &[u8]) -> Option<i32> {
        if self.is_byte {
            let at = cx.bases[usize::from(self.base & 3)] + self.offset as usize;
            return Some(i32::from(state[at]));
        }
        self.load_any(cx, state)
    }

    #[inline(never)]
    fn load_any(&self, cx: &Context<'_>, state: &[u8]) -> Option<i32> {
        let at = self.locate(cx, state)?;
        Some(if self.mask != 0 { i32::from(state[at]) } else { self.scalar.load(state, at) })
    }

    /// The number, from 0, of the channel whose number it holds.
    #[inline(always)]
    pub fn channel(&self, cx: &Context<'_>, state: &[u8]) -> Option<usize> {
        let number = (self.load(cx, state)? as u32).wrapping_sub(1) as usize;
        (number < cx.lineup.channels.len()).then_some(number)
    }

    /// The channel whose number it holds.
    #[inline(always)]
    pub fn berth<'a>(&self, cx: &Context<'a>, state: &[u8]) -> Option<&'a Berth> {
        let number = (self.load(cx, state)? as u32).wrapping_sub(1) as usize;
        cx.lineup.channels.get(number)
    }
}

impl Node {
    /// The value. The frequent kinds are kept apart from the rest to be short.
    #[inline(always)]
    pub fn quick_value(&self, cx: &Context<'_>, state: &[u8]) -> Option<i32> {
        match self {
            Node::Leaf(leaf) => Some(leaf.value(cx, state)),
            Node::Pair(op, a, b) => pair(*op, *a, *b, cx, state),
            node => node.value(cx, state),
        }
    }

    /// Each kind is a function of its own, so that this one is but a jump.
    fn value(&self, cx: &Context<'_>, state: &[u8]) -> Option<i32> {
        match self {
            Node::Leaf(leaf) => Some(leaf.value(cx, state)),
            Node::Pair(op, a, b) => pair(*op, *a, *b, cx, state),
            Node::Sum(plus, terms) => sum(*plus, terms, cx, state),
            Node::Load(path) => path.load_any(cx, state),
            Node::Unary(op, a) => unary(*op, a, cx, state),
            Node::Binary(op, parts) => binary(*op, parts, cx, state),
            Node::All(parts) => all(parts, cx, state),
            Node::Any(parts) => any(parts, cx, state),
            Node::Conditional(parts) => conditional(parts, cx, state),
            Node::Pid => Some(cx.pid.map_or(0, |pid| pid as i32)),
            Node::Processes => Some(cx.lineup.seats.len() as i32),
            Node::Timeout => Some(i32::from(cx.timeout)),
            Node::Len(path) => path.berth(cx, state).map(|berth| berth.len(state) as i32),
            Node::Probe(probe, path) => {
                let berth = path.berth(cx, state)?;
                let (len, capacity) = (berth.len(state) as usize, berth.capacity as usize);
                Some(i32::from(probe_holds(*probe, len, capacity)))
            }
            Node::Rare => None,
        }
    }
}

#[inline(never)]
fn pair(op: BinaryOp, a: Leaf, b: Leaf, cx: &Context<'_>, state: &[u8]) -> Option<i32> {
    arithmetic(op, a.value(cx, state), b.value(cx, state))
}

#[inline(never)]
fn sum(plus: i32, terms: &[Term], cx: &Context<'_>, state: &[u8]) -> Option<i32> {
    let add = |sum: i32, term: &Term| {
        sum.wrapping_add(term.leaf.value(cx, state).wrapping_mul(term.factor))
    };
    Some(terms.iter().fold(plus, add))
}

#[inline(never)]
fn unary(op: UnaryOp, a: &Node, cx: &Context<'_>, state: &[u8]) -> Option<i32> {
    let a = a.quick_value(cx, state)?;
    Some(match op {
        UnaryOp::Neg => a.wrapping_neg(),
        UnaryOp::Not => i32::from(a == 0),
        UnaryOp::BitNot => !a,
    })
}

#[inline(never)]
fn binary(op: BinaryOp, parts: &(Node, Node), cx: &Context<'_>, state: &[u8]) -> Option<i32> {
    let a = parts.0.quick_value(cx, state)?;
    arithmetic(op, a, parts.1.quick_value(cx, state)?)
}

#[inline(never)]
fn conditional(parts: &(Node, Node, Node), cx: &Context<'_>, state: &[u8]) -> Option<i32> {
    let (c, a, b) = parts;
    let part = if c.quick_value(cx, state)? != 0 { a } else { b };
    part.quick_value(cx, state)
}

#[inline(never)]
fn all(parts: &[Node], cx: &Context<'_>, state: &[u8]) -> Option<i32> {
    for part in parts {
        if part.quick_value(cx, state)? == 0 {
            return Some(0);
        }
    }
    Some(1)
}

#[inline(never)]
fn any(parts: &[Node], cx: &Context<'_>, state: &[u8]) -> Option<i32> {
    for part in parts {
        if part.quick_value(cx, state)? != 0 {
            return Some(1);
        }
    }
    Some(0)
}

/// `empty(q)` and its like. SPIN: a rendezvous channel counts as one of one slot.
pub(crate) fn probe_holds(probe: Probe, len: usize, capacity: usize) -> bool {
    match probe {
        Probe::Empty => len == 0,
        Probe::Nempty => len > 0,
        Probe::Full => len >= capacity.max(1),
        Probe::Nfull => len < capacity.max(1),
    }
}

#[cfg(test)]
mod tests;
