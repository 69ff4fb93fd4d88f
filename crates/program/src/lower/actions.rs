//! Guards and effects of elements.

use super::BodyLowering;
use super::elements::{BlockKind, El, Graph, Node, Seq};
use crate::automaton::{Action, DStep, Receive, ReceiveField, Send};
use crate::expr::Expr;
use crate::{LocId, StmtId, Transition};
use spinor_sema::hir::{BinaryOp, Pattern, Predefined, Root, Stmt, StmtKind};
use std::collections::HashSet;

impl<'m> BodyLowering<'_, 'm, '_> {
    pub(super) fn action(
        &mut self,
        el: El,
        graph: &Graph<'m>,
        made: &mut Vec<Option<StmtId>>,
    ) -> Action {
        match &graph.el(el).node {
            Node::Basic(stmt) => self.basic_action(stmt),
            Node::Else => Action::Else,
            Node::End => Action::Terminate,
            Node::Block(BlockKind::DStep, seq) => {
                Action::DStep(Box::new(self.dstep(*seq, graph, made)))
            }
            _ => Action::Skip,
        }
    }

    fn basic_action(&mut self, stmt: &Stmt) -> Action {
        let (names, sizes) = (self.names, &mut *self.sizes);
        match &stmt.kind {
            StmtKind::Expr(e) => match names.expr(e, sizes) {
                Expr::Const(c) if c != 0 => Action::Skip,
                e => Action::Condition(e),
            },
            StmtKind::Assign(place, e) if place.root == Root::Priority => {
                let own = Expr::Predefined(Predefined::Pid);
                Action::SetPriority(own, names.expr(e, sizes))
            }
            StmtKind::Assign(place, e) => {
                Action::Assign(vec![(names.place(place, sizes), names.expr(e, sizes))])
            }
            StmtKind::Step { place, by } => {
                let place = names.place(place, sizes);
                let (op, by) = if *by < 0 { (BinaryOp::Sub, -by) } else { (BinaryOp::Add, *by) };
                let value = Expr::Binary(
                    op,
                    Box::new(Expr::Load(place.clone())),
                    Box::new(Expr::Const(by)),
                );
                Action::Assign(vec![(place, value)])
            }
            StmtKind::DeclInit(pairs) => Action::Assign(
                pairs
                    .iter()
                    .map(|(place, e)| (names.place(place, sizes), names.expr(e, sizes)))
                    .collect(),
            ),
            StmtKind::Send { channel, sorted, args } => Action::Send(Send {
                channel: names.place(channel, sizes),
                sorted: *sorted,
                args: args.iter().map(|e| names.expr(e, sizes)).collect(),
            }),
            StmtKind::Receive { channel, random, copy, args } => Action::Receive(Receive {
                channel: names.place(channel, sizes),
                random: *random,
                copy: *copy,
                args: args
                    .iter()
                    .map(|p| match p {
                        Pattern::Bind(place) => ReceiveField::Bind(names.place(place, sizes)),
                        Pattern::Match(e) => ReceiveField::Match(names.expr(e, sizes)),
                        Pattern::Any => ReceiveField::Any,
                    })
                    .collect(),
            }),
            StmtKind::Assert(e) => Action::Assert(names.expr(e, sizes)),
            StmtKind::Printf(format, args) => {
                Action::Print(format.clone(), args.iter().map(|e| names.expr(e, sizes)).collect())
            }
            StmtKind::CCode(id) => Action::CCode(*id),
            StmtKind::Printm(e) => Action::PrintMtype(names.expr(e, sizes)),
            StmtKind::SetPriority(pid, n) => {
                Action::SetPriority(names.expr(pid, sizes), names.expr(n, sizes))
            }
            _ => Action::Skip,
        }
    }

    /// The inside of a `d_step`, as an automaton whose exit is location 0.
    fn dstep(&mut self, seq: Seq, graph: &Graph<'m>, made: &mut Vec<Option<StmtId>>) -> DStep {
        let mut inside = HashSet::new();
        collect(seq, graph, &mut inside);
        let mut dstep = DStep {
            start: LocId(0),
            exit: LocId(0),
            locations: vec![Vec::new(); graph.elements.len() + 1],
        };
        if let Some(first) = graph.seq(seq).first {
            dstep.start = inner_target(Some(first), graph, &inside);
        }
        let mut points: Vec<El> = inside.iter().copied().collect();
        points.sort();
        for el in points {
            let number = graph.el(el).number as usize;
            let mut transitions = Vec::new();
            self.inner_transitions(el, graph, &inside, made, &mut transitions);
            dstep.locations[number] = transitions;
        }
        dstep
    }

    fn inner_transitions(
        &mut self,
        el: El,
        graph: &Graph<'m>,
        inside: &HashSet<El>,
        made: &mut Vec<Option<StmtId>>,
        out: &mut Vec<Transition>,
    ) {
        let element = graph.el(el);
        let target = match &element.node {
            Node::Choice => {
                for &option in &element.sub {
                    if let Some(first) = graph.seq(option).first {
                        self.inner_transitions(first, graph, inside, made, out);
                    }
                }
                return;
            }
            Node::Block(_, seq) => {
                if let Some(first) = graph.seq(*seq).first {
                    self.inner_transitions(first, graph, inside, made, out);
                }
                return;
            }
            Node::Unless => {
                if let Some(first) = graph.seq(element.sub[0]).first {
                    self.inner_transitions(first, graph, inside, made, out);
                }
                return;
            }
            Node::Jump(to) => graph.destination(*to),
            _ => element.next,
        };
        let target = inner_target(target, graph, inside);
        let statement = self.statement(el, graph, made);
        out.push(Transition { statement, target, atomic: false, escape: LocId(0) });
    }
}

/// All elements of a sequence and of what is nested in it.
fn collect(seq: Seq, graph: &Graph, inside: &mut HashSet<El>) {
    let s = graph.seq(seq);
    let mut at = s.first;
    while let Some(el) = at {
        if inside.insert(el) {
            let element = graph.el(el);
            if let Node::Block(_, inner) = element.node {
                collect(inner, graph, inside);
            }
            for &sub in &element.sub {
                collect(sub, graph, inside);
            }
        }
        at = if Some(el) == s.last { None } else { graph.el(el).next };
    }
}

/// The inner control point that `el` leads to, or location 0 outside.
fn inner_target(el: Option<El>, graph: &Graph, inside: &HashSet<El>) -> LocId {
    let mut at = el;
    let mut hops = 0;
    while let Some(el) = at {
        if !inside.contains(&el) || hops > graph.elements.len() {
            return LocId(0);
        }
        hops += 1;
        let element = graph.el(el);
        at = match &element.node {
            Node::Jump(to) => graph.destination(*to),
            Node::Join | Node::LoopExit => element.next,
            Node::Block(_, seq) => graph.seq(*seq).first,
            _ => return LocId(element.number),
        };
    }
    LocId(0)
}

impl Action {
    /// Calls `f` on every expression of the action.
    pub fn walk(&self, f: &mut impl FnMut(&Expr)) {
        match self {
            Action::Skip
            | Action::Else
            | Action::Terminate
            | Action::CCode(_)
            | Action::DStep(_) => {}
            Action::Condition(e) | Action::Assert(e) | Action::PrintMtype(e) => e.walk(f),
            Action::Assign(pairs) => {
                for (place, e) in pairs {
                    place.walk(f);
                    e.walk(f);
                }
            }
            Action::Send(send) => {
                send.channel.walk(f);
                send.args.iter().for_each(|e| e.walk(f));
            }
            Action::Receive(recv) => {
                recv.channel.walk(f);
                for field in &recv.args {
                    match field {
                        ReceiveField::Bind(place) => place.walk(f),
                        ReceiveField::Match(e) => e.walk(f),
                        ReceiveField::Any => {}
                    }
                }
            }
            Action::Print(_, args) => args.iter().for_each(|e| e.walk(f)),
            Action::SetPriority(pid, n) => {
                pid.walk(f);
                n.walk(f);
            }
        }
    }
}
