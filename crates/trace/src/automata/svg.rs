//! Automata as pictures.

use super::layout::{Layout, Wire, layout};
use super::{Graph, Node};
use std::fmt::Write as _;

const LAYER: f64 = 34.0;
const NODE_HEIGHT: f64 = 26.0;
const MARGIN: f64 = 24.0;
const TITLE: f64 = 34.0;
/// From the middle of a line of text down to its baseline.
const BASELINE: f64 = 4.0;
/// Width of a character, a little too wide for most fonts.
const CHARACTER: f64 = 7.4;
/// Longer statements are cut in the picture; the tooltip has them in full.
const MAX_LABEL: usize = 44;

const STYLE: &str = "text{font:12px monospace;text-anchor:middle}\
.title{font:bold 15px sans-serif;text-anchor:start}\
.node{fill:#fff;stroke:#333;stroke-width:1.2}.accept{fill:#cfe5ff}.progress{fill:#d5f2d0}\
.edge{fill:none;stroke:#667;stroke-width:1.1}.atomic{stroke-width:2.4}\
.escape{stroke-dasharray:5 3}.label{fill:#fff;fill-opacity:.9}";

/// All automata, one below the other.
#[must_use]
pub fn svg(graphs: &[Graph]) -> String {
    let mut body = String::new();
    let (mut width, mut top) = (200.0_f64, MARGIN);
    for graph in graphs {
        let drawn = place(graph);
        let _ = writeln!(body, "<g transform=\"translate({MARGIN},{top:.0})\">");
        draw(graph, &drawn, &mut body);
        body.push_str("</g>\n");
        let title = CHARACTER * 1.4 * (graph.kind.len() + graph.name.len() + 1) as f64;
        width = width.max(drawn.width).max(title);
        top += TITLE + drawn.layers as f64 * LAYER + MARGIN;
    }
    let width = width + 2.0 * MARGIN;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{top:.0}\" \
         viewBox=\"0 0 {width:.0} {top:.0}\">\n<style>{STYLE}</style>\n\
         <defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" \
         markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">\
         <path d=\"M0,0L8,4L0,8z\" fill=\"#667\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{body}</svg>\n"
    )
}

fn place(graph: &Graph) -> Layout {
    let index = |id: u32| {
        let found = graph.locations.iter().position(|n| n.id == id);
        found.expect("both ends of a transition are among the locations")
    };
    let widths: Vec<f64> = graph.locations.iter().map(|n| text_width(&n.caption())).collect();
    let wires: Vec<Wire> = graph
        .transitions
        .iter()
        .map(|t| Wire {
            from: index(t.from),
            to: index(t.to),
            label_width: text_width(&shortened(&t.statement)),
        })
        .collect();
    layout(&widths, &wires, index(graph.start))
}

fn draw(graph: &Graph, drawn: &Layout, out: &mut String) {
    let title = escaped(&format!("{} {}", graph.kind, graph.name));
    let _ = writeln!(out, "<text class=\"title\" x=\"0\" y=\"0\">{title}</text>");
    for (edge, (points, _)) in graph.transitions.iter().zip(&drawn.wires) {
        let atomic = if edge.atomic { " atomic" } else { "" };
        let escape = if edge.escape { " escape" } else { "" };
        let _ = writeln!(
            out,
            "<path class=\"edge{atomic}{escape}\" d=\"{}\" marker-end=\"url(#arrow)\"/>",
            curve(points)
        );
    }
    for (edge, (points, label)) in graph.transitions.iter().zip(&drawn.wires) {
        let (x, y) = (points[*label].0, height(points[*label].1));
        let width = text_width(&shortened(&edge.statement)) - 8.0;
        let tip = escaped(&format!("{}: {}", edge.at.at, edge.statement));
        let text = escaped(&shortened(&edge.statement));
        let _ = writeln!(
            out,
            "<g><title>{tip}</title><rect class=\"label\" x=\"{:.1}\" y=\"{:.1}\" \
             width=\"{width:.1}\" height=\"16\"/><text x=\"{x:.1}\" y=\"{:.1}\">{text}</text></g>",
            x - width / 2.0,
            y - 8.0,
            y + BASELINE,
        );
    }
    for (node, &(x, layer)) in graph.locations.iter().zip(&drawn.nodes) {
        draw_node(node, node.id == graph.start, x, height(layer), out);
    }
}

fn draw_node(node: &Node, is_start: bool, x: f64, y: f64, out: &mut String) {
    let class = match (node.accept, node.progress) {
        (true, _) => "node accept",
        (_, true) => "node progress",
        _ => "node",
    };
    let mut rect = |grow: f64| {
        let (width, height) = (text_width(&node.caption()) + grow, NODE_HEIGHT + grow);
        let _ = writeln!(
            out,
            "<rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" \
             height=\"{height:.1}\" rx=\"9\"/>",
            x - width / 2.0,
            y - height / 2.0,
        );
    };
    if node.end || node.id == 0 {
        rect(0.0);
        rect(-6.0);
    } else {
        rect(0.0);
    }
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
        y + BASELINE,
        escaped(&node.caption())
    );
    if is_start {
        let left = x - text_width(&node.caption()) / 2.0;
        let _ = writeln!(
            out,
            "<path class=\"edge\" d=\"M{:.1},{y:.1}H{left:.1}\" marker-end=\"url(#arrow)\"/>",
            left - 16.0
        );
    }
}

/// A line through the points that leaves and enters boxes vertically.
fn curve(points: &[(f64, usize)]) -> String {
    let mut path = String::new();
    let last = points.len() - 1;
    let is_loop = points[0] == points[last];
    let mut before = (0.0, 0.0);
    for (i, &(x, layer)) in points.iter().enumerate() {
        let mut y = height(layer);
        let mut x = x;
        let is_end = i == 0 || i == last;
        if is_end {
            let neighbour = height(points[if i == 0 { 1 } else { last - 1 }].1);
            y += NODE_HEIGHT / 2.0 * (neighbour - y).signum();
        }
        if is_loop && is_end {
            x += if i == 0 { -6.0 } else { 6.0 };
        }
        if i == 0 {
            let _ = write!(path, "M{x:.1},{y:.1}");
        } else {
            let middle = f64::midpoint(before.1, y);
            let (from, _) = before;
            let _ = write!(path, "C{from:.1},{middle:.1} {x:.1},{middle:.1} {x:.1},{y:.1}");
        }
        before = (x, y);
    }
    path
}

fn height(layer: usize) -> f64 {
    TITLE + layer as f64 * LAYER
}

fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * CHARACTER + 18.0
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= MAX_LABEL {
        return text.to_owned();
    }
    let start: String = text.chars().take(MAX_LABEL - 1).collect();
    format!("{start}…")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
