//! Second phase: elements become transitions between locations.
//!
//! A transition leads to the next element that is a control point: jumps,
//! joins, loop exits and the entrance of `unless` are passed over for free.
//! Passing over stops at the border of an atomic sequence, so that leaving it
//! stays a step. A choice or block first only lists where its options start.

use super::elements::{BlockKind, El, Graph, Node, Seq};
use std::collections::HashSet;

/// A transition under construction. Its origin is the list it stands in.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    /// The element whose action it performs.
    pub element: El,
    /// Number of the target element; 0: the process is gone.
    pub target: u32,
    pub atomic: bool,
    /// Where the escapes that guard it start, outermost first.
    pub escapes: Vec<u32>,
    /// Not 0: part of the escape that starts there.
    pub escape: u32,
}

/// What leaves an element.
#[derive(Clone, Debug)]
pub(super) enum Links {
    /// Not a control point.
    None,
    /// Choice or block: numbers of the elements where its options start.
    Options(Vec<u32>),
    /// Transitions.
    Edges(Vec<Edge>),
}

/// A control structure that cannot be resolved.
#[derive(Clone, Copy, Debug)]
pub(super) struct EndlessJump(pub El);

/// Transitions of a body before choices are flattened, by element number.
pub(super) struct Linker<'g, 'm> {
    pub graph: &'g mut Graph<'m>,
    pub links: Vec<Links>,
    pub endless: Vec<EndlessJump>,
}

impl<'g, 'm> Linker<'g, 'm> {
    pub fn new(graph: &'g mut Graph<'m>) -> Self {
        let links = vec![Links::None; graph.elements.len() + 1];
        Linker { graph, links, endless: Vec::new() }
    }

    /// Links a whole body and returns the number of its start location.
    pub fn link_body(&mut self) -> u32 {
        let Some(top) = self.graph.top else { return 0 };
        self.sequence(top);
        let Some(first) = self.graph.seq(top).first else { return 0 };
        let atomic = self.graph.el(first).atomic;
        let start = self.control_point(first, atomic);
        self.graph.el(start).number
    }

    fn sequence(&mut self, seq: Seq) {
        let mut at = self.graph.seq(seq).first;
        while let Some(el) = at {
            if !self.graph.el(el).done {
                self.graph.el_mut(el).done = true;
                self.element(el);
            }
            at = if Some(el) == self.graph.seq(seq).last { None } else { self.graph.el(el).next };
        }
    }

    fn element(&mut self, el: El) {
        match self.graph.el(el).node {
            Node::Unless => {
                let main = self.graph.el(el).sub[0];
                self.sequence(main);
            }
            Node::Choice => {
                let options = self.graph.el(el).sub.clone();
                let starts = options
                    .iter()
                    .filter_map(|&o| self.graph.seq(o).first)
                    .map(|first| self.entrance(first))
                    .filter(|&start| !self.is_never_executable(start))
                    .map(|start| self.graph.el(start).number)
                    .collect();
                self.set(el, Links::Options(starts));
                for option in options {
                    self.sequence(option);
                }
            }
            Node::Block(kind, seq) => self.block(el, kind, seq),
            _ => self.basic(el),
        }
    }

    /// SPIN leaves out an option whose guard is the constant 0, unless an
    /// escape hangs on it.
    fn is_never_executable(&self, el: El) -> bool {
        let element = self.graph.el(el);
        element.escapes.is_empty()
            && matches!(&element.node, Node::Basic(stmt) if super::is_constant_condition(stmt, 0))
    }

    fn block(&mut self, el: El, kind: BlockKind, seq: Seq) {
        self.patch_jumps_out_of_atomic(seq);
        let next = self.graph.el(el).next;
        let Some(last) = self.graph.seq(seq).last else { return };
        self.graph.el_mut(last).next = next;
        if kind == BlockKind::DStep {
            let atomic = self.graph.el(el).atomic;
            let target = next.map_or(0, |n| self.number_of_control_point(n, atomic));
            let edge =
                Edge { element: el, target, atomic, escapes: self.escape_starts(el), escape: 0 };
            self.set(el, Links::Edges(vec![edge]));
            self.link_escapes(el);
        } else {
            if let Some(first) = self.graph.seq(seq).first {
                let start = self.entrance(first);
                let start = self.graph.el(start).number;
                self.set(el, Links::Options(vec![start]));
            }
            self.sequence(seq);
        }
    }

    fn basic(&mut self, el: El) {
        let element = self.graph.el(el);
        let atomic = element.atomic;
        let after = match element.node {
            Node::Jump(to) => self.graph.destination(to),
            Node::End => None,
            _ => element.next,
        };
        let target = after.map_or(0, |n| self.number_of_control_point(n, atomic));
        let edge = Edge { element: el, target, atomic, escapes: self.escape_starts(el), escape: 0 };
        self.set(el, Links::Edges(vec![edge]));
        self.link_escapes(el);
    }

    fn escape_starts(&mut self, el: El) -> Vec<u32> {
        if matches!(self.graph.el(el).node, Node::Join) {
            return Vec::new();
        }
        let atomic = self.graph.el(el).atomic;
        let escapes = &self.graph.el(el).escapes;
        let firsts: Vec<El> = escapes.iter().filter_map(|&s| self.graph.seq(s).first).collect();
        firsts.into_iter().map(|first| self.number_of_control_point(first, atomic)).collect()
    }

    fn link_escapes(&mut self, el: El) {
        if matches!(self.graph.el(el).node, Node::Join) {
            return;
        }
        for escape in self.graph.el(el).escapes.clone() {
            self.sequence(escape);
        }
    }

    fn set(&mut self, el: El, links: Links) {
        let number = self.graph.el(el).number as usize;
        self.links[number] = links;
    }

    fn number_of_control_point(&mut self, el: El, atomic: bool) -> u32 {
        let point = self.control_point(el, atomic);
        self.graph.el(point).number
    }

    /// Where control rests when it comes to `el` from an element that is
    /// (`atomic`) or is not inside an atomic sequence.
    fn control_point(&mut self, el: El, atomic: bool) -> El {
        let mut at = el;
        let mut seen = HashSet::new();
        loop {
            let element = self.graph.el(at);
            let onward = match element.node {
                Node::Jump(to) => self.graph.destination(to),
                Node::Join | Node::LoopExit => element.next,
                Node::Unless => self.graph.seq(element.sub[0]).first,
                _ => return at,
            };
            let Some(onward) = onward else { return at };
            if !seen.insert(at) {
                self.endless.push(EndlessJump(el));
                return at;
            }
            // SPIN resolves the entrance of `unless` before it looks at the border.
            let lands = match element.node {
                Node::Unless => self.control_point(onward, atomic),
                _ => onward,
            };
            if atomic && !self.graph.el(lands).atomic {
                return at;
            }
            at = lands;
        }
    }

    /// Where an option or block starts: joins and `unless` are passed over.
    fn entrance(&self, el: El) -> El {
        let mut at = el;
        loop {
            let element = self.graph.el(at);
            let onward = match element.node {
                Node::Join => element.next,
                Node::Unless => self.graph.seq(element.sub[0]).first,
                _ => None,
            };
            match onward {
                Some(onward) if onward != el => at = onward,
                _ => return at,
            }
        }
    }

    /// A jump out of an atomic sequence ends it; a jump into one keeps it.
    fn patch_jumps_out_of_atomic(&mut self, seq: Seq) {
        let mut at = self.graph.seq(seq).first;
        let extent = self.graph.seq(seq).extent;
        while let Some(el) = at {
            if let Node::Jump(to) = self.graph.el(el).node {
                if let Some(target) = self.graph.destination(to) {
                    let target = self.graph.el(target);
                    let into_atomic = target.atomic || target.last_of_atomic;
                    let jump = self.graph.el_mut(el);
                    if (jump.atomic || jump.last_of_atomic) && !into_atomic {
                        jump.atomic = false;
                        jump.last_of_atomic = true;
                    }
                    if jump.last_of_atomic && into_atomic {
                        jump.last_of_atomic = false;
                        jump.atomic = true;
                    }
                }
            } else {
                for sub in self.graph.el(el).sub.clone() {
                    self.patch_jumps_out_of_atomic(sub);
                }
            }
            at = if Some(el) == extent { None } else { self.graph.el(el).next };
        }
    }
}
