//! Code for processes that come and go.

use super::emit::{Body, Emit, PLAIN, View};
use super::facts::find_run;
use super::logic::Logic;
use super::perform::Way;
use super::step::Outcome;
use crate::abi::Cx;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, Block, InstBuilder, Signature, Value, types};
use spinor_program::{Expr, Place};
use std::mem::offset_of;

impl Emit<'_, '_> {
    /// The process ends if it is the youngest; the new state begins at `base`.
    pub fn terminate(&mut self, base: Value, blocked: Block) -> Outcome {
        if !matches!(self.body, Body::Process(_)) {
            let length = self.field(offset_of!(Cx, length));
            self.bail();
            return Outcome { base, start: base, length, lives: false };
        }
        let count = self.field(offset_of!(Cx, processes));
        let next = self.b.ins().iadd_imm_s(self.pid, 1);
        let older = self.b.ins().icmp(IntCC::NotEqual, next, count);
        self.leave_if(older, blocked);
        // The list of proctypes ends where `_last` would be; its last entry goes, and
        // everything from the frame up to the hidden variables.
        let width = i64::from(self.facts.program.proctype_bytes);
        let header = self.field(offset_of!(Cx, last));
        let key = self.field(offset_of!(Cx, key));
        let length = self.field(offset_of!(Cx, length));
        let kept = self.b.ins().iadd_imm_s(header, -width);
        self.copy_bytes(self.state, base, kept);
        let from = self.b.ins().iadd(self.state, header);
        let to = self.b.ins().iadd(base, kept);
        let bytes = self.b.ins().isub(self.frame, header);
        self.copy_bytes(from, to, bytes);
        let end = self.b.ins().iadd(to, bytes);
        let hidden = self.b.ins().isub(length, key);
        if self.facts.program.hidden_bytes > 0 {
            let from = self.b.ins().iadd(self.state, key);
            self.copy_bytes(from, end, hidden);
        }
        let less = self.b.ins().iadd_imm_s(count, -1);
        self.b.ins().istore8(PLAIN, less, base, 0);
        let end = self.b.ins().iadd(end, hidden);
        let length = self.b.ins().isub(end, base);
        let moved = self.b.ins().iadd_imm_s(base, -width);
        Outcome { base: moved, start: base, length, lives: false }
    }

    /// Starts the process that `e` asks for, evaluates `e` then, and stores the value or
    /// blocks on it.
    pub fn run(
        &mut self,
        store: Option<&Place>,
        e: &Expr,
        way: Way<'_>,
        blocked: Block,
    ) -> Outcome {
        let length = self.field(offset_of!(Cx, length));
        let start = way.to.base;
        let Some(run) = find_run(e).filter(|_| matches!(self.body, Body::Process(_))) else {
            self.bail();
            return Outcome { base: start, start, length, lives: true };
        };
        let args = self.stack_values(run.args.len());
        for (i, arg) in run.args.iter().enumerate() {
            let value = self.value(arg, way.from);
            self.b.ins().stack_store(types::I64, value, args, 4 * i as i32);
        }
        let priority = match &run.priority {
            Some(e) => {
                let value = self.value(e, way.from);
                self.check_priority(value);
                value
            }
            None => self.int(1),
        };
        let values = self.b.ins().stack_addr(types::I64, args, 0);
        let proctype = self.int(run.proctype.index() as i32);
        let sig = self.start_signature();
        let sig = self.b.import_signature(sig);
        let helper = self.facts.helpers.start as usize;
        let params = [self.cx, self.state, length, proctype, values, priority, start];
        let pid = self.call_address(helper, sig, &params);
        let failed = self.compare(IntCC::SignedLessThan, pid, 0);
        self.bail_if(failed);
        let pid = self.b.ins().ireduce(types::I32, pid);
        // All offsets but those of the hidden variables have moved by one list entry.
        let width = i64::from(self.facts.program.proctype_bytes);
        let growth = self.facts.growth(run.proctype) as i64;
        let base = self.b.ins().iadd_imm_s(start, width);
        let moved = self.view_of(base);
        let hidden_shift = (growth - width) as i32;
        let view = View { started: Some(pid), hidden_shift, ..moved };
        match store {
            None => self.require(e, view, blocked),
            Some(place) => {
                let value = self.value(e, view);
                self.store(place, view, value, None);
            }
        }
        let length = self.b.ins().iadd_imm_s(length, growth);
        Outcome { base, start, length, lives: true }
    }

    fn start_signature(&self) -> Signature {
        let mut signature = Signature::new(self.facts.conv);
        signature.params =
            [types::I64, types::I64, types::I64, types::I32, types::I64, types::I32, types::I64]
                .map(AbiParam::new)
                .to_vec();
        signature.returns = vec![AbiParam::new(types::I64)];
        signature
    }
}
