//! The value of an expression along a run.

use spinor_exec::Proposition;
use spinor_ltl::Formula;
use spinor_program::Expr;
use spinor_trace::{Interest, Move, ReplayError, Run, Step, Teller, View};
use spinor_ts::TransitionSystem;

/// An expression over the variables of a model, to be evaluated in states.
#[derive(Debug)]
pub struct Evaluation {
    root: Node,
}

/// A step, none for the initial state, and the value after it, none if the expression errs.
pub type Valued = (Option<Step>, Option<String>);

/// An expression that has no value in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvaluationError {
    /// It speaks of the future.
    Temporal,
}

#[derive(Debug)]
enum Node {
    Constant(bool),
    /// An expression of the program; the proposition knows whether it errs.
    Value(Expr, Proposition),
    Not(Box<Node>),
    And(Vec<Node>),
    Or(Vec<Node>),
    Same(Box<Node>, Box<Node>),
}

impl Evaluation {
    /// Of a formula without temporal operators, whose atoms `expr_of` knows.
    ///
    /// # Errors
    /// It has temporal operators.
    pub fn new(
        formula: &Formula,
        expr_of: &impl Fn(&str) -> Option<Expr>,
    ) -> Result<Self, EvaluationError> {
        Ok(Evaluation { root: Node::new(formula, expr_of)? })
    }

    /// The value in a state; none if it errs there.
    #[must_use]
    pub fn value(&self, view: &View<'_>, state: &[u8]) -> Option<i32> {
        self.root.value(view, state)
    }

    /// The value in a state in words.
    #[must_use]
    pub fn show(&self, view: &View<'_>, state: &[u8]) -> Option<String> {
        let value = self.value(view, state)?;
        Some(match &self.root {
            Node::Value(expr, _) => view.show_value_of(state, expr, value),
            _ => value.to_string(),
        })
    }

    /// The values along a run: in the initial state, then after each step.
    ///
    /// # Errors
    /// The run is none of this model.
    pub fn along(&self, view: &mut View<'_>, run: &Run) -> Result<Vec<Valued>, ReplayError> {
        let Ok(mut state) = view.exec.initial() else { return Ok(Vec::new()) };
        let interest = Interest::default();
        let mut teller = Teller::new(&interest);
        let mut rows = vec![(None, self.show(view, &state))];
        for (number, &step) in run.moves.iter().enumerate() {
            let told = match step {
                Move::Event(event) => {
                    let told = teller.event(view, &state, event);
                    told.ok_or(ReplayError::at(number + 1))?
                }
                Move::Stutter => teller.stutter(view, &state),
            };
            for (step, after) in told.steps.into_iter().zip(&told.states) {
                rows.push((Some(step), self.show(view, after)));
            }
            if told.violation.is_some() && number + 1 < run.moves.len() {
                return Err(ReplayError::at(number + 2));
            }
            state = told.next;
        }
        Ok(rows)
    }
}

impl Node {
    fn new(
        formula: &Formula,
        expr_of: &impl Fn(&str) -> Option<Expr>,
    ) -> Result<Self, EvaluationError> {
        let go = |f: &Formula| Node::new(f, expr_of);
        let boxed = |f: &Formula| go(f).map(Box::new);
        Ok(match formula {
            Formula::True => Node::Constant(true),
            Formula::False => Node::Constant(false),
            Formula::Atom(name) => {
                let expr = expr_of(name).ok_or(EvaluationError::Temporal)?;
                let proposition = Proposition::new(&expr);
                Node::Value(expr, proposition)
            }
            Formula::Not(f) => Node::Not(boxed(f)?),
            Formula::And(parts) => Node::And(parts.iter().map(go).collect::<Result<_, _>>()?),
            Formula::Or(parts) => Node::Or(parts.iter().map(go).collect::<Result<_, _>>()?),
            Formula::Implies(f, g) => Node::Or(vec![Node::Not(boxed(f)?), go(g)?]),
            Formula::Equivalent(f, g) => Node::Same(boxed(f)?, boxed(g)?),
            Formula::Next(_)
            | Formula::Eventually(_)
            | Formula::Always(_)
            | Formula::Until(..)
            | Formula::WeakUntil(..)
            | Formula::Release(..) => return Err(EvaluationError::Temporal),
        })
    }

    fn value(&self, view: &View<'_>, state: &[u8]) -> Option<i32> {
        let holds = |node: &Node| node.value(view, state).map(|value| value != 0);
        Some(match self {
            Node::Constant(holds) => i32::from(*holds),
            Node::Value(expr, proposition) => {
                view.exec.valuation(state, std::slice::from_ref(proposition)).ok()?;
                view.exec.evaluate(state, None, expr)
            }
            Node::Not(node) => i32::from(!holds(node)?),
            Node::And(nodes) => {
                for node in nodes {
                    if !holds(node)? {
                        return Some(0);
                    }
                }
                1
            }
            Node::Or(nodes) => {
                for node in nodes {
                    if holds(node)? {
                        return Some(1);
                    }
                }
                0
            }
            Node::Same(a, b) => i32::from(holds(a)? == holds(b)?),
        })
    }
}
