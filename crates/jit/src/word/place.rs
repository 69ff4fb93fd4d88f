//! Where cells lie in the word at hand: reading and writing them.

use super::generate::{Generator, View};
use crate::compile::emit::{CHECKED, FIXED};
use crate::compile::logic::Logic;
use crate::compile::range::{self, Range};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use spinor_program::{Base, Expr, Place, Scalar};
use spinor_ts::{Quad, WordField};
use std::mem::offset_of;
use std::sync::Arc;

/// A field, where it is not known before which one is meant.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellAt {
    shift: u32,
    mask: u32,
    base: i32,
    /// Makes it a power of two.
    unused: u32,
}

/// Values up to this one can be looked up.
const MOST_LISTED: u32 = 4095;

/// Bits for so many numbers.
fn number_bits(count: usize) -> u32 {
    usize::BITS - count.saturating_sub(1).leading_zeros()
}

/// What a place means.
pub(super) enum Spot {
    /// Nothing is kept.
    Nowhere,
    Field(WordField),
    /// One of several fields: the first one, how far the others are apart, and which one.
    Row(WordField, u32, Value),
    /// One of several fields that have little in common: address of its [`CellAt`], and a bit of the limb that all are in, if they are.
    Table(Value, Option<u32>),
    /// There is no such field.
    Unknown,
}

impl Generator<'_, '_> {
    /// The value of a place.
    pub(super) fn load(&mut self, place: &Place, view: View) -> Value {
        let number = self.load_number(place, view);
        match self.listed(place) {
            Some(values) => self.value_of(number, &values),
            None => number,
        }
    }

    /// What stands in the word for the value of a place.
    pub(super) fn load_number(&mut self, place: &Place, view: View) -> Value {
        match self.locate(place, view) {
            Spot::Nowhere => self.int(0),
            Spot::Unknown => {
                self.give_up();
                self.int(0)
            }
            Spot::Field(field) => self.load_field(&field, view),
            Spot::Row(field, stride, index) => {
                let shift = self.row_shift(&field, stride, index);
                self.look_at(&field, shift);
                let limb = self.limb(view, field.shift);
                let bits = self.b.ins().ushr(limb, shift);
                self.of_bits(bits, &field)
            }
            Spot::Table(at, near) => {
                let CellValues { shift, mask, base } = self.cell_at(at);
                self.look_at_any(mask, shift, near);
                let limb = self.limb_at(view, shift, near);
                let bits = self.b.ins().ushr(limb, shift);
                let bits = self.b.ins().ireduce(types::I32, bits);
                let bits = self.b.ins().band(bits, mask);
                self.b.ins().iadd(bits, base)
            }
        }
    }

    /// The values of a place, if something else stands for them in words.
    pub(super) fn listed(&self, place: &Place) -> Option<Arc<[u32]>> {
        let values = self.fields.get(&self.start_of(place)?)?.cell.values.as_ref()?;
        let is_same = values.iter().zip(0..).all(|(value, place)| *value == place);
        (!is_same).then(|| Arc::clone(values))
    }

    /// The value that a number stands for.
    fn value_of(&mut self, number: Value, values: &Arc<[u32]>) -> Value {
        let highest = number_bits(values.len());
        let is_same = |field: &&WordField| field.cell.values.as_ref() == Some(values);
        let widest = self.fields.values().filter(is_same).map(|field| field.width).max();
        let number = if widest > Some(highest) {
            // A sample had values that nobody foresaw.
            let most = (1 << highest) - 1;
            let is_beyond = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, number, most);
            self.give_up_if(is_beyond);
            self.at_most(number, most as u32)
        } else {
            number
        };
        // Behind the list the others follow, in their order.
        let others = (0..).filter(|value| values.binary_search(value).is_err());
        let others = others.take((1 << highest) - values.len());
        let table: Vec<u32> = values.iter().copied().chain(others).collect();
        self.look_up(table, number)
    }

    fn look_up(&mut self, table: Vec<u32>, at: Value) -> Value {
        let table = table.into_boxed_slice();
        let base = self.long(table.as_ptr() as usize as i64);
        self.lists.push(table);
        let at = self.b.ins().uextend(types::I64, at);
        let far = self.b.ins().ishl_imm_u(at, 2);
        let place = self.b.ins().iadd(base, far);
        self.b.ins().load(types::I32, CHECKED, place, 0)
    }

    /// What stands for a value, which may be a constant. Gives up if nothing does.
    fn number_of(&mut self, value: Value, range: Range, values: &[u32]) -> (Value, Range) {
        let place = |value: i64| values.binary_search_by(|v| i64::from(*v).cmp(&value)).ok();
        if range.min == range.max
            && let Some(place) = place(range.min)
        {
            let place = place as i64;
            return (self.int(place as i32), Range { min: place, max: place });
        }
        let most = values.last().copied().unwrap_or(0);
        if most > MOST_LISTED {
            self.give_up();
            return (self.int(0), Range { min: 0, max: 0 });
        }
        let is_beyond = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, value, i64::from(most));
        self.give_up_if(is_beyond);
        let value = if self.is_flat { self.at_most(value, most) } else { value };
        let table = (0..=most).map(|v| place(i64::from(v)).map_or(u32::MAX, |p| p as u32));
        let number = self.look_up(table.collect(), value);
        let is_none = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, number, 0);
        self.give_up_if(is_none);
        let number =
            if self.is_flat { self.at_most(number, values.len() as u32 - 1) } else { number };
        (number, Range { min: 0, max: values.len() as i64 - 1 })
    }

    fn at_most(&mut self, value: Value, most: u32) -> Value {
        let most = self.int(most.cast_signed());
        self.b.ins().umin(value, most)
    }

    /// The value of a cell.
    pub(super) fn load_field(&mut self, field: &WordField, view: View) -> Value {
        if field.width == 0 {
            return self.int(field.base as i32);
        }
        let limb = self.limb(view, field.shift);
        let bits = match field.shift % u64::BITS {
            0 => limb,
            shift => self.b.ins().ushr_imm_u(limb, i64::from(shift)),
        };
        self.of_bits(bits, field)
    }

    /// The value of a cell whose bits are the lowest.
    fn of_bits(&mut self, bits: Value, field: &WordField) -> Value {
        let mut value = self.b.ins().ireduce(types::I32, bits);
        if field.width < 32 {
            value = self.b.ins().band_imm_u(value, (1 << field.width) - 1);
        }
        if field.base == 0 { value } else { self.b.ins().iadd_imm_s(value, field.base) }
    }

    /// Stores a value, cut to the width of the place, in the new state. Gives up if it does not fit.
    pub(super) fn store(&mut self, place: &Place, value: Value, range: Range) {
        let spot = self.locate(place, View::New);
        let (value, range) = if range.fits(place.scalar) {
            (value, range)
        } else {
            (self.truncated(place.scalar, value), range::of_scalar(place.scalar))
        };
        let (value, range) = match self.listed(place) {
            Some(values) => self.number_of(value, range, &values),
            None => (value, range),
        };
        self.store_at(spot, value, range);
    }

    /// Copies what stands for a value, if the same stands for it in both places. Says whether it was done.
    pub(super) fn copy_number(&mut self, place: &Place, e: &Expr) -> bool {
        let Expr::Load(from) = e else { return false };
        let (Some(own), Some(other)) = (self.listed(place), self.listed(from)) else {
            return false;
        };
        if place.scalar != from.scalar || own != other {
            return false;
        }
        let number = self.load_number(from, View::New);
        let spot = self.locate(place, View::New);
        let width =
            self.start_of(from).and_then(|start| self.fields.get(&start)).map_or(0, |f| f.width);
        let range = Range { min: 0, max: (1 << width.max(number_bits(own.len()))) - 1 };
        self.store_at(spot, number, range);
        true
    }

    /// Stores what stands for a value.
    fn store_at(&mut self, spot: Spot, value: Value, range: Range) {
        match spot {
            Spot::Nowhere => {}
            Spot::Unknown => self.give_up(),
            Spot::Field(field) => self.store_field(&field, value, range),
            Spot::Row(field, stride, index) => {
                let bits = self.bits_of(&field, value, range);
                let shift = self.row_shift(&field, stride, index);
                self.look_at(&field, shift);
                let mask = self.long((1_i64 << field.width) - 1);
                self.replace(field.shift, mask, bits, shift);
            }
            Spot::Table(at, near) => {
                let CellValues { shift, mask, base } = self.cell_at(at);
                let bits = self.b.ins().isub(value, base);
                let is_beyond = self.b.ins().icmp(IntCC::UnsignedGreaterThan, bits, mask);
                self.give_up_if(is_beyond);
                self.look_at_any(mask, shift, near);
                let bits = self.b.ins().uextend(types::I64, bits);
                let mask = self.b.ins().uextend(types::I64, mask);
                self.replace_at(mask, bits, shift, near);
            }
        }
    }

    /// Stores a value that the cell can hold in the new state.
    pub(super) fn store_field(&mut self, field: &WordField, value: Value, range: Range) {
        let bits = self.bits_of(field, value, range);
        if field.width == 0 {
            return;
        }
        let shift = field.shift % u64::BITS;
        let mask = ((1_u64 << field.width) - 1) << shift;
        let old = self.limb(View::New, field.shift);
        let rest = self.b.ins().band_imm_s(old, (!mask).cast_signed());
        let bits = self.b.ins().ishl_imm_u(bits, i64::from(shift));
        let new = self.b.ins().bor(rest, bits);
        self.set_limb(field.shift, new);
    }

    /// Stores a constant.
    pub(super) fn store_constant(&mut self, field: &WordField, value: i64) {
        let value_of = self.int(value as i32);
        self.store_field(field, value_of, Range { min: value, max: value });
    }

    /// The bits of a value in a field, 64 wide. Gives up if there are too many.
    fn bits_of(&mut self, field: &WordField, value: Value, range: Range) -> Value {
        let bits =
            if field.base == 0 { value } else { self.b.ins().iadd_imm_s(value, -field.base) };
        if range.min < field.base || range.max > field.most() {
            let mask = (1_i64 << field.width) - 1;
            let is_beyond = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, bits, mask);
            self.give_up_if(is_beyond);
        }
        // In vain it may spill over into other fields: then it is not looked at.
        self.b.ins().uextend(types::I64, bits)
    }

    /// Takes note that a field like this one is looked at, whose bits begin at `shift`.
    fn look_at(&mut self, field: &WordField, shift: Value) {
        let mask = self.long((1_i64 << field.width) - 1);
        let bits = self.b.ins().ishl(mask, shift);
        self.look(field.shift, bits);
    }

    /// The same for a field of which nothing is known before but, maybe, a bit of its limb.
    fn look_at_any(&mut self, mask: Value, shift: Value, near: Option<u32>) {
        let mask = self.b.ins().uextend(types::I64, mask);
        let bits = self.b.ins().ishl(mask, shift);
        if let Some(near) = near {
            self.look(near, bits);
            return;
        }
        let none = self.long(0);
        for near in self.limbs_of_words() {
            let is_there = self.is_in(shift, near);
            let own = self.b.ins().select(is_there, bits, none);
            self.look(near, own);
        }
    }

    /// The first bit of each limb.
    fn limbs_of_words(&self) -> impl Iterator<Item = u32> + use<> {
        (0..self.layout.limbs as u32).map(|limb| limb * u64::BITS)
    }

    /// The bits of a place, if it is known which these are.
    pub(super) fn static_bits(&self, place: &Place) -> Quad {
        self.fixed_field(place).map_or(Quad::NONE, bits_of)
    }

    fn row_shift(&mut self, field: &WordField, stride: u32, index: Value) -> Value {
        let far = self.b.ins().imul_imm_s(index, i64::from(stride));
        self.b.ins().iadd_imm_s(far, i64::from(field.shift % u64::BITS))
    }

    /// Puts `bits` where `mask` is, both moved up by `shift`, in the limb of the new state that has bit `near`.
    fn replace(&mut self, near: u32, mask: Value, bits: Value, shift: Value) {
        let old = self.limb(View::New, near);
        let new = self.replaced(old, mask, bits, shift);
        self.set_limb(near, new);
    }

    fn replaced(&mut self, old: Value, mask: Value, bits: Value, shift: Value) -> Value {
        let mask = self.b.ins().ishl(mask, shift);
        let rest = self.b.ins().band_not(old, mask);
        let bits = self.b.ins().ishl(bits, shift);
        self.b.ins().bor(rest, bits)
    }

    /// The same in whichever limb it is.
    fn replace_at(&mut self, mask: Value, bits: Value, shift: Value, near: Option<u32>) {
        if let Some(near) = near {
            self.replace(near, mask, bits, shift);
            return;
        }
        for near in self.limbs_of_words() {
            let is_there = self.is_in(shift, near);
            let old = self.limb(View::New, near);
            let new = self.replaced(old, mask, bits, shift);
            let limb = self.b.ins().select(is_there, new, old);
            self.set_limb(near, limb);
        }
    }

    /// Whether a field that begins at `shift` is in the limb that begins at `near`.
    fn is_in(&mut self, shift: Value, near: u32) -> Value {
        let limb = self.b.ins().ushr_imm_u(shift, i64::from(u64::BITS.ilog2()));
        self.b.ins().icmp_imm_u(IntCC::Equal, limb, i64::from(near / u64::BITS))
    }

    /// The limb that a field lies in, of which only the shift is known at run time, or a bit of it.
    fn limb_at(&mut self, view: View, shift: Value, near: Option<u32>) -> Value {
        let mut found = self.limb(view, near.unwrap_or(0));
        if near.is_none() {
            for near in self.limbs_of_words().skip(1) {
                let is_there = self.is_in(shift, near);
                let other = self.limb(view, near);
                found = self.b.ins().select(is_there, other, found);
            }
        }
        found
    }

    fn cell_at(&mut self, at: Value) -> CellValues {
        let mut part = |offset: usize| self.b.ins().load(types::I32, FIXED, at, offset as i32);
        let shift = part(offset_of!(CellAt, shift));
        let (mask, base) = (part(offset_of!(CellAt, mask)), part(offset_of!(CellAt, base)));
        let shift = self.b.ins().uextend(types::I64, shift);
        CellValues { shift, mask, base }
    }

    /// What a value read from a place can be.
    pub(super) fn range_of(&self, e: &Expr) -> Range {
        range::of_with(e, &|place| self.range_of_place(place))
    }

    fn range_of_place(&self, place: &Place) -> Range {
        let field = self.start_of(place).and_then(|start| self.fields.get(&start));
        match field {
            _ if place.base == Base::Sink => Range { min: 0, max: 0 },
            Some(field) if place.indices.is_empty() => match self.listed(place) {
                None => Range { min: field.base, max: field.most() },
                Some(values) => range_of_listed(&values, place.scalar),
            },
            _ => range::of_scalar(place.scalar),
        }
    }

    /// The first byte of a place, all indices being zero.
    pub(super) fn start_of(&self, place: &Place) -> Option<usize> {
        let area = match place.base {
            Base::Global => self.shape.globals,
            Base::Frame => self.frame,
            Base::Hidden | Base::Sink => return None,
        };
        Some(area + place.offset as usize)
    }

    /// The field of a place, if it is known which one.
    pub(super) fn fixed_field(&self, place: &Place) -> Option<&WordField> {
        let mut start = self.start_of(place)?;
        for index in &place.indices {
            match index.value {
                Expr::Const(at) if (0..i64::from(index.bound)).contains(&i64::from(at)) => {
                    start += at as usize * index.stride as usize;
                }
                _ => return None,
            }
        }
        self.fields.get(&start)
    }

    /// Finds out what a place means; gives up if an index is out of range.
    fn locate(&mut self, place: &Place, view: View) -> Spot {
        let mut sum: Option<Value> = None;
        let mut start = self.start_of(place);
        for index in &place.indices {
            if let Expr::Const(at) = index.value
                && (0..i64::from(index.bound)).contains(&i64::from(at))
            {
                start = start.map(|start| start + at as usize * index.stride as usize);
                continue;
            }
            let value = self.value(&index.value, view);
            let is_below = self.range_of(&index.value).is_below(index.bound);
            if !is_below {
                let bound = i64::from(index.bound);
                let is_beyond =
                    self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, value, bound);
                self.give_up_if(is_beyond);
            }
            let value = match self.is_flat && !is_below {
                // Whatever it is, it has to be somewhere.
                true => self.at_most(value, index.bound - 1),
                false => value,
            };
            let value = self.b.ins().uextend(types::I64, value);
            let bytes = match index.stride {
                1 => value,
                stride => self.b.ins().imul_imm_s(value, i64::from(stride)),
            };
            sum = Some(match sum {
                Some(sum) => self.b.ins().iadd(sum, bytes),
                None => bytes,
            });
        }
        let Some(start) = start else { return Spot::Nowhere };
        match sum {
            None => self.fields.get(&start).cloned().map_or(Spot::Unknown, Spot::Field),
            Some(sum) => self.one_of(place, start, sum),
        }
    }

    /// One of the cells from `start` on, `sum` bytes from there.
    fn one_of(&mut self, place: &Place, start: usize, sum: Value) -> Spot {
        let is_dynamic = |index: &&spinor_program::Index| !matches!(index.value, Expr::Const(at) if (0..i64::from(index.bound)).contains(&i64::from(at)));
        let mut offsets = vec![0_usize];
        let dynamic: Vec<_> = place.indices.iter().filter(is_dynamic).collect();
        for index in &dynamic {
            let steps = |at: &usize| {
                let at = *at;
                (0..index.bound as usize).map(move |n| at + n * index.stride as usize)
            };
            offsets = offsets.iter().flat_map(steps).collect();
        }
        let fields: Option<Vec<(usize, WordField)>> =
            offsets.iter().map(|at| Some((*at, self.fields.get(&(start + at))?.clone()))).collect();
        let is_one_list = |fields: &Vec<(usize, WordField)>| {
            let first = fields.first().map(|(_, field)| &field.cell.values);
            first.is_some_and(|first| fields.iter().all(|(_, field)| field.cell.values == *first))
        };
        let Some(fields) = fields.filter(is_one_list) else { return Spot::Unknown };
        if let [index] = dynamic[..]
            && let Some(stride) = stride(&fields)
            && index.stride.is_power_of_two()
        {
            let which = self.b.ins().ushr_imm_u(sum, i64::from(index.stride.trailing_zeros()));
            return Spot::Row(fields[0].1.clone(), stride, which);
        }
        let last = fields.iter().map(|(at, _)| *at).max().unwrap_or(0);
        let mut table = vec![CellAt { shift: 0, mask: 0, base: 0, unused: 0 }; last + 1];
        for (at, field) in &fields {
            let mask = ((1_u64 << field.width) - 1) as u32;
            table[*at] = CellAt { shift: field.shift, mask, base: field.base as i32, unused: 0 };
        }
        let table = table.into_boxed_slice();
        let base = self.long(table.as_ptr() as usize as i64);
        self.tables.push(table);
        let far = self.b.ins().imul_imm_s(sum, size_of::<CellAt>() as i64);
        // What has no bits is in all of them.
        let mut limbs =
            fields.iter().filter(|(_, f)| f.width > 0).map(|(_, f)| f.shift / u64::BITS);
        let first = limbs.next().unwrap_or(0);
        let near = limbs.all(|limb| limb == first).then_some(first * u64::BITS);
        Spot::Table(self.b.ins().iadd(base, far), near)
    }

    /// The value that is read back after it has been stored as a `scalar`.
    pub(super) fn truncated(&mut self, scalar: Scalar, value: Value) -> Value {
        match scalar {
            Scalar::Bit => self.b.ins().band_imm_u(value, 1),
            Scalar::U8 => self.b.ins().band_imm_u(value, 0xff),
            Scalar::U16 => self.b.ins().band_imm_u(value, 0xffff),
            Scalar::I16 => {
                let low = self.b.ins().ireduce(types::I16, value);
                self.b.ins().sextend(types::I32, low)
            }
            Scalar::I32 => value,
            Scalar::Unsigned(bits) => self.b.ins().band_imm_u(value, (1_i64 << bits) - 1),
        }
    }
}

struct CellValues {
    shift: Value,
    mask: Value,
    base: Value,
}

/// What a number can stand for if there is a list: values of the list, and those that the numbers behind it stand for.
fn range_of_listed(values: &[u32], scalar: Scalar) -> Range {
    let numbers = 1_i64 << number_bits(values.len());
    let most = values.last().map_or(0, |last| i64::from(*last)).max(numbers - 1);
    let range = Range { min: 0, max: most };
    if range.fits(scalar) { range } else { range::of_scalar(scalar) }
}

/// The bits of a field.
pub(super) fn bits_of(field: &WordField) -> Quad {
    Quad::from((1_u64 << field.width) - 1) << field.shift
}

/// How many bits fields are apart, if they are alike, follow each other in one limb, and their cells do.
fn stride(fields: &[(usize, WordField)]) -> Option<u32> {
    let first = &fields.first()?.1;
    let second = &fields.get(1)?.1;
    let stride = second.shift.checked_sub(first.shift)?;
    let last = fields.len() as u32 - 1;
    let is_one_limb = first.shift / u64::BITS == (first.shift + last * stride) / u64::BITS;
    let is_alike = fields.iter().zip(0..).all(|((_, field), at)| {
        (field.width, field.base, field.shift)
            == (first.width, first.base, first.shift + at * stride)
    });
    (first.width > 0 && is_one_limb && is_alike).then_some(stride)
}
