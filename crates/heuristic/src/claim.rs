//! Distances to the end of a claim: the conditions on the way have to hold, one after the other.
//!
//! A way through the claim costs what its dearest condition costs; waiting is free. So this is a
//! bound if the costs of the conditions are.

use crate::cost::Cost;
use crate::distance::FAR;
use crate::formula::Formulas;
use spinor_exec::{Exec, Look};
use spinor_product::Claim;
use spinor_program::{Action, Expr, Program};

/// A claim as a graph of conditions.
#[derive(Debug)]
pub(crate) struct Ways {
    /// By state: conditions and where they lead.
    edges: Vec<Vec<(Cost, usize)>>,
    is_final: Vec<bool>,
    position: Position,
}

/// Where the state of the claim is kept.
#[derive(Clone, Copy, Debug)]
enum Position {
    /// In the claim's own frame.
    Frame,
    /// In the two bytes before the hidden ones.
    Tail { hidden: usize },
}

impl Ways {
    /// Of a never claim that is violated by reaching its end; with `accepting`, by reaching an
    /// accepting state.
    pub fn of_never(formulas: &Formulas<'_>, claim: usize, accepting: bool) -> Self {
        let program: &Program = formulas.program;
        let automaton = &program.claims[claim].automaton;
        let mut is_final: Vec<bool> =
            automaton.locations.iter().map(|l| accepting && l.is_accepting).collect();
        for end in [0, automaton.end.index()] {
            if let Some(is_final) = is_final.get_mut(end) {
                *is_final = true;
            }
        }
        let condition = |action: &Action| match action {
            Action::Condition(e) => formulas.cost(e, true, None),
            _ => Cost::Const(0),
        };
        let edges = automaton.locations.iter().map(|location| {
            let edge = |t: &spinor_program::Transition| {
                (condition(&program.statement(t.statement).action), t.target.index())
            };
            location.transitions.iter().map(edge).collect()
        });
        Ways { edges: edges.collect(), is_final, position: Position::Frame }
    }

    /// Of the automaton of a formula over `propositions`; with `accepting`, to components with
    /// accepting cycles, too.
    pub fn of_formula(
        formulas: &Formulas<'_>,
        claim: &Claim,
        propositions: &[Expr],
        accepting: bool,
    ) -> Self {
        let literal = |(number, holds): (u32, bool)| {
            formulas.cost(&propositions[number as usize], holds, None)
        };
        let edges = (0..claim.len()).map(|state| {
            let edges = claim.edges(state).map(|(cubes, target)| {
                let cubes = cubes
                    .into_iter()
                    .map(|cube| formulas.all(cube.into_iter().map(literal).collect()));
                let mut cubes: Vec<Cost> = cubes.collect();
                let cost = if cubes.len() == 1 { cubes.remove(0) } else { Cost::Min(cubes) };
                (cost, target)
            });
            edges.collect()
        });
        let is_final = |state| claim.accepts_all(state) || (accepting && claim.may_accept(state));
        Ways {
            edges: edges.collect(),
            is_final: (0..claim.len()).map(is_final).collect(),
            position: Position::Tail { hidden: formulas.program.hidden_bytes as usize },
        }
    }

    /// Steps until the claim is at its end, about.
    pub fn cost(&self, exec: &Exec, look: &Look<'_>) -> u32 {
        let at = match self.position {
            Position::Frame => exec.claim_location(look.state()),
            Position::Tail { hidden } => {
                let state = look.state();
                let at = state.len() - hidden - 2;
                usize::from(u16::from_le_bytes([state[at], state[at + 1]]))
            }
        };
        self.cost_from(look, at)
    }

    /// The dearest condition on the cheapest way.
    fn cost_from(&self, look: &Look<'_>, start: usize) -> u32 {
        if self.is_final.get(start).copied().unwrap_or(true) {
            return 0;
        }
        // A few states: the cheapest one reached so far, again and again.
        let mut costs = vec![FAR + 1; self.edges.len()];
        let mut is_done = vec![false; self.edges.len()];
        costs[start] = 0;
        loop {
            let open = (0..costs.len()).filter(|at| !is_done[*at] && costs[*at] <= FAR);
            let Some(at) = open.min_by_key(|at| costs[*at]) else { return FAR };
            if self.is_final[at] {
                return costs[at];
            }
            is_done[at] = true;
            for (condition, target) in &self.edges[at] {
                let Some(known) = costs.get(*target).copied() else { continue };
                if is_done[*target] || known <= costs[at] {
                    continue;
                }
                let cost = condition.of(look, None).max(costs[at]);
                costs[*target] = known.min(cost);
            }
        }
    }
}
