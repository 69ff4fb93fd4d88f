//! Functions that only look: `enabled`, `provided`, who may move.

use super::emit::{Emit, FIXED, View};
use super::logic::Logic;
use super::step::{Role, reachable};
use crate::abi::{Cx, FrameAt};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};
use cranelift_frontend::FunctionBuilder;
use spinor_program::{Action, ReceiveField, Transition};
use std::mem::offset_of;

/// Whether some transition of a process is executable, guards only.
pub(super) fn enabled<'f>(mut e: Emit<'_, 'f>) -> FunctionBuilder<'f> {
    e.out.role = Role::Look;
    e.fix_process();
    let process = e.process();
    let view = e.here();
    let at = e.load_counter(process.location_bytes, FIXED, view.frame);
    let (yes, no) = (e.b.create_block(), e.b.create_block());
    let locations = &process.automaton.locations;
    let reachable = reachable(&process.automaton);
    let blocks: Vec<Block> = locations
        .iter()
        .zip(reachable)
        .map(|(l, r)| if l.transitions.is_empty() || !r { no } else { e.b.create_block() })
        .collect();
    e.switch(at, &blocks);
    for (location, block) in locations.iter().zip(&blocks) {
        if *block != no {
            e.enter(*block);
            e.any_executable(&location.transitions, view, yes);
            e.b.ins().jump(no, &[]);
        }
    }
    for (block, answer) in [(yes, 1), (no, 0)] {
        e.enter(block);
        let answer = e.int(answer);
        e.b.ins().return_(&[answer]);
    }
    e.finish()
}

/// Whether the `provided` clause of a process holds.
pub(super) fn provided<'f>(mut e: Emit<'_, 'f>) -> FunctionBuilder<'f> {
    e.fix_process();
    let view = e.here();
    let holds = match &e.process().provided {
        Some(clause) => e.condition(clause, view),
        None => e.b.ins().iconst(types::I8, 1),
    };
    let answer = e.b.ins().uextend(types::I32, holds);
    e.b.ins().return_(&[answer]);
    e.finish()
}

/// Whether a process may move at all: its `provided` clause holds, and no process of
/// higher priority could move.
pub(super) fn may_move<'f>(mut e: Emit<'_, 'f>) -> FunctionBuilder<'f> {
    let no = e.b.create_block();
    let (state, pid) = (e.state, e.pid);
    e.require_provided(state, pid, no);
    if e.facts.program.uses_priority {
        let view = e.view_of(state);
        let own = e.priority_of(pid, view);
        let count = e.field(offset_of!(Cx, processes));
        let (head, look, next, yes) =
            (e.b.create_block(), e.b.create_block(), e.b.create_block(), e.b.create_block());
        let other = e.b.append_block_param(head, types::I64);
        let zero = e.word(0);
        e.b.ins().jump(head, &[BlockArg::Value(zero)]);
        e.b.switch_to_block(head);
        let more = e.b.ins().icmp(IntCC::UnsignedLessThan, other, count);
        e.b.ins().brif(more, look, &[], yes, &[]);
        e.enter(look);
        let theirs = e.priority_of(other, view);
        let higher = e.b.ins().icmp(IntCC::SignedGreaterThan, theirs, own);
        e.leave_unless(higher, next);
        e.require_provided(state, other, next);
        let table = e.facts.tables.enabled.as_ptr() as usize;
        let can = e.call_of_process(table, state, other);
        e.leave_if(can, no);
        e.b.ins().jump(next, &[]);
        e.enter(next);
        let following = e.b.ins().iadd_imm_s(other, 1);
        e.b.ins().jump(head, &[BlockArg::Value(following)]);
        e.b.seal_block(head);
        e.enter(yes);
    }
    let answer = e.int(1);
    e.b.ins().return_(&[answer]);
    e.enter(no);
    let answer = e.int(0);
    e.b.ins().return_(&[answer]);
    e.finish()
}

impl Emit<'_, '_> {
    fn require_provided(&mut self, state: Value, pid: Value, otherwise: Block) {
        let entry = self.frame_entry(pid);
        let proctype = self.entry_part(entry, offset_of!(FrameAt, proctype));
        let table = self.facts.tables.provided.as_ptr() as usize;
        let callee = self.by_proctype(table, 8, proctype);
        let (ask, done) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(callee, ask, &[], done, &[]);
        self.enter(ask);
        let holds = self.call_of_process(table, state, pid);
        self.leave_unless(holds, otherwise);
        self.b.ins().jump(done, &[]);
        self.enter(done);
    }

    /// Goes to `yes` if one of the transitions is executable.
    fn any_executable(&mut self, transitions: &[Transition], view: View, yes: Block) {
        for transition in transitions {
            let next = self.b.create_block();
            self.guard(self.facts.action(transition.statement), view, next);
            self.b.ins().jump(yes, &[]);
            self.enter(next);
        }
    }

    /// Goes to `blocked` unless the action is executable; a rendezvous send is.
    fn guard(&mut self, action: &Action, view: View, blocked: Block) {
        match action {
            Action::Condition(e) => {
                if super::facts::find_run(e).is_none() {
                    self.require(e, view, blocked);
                }
            }
            Action::Send(send) => {
                let chan = self.channel(&send.channel, view);
                self.by_type(&chan, types::I32, |s, ty| {
                    if ty.capacity > 0 {
                        let len = s.len(&chan, ty, view);
                        let most = i64::from(ty.capacity);
                        let full = s.compare(IntCC::UnsignedGreaterThanOrEqual, len, most);
                        s.leave_if(full, blocked);
                    }
                    s.int(0)
                });
            }
            Action::Receive(receive) => {
                let chan = self.channel(&receive.channel, view);
                self.by_type(&chan, types::I32, |s, ty| {
                    if ty.capacity == 0 {
                        s.leave(blocked);
                        return s.int(0);
                    }
                    let field = |field: &ReceiveField| match field {
                        ReceiveField::Match(e) => Some(s.value(e, view)),
                        ReceiveField::Bind(_) | ReceiveField::Any => None,
                    };
                    let pattern: Vec<Option<Value>> = receive.args.iter().map(field).collect();
                    s.find(&chan, ty, view, &pattern, receive.random, blocked);
                    s.int(0)
                });
            }
            Action::Terminate => {
                let count = self.field(offset_of!(Cx, processes));
                let next = self.b.ins().iadd_imm_s(self.pid, 1);
                let youngest = self.b.ins().icmp(IntCC::Equal, next, count);
                self.leave_unless(youngest, blocked);
            }
            Action::DStep(inner) => {
                let yes = self.b.create_block();
                self.any_executable(&inner.locations[inner.start.index()], view, yes);
                self.b.ins().jump(blocked, &[]);
                self.enter(yes);
            }
            Action::Skip
            | Action::Else
            | Action::Assign(_)
            | Action::Assert(_)
            | Action::Print(..)
            | Action::PrintMtype(_)
            | Action::CCode(_)
            | Action::SetPriority(..) => {}
        }
    }
}
