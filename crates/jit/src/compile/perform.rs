//! Code for guards and effects of statements.

use super::emit::{Emit, FIXED, PLAIN, View};
use super::logic::Logic;
use super::range;
use crate::abi::Cx;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};
use spinor_program::{Action, Base, Expr, Place, StmtId, Transition};
use std::mem::offset_of;

/// Bytes that are copied at once, within the slack behind states.
const CHUNK: i64 = 32;

/// States of a known length up to this many bytes are copied without a loop.
const UNROLLED: usize = 256;

/// How a statement is executed.
#[derive(Clone, Copy)]
pub(super) struct Way<'a> {
    /// The state in which it is tried.
    pub from: View,
    /// The state that comes of it: a copy yet to be made, or the same.
    pub to: View,
    /// `to` has to become a copy of `from` before it is changed.
    pub copies: bool,
    /// A rendezvous waits to be accepted: only a receive can.
    pub accepting: bool,
    /// Inside a `d_step`: a rendezvous send is an error.
    pub inner: bool,
    /// What all this is a part of.
    pub transition: &'a Transition,
    /// Other transitions of the location came before it.
    pub later: bool,
}

impl Emit<'_, '_> {
    /// Guard and effect of a statement that neither starts nor ends a process; goes to
    /// `blocked` if it is not executable. A rendezvous send is completed, then goes there
    /// as well.
    pub fn perform(&mut self, id: StmtId, way: Way<'_>, blocked: Block) {
        let action = self.facts.action(id);
        if way.accepting && !matches!(action, Action::Receive(_)) {
            self.leave(blocked);
            return;
        }
        match action {
            // Whether an `else` is due is seen by those who know what came before.
            Action::Skip | Action::Else => self.begin(way),
            Action::Condition(e) => {
                self.require(e, way.from, blocked);
                self.begin(way);
            }
            Action::Assign(pairs) => {
                self.begin(way);
                for (i, (place, e)) in pairs.iter().enumerate() {
                    // What is not yet changed is better read from the old state.
                    let settled = pairs[..i].iter().all(|(before, _)| {
                        !reads(e, before) && !place.indices.iter().any(|x| reads(&x.value, before))
                    });
                    let view = if settled { way.from } else { way.to };
                    let value = self.value(e, view);
                    let at = self.locate_across(place, view, way.to);
                    if place.base == Base::Sink {
                        continue;
                    }
                    let range = Some(range::of(e));
                    self.store_scalar(place.scalar, value, range, at);
                }
            }
            Action::Send(send) => self.send(id, send, way, blocked),
            Action::Receive(receive) => self.receive(receive, way, blocked),
            Action::Assert(e) => {
                let bail = self.bail_block();
                self.require(e, way.from, bail);
                self.begin(way);
            }
            Action::Print(_, args) => {
                for e in args {
                    self.evaluate_for_errors(e, way.from);
                }
                self.begin(way);
            }
            Action::PrintMtype(e) => {
                self.evaluate_for_errors(e, way.from);
                self.begin(way);
            }
            Action::SetPriority(pid, priority) => self.set_priority(pid, priority, way),
            Action::CCode(code) => {
                self.begin(way);
                self.call_c(*code, way.to);
            }
            Action::Terminate | Action::DStep(_) => self.bail(),
        }
    }

    /// The guard holds: makes the copy that is to be changed.
    pub fn begin(&mut self, way: Way<'_>) {
        if way.copies && self.facts.is_large {
            self.write_out(way);
        } else if way.copies {
            self.copy_state(way.from.base, way.to.base);
        }
    }

    /// Copies a state of the shape at hand.
    pub fn copy_state(&mut self, from: Value, to: Value) {
        if let Some(length) = self.facts.fixed_field(offset_of!(Cx, length))
            && length <= UNROLLED
        {
            for at in (0..length as i32).step_by(16) {
                let piece = self.b.ins().load(types::I8X16, PLAIN, from, at);
                self.b.ins().store(PLAIN, piece, to, at);
            }
            return;
        }
        let length = self.field(offset_of!(Cx, length));
        self.copy_bytes(from, to, length);
    }

    /// Copies bytes in large pieces, beyond the end by less than the slack.
    pub fn copy_bytes(&mut self, from: Value, to: Value, length: Value) {
        let chunk = |s: &mut Self, from: Value, to: Value| {
            let low = s.b.ins().load(types::I8X16, PLAIN, from, 0);
            let high = s.b.ins().load(types::I8X16, PLAIN, from, 16);
            s.b.ins().store(PLAIN, low, to, 0);
            s.b.ins().store(PLAIN, high, to, 16);
        };
        chunk(self, from, to);
        let (head, done) = (self.b.create_block(), self.b.create_block());
        let at = self.b.append_block_param(head, types::I64);
        let long = self.compare(IntCC::UnsignedGreaterThan, length, CHUNK);
        let first = self.word(CHUNK);
        self.b.ins().brif(long, head, &[BlockArg::Value(first)], done, &[]);
        self.b.switch_to_block(head);
        let (source, target) = (self.b.ins().iadd(from, at), self.b.ins().iadd(to, at));
        chunk(self, source, target);
        let next = self.b.ins().iadd_imm_s(at, CHUNK);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, next, length);
        self.b.ins().brif(more, head, &[BlockArg::Value(next)], done, &[]);
        self.b.seal_block(head);
        self.enter(done);
    }

    fn set_priority(&mut self, pid: &Expr, priority: &Expr, way: Way<'_>) {
        let pid = self.value(pid, way.from);
        let value = self.value(priority, way.from);
        self.begin(way);
        let pid = self.b.ins().uextend(types::I64, pid);
        let count = self.field(offset_of!(Cx, processes));
        let exists = self.b.ins().icmp(IntCC::UnsignedLessThan, pid, count);
        let (yes, join) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(exists, yes, &[], join, &[]);
        self.enter(yes);
        self.check_priority(value);
        let at = self.priority_address(pid, way.to.base);
        self.b.ins().istore8(PLAIN, value, at, 0);
        self.b.ins().jump(join, &[]);
        self.enter(join);
    }

    /// A priority is in 1..=255.
    pub fn check_priority(&mut self, value: Value) {
        let less = self.b.ins().iadd_imm_s(value, -1);
        let bad = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, less, 255);
        self.bail_if(bad);
    }

    /// Remembers that a statement was executed.
    pub fn mark_executed(&mut self, id: StmtId) {
        let offset = offset_of!(Cx, executed);
        let executed = self.b.ins().load(types::I64, FIXED, self.cx, offset as i32);
        let one = self.int(1);
        self.b.ins().istore8(PLAIN, one, executed, id.0 as i32);
    }
}

/// Whether an expression may read what an assignment to `written` changes. Only plain
/// variables are told apart.
fn reads(e: &Expr, written: &Place) -> bool {
    let mut found = false;
    e.walk(&mut |part| {
        found |= match part {
            Expr::Const(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(..) => false,
            Expr::Predefined(_) => false,
            Expr::Load(place) => overlap(place, written),
            _ => true,
        };
    });
    found
}

fn overlap(a: &Place, b: &Place) -> bool {
    if a.base != b.base || a.base == Base::Sink {
        return false;
    }
    let extent = |p: &Place| {
        let steps = p.indices.iter().map(|i| i.bound.saturating_sub(1) * i.stride);
        (p.offset, p.offset + steps.sum::<u32>() + p.scalar.width())
    };
    let ((a, a_end), (b, b_end)) = (extent(a), extent(b));
    a < b_end && b < a_end
}
