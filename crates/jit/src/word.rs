//! States that are words: generated code that leads from word to word.
//!
//! Where the cells of a state stand in a word as they are ([`WordLayout`]), guards and effects are a few shifts and masks, and
//! a successor is one word to be written: no state is copied, and nobody has to look up what it has become. There is one
//! function for all processes of the layout, so that all places are constants. What it does not know how to do (channels with
//! a buffer, processes that come and go, long atomic sequences, errors of the model, values that do not fit their
//! fields) it leaves to others: it returns nothing, and the state is expanded as a whole.
#![allow(unsafe_code)]

mod alone;
mod generate;
mod place;
mod support;
mod value;

use crate::compile::CompileError;
use crate::compile::machine::isa;
use cranelift_codegen::ir::{AbiParam, Signature, types};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Module, default_libcall_names};
use place::CellAt;
use spinor_exec::{Options, Shape};
use spinor_program::{Program, StmtId};
use spinor_ts::{Quad, WordFigures, WordLayout, WordMoves, WordSuccessors};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
pub(crate) use support::suits;

/// Takes a word and writes its successors from `out` on. For each group, which is a process, the
/// youngest first, `looks` gets the bits that its moves depend on or turn over, `turns` those that they turn over. Returns the end
/// of what was written; nothing if the state has to be expanded as a whole. Adds to `figures` otherwise.
type Expand = unsafe extern "C" fn(
    word: *const u64,
    out: *mut u8,
    looks: *mut u8,
    turns: *mut u8,
    executed: *mut u8,
    figures: *mut WordFigures,
) -> *mut u8;

/// The code for one layout. It must not be called after it is gone.
pub(crate) struct WordProgram {
    expand: Expand,
    /// Successors of a state at most.
    most: usize,
    /// Whose looks and turns are told.
    groups: usize,
    statements: usize,
    limbs: usize,
    /// The code refers to it.
    _tables: Vec<Box<[CellAt]>>,
    _lists: Vec<Box<[u32]>>,
    /// Statements that are always executed after others, which are marked.
    followers: Vec<(StmtId, StmtId)>,
    module: Option<JITModule>,
}

// SAFETY: code and tables are only read; the module is kept for nothing but to free its memory.
unsafe impl Send for WordProgram {}
// SAFETY: as above.
unsafe impl Sync for WordProgram {}

impl Drop for WordProgram {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: whoever calls the function keeps the program alive.
            unsafe { module.free_memory() };
        }
    }
}

impl WordProgram {
    /// Compiles a program for states of a layout.
    pub(crate) fn compile(
        program: &Program,
        options: Options,
        layout: &WordLayout,
    ) -> Result<Self, CompileError> {
        let failed = |e: cranelift_module::ModuleError| CompileError::Failed(e.to_string());
        let mut module = JITModule::new(JITBuilder::with_isa(isa()?, default_libcall_names()));
        let mut context = module.make_context();
        let mut signature = Signature::new(module.isa().default_call_conv());
        signature.params = vec![AbiParam::new(types::I64); 6];
        signature.returns = vec![AbiParam::new(types::I64)];
        let id = module.declare_anonymous_function(&signature).map_err(failed)?;
        context.func.signature = signature;
        let mut builder_context = FunctionBuilderContext::new();
        let builder = FunctionBuilder::new(&mut context.func, &mut builder_context);
        let shape = Shape::of(program, options, &layout.state);
        if shape.frames.is_empty() {
            return Err(CompileError::Failed("no processes".to_owned()));
        }
        let made = generate::generate(builder, program, options, &shape, layout);
        let (builder, made) = made.apart();
        builder.finalize(module.target_config());
        let generate::Needs { most, tables, lists, followers } = made;
        module.define_function(id, &mut context).map_err(failed)?;
        module.clear_context(&mut context);
        module.finalize_definitions().map_err(failed)?;
        let address = module.get_finalized_function(id);
        // SAFETY: it was generated with this signature.
        let expand = unsafe { std::mem::transmute::<*const u8, Expand>(address) };
        Ok(Self {
            expand,
            most,
            groups: if layout.good_for.may_sleep { shape.frames.len() } else { 0 },
            statements: program.statements.len(),
            limbs: layout.limbs,
            _tables: tables,
            _lists: lists,
            followers,
            module: Some(module),
        })
    }
}

/// Which statements were executed.
pub(crate) type Executed = Arc<[AtomicU8]>;

impl Drop for Words {
    fn drop(&mut self) {
        self.program.mark_followers(&self.executed);
    }
}

/// The moves of one thread.
pub(crate) struct Words {
    program: Arc<WordProgram>,
    executed: Executed,
}

impl Words {
    /// `executed` has a place for each statement; no other thread should write to it.
    pub(crate) fn new(program: Arc<WordProgram>, executed: Executed) -> Option<Self> {
        (executed.len() >= program.statements).then_some(Self { program, executed })
    }

    fn expand<W: Limbs>(&self, words: &[W], out: &mut WordSuccessors<W>) {
        let Self { program, executed } = self;
        assert_eq!(program.limbs, W::COUNT, "code for other words");
        out.groups = program.groups;
        let row = out.row();
        let WordSuccessors { all, ends, looks, turns, whole, figures, .. } = out;
        *figures = WordFigures::default();
        all.clear();
        ends.clear();
        whole.clear();
        all.reserve(words.len() * program.most);
        looks.resize(words.len() * row, W::default());
        turns.resize(words.len() * row, W::default());
        let executed = executed.as_ptr().cast::<u8>().cast_mut();
        let first = all.as_mut_ptr();
        let mut next = first;
        let (mut looks, mut turns) = (looks.as_mut_ptr(), turns.as_mut_ptr());
        for (at, word) in words.iter().enumerate() {
            let word = word.limbs();
            // SAFETY: there is room for as many successors of each state as there can be, and for what is told of each
            // group. There is a place for every statement, an atomic byte to which only the value 1 is ever
            // written. The length of words is that of the code's, as callers see to.
            let end = unsafe {
                (program.expand)(
                    word.as_ref().as_ptr(),
                    next.cast(),
                    looks.cast(),
                    turns.cast(),
                    executed,
                    figures,
                )
            };
            // SAFETY: there is a row for every state.
            (looks, turns) = unsafe { (looks.add(row), turns.add(row)) };
            if end.is_null() {
                whole.push(at as u32);
            } else {
                next = end.cast();
            }
            // SAFETY: both lie in the vector's room.
            ends.push(unsafe { next.offset_from_unsigned(first) } as u32);
        }
        // SAFETY: the functions have written whole successors one after the other, up to `next`.
        unsafe { all.set_len(next.offset_from_unsigned(first)) };
    }
}

/// A word as code reads it.
trait Limbs: Copy + Default {
    /// Times 64 bits.
    const COUNT: usize;

    /// These, the lowest first.
    fn limbs(self) -> impl AsRef<[u64]>;
}

impl Limbs for u64 {
    const COUNT: usize = 1;

    fn limbs(self) -> impl AsRef<[u64]> {
        [self]
    }
}

impl Limbs for u128 {
    const COUNT: usize = 2;

    fn limbs(self) -> impl AsRef<[u64]> {
        [self as u64, (self >> 64) as u64]
    }
}

impl Limbs for Quad {
    const COUNT: usize = 4;

    fn limbs(self) -> impl AsRef<[u64]> {
        self.0
    }
}

impl WordMoves for Words {
    fn expand_short(&mut self, words: &[u64], out: &mut WordSuccessors<u64>) {
        self.expand(words, out);
    }

    fn expand_long(&mut self, words: &[u128], out: &mut WordSuccessors<u128>) {
        self.expand(words, out);
    }

    fn expand_quad(&mut self, words: &[Quad], out: &mut WordSuccessors<Quad>) {
        self.expand(words, out);
    }
}

/// A place for each statement of a program, none of which was executed.
pub(crate) fn none_executed(program: &Program) -> Executed {
    (0..program.statements.len()).map(|_| AtomicU8::new(0)).collect()
}

impl WordProgram {
    /// Marks the statements that were executed after others.
    pub(crate) fn mark_followers(&self, executed: &Executed) {
        for (leader, follower) in &self.followers {
            if was_executed(executed, *leader)
                && let Some(mark) = executed.get(follower.index())
            {
                mark.store(1, Ordering::Relaxed);
            }
        }
    }
}

/// Whether a statement was executed.
pub(crate) fn was_executed(executed: &Executed, statement: StmtId) -> bool {
    executed.get(statement.index()).is_some_and(|mark| mark.load(Ordering::Relaxed) != 0)
}
