//! From expressions to their quick form.

use super::{IndexBy, Leaf, Node, Path, Term, base};
use crate::eval::arithmetic;
use spinor_program::expr::{BinaryOp, Predefined, UnaryOp};
use spinor_program::{Base, Expr, Place, Scalar};

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
        let is_sink = place.base == Base::Sink;
        let mask = match place.scalar {
            Scalar::Bit => 1,
            Scalar::U8 => 0xff,
            Scalar::Unsigned(bits @ 1..=8) => 0xff >> (8 - bits),
            _ => 0,
        };
        Path {
            is_byte: mask != 0 && indices.is_empty() && !is_sink,
            base: match place.base {
                Base::Global => base::GLOBALS,
                Base::Frame => base::FRAME,
                Base::Hidden => base::HIDDEN,
                Base::Sink => base::START,
            },
            is_sink,
            offset,
            indices: indices.into(),
            scalar: place.scalar,
            mask,
        }
    }

    /// The byte it is, if it always is the same one.
    fn byte(&self) -> Option<Leaf> {
        // What is stored fits the mask already.
        let leaf = Leaf { offset: self.offset, plus: 0, base: self.base, mask: 0xff };
        self.is_byte.then_some(leaf)
    }
}

impl Node {
    pub fn new(e: &Expr) -> Self {
        if let Some(sum) = Sum::new(e) {
            return sum.into_node();
        }
        match e {
            Expr::Load(place) => Node::Load(Box::new(Path::new(place))),
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
    pub(super) fn constant(&self) -> Option<i32> {
        match self {
            Node::Leaf(leaf) if leaf.mask == 0 => Some(leaf.plus),
            _ => None,
        }
    }
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

/// A number and bytes times numbers. Values wrap, so neither brackets nor order matter.
struct Sum {
    plus: i32,
    terms: Vec<Term>,
}

impl Sum {
    /// The sum that an expression is, if it is one.
    fn new(e: &Expr) -> Option<Self> {
        match e {
            Expr::Const(plus) => Some(Sum { plus: *plus, terms: Vec::new() }),
            Expr::Load(place) => {
                let leaf = Path::new(place).byte()?;
                Some(Sum { plus: 0, terms: vec![Term { leaf, factor: 1 }] })
            }
            Expr::Unary(UnaryOp::Neg, a) => Some(Sum::new(a)?.times(-1)),
            Expr::Binary(BinaryOp::Add, a, b) => Some(Sum::new(a)?.plus(Sum::new(b)?)),
            Expr::Binary(BinaryOp::Sub, a, b) => Some(Sum::new(a)?.plus(Sum::new(b)?.times(-1))),
            Expr::Binary(BinaryOp::Mul, a, b) => match (Sum::new(a)?, Sum::new(b)?) {
                (a, b) if b.terms.is_empty() => Some(a.times(b.plus)),
                (a, b) if a.terms.is_empty() => Some(b.times(a.plus)),
                _ => None,
            },
            _ => None,
        }
    }

    fn times(mut self, factor: i32) -> Self {
        self.plus = self.plus.wrapping_mul(factor);
        self.terms.iter_mut().for_each(|t| t.factor = t.factor.wrapping_mul(factor));
        self
    }

    fn plus(mut self, other: Sum) -> Self {
        self.plus = self.plus.wrapping_add(other.plus);
        self.terms.extend(other.terms);
        self
    }

    fn into_node(self) -> Node {
        match self.terms.as_slice() {
            [] => Node::number(self.plus),
            [Term { leaf, factor: 1 }] => Node::Leaf(Leaf { plus: self.plus, ..*leaf }),
            _ => Node::Sum(self.plus, self.terms.into()),
        }
    }
}
