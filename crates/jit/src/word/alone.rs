//! Steps that follow at once: those of an atomic sequence, and the other half of a rendezvous.
//!
//! What a process does alone after a step is generated where the step is, from the state that came of it, as far as there is code for all of
//! it ([`Support`](super::support::Support)). Only the states at the ends of sequences, or where these block, are written.

use super::generate::{Generator, View};
use super::place::bits_of;
use crate::compile::logic::Logic;
use crate::compile::range::{self, Range};
use crate::compile::step::reachable;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use spinor_exec::Frame;
use spinor_program::{Action, LocId, Program, Receive, ReceiveField, Send, Transition};
use spinor_ts::{Quad, WordField};

/// A message on its way.
struct Message {
    channel: u32,
    /// What its fields have, and can have.
    values: Vec<(Value, Range)>,
}

impl Generator<'_, '_> {
    /// The process at hand goes on alone at a location, from the new state.
    pub(super) fn go_on_alone(&mut self, at: LocId) {
        let program = self.program;
        let proctype = self.mover().proctype.index();
        let transitions = &program.proctypes[proctype].automaton.locations[at.index()].transitions;
        let Some(location) = self.fields.get(&self.frame).cloned() else {
            self.give_up();
            return;
        };
        let (base, steps) = (self.limbs(), self.steps + 1);
        let before = (self.base, self.steps);
        (self.base, self.steps) = (base, steps);
        self.note_chain(steps, true);
        let mask = bits_of(&location) | self.static_looks(transitions);
        self.look_at_bits(mask);
        let start = self.b.use_var(self.out);
        for (tried, transition) in transitions.iter().enumerate() {
            self.transition(transition, at.index(), &location, (tried > 0).then_some(start));
        }
        if !transitions.iter().any(|t| never_blocks(program, t)) {
            let next = self.b.create_block();
            let out = self.b.use_var(self.out);
            let has_moved = self.b.ins().icmp(IntCC::NotEqual, out, start);
            self.leave_if(has_moved, next);
            // The sequence blocks: others may move now.
            self.copy();
            self.write_after(steps, None);
            self.b.ins().jump(next, &[]);
            self.enter(next);
        }
        (self.base, self.steps) = before;
    }

    /// Offers a message to everybody else: each who can take it does, in a state of its own.
    pub(super) fn offer(
        &mut self,
        transition: &Transition,
        send: &Send,
        at: usize,
        location: &WordField,
    ) {
        let sender = self.mover();
        let Some(meeting) = self.support.meeting(sender.proctype.index(), &send.channel) else {
            self.give_up();
            return;
        };
        let mut values = Vec::new();
        for (e, scalar) in send.args.iter().zip(&meeting.ty.fields) {
            let range = self.range_of(e);
            let value = self.value(e, View::Old);
            values.push(if range.fits(*scalar) {
                (value, range)
            } else {
                (self.truncated(*scalar, value), range::of_scalar(*scalar))
            });
        }
        let message = Message { channel: meeting.number_in(&sender), values };
        self.note_chain(self.steps + 1, false);
        self.copy();
        self.move_on(transition, at, location);
        let before = (self.base, self.steps, self.pid, self.frame);
        (self.base, self.steps) = (self.limbs(), self.steps + 1);
        let start = self.b.use_var(self.out);
        for (pid, frame) in self.shape.frames.iter().enumerate().rev() {
            if pid != before.2 {
                (self.pid, self.frame) = (pid, frame.offset);
                self.ask(frame, &message);
            }
        }
        (self.base, self.steps, self.pid, self.frame) = before;
        let out = self.b.use_var(self.out);
        let is_taken = self.b.ins().icmp(IntCC::NotEqual, out, start);
        self.mark_executed_if(transition.statement, is_taken);
    }

    /// Asks the process at hand whether it takes a message.
    fn ask(&mut self, frame: &Frame, message: &Message) {
        let proctype = frame.proctype.index();
        let automaton = &self.program.proctypes[proctype].automaton;
        let mut takers: Vec<(usize, Vec<(&Transition, &Receive)>)> = Vec::new();
        for (at, is_reached) in reachable(automaton).into_iter().enumerate() {
            let all = automaton.locations[at].transitions.iter().filter(|_| is_reached);
            let taking = all.filter_map(|t| {
                let (meeting, receive) = self.support.receive(proctype, t)?;
                (meeting.number_in(frame) == message.channel).then_some((t, receive))
            });
            let taking: Vec<_> = taking.collect();
            if !taking.is_empty() {
                takers.push((at, taking));
            }
        }
        if takers.is_empty() {
            return;
        }
        let Some(location) = self.fields.get(&frame.offset).cloned() else {
            self.give_up();
            return;
        };
        self.look_at_bits(bits_of(&location));
        let stands = self.load_field(&location, View::Old);
        let next = self.b.create_block();
        for (at, taking) in takers {
            let otherwise = self.b.create_block();
            let number = location.cell.number(at as i64);
            let is_elsewhere = self.b.ins().icmp_imm_s(IntCC::NotEqual, stands, number);
            self.leave_if(is_elsewhere, otherwise);
            for (transition, receive) in taking {
                let refused = self.b.create_block();
                self.take(receive, message, refused);
                self.move_on(transition, at, &location);
                self.mark_executed(transition.statement);
                self.conclude(transition);
                self.b.ins().jump(refused, &[]);
                self.enter(refused);
            }
            self.b.ins().jump(next, &[]);
            self.enter(otherwise);
        }
        self.b.ins().jump(next, &[]);
        self.enter(next);
    }

    /// The process at hand takes a message; goes to `refused` if it does not.
    fn take(&mut self, receive: &Receive, message: &Message, refused: Block) {
        let mut mask = Quad::NONE;
        let mut visit = |e: &spinor_program::Expr| {
            if let spinor_program::Expr::Load(place) = e {
                mask |= self.static_bits(place);
            }
        };
        for field in &receive.args {
            match field {
                ReceiveField::Bind(place) => {
                    place.indices.iter().for_each(|index| index.value.walk(&mut visit));
                    visit(&spinor_program::Expr::Load(place.clone()));
                }
                ReceiveField::Match(e) => e.walk(&mut visit),
                ReceiveField::Any => {}
            }
        }
        self.look_at_bits(mask);
        self.copy();
        for (field, (value, _)) in receive.args.iter().zip(&message.values) {
            if let ReceiveField::Match(e) = field {
                let wanted = self.value(e, View::Old);
                let differs = self.b.ins().icmp(IntCC::NotEqual, wanted, *value);
                self.leave_if(differs, refused);
            }
        }
        for (field, (value, range)) in receive.args.iter().zip(&message.values) {
            if let ReceiveField::Bind(place) = field {
                self.store(place, *value, *range);
            }
        }
    }
}

/// Whether a transition can always be taken.
fn never_blocks(program: &Program, transition: &Transition) -> bool {
    matches!(
        program.statement(transition.statement).action,
        Action::Skip
            | Action::Else
            | Action::Assign(_)
            | Action::Assert(_)
            | Action::Print(..)
            | Action::PrintMtype(_)
    )
}
