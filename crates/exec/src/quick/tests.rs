//! Quick expressions against plain ones: same values, same errors.

use super::{Quick, Spot};
use crate::eval::Context;
use crate::{Exec, Options};
use spinor_program::expr::{BinaryOp, Predefined, Probe, UnaryOp};
use spinor_program::{Base, Expr, Index, Place, Scalar};
use spinor_syntax::{NoFiles, PreprocessOptions};
use std::sync::Arc;

const MODEL: &str = "chan q = [2] of { byte }; chan r = [0] of { byte }; chan none;
    byte a[5]; short s; int i; bit t; unsigned u : 3; bool b; hidden byte h;
    active proctype P() { byte x; short y; chan own = [1] of { short }; x = 1; own ! 2; q ! 3 }
    active [2] proctype Q() { byte z; z = timeout }";

fn exec() -> Exec {
    let parsed = spinor_syntax::parse("m.pml", MODEL, &PreprocessOptions::default(), &NoFiles);
    let analysis = spinor_sema::analyze(&parsed);
    Exec::new(Arc::new(spinor_program::lower(&analysis.model).program), Options::default())
}

/// Seeded choices.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as usize % n
    }

    fn number(&mut self) -> i32 {
        match self.below(8) {
            0 => i32::MIN,
            1 => i32::MAX,
            2 => -1,
            n => n as i32 - 3,
        }
    }

    /// A scalar of the model, most of them with all bytes where they should be.
    fn place(&mut self, exec: &Exec, depth: usize) -> Place {
        let program = &exec.program;
        let in_frame = self.below(3) == 0;
        let area = if in_frame { &program.proctypes[0].frame } else { &program.globals };
        let leaf = &area.leaves[self.below(area.leaves.len())];
        let base = match (leaf.hidden, in_frame, self.below(20)) {
            (_, _, 0) => Base::Sink,
            (true, ..) => Base::Hidden,
            (_, true, _) => Base::Frame,
            _ => Base::Global,
        };
        let scalar = leaf.scalar;
        let mut indices = Vec::new();
        if leaf.name.as_ref() == "a[0]" {
            for _ in 0..self.below(3) {
                let value = self.expr(exec, depth);
                indices.push(Index { value, bound: 1 + self.below(2) as u32, stride: 1 });
            }
        }
        Place { base, offset: leaf.offset, indices, scalar }
    }

    fn expr(&mut self, exec: &Exec, depth: usize) -> Expr {
        use BinaryOp as B;
        const BINARY: [BinaryOp; 18] = [
            B::Add,
            B::Sub,
            B::Mul,
            B::Div,
            B::Rem,
            B::BitAnd,
            B::BitOr,
            B::BitXor,
            B::Shl,
            B::Shr,
            B::Lt,
            B::Le,
            B::Gt,
            B::Ge,
            B::Eq,
            B::Ne,
            B::And,
            B::Or,
        ];
        let below = depth.saturating_sub(1);
        let inner = |dice: &mut Dice| Box::new(dice.expr(exec, below));
        match if depth == 0 { self.below(4) } else { self.below(16) } {
            0 => Expr::Const(self.number()),
            1 | 2 => Expr::Load(self.place(exec, below)),
            3 => Expr::Predefined(
                [Predefined::Pid, Predefined::NrPr, Predefined::Timeout][self.below(3)],
            ),
            4 => Expr::Unary(
                [UnaryOp::Neg, UnaryOp::Not, UnaryOp::BitNot][self.below(3)],
                inner(self),
            ),
            5 => Expr::Conditional(inner(self), inner(self), inner(self)),
            6 => Expr::Len(self.place(exec, below)),
            7 => {
                let probes = [Probe::Empty, Probe::Nempty, Probe::Full, Probe::Nfull];
                Expr::Probe(probes[self.below(4)], self.place(exec, below))
            }
            8 => Expr::PcValue(inner(self)),
            _ => Expr::Binary(BINARY[self.below(18)], inner(self), inner(self)),
        }
    }

    /// A state whose variables hold anything; channel variables mostly channels.
    fn state(&mut self, exec: &Exec) -> Vec<u8> {
        let mut state = exec.initial_state().expect("the model starts");
        let lineup = exec.lineup(&state);
        let first = lineup.shape.header;
        for byte in &mut state[first..] {
            if self.below(3) == 0 {
                *byte = [0, 1, 2, 3, 255, 128][self.below(6)];
            }
        }
        state
    }
}

/// The result and the errors reported.
fn outcome<T>(cx: &Context<'_>, result: T) -> (T, Vec<crate::Fault>) {
    (result, cx.exec.faults.take())
}

#[test]
fn quick_values_are_plain_values() {
    let exec = exec();
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let (mut erred, mut nonzero) = (0, 0);
    for _ in 0..20_000 {
        let e = dice.expr(&exec, 4);
        let quick = Quick::new(&e);
        for _ in 0..4 {
            let state = dice.state(&exec);
            let cx = exec.context(exec.lineup(&state), &state, Some(0), dice.below(2) == 0);
            let plain = outcome(&cx, cx.eval(&e));
            assert_eq!(outcome(&cx, quick.value(&cx)), plain, "{e:?} in {state:?}");
            erred += usize::from(plain.0.is_err() || !plain.1.is_empty());
            nonzero += usize::from(plain.0.is_ok_and(|value| value != 0));
        }
    }
    assert!(erred > 1000 && nonzero > 10_000, "{erred} erred, {nonzero} are not zero");
}

#[test]
fn quick_places_are_plain_places() {
    let exec = exec();
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    for _ in 0..20_000 {
        let place = dice.place(&exec, 3);
        let spot = Spot::new(&place);
        let state = dice.state(&exec);
        let value = dice.number();
        let cx = exec.context(exec.lineup(&state), &state, Some(0), false);
        let mut plain = state.clone();
        let stored = cx.locate(&place).map(|at| {
            if let Some(at) = at {
                place.scalar.store(&mut plain, at, value);
            }
        });
        let stored = outcome(&cx, stored);
        let mut quick = state.clone();
        assert_eq!(outcome(&cx, spot.store(&cx, &mut quick, value)), stored, "{place:?}");
        assert_eq!(quick, plain, "{place:?}");
        if place.scalar == Scalar::U8 {
            let number = outcome(&cx, cx.channel_number(&place));
            assert_eq!(outcome(&cx, spot.channel(&cx)), number, "{place:?}");
        }
    }
}
