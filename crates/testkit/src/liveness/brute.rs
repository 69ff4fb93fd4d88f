//! A small explicit checker of infinite runs, the judge between SPIN and Spinor.
//!
//! It shares the interpreter and the translation of formulas with Spinor and nothing
//! else: a formula becomes the text of a never claim behind the model, all reachable
//! states are numbered, who moves comes from replaying each event, and emptiness is
//! decided on the whole graph by its strongly connected components.

use std::collections::HashMap;
use std::sync::Arc;

use spinor_check::Fairness;
use spinor_check::formula::of_block;
use spinor_exec::{Actor, Exec, Options, ReplayedStep};
use spinor_ltl::{Limits, degeneralize, output, parse, translate};
use spinor_program::{ProcessType, Program};
use spinor_ts::{EventKind, Expansion, TransitionSystem, ViolationKind};

use super::answer::read;

/// Whether some run violates a property, for each kind of fairness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truth {
    /// Some run.
    pub plain: bool,
    /// Some weakly fair run.
    pub weak: bool,
    /// Some strongly fair run.
    pub strong: bool,
}

impl Truth {
    /// The answer for one kind of fairness.
    #[must_use]
    pub fn under(&self, fairness: Fairness) -> bool {
        match fairness {
            Fairness::None => self.plain,
            Fairness::Weak => self.weak,
            Fairness::Strong => self.strong,
        }
    }
}

/// Decides a property of a model of at most `max_states` product states.
///
/// # Errors
/// The model is refused, too large, or not fit for this checker.
pub fn decide(
    source: &str,
    defines: &[String],
    property: &str,
    max_states: usize,
) -> Result<Truth, String> {
    let is_formula = !matches!(property, "never" | "acceptance" | "non-progress");
    let text =
        if is_formula { with_claim_of(source, defines, property)? } else { source.to_owned() };
    let loaded = read("model.pml", &text, defines)?;
    let program = loaded.program.ok_or("not usable")?;
    if program.hidden_bytes > 0 {
        return Err("hidden variables".to_owned());
    }
    let claim = (is_formula || property == "never").then(|| program.claims.len().wrapping_sub(1));
    if claim.is_some_and(|c| c >= program.claims.len()) {
        return Err("no claim".to_owned());
    }
    let mut explorer = Explorer::new(program, claim, property);
    explorer.explore(max_states)?;
    let Explorer { graph, ends_badly, .. } = explorer;
    let holds = |fairness| ends_badly || graph.has_run(fairness);
    Ok(Truth {
        plain: holds(Fairness::None),
        weak: holds(Fairness::Weak),
        strong: holds(Fairness::Strong),
    })
}

/// The model with the never claim of the negation of one of its formulas behind.
fn with_claim_of(source: &str, defines: &[String], name: &str) -> Result<String, String> {
    let text = formula_text(source, name).ok_or("no such ltl block")?;
    let (formula, macros) = match parse(&text) {
        Ok(formula) => (formula, String::new()),
        // Expressions without parentheses of their own are for a parser of Promela.
        Err(_) => {
            let loaded = read("model.pml", source, defines)?;
            let mut blocks = loaded.model.iter().flat_map(|m| &m.ltl);
            let block = blocks.find(|l| l.name.as_ref() == name).ok_or("no such ltl block")?;
            let block = of_block(&loaded, block).map_err(|e| e.reason())?;
            let lines = block.atoms.iter().map(|a| format!("#define {} ({})\n", a.name, a.text));
            (block.formula, lines.collect())
        }
    };
    let automaton = translate(&formula.negated(), &Limits::default()).map_err(|e| e.to_string())?;
    let claim = output::never::print(&degeneralize(&automaton), None);
    Ok(format!("{source}\n{macros}{claim}"))
}

/// The text between the braces of `ltl NAME { … }`.
fn formula_text(source: &str, name: &str) -> Option<String> {
    let mut rest = source;
    while let Some(at) = rest.find("ltl ") {
        rest = &rest[at + 4..];
        let (head, body) = rest.split_once('{')?;
        if head.trim() == name {
            let mut depth = 1;
            let end = body.find(|c| {
                depth += i32::from(c == '{') - i32::from(c == '}');
                depth == 0
            })?;
            return Some(body[..end].to_owned());
        }
    }
    None
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    to: usize,
    movers: u64,
    accepting: bool,
}

/// A graph of states, with what acceptance and fairness need.
#[derive(Clone, Debug, Default)]
struct Graph {
    accepting: Vec<bool>,
    enabled: Vec<u64>,
    edges: Vec<Vec<Edge>>,
}

struct Explorer {
    exec: Exec,
    program: Arc<Program>,
    claim: Option<usize>,
    /// Cycles of states without progress are wanted.
    is_progress: bool,
    graph: Graph,
    /// A claim reached its end, or an assertion in it failed.
    ends_badly: bool,
}

impl Explorer {
    fn new(program: Arc<Program>, claim: Option<usize>, property: &str) -> Explorer {
        let options = Options { claim, no_trace: true, ..Options::default() };
        Explorer {
            exec: Exec::new(Arc::clone(&program), options),
            program,
            claim,
            is_progress: property == "non-progress",
            graph: Graph::default(),
            ends_badly: false,
        }
    }

    fn explore(&mut self, max_states: usize) -> Result<(), String> {
        let first = self.exec.initial().map_err(|v| format!("{v:?}"))?;
        let mut numbers = HashMap::from([(first.clone(), 0)]);
        let mut states = vec![first];
        let mut next = 0;
        while next < states.len() {
            if states.len() > max_states {
                return Err(format!("more than {max_states} states"));
            }
            let state = states[next].clone();
            let mut expansion = Expansion::new();
            self.exec.expand(&state, &mut expansion);
            if let Some(why) = expansion.cut {
                return Err(why.to_owned());
            }
            let accepting = self.counts(&state);
            let (mut edges, mut enabled) = (Vec::new(), 0);
            for (number, event) in expansion.events().iter().enumerate() {
                let (steps, _) = self
                    .exec
                    .replay(&state, number as u32)
                    .ok_or("an event that cannot be replayed")?;
                let movers = movers(&steps);
                enabled |= movers.first().map_or(0, |pid| 1 << pid);
                match event.kind {
                    EventKind::Successor => {
                        let target = expansion.state(event).to_vec();
                        let to = *numbers.entry(target).or_insert_with_key(|target| {
                            states.push(target.clone());
                            states.len() - 1
                        });
                        let middle = &steps[..steps.len().saturating_sub(1)];
                        let passes = !self.is_progress
                            && self.claim.is_none()
                            && middle.iter().any(|s| self.counts(&s.state));
                        let movers = movers.iter().fold(0, |set, pid| set | 1 << pid);
                        edges.push(Edge { to, movers, accepting: passes });
                    }
                    EventKind::Violation(v) => self.violation(v.kind, &steps)?,
                }
            }
            let rests = edges.is_empty() && enabled == 0 && state[0] > 0;
            if rests && accepting && self.claim.is_none() && !self.is_progress {
                // A run that ends goes on for ever where it is.
                edges.push(Edge { to: next, movers: 0, accepting: false });
            }
            self.graph.accepting.push(accepting);
            self.graph.enabled.push(enabled);
            self.graph.edges.push(edges);
            next += 1;
        }
        if self.is_progress {
            self.leave_only_accepting();
        }
        Ok(())
    }

    fn violation(&mut self, kind: ViolationKind, steps: &[ReplayedStep]) -> Result<(), String> {
        match kind {
            ViolationKind::ClaimViolated => self.ends_badly = true,
            ViolationKind::Assertion if steps.last().is_some_and(|s| s.actor == Actor::Claim) => {
                self.ends_badly = true;
            }
            ViolationKind::Runtime => return Err("a run-time error of the model".to_owned()),
            _ => {}
        }
        Ok(())
    }

    /// Whether a state is accepting, or, where progress is the question, without progress.
    fn counts(&self, state: &[u8]) -> bool {
        let shape = self.exec.shape(state);
        if let Some(claim) = self.claim {
            let claim = &self.program.claims[claim];
            return claim.automaton.locations[location(claim, state, shape.claim)].is_accepting;
        }
        let mut labels = shape.frames.iter().map(|frame| {
            let process = &self.program.proctypes[frame.proctype.index()];
            let at = &process.automaton.locations[location(process, state, frame.offset)];
            if self.is_progress { at.is_progress } else { at.is_accepting }
        });
        labels.any(|has_label| has_label) != self.is_progress
    }

    /// Drops every edge from or to a state with progress.
    fn leave_only_accepting(&mut self) {
        let Graph { accepting, edges, .. } = &mut self.graph;
        for (from, edges) in edges.iter_mut().enumerate() {
            edges.retain(|e| accepting[from] && accepting[e.to]);
        }
    }
}

/// Who takes part in a move, the process that begins it first.
fn movers(steps: &[ReplayedStep]) -> Vec<usize> {
    let pid = |s: &ReplayedStep| match s.actor {
        Actor::Process(pid) => Some(pid),
        Actor::Claim => None,
    };
    steps.iter().filter_map(pid).collect()
}

fn location(process: &ProcessType, state: &[u8], offset: usize) -> usize {
    let bytes = &state[offset..offset + process.location_bytes as usize];
    bytes.iter().rev().fold(0, |n, &b| n << 8 | usize::from(b))
}

impl Graph {
    /// Whether some infinite run is accepting and fair. Every state is reachable.
    fn has_run(&self, fairness: Fairness) -> bool {
        let all: Vec<usize> = (0..self.edges.len()).collect();
        let mut work = self.components(&all);
        while let Some(component) = work.pop() {
            let member = Members::new(self.edges.len(), &component);
            let inner =
                || component.iter().flat_map(|&s| &self.edges[s]).filter(|e| member.has(e.to));
            let is_accepting =
                component.iter().any(|&s| self.accepting[s]) || inner().any(|e| e.accepting);
            if inner().next().is_none() || !is_accepting {
                continue;
            }
            let moving = inner().fold(0, |set, e| set | e.movers);
            let enabled = |s: &usize| self.enabled[*s];
            let left_out = match fairness {
                Fairness::None => 0,
                Fairness::Weak => component.iter().map(enabled).fold(!0, |a, b| a & b) & !moving,
                Fairness::Strong => component.iter().map(enabled).fold(0, |a, b| a | b) & !moving,
            };
            if left_out == 0 {
                return true;
            }
            if fairness == Fairness::Strong {
                // A run that leaves these processes out stays where none of them can move.
                let rest: Vec<usize> =
                    component.into_iter().filter(|&s| self.enabled[s] & left_out == 0).collect();
                work.extend(self.components(&rest));
            }
        }
        false
    }

    /// Strongly connected components of the graph on `states` (Kosaraju).
    fn components(&self, states: &[usize]) -> Vec<Vec<usize>> {
        let inside = Members::new(self.edges.len(), states);
        let mut backwards: Vec<Vec<usize>> = vec![Vec::new(); self.edges.len()];
        for &s in states {
            for e in self.edges[s].iter().filter(|e| inside.has(e.to)) {
                backwards[e.to].push(s);
            }
        }
        let mut seen = Members::new(self.edges.len(), &[]);
        let mut order = Vec::new();
        for &root in states {
            if !seen.add(root) {
                continue;
            }
            let mut stack = vec![(root, 0)];
            while let Some((s, i)) = stack.pop() {
                match self.edges[s].get(i) {
                    Some(e) => {
                        stack.push((s, i + 1));
                        if inside.has(e.to) && seen.add(e.to) {
                            stack.push((e.to, 0));
                        }
                    }
                    None => order.push(s),
                }
            }
        }
        let mut taken = Members::new(self.edges.len(), &[]);
        let mut components = Vec::new();
        for &root in order.iter().rev() {
            let mut component = Vec::new();
            let mut stack = vec![root];
            while let Some(s) = stack.pop() {
                if taken.add(s) {
                    component.push(s);
                    stack.extend(&backwards[s]);
                }
            }
            if !component.is_empty() {
                components.push(component);
            }
        }
        components
    }
}

/// A set of states.
struct Members(Vec<bool>);

impl Members {
    fn new(count: usize, states: &[usize]) -> Members {
        let mut set = vec![false; count];
        states.iter().for_each(|&s| set[s] = true);
        Members(set)
    }

    fn has(&self, s: usize) -> bool {
        self.0[s]
    }

    /// Whether it was not there.
    fn add(&mut self, s: usize) -> bool {
        !std::mem::replace(&mut self.0[s], true)
    }
}

#[cfg(test)]
mod tests;
