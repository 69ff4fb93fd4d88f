//! Code for expressions and places.

mod embedded;

use super::emit::{Address, CHECKED, Emit, FIXED, PLAIN, View};
use super::logic::Logic;
use super::range;
use crate::abi::Cx;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_frontend::FunctionBuilder;
use spinor_program::expr::Predefined;
use spinor_program::{Base, Expr, Place, Scalar};
use std::mem::offset_of;

impl<'f> Logic<'f> for Emit<'_, 'f> {
    type View = View;

    fn builder(&mut self) -> &mut FunctionBuilder<'f> {
        &mut self.b
    }

    fn value(&mut self, e: &Expr, view: View) -> Value {
        self.value(e, view)
    }

    fn range(&self, e: &Expr) -> range::Range {
        range::of(e)
    }

    fn go_on(&mut self, block: Block) {
        self.enter(block);
    }

    fn pass_on_if(&mut self, condition: Value) {
        self.bail_if(condition);
    }
}

impl Emit<'_, '_> {
    /// The value of an expression.
    pub fn value(&mut self, e: &Expr, view: View) -> Value {
        match e {
            Expr::Load(place) => self.load(place, view, view.frame),
            Expr::Predefined(name) => self.predefined(*name, view),
            Expr::Run(_) => match view.started {
                Some(pid) => pid,
                None => self.int(0),
            },
            Expr::Len(place) => self.channel_len(place, view),
            Expr::Probe(probe, place) => self.probe(*probe, place, view),
            Expr::Poll(poll) => self.poll(poll, view),
            Expr::Enabled(p) => self.enabled(p, view),
            Expr::PcValue(p) => self.of_process_or_zero(p, view, |s, pid| s.location_of(pid, view)),
            Expr::GetPriority(p) => {
                self.of_process_or_zero(p, view, |s, pid| s.priority_of(pid, view))
            }
            Expr::RemoteLabel { proctype, pid, location } => {
                let wanted = i64::from(location.0);
                self.of_instance(*proctype, pid.as_deref(), view, |s, pid| {
                    let at = s.location_of(pid, view);
                    let is = s.compare(IntCC::Equal, at, wanted);
                    s.b.ins().uextend(types::I32, is)
                })
            }
            Expr::RemoteVar { proctype, pid, place } => {
                self.of_instance(*proctype, pid.as_deref(), view, |s, pid| {
                    let frame = s.frame_of(pid, view, Some(*proctype));
                    s.load(place, view, frame)
                })
            }
            Expr::CExpr(code) => self.call_c(*code, view),
            _ => self.usual_value(e, view).expect("all others have been looked at"),
        }
    }

    fn predefined(&mut self, name: Predefined, view: View) -> Value {
        match name {
            Predefined::Pid => self.own_pid(),
            Predefined::NrPr => {
                let count = self.field(offset_of!(Cx, processes));
                let count = self.b.ins().ireduce(types::I32, count);
                let more = i64::from(view.started.is_some());
                self.b.ins().iadd_imm_s(count, more)
            }
            Predefined::Last => {
                let at = self.beyond(view.base, offset_of!(Cx, last));
                let flags = if view.fixed { FIXED } else { PLAIN };
                self.load_scalar(Scalar::U8, flags, at)
            }
            Predefined::Priority => self.own_priority(view),
            Predefined::Timeout => self.variable_field(types::I32, offset_of!(Cx, timeout)),
            Predefined::NonProgress => self.non_progress(view),
        }
    }

    /// Where a place lies; an index out of range is left to the interpreter.
    pub fn locate(&mut self, place: &Place, view: View, frame: Address) -> Address {
        self.locate_across(place, view, View { frame, ..view })
    }

    /// The same with indices read from `view` for a place in the state `target`.
    pub fn locate_across(&mut self, place: &Place, view: View, target: View) -> Address {
        let mut dynamic: Option<Value> = None;
        for index in &place.indices {
            let value = self.index(&index.value, index.bound, view);
            let bytes = match index.stride {
                1 => value,
                stride => self.b.ins().imul_imm_s(value, i64::from(stride)),
            };
            dynamic = Some(match dynamic {
                Some(sum) => self.b.ins().iadd(sum, bytes),
                None => bytes,
            });
        }
        let area = match place.base {
            Base::Global | Base::Sink => target.globals,
            Base::Frame => target.frame,
            Base::Hidden => {
                let hidden = self.beyond(target.base, offset_of!(Cx, key));
                Address { offset: hidden.offset + target.hidden_shift, ..hidden }
            }
        };
        let (base, offset) = (area.base, area.offset + place.offset as i32);
        match dynamic {
            Some(sum) => Address { base: self.b.ins().iadd(base, sum), offset },
            None => Address { base, offset },
        }
    }

    /// An index as a 64-bit value, checked unless it cannot be out of range.
    pub fn index(&mut self, e: &Expr, bound: u32, view: View) -> Value {
        let value = self.value(e, view);
        if !range::of(e).is_below(bound) {
            let bad =
                self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, value, i64::from(bound));
            self.bail_if(bad);
        }
        self.b.ins().uextend(types::I64, value)
    }

    fn load(&mut self, place: &Place, view: View, frame: Address) -> Value {
        let at = self.locate(place, view, frame);
        if place.base == Base::Sink {
            return self.int(0);
        }
        let flags = if view.fixed { CHECKED } else { PLAIN };
        self.load_scalar(place.scalar, flags, at)
    }

    /// Stores `value`, cut to the width of the place.
    pub fn store(&mut self, place: &Place, view: View, value: Value, range: Option<range::Range>) {
        let at = self.locate(place, view, view.frame);
        if place.base != Base::Sink {
            self.store_scalar(place.scalar, value, range, at);
        }
    }

    /// Stores a value as a `scalar`.
    pub fn store_scalar(
        &mut self,
        scalar: Scalar,
        value: Value,
        range: Option<range::Range>,
        at: Address,
    ) {
        let cut = if range.is_some_and(|r| r.fits(scalar)) {
            value
        } else {
            self.truncate(scalar, value)
        };
        self.store_bytes(scalar.width(), cut, at);
    }

    /// Clears what does not fit; bits that [`Emit::store_bytes`] drops may stay.
    fn truncate(&mut self, scalar: Scalar, value: Value) -> Value {
        match scalar {
            Scalar::Bit => self.b.ins().band_imm_u(value, 1),
            Scalar::Unsigned(bits) => self.b.ins().band_imm_u(value, (1i64 << bits) - 1),
            _ => value,
        }
    }

    /// The value that is read back after it has been stored as a `scalar`.
    pub fn truncated(&mut self, scalar: Scalar, value: Value) -> Value {
        match scalar {
            Scalar::U8 => self.b.ins().band_imm_u(value, 0xff),
            Scalar::U16 => self.b.ins().band_imm_u(value, 0xffff),
            Scalar::I16 => {
                let low = self.b.ins().ireduce(types::I16, value);
                self.b.ins().sextend(types::I32, low)
            }
            _ => self.truncate(scalar, value),
        }
    }
}
