//! Code that calls embedded C.

use crate::abi::Cx;
use crate::compile::emit::{Address, Body, Emit, PLAIN, View};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, InstBuilder, Signature, Value, types};
use spinor_program::expr::CodeId;
use std::mem::offset_of;

impl Emit<'_, '_> {
    /// Runs a piece of C in a state, which it may change if it is a `c_code`; its value if it is a
    /// `c_expr`. If it does not come to its end, the interpreter finds out why.
    pub fn call_c(&mut self, code: CodeId, view: View) -> Value {
        let library = self.facts.program.embedded.as_ref().and_then(|c| c.library.as_ref());
        if library.is_none() || view.started.is_some() {
            self.bail();
            return self.int(0);
        }
        let hidden = self.beyond(view.base, offset_of!(Cx, key));
        let hidden = Address { offset: hidden.offset + view.hidden_shift, ..hidden };
        let places = [view.globals, view.frame, hidden];
        let [globals, frame, hidden] =
            places.map(|at| self.b.ins().iadd_imm_s(at.base, i64::from(at.offset)));
        let who = self.who(view);
        let mut signature = Signature::new(self.facts.conv);
        let (word, int) = (AbiParam::new(types::I64), AbiParam::new(types::I32));
        signature.params = vec![int, word, word, word, int];
        signature.returns = vec![word];
        let signature = self.b.import_signature(signature);
        let function = self.field(offset_of!(Cx, c_call));
        let code = self.int(code.0 as i32);
        let args = [code, globals, frame, hidden, who];
        let call = self.b.ins().call_indirect(signature, function, &args);
        let result = self.b.inst_results(call)[0];
        let why = self.b.ins().ushr_imm_u(result, 32);
        let failed = self.compare(IntCC::NotEqual, why, 0);
        self.bail_if(failed);
        self.b.ins().ireduce(types::I32, result)
    }

    /// The pid, the number of processes and `_last`, as C takes them.
    fn who(&mut self, view: View) -> Value {
        let count = self.field(offset_of!(Cx, processes));
        let mut who = self.b.ins().ishl_imm_u(count, 8);
        if matches!(self.body, Body::Process(_)) {
            who = self.b.ins().bor(who, self.pid);
        }
        if self.facts.program.uses_last {
            let at = self.beyond(view.base, offset_of!(Cx, last));
            let last = self.b.ins().uload8(types::I64, PLAIN, at.base, at.offset);
            let last = self.b.ins().ishl_imm_u(last, 16);
            who = self.b.ins().bor(who, last);
        }
        self.b.ins().ireduce(types::I32, who)
    }
}
