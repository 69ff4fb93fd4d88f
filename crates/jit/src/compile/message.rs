//! Code for sends and receives.

use super::channel::Chan;
use super::emit::{Emit, PLAIN};
use super::perform::Way;
use crate::abi::{BAIL, Cx};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use spinor_program::{ChannelType, Receive, ReceiveField, Send, StmtId};
use std::mem::offset_of;

impl Emit<'_, '_> {
    /// A send. A rendezvous is completed here; then, or if the send is not executable,
    /// goes to `blocked`.
    pub fn send(&mut self, id: StmtId, send: &Send, way: Way<'_>, blocked: Block) {
        let chan = self.channel(&send.channel, way.from);
        self.by_type(&chan, types::I32, |s, ty| {
            if ty.capacity > 0 {
                let len = s.len(&chan, ty, way.from);
                let most = i64::from(ty.capacity);
                let full = s.compare(IntCC::UnsignedGreaterThanOrEqual, len, most);
                s.leave_if(full, blocked);
            }
            if send.args.len() != ty.fields.len() {
                s.bail();
                return s.int(0);
            }
            let message: Vec<Value> = send.args.iter().map(|e| s.value(e, way.from)).collect();
            if ty.capacity > 0 {
                s.begin(way);
                s.insert_message(&chan, ty, (way.from, way.to), &message, send.sorted);
                s.watch(true, &chan, ty, &message, way);
            } else {
                if way.inner {
                    s.bail();
                } else {
                    s.offer(id, &chan, ty, &message, way);
                    s.leave(blocked);
                }
            }
            s.int(0)
        });
    }

    /// A receive; goes to `blocked` if it is not executable.
    pub fn receive(&mut self, receive: &Receive, way: Way<'_>, blocked: Block) {
        let chan = self.channel(&receive.channel, way.from);
        if way.accepting {
            self.accept(receive, &chan, way, blocked);
            return;
        }
        self.by_type(&chan, types::I32, |s, ty| {
            if ty.capacity == 0 {
                if receive.copy {
                    s.bail();
                } else {
                    s.leave(blocked);
                }
                return s.int(0);
            }
            let len = s.len(&chan, ty, way.from);
            s.leave_unless(len, blocked);
            if receive.args.len() != ty.fields.len() {
                s.bail();
                return s.int(0);
            }
            let pattern: Vec<Option<Value>> = s.pattern(receive, way);
            let at = s.find(&chan, ty, way.from, &pattern, receive.random, blocked);
            let message = s.message_at(&chan, ty, way.from, at);
            s.begin(way);
            s.bind(receive, ty, &message, way);
            if !receive.copy {
                s.remove_message(&chan, ty, (way.from, way.to), at);
                s.watch(false, &chan, ty, &message, way);
            }
            s.int(0)
        });
    }

    fn pattern(&mut self, receive: &Receive, way: Way<'_>) -> Vec<Option<Value>> {
        let field = |field: &ReceiveField| match field {
            ReceiveField::Match(e) => Some(self.value(e, way.from)),
            ReceiveField::Bind(_) | ReceiveField::Any => None,
        };
        receive.args.iter().map(field).collect()
    }

    fn bind(&mut self, receive: &Receive, ty: &ChannelType, message: &[Value], way: Way<'_>) {
        for ((field, value), scalar) in receive.args.iter().zip(message).zip(&ty.fields) {
            if let ReceiveField::Bind(place) = field {
                self.store(place, way.to, *value, Some(super::range::of_scalar(*scalar)));
            }
        }
    }

    /// The receiving half of a rendezvous.
    fn accept(&mut self, receive: &Receive, chan: &Chan, way: Way<'_>, blocked: Block) {
        match self.known_type(chan) {
            Some(ty) if ty.capacity > 0 => {
                self.leave(blocked);
                return;
            }
            // A rendezvous has no content to copy from: an error of the model.
            _ if receive.copy => {
                self.bail();
                return;
            }
            _ => {}
        }
        match (self.out.offered, self.constant_number(chan)) {
            (Some(offered), Some(number)) if offered == number => {}
            (Some(_), Some(_)) => {
                self.leave(blocked);
                return;
            }
            _ => {
                let number = self.channel_number(chan);
                let offered = self.variable_field(types::I64, offset_of!(Cx, offer_channel));
                let same = self.b.ins().icmp(IntCC::Equal, number, offered);
                self.leave_unless(same, blocked);
            }
        }
        self.by_type(chan, types::I32, |s, ty| {
            if ty.capacity > 0 || receive.args.len() != ty.fields.len() {
                s.bail();
                return s.int(0);
            }
            let pattern = s.pattern(receive, way);
            let offered = s.variable_field(types::I64, offset_of!(Cx, message));
            let load = |s: &mut Self, field: usize| {
                s.b.ins().load(types::I32, PLAIN, offered, 4 * field as i32)
            };
            for (field, want) in pattern.iter().enumerate() {
                if let Some(want) = want {
                    let have = load(s, field);
                    let same = s.b.ins().icmp(IntCC::Equal, have, *want);
                    s.leave_unless(same, blocked);
                }
            }
            let message: Vec<Value> = (0..ty.fields.len()).map(|f| load(s, f)).collect();
            s.begin(way);
            s.bind(receive, ty, &message, way);
            s.watch(false, chan, ty, &message, way);
            s.int(0)
        });
    }

    /// Tells the trace declaration, if there is one, of a message.
    pub fn watch(
        &mut self,
        is_send: bool,
        chan: &Chan,
        ty: &ChannelType,
        message: &[Value],
        way: Way<'_>,
    ) {
        if !self.facts.is_watched {
            return;
        }
        let slot = self.stack_values(message.len());
        for (i, (value, scalar)) in message.iter().zip(&ty.fields).enumerate() {
            let value = if is_send { self.truncated(*scalar, *value) } else { *value };
            self.b.ins().stack_store(types::I64, value, slot, 4 * i as i32);
        }
        let values = self.b.ins().stack_addr(types::I64, slot, 0);
        let number = self.channel_number(chan);
        let tables = self.facts.tables;
        let table = if is_send { &tables.watch_send } else { &tables.watch_receive };
        let table = self.word(table.as_ptr() as i64);
        let callee = self.b.ins().load(types::I64, PLAIN, table, 0);
        let signature = super::emit::signature(self.facts.conv, 5);
        let sig = self.b.import_signature(signature);
        let args = [self.cx, way.from.base, way.to.base, number, values];
        let call = self.b.ins().call_indirect(sig, callee, &args);
        let answer = self.b.inst_results(call)[0];
        let bad = self.compare(IntCC::Equal, answer, i64::from(BAIL));
        self.bail_if(bad);
    }
}
