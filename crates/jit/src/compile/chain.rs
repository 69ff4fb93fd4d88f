//! Atomic sequences where the next step is the only one there is: it is taken in the same
//! call, on the state just written, instead of by the driver.

use super::emit::{Body, Emit};
use super::perform::Way;
use super::step::{Outcome, Role};
use crate::abi::Cx;
use cranelift_codegen::ir::{Block, InstBuilder, types};
use spinor_program::expr::Predefined;
use spinor_program::{Action, Expr, LocId, Place, Transition};
use std::mem::offset_of;

/// Steps that are taken after the first one; the driver goes on from there.
const LONGEST: usize = 8;

impl Emit<'_, '_> {
    /// The steps to be taken right after a transition.
    pub fn links_after(&self, first: &Transition) -> Vec<Transition> {
        let facts = self.facts;
        let is_process = matches!(self.body, Body::Process(_)) && self.out.role == Role::Step;
        // The driver wants to see every step if events are labelled or a claim moves.
        let is_seen = facts.options.labels || facts.options.claim.is_some();
        if !is_process || facts.is_large || is_seen || facts.restricts_moves {
            return Vec::new();
        }
        let mut links = Vec::new();
        let mut last = *first;
        if self.may_circle(first.target) {
            return links;
        }
        while last.atomic && links.len() < LONGEST {
            let location = &self.process().automaton.locations[last.target.index()];
            let [next] = location.transitions[..] else { break };
            if next.escape != LocId(0) || !self.can_link(self.facts.action(next.statement)) {
                break;
            }
            links.push(next);
            last = next;
        }
        links
    }

    /// Whether an atomic sequence may come to a circle from here: the driver, who cuts
    /// circles, has to count every step then.
    fn may_circle(&self, from: LocId) -> bool {
        let locations = &self.process().automaton.locations;
        let next = |at: LocId| {
            let atomic = locations[at.index()].transitions.iter().filter(|t| t.atomic);
            atomic.map(|t| t.target).collect::<Vec<_>>()
        };
        // What is on the way to the location at hand; those done with lead to no circle.
        let mut is_on_way = vec![false; locations.len()];
        let mut is_done = vec![false; locations.len()];
        let mut stack = vec![(from, next(from))];
        is_on_way[from.index()] = true;
        while let Some((at, targets)) = stack.last_mut() {
            let at = *at;
            match targets.pop() {
                Some(target) if is_on_way[target.index()] => return true,
                Some(target) if is_done[target.index()] => {}
                Some(target) => {
                    is_on_way[target.index()] = true;
                    stack.push((target, next(target)));
                }
                None => {
                    is_on_way[at.index()] = false;
                    is_done[at.index()] = true;
                    stack.pop();
                }
            }
        }
        false
    }

    /// Whether a statement leaves the processes as they are, is no half of a rendezvous, and
    /// does not depend on what the driver knows.
    fn can_link(&self, action: &Action) -> bool {
        match action {
            Action::Send(send) => self.is_buffered(&send.channel) && is_local(action),
            Action::Skip
            | Action::Condition(_)
            | Action::Assign(_)
            | Action::Receive(_)
            | Action::Assert(_)
            | Action::Print(..)
            | Action::PrintMtype(_) => is_local(action),
            _ => false,
        }
    }

    fn is_buffered(&self, chan: &Place) -> bool {
        let Body::Process(proctype) = self.body else { return false };
        let known = self.facts.statics.find(chan, Some(proctype.index()));
        let types = &self.facts.program.channel_types;
        known.is_some_and(|known| types[known.ty.0 as usize].capacity > 0)
    }

    /// Takes the steps after a transition that led to `outcome`, writes the event and goes to
    /// `after`. Where a step blocks the event ends: others may move then.
    pub fn take_links(
        &mut self,
        first: &Transition,
        links: &[Transition],
        outcome: Outcome,
        after: Block,
    ) {
        let home = self.out.location;
        let view = self.view_of(outcome.base);
        let mut is_atomic = first.atomic;
        let mut at = first.target;
        for (taken, link) in (1..).zip(links) {
            self.out.location = at;
            let blocked = self.b.create_block();
            let way = Way {
                from: view,
                to: view,
                copies: false,
                accepting: false,
                inner: false,
                transition: link,
                later: false,
            };
            self.perform(link.statement, way, blocked);
            self.move_on(link, outcome.base, true);
            self.mark_executed(link.statement);
            let next = self.b.create_block();
            self.b.ins().jump(next, &[]);
            self.enter(blocked);
            self.end_links(taken, taken - 1, false, outcome, after);
            self.enter(next);
            (is_atomic, at) = (link.atomic, link.target);
        }
        let taken = links.len() as u32;
        self.end_links(taken, taken, is_atomic, outcome, after);
        self.out.location = home;
    }

    /// Writes the event after `taken` further steps, `tried` having been tried.
    fn end_links(
        &mut self,
        tried: u32,
        taken: u32,
        is_atomic: bool,
        outcome: Outcome,
        after: Block,
    ) {
        let chained = self.variable_field(types::I64, offset_of!(Cx, chained));
        let chained = self.b.ins().iadd_imm_s(chained, i64::from(tried));
        self.set_field(offset_of!(Cx, chained), chained);
        self.note_offered(tried);
        self.out.links = taken;
        self.write_event(is_atomic, outcome.start, outcome.length, false);
        self.out.links = 0;
        self.b.ins().jump(after, &[]);
    }

    /// A chain of so many steps beyond the state was tried.
    pub fn note_offered(&mut self, steps: u32) {
        let before = self.variable_field(types::I32, offset_of!(Cx, offered));
        let steps = self.int(steps as i32);
        let most = self.b.ins().umax(before, steps);
        self.set_field(offset_of!(Cx, offered), most);
    }
}

/// Whether all expressions are about variables and contents of channels only.
fn is_local(action: &Action) -> bool {
    let mut is_local = true;
    action.walk(&mut |part| {
        is_local &= matches!(
            part,
            Expr::Const(_)
                | Expr::Load(_)
                | Expr::Unary(..)
                | Expr::Binary(..)
                | Expr::Conditional(..)
                | Expr::Len(_)
                | Expr::Probe(..)
                | Expr::Predefined(Predefined::Pid)
        );
    });
    is_local
}
