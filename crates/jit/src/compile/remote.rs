//! Code for expressions about other processes.

use super::emit::{Address, Body, CHECKED, Emit, FIXED, PLAIN, View};
use super::step::Role;
use crate::abi::{BAIL, Cx, FrameAt};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value, types};
use spinor_program::Expr;
use spinor_program::expr::ProctypeId;
use std::mem::offset_of;

impl Emit<'_, '_> {
    /// `_pid`; 0 for a claim.
    pub fn own_pid(&mut self) -> Value {
        match self.body {
            Body::Process(_) => self.b.ins().ireduce(types::I32, self.pid),
            Body::Claim(_) | Body::Trace => self.int(0),
        }
    }

    /// `_priority`; 1 for a claim.
    pub fn own_priority(&mut self, view: View) -> Value {
        match self.body {
            Body::Process(id) if self.facts.program.uses_priority => {
                let offset = self.facts.program.proctypes[id.index()].priority_offset as i32;
                let flags = if view.fixed { FIXED } else { PLAIN };
                let Address { base, offset: frame } = view.frame;
                self.b.ins().uload8(types::I32, flags, base, frame + offset)
            }
            _ => self.int(1),
        }
    }

    /// The address of the entry of a process in the table of frames.
    pub fn frame_entry(&mut self, pid: Value) -> Value {
        let frames = self.field(offset_of!(Cx, frames));
        let offset = self.b.ins().imul_imm_s(pid, size_of::<FrameAt>() as i64);
        self.b.ins().iadd(frames, offset)
    }

    /// A part of such an entry, as 64 bits.
    pub fn entry_part(&mut self, entry: Value, offset: usize) -> Value {
        self.b.ins().uload32(CHECKED, entry, offset as i32)
    }

    /// The frame of process `pid`, which exists. If a proctype is given, it must be one.
    pub fn frame_of(&mut self, pid: Value, view: View, proctype: Option<ProctypeId>) -> Address {
        let entry = self.frame_entry(pid);
        if let Some(wanted) = proctype {
            let have = self.entry_part(entry, offset_of!(FrameAt, proctype));
            let other = self.compare(IntCC::NotEqual, have, wanted.index() as i64);
            self.bail_if(other);
        }
        let offset = self.entry_part(entry, offset_of!(FrameAt, offset));
        Address { base: self.b.ins().iadd(view.base, offset), offset: 0 }
    }

    /// An element of a table by proctype, of 4 or 8 bytes.
    pub fn by_proctype(&mut self, table: usize, bytes: usize, proctype: Value) -> Value {
        let start = self.word(table as i64);
        let offset = self.b.ins().imul_imm_s(proctype, bytes as i64);
        let at = self.b.ins().iadd(start, offset);
        if bytes == 4 {
            self.b.ins().load(types::I32, CHECKED, at, 0)
        } else {
            self.b.ins().load(types::I64, CHECKED, at, 0)
        }
    }

    /// Where process `pid`, which exists, stands.
    pub fn location_of(&mut self, pid: Value, view: View) -> Value {
        let entry = self.frame_entry(pid);
        let offset = self.entry_part(entry, offset_of!(FrameAt, offset));
        let base = self.b.ins().iadd(view.base, offset);
        let mut widths = self.facts.program.proctypes.iter().map(|p| p.location_bytes);
        let first = widths.next().unwrap_or(1);
        if widths.all(|w| w == first) {
            return self.load_counter(first, PLAIN, Address { base, offset: 0 });
        }
        // States are readable beyond their end: the mask takes off what is too much.
        let proctype = self.entry_part(entry, offset_of!(FrameAt, proctype));
        let table = self.facts.tables.location_masks.as_ptr() as usize;
        let mask = self.by_proctype(table, 4, proctype);
        let raw = self.b.ins().load(types::I32, PLAIN, base, 0);
        self.b.ins().band(raw, mask)
    }

    /// The priority of process `pid`, which exists.
    pub fn priority_of(&mut self, pid: Value, view: View) -> Value {
        if !self.facts.program.uses_priority {
            return self.int(1);
        }
        let at = self.priority_address(pid, view.base);
        self.b.ins().uload8(types::I32, PLAIN, at, 0)
    }

    /// Where the priority of process `pid`, which exists, lies.
    pub fn priority_address(&mut self, pid: Value, base: Value) -> Value {
        let entry = self.frame_entry(pid);
        let frame = self.entry_part(entry, offset_of!(FrameAt, offset));
        let proctype = self.entry_part(entry, offset_of!(FrameAt, proctype));
        let table = self.facts.tables.priority_offsets.as_ptr() as usize;
        let offset = self.by_proctype(table, 4, proctype);
        let offset = self.b.ins().uextend(types::I64, offset);
        let at = self.b.ins().iadd(base, frame);
        self.b.ins().iadd(at, offset)
    }

    /// `f` of the process whose pid is `p`, or 0 if there is none.
    pub fn of_process_or_zero(
        &mut self,
        p: &Expr,
        view: View,
        f: impl FnOnce(&mut Self, Value) -> Value,
    ) -> Value {
        self.reject_started(view);
        let pid = self.value(p, view);
        // As unsigned: a negative pid is none.
        let pid = self.b.ins().uextend(types::I64, pid);
        let count = self.field(offset_of!(Cx, processes));
        let exists = self.b.ins().icmp(IntCC::UnsignedLessThan, pid, count);
        let (yes, join) = (self.b.create_block(), self.b.create_block());
        let result = self.b.append_block_param(join, types::I32);
        let zero = self.int(0);
        self.b.ins().brif(exists, yes, &[], join, &[BlockArg::Value(zero)]);
        self.enter(yes);
        let value = f(self, pid);
        self.b.ins().jump(join, &[BlockArg::Value(value)]);
        self.enter(join);
        result
    }

    /// `f` of the instance that a remote reference names, or 0 if there is none.
    pub fn of_instance(
        &mut self,
        proctype: ProctypeId,
        pid: Option<&Expr>,
        view: View,
        f: impl FnOnce(&mut Self, Value) -> Value,
    ) -> Value {
        if let Some(pid) = pid {
            return self.of_process_or_zero(pid, view, f);
        }
        self.reject_started(view);
        let count = self.field(offset_of!(Cx, processes));
        let head = self.b.create_block();
        let pid = self.b.append_block_param(head, types::I64);
        let (look, next, found, join) = (
            self.b.create_block(),
            self.b.create_block(),
            self.b.create_block(),
            self.b.create_block(),
        );
        let result = self.b.append_block_param(join, types::I32);
        let zero = self.word(0);
        self.b.ins().jump(head, &[BlockArg::Value(zero)]);
        self.b.switch_to_block(head);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, pid, count);
        let none = self.int(0);
        self.b.ins().brif(more, look, &[], join, &[BlockArg::Value(none)]);
        self.enter(look);
        let entry = self.frame_entry(pid);
        let have = self.entry_part(entry, offset_of!(FrameAt, proctype));
        let is = self.compare(IntCC::Equal, have, proctype.index() as i64);
        self.b.ins().brif(is, found, &[], next, &[]);
        self.enter(next);
        let following = self.b.ins().iadd_imm_s(pid, 1);
        self.b.ins().jump(head, &[BlockArg::Value(following)]);
        self.b.seal_block(head);
        self.enter(found);
        let value = f(self, pid);
        self.b.ins().jump(join, &[BlockArg::Value(value)]);
        self.enter(join);
        result
    }

    /// `enabled(p)`.
    pub fn enabled(&mut self, p: &Expr, view: View) -> Value {
        if self.out.role == Role::Look {
            // Two processes that ask for each other would never come to an end.
            self.bail();
            return self.int(0);
        }
        self.of_process_or_zero(p, view, |s, pid| {
            if matches!(s.body, Body::Process(_)) {
                let own = s.b.ins().icmp(IntCC::Equal, pid, s.pid);
                s.bail_if(own);
            }
            let table = s.facts.tables.enabled.as_ptr() as usize;
            s.call_of_process(table, view.base, pid)
        })
    }

    /// Calls the function of process `pid` in a table; the answer is 0 or 1.
    pub fn call_of_process(&mut self, table: usize, state: Value, pid: Value) -> Value {
        let entry = self.frame_entry(pid);
        let proctype = self.entry_part(entry, offset_of!(FrameAt, proctype));
        let frame = self.entry_part(entry, offset_of!(FrameAt, offset));
        let callee = self.by_proctype(table, 8, proctype);
        let sig = self.step_sig();
        let call = self.b.ins().call_indirect(sig, callee, &[self.cx, state, frame, pid]);
        let answer = self.b.inst_results(call)[0];
        let bad = self.compare(IntCC::Equal, answer, i64::from(BAIL));
        self.bail_if(bad);
        answer
    }

    /// `np_`: no process is in a progress state.
    pub fn non_progress(&mut self, view: View) -> Value {
        self.reject_started(view);
        if !self.facts.tables.has_progress() {
            return self.int(1);
        }
        let count = self.field(offset_of!(Cx, processes));
        let head = self.b.create_block();
        let pid = self.b.append_block_param(head, types::I64);
        let (look, join) = (self.b.create_block(), self.b.create_block());
        let result = self.b.append_block_param(join, types::I32);
        let first = self.word(0);
        self.b.ins().jump(head, &[BlockArg::Value(first)]);
        self.b.switch_to_block(head);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, pid, count);
        let (yes, no) = (self.int(1), self.int(0));
        self.b.ins().brif(more, look, &[], join, &[BlockArg::Value(yes)]);
        self.enter(look);
        let at = self.location_of(pid, view);
        let entry = self.frame_entry(pid);
        let proctype = self.entry_part(entry, offset_of!(FrameAt, proctype));
        let table = self.facts.tables.progress_of.as_ptr() as usize;
        let flags = self.by_proctype(table, 8, proctype);
        let at = self.b.ins().uextend(types::I64, at);
        let flag = self.b.ins().iadd(flags, at);
        let flag = self.b.ins().uload8(types::I32, CHECKED, flag, 0);
        let following = self.b.ins().iadd_imm_s(pid, 1);
        self.b.ins().brif(flag, join, &[BlockArg::Value(no)], head, &[BlockArg::Value(following)]);
        self.b.seal_block(head);
        self.enter(join);
        result
    }

    /// Just after a `run` the tables do not know the new process.
    pub fn reject_started(&mut self, view: View) {
        if view.started.is_some() {
            self.bail();
        }
    }
}
