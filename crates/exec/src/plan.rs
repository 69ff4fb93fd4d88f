//! Statements that need no more than a guard and some assignments.
//!
//! A plan is such a statement, or a `d_step` that is a chain of them, in quick form.
//! As with [quick](crate::quick) expressions, whatever is unusual is not in it: then
//! the attempt is made anew, the plain way.

use crate::eval::Context;
use crate::quick::{Node, Path};
use spinor_program::{Action, DStep, Expr, Place, Program, StmtId};
use std::cell::Cell;

/// When a plan can be carried out.
#[derive(Debug)]
enum When {
    /// There is no plan.
    Unknown,
    Always,
    /// If nothing else of the process can move.
    Else,
    Holds(Node),
    /// Not before this channel has room; the rest is not simple.
    Room(Path),
    /// Not before there is a message in this channel; the rest is not simple.
    Message(Path),
}

#[derive(Debug)]
enum Step {
    Store(Path, Node),
    /// A condition inside a `d_step`: an error unless it holds.
    Check(Node),
}

/// Guard and effect of a statement, if they are simple.
#[derive(Debug)]
pub(crate) struct Plan {
    when: When,
    steps: Box<[Step]>,
    /// The statements that it executes.
    statements: Box<[StmtId]>,
    /// It was carried out before.
    known: Cell<bool>,
}

impl Plan {
    /// The plan of a statement of `program`.
    pub fn new(program: &Program, id: StmtId) -> Self {
        let mut builder = Builder { when: When::Unknown, steps: Vec::new(), statements: vec![id] };
        let is_simple = match &program.statement(id).action {
            Action::Send(send) => builder.not_before(When::Room(Path::new(&send.channel))),
            // Looking at a rendezvous channel is an error.
            Action::Receive(receive) if !receive.copy => {
                builder.not_before(When::Message(Path::new(&receive.channel)))
            }
            Action::DStep(inner) => builder.chain(program, inner),
            action => builder.add(action, true),
        };
        if !is_simple {
            builder.when = When::Unknown;
        }
        Plan {
            when: builder.when,
            steps: builder.steps.into(),
            statements: builder.statements.into(),
            known: Cell::new(false),
        }
    }

    /// Whether it can be carried out; nothing if that is not easy to say.
    #[inline(always)]
    pub fn is_due(&self, cx: &Context<'_>, moved: bool) -> Option<bool> {
        match &self.when {
            When::Holds(node) => Some(node.quick_value(cx, cx.state)? != 0),
            When::Always => Some(true),
            When::Else => Some(!moved),
            When::Room(path) => {
                let berth = path.berth(cx, cx.state)?;
                (berth.capacity > 0 && berth.len(cx.state) >= berth.capacity).then_some(false)
            }
            When::Message(path) => {
                let berth = path.berth(cx, cx.state)?;
                (berth.len(cx.state) == 0).then_some(false)
            }
            When::Unknown => None,
        }
    }

    /// Changes the state, which has the processes of the one at hand; nothing if
    /// there is more to it, the state is worthless then.
    #[inline(always)]
    pub fn carry_out(&self, cx: &Context<'_>, state: &mut [u8]) -> Option<()> {
        for step in &self.steps {
            match step {
                Step::Store(path, node) => {
                    let value = node.quick_value(cx, state)?;
                    path.store(cx, state, value)?;
                }
                Step::Check(node) if node.quick_value(cx, state)? == 0 => return None,
                Step::Check(_) => {}
            }
        }
        if !self.known.get() {
            self.known.set(true);
            self.statements.iter().for_each(|s| cx.exec.executed[s.index()].set(true));
        }
        Some(())
    }
}

struct Builder {
    when: When,
    steps: Vec<Step>,
    statements: Vec<StmtId>,
}

impl Builder {
    /// Adds a statement; says whether that is possible.
    fn add(&mut self, action: &Action, is_first: bool) -> bool {
        match action {
            Action::Skip => self.when_first(is_first, When::Always),
            Action::Else => self.when_first(is_first, When::Else),
            Action::Condition(e) => {
                let node = Node::new(e);
                if is_first {
                    self.when = When::Holds(node);
                } else {
                    self.steps.push(Step::Check(node));
                }
            }
            Action::Assign(pairs) => {
                self.when_first(is_first, When::Always);
                let store = |(p, e): &(Place, Expr)| Step::Store(Path::new(p), Node::new(e));
                self.steps.extend(pairs.iter().map(store));
            }
            _ => return false,
        }
        // A `run` makes a new lineup.
        let mut starts = false;
        action.walk(&mut |e| starts |= matches!(e, Expr::Run(_)));
        !starts
    }

    fn not_before(&mut self, when: When) -> bool {
        self.when = when;
        true
    }

    fn when_first(&mut self, is_first: bool, when: When) {
        if is_first {
            self.when = when;
        }
    }

    /// Adds the inside of a `d_step`, if there is one way through it.
    fn chain(&mut self, program: &Program, inner: &DStep) -> bool {
        let mut at = inner.start;
        // More steps than locations: it runs in a circle.
        for number in 0..=inner.locations.len() {
            if at == inner.exit && number > 0 {
                // In order, so an `else` that is reached is due.
                if matches!(self.when, When::Else) {
                    self.when = When::Always;
                }
                return true;
            }
            let [transition] = inner.locations[at.index()].as_slice() else { return false };
            if !self.add(&program.statement(transition.statement).action, number == 0) {
                return false;
            }
            self.statements.push(transition.statement);
            at = transition.target;
        }
        false
    }
}

#[cfg(test)]
mod tests;
