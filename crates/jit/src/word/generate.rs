//! The function that makes the successors of a word: all transitions of all processes.

use super::place::{CellAt, bits_of};
use super::support::{CHAIN, Support, flat_steps};
use crate::compile::emit::PLAIN;
use crate::compile::logic::Logic;
use crate::compile::step::reachable;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockCall, InstBuilder, JumpTableData, Value, types};
use cranelift_frontend::{FunctionBuilder, Variable};
use spinor_exec::{Frame, Options, Shape};
use spinor_program::expr::BinaryOp;
use spinor_program::{Action, DStep, Expr, LocId, Place, Program, StmtId, Transition};
use spinor_ts::{Quad, WordField, WordFigures, WordLayout, WordSuccessor};
use std::collections::HashMap;
use std::mem::offset_of;

/// Inner steps of a `d_step` after which the interpreter has to look whether there is an end.
const PATIENCE: i64 = 4096;

/// Places in the code where successors are written, beyond which no more sequences are followed.
const MOST_WRITES: usize = 4096;

/// 64 bits each of a word, or what stands for them; as many as words can have.
pub(super) type Limbs<T> = [T; 4];

/// The state that is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum View {
    /// The one that the step at hand begins in.
    Old,
    /// The one that comes of it.
    New,
}

/// A function, and what it needs.
pub(super) struct Made<'f> {
    builder: FunctionBuilder<'f>,
    needs: Needs,
}

impl<'f> Made<'f> {
    pub(super) fn apart(self) -> (FunctionBuilder<'f>, Needs) {
        (self.builder, self.needs)
    }
}

/// What a function needs, and what is to be known of it.
pub(super) struct Needs {
    /// Successors of a state at most.
    pub most: usize,
    pub tables: Vec<Box<[CellAt]>>,
    pub lists: Vec<Box<[u32]>>,
    /// Statements that are always executed after others, which are marked.
    pub followers: Vec<(StmtId, StmtId)>,
}

/// A function being generated.
pub(super) struct Generator<'a, 'f> {
    pub b: FunctionBuilder<'f>,
    pub program: &'a Program,
    pub shape: &'a Shape,
    pub layout: &'a WordLayout,
    /// By the first byte of their cells.
    pub fields: HashMap<usize, WordField>,
    pub support: Support<'a>,
    /// The process at hand, and where its frame begins.
    pub pid: usize,
    pub frame: usize,
    /// The place among all of the process whose moves are made.
    group: usize,
    pub tables: Vec<Box<[CellAt]>>,
    pub lists: Vec<Box<[u32]>>,
    /// The word that was given.
    old: Limbs<Value>,
    /// The one that the step at hand begins in,
    pub base: Limbs<Value>,
    /// so many steps after the one that was given.
    pub steps: u32,
    /// The one that comes of it.
    pub new: Limbs<Variable>,
    /// Where the next successor goes.
    pub out: Variable,
    /// Places where successors are written so far.
    writes: usize,
    /// Steps inside of atomic sequences, and those of the longest chain that was tried.
    figures: [Variable; 2],
    /// There may be some.
    has_figures: bool,
    /// The bits that the process at hand looks at.
    looks: Limbs<Variable>,
    /// Those that it turns over.
    turns: Limbs<Variable>,
    executed: Value,
    /// Nothing is jumped over: whatever may not happen is made all the same, and does not count.
    pub is_flat: bool,
    /// While it is so: what has to hold for all that is made to count.
    pub doubt: Option<Value>,
    /// Something happened, and counts, that has to be left to others.
    bad: Variable,
    /// Statements that are always executed after others, which are marked.
    followers: Vec<(StmtId, StmtId)>,
    /// Returns nothing.
    nothing: Block,
}

/// Generates it.
pub(super) fn generate<'f>(
    mut b: FunctionBuilder<'f>,
    program: &Program,
    options: Options,
    shape: &Shape,
    layout: &WordLayout,
) -> Made<'f> {
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    b.seal_block(entry);
    let params = b.block_params(entry).to_vec();
    let mut limbs = || [(); 4].map(|()| b.declare_var(types::I64));
    let (new, looks, turns) = (limbs(), limbs(), limbs());
    let out = b.declare_var(types::I64);
    let bad = b.declare_var(types::I8);
    let none = b.ins().iconst(types::I8, 0);
    b.def_var(bad, none);
    let figures = [b.declare_var(types::I64), b.declare_var(types::I32)];
    let zeros = [b.ins().iconst(types::I64, 0), b.ins().iconst(types::I32, 0)];
    figures.into_iter().zip(zeros).for_each(|(figure, zero)| b.def_var(figure, zero));
    let (start, rows, executed) = (params[1], [params[2], params[3]], params[4]);
    let none = b.ins().iconst(types::I64, 0);
    let old = std::array::from_fn(|at| match at < layout.limbs {
        true => b.ins().load(types::I64, PLAIN, params[0], 8 * at as i32),
        false => none,
    });
    b.def_var(out, start);
    let nothing = b.create_block();
    b.set_cold_block(nothing);
    let mut generator = Generator {
        program,
        shape,
        layout,
        fields: layout.fields.iter().map(|field| (field.cell.start, field.clone())).collect(),
        support: Support::new(program),
        pid: 0,
        frame: 0,
        group: 0,
        tables: Vec::new(),
        lists: Vec::new(),
        old,
        base: old,
        steps: 0,
        new,
        out,
        writes: 0,
        figures,
        has_figures: false,
        looks,
        turns,
        executed,
        is_flat: false,
        doubt: None,
        bad,
        followers: Vec::new(),
        nothing,
        b,
    };
    let mut most = 0;
    for (group, (pid, frame)) in shape.frames.iter().enumerate().rev().enumerate() {
        (generator.pid, generator.frame, generator.group) = (pid, frame.offset, group);
        generator.begin_turns();
        most += generator.process(frame.proctype.index());
        generator.end_group(rows);
    }
    generator.finish(start, params[5], options.ignore_deadlocks && !program.uses_timeout);
    let Generator { b, tables, lists, followers, .. } = generator;
    Made { builder: b, needs: Needs { most, tables, lists, followers } }
}

/// What a conjunction begins with.
fn leftmost(e: &Expr) -> &Expr {
    match e {
        Expr::Binary(BinaryOp::And, a, _) => leftmost(a),
        _ => e,
    }
}

/// Which limb a bit is in.
fn limb_of(bit: u32) -> usize {
    (bit / u64::BITS) as usize
}

impl Generator<'_, '_> {
    /// Returns the end of what was written. A state without moves is an end of all runs, of which others have to judge
    /// unless nobody wants to hear of it.
    fn finish(&mut self, start: Value, figures: Value, ends_quietly: bool) {
        let bad = self.b.use_var(self.bad);
        self.give_up_if(bad);
        let out = self.b.use_var(self.out);
        if !ends_quietly {
            let is_end = self.b.ins().icmp(IntCC::Equal, out, start);
            self.give_up_if(is_end);
        }
        if self.has_figures {
            self.add_figures(figures);
        }
        self.b.ins().return_(&[out]);
        self.enter(self.nothing);
        let none = self.long(0);
        self.b.ins().return_(&[none]);
        self.b.seal_all_blocks();
    }

    /// Adds the figures of this state to those of others.
    fn add_figures(&mut self, to: Value) {
        let [steps, deepest] = self.figures.map(|figure| self.b.use_var(figure));
        let place = offset_of!(WordFigures, atomic_steps) as i32;
        let before = self.b.ins().load(types::I64, PLAIN, to, place);
        let after = self.b.ins().iadd(before, steps);
        self.b.ins().store(PLAIN, after, to, place);
        let place = offset_of!(WordFigures, deepest) as i32;
        let before = self.b.ins().load(types::I32, PLAIN, to, place);
        let after = self.b.ins().umax(before, deepest);
        self.b.ins().store(PLAIN, after, to, place);
    }

    /// Takes note of a chain of so many steps that was tried; `is_inner`: its last one was one inside of an atomic sequence.
    pub(super) fn note_chain(&mut self, steps: u32, is_inner: bool) {
        self.has_figures = true;
        let [inner, deepest] = self.figures;
        if is_inner {
            let before = self.b.use_var(inner);
            let after = self.b.ins().iadd_imm_s(before, 1);
            self.b.def_var(inner, after);
        }
        let before = self.b.use_var(deepest);
        let steps = self.int(steps.cast_signed());
        let after = self.b.ins().umax(before, steps);
        self.b.def_var(deepest, after);
    }

    /// Tells what the process at hand looked at, and what it turns over.
    fn end_group(&mut self, rows: [Value; 2]) {
        if !self.tells() {
            return;
        }
        let limbs = self.layout.limbs;
        for (variables, row) in [self.looks, self.turns].into_iter().zip(rows) {
            for (variable, at) in variables.into_iter().zip(0..limbs) {
                let bits = self.b.use_var(variable);
                let place = 8 * (self.group * limbs + at) as i32;
                self.b.ins().store(PLAIN, bits, row, place);
            }
        }
    }

    /// Whether anybody wants to know what processes look at and turn over.
    fn tells(&self) -> bool {
        self.layout.good_for.may_sleep
    }

    /// The process at hand has turned over nothing yet.
    fn begin_turns(&mut self) {
        let zero = self.long(0);
        self.turns.into_iter().for_each(|variable| self.b.def_var(variable, zero));
    }

    /// From now on the process at hand has looked at nothing but these fields.
    fn begin_looks(&mut self, mask: Quad) {
        for (variable, limb) in self.looks.into_iter().zip(mask.0) {
            let limb = self.long(limb.cast_signed());
            self.b.def_var(variable, limb);
        }
    }

    /// The process at hand looks at these bits, too, in the limb that has bit `near`.
    pub(super) fn look(&mut self, near: u32, bits: Value) {
        if !self.tells() {
            return;
        }
        let variable = self.looks[limb_of(near)];
        let before = self.b.use_var(variable);
        let after = self.b.ins().bor(before, bits);
        self.b.def_var(variable, after);
    }

    /// The same for bits that are known.
    pub(super) fn look_at_bits(&mut self, mask: Quad) {
        for (near, limb) in (0..).step_by(u64::BITS as usize).zip(mask.0) {
            if limb != 0 {
                let limb = self.long(limb.cast_signed());
                self.look(near, limb);
            }
        }
    }

    /// Tries the transitions of the process at hand. Says how many successors there can be of one state.
    fn process(&mut self, proctype: usize) -> usize {
        let program = self.program;
        let automaton = &program.proctypes[proctype].automaton;
        let reachable = reachable(automaton);
        let next = self.b.create_block();
        let mut most = 0;
        let mut blocks = Vec::new();
        let mut known = Vec::new();
        for (at, location) in automaton.locations.iter().enumerate() {
            let transitions = &location.transitions;
            blocks.push(if !reachable[at] {
                self.nothing
            } else if self.cannot_move(transitions) {
                next
            } else if !self.support.knows(proctype, LocId(at as u32)) {
                self.nothing
            } else {
                let block = self.b.create_block();
                known.push((at, block));
                block
            });
        }
        let location = self.fields.get(&self.frame).cloned();
        let Some((location, values)) = location.and_then(|l| Some((l.clone(), l.cell.values?)))
        else {
            self.begin_looks(Quad::NONE);
            self.give_up();
            self.b.ins().jump(next, &[]);
            self.enter(next);
            return 0;
        };
        let own = bits_of(&location);
        self.begin_looks(own);
        let at = self.load_field(&location, View::Old);
        let block_at = |value: &u32| blocks.get(*value as usize).copied().unwrap_or(self.nothing);
        let blocks: Vec<Block> = values.iter().map(block_at).collect();
        self.switch(at, &blocks);
        for (at, block) in known {
            self.enter(block);
            let mask = own | self.static_looks(&automaton.locations[at].transitions);
            self.begin_looks(mask);
            let start = self.b.use_var(self.out);
            let before = self.writes;
            let transitions = &automaton.locations[at].transitions;
            for (tried, transition) in transitions.iter().enumerate() {
                self.transition(transition, at, &location, (tried > 0).then_some(start));
            }
            most = most.max(self.writes - before);
            self.b.ins().jump(next, &[]);
        }
        self.enter(next);
        most
    }

    /// The fields that transitions look at or change wherever it is known which these are; what depends on an index adds
    /// itself when it is looked at.
    pub(super) fn static_looks(&self, transitions: &[Transition]) -> Quad {
        let mut mask = Quad::NONE;
        for transition in transitions {
            self.each_place(transition.statement, &mut |place| {
                mask |= self.static_bits(place);
            });
        }
        mask
    }

    /// All places that a statement reads or writes.
    fn each_place(&self, statement: StmtId, visit: &mut dyn FnMut(&Place)) {
        let action = &self.program.statement(statement).action;
        if let Action::Receive(_) = action {
            // Nothing happens unless somebody sends: then it is that one's move.
            return;
        }
        if let Action::DStep(inner) = action {
            for transition in inner.locations.iter().flatten() {
                self.each_place(transition.statement, visit);
            }
        }
        action.written(&mut |place: &Place| visit(place));
        action.walk(&mut |e| {
            if let Expr::Load(place) = e {
                visit(place);
            }
        });
    }

    /// Whether there is nothing to try: only the youngest process can go.
    fn cannot_move(&self, transitions: &[Transition]) -> bool {
        let is_youngest = self.pid + 1 == self.shape.frames.len();
        let action = |t: &Transition| &self.program.statement(t.statement).action;
        transitions.iter().all(|t| matches!(action(t), Action::Terminate)) && !is_youngest
    }

    /// Goes to one of the blocks; there is one for every index that can be.
    fn switch(&mut self, index: Value, blocks: &[Block]) {
        let pool = &mut self.b.func.dfg.value_lists;
        let default = BlockCall::new(self.nothing, [], pool);
        let calls: Vec<BlockCall> = blocks.iter().map(|b| BlockCall::new(*b, [], pool)).collect();
        let table = self.b.create_jump_table(JumpTableData::new(default, &calls));
        self.b.ins().br_table(index, table);
    }

    /// Tries a transition of the location `at`. `first`: where successors of the location begin, if others were tried before.
    pub(super) fn transition(
        &mut self,
        transition: &Transition,
        at: usize,
        location: &WordField,
        first: Option<Value>,
    ) {
        let id = transition.statement;
        match &self.program.statement(id).action {
            Action::Send(send) => {
                self.offer(transition, send, at, location);
                return;
            }
            // It waits for somebody who sends.
            Action::Receive(_) => return,
            _ => {}
        }
        let steps = if transition.atomic { None } else { flat_steps(self.program, id) };
        if let Some(steps) = steps {
            self.flat_transition(transition, at, location, &steps);
            return;
        }
        let after = self.b.create_block();
        self.copy();
        match &self.program.statement(id).action {
            Action::Else => {
                if let Some(first) = first {
                    let out = self.b.use_var(self.out);
                    let has_moved = self.b.ins().icmp(IntCC::NotEqual, out, first);
                    self.leave_if(has_moved, after);
                }
            }
            Action::DStep(inner) => self.d_step(id, inner, after),
            Action::Terminate => {
                if self.pid + 1 < self.shape.frames.len() {
                    self.b.ins().jump(after, &[]);
                    self.enter(after);
                    return;
                }
                self.give_up();
            }
            _ => self.perform(id, after),
        }
        self.move_on(transition, at, location);
        self.mark_executed(id);
        self.conclude(transition);
        self.b.ins().jump(after, &[]);
        self.enter(after);
    }

    /// Moves the process at hand on from the location `at`, in the new state.
    pub(super) fn move_on(&mut self, transition: &Transition, at: usize, location: &WordField) {
        if transition.target != LocId(at as u32) && transition.target != LocId(0) {
            let number = location.cell.number(i64::from(transition.target.0));
            self.store_constant(location, number);
        }
    }

    /// The process at hand has made a step to the new state: writes it, or goes on from there alone.
    pub(super) fn conclude(&mut self, transition: &Transition) {
        if !transition.atomic {
            self.write(None);
            return;
        }
        let proctype = self.mover().proctype.index();
        let is_chain = self.support.is_chain(proctype, transition.target, CHAIN);
        if is_chain && self.steps < CHAIN as u32 && self.writes < MOST_WRITES {
            self.go_on_alone(transition.target);
        } else {
            self.give_up();
        }
    }

    /// The process at hand.
    pub(super) fn mover(&self) -> Frame {
        self.shape.frames[self.pid]
    }

    /// The new state.
    pub(super) fn limbs(&mut self) -> Limbs<Value> {
        self.new.map(|limb| self.b.use_var(limb))
    }

    /// A transition that is a condition and some assignments, in a row. Whether the condition holds can hardly be foretold, so
    /// the successor is made and written in any case, and overwritten by the next one if it is none.
    fn flat_transition(
        &mut self,
        transition: &Transition,
        at: usize,
        location: &WordField,
        steps: &[StmtId],
    ) {
        let after = self.pass_over_idle(steps[0]);
        self.copy();
        self.is_flat = true;
        for (number, step) in steps.iter().enumerate() {
            match &self.program.statement(*step).action {
                Action::Condition(e) if number == 0 => {
                    self.doubt = Some(self.condition(e, View::Old));
                }
                _ => self.perform(*step, self.nothing),
            }
            self.followers.push((transition.statement, *step));
        }
        self.move_on(transition, at, location);
        self.is_flat = false;
        let holds = self.doubt.take();
        match holds {
            Some(holds) => self.mark_executed_if(transition.statement, holds),
            None => self.mark_executed(transition.statement),
        }
        self.write(holds);
        if let Some(after) = after {
            self.b.ins().jump(after, &[]);
            self.enter(after);
        }
    }

    /// Jumps over a transition if its condition begins with something that did not hold in any state that was looked at
    /// beforehand: that can be foretold. Says where it jumps to.
    fn pass_over_idle(&mut self, first: StmtId) -> Option<Block> {
        let Action::Condition(e) = &self.program.statement(first).action else { return None };
        let first = leftmost(e);
        if self.foreseen(first) != Some(false) {
            return None;
        }
        let (go_on, after) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(go_on);
        let holds = self.condition(first, View::Old);
        self.b.ins().brif(holds, go_on, &[], after, &[]);
        self.enter(go_on);
        Some(after)
    }

    /// Begins a new state, which is as the one that the step begins in.
    pub(super) fn copy(&mut self) {
        for (limb, variable) in self.base.into_iter().zip(self.new) {
            self.b.def_var(variable, limb);
        }
    }

    /// Writes the new state, one step further, which counts if something holds.
    pub(super) fn write(&mut self, holds: Option<Value>) {
        self.write_after(self.steps + 1, holds);
    }

    /// The same after so many steps.
    pub(super) fn write_after(&mut self, steps: u32, holds: Option<Value>) {
        self.writes += 1;
        let out = self.b.use_var(self.out);
        let holds = holds.map(|holds| self.b.ins().uextend(types::I64, holds));
        let mask = holds.map(|holds| self.b.ins().ineg(holds));
        for at in 0..self.layout.limbs {
            let limb = self.b.use_var(self.new[at]);
            self.b.ins().store(PLAIN, limb, out, 8 * at as i32);
            if !self.tells() {
                continue;
            }
            let mut turn = self.b.ins().bxor(limb, self.old[at]);
            if let Some(mask) = mask {
                turn = self.b.ins().band(turn, mask);
            }
            let before = self.b.use_var(self.turns[at]);
            let turns = self.b.ins().bor(before, turn);
            self.b.def_var(self.turns[at], turns);
        }
        // Beside it are the steps.
        let group = self.long(self.group as i64 | i64::from(steps) << 32);
        let (place, size) = match self.layout.limbs {
            1 => (offset_of!(WordSuccessor<u64>, group), size_of::<WordSuccessor<u64>>()),
            2 => (offset_of!(WordSuccessor<u128>, group), size_of::<WordSuccessor<u128>>()),
            _ => (offset_of!(WordSuccessor<Quad>, group), size_of::<WordSuccessor<Quad>>()),
        };
        self.b.ins().store(PLAIN, group, out, place as i32);
        let next = match mask {
            Some(mask) => {
                let size = self.b.ins().band_imm_u(mask, size as i64);
                self.b.ins().iadd(out, size)
            }
            None => self.b.ins().iadd_imm_s(out, size as i64),
        };
        self.b.def_var(self.out, next);
    }

    /// Guard and effect of a statement, on the new state; goes to `blocked` if it is not executable.
    fn perform(&mut self, id: StmtId, blocked: Block) {
        match &self.program.statement(id).action {
            // Whether an `else` is due is seen by those who know what came before.
            Action::Skip | Action::Else => {}
            Action::Condition(e) => self.require(e, View::New, blocked),
            Action::Assign(pairs) => {
                for (place, e) in pairs {
                    if self.copy_number(place, e) {
                        continue;
                    }
                    let range = self.range_of(e);
                    let value = self.value(e, View::New);
                    self.store(place, value, range);
                }
            }
            Action::Assert(e) => self.require(e, View::New, self.nothing),
            Action::Print(_, args) => {
                args.iter().for_each(|e| self.evaluate_for_errors(e, View::New));
            }
            Action::PrintMtype(e) => self.evaluate_for_errors(e, View::New),
            _ => self.give_up(),
        }
    }

    /// Runs a `d_step` to its end; goes to `blocked` if its first statement blocks.
    fn d_step(&mut self, id: StmtId, d_step: &DStep, blocked: Block) {
        let count = self.b.declare_var(types::I64);
        let zero = self.long(0);
        self.b.def_var(count, zero);
        let exit = self.b.create_block();
        let mut blocks: Vec<Option<Block>> = vec![None; d_step.locations.len()];
        let mut pending = Vec::new();
        let mut next = Some((d_step.start, Some(id), blocked));
        while let Some((at, whole, blocked)) = next {
            for transition in &d_step.locations[at.index()] {
                let otherwise = self.b.create_block();
                self.perform(transition.statement, otherwise);
                self.mark_executed(transition.statement);
                if let Some(id) = whole {
                    self.mark_executed(id);
                }
                let target = transition.target;
                if target == d_step.exit {
                    self.b.ins().jump(exit, &[]);
                } else {
                    let block = *blocks[target.index()].get_or_insert_with(|| {
                        pending.push(target);
                        self.b.create_block()
                    });
                    self.b.ins().jump(block, &[]);
                }
                self.enter(otherwise);
            }
            self.b.ins().jump(blocked, &[]);
            // Only the first statement may block.
            next = pending.pop().map(|at| (at, None, self.nothing));
            if let Some((at, ..)) = next
                && let Some(block) = blocks[at.index()]
            {
                // Others may lead there yet: it is sealed at the end.
                self.b.switch_to_block(block);
                self.count_step(count);
            }
        }
        self.enter(exit);
    }

    /// Gives up after very many inner steps.
    fn count_step(&mut self, count: Variable) {
        let steps = self.b.use_var(count);
        let steps = self.b.ins().iadd_imm_s(steps, 1);
        self.b.def_var(count, steps);
        let is_long = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, steps, PATIENCE);
        self.give_up_if(is_long);
    }

    pub(super) fn mark_executed(&mut self, id: StmtId) {
        let one = self.int(1);
        self.b.ins().istore8(PLAIN, one, self.executed, id.0 as i32);
    }

    pub(super) fn mark_executed_if(&mut self, id: StmtId, holds: Value) {
        let place = id.0 as i32;
        let before = self.b.ins().load(types::I8, PLAIN, self.executed, place);
        let after = self.b.ins().bor(before, holds);
        self.b.ins().store(PLAIN, after, self.executed, place);
    }

    /// The limb of a state that has this bit.
    pub(super) fn limb(&mut self, view: View, bit: u32) -> Value {
        let at = limb_of(bit);
        match view {
            View::Old => self.base[at],
            View::New => self.b.use_var(self.new[at]),
        }
    }

    /// Replaces that limb of the new state.
    pub(super) fn set_limb(&mut self, bit: u32, value: Value) {
        self.b.def_var(self.new[limb_of(bit)], value);
    }

    /// Leaves the state to others; what follows is never reached.
    pub(super) fn give_up(&mut self) {
        if self.is_flat {
            let always = self.b.ins().iconst(types::I8, 1);
            self.give_up_if(always);
            return;
        }
        self.b.ins().jump(self.nothing, &[]);
        let unreachable = self.b.create_block();
        self.enter(unreachable);
    }

    pub(super) fn give_up_if(&mut self, condition: Value) {
        if self.is_flat {
            let counts = match self.doubt {
                Some(doubt) => self.b.ins().band(condition, doubt),
                None => condition,
            };
            let before = self.b.use_var(self.bad);
            let bad = self.b.ins().bor(before, counts);
            self.b.def_var(self.bad, bad);
            return;
        }
        self.leave_if(condition, self.nothing);
    }

    pub(super) fn leave_if(&mut self, condition: Value, to: Block) {
        let next = self.b.create_block();
        self.b.ins().brif(condition, to, &[], next, &[]);
        self.enter(next);
    }

    /// Goes on in a block that nothing else will lead to.
    pub(super) fn enter(&mut self, block: Block) {
        self.b.switch_to_block(block);
    }

    pub(super) fn int(&mut self, value: i32) -> Value {
        self.b.ins().iconst(types::I32, i64::from(value))
    }

    pub(super) fn long(&mut self, value: i64) -> Value {
        self.b.ins().iconst(types::I64, value)
    }
}
