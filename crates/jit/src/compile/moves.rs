//! Code that puts messages into channels and takes them out. Slots that are not used
//! stay zero, so equal contents are equal bytes.

use super::channel::Chan;
use super::emit::{Address, Emit, PLAIN, View};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, MemFlagsData, Type, Value, types};
use spinor_program::ChannelType;

impl Emit<'_, '_> {
    /// Adds a message to a channel that is not full: `from` is the state before, `to` is
    /// where the change happens (the same, or a copy).
    pub fn insert_message(
        &mut self,
        chan: &Chan,
        ty: &ChannelType,
        (from, to): (View, View),
        message: &[Value],
        sorted: bool,
    ) {
        let len = self.len(chan, ty, from);
        let wide = self.b.ins().uextend(types::I64, len);
        let end = self.scaled(wide, ty.message_bytes);
        let content = self.content(chan, to);
        let slots = Address { base: content.base, offset: content.offset + ty.len_bytes as i32 };
        let at = if sorted { self.make_gap(chan, ty, from, slots, end, message) } else { end };
        let base = self.b.ins().iadd(slots.base, at);
        let mut offset = slots.offset;
        for (scalar, value) in ty.fields.iter().zip(message) {
            self.store_scalar(*scalar, *value, None, Address { base, offset });
            offset += scalar.width() as i32;
        }
        let more = self.b.ins().iadd_imm_s(len, 1);
        self.store_bytes(ty.len_bytes, more, content);
    }

    /// Moves all messages larger than `message` up by one; returns where the gap is.
    fn make_gap(
        &mut self,
        chan: &Chan,
        ty: &ChannelType,
        from: View,
        slots: Address,
        end: Value,
        message: &[Value],
    ) -> Value {
        let step = i64::from(ty.message_bytes);
        let content = self.content(chan, from);
        let old = Address { base: content.base, offset: content.offset + ty.len_bytes as i32 };
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
        self.b.ins().brif(more, look, &[], found, &[]);
        self.enter(look);
        let base = self.b.ins().iadd(old.base, at);
        let mut offset = old.offset;
        for (scalar, value) in ty.fields.iter().zip(message) {
            let have = self.load_scalar(*scalar, PLAIN, Address { base, offset });
            let larger = self.b.ins().icmp(IntCC::SignedGreaterThan, have, *value);
            self.leave_if(larger, found);
            let smaller = self.b.ins().icmp(IntCC::SignedLessThan, have, *value);
            self.leave_if(smaller, next);
            offset += scalar.width() as i32;
        }
        self.b.ins().jump(next, &[]);
        self.enter(next);
        let following = self.b.ins().iadd_imm_s(at, step);
        self.b.ins().jump(head, &[BlockArg::Value(following)]);
        self.b.seal_block(head);
        self.enter(found);

        let (head, shift, done) =
            (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let to = self.b.append_block_param(head, types::I64);
        self.b.ins().jump(head, &[BlockArg::Value(end)]);
        self.b.switch_to_block(head);
        let more = self.b.ins().icmp(IntCC::UnsignedGreaterThan, to, at);
        self.b.ins().brif(more, shift, &[], done, &[]);
        self.enter(shift);
        let lower = self.b.ins().iadd_imm_s(to, -step);
        let source = self.b.ins().iadd(slots.base, lower);
        let source = Address { base: source, offset: slots.offset };
        let target = Address { base: source.base, offset: slots.offset + step as i32 };
        self.move_bytes(source, PLAIN, target, ty.message_bytes);
        self.b.ins().jump(head, &[BlockArg::Value(lower)]);
        self.b.seal_block(head);
        self.enter(done);
        at
    }

    /// Takes the message `at` bytes from the first (`None`: the first) out.
    pub fn remove_message(
        &mut self,
        chan: &Chan,
        ty: &ChannelType,
        (from, to): (View, View),
        at: Option<Value>,
    ) {
        let len = self.len(chan, ty, from);
        let content = self.content(chan, to);
        let slots = Address { base: content.base, offset: content.offset + ty.len_bytes as i32 };
        let less = self.b.ins().iadd_imm_s(len, -1);
        let width = ty.message_bytes;
        if at.is_none() && Self::is_short(ty) {
            // Whatever is behind the messages is zero and may be moved as well.
            let old = self.content(chan, from);
            let flags = Self::content_flags(from);
            let second = old.offset + (ty.len_bytes + width) as i32;
            let rest = (ty.capacity - 1) * width;
            self.move_bytes(Address { base: old.base, offset: second }, flags, slots, rest);
            let last = Address { base: slots.base, offset: slots.offset + rest as i32 };
            self.clear_bytes(last, width);
        } else {
            let wide = self.b.ins().uextend(types::I64, less);
            let last = self.scaled(wide, width);
            let first = match at {
                Some(at) => at,
                None => self.word(0),
            };
            let (head, shift, done) =
                (self.b.create_block(), self.b.create_block(), self.b.create_block());
            let to = self.b.append_block_param(head, types::I64);
            self.b.ins().jump(head, &[BlockArg::Value(first)]);
            self.b.switch_to_block(head);
            let more = self.b.ins().icmp(IntCC::UnsignedLessThan, to, last);
            self.b.ins().brif(more, shift, &[], done, &[]);
            self.enter(shift);
            let base = self.b.ins().iadd(slots.base, to);
            let source = Address { base, offset: slots.offset + width as i32 };
            self.move_bytes(source, PLAIN, Address { base, offset: slots.offset }, width);
            let following = self.b.ins().iadd_imm_s(to, i64::from(width));
            self.b.ins().jump(head, &[BlockArg::Value(following)]);
            self.b.seal_block(head);
            self.enter(done);
            let base = self.b.ins().iadd(slots.base, last);
            self.clear_bytes(Address { base, offset: slots.offset }, width);
        }
        self.store_bytes(ty.len_bytes, less, content);
    }

    fn scaled(&mut self, value: Value, by: u32) -> Value {
        if by == 1 { value } else { self.b.ins().imul_imm_s(value, i64::from(by)) }
    }

    /// Copies bytes in ascending order, so the target may overlap the source from below.
    pub fn move_bytes(&mut self, from: Address, flags: MemFlagsData, to: Address, bytes: u32) {
        pieces(bytes, true, |ty, at| {
            let piece = self.b.ins().load(ty, flags, from.base, from.offset + at);
            self.b.ins().store(PLAIN, piece, to.base, to.offset + at);
        });
    }

    fn clear_bytes(&mut self, at: Address, bytes: u32) {
        pieces(bytes, false, |ty, offset| {
            let zero = self.b.ins().iconst(ty, 0);
            self.b.ins().store(PLAIN, zero, at.base, at.offset + offset);
        });
    }
}

/// Cuts a number of bytes into loads or stores: type and offset of each.
fn pieces(bytes: u32, vectors: bool, mut f: impl FnMut(Type, i32)) {
    let mut at = 0;
    while at < bytes {
        let ty = match bytes - at {
            16.. if vectors => types::I8X16,
            8.. => types::I64,
            4.. => types::I32,
            2.. => types::I16,
            _ => types::I8,
        };
        f(ty, at as i32);
        at += ty.bytes();
    }
}
