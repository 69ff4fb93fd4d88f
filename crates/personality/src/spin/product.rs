//! `-e`: the synchronous product of all never claims, as a never claim.
//!
//! A run is accepted if all claims accept it: a state of the product is one of each claim and the claim whose
//! acceptance is waited for. Where a claim ends, it accepts whatever follows.

use spinor_program::{Action, LocId, ProcessType, Program, Transition};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// States of a product that are still printed.
const MAX_STATES: usize = 20_000;
/// Steps inside an atomic sequence of a claim, which are one of the product.
const MAX_ATOMIC: usize = 16;

/// A claim as a Büchi automaton over conditions.
struct Claim<'a> {
    name: &'a str,
    program: &'a Program,
    body: &'a ProcessType,
    /// Whether there is anything that tells runs apart.
    has_accepting: bool,
}

/// Conditions that must all hold, and where they lead; to the location 0 if the claim ends.
type Edge<Target = usize> = (Vec<String>, Target);

/// The text of the product; with `strict`, claims without acceptance accept nothing.
pub(super) fn text(program: &Program, strict: bool) -> Result<String, String> {
    let claims: Vec<Claim<'_>> =
        program.claims.iter().map(|body| Claim::new(program, body)).collect();
    if claims.len() < 2 {
        return Ok(String::new());
    }
    let any = claims.iter().any(|claim| claim.has_accepting);
    let accepts = |at: usize, location: usize| {
        let claim = &claims[at];
        if claim.has_accepting { claim.accepts(location) } else { any && !strict }
    };
    let first: Vec<usize> = claims.iter().map(|claim| claim.body.automaton.start.index()).collect();
    let mut out = String::from("never Product {\n");
    let mut known = BTreeSet::from([(first.clone(), 0)]);
    let mut waiting = std::collections::VecDeque::from([(first, 0)]);
    while let Some((state, turn)) = waiting.pop_front() {
        let is_done = accepts(turn, state[turn]);
        if turn == 0 && is_done {
            let _ = writeln!(out, "accept_{}:", name(&state, turn));
        }
        let _ = writeln!(out, "{}:\n\tdo", name(&state, turn));
        let next_turn = if is_done { (turn + 1) % claims.len() } else { turn };
        let edges = together(&claims, &state)?;
        if edges.is_empty() {
            out.push_str("\t:: false\n");
        }
        for (conditions, target) in edges {
            let condition =
                if conditions.is_empty() { "true".to_owned() } else { conditions.join(" && ") };
            let _ = writeln!(out, "\t:: {condition} -> goto {}", name(&target, next_turn));
            if known.insert((target.clone(), next_turn)) {
                waiting.push_back((target, next_turn));
            }
        }
        out.push_str("\tod;\n");
        if known.len() > MAX_STATES {
            return Err(format!("the product of the claims has more than {MAX_STATES} states"));
        }
    }
    out.push_str("}\n");
    Ok(out)
}

fn name(state: &[usize], turn: usize) -> String {
    let parts: Vec<String> = state.iter().map(ToString::to_string).collect();
    format!("P_{}_U{turn}", parts.join("_"))
}

/// The moves of all claims at once.
fn together(claims: &[Claim<'_>], state: &[usize]) -> Result<Vec<Edge<Vec<usize>>>, String> {
    let mut all = vec![(Vec::new(), Vec::new())];
    for (claim, &location) in claims.iter().zip(state) {
        let edges = claim.edges(location)?;
        let longer = |(conditions, targets): Edge<Vec<usize>>| {
            edges.iter().map(move |(more, target)| {
                let conditions = conditions.iter().chain(more).cloned().collect();
                (conditions, targets.iter().copied().chain([*target]).collect())
            })
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    Ok(all)
}

impl<'a> Claim<'a> {
    fn new(program: &'a Program, body: &'a ProcessType) -> Self {
        let claim = Claim { name: &body.name, program, body, has_accepting: false };
        let has_accepting = claim.reachable().into_iter().any(|location| claim.accepts(location));
        Claim { has_accepting, ..claim }
    }

    fn transitions(&self, location: usize) -> &'a [Transition] {
        &self.body.automaton.locations[location].transitions
    }

    fn accepts(&self, location: usize) -> bool {
        location == 0 || self.ends(location) || self.body.automaton.locations[location].is_accepting
    }

    fn ends(&self, location: usize) -> bool {
        let ends = |t: &Transition| {
            matches!(self.program.statement(t.statement).action, Action::Terminate)
        };
        self.transitions(location).iter().any(ends)
    }

    fn reachable(&self) -> BTreeSet<usize> {
        let (mut known, mut waiting) = (BTreeSet::new(), vec![self.body.automaton.start.index()]);
        while let Some(location) = waiting.pop() {
            if known.insert(location) && location > 0 {
                waiting.extend(self.transitions(location).iter().map(|t| t.target.index()));
            }
        }
        known
    }

    fn edges(&self, location: usize) -> Result<Vec<Edge>, String> {
        let mut edges = Vec::new();
        self.walk(location, &mut Vec::new(), 0, &mut edges)?;
        Ok(edges)
    }

    /// The steps out of a location, those inside atomic sequences taken together.
    fn walk(
        &self,
        location: usize,
        before: &mut Vec<String>,
        depth: usize,
        out: &mut Vec<Edge>,
    ) -> Result<(), String> {
        if location == 0 || self.ends(location) {
            out.push((before.clone(), 0));
            return Ok(());
        }
        for transition in self.transitions(location) {
            let statement = self.program.statement(transition.statement);
            let condition = match &statement.action {
                _ if transition.escape != LocId(0) => return Err(self.refused("an `unless`")),
                Action::Skip => None,
                Action::Condition(_) if &*statement.text == "(1)" => None,
                Action::Condition(_) => Some(statement.text.to_string()),
                Action::Else => Some(self.otherwise(location)?),
                Action::Assert(_) => {
                    let asserted = statement.text.trim_start_matches("assert").to_owned();
                    out.push(([&before[..], &[format!("!{asserted}")]].concat(), 0));
                    Some(asserted)
                }
                _ => return Err(self.refused(&statement.text)),
            };
            let length = before.len();
            before.extend(condition);
            if transition.atomic && depth < MAX_ATOMIC {
                self.walk(transition.target.index(), before, depth + 1, out)?;
            } else {
                out.push((before.clone(), transition.target.index()));
            }
            before.truncate(length);
        }
        Ok(())
    }

    /// What `else` means.
    fn otherwise(&self, location: usize) -> Result<String, String> {
        let mut others = Vec::new();
        for transition in self.transitions(location) {
            let statement = self.program.statement(transition.statement);
            match &statement.action {
                Action::Else => {}
                Action::Condition(_) => others.push(statement.text.to_string()),
                _ => return Err(self.refused("an `else` beside something that is no condition")),
            }
        }
        Ok(format!("!({})", others.join(" || ")))
    }

    fn refused(&self, what: &str) -> String {
        format!("the claim {} cannot be part of a product: {what}", self.name)
    }
}
