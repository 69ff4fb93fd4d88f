//! Automata for Graphviz.

use super::{Edge, Graph, Node};
use std::fmt::Write as _;

/// One `digraph` with a cluster per automaton.
#[must_use]
pub fn dot(graphs: &[Graph]) -> String {
    let mut out = String::from(
        "digraph model {\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n  \
         edge [fontname=\"monospace\", fontsize=10];\n",
    );
    for (i, graph) in graphs.iter().enumerate() {
        let _ = writeln!(out, "  subgraph cluster_{i} {{");
        let _ = writeln!(out, "    label={};", quoted(&format!("{} {}", graph.kind, graph.name)));
        let _ = writeln!(out, "    start_{i} [shape=point];");
        for node in &graph.locations {
            let _ = writeln!(out, "    {};", node_line(i, node));
        }
        let _ = writeln!(out, "    start_{i} -> n{i}_{};", graph.start);
        for edge in &graph.transitions {
            let _ = writeln!(out, "    {};", edge_line(i, edge));
        }
        out.push_str("  }\n");
    }
    out.push_str("}\n");
    out
}

fn node_line(graph: usize, node: &Node) -> String {
    let mut attributes = format!("label={}", quoted(&node.caption()));
    if node.end || node.id == 0 {
        attributes.push_str(", peripheries=2");
    }
    match (node.accept, node.progress) {
        (true, _) => attributes.push_str(", style=\"rounded,filled\", fillcolor=lightblue"),
        (_, true) => attributes.push_str(", style=\"rounded,filled\", fillcolor=lightgreen"),
        _ => {}
    }
    format!("n{graph}_{} [{attributes}]", node.id)
}

fn edge_line(graph: usize, edge: &Edge) -> String {
    let mut attributes = format!("label={}", quoted(&edge.statement));
    let _ = write!(attributes, ", tooltip={}", quoted(&edge.at.at.to_string()));
    if edge.atomic {
        attributes.push_str(", style=bold");
    }
    if edge.escape {
        attributes.push_str(", style=dashed");
    }
    format!("n{graph}_{} -> n{graph}_{} [{attributes}]", edge.from, edge.to)
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
