//! Process automata as graphs, and the graphs as `dot`, JSON (by `serde`) or SVG.

mod dot;
mod layout;
mod svg;

pub use dot::dot;
pub use svg::svg;

use crate::{Origin, statement};
use serde::Serialize;
use spinor_base::SourceMap;
use spinor_program::{LocId, ProcessType, Program};

/// The automaton of a proctype, claim or trace declaration.
#[derive(Clone, Debug, Serialize)]
pub struct Graph {
    /// Its name.
    pub name: String,
    /// `proctype`, `never`, `trace` or `notrace`.
    pub kind: &'static str,
    /// Where it starts.
    pub start: u32,
    /// Control points that can be reached from the start, in order.
    pub locations: Vec<Node>,
    /// Transitions between them, in the order of exploration.
    pub transitions: Vec<Edge>,
}

/// A control point.
#[derive(Clone, Debug, Serialize)]
pub struct Node {
    /// Its number, as SPIN counts; 0: the process is gone.
    pub id: u32,
    /// Labels of the user.
    pub labels: Vec<String>,
    /// A valid end.
    pub end: bool,
    /// Has an `accept` label.
    pub accept: bool,
    /// Has a `progress` label.
    pub progress: bool,
}

/// A transition.
#[derive(Clone, Debug, Serialize)]
pub struct Edge {
    /// Location it leaves.
    pub from: u32,
    /// Location it leads to; 0: the process is gone.
    pub to: u32,
    /// What it does.
    pub statement: String,
    /// Where.
    pub at: Origin,
    /// The process stays inside an atomic sequence.
    pub atomic: bool,
    /// It is an `unless` escape.
    pub escape: bool,
}

/// The automata of a program: proctypes, claims, the trace declaration.
#[must_use]
pub fn graphs(program: &Program, sources: &SourceMap) -> Vec<Graph> {
    let of = |kind, process| graph(program, sources, kind, process);
    let mut graphs: Vec<Graph> = program.proctypes.iter().map(|p| of("proctype", p)).collect();
    graphs.extend(program.claims.iter().map(|p| of("never", p)));
    if let Some(trace) = &program.trace {
        graphs.push(of(if trace.negated { "notrace" } else { "trace" }, &trace.body));
    }
    graphs
}

fn graph(
    program: &Program,
    sources: &SourceMap,
    kind: &'static str,
    process: &ProcessType,
) -> Graph {
    let automaton = &process.automaton;
    let mut is_known = vec![false; automaton.locations.len().max(1)];
    let mut waiting = vec![automaton.start];
    let mut transitions = Vec::new();
    is_known[automaton.start.index()] = true;
    while let Some(from) = waiting.pop() {
        let Some(location) = automaton.locations.get(from.index()) else { continue };
        for t in &location.transitions {
            transitions.push(Edge {
                from: from.0,
                to: t.target.0,
                statement: statement::text(program, sources, t.statement),
                at: Origin::of_statement(program, sources, t.statement),
                atomic: t.atomic,
                escape: t.escape != LocId(0),
            });
            if !std::mem::replace(&mut is_known[t.target.index()], true) {
                waiting.push(t.target);
            }
        }
    }
    transitions.sort_by_key(|t| t.from);
    let known = (0..).zip(&is_known).filter(|(_, known)| **known).map(|(id, _)| id);
    let locations = known
        .map(|id: u32| {
            let location = automaton.locations.get(id as usize).filter(|_| id > 0);
            Node {
                id,
                labels: location
                    .map_or(Vec::new(), |l| l.labels.iter().map(ToString::to_string).collect()),
                end: location.is_some_and(|l| l.is_end),
                accept: location.is_some_and(|l| l.is_accepting),
                progress: location.is_some_and(|l| l.is_progress),
            }
        })
        .collect();
    let name = process.name.to_string();
    Graph { name, kind, start: automaton.start.0, locations, transitions }
}

impl Node {
    /// What stands in its box.
    fn caption(&self) -> String {
        match self.id {
            0 => "gone".to_owned(),
            id if self.labels.is_empty() => id.to_string(),
            id => format!("{id} {}", self.labels.join(", ")),
        }
    }
}
