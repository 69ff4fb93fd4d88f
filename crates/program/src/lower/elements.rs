//! First phase: a body becomes a graph of elements, numbered as SPIN numbers them.
//!
//! An element is a statement, a jump, a choice, a block, or one of the silent
//! nodes that SPIN puts where branches join and loops end. Numbers are given
//! when an element is made, and it is made when the statement that contains it
//! is complete: inner elements come before their block or choice. Elements are
//! strung together by `next`; the options of a choice are sequences of their
//! own that end in the join of the choice.

use spinor_base::Span;
use spinor_sema::hir::{self, Block, LabelId, Stmt, StmtKind};

/// An element of one body.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(super) struct El(pub u32);

/// A sequence of elements of one body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Seq(pub u32);

/// The exit of a loop, known before its element is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Exit(u32);

/// What an element is.
#[derive(Clone, Debug)]
pub(super) enum Node<'m> {
    /// A basic statement of the model.
    Basic(&'m Stmt),
    /// A step without effect that the construction puts in.
    Skip,
    /// The exit guard of a counted loop.
    Else,
    /// `goto` or `break`.
    Jump(Destination),
    /// Where the options of a choice join.
    Join,
    /// Where a loop is left.
    LoopExit,
    /// `if` or `do`.
    Choice,
    /// `unless`: two sequences, main and escape.
    Unless,
    /// Block, `atomic`, `d_step`.
    Block(BlockKind, Seq),
    /// The end of the body.
    End,
}

/// Where a jump leads.
#[derive(Clone, Copy, Debug)]
pub(super) enum Destination {
    /// A label of the user.
    Label(LabelId),
    /// Out of a loop.
    Exit(Exit),
}

/// Kinds of braces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BlockKind {
    /// `{ … }`.
    Plain,
    /// `atomic { … }`.
    Atomic,
    /// `d_step { … }`.
    DStep,
}

/// An element.
#[derive(Clone, Debug)]
pub(super) struct Element<'m> {
    pub node: Node<'m>,
    /// Number within the body, from 1: the location.
    pub number: u32,
    pub next: Option<El>,
    /// Options of a choice; main and escape of an `unless`.
    pub sub: Vec<Seq>,
    /// Escapes that guard this element, outermost first.
    pub escapes: Vec<Seq>,
    /// Inside an atomic sequence, and not its last element.
    pub atomic: bool,
    /// The last element of an atomic sequence.
    pub last_of_atomic: bool,
    /// Transitions made already.
    pub done: bool,
    pub span: Span,
}

/// A sequence. `extent` is the last element before a join was appended.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sequence {
    pub first: Option<El>,
    pub last: Option<El>,
    pub extent: Option<El>,
}

/// The elements of one body.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph<'m> {
    pub elements: Vec<Element<'m>>,
    pub sequences: Vec<Sequence>,
    /// Element of each label, once its statement is made.
    pub labels: Vec<Option<El>>,
    exits: Vec<Option<El>>,
    pub top: Option<Seq>,
    /// Labels whose jumps became two elements, since references from elsewhere need them. The second ones are the
    /// last elements, in this order.
    pub added: Vec<LabelId>,
}

impl<'m> Graph<'m> {
    /// The graph of a body.
    pub fn build(body: &'m hir::Proctype, is_claim: bool) -> Self {
        let mut graph = Graph { labels: vec![None; body.labels.len()], ..Graph::default() };
        let mut builder = Builder { graph: &mut graph, names: body, is_claim, loops: Vec::new() };
        let top = builder.open();
        builder.statements(&body.body.stmts, top);
        let end = builder.graph.element(Node::End, body.body.span);
        builder.append(end, top);
        builder.close(top);
        graph.top = Some(top);
        for (id, label) in body.labels.iter().enumerate() {
            if label.remotely_referenced {
                graph.keep_label_of_jump(LabelId(id as u32));
            }
        }
        graph.tie_loose_ends();
        graph
    }

    pub fn el(&self, el: El) -> &Element<'m> {
        &self.elements[el.0 as usize]
    }

    pub fn el_mut(&mut self, el: El) -> &mut Element<'m> {
        &mut self.elements[el.0 as usize]
    }

    pub fn seq(&self, seq: Seq) -> Sequence {
        self.sequences[seq.0 as usize]
    }

    /// Where a jump leads, if its label is there.
    pub fn destination(&self, to: Destination) -> Option<El> {
        match to {
            Destination::Label(label) => self.labels[label.index()],
            Destination::Exit(exit) => self.exits[exit.0 as usize],
        }
    }

    fn element(&mut self, node: Node<'m>, span: Span) -> El {
        let number = self.elements.len() as u32 + 1;
        self.elements.push(Element {
            node,
            number,
            next: None,
            sub: Vec::new(),
            escapes: Vec::new(),
            atomic: false,
            last_of_atomic: false,
            done: false,
            span,
        });
        El(number - 1)
    }

    /// A label that others refer to must be a control point: if it stands on a
    /// jump, the jump moves to a new element and a step takes its place.
    fn keep_label_of_jump(&mut self, label: LabelId) {
        let Some(el) = self.labels[label.index()] else { return };
        if let Node::Jump(to) = self.el(el).node {
            let copy = self.element(Node::Jump(to), self.el(el).span);
            self.added.push(label);
            let next = self.el(el).next;
            self.el_mut(copy).next = next;
            let original = self.el_mut(el);
            original.node = Node::Skip;
            original.next = Some(copy);
        }
    }

    /// Lets the last element of a block go on where the block does. Outer blocks
    /// are younger than inner ones, so they come first.
    fn tie_loose_ends(&mut self) {
        for i in (0..self.elements.len()).rev() {
            let Node::Block(_, seq) = self.elements[i].node else { continue };
            let mut after = self.elements[i].next;
            while let Some(el) = after {
                if !matches!(self.el(el).node, Node::Join) {
                    break;
                }
                after = self.el(el).next;
            }
            let Some(last) = self.seq(seq).last else { continue };
            match self.el(last).next {
                None => self.el_mut(last).next = after,
                Some(next) if matches!(self.el(next).node, Node::Jump(..)) => {
                    self.sequences[seq.0 as usize].last = Some(next);
                }
                Some(_) => {}
            }
        }
    }
}

/// A statement that is read but has no element of its own yet.
enum Pending<'m> {
    Node(Node<'m>, Span),
    Choice { options: Vec<Seq>, exit: Option<Exit>, span: Span },
    Unless { main: Seq, escape: Seq, span: Span },
}

struct Builder<'g, 'm> {
    graph: &'g mut Graph<'m>,
    names: &'m hir::Proctype,
    is_claim: bool,
    /// Exits of the enclosing loops.
    loops: Vec<Exit>,
}

impl<'m> Builder<'_, 'm> {
    fn open(&mut self) -> Seq {
        self.graph.sequences.push(Sequence::default());
        Seq(self.graph.sequences.len() as u32 - 1)
    }

    fn close(&mut self, seq: Seq) {
        let s = &mut self.graph.sequences[seq.0 as usize];
        s.extent = s.last;
    }

    fn statements(&mut self, stmts: &'m [Stmt], seq: Seq) {
        for stmt in stmts {
            let pending = self.read(stmt);
            self.add(pending, &stmt.labels, seq);
        }
    }

    fn block(&mut self, block: &'m Block) -> Seq {
        let seq = self.open();
        self.statements(&block.stmts, seq);
        if self.graph.seq(seq).first.is_none() {
            // Declarations only: SPIN refuses it, we let it be a step.
            let skip = self.graph.element(Node::Skip, block.span);
            self.append(skip, seq);
        }
        self.close(seq);
        seq
    }

    fn options(&mut self, options: &'m [Block]) -> Vec<Seq> {
        let options: Vec<Seq> = options.iter().map(|o| self.block(o)).collect();
        self.drop_repeated_skips(&options);
        options
    }

    /// Makes the inner elements of a statement, not yet its own.
    fn read(&mut self, stmt: &'m Stmt) -> Pending<'m> {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::If(options) => {
                let options = self.options(options);
                Pending::Choice { options, exit: None, span }
            }
            StmtKind::Do(options) => {
                let exit = self.enter_loop();
                let options = self.options(options);
                self.loops.pop();
                Pending::Choice { options, exit: Some(exit), span }
            }
            StmtKind::CountedLoop { body, exit_by_else } => {
                let exit = self.enter_loop();
                let body = self.block(body);
                let leave = self.open();
                if *exit_by_else {
                    self.add(Pending::Node(Node::Else, span), &[], leave);
                }
                let jump = Node::Jump(Destination::Exit(exit));
                self.add(Pending::Node(jump, span), &[], leave);
                self.close(leave);
                self.loops.pop();
                Pending::Choice { options: vec![leave, body], exit: Some(exit), span }
            }
            StmtKind::Block(block) => {
                let seq = self.block(block);
                Pending::Node(Node::Block(BlockKind::Plain, seq), span)
            }
            StmtKind::Atomic(block) => {
                let seq = self.block(block);
                self.make_atomic(seq, false);
                Pending::Node(Node::Block(BlockKind::Atomic, seq), span)
            }
            StmtKind::DStep(block) => {
                let seq = self.block(block);
                self.make_atomic(seq, true);
                Pending::Node(Node::Block(BlockKind::DStep, seq), span)
            }
            StmtKind::Unless { main, escape } => self.read_unless(stmt, main, escape),
            StmtKind::Goto(label) => Pending::Node(Node::Jump(Destination::Label(*label)), span),
            StmtKind::Break => match self.loops.last() {
                Some(&exit) => Pending::Node(Node::Jump(Destination::Exit(exit)), span),
                None => Pending::Node(Node::Skip, span),
            },
            StmtKind::Else => Pending::Node(Node::Else, span),
            _ => Pending::Node(Node::Basic(stmt), span),
        }
    }

    fn read_unless(&mut self, stmt: &'m Stmt, main: &'m Stmt, escape: &'m Stmt) -> Pending<'m> {
        let span = stmt.span;
        // A `break` in the escape of a loop leaves the loop around it: the
        // loop of the main part is read, and left, before.
        let main_read = self.read(main);
        let escape_read = self.read(escape);
        let escape_seq = self.as_sequence(escape_read, &escape.labels);
        let labelled = !stmt.labels.is_empty() || !main.labels.is_empty();
        match main_read {
            Pending::Node(Node::Block(kind, seq), _) if kind == BlockKind::Plain || labelled => {
                let unless = Pending::Unless { main: seq, escape: escape_seq, span };
                if labelled {
                    // The label names the whole construct, which needs a control point.
                    let outer = self.open();
                    self.add(unless, &[], outer);
                    self.close(outer);
                    Pending::Node(Node::Block(kind, outer), span)
                } else {
                    unless
                }
            }
            other => {
                let seq = self.open();
                self.add(other, &main.labels, seq);
                self.close(seq);
                Pending::Unless { main: seq, escape: escape_seq, span }
            }
        }
    }

    fn as_sequence(&mut self, pending: Pending<'m>, labels: &[LabelId]) -> Seq {
        if let Pending::Node(Node::Block(BlockKind::Plain, seq), _) = pending {
            return seq;
        }
        let seq = self.open();
        self.add(pending, labels, seq);
        self.close(seq);
        seq
    }

    fn enter_loop(&mut self) -> Exit {
        self.graph.exits.push(None);
        let exit = Exit(self.graph.exits.len() as u32 - 1);
        self.loops.push(exit);
        exit
    }

    /// Makes the element of a statement and puts it at the end of `seq`.
    fn add(&mut self, pending: Pending<'m>, labels: &[LabelId], seq: Seq) {
        match pending {
            Pending::Node(node, span) => {
                let el = self.graph.element(node, span);
                self.set_labels(labels, el);
                self.append(el, seq);
            }
            Pending::Choice { options, exit, span } => {
                self.add_choice(options, exit, span, labels, seq);
            }
            Pending::Unless { main, escape, span } => {
                let unless = self.graph.element(Node::Unless, span);
                let join = self.graph.element(Node::Join, span);
                self.graph.el_mut(unless).sub = vec![main, escape];
                self.append(join, main);
                self.append(join, escape);
                self.attach_escape(main, escape);
                self.set_labels(labels, unless);
                self.append(unless, seq);
                self.append(join, seq);
            }
        }
    }

    fn add_choice(
        &mut self,
        mut options: Vec<Seq>,
        exit: Option<Exit>,
        span: Span,
        labels: &[LabelId],
        seq: Seq,
    ) {
        let choice = self.graph.element(Node::Choice, span);
        let join = self.graph.element(Node::Join, span);
        if let Some(at) = options.iter().position(|&o| self.starts_with_else(o)) {
            let option = options.remove(at);
            options.push(option);
        }
        for &option in &options {
            self.append(join, option);
        }
        self.graph.el_mut(choice).sub = options;
        let after = match exit {
            Some(exit) => {
                self.append(join, seq);
                let leave = self.graph.element(Node::LoopExit, span);
                self.graph.exits[exit.0 as usize] = Some(leave);
                leave
            }
            None => join,
        };
        self.set_labels(labels, choice);
        self.append(choice, seq);
        self.append(after, seq);
    }

    fn starts_with_else(&self, seq: Seq) -> bool {
        let first = self.graph.seq(seq).first;
        first.is_some_and(|el| matches!(self.graph.el(el).node, Node::Else))
    }

    fn set_labels(&mut self, labels: &[LabelId], el: El) {
        for label in labels {
            self.graph.labels[label.index()] = Some(el);
        }
    }

    fn append(&mut self, el: El, seq: Seq) {
        if matches!(self.graph.el(el).node, Node::Jump(..)) {
            self.keep_meaningful_label(el, seq);
        }
        let Sequence { first, last, .. } = self.graph.seq(seq);
        if let Some(last) = last {
            self.graph.el_mut(last).next = Some(el);
        }
        let s = &mut self.graph.sequences[seq.0 as usize];
        s.first = first.or(Some(el));
        s.last = Some(el);
    }

    /// A jump is no control point; one that carries an `end`, `accept` or
    /// `progress` label gets a step in front that is.
    fn keep_meaningful_label(&mut self, jump: El, seq: Seq) {
        let found = self
            .graph
            .labels
            .iter()
            .enumerate()
            .rev()
            .find(|(id, el)| **el == Some(jump) && has_meaning(&self.names.labels[*id].name));
        if let Some((id, _)) = found {
            let span = self.graph.el(jump).span;
            let skip = self.graph.element(Node::Skip, span);
            self.graph.labels[id] = Some(skip);
            self.append(skip, seq);
        }
    }

    /// SPIN drops unlabelled steps without effect that follow one another in an
    /// option, except the first and the last of the option. Not in claims.
    fn drop_repeated_skips(&mut self, options: &[Seq]) {
        if self.is_claim {
            return;
        }
        for &option in options {
            let Sequence { first, last, extent } = self.graph.seq(option);
            let mut run = 0;
            let mut previous: Option<El> = None;
            let mut at = first;
            while let Some(el) = at {
                let next = self.graph.el(el).next;
                let (skips, is_print) = self.is_skip(el);
                if skips && !self.graph.labels.contains(&Some(el)) {
                    run += 1;
                    let ends = Some(el) == first || Some(el) == last || Some(el) == extent;
                    if run > 1 && !is_print && !ends {
                        if let Some(previous) = previous {
                            self.graph.el_mut(previous).next = next;
                        }
                        self.graph.el_mut(el).done = true;
                        at = next;
                        continue;
                    }
                } else {
                    run = 0;
                }
                previous = Some(el);
                at = if Some(el) == last { None } else { next };
            }
        }
    }

    fn is_skip(&self, el: El) -> (bool, bool) {
        match &self.graph.el(el).node {
            Node::Skip => (true, false),
            Node::Basic(stmt) => match &stmt.kind {
                StmtKind::Expr(e) => (matches!(*e.kind, hir::ExprKind::Int(1)), false),
                StmtKind::Printf(..) | StmtKind::Printm(_) => (true, true),
                _ => (false, false),
            },
            _ => (false, false),
        }
    }

    /// Lets every element of `main`, inner ones too, be pre-empted by `escape`.
    fn attach_escape(&mut self, main: Seq, escape: Seq) {
        let Sequence { first, extent, .. } = self.graph.seq(main);
        let mut at = first;
        while let Some(el) = at {
            self.escape_element(el, escape);
            at = if Some(el) == extent { None } else { self.graph.el(el).next };
        }
    }

    fn escape_element(&mut self, el: El, escape: Seq) {
        if self.graph.el(el).escapes.contains(&escape) {
            return;
        }
        for inner in self.graph.el(el).escapes.clone() {
            self.attach_escape(inner, escape);
        }
        self.graph.el_mut(el).escapes.insert(0, escape);
        match self.graph.el(el).node {
            Node::Unless => {
                let main = self.graph.el(el).sub[0];
                self.attach_escape(main, escape);
            }
            Node::Choice => {
                for option in self.graph.el(el).sub.clone() {
                    self.attach_escape(option, escape);
                }
            }
            Node::Block(BlockKind::DStep, seq) => {
                if let Some(first) = self.graph.seq(seq).first {
                    self.escape_element(first, escape);
                }
            }
            Node::Block(_, seq) => self.attach_escape(seq, escape),
            _ => {}
        }
    }

    fn make_atomic(&mut self, seq: Seq, in_dstep: bool) {
        self.walk_atomic(seq, in_dstep);
        let Some(last) = self.graph.seq(seq).last else { return };
        match self.graph.el(last).node {
            Node::Block(BlockKind::Plain | BlockKind::Atomic, inner) => {
                self.make_atomic(inner, in_dstep);
            }
            Node::Unless => {
                let main = self.graph.el(last).sub[0];
                self.make_atomic(main, in_dstep);
            }
            _ => {
                let last = self.graph.el_mut(last);
                last.atomic = false;
                last.last_of_atomic = true;
            }
        }
    }

    fn walk_atomic(&mut self, seq: Seq, in_dstep: bool) {
        let Sequence { first, last, .. } = self.graph.seq(seq);
        let mut at = first;
        while let Some(el) = at {
            self.graph.el_mut(el).atomic = true;
            if let Node::Block(kind, inner) = self.graph.el(el).node {
                // Braces inside braces: only a `d_step` in an `atomic` keeps its own.
                if kind != BlockKind::DStep || in_dstep {
                    self.graph.el_mut(el).node = Node::Block(BlockKind::Plain, inner);
                    self.walk_atomic(inner, in_dstep);
                }
            }
            for sub in self.graph.el(el).sub.clone() {
                self.walk_atomic(sub, in_dstep);
            }
            at = if Some(el) == last { None } else { self.graph.el(el).next };
        }
    }
}

/// Labels that say something about runs.
pub(super) fn has_meaning(label: &str) -> bool {
    ["accept", "end", "progress"].iter().any(|prefix| label.starts_with(prefix))
}
