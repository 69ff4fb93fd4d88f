//! Expressions and places prepared for the usual case.
//!
//! A [`Node`] gives the value that [`Context::eval`] gives, or nothing: where an
//! index is out of range, a divisor zero, a channel dead, or the expression of a rare
//! kind, the plain expression is evaluated instead. So errors of the model are
//! described once, there, and nodes neither report nor return them.

use crate::eval::{Context, arithmetic};
use crate::fault::Fault;
use spinor_program::expr::{BinaryOp, Predefined, Probe, UnaryOp};
use spinor_program::{Base, Expr, Place, Scalar};

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

/// The quick form of an expression.
#[derive(Debug)]
pub(crate) enum Node {
    Leaf(Leaf),
    /// An operator on two leaves.
    Pair(BinaryOp, Leaf, Leaf),
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
    pub fn new(place: &Place) -> Self {
        let mut offset = place.offset;
        let mut indices = Vec::new();
        for index in &place.indices {
            let (bound, stride) = (index.bound, index.stride);
            let value = Node::new(&index.value);
            match value.constant().map(u32::try_from) {
                Some(Ok(value)) if value < bound => offset += value * stride,
                _ => indices.push(IndexBy { value, bound, stride }),
            }
        }
        Path {
            base: match place.base {
                Base::Global => base::GLOBALS,
                Base::Frame => base::FRAME,
                Base::Hidden => base::HIDDEN,
                Base::Sink => base::START,
            },
            is_sink: place.base == Base::Sink,
            offset,
            indices: indices.into(),
            scalar: place.scalar,
            mask: match place.scalar {
                Scalar::Bit => 1,
                Scalar::U8 => 0xff,
                Scalar::Unsigned(bits @ 1..=8) => 0xff >> (8 - bits),
                _ => 0,
            },
        }
    }

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

    #[inline]
    fn load(&self, cx: &Context<'_>, state: &[u8]) -> Option<i32> {
        let at = self.locate(cx, state)?;
        Some(if self.mask != 0 { i32::from(state[at]) } else { self.scalar.load(state, at) })
    }

    #[inline]
    fn channel(&self, cx: &Context<'_>, state: &[u8]) -> Option<usize> {
        let number = usize::try_from(self.load(cx, state)?).ok()?.checked_sub(1)?;
        (number < cx.lineup.shape.channels.len()).then_some(number)
    }

    /// Messages in the channel whose number it holds, and its capacity.
    fn content(&self, cx: &Context<'_>, state: &[u8]) -> Option<(usize, usize)> {
        let channel = cx.lineup.shape.channels[self.channel(cx, state)?];
        let buffer = cx.buffer(channel);
        Some((buffer.len(state, channel.offset), buffer.capacity))
    }
}

impl Node {
    pub fn new(e: &Expr) -> Self {
        match e {
            Expr::Const(value) => Node::number(*value),
            Expr::Load(place) => Node::load(Path::new(place)),
            Expr::Predefined(Predefined::Pid) => Node::Pid,
            Expr::Predefined(Predefined::NrPr) => Node::Processes,
            Expr::Predefined(Predefined::Timeout) => Node::Timeout,
            Expr::Unary(op, a) => Node::Unary(*op, Box::new(Node::new(a))),
            Expr::Binary(BinaryOp::And, ..) => Node::All(chain(e, BinaryOp::And)),
            Expr::Binary(BinaryOp::Or, ..) => Node::Any(chain(e, BinaryOp::Or)),
            Expr::Binary(op, a, b) => match (Node::new(a), Node::new(b)) {
                (Node::Leaf(a), Node::Leaf(b)) => match (a.mask, b.mask) {
                    (0, 0) => arithmetic(*op, a.plus, b.plus).map_or(Node::Rare, Node::number),
                    _ => Node::Pair(*op, a, b),
                },
                (a, b) => Node::Binary(*op, Box::new((a, b))),
            },
            Expr::Conditional(c, a, b) => {
                Node::Conditional(Box::new((Node::new(c), Node::new(a), Node::new(b))))
            }
            Expr::Len(place) => Node::Len(Box::new(Path::new(place))),
            Expr::Probe(probe, place) => Node::Probe(*probe, Box::new(Path::new(place))),
            _ => Node::Rare,
        }
    }

    fn number(value: i32) -> Self {
        Node::Leaf(Leaf { offset: 0, plus: value, base: base::START, mask: 0 })
    }

    /// The value, if it is the same everywhere.
    fn constant(&self) -> Option<i32> {
        match self {
            Node::Leaf(leaf) if leaf.mask == 0 => Some(leaf.plus),
            _ => None,
        }
    }

    fn load(path: Path) -> Self {
        if path.mask != 0 && path.indices.is_empty() && !path.is_sink {
            // What is stored fits the mask already.
            return Node::Leaf(Leaf { offset: path.offset, plus: 0, base: path.base, mask: 0xff });
        }
        Node::Load(Box::new(path))
    }

    /// The value. The frequent kinds are kept apart from the rest to be short.
    #[inline(always)]
    pub fn quick_value(&self, cx: &Context<'_>, state: &[u8]) -> Option<i32> {
        match self {
            Node::Leaf(leaf) => Some(leaf.value(cx, state)),
            Node::Pair(op, a, b) => pair(*op, *a, *b, cx, state),
            node => node.value(cx, state),
        }
    }

    fn value(&self, cx: &Context<'_>, state: &[u8]) -> Option<i32> {
        Some(match self {
            Node::Leaf(leaf) => leaf.value(cx, state),
            Node::Pair(op, a, b) => return pair(*op, *a, *b, cx, state),
            Node::Load(path) => return path.load(cx, state),
            Node::Unary(op, a) => {
                let a = a.quick_value(cx, state)?;
                match op {
                    UnaryOp::Neg => a.wrapping_neg(),
                    UnaryOp::Not => i32::from(a == 0),
                    UnaryOp::BitNot => !a,
                }
            }
            Node::Binary(op, parts) => {
                let a = parts.0.quick_value(cx, state)?;
                return arithmetic(*op, a, parts.1.quick_value(cx, state)?);
            }
            Node::All(parts) => return all(parts, cx, state),
            Node::Any(parts) => return any(parts, cx, state),
            Node::Conditional(parts) => {
                let (c, a, b) = &**parts;
                let part = if c.quick_value(cx, state)? != 0 { a } else { b };
                return part.quick_value(cx, state);
            }
            Node::Pid => cx.pid.map_or(0, |pid| pid as i32),
            Node::Processes => cx.lineup.seats.len() as i32,
            Node::Timeout => i32::from(cx.timeout),
            Node::Len(path) => path.content(cx, state)?.0 as i32,
            Node::Probe(probe, path) => {
                let (len, capacity) = path.content(cx, state)?;
                i32::from(probe_holds(*probe, len, capacity))
            }
            Node::Rare => return None,
        })
    }
}

#[inline(never)]
fn pair(op: BinaryOp, a: Leaf, b: Leaf, cx: &Context<'_>, state: &[u8]) -> Option<i32> {
    arithmetic(op, a.value(cx, state), b.value(cx, state))
}

fn all(parts: &[Node], cx: &Context<'_>, state: &[u8]) -> Option<i32> {
    for part in parts {
        if part.quick_value(cx, state)? == 0 {
            return Some(0);
        }
    }
    Some(1)
}

fn any(parts: &[Node], cx: &Context<'_>, state: &[u8]) -> Option<i32> {
    for part in parts {
        if part.quick_value(cx, state)? != 0 {
            return Some(1);
        }
    }
    Some(0)
}

/// The parts of `a op b op …`, whatever the brackets.
fn chain(e: &Expr, op: BinaryOp) -> Box<[Node]> {
    fn collect(e: &Expr, op: BinaryOp, parts: &mut Vec<Node>) {
        match e {
            Expr::Binary(inner, a, b) if *inner == op => {
                collect(a, op, parts);
                collect(b, op, parts);
            }
            _ => parts.push(Node::new(e)),
        }
    }
    let mut parts = Vec::new();
    collect(e, op, &mut parts);
    parts.into()
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
