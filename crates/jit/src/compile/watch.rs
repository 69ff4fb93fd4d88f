//! The function that moves a `trace` or `notrace` declaration along.

use super::emit::{Address, Emit, FIXED, PLAIN, View};
use crate::abi::Cx;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_frontend::FunctionBuilder;
use spinor_program::{Action, Expr, LocId, Place, ReceiveField, Transition};
use std::mem::offset_of;

/// The watcher of sends or of receives: moves the trace declaration along. Called with
/// the state before, the state to be changed, the number of the channel and the message.
pub(super) fn watch<'f>(mut e: Emit<'_, 'f>, is_send: bool) -> FunctionBuilder<'f> {
    let (state, next, channel) = (e.state, e.frame, e.pid);
    let message = e.extra_param(0);
    let facts = e.facts;
    let trace = facts.program.trace.as_ref().expect("only generated if there is a trace");
    e.frame = e.field(offset_of!(Cx, claim));
    let timeout = facts.program.uses_timeout.then(|| {
        let was = e.variable_field(types::I32, offset_of!(Cx, timeout));
        let none = e.int(0);
        e.set_field(offset_of!(Cx, timeout), none);
        was
    });
    let view = e.here();
    let (watched, done) = (e.b.create_block(), e.b.create_block());
    let places = if is_send { &trace.sends } else { &trace.receives };
    for place in places {
        let is = e.is_channel(place, channel, view);
        e.leave_if(is, watched);
    }
    e.b.ins().jump(done, &[]);
    e.enter(watched);
    let offset = e.field(offset_of!(Cx, event));
    let base = e.b.ins().iadd(state, offset);
    let at = e.load_counter(trace.body.location_bytes, FIXED, Address { base, offset: 0 });
    let automaton = &trace.body.automaton;
    let target = e.b.declare_var(types::I32);
    let none = e.int(-1);
    e.b.def_var(target, none);
    let decided = e.b.create_block();
    let locations = &automaton.locations;
    let blocks: Vec<Block> = (0..locations.len())
        .map(|i| {
            let idle = i == automaton.end.index() || locations[i].transitions.is_empty();
            if idle { decided } else { e.b.create_block() }
        })
        .collect();
    e.switch(at, &blocks);
    for (location, block) in locations.iter().zip(&blocks) {
        if *block == decided {
            continue;
        }
        e.enter(*block);
        for transition in &location.transitions {
            let next = e.b.create_block();
            e.match_event(is_send, transition, channel, message, view, next);
            let taken = e.b.use_var(target);
            let second = e.compare(IntCC::NotEqual, taken, -1);
            e.bail_if(second);
            let to = e.int(transition.target.0 as i32);
            e.b.def_var(target, to);
            e.b.ins().jump(next, &[]);
            e.enter(next);
        }
        e.b.ins().jump(decided, &[]);
    }
    e.enter(decided);
    let found = e.b.use_var(target);
    let LocId(end) = automaton.end;
    let to = if trace.negated {
        let violated = e.compare(IntCC::Equal, found, i64::from(end));
        e.bail_if(violated);
        let lost = e.compare(IntCC::Equal, found, -1);
        let end = e.int(end as i32);
        e.b.ins().select(lost, end, found)
    } else {
        let violated = e.compare(IntCC::Equal, found, -1);
        e.bail_if(violated);
        found
    };
    let base = e.b.ins().iadd(next, offset);
    e.store_bytes(trace.body.location_bytes, to, Address { base, offset: 0 });
    e.b.ins().jump(done, &[]);
    e.enter(done);
    if let Some(was) = timeout {
        e.set_field(offset_of!(Cx, timeout), was);
    }
    let answer = e.int(0);
    e.b.ins().return_(&[answer]);
    e.finish()
}

impl Emit<'_, '_> {
    /// Whether a variable holds the channel with a number, from 0.
    fn is_channel(&mut self, place: &Place, number: Value, view: View) -> Value {
        let have = self.value(&Expr::Load(place.clone()), view);
        let have = self.b.ins().sextend(types::I64, have);
        let wanted = self.b.ins().iadd_imm_s(number, 1);
        self.b.ins().icmp(IntCC::Equal, have, wanted)
    }

    /// Goes to `differs` unless the transition of the trace declaration fits the event.
    fn match_event(
        &mut self,
        is_send: bool,
        transition: &Transition,
        channel: Value,
        message: Value,
        view: View,
        differs: Block,
    ) {
        // A variable in a send stands for any value, a constant for itself.
        let (place, wanted): (_, Vec<Option<&Expr>>) = match self.facts.action(transition.statement)
        {
            Action::Send(send) if is_send => {
                let wanted = send.args.iter().map(|e| matches!(e, Expr::Const(_)).then_some(e));
                (&send.channel, wanted.collect())
            }
            Action::Receive(receive) if !is_send => {
                let wanted = receive.args.iter().map(|field| match field {
                    ReceiveField::Match(e) => Some(e),
                    ReceiveField::Bind(_) | ReceiveField::Any => None,
                });
                (&receive.channel, wanted.collect())
            }
            _ => {
                self.leave(differs);
                return;
            }
        };
        let is = self.is_channel(place, channel, view);
        self.leave_unless(is, differs);
        let known = self.facts.statics.find(place, None);
        let fields = known.map(|k| self.facts.program.channel_types[k.ty.0 as usize].fields.len());
        if fields.is_none_or(|fields| wanted.len() > fields) {
            // Perhaps more than the message has: the interpreter knows what to do.
            self.bail();
            return;
        }
        let values: Vec<Option<Value>> =
            wanted.iter().map(|e| e.map(|e| self.value(e, view))).collect();
        for (i, want) in values.iter().enumerate() {
            if let Some(want) = want {
                let at = 4 * i as i32;
                let have = self.b.ins().load(types::I32, PLAIN, message, at);
                let same = self.b.ins().icmp(IntCC::Equal, have, *want);
                self.leave_unless(same, differs);
            }
        }
    }
}
