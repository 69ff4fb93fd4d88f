//! Step functions: all transitions of a process in a state.

use super::emit::{Body, Emit, FIXED, PLAIN, View};
use super::facts::{find_run, has_run};
use super::perform::Way;
use crate::abi::{ATOMIC, CONTINUES, Cx, MOVED, PID_SHIFT, ROOM};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockCall, InstBuilder, JumpTableData, Value, types};
use cranelift_frontend::FunctionBuilder;
use spinor_program::{Action, Automaton, LocId, Transition};
use spinor_ts::Event;
use std::mem::offset_of;
use std::ops::Range;

/// Where `steps` lies in an [`Event`]; `start` and `end` follow.
const STEPS: i32 = offset_of!(Event, steps) as i32;

/// What kind of function tries the transitions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// All moves of a process.
    Step,
    /// The receiving halves of a rendezvous.
    Accept,
    /// Only whether there are moves.
    Look,
}

/// The state after a transition.
#[derive(Clone, Copy)]
pub(super) struct Outcome {
    /// What the offsets of the old shape count from.
    pub base: Value,
    /// Where the state begins and how long it is.
    pub start: Value,
    pub length: Value,
    /// The process is still there.
    pub lives: bool,
}

/// Generates the function for the locations in `part`.
pub(super) fn generate<'f>(
    mut e: Emit<'_, 'f>,
    role: Role,
    part: Range<usize>,
) -> FunctionBuilder<'f> {
    e.out.role = role;
    e.fix_process();
    e.locations(part);
    e.finish()
}

impl Emit<'_, '_> {
    fn locations(&mut self, part: Range<usize>) {
        let tries = self.tries(part.clone());
        let most = tries.iter().map(Vec::len).max().unwrap_or(0);
        if self.out.role == Role::Step {
            // A claim does not ask for room: its caller would not know.
            let may_ask = matches!(self.body, Body::Process(_));
            self.reserve(most, may_ask);
        }
        let nothing = self.b.create_block();
        self.try_all(&tries, part.start, nothing);
        self.enter(nothing);
        let none = self.int(0);
        self.b.ins().return_(&[none]);
        self.enter(self.out.exit);
        self.save_cursors();
        let flags = self.b.use_var(self.out.flags);
        self.b.ins().return_(&[flags]);
    }

    /// The transitions that there are to try at each of some locations.
    pub fn tries(&self, part: Range<usize>) -> Vec<Vec<Transition>> {
        let automaton = &self.process().automaton;
        let reachable = reachable(automaton);
        let relevant = |at: usize| {
            let all = automaton.locations[at].transitions.iter().filter(|_| reachable[at]);
            all.filter(|t| self.may_apply(t)).copied().collect()
        };
        part.map(relevant).collect()
    }

    /// Tries the transitions of the location that the process is at, one of those from
    /// `first` on, then goes to the exit; to `nothing` if there are none.
    pub fn try_all(&mut self, tries: &[Vec<Transition>], first: usize, nothing: Block) {
        let view = self.here();
        let zero = self.int(0);
        self.b.def_var(self.out.flags, zero);
        let at = self.load_counter(self.process().location_bytes, FIXED, view.frame);
        let index = self.b.ins().iadd_imm_s(at, -(first as i64));
        let blocks: Vec<Block> = tries
            .iter()
            .map(|tries| if tries.is_empty() { nothing } else { self.b.create_block() })
            .collect();
        self.switch(index, &blocks);
        for ((tries, block), location) in tries.iter().zip(&blocks).zip(first..) {
            if tries.is_empty() {
                continue;
            }
            self.enter(*block);
            self.out.location = LocId(location as u32);
            if self.out.role == Role::Accept {
                self.reserve(tries.len(), false);
                self.accepting_transitions(tries, view);
            } else {
                self.transitions(tries, view);
            }
            self.b.ins().jump(self.out.exit, &[]);
        }
        for (is_atomic, tail) in [false, true].into_iter().zip(self.out.tails) {
            let Some(tail) = tail else { continue };
            self.enter(tail);
            let start = self.b.use_var(self.out.bytes);
            let length = self.field(offset_of!(Cx, length));
            self.write_event(is_atomic, start, length, self.facts.is_large);
            self.b.ins().jump(self.out.exit, &[]);
        }
    }

    /// Goes to one of the blocks; there is one for every index that can be.
    pub fn switch(&mut self, index: Value, blocks: &[Block]) {
        self.switch_or(index, blocks, self.bail_block());
    }

    /// Goes to one of the blocks, or to `default` if the index is too large.
    pub fn switch_or(&mut self, index: Value, blocks: &[Block], default: Block) {
        let pool = &mut self.b.func.dfg.value_lists;
        let default = BlockCall::new(default, [], pool);
        let calls: Vec<BlockCall> = blocks.iter().map(|b| BlockCall::new(*b, [], pool)).collect();
        let table = self.b.create_jump_table(JumpTableData::new(default, &calls));
        self.b.ins().br_table(index, table);
    }

    /// Whether a transition can have anything to do with this function.
    fn may_apply(&self, transition: &Transition) -> bool {
        let facts = self.facts;
        match (self.out.role, facts.action(transition.statement)) {
            (Role::Step | Role::Look, _) | (Role::Accept, Action::Receive(_)) => true,
            (Role::Accept, Action::DStep(inner)) => inner.locations[inner.start.index()]
                .iter()
                .any(|t| matches!(facts.action(t.statement), Action::Receive(_))),
            (Role::Accept, _) => false,
        }
    }

    pub fn transitions(&mut self, all: &[Transition], view: View) {
        let groups: Vec<&[Transition]> = all.chunk_by(|a, b| a.escape == b.escape).collect();
        for (i, group) in groups.iter().enumerate() {
            // An executable escape pre-empts what follows.
            let pre_empts = i + 1 < groups.len() && group[0].escape != LocId(0);
            if pre_empts {
                let no = self.int(0);
                self.b.def_var(self.out.moved, no);
            }
            for (j, transition) in group.iter().enumerate() {
                let is_last = i + 1 == groups.len() && j + 1 == group.len();
                self.transition(transition, view, i + j > 0, is_last);
            }
            if pre_empts {
                let moved = self.b.use_var(self.out.moved);
                self.leave_if(moved, self.out.exit);
            }
        }
    }

    /// Tries one transition; `later`: others came before it, `is_last`: none follow.
    fn transition(&mut self, transition: &Transition, view: View, later: bool, is_last: bool) {
        let id = transition.statement;
        let after = self.b.create_block();
        let action = self.facts.action(id);
        let base = self.b.use_var(self.out.bytes);
        let to = self.view_of(base);
        let way = Way {
            from: view,
            to,
            copies: true,
            accepting: self.out.role == Role::Accept,
            inner: false,
            transition,
            later,
        };
        let length = self.field(offset_of!(Cx, length));
        let same_shape = Outcome { base, start: base, length, lives: true };
        let outcome = match action {
            Action::Else if later => {
                let flags = self.b.use_var(self.out.flags);
                let moved = self.b.ins().band_imm_u(flags, i64::from(MOVED));
                self.leave_if(moved, after);
                self.begin(way);
                same_shape
            }
            Action::Terminate => self.terminate(base, after),
            Action::Condition(e) if find_run(e).is_some() => self.run(None, e, way, after),
            Action::Assign(pairs) if has_run(action) => match &pairs[..] {
                [(place, e)] if find_run(e).is_some() => self.run(Some(place), e, way, after),
                _ => {
                    self.bail();
                    same_shape
                }
            },
            Action::DStep(inner) => {
                self.d_step(id, inner, way, after);
                same_shape
            }
            _ => {
                self.perform(id, way, after);
                same_shape
            }
        };
        self.forbid_choice(later);
        let is_same_shape = outcome.start == base && outcome.length == length;
        // In large programs the event was written together with the state.
        let is_written = is_same_shape && self.facts.is_large;
        let links = if is_same_shape { self.links_after(transition) } else { Vec::new() };
        self.conclude(transition, outcome);
        if !links.is_empty() {
            self.take_links(transition, &links, outcome, after);
        } else if is_last && is_same_shape {
            let tail = *self.out.tails[usize::from(transition.atomic)]
                .get_or_insert_with(|| self.b.create_block());
            self.b.ins().jump(tail, &[]);
        } else {
            self.write_event(transition.atomic, outcome.start, outcome.length, is_written);
            self.b.ins().jump(after, &[]);
        }
        self.enter(after);
    }

    /// In a `D_proctype` a second executable transition is an error.
    pub fn forbid_choice(&mut self, later: bool) {
        let is_process = matches!(self.body, Body::Process(_)) && self.out.role == Role::Step;
        if later && is_process && self.process().deterministic {
            let flags = self.b.use_var(self.out.flags);
            let moved = self.b.ins().band_imm_u(flags, i64::from(MOVED));
            self.bail_if(moved);
        }
    }

    /// Moves the process on and remembers that it moved.
    fn conclude(&mut self, transition: &Transition, outcome: Outcome) {
        if matches!(self.body, Body::Claim(_)) && self.ends_claim(transition) {
            // A claim that ends is violated.
            self.bail();
        }
        self.move_on(transition, outcome.base, outcome.lives);
        if !matches!(self.facts.action(transition.statement), Action::DStep(_)) {
            self.mark_executed(transition.statement);
        }
    }

    fn ends_claim(&self, transition: &Transition) -> bool {
        let automaton = &self.process().automaton;
        matches!(self.facts.action(transition.statement), Action::Terminate)
            || automaton.locations[transition.target.index()].is_end
    }

    /// Sets the location and `_last` in the state whose offsets count from `base`.
    pub fn move_on(&mut self, transition: &Transition, base: Value, lives: bool) {
        let process = self.process();
        let stays = transition.target == self.out.location || transition.target == LocId(0);
        if lives && !stays {
            let target = self.int(transition.target.0 as i32);
            let at = self.frame_in(base);
            self.store_bytes(process.location_bytes, target, at);
        }
        if self.facts.program.uses_last && matches!(self.body, Body::Process(_)) {
            let at = self.beyond(base, offset_of!(Cx, last));
            self.store_bytes(1, self.pid, at);
        }
    }

    /// Writes the event of a state, unless it is written, and moves the cursors behind it.
    pub fn write_event(&mut self, is_atomic: bool, start: Value, length: Value, is_written: bool) {
        let event = self.b.use_var(self.out.events);
        let end = self.b.ins().iadd(start, length);
        if !is_written {
            let steps = self.steps_word(is_atomic);
            let origin = self.variable_field(types::I64, offset_of!(Cx, bytes_start));
            let from = self.b.ins().isub(start, origin);
            let to = self.b.ins().isub(end, origin);
            let kind = self.int(0);
            self.b.ins().store(PLAIN, kind, event, 0);
            self.b.ins().store(PLAIN, steps, event, STEPS);
            self.b.ins().istore32(PLAIN, from, event, STEPS + 4);
            self.b.ins().istore32(PLAIN, to, event, STEPS + 8);
        }
        let next = self.b.ins().iadd_imm_s(event, size_of::<Event>() as i64);
        self.b.def_var(self.out.events, next);
        self.b.def_var(self.out.bytes, end);
        let flag = if is_atomic { MOVED | CONTINUES } else { MOVED };
        self.add_flags(flag);
    }

    /// Elementary steps of an event, marked if the process goes on alone, with its pid if that
    /// matters.
    pub fn steps_word(&mut self, is_atomic: bool) -> Value {
        let steps = self.event_steps();
        if !is_atomic && !self.facts.options.labels {
            return self.int(steps as i32);
        }
        let pid = self.b.ins().ireduce(types::I32, self.pid);
        let pid = self.b.ins().ishl_imm_u(pid, i64::from(PID_SHIFT));
        let atomic = if is_atomic { ATOMIC } else { 0 };
        let marks = self.int((atomic | steps) as i32);
        self.b.ins().bor(pid, marks)
    }

    fn add_flags(&mut self, flags: u32) {
        let old = self.b.use_var(self.out.flags);
        let new = self.b.ins().bor_imm_u(old, i64::from(flags));
        self.b.def_var(self.out.flags, new);
        let yes = self.int(1);
        self.b.def_var(self.out.moved, yes);
    }

    /// Takes the cursors from memory and makes sure that there is room for `count` events.
    /// If not, returns to ask for it; that is possible before anything was written, and
    /// saves a function its only call. Otherwise makes room.
    pub fn reserve(&mut self, count: usize, may_ask: bool) {
        let growth = self.most_growth();
        let bytes = self.variable_field(types::I64, offset_of!(Cx, bytes));
        let events = self.variable_field(types::I64, offset_of!(Cx, events));
        self.b.def_var(self.out.bytes, bytes);
        self.b.def_var(self.out.events, events);
        if count == 0 {
            return;
        }
        let length = self.field(offset_of!(Cx, length));
        let length = self.b.ins().iadd_imm_s(length, growth as i64);
        let need = self.b.ins().imul_imm_s(length, count as i64);
        let bytes_end = self.variable_field(types::I64, offset_of!(Cx, bytes_end));
        let events_end = self.variable_field(types::I64, offset_of!(Cx, events_end));
        let room = self.b.ins().isub(bytes_end, bytes);
        let seats = self.b.ins().isub(events_end, events);
        let short = self.b.ins().icmp(IntCC::UnsignedLessThan, room, need);
        let least = (count * size_of::<Event>()) as i64;
        let few = self.compare(IntCC::UnsignedLessThan, seats, least);
        let grows = self.b.ins().bor(short, few);
        let (slow, ready) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(slow);
        self.b.ins().brif(grows, slow, &[], ready, &[]);
        self.enter(slow);
        let count = self.word(count as i64);
        if may_ask {
            self.set_field(offset_of!(Cx, wanted_events), count);
            self.set_field(offset_of!(Cx, wanted_bytes), need);
            let answer = self.int(ROOM as i32);
            self.b.ins().return_(&[answer]);
            self.enter(ready);
            return;
        }
        let signature = super::emit::signature(self.facts.conv, 3);
        let sig = self.b.import_signature(signature);
        let grow = self.facts.helpers.grow as usize;
        let failed = self.call_address(grow, sig, &[self.cx, count, need]);
        self.bail_if(failed);
        let bytes = self.variable_field(types::I64, offset_of!(Cx, bytes));
        let events = self.variable_field(types::I64, offset_of!(Cx, events));
        self.b.def_var(self.out.bytes, bytes);
        self.b.def_var(self.out.events, events);
        self.b.ins().jump(ready, &[]);
        self.enter(ready);
    }

    /// Most bytes by which a state grows in one step of this process.
    fn most_growth(&self) -> usize {
        let facts = self.facts;
        let mut most = 0;
        super::facts::each_statement(facts.program, self.process(), &mut |action| {
            let e = match action {
                Action::Condition(e) => Some(e),
                Action::Assign(pairs) => pairs.first().map(|(_, e)| e),
                _ => None,
            };
            if let Some(run) = e.and_then(find_run) {
                most = most.max(facts.growth(run.proctype));
            }
        });
        most
    }

    /// Writes the cursors back for others.
    pub fn save_cursors(&mut self) {
        let bytes = self.b.use_var(self.out.bytes);
        let events = self.b.use_var(self.out.events);
        self.set_field(offset_of!(Cx, bytes), bytes);
        self.set_field(offset_of!(Cx, events), events);
    }
}

/// Which locations a process can be at.
pub(crate) fn reachable(automaton: &Automaton) -> Vec<bool> {
    let mut found = vec![false; automaton.locations.len()];
    let mut left = vec![automaton.start];
    while let Some(at) = left.pop() {
        if !std::mem::replace(&mut found[at.index()], true) {
            left.extend(automaton.locations[at.index()].transitions.iter().map(|t| t.target));
        }
    }
    found
}
