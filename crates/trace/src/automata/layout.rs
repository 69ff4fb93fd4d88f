//! A layered drawing of a graph.
//!
//! Sugiyama's scheme in its simplest form: turn back edges round, rank by the
//! longest path, order each layer by the mean position of the neighbours, then
//! place. Nodes are on even layers; the label of an edge is a box of its own on
//! an odd layer, so labels never overlap nodes or each other.

/// Space between boxes of a layer.
const GAP: f64 = 18.0;
/// Rounds of ordering and placing.
const ROUNDS: usize = 12;

/// An edge to be drawn: ends and width of its label.
pub(super) struct Wire {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) label_width: f64,
}

/// Where things go; layers are numbers, to be scaled by the caller.
pub(super) struct Layout {
    /// Centre and layer of each node.
    pub(super) nodes: Vec<(f64, usize)>,
    /// Per edge: the points from source to target, and which one has the label.
    pub(super) wires: Vec<(Vec<(f64, usize)>, usize)>,
    pub(super) width: f64,
    pub(super) layers: usize,
}

/// A box on a layer: a node, or a bend or label of an edge.
struct Cell {
    layer: usize,
    width: f64,
    x: f64,
    up: Vec<usize>,
    down: Vec<usize>,
}

/// Draws a graph whose nodes have the given widths, from `start` downwards.
/// Edges from a node to itself go out and back on the next layer.
pub(super) fn layout(widths: &[f64], wires: &[Wire], start: usize) -> Layout {
    let is_back = back_edges(widths.len(), wires, start);
    let ranks = ranks(widths.len(), wires, &is_back);
    let mut cells: Vec<Cell> =
        widths.iter().zip(&ranks).map(|(&w, &rank)| Cell::new(rank, w)).collect();
    let mut chains = Vec::with_capacity(wires.len());
    for (wire, &back) in wires.iter().zip(&is_back) {
        chains.push(chain(&mut cells, wire, back));
    }
    let mut layers: Vec<Vec<usize>> = Vec::new();
    for (i, cell) in cells.iter().enumerate() {
        if layers.len() <= cell.layer {
            layers.resize_with(cell.layer + 1, Vec::new);
        }
        layers[cell.layer].push(i);
    }
    for layer in &layers {
        place(&mut cells, layer, |i| i as f64);
    }
    for round in 0..ROUNDS {
        arrange(&mut cells, &mut layers, round % 2 == 0);
    }
    let left = cells.iter().map(|c| c.x - c.width / 2.0).fold(f64::INFINITY, f64::min);
    let right = cells.iter().map(|c| c.x + c.width / 2.0).fold(f64::NEG_INFINITY, f64::max);
    let at = |i: usize| (cells[i].x - left, cells[i].layer);
    Layout {
        nodes: (0..widths.len()).map(at).collect(),
        wires: chains
            .into_iter()
            .map(|(chain, label)| (chain.into_iter().map(at).collect(), label))
            .collect(),
        width: (right - left).max(0.0),
        layers: layers.len(),
    }
}

impl Cell {
    fn new(layer: usize, width: f64) -> Self {
        Cell { layer, width, x: 0.0, up: Vec::new(), down: Vec::new() }
    }
}

/// Edges that lead back to a node on the way from the start.
fn back_edges(nodes: usize, wires: &[Wire], start: usize) -> Vec<bool> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    for (i, wire) in wires.iter().enumerate() {
        out[wire.from].push(i);
    }
    let mut is_back = vec![false; wires.len()];
    let (mut is_seen, mut is_open) = (vec![false; nodes], vec![false; nodes]);
    for root in std::iter::once(start).chain(0..nodes) {
        if std::mem::replace(&mut is_seen[root], true) {
            continue;
        }
        is_open[root] = true;
        let mut stack = vec![(root, 0)];
        while let Some((node, next)) = stack.last_mut() {
            let Some(&wire) = out[*node].get(*next) else {
                is_open[*node] = false;
                stack.pop();
                continue;
            };
            *next += 1;
            let to = wires[wire].to;
            if is_open[to] {
                is_back[wire] = true;
            } else if !std::mem::replace(&mut is_seen[to], true) {
                is_open[to] = true;
                stack.push((to, 0));
            }
        }
    }
    is_back
}

/// Even layers by the longest path without back edges.
fn ranks(nodes: usize, wires: &[Wire], is_back: &[bool]) -> Vec<usize> {
    let forward = || wires.iter().zip(is_back).filter(|(_, back)| !**back).map(|(w, _)| w);
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    let mut incoming = vec![0usize; nodes];
    for wire in forward() {
        out[wire.from].push(wire.to);
        incoming[wire.to] += 1;
    }
    let mut ranks = vec![0; nodes];
    let mut ready: Vec<usize> = (0..nodes).filter(|&n| incoming[n] == 0).collect();
    while let Some(node) = ready.pop() {
        for &to in &out[node] {
            ranks[to] = ranks[to].max(ranks[node] + 2);
            incoming[to] -= 1;
            if incoming[to] == 0 {
                ready.push(to);
            }
        }
    }
    ranks
}

/// The cells of an edge from source to target, and which of them is the label.
fn chain(cells: &mut Vec<Cell>, wire: &Wire, is_back: bool) -> (Vec<usize>, usize) {
    let (high, low) = if is_back { (wire.to, wire.from) } else { (wire.from, wire.to) };
    let (top, bottom) = (cells[high].layer, cells[low].layer);
    let mut chain = vec![high];
    let label = if top == bottom { top + 1 } else { top + (bottom - top) / 2 / 2 * 2 + 1 };
    let label = label.min(bottom.max(top + 2) - 1);
    for layer in top + 1..bottom.max(top + 2) {
        let width = if layer == label { wire.label_width } else { 2.0 };
        let cell = cells.len();
        cells.push(Cell::new(layer, width));
        link(cells, chain[chain.len() - 1], cell);
        chain.push(cell);
    }
    if top != bottom {
        link(cells, chain[chain.len() - 1], low);
    }
    chain.push(low);
    let mut at = label - top;
    if is_back {
        chain.reverse();
        at = chain.len() - 1 - at;
    }
    (chain, at)
}

fn link(cells: &mut [Cell], above: usize, below: usize) {
    cells[above].down.push(below);
    cells[below].up.push(above);
}

/// One sweep down or up: order and place each layer by its neighbours.
fn arrange(cells: &mut [Cell], layers: &mut [Vec<usize>], is_down: bool) {
    let count = layers.len();
    for step in 0..count {
        let layer = &mut layers[if is_down { step } else { count - 1 - step }];
        let wish = |cells: &[Cell], cell: usize| {
            let near = if is_down { &cells[cell].up } else { &cells[cell].down };
            if near.is_empty() {
                return cells[cell].x;
            }
            near.iter().map(|&n| cells[n].x).sum::<f64>() / near.len() as f64
        };
        layer.sort_by(|&a, &b| wish(cells, a).total_cmp(&wish(cells, b)));
        let order = layer.clone();
        let wanted: Vec<f64> = order.iter().map(|&c| wish(cells, c)).collect();
        place(cells, &order, |i| wanted[i]);
    }
}

/// Puts the boxes of a layer, in this order, as near to their wishes as they
/// fit: halfway between the leftmost and the rightmost solution.
fn place(cells: &mut [Cell], layer: &[usize], wish: impl Fn(usize) -> f64) {
    let distance =
        |a: usize, b: usize, cells: &[Cell]| (cells[a].width + cells[b].width) / 2.0 + GAP;
    let wishes: Vec<f64> = (0..layer.len()).map(&wish).collect();
    let mut right = wishes.clone();
    for i in 1..layer.len() {
        right[i] = right[i].max(right[i - 1] + distance(layer[i - 1], layer[i], cells));
    }
    let mut left = wishes;
    for i in (1..layer.len()).rev() {
        left[i - 1] = left[i - 1].min(left[i] - distance(layer[i - 1], layer[i], cells));
    }
    for (i, &cell) in layer.iter().enumerate() {
        cells[cell].x = f64::midpoint(left[i], right[i]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wire(from: usize, to: usize) -> Wire {
        Wire { from, to, label_width: 40.0 }
    }

    #[test]
    fn boxes_do_not_overlap() {
        let wires = [wire(0, 1), wire(0, 2), wire(1, 3), wire(2, 3), wire(3, 0), wire(2, 2)];
        let drawn = layout(&[30.0; 4], &wires, 0);
        assert_eq!(drawn.nodes[0].1, 0);
        assert_eq!(drawn.nodes[3].1, 4);
        assert!((drawn.nodes[1].0 - drawn.nodes[2].0).abs() >= 30.0 + GAP);
        for ((points, label), wire) in drawn.wires.iter().zip(&wires) {
            assert_eq!(points[0], drawn.nodes[wire.from]);
            assert_eq!(points[points.len() - 1], drawn.nodes[wire.to]);
            assert_eq!(points[*label].1 % 2, 1);
        }
    }
}
