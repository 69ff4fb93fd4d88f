//! Code for the sending half of a rendezvous: everybody who can take the message does,
//! each in a state of its own.

use super::channel::Chan;
use super::emit::{Emit, PLAIN};
use super::perform::{Offering, Way};
use crate::abi::{BAIL, Cx, FrameAt, MOVED};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value, types};
use spinor_program::{ChannelType, StmtId};
use std::mem::offset_of;

impl Emit<'_, '_> {
    /// Offers a message to all other processes.
    pub fn offer(
        &mut self,
        id: StmtId,
        chan: &Chan,
        ty: &ChannelType,
        message: &[Value],
        way: Way<'_>,
        offering: Offering<'_>,
    ) {
        if !matches!(self.body, super::emit::Body::Process(_)) {
            self.bail();
            return;
        }
        self.forbid_choice(offering.later);
        let one = self.int(1);
        self.set_field(offset_of!(Cx, offered), one);
        let after = self.prepare_offer(chan, ty, message, way, offering);
        self.save_cursors();
        let timeout = self.facts.program.uses_timeout.then(|| {
            // Receivers do not see a timeout.
            let was = self.variable_field(types::I32, offset_of!(Cx, timeout));
            let none = self.int(0);
            self.set_field(offset_of!(Cx, timeout), none);
            was
        });
        let answers = self.ask_all(after);
        if let Some(was) = timeout {
            self.set_field(offset_of!(Cx, timeout), was);
        }
        self.take_answers(id, answers);
    }

    /// Writes the message and the state after the send; returns that state.
    fn prepare_offer(
        &mut self,
        chan: &Chan,
        ty: &ChannelType,
        message: &[Value],
        way: Way<'_>,
        offering: Offering<'_>,
    ) -> Value {
        let length = self.field(offset_of!(Cx, length));
        let size = self.variable_field(types::I64, offset_of!(Cx, scratch_size));
        let large = self.b.ins().icmp(IntCC::UnsignedGreaterThan, length, size);
        self.bail_if(large);
        let values = self.variable_field(types::I64, offset_of!(Cx, message));
        for (i, (value, scalar)) in message.iter().zip(&ty.fields).enumerate() {
            let value = self.truncated(*scalar, *value);
            self.b.ins().store(PLAIN, value, values, 4 * i as i32);
        }
        let number = self.channel_number(chan);
        self.set_field(offset_of!(Cx, offer_channel), number);
        let scratch = self.variable_field(types::I64, offset_of!(Cx, scratch));
        self.copy_state(way.from.base, scratch);
        let to = self.view_of(scratch);
        self.watch(true, chan, ty, message, Way { to, ..way });
        self.move_on(offering.transition, scratch, true);
        scratch
    }

    /// Asks all other processes, the youngest first; returns what they say, together.
    fn ask_all(&mut self, state: Value) -> Value {
        let count = self.field(offset_of!(Cx, processes));
        let (head, body, ask, next, done) = (
            self.b.create_block(),
            self.b.create_block(),
            self.b.create_block(),
            self.b.create_block(),
            self.b.create_block(),
        );
        let above = self.b.append_block_param(head, types::I64);
        let said = self.b.append_block_param(head, types::I32);
        let all = self.b.append_block_param(next, types::I32);
        let nothing = self.int(0);
        self.b.ins().jump(head, &[BlockArg::Value(count), BlockArg::Value(nothing)]);
        self.b.switch_to_block(head);
        self.b.ins().brif(above, body, &[], done, &[]);
        self.enter(body);
        let pid = self.b.ins().iadd_imm_s(above, -1);
        let own = self.b.ins().icmp(IntCC::Equal, pid, self.pid);
        let entry = self.frame_entry(pid);
        let proctype = self.entry_part(entry, offset_of!(FrameAt, proctype));
        let table = self.facts.tables.accept.as_ptr() as usize;
        let callee = self.by_proctype(table, 8, proctype);
        let none = self.compare(IntCC::Equal, callee, 0);
        let skip = self.b.ins().bor(own, none);
        self.b.ins().brif(skip, next, &[BlockArg::Value(said)], ask, &[]);
        self.enter(ask);
        if self.facts.restricts_moves {
            let may = self.may_move(state, pid);
            let free = self.b.create_block();
            self.b.ins().brif(may, free, &[], next, &[BlockArg::Value(said)]);
            self.enter(free);
        }
        let frame = self.entry_part(entry, offset_of!(FrameAt, offset));
        let sig = self.step_sig();
        let call = self.b.ins().call_indirect(sig, callee, &[self.cx, state, frame, pid]);
        let answer = self.b.inst_results(call)[0];
        let bad = self.b.ins().band_imm_u(answer, i64::from(BAIL));
        self.bail_if(bad);
        let together = self.b.ins().bor(said, answer);
        self.b.ins().jump(next, &[BlockArg::Value(together)]);
        self.enter(next);
        self.b.ins().jump(head, &[BlockArg::Value(pid), BlockArg::Value(all)]);
        self.b.seal_block(head);
        self.enter(done);
        said
    }

    /// Whether process `pid` may move in `state`.
    fn may_move(&mut self, state: Value, pid: Value) -> Value {
        let table = self.word(self.facts.tables.may_move.as_ptr() as i64);
        let callee = self.b.ins().load(types::I64, PLAIN, table, 0);
        let sig = self.step_sig();
        let call = self.b.ins().call_indirect(sig, callee, &[self.cx, state, pid, pid]);
        let answer = self.b.inst_results(call)[0];
        let bad = self.compare(IntCC::Equal, answer, i64::from(BAIL));
        self.bail_if(bad);
        answer
    }

    fn take_answers(&mut self, id: StmtId, answers: Value) {
        let moved = self.b.ins().band_imm_u(answers, i64::from(MOVED));
        let (taken, done) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(moved, taken, &[], done, &[]);
        self.enter(taken);
        self.mark_executed(id);
        let flags = self.b.use_var(self.out.flags);
        let flags = self.b.ins().bor(flags, answers);
        self.b.def_var(self.out.flags, flags);
        let yes = self.int(1);
        self.b.def_var(self.out.moved, yes);
        // The receivers have used up room.
        let most = self.process().automaton.locations[self.out.location.index()].transitions.len();
        self.reserve(most, false);
        self.b.ins().jump(done, &[]);
        self.enter(done);
    }
}
