//! Code for the content of channels: a counter, then the messages, oldest first.

use super::emit::{Address, Body, CHECKED, Emit, PLAIN, View};
use super::statics::StaticChannel;
use crate::abi::{ChannelAt, Cx, FrameAt};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, MemFlagsData, Type, Value, types};
use spinor_program::expr::Probe;
use spinor_program::{Base, ChannelType, Expr, Place, Poll, Scalar};
use std::mem::offset_of;

/// Contents up to this many bytes are moved by straight code.
const STRAIGHT: u32 = 128;

/// A channel that a variable holds.
pub(super) struct Chan {
    kind: Kind,
}

enum Kind {
    /// Always the same one of its area, or of an array in it.
    Static { known: StaticChannel, base: Base, bytes: Option<Value>, number: Option<Value> },
    /// Whatever the variable holds: number, offset and type.
    Dynamic { number: Value, offset: Value, ty: Value },
}

impl Emit<'_, '_> {
    /// The channel that a variable holds.
    pub fn channel(&mut self, place: &Place, view: View) -> Chan {
        self.reject_started(view);
        let proctype = match self.body {
            Body::Process(id) => Some(id.index()),
            Body::Claim(_) | Body::Trace => None,
        };
        if let Some(known) = self.facts.statics.find(place, proctype) {
            let (mut bytes, mut number) = (None, None);
            for (index, &(to_content, to_number)) in place.indices.iter().zip(&known.strides) {
                let value = self.index(&index.value, index.bound, view);
                bytes = Some(self.add_scaled(bytes, value, to_content));
                number = Some(self.add_scaled(number, value, to_number));
            }
            return Chan { kind: Kind::Static { known, base: place.base, bytes, number } };
        }
        let number = self.value(&Expr::Load(place.clone()), view);
        let number = self.b.ins().sextend(types::I64, number);
        let number = self.b.ins().iadd_imm_s(number, -1);
        let count = self.field(offset_of!(Cx, channel_count));
        // Also if the variable holds 0: that is no channel.
        let bad = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, number, count);
        self.bail_if(bad);
        let channels = self.field(offset_of!(Cx, channels));
        let entry = self.b.ins().imul_imm_s(number, size_of::<ChannelAt>() as i64);
        let entry = self.b.ins().iadd(channels, entry);
        let offset = self.entry_part(entry, offset_of!(ChannelAt, offset));
        let ty = self.entry_part(entry, offset_of!(ChannelAt, ty));
        Chan { kind: Kind::Dynamic { number, offset, ty } }
    }

    fn add_scaled(&mut self, sum: Option<Value>, value: Value, scale: u32) -> Value {
        let part = self.b.ins().imul_imm_s(value, i64::from(scale));
        match sum {
            Some(sum) => self.b.ins().iadd(sum, part),
            None => part,
        }
    }

    /// The type of a channel, if it is known.
    pub fn known_type(&self, chan: &Chan) -> Option<&ChannelType> {
        match &chan.kind {
            Kind::Static { known, .. } => {
                Some(&self.facts.program.channel_types[known.ty.0 as usize])
            }
            Kind::Dynamic { .. } => None,
        }
    }

    /// The number of a channel that is always the same global one.
    pub fn constant_number(&self, chan: &Chan) -> Option<u32> {
        match &chan.kind {
            Kind::Static { known, base: Base::Global, number: None, .. } => Some(known.number),
            _ => None,
        }
    }

    /// Whether the channel is one of the globals, by its declaration.
    pub fn is_global(&self, chan: &Chan) -> bool {
        matches!(&chan.kind, Kind::Static { base: Base::Global, .. })
    }

    /// The number of a channel, from 0, as 64 bits.
    pub fn channel_number(&mut self, chan: &Chan) -> Value {
        match &chan.kind {
            Kind::Static { known, base, number, .. } => {
                let first = i64::from(known.number);
                let own = match number {
                    Some(number) => self.b.ins().iadd_imm_s(*number, first),
                    None => self.word(first),
                };
                if *base == Base::Global {
                    return own;
                }
                let entry = self.frame_entry(self.pid);
                let before = self.entry_part(entry, offset_of!(FrameAt, channels_before));
                self.b.ins().iadd(before, own)
            }
            Kind::Dynamic { number, .. } => *number,
        }
    }

    /// Where the content of a channel begins.
    pub fn content(&mut self, chan: &Chan, view: View) -> Address {
        match &chan.kind {
            Kind::Static { known, base, bytes, .. } => {
                let area = if *base == Base::Global { view.globals } else { view.frame };
                let base = match bytes {
                    Some(bytes) => self.b.ins().iadd(area.base, *bytes),
                    None => area.base,
                };
                Address { base, offset: area.offset + known.content as i32 }
            }
            Kind::Dynamic { offset, .. } => {
                Address { base: self.b.ins().iadd(view.base, *offset), offset: 0 }
            }
        }
    }

    /// How the content of a channel may be read.
    pub fn content_flags(view: View) -> MemFlagsData {
        if view.fixed { CHECKED } else { PLAIN }
    }

    /// Generates `f` for every type that the channel can have; each gives a value.
    pub fn by_type(
        &mut self,
        chan: &Chan,
        result: Type,
        mut f: impl FnMut(&mut Self, &ChannelType) -> Value,
    ) -> Value {
        let ty = match &chan.kind {
            Kind::Static { known, .. } => {
                let ty = &self.facts.program.channel_types[known.ty.0 as usize];
                return f(self, ty);
            }
            Kind::Dynamic { ty, .. } => *ty,
        };
        let join = self.b.create_block();
        let value = self.b.append_block_param(join, result);
        let types: &[(ChannelType, Vec<u32>)] = &self.facts.channel_types;
        for (channel_type, ids) in types {
            let mut is: Option<Value> = None;
            for &id in ids {
                let one = self.compare(IntCC::Equal, ty, i64::from(id));
                is = Some(match is {
                    Some(is) => self.b.ins().bor(is, one),
                    None => one,
                });
            }
            let Some(is) = is else { continue };
            let (yes, no) = (self.b.create_block(), self.b.create_block());
            self.b.ins().brif(is, yes, &[], no, &[]);
            self.enter(yes);
            let value = f(self, channel_type);
            self.b.ins().jump(join, &[BlockArg::Value(value)]);
            self.enter(no);
        }
        let bail = self.bail_block();
        self.b.ins().jump(bail, &[]);
        self.enter(join);
        value
    }

    /// `len(q)`.
    pub fn channel_len(&mut self, place: &Place, view: View) -> Value {
        let chan = self.channel(place, view);
        self.by_type(&chan, types::I32, |s, ty| s.len(&chan, ty, view))
    }

    /// Number of messages; 0 for a rendezvous channel.
    pub fn len(&mut self, chan: &Chan, ty: &ChannelType, view: View) -> Value {
        if ty.capacity == 0 {
            return self.int(0);
        }
        let at = self.content(chan, view);
        let flags = Self::content_flags(view);
        self.load_counter(ty.len_bytes, flags, at)
    }

    /// `empty(q)` and its like.
    pub fn probe(&mut self, probe: Probe, place: &Place, view: View) -> Value {
        let chan = self.channel(place, view);
        self.by_type(&chan, types::I32, |s, ty| {
            let len = s.len(&chan, ty, view);
            let most = i64::from(ty.capacity.max(1));
            let (cc, with) = match probe {
                Probe::Empty => (IntCC::Equal, 0),
                Probe::Nempty => (IntCC::NotEqual, 0),
                Probe::Full => (IntCC::UnsignedGreaterThanOrEqual, most),
                Probe::Nfull => (IntCC::UnsignedLessThan, most),
            };
            let holds = s.compare(cc, len, with);
            s.b.ins().uextend(types::I32, holds)
        })
    }

    /// `q?[…]`, `q??[…]`.
    pub fn poll(&mut self, poll: &Poll, view: View) -> Value {
        let chan = self.channel(&poll.channel, view);
        self.by_type(&chan, types::I32, |s, ty| {
            if ty.capacity == 0 || poll.pattern.len() > ty.fields.len() {
                s.bail();
                return s.int(0);
            }
            let pattern: Vec<Option<Value>> =
                poll.pattern.iter().map(|p| p.as_ref().map(|e| s.value(e, view))).collect();
            let (absent, join) = (s.b.create_block(), s.b.create_block());
            let result = s.b.append_block_param(join, types::I32);
            s.find(&chan, ty, view, &pattern, poll.random, absent);
            let yes = s.int(1);
            s.b.ins().jump(join, &[BlockArg::Value(yes)]);
            s.enter(absent);
            let no = s.int(0);
            s.b.ins().jump(join, &[BlockArg::Value(no)]);
            s.enter(join);
            result
        })
    }

    /// The bytes from the first message to the first that fits the pattern (any, or only
    /// the oldest); `None`: it is the first. Goes to `absent` if there is none.
    pub fn find(
        &mut self,
        chan: &Chan,
        ty: &ChannelType,
        view: View,
        pattern: &[Option<Value>],
        anywhere: bool,
        absent: Block,
    ) -> Option<Value> {
        let len = self.len(chan, ty, view);
        if pattern.iter().skip(ty.fields.len()).any(Option::is_some) {
            // SPIN has no such field to compare with: no message fits.
            self.leave(absent);
            return None;
        }
        let start = self.content(chan, view);
        let slots = Address { base: start.base, offset: start.offset + ty.len_bytes as i32 };
        if !anywhere || pattern.iter().all(Option::is_none) {
            self.leave_unless(len, absent);
            let flags = Self::content_flags(view);
            self.match_message(ty, slots, flags, pattern, absent);
            return None;
        }
        let len = self.b.ins().uextend(types::I64, len);
        let end = self.b.ins().imul_imm_s(len, i64::from(ty.message_bytes));
        let (head, look, next, found) = (
            self.b.create_block(),
            self.b.create_block(),
            self.b.create_block(),
            self.b.create_block(),
        );
        let at = self.b.append_block_param(head, types::I64);
        let zero = self.word(0);
        self.b.ins().jump(head, &[BlockArg::Value(zero)]);
        self.b.switch_to_block(head);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, at, end);
        self.b.ins().brif(more, look, &[], absent, &[]);
        self.enter(look);
        let base = self.b.ins().iadd(slots.base, at);
        let flags = Self::content_flags(view);
        self.match_message(ty, Address { base, offset: slots.offset }, flags, pattern, next);
        self.b.ins().jump(found, &[]);
        self.enter(next);
        let following = self.b.ins().iadd_imm_s(at, i64::from(ty.message_bytes));
        self.b.ins().jump(head, &[BlockArg::Value(following)]);
        self.b.seal_block(head);
        self.enter(found);
        Some(at)
    }

    /// Goes to `differs` unless the message at `slot` fits the pattern.
    fn match_message(
        &mut self,
        ty: &ChannelType,
        slot: Address,
        flags: MemFlagsData,
        pattern: &[Option<Value>],
        differs: Block,
    ) {
        let mut offset = slot.offset;
        for (scalar, want) in ty.fields.iter().zip(pattern) {
            if let Some(want) = want {
                let have = self.load_scalar(*scalar, flags, Address { base: slot.base, offset });
                let same = self.b.ins().icmp(IntCC::Equal, have, *want);
                self.leave_unless(same, differs);
            }
            offset += scalar.width() as i32;
        }
    }

    /// The fields of the message `at` bytes from the first one.
    pub fn message_at(
        &mut self,
        chan: &Chan,
        ty: &ChannelType,
        view: View,
        at: Option<Value>,
    ) -> Vec<Value> {
        let start = self.content(chan, view);
        let flags = Self::content_flags(view);
        let base = match at {
            Some(at) => self.b.ins().iadd(start.base, at),
            None => start.base,
        };
        let mut offset = start.offset + ty.len_bytes as i32;
        let load = |&scalar: &Scalar| {
            let value = self.load_scalar(scalar, flags, Address { base, offset });
            offset += scalar.width() as i32;
            value
        };
        ty.fields.iter().map(load).collect()
    }

    /// Whether moving all messages of such a channel is best done by straight code.
    pub fn is_short(ty: &ChannelType) -> bool {
        ty.capacity * ty.message_bytes <= STRAIGHT
    }
}
