//! Code for the sending half of a rendezvous: everybody who can take the message does,
//! each in a state of its own.
//!
//! Receivers see the state after the send. In most programs nothing that they look at
//! has changed then: they are asked in the state before, and the sender moves itself on
//! in the states that they wrote.

use super::channel::Chan;
use super::emit::{Address, Body, Emit, PLAIN, View};
use super::perform::Way;
use super::ready::receives;
use crate::abi::{BAIL, Cx, FrameAt, MOVED};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};
use cranelift_frontend::Variable;
use spinor_program::expr::ProctypeId;
use spinor_program::{Base, ChannelType, StmtId, Transition};
use std::mem::offset_of;

/// Transitions of a location from which on receivers first look at the channel.
const SEVERAL: usize = 3;

/// Channels that such a choice can be among.
const MOST_CHANNELS: u32 = 1024;

/// An offer in the making.
struct Offer<'a> {
    chan: &'a Chan,
    ty: &'a ChannelType,
    message: &'a [Value],
    /// The state in which receivers are asked.
    state: Value,
    /// What they said, together.
    said: Variable,
}

impl Emit<'_, '_> {
    /// Offers a message to all other processes.
    pub fn offer(
        &mut self,
        id: StmtId,
        chan: &Chan,
        ty: &ChannelType,
        message: &[Value],
        way: Way<'_>,
    ) {
        if !matches!(self.body, Body::Process(_)) {
            self.bail();
            return;
        }
        self.forbid_choice(way.later);
        self.note_offered(1);
        let unseen = self.facts.sends_unseen;
        let state = if unseen { way.from.base } else { self.state_after(chan, ty, message, way) };
        let first = self.b.use_var(self.out.bytes);
        let start = self.variable_field(types::I64, offset_of!(Cx, bytes_start));
        let first = self.b.ins().isub(first, start);
        self.save_cursors();
        let timeout = self.facts.program.uses_timeout.then(|| {
            // Receivers do not see a timeout.
            let was = self.variable_field(types::I32, offset_of!(Cx, timeout));
            let none = self.int(0);
            self.set_field(offset_of!(Cx, timeout), none);
            was
        });
        let said = self.b.declare_var(types::I32);
        let nothing = self.int(0);
        self.b.def_var(said, nothing);
        let offer = Offer { chan, ty, message, state, said };
        self.ask_all(&offer);
        if let Some(was) = timeout {
            self.set_field(offset_of!(Cx, timeout), was);
        }
        self.take_answers(id, said, |s| {
            if unseen {
                s.move_on_in_all(way.transition, first);
            }
        });
    }

    /// The state after the send, in a place of its own.
    fn state_after(
        &mut self,
        chan: &Chan,
        ty: &ChannelType,
        message: &[Value],
        way: Way<'_>,
    ) -> Value {
        let length = self.field(offset_of!(Cx, length));
        let size = self.variable_field(types::I64, offset_of!(Cx, scratch_size));
        let large = self.b.ins().icmp(IntCC::UnsignedGreaterThan, length, size);
        self.bail_if(large);
        let scratch = self.variable_field(types::I64, offset_of!(Cx, scratch));
        self.copy_state(way.from.base, scratch);
        let to = self.view_of(scratch);
        self.watch(true, chan, ty, message, Way { to, ..way });
        self.move_on(way.transition, scratch, true);
        scratch
    }

    /// Asks all other processes, the youngest first.
    fn ask_all(&mut self, offer: &Offer<'_>) {
        let facts = self.facts;
        let Some(population) = facts.population else {
            self.ask_in_turn(offer);
            return;
        };
        for (pid, &proctype) in population.iter().enumerate().rev() {
            let ready = &facts.tables.ready;
            let takes = match self.constant_number(offer.chan) {
                Some(number) => ready.takes(proctype, number),
                None => ready.starts[proctype.index()] != 0,
            };
            if takes {
                let next = self.b.create_block();
                self.ask_known(offer, pid, proctype, next);
                self.b.ins().jump(next, &[]);
                self.enter(next);
            }
        }
    }

    /// Asks a process of which only its place in the state may change.
    fn ask_known(&mut self, offer: &Offer<'_>, pid: usize, proctype: ProctypeId, next: Block) {
        let number = self.word(pid as i64);
        if self.body == Body::Process(proctype) {
            let own = self.b.ins().icmp(IntCC::Equal, number, self.pid);
            self.leave_if(own, next);
        }
        let process = &self.facts.program.proctypes[proctype.index()];
        let (frame, address) = match &self.facts.fixed {
            Some(shape) => {
                let offset = shape.frames[pid].offset;
                let address = Address { base: offer.state, offset: offset as i32 };
                (self.word(offset as i64), address)
            }
            None => {
                let count = self.field(offset_of!(Cx, processes));
                let gone = self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, count, number);
                self.leave_if(gone, next);
                let frames = self.field(offset_of!(Cx, frames));
                let at = pid * size_of::<FrameAt>() + offset_of!(FrameAt, offset);
                let frame = self.entry_part(frames, at);
                let base = self.b.ins().iadd(offer.state, frame);
                (frame, Address { base, offset: 0 })
            }
        };
        let at = self.load_counter(process.location_bytes, PLAIN, address);
        let rows = self.word(self.facts.tables.ready.starts[proctype.index()] as i64);
        self.require_ready(offer, rows, at, next);
        let table = self.facts.tables.accept.as_ptr() as usize + 8 * proctype.index();
        let callee = self.word(table as i64);
        let callee = self.b.ins().load(types::I64, PLAIN, callee, 0);
        self.ask_one(offer, callee, number, frame, next);
    }

    /// The same in a loop, where it is not known which processes there are.
    fn ask_in_turn(&mut self, offer: &Offer<'_>) {
        let count = self.field(offset_of!(Cx, processes));
        let (head, body, next, done) = (
            self.b.create_block(),
            self.b.create_block(),
            self.b.create_block(),
            self.b.create_block(),
        );
        let above = self.b.append_block_param(head, types::I64);
        self.b.ins().jump(head, &[BlockArg::Value(count)]);
        self.b.switch_to_block(head);
        self.b.ins().brif(above, body, &[], done, &[]);
        self.enter(body);
        let pid = self.b.ins().iadd_imm_s(above, -1);
        let own = self.b.ins().icmp(IntCC::Equal, pid, self.pid);
        self.leave_if(own, next);
        let entry = self.frame_entry(pid);
        let proctype = self.entry_part(entry, offset_of!(FrameAt, proctype));
        let frame = self.entry_part(entry, offset_of!(FrameAt, offset));
        let starts = self.facts.tables.ready.starts.as_ptr() as usize;
        let rows = self.by_proctype(starts, 8, proctype);
        self.leave_unless(rows, next);
        let view = View { base: offer.state, ..self.here() };
        let at = self.location_of(pid, view);
        self.require_ready(offer, rows, at, next);
        let table = self.facts.tables.accept.as_ptr() as usize;
        let callee = self.by_proctype(table, 8, proctype);
        self.ask_one(offer, callee, pid, frame, next);
        self.b.ins().jump(next, &[]);
        self.enter(next);
        self.b.ins().jump(head, &[BlockArg::Value(pid)]);
        self.b.seal_block(head);
        self.enter(done);
    }

    /// Goes to `otherwise` if a process at a location does not wait for such a message.
    fn require_ready(&mut self, offer: &Offer<'_>, rows: Value, at: Value, otherwise: Block) {
        let words = self.facts.tables.ready.words;
        let at = self.b.ins().uextend(types::I64, at);
        let row = self.b.ins().imul_imm_s(at, 8 * words as i64);
        let row = self.b.ins().iadd(rows, row);
        let last = 8 * (words as i32 - 1);
        let waits = match self.constant_number(offer.chan) {
            Some(number) => {
                let word = self.b.ins().load(types::I64, PLAIN, row, 8 * (number / 64) as i32);
                let bit = self.word(1i64.wrapping_shl(number));
                self.b.ins().band(word, bit)
            }
            None if self.is_global(offer.chan) => {
                let number = self.channel_number(offer.chan);
                let word = self.b.ins().ushr_imm_u(number, 6);
                let word = self.b.ins().ishl_imm_u(word, 3);
                let word = self.b.ins().iadd(row, word);
                let word = self.b.ins().load(types::I64, PLAIN, word, 0);
                // The count is taken modulo 64.
                let bits = self.b.ins().ushr(word, number);
                self.b.ins().band_imm_u(bits, 1)
            }
            None => self.b.ins().load(types::I64, PLAIN, row, last),
        };
        self.leave_unless(waits, otherwise);
    }

    /// Offers the message to one process that waits for such.
    fn ask_one(
        &mut self,
        offer: &Offer<'_>,
        callee: Value,
        pid: Value,
        frame: Value,
        refused: Block,
    ) {
        if self.facts.restricts_moves {
            let may = self.may_move(offer.state, pid);
            self.leave_unless(may, refused);
        }
        let values = self.variable_field(types::I64, offset_of!(Cx, message));
        for (i, (value, scalar)) in offer.message.iter().zip(&offer.ty.fields).enumerate() {
            let value = self.truncated(*scalar, *value);
            self.b.ins().store(PLAIN, value, values, 4 * i as i32);
        }
        let number = self.channel_number(offer.chan);
        self.set_field(offset_of!(Cx, offer_channel), number);
        let sig = self.step_sig();
        let args = [self.cx, offer.state, frame, pid];
        let call = self.b.ins().call_indirect(sig, callee, &args);
        let answer = self.b.inst_results(call)[0];
        let bad = self.b.ins().band_imm_u(answer, i64::from(BAIL));
        self.bail_if(bad);
        let said = self.b.use_var(offer.said);
        let said = self.b.ins().bor(said, answer);
        self.b.def_var(offer.said, said);
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

    /// Moves the sender on in all states from `first` bytes of the output on. They have
    /// the same length: receivers neither start nor end processes.
    fn move_on_in_all(&mut self, transition: &Transition, first: Value) {
        let start = self.variable_field(types::I64, offset_of!(Cx, bytes_start));
        let end = self.variable_field(types::I64, offset_of!(Cx, bytes));
        let length = self.field(offset_of!(Cx, length));
        let first = self.b.ins().iadd(start, first);
        let (head, done) = (self.b.create_block(), self.b.create_block());
        let state = self.b.append_block_param(head, types::I64);
        self.b.ins().jump(head, &[BlockArg::Value(first)]);
        self.b.switch_to_block(head);
        self.move_on(transition, state, true);
        let next = self.b.ins().iadd(state, length);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, next, end);
        self.b.ins().brif(more, head, &[BlockArg::Value(next)], done, &[]);
        self.b.seal_block(head);
        self.enter(done);
    }

    fn take_answers(&mut self, id: StmtId, said: Variable, complete: impl FnOnce(&mut Self)) {
        let answers = self.b.use_var(said);
        let moved = self.b.ins().band_imm_u(answers, i64::from(MOVED));
        let (taken, done) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(moved, taken, &[], done, &[]);
        self.enter(taken);
        complete(self);
        self.mark_executed(id);
        let flags = self.b.use_var(self.out.flags);
        let flags = self.b.ins().bor(flags, answers);
        self.b.def_var(self.out.flags, flags);
        let yes = self.int(1);
        self.b.def_var(self.out.moved, yes);
        // The receivers have used up room.
        let most = self.process().automaton.locations[self.out.location.index()].transitions.len();
        self.reserve(most + self.out.later, false);
        self.b.ins().jump(done, &[]);
        self.enter(done);
    }

    /// The transitions of a receiver. If there are many, only those are looked at that
    /// are about the channel of the offer.
    pub fn accepting_transitions(&mut self, all: &[Transition], view: View) {
        let numbers: Vec<Vec<Option<u32>>> = all.iter().map(|t| self.numbers(t)).collect();
        let mut known: Vec<u32> = numbers.iter().flatten().copied().flatten().collect();
        known.sort_unstable();
        known.dedup();
        let (Some(&least), Some(&most)) = (known.first(), known.last()) else {
            self.transitions(all, view);
            return;
        };
        if all.len() < SEVERAL || known.len() < 2 || most - least >= MOST_CHANNELS {
            self.transitions(all, view);
            return;
        }
        let fitting = |number: Option<u32>| -> Vec<Transition> {
            let fits = |of: &Vec<Option<u32>>| of.iter().any(|n| n.is_none() || *n == number);
            all.iter().zip(&numbers).filter(|(_, n)| fits(n)).map(|(t, _)| *t).collect()
        };
        let (other, done) = (self.b.create_block(), self.b.create_block());
        let blocks: Vec<Block> = (least..=most)
            .map(|n| if known.binary_search(&n).is_ok() { self.b.create_block() } else { other })
            .collect();
        let offered = self.variable_field(types::I64, offset_of!(Cx, offer_channel));
        let offered = self.b.ins().ireduce(types::I32, offered);
        let index = self.b.ins().iadd_imm_s(offered, -i64::from(least));
        self.switch_or(index, &blocks, other);
        for &number in &known {
            self.enter(blocks[(number - least) as usize]);
            self.out.offered = Some(number);
            self.transitions(&fitting(Some(number)), view);
            self.b.ins().jump(done, &[]);
        }
        self.out.offered = None;
        self.enter(other);
        self.transitions(&fitting(None), view);
        self.b.ins().jump(done, &[]);
        self.enter(done);
    }

    /// The global channels that a transition receives from; `None` for one not known.
    fn numbers(&self, transition: &Transition) -> Vec<Option<u32>> {
        let proctype = match self.body {
            Body::Process(id) => Some(id.index()),
            Body::Claim(_) | Body::Trace => None,
        };
        receives(self.facts.program, transition)
            .map(|receive| {
                let place = &receive.channel;
                let known = self.facts.statics.find(place, proctype)?;
                let is_constant = place.indices.is_empty() && place.base == Base::Global;
                // Copying from a rendezvous is an error, whatever is offered.
                (is_constant && !receive.copy).then_some(known.number)
            })
            .collect()
    }
}
