//! SPIN's numbers of statements in trails.
//!
//! SPIN numbers the elements of all bodies through, as they are read. A jump whose label is referred to from elsewhere
//! becomes two elements when the first such reference is read: the second one is numbered then, just before the
//! statement with the reference.

use super::elements::{Graph, Node};
use super::visit;
use spinor_sema::hir::{self, ExprKind, LabelId, Model};
use std::rc::Rc;

/// The numbers of all bodies.
pub(super) struct TrailNumbers(Vec<BodyNumbers>);

/// The numbers of one body.
#[derive(Clone)]
pub(super) struct BodyNumbers {
    position: u32,
    /// Elements of the bodies before.
    base: u32,
    /// Elements of the body itself.
    originals: u32,
    /// Numbers of the elements that references added to the body.
    added: Vec<u32>,
    /// For each added element of any body, in order, how many others were numbered before it.
    insertions: Rc<[u32]>,
}

/// A body that is numbered, and its proctype if it is one.
struct Body<'g, 'm> {
    position: u32,
    graph: &'g Graph<'m>,
    proctype: Option<usize>,
}

impl TrailNumbers {
    pub fn new(model: &Model, graphs: &[Graph]) -> Self {
        let claims = model.claims.iter().map(|c| &c.body);
        let observers: Vec<(u32, Graph)> = claims
            .chain(model.trace.iter().map(|t| &t.body))
            .map(|body| (body.position, Graph::build(body, true)))
            .collect();
        let proctypes = model.proctypes.iter().zip(graphs).enumerate();
        let proctypes = proctypes.map(|(i, (p, graph))| Body {
            position: p.position,
            graph,
            proctype: Some(i),
        });
        let observers = observers.iter().map(|(position, graph)| Body {
            position: *position,
            graph,
            proctype: None,
        });
        let mut bodies: Vec<Body> = proctypes.chain(observers).collect();
        bodies.sort_by_key(|body| body.position);
        number(&bodies)
    }

    pub fn of(&self, body: &hir::Proctype) -> BodyNumbers {
        let found = self.0.iter().find(|n| n.position == body.position);
        found.cloned().unwrap_or_else(|| BodyNumbers {
            position: 0,
            base: 0,
            originals: u32::MAX,
            added: Vec::new(),
            insertions: Rc::default(),
        })
    }
}

fn originals(graph: &Graph) -> u32 {
    (graph.elements.len() - graph.added.len()) as u32
}

fn number(bodies: &[Body]) -> TrailNumbers {
    // Proctype and label of each added element, and the elements before it.
    let mut inserted: Vec<((usize, LabelId), u32)> = Vec::new();
    let is_added = |(proctype, label): (usize, LabelId)| {
        let graph = bodies.iter().find(|b| b.proctype == Some(proctype)).map(|b| b.graph);
        graph.is_some_and(|graph| graph.added.contains(&label))
    };
    let mut base = 0;
    for body in bodies {
        let own = originals(body.graph);
        for (index, element) in body.graph.elements.iter().take(own as usize).enumerate() {
            let Node::Basic(stmt) = element.node else { continue };
            visit::expressions_of(stmt, &mut |e| {
                let ExprKind::RemoteLabel { proctype, label, .. } = &*e.kind else { return };
                let which = (proctype.index(), *label);
                if is_added(which) && inserted.iter().all(|(known, _)| *known != which) {
                    inserted.push((which, base + index as u32));
                }
            });
        }
        base += own;
    }
    // Those that only formulas refer to come last.
    for (body, proctype) in bodies.iter().filter_map(|b| Some((b, b.proctype?))) {
        for &label in &body.graph.added {
            if inserted.iter().all(|(known, _)| *known != (proctype, label)) {
                inserted.push(((proctype, label), base));
            }
        }
    }
    let insertions: Rc<[u32]> = inserted.iter().map(|(_, before)| *before).collect();
    let number_of = |which: (usize, LabelId)| {
        let at = inserted.iter().position(|(known, _)| *known == which);
        at.map_or(0, |at| inserted[at].1 + at as u32)
    };
    let mut base = 0;
    let numbered = bodies.iter().map(|body| {
        let own = originals(body.graph);
        base += own;
        let labels = body.graph.added.iter();
        let added = body.proctype.map(|p| labels.map(|label| number_of((p, *label))).collect());
        BodyNumbers {
            position: body.position,
            base: base - own,
            originals: own,
            added: added.unwrap_or_default(),
            insertions: Rc::clone(&insertions),
        }
    });
    TrailNumbers(numbered.collect())
}

impl BodyNumbers {
    /// The trail number of the element with this location number.
    pub fn of_element(&self, number: u32) -> u32 {
        let index = number - 1;
        if index >= self.originals {
            let at = (index - self.originals) as usize;
            return self.added.get(at).copied().unwrap_or(0);
        }
        let plain = self.base + index;
        plain + self.insertions.partition_point(|before| *before <= plain) as u32
    }
}
