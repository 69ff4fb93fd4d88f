//! The function being generated: parameters, memory, branches.

use super::facts::Facts;
use super::step::Role;
use crate::abi::{BAIL, Cx};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, Block, InstBuilder, MemFlagsData, SigRef, Signature, StackSlot, StackSlotData,
    StackSlotKind, Type, Value, types,
};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, Variable};
use spinor_program::expr::ProctypeId;
use spinor_program::{LocId, ProcessType, Scalar};
use std::mem::offset_of;

/// Memory that nobody writes while the function runs, at an address that is always
/// valid: such loads can be merged and moved.
pub(crate) const FIXED: MemFlagsData =
    MemFlagsData::new().with_notrap().with_readonly().with_can_move();
/// Memory that nobody writes while the function runs, behind a check.
pub(crate) const CHECKED: MemFlagsData = MemFlagsData::new().with_notrap().with_readonly();
/// Memory that changes.
pub(crate) const PLAIN: MemFlagsData = MemFlagsData::new().with_notrap();

/// Whose code is generated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Body {
    Process(ProctypeId),
    Claim(usize),
    /// The watcher of `trace` declarations: no process at all.
    Trace,
}

/// An address: a value and a constant beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Address {
    pub base: Value,
    pub offset: i32,
}

/// The state that expressions are evaluated in.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// What the offsets of the shape count from.
    pub base: Value,
    /// The global variables.
    pub globals: Address,
    /// The frame of the process at hand.
    pub frame: Address,
    /// Nobody writes to it while the function runs.
    pub fixed: bool,
    /// The value of the `run` in the expression, once the process is there.
    pub started: Option<Value>,
    /// Bytes by which the hidden variables have moved since the shape was computed.
    pub hidden_shift: i32,
}

/// A function being generated. `cx`, `state`, `frame` and `pid` are its parameters.
pub(super) struct Emit<'a, 'f> {
    pub b: FunctionBuilder<'f>,
    pub facts: &'a Facts<'a>,
    pub body: Body,
    pub cx: Value,
    pub state: Value,
    pub frame: Value,
    pub pid: Value,
    /// The value of `frame`, if it is known.
    frame_offset: Option<i32>,
    pub out: Out,
    extra: Vec<Value>,
    /// Returns [`BAIL`].
    bail: Block,
}

/// For functions that write events.
pub(super) struct Out {
    pub role: Role,
    /// Where the next state and the next event go.
    pub bytes: Variable,
    pub events: Variable,
    /// What the function will return.
    pub flags: Variable,
    /// Not 0 if something was executed since this was last set to 0.
    pub moved: Variable,
    /// The end of the function.
    pub exit: Block,
    /// Write the event of the last transition of a location, then end: not atomic, atomic.
    pub tails: [Option<Block>; 2],
    /// The location whose transitions are being generated.
    pub location: LocId,
    /// The channel of the rendezvous to be accepted, where it is known.
    pub offered: Option<u32>,
    /// Further steps of the event that is being written.
    pub links: u32,
    /// Events that other processes may still write in the same call.
    pub later: usize,
}

/// The signature of all functions that take a process and a state.
pub(super) fn step_signature(conv: CallConv) -> Signature {
    signature(conv, 4)
}

/// `words` parameters of 64 bits, a result of 32.
pub(super) fn signature(conv: CallConv, words: usize) -> Signature {
    let mut signature = Signature::new(conv);
    signature.params = vec![AbiParam::new(types::I64); words];
    signature.returns = vec![AbiParam::new(types::I32)];
    signature
}

impl<'a, 'f> Emit<'a, 'f> {
    /// Begins the function; the builder stands in its first block.
    pub fn new(mut b: FunctionBuilder<'f>, facts: &'a Facts<'a>, body: Body) -> Self {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        b.seal_block(entry);
        let params = b.block_params(entry).to_vec();
        let bail = b.create_block();
        b.set_cold_block(bail);
        let [cx, state, frame, pid] = params[..4] else { unreachable!("four parameters or more") };
        let out = Out {
            role: Role::Step,
            bytes: b.declare_var(types::I64),
            events: b.declare_var(types::I64),
            flags: b.declare_var(types::I32),
            moved: b.declare_var(types::I32),
            exit: b.create_block(),
            tails: [None; 2],
            location: LocId(0),
            offered: None,
            links: 0,
            later: 0,
        };
        Emit {
            b,
            facts,
            body,
            cx,
            state,
            frame,
            pid,
            frame_offset: None,
            out,
            extra: params[4..].to_vec(),
            bail,
        }
    }

    /// A parameter beyond the usual four.
    pub fn extra_param(&self, index: usize) -> Value {
        self.extra[index]
    }

    /// Ends the function: the last block must be filled.
    pub fn finish(mut self) -> FunctionBuilder<'f> {
        self.b.switch_to_block(self.bail);
        self.b.seal_block(self.bail);
        let code = self.int(BAIL as i32);
        self.b.ins().return_(&[code]);
        self.b
    }

    /// The process type whose code this is.
    pub fn process(&self) -> &'a ProcessType {
        let program = self.facts.program;
        match self.body {
            Body::Process(id) => &program.proctypes[id.index()],
            Body::Claim(claim) => &program.claims[claim],
            Body::Trace => {
                &program.trace.as_ref().expect("only generated if there is a trace").body
            }
        }
    }

    /// The state the function is called with.
    pub fn here(&mut self) -> View {
        View { fixed: true, ..self.view_of(self.state) }
    }

    /// A state of the same shape at another address.
    pub fn view_of(&mut self, base: Value) -> View {
        let globals = self.beyond(base, offset_of!(Cx, globals));
        let frame = self.frame_in(base);
        View { base, globals, frame, fixed: false, started: None, hidden_shift: 0 }
    }

    /// The frame at hand in the state at `base`.
    pub fn frame_in(&mut self, base: Value) -> Address {
        match self.frame_offset {
            Some(offset) => Address { base, offset },
            None => Address { base: self.b.ins().iadd(base, self.frame), offset: 0 },
        }
    }

    /// The address beyond `base` by what a field of [`Cx`] says.
    pub fn beyond(&mut self, base: Value, field: usize) -> Address {
        match self.facts.fixed_field(field) {
            Some(offset) => Address { base, offset: offset as i32 },
            None => {
                let distance = self.field(field);
                Address { base: self.b.ins().iadd(base, distance), offset: 0 }
            }
        }
    }

    /// If there is only one process it can be about, pid and frame are constants.
    pub fn fix_process(&mut self) {
        let Some(shape) = &self.facts.fixed else { return };
        let offset = match self.body {
            Body::Process(id) => {
                let mut instances = (0..).zip(&shape.frames).filter(|(_, f)| f.proctype == id);
                let (Some((pid, frame)), None) = (instances.next(), instances.next()) else {
                    return;
                };
                self.pid = self.word(pid);
                frame.offset
            }
            Body::Claim(_) => shape.claim,
            Body::Trace => return,
        };
        self.frame = self.word(offset as i64);
        self.frame_offset = Some(offset as i32);
    }

    /// Goes on with the code of another process, whose place is known.
    pub fn become_process(&mut self, pid: usize, proctype: ProctypeId, frame: usize) {
        self.body = Body::Process(proctype);
        self.pid = self.word(pid as i64);
        self.frame = self.word(frame as i64);
        self.frame_offset = Some(frame as i32);
        self.out.exit = self.b.create_block();
        self.out.tails = [None; 2];
    }

    /// A 32-bit constant.
    pub fn int(&mut self, value: i32) -> Value {
        self.b.ins().iconst(types::I32, i64::from(value))
    }

    /// A 64-bit constant.
    pub fn word(&mut self, value: i64) -> Value {
        self.b.ins().iconst(types::I64, value)
    }

    /// A word of [`Cx`] that belongs to the shape.
    pub fn field(&mut self, offset: usize) -> Value {
        if let Some(value) = self.facts.fixed_field(offset) {
            return self.word(value as i64);
        }
        self.b.ins().load(types::I64, FIXED, self.cx, offset as i32)
    }

    /// Any field of [`Cx`].
    pub fn variable_field(&mut self, ty: Type, offset: usize) -> Value {
        self.b.ins().load(ty, PLAIN, self.cx, offset as i32)
    }

    /// Sets a field of [`Cx`].
    pub fn set_field(&mut self, offset: usize, value: Value) {
        self.b.ins().store(PLAIN, value, self.cx, offset as i32);
    }

    /// A scalar in memory, extended.
    pub fn load_scalar(&mut self, scalar: Scalar, flags: MemFlagsData, at: Address) -> Value {
        let Address { base, offset } = at;
        let ins = self.b.ins();
        match scalar.width() {
            1 => ins.uload8(types::I32, flags, base, offset),
            2 if scalar == Scalar::I16 => ins.sload16(types::I32, flags, base, offset),
            2 => ins.uload16(types::I32, flags, base, offset),
            _ => ins.load(types::I32, flags, base, offset),
        }
    }

    /// Stores the lowest bytes of a value: `width` of them.
    pub fn store_bytes(&mut self, width: u32, value: Value, at: Address) {
        let Address { base, offset } = at;
        match width {
            1 => self.b.ins().istore8(PLAIN, value, base, offset),
            2 => self.b.ins().istore16(PLAIN, value, base, offset),
            _ => self.b.ins().store(PLAIN, value, base, offset),
        };
    }

    /// A counter of one, two or four bytes: a location or the length of a channel.
    pub fn load_counter(&mut self, bytes: u32, flags: MemFlagsData, at: Address) -> Value {
        let scalar = match bytes {
            1 => Scalar::U8,
            2 => Scalar::U16,
            _ => Scalar::I32,
        };
        self.load_scalar(scalar, flags, at)
    }

    /// A new block that is entered here.
    pub fn enter(&mut self, block: Block) {
        self.b.switch_to_block(block);
        self.b.seal_block(block);
    }

    /// Goes to `block` if `condition` holds, else goes on.
    pub fn leave_if(&mut self, condition: Value, block: Block) {
        let next = self.b.create_block();
        self.b.ins().brif(condition, block, &[], next, &[]);
        self.enter(next);
    }

    /// Goes to `block` unless `condition` holds.
    pub fn leave_unless(&mut self, condition: Value, block: Block) {
        let next = self.b.create_block();
        self.b.ins().brif(condition, next, &[], block, &[]);
        self.enter(next);
    }

    /// Leaves the state to the interpreter if `condition` holds.
    pub fn bail_if(&mut self, condition: Value) {
        self.leave_if(condition, self.bail);
    }

    /// Leaves the state to the interpreter. What follows is not reached.
    pub fn bail(&mut self) {
        self.leave(self.bail);
    }

    /// Goes to `block`. What follows is not reached.
    pub fn leave(&mut self, block: Block) {
        self.b.ins().jump(block, &[]);
        let dead = self.b.create_block();
        self.enter(dead);
    }

    /// The block that returns [`BAIL`].
    pub fn bail_block(&self) -> Block {
        self.bail
    }

    /// Compares with a constant.
    pub fn compare(&mut self, cc: IntCC, value: Value, with: i64) -> Value {
        self.b.ins().icmp_imm_s(cc, value, with)
    }

    /// Calls the function at an address that is known.
    pub fn call_address(&mut self, address: usize, signature: SigRef, args: &[Value]) -> Value {
        let callee = self.word(address as i64);
        let call = self.b.ins().call_indirect(signature, callee, args);
        self.b.inst_results(call)[0]
    }

    /// The signature of step functions, for calls.
    pub fn step_sig(&mut self) -> SigRef {
        let signature = step_signature(self.facts.conv);
        self.b.import_signature(signature)
    }

    /// Room on the stack for `values` 32-bit values.
    pub fn stack_values(&mut self, values: usize) -> StackSlot {
        let bytes = 4 * values.max(1) as u32;
        self.b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 3))
    }
}
