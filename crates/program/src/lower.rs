//! From resolved model to program.
//!
//! Each body goes through three phases: `elements` (numbering and structure),
//! `links` (transitions between control points), `flatten` (choices and
//! escapes). Then actions are lowered: names become offsets in the state.

mod actions;
mod areas;
mod elements;
mod exprs;
mod flatten;
mod links;
mod outside;
mod promises;
mod trail_numbers;
mod usage;
mod visit;

use crate::expr::Predefined;
use crate::{
    Automaton, Embedded, EventTrace, Expr, LocId, Location, ProcessType, Program, Statement,
    StmtId, Transition, Written,
};
use areas::{Placed, Sizes};
use elements::Graph;
use exprs::Names;
use flatten::Marks;
use links::{Edge, Linker, Links};
pub use outside::{Outside, Untold};
use spinor_base::{Diagnostic, Span, Text};
use spinor_sema::hir::{self, ExprKind, Model, ProctypeId, StmtKind, Type};
use trail_numbers::{BodyNumbers, TrailNumbers};

/// A program, or what is wrong with the control structure of the model.
#[derive(Debug)]
pub struct Lowered {
    /// Usable only if there are no errors among the diagnostics.
    pub program: Program,
    /// Errors of control structure, and warnings.
    pub diagnostics: Vec<Diagnostic>,
}

/// Lowers an analysed model.
#[must_use]
pub fn lower(model: &Model) -> Lowered {
    let mut sizes = Sizes::new(model);
    let mut diagnostics = Vec::new();
    let mut program = Program {
        mtypes: model.mtypes.clone(),
        proctype_bytes: if model.proctypes.len() > 255 { 2 } else { 1 },
        uses_priority: uses_priority(model),
        ..Program::default()
    };

    let Placed { area: mut globals, offsets: global_offsets } =
        areas::place(&model.globals, 0, &mut program.hidden_bytes, &mut sizes);

    let mut graphs: Vec<Graph> = model.proctypes.iter().map(|p| Graph::build(p, false)).collect();
    let labels: Vec<Vec<LocId>> = graphs.iter().map(label_locations).collect();
    let mut frames: Vec<Placed> = Vec::new();
    let mut location_bytes = Vec::new();
    for (proctype, graph) in model.proctypes.iter().zip(&graphs) {
        let bytes = location_width(graph);
        let start = bytes + u32::from(program.uses_priority);
        frames.push(areas::place(&proctype.locals, start, &mut 0, &mut sizes));
        location_bytes.push(bytes);
    }
    let frame_offsets: Vec<Vec<u32>> = frames.iter().map(|f| f.offsets.clone()).collect();
    let global_names = Names {
        model,
        globals: &global_offsets,
        locals: &[],
        local_offsets: &[],
        frames: &frame_offsets,
        labels: &labels,
    };
    let ordered = global_initialisation_order(model, &global_offsets);
    areas::initialise(&mut globals, &ordered, &global_names, &mut sizes);
    program.globals = globals;

    let trail_numbers = TrailNumbers::new(model, &graphs);
    for (i, (proctype, graph)) in model.proctypes.iter().zip(&mut graphs).enumerate() {
        let names = global_names.of_body(&proctype.locals, &frame_offsets[i]);
        let mut body = BodyLowering {
            names: &names,
            sizes: &mut sizes,
            program: &mut program,
            diagnostics: &mut diagnostics,
            trail_numbers: trail_numbers.of(proctype),
        };
        let automaton = body.automaton(proctype, graph);
        let provided = proctype.provided.as_ref().map(|e| names.expr(e, &mut sizes));
        let mut frame = std::mem::take(&mut frames[i].area);
        let vars: Vec<_> = proctype.locals.iter().zip(frame_offsets[i].iter().copied()).collect();
        areas::initialise(&mut frame, &vars, &names, &mut sizes);
        let params = parameter_slots(proctype, &frame_offsets[i], model, &mut sizes);
        program.proctypes.push(ProcessType {
            name: proctype.name.clone(),
            span: proctype.span,
            automaton,
            frame,
            location_bytes: location_bytes[i],
            priority_offset: location_bytes[i],
            priority: proctype.priority.unwrap_or(1),
            params,
            provided,
            deterministic: proctype.deterministic,
            is_instantiated: false,
        });
        for _ in 0..proctype.active {
            program.active.push(ProctypeId(i as u32));
        }
    }

    for claim in &model.claims {
        let mut lowering = BodyLowering {
            names: &global_names,
            sizes: &mut sizes,
            program: &mut program,
            diagnostics: &mut diagnostics,
            trail_numbers: trail_numbers.of(&claim.body),
        };
        let process = lowering.observer(&claim.body, &claim.name);
        program.claims.push(process);
    }
    if let Some(trace) = &model.trace {
        let mut lowering = BodyLowering {
            names: &global_names,
            sizes: &mut sizes,
            program: &mut program,
            diagnostics: &mut diagnostics,
            trail_numbers: trail_numbers.of(&trace.body),
        };
        let body = lowering.observer(&trace.body, &trace.body.name);
        program.trace = Some(event_trace(trace.negated, body, &program));
    }
    program.channel_scalar = sizes.scalar(Type::Chan);
    program.usage = usage::usage(model, &global_names, &mut sizes);
    // C may touch everything, whatever was promised.
    let promised = model.globals.iter().zip(&global_offsets);
    let promised: Vec<_> = promised
        .filter(|(var, _)| var.local_promise && model.embedded.is_empty())
        .map(|(var, &offset)| (var, usage::slot(var, offset, &mut sizes)))
        .collect();
    program.channel_types = sizes.channel_types;
    find_features(&mut program);
    let codes = model.embedded.codes.len() as u32;
    program.embedded =
        (!model.embedded.is_empty()).then(|| Embedded { codes, source: "".into(), library: None });
    program.uses_last |= outside::formulas_use_last(model);
    promises::settle(&mut program, &promised, &mut diagnostics);
    diagnostics.extend(lost_meetings(&program, model));
    Lowered { program, diagnostics }
}

/// Says that priorities do not go well with rendezvous, if the model has both.
fn lost_meetings(program: &Program, model: &Model) -> Option<Diagnostic> {
    let has_rendezvous = program.channel_types.iter().any(|c| c.capacity == 0);
    let prioritised = model.proctypes.iter().find(|p| p.priority.is_some());
    let one = prioritised.or(model.proctypes.first())?;
    let message = "rendezvous channels in a model with priorities";
    (program.uses_priority && has_rendezvous).then(|| {
        Diagnostic::warning("P0403", one.span, message)
            .note(
                "a rendezvous send counts as executable even if nobody receives, so it keeps processes \
                 of lower priority from moving, its receivers among them (SPIN refuses such models)",
            )
            .help("give the channel a buffer, or all processes the same priority")
    })
}

/// Bytes that hold a location of this body.
fn location_width(graph: &Graph) -> u32 {
    match graph.elements.len() {
        0..=255 => 1,
        256..=65535 => 2,
        _ => 4,
    }
}

fn label_locations(graph: &Graph) -> Vec<LocId> {
    let number = |el: &Option<elements::El>| el.map_or(0, |el| graph.el(el).number);
    graph.labels.iter().map(|el| LocId(number(el))).collect()
}

/// Channels whose sends and receives a trace declaration watches.
fn event_trace(negated: bool, body: ProcessType, program: &Program) -> EventTrace {
    let mut trace = EventTrace { negated, body, ..EventTrace::default() };
    for location in &trace.body.automaton.locations {
        for transition in &location.transitions {
            match &program.statement(transition.statement).action {
                crate::Action::Send(send) if !trace.sends.contains(&send.channel) => {
                    trace.sends.push(send.channel.clone());
                }
                crate::Action::Receive(recv) if !trace.receives.contains(&recv.channel) => {
                    trace.receives.push(recv.channel.clone());
                }
                _ => {}
            }
        }
    }
    trace
}

/// SPIN evaluates global initialisers by type, then in declaration order.
fn global_initialisation_order<'m>(
    model: &'m Model,
    offsets: &[u32],
) -> Vec<(&'m hir::Variable, u32)> {
    let rank = |ty: Type| match ty {
        Type::Unsigned(_) => 0,
        Type::Bit | Type::Bool => 1,
        Type::Byte | Type::Pid => 2,
        Type::Chan => 3,
        Type::Mtype(_) => 4,
        Type::Short => 5,
        Type::Int => 6,
        Type::Struct(_) => 7,
    };
    let mut vars: Vec<_> = model.globals.iter().zip(offsets.iter().copied()).collect();
    vars.sort_by_key(|(var, _)| rank(var.ty));
    vars
}

fn parameter_slots(
    proctype: &hir::Proctype,
    offsets: &[u32],
    model: &Model,
    sizes: &mut Sizes,
) -> Vec<(u32, crate::Scalar)> {
    let mut slots = Vec::new();
    for (var, &offset) in proctype.locals.iter().zip(offsets).take(proctype.params as usize) {
        flatten_slots(var, offset, model, sizes, &mut slots);
    }
    slots
}

fn flatten_slots(
    var: &hir::Variable,
    offset: u32,
    model: &Model,
    sizes: &mut Sizes,
    slots: &mut Vec<(u32, crate::Scalar)>,
) {
    let bytes = sizes.element_bytes(var);
    for i in 0..var.array.unwrap_or(1) {
        let offset = offset + i * bytes;
        if let Type::Struct(id) = var.ty {
            let layout = sizes.struct_layout(id);
            for (field, at) in model.structs[id.index()].fields.iter().zip(layout.fields) {
                flatten_slots(field, offset + at, model, sizes, slots);
            }
        } else {
            slots.push((offset, sizes.scalar_of(var)));
        }
    }
}

fn is_constant_condition(stmt: &hir::Stmt, value: i32) -> bool {
    matches!(&stmt.kind, StmtKind::Expr(e) if matches!(*e.kind, ExprKind::Int(v) if v == value))
}

/// Lowers the bodies of one program.
struct BodyLowering<'a, 'm, 'l> {
    names: &'a Names<'m, 'l>,
    sizes: &'a mut Sizes<'m>,
    program: &'a mut Program,
    diagnostics: &'a mut Vec<Diagnostic>,
    trail_numbers: BodyNumbers,
}

impl<'m> BodyLowering<'_, 'm, '_> {
    /// A claim or trace declaration.
    fn observer(&mut self, body: &'m hir::Proctype, name: &Text) -> ProcessType {
        let mut graph = Graph::build(body, true);
        let location_bytes = location_width(&graph);
        let Placed { mut area, offsets } =
            areas::place(&body.locals, location_bytes, &mut 0, self.sizes);
        let names = self.names.of_body(&body.locals, &offsets);
        let mut lowering = BodyLowering {
            names: &names,
            sizes: &mut *self.sizes,
            program: &mut *self.program,
            diagnostics: &mut *self.diagnostics,
            trail_numbers: self.trail_numbers.clone(),
        };
        let automaton = lowering.automaton(body, &mut graph);
        let vars: Vec<_> = body.locals.iter().zip(offsets.iter().copied()).collect();
        areas::initialise(&mut area, &vars, &names, self.sizes);
        ProcessType {
            name: name.clone(),
            span: body.span,
            automaton,
            frame: area,
            location_bytes,
            ..ProcessType::default()
        }
    }

    fn automaton(&mut self, body: &'m hir::Proctype, graph: &mut Graph<'m>) -> Automaton {
        let mut linker = Linker::new(graph);
        let start = linker.link_body();
        let (mut links, endless) = (linker.links, linker.endless);
        if let Some(loop_) = endless.first() {
            self.diagnostics.push(
                Diagnostic::error(
                    "P0401",
                    graph.el(loop_.0).span,
                    "this jump never reaches a statement",
                )
                .help("put a statement, for instance `skip`, into the cycle of `goto`s"),
            );
        }
        let mut marks = Marks::new(links.len());
        for (id, label) in body.labels.iter().enumerate() {
            let Some(el) = graph.labels[id] else { continue };
            let number = graph.el(el).number as usize;
            marks.end[number] |= label.name.starts_with("end");
            marks.accept[number] |= label.name.starts_with("accept");
            marks.progress[number] |= label.name.starts_with("progress");
        }
        let end = graph.top.and_then(|t| graph.seq(t).last).map_or(0, |el| graph.el(el).number);
        marks.end[end as usize] = true;
        flatten::flatten(&mut links, &mut marks);
        pass_end_through_joins(graph, &links, &mut marks);

        let mut statements = vec![None; graph.elements.len()];
        let mut locations: Vec<Location> = Vec::with_capacity(links.len());
        for (number, links) in links.iter().enumerate() {
            let edges: &[Edge] = match links {
                Links::Edges(edges) => edges,
                _ => &[],
            };
            self.check_single_else(graph, edges);
            let transitions = edges
                .iter()
                .map(|edge| Transition {
                    statement: self.statement(edge.element, graph, &mut statements),
                    target: LocId(edge.target),
                    atomic: edge.atomic,
                    escape: LocId(edge.escape),
                })
                .collect();
            locations.push(Location {
                transitions,
                is_end: marks.end[number],
                is_accepting: marks.accept[number],
                is_progress: marks.progress[number],
                labels: Vec::new(),
                span: Span::default(),
            });
        }
        for element in &graph.elements {
            if let Some(location) = locations.get_mut(element.number as usize) {
                location.span = element.span;
            }
        }
        for (id, label) in body.labels.iter().enumerate() {
            if let Some(el) = graph.labels[id] {
                locations[graph.el(el).number as usize].labels.push(label.name.clone());
            }
        }
        Automaton { locations, start: LocId(start), end: LocId(end) }
    }

    fn check_single_else(&mut self, graph: &Graph, edges: &[Edge]) {
        let mut elses = edges
            .iter()
            .filter(|e| e.escape == 0)
            .filter(|e| matches!(graph.el(e.element).node, elements::Node::Else));
        if let (Some(first), Some(second)) = (elses.next(), elses.next()) {
            let (first, second) = (graph.el(first.element).span, graph.el(second.element).span);
            self.diagnostics.push(
                Diagnostic::error("P0402", second, "two `else` compete in one choice")
                    .label(first, "the other one")
                    .note("a choice that starts an option takes part in the outer choice")
                    .help("put a statement before the inner choice, or drop one `else`"),
            );
        }
    }

    fn statement(
        &mut self,
        el: elements::El,
        graph: &Graph<'m>,
        made: &mut Vec<Option<StmtId>>,
    ) -> StmtId {
        if let Some(id) = made[el.0 as usize] {
            return id;
        }
        let element = graph.el(el);
        let action = self.action(el, graph, made);
        let text =
            crate::text::of_element(self.names.model, self.names.locals, &node_text(&element.node));
        self.program.statements.push(Statement {
            action,
            span: element.span,
            text: text.into(),
            location: LocId(element.number),
            trail_id: self.trail_numbers.of_element(element.number),
            in_atomic: element.atomic || element.last_of_atomic,
            written: written(&element.node),
        });
        let id = StmtId(self.program.statements.len() as u32 - 1);
        made[el.0 as usize] = Some(id);
        id
    }
}

fn written(node: &elements::Node) -> Written {
    use elements::Node;
    match node {
        Node::Basic(stmt) => match &stmt.kind {
            StmtKind::Assign(..) | StmtKind::Step { .. } => Written::Assignment,
            StmtKind::DeclInit(pairs) if !pairs.is_empty() => Written::Assignment,
            _ => Written::Other,
        },
        Node::Jump(_) | Node::Join => Written::Jump,
        Node::LoopExit => Written::LoopExit,
        _ => Written::Other,
    }
}

/// What there is to print of an element.
pub(crate) enum NodeText<'a> {
    /// A statement of the model.
    Basic(&'a hir::Stmt),
    /// Something that always reads the same.
    Fixed(&'static str),
}

fn node_text<'a>(node: &elements::Node<'a>) -> NodeText<'a> {
    use elements::{BlockKind, Node};
    NodeText::Fixed(match node {
        Node::Basic(stmt) => return NodeText::Basic(stmt),
        Node::Skip => "(1)",
        Node::Else => "else",
        Node::Jump(..) => "goto",
        Node::Join => ".(goto)",
        Node::LoopExit => "break",
        Node::End => "-end-",
        Node::Block(BlockKind::DStep, _) => "D_STEP",
        Node::Choice | Node::Unless | Node::Block(..) => "",
    })
}

/// An `end` label on a pure join also marks where the join leads.
fn pass_end_through_joins(graph: &Graph, links: &[Links], marks: &mut Marks) {
    for (number, links) in links.iter().enumerate() {
        if let Links::Edges(edges) = links
            && let [edge] = edges.as_slice()
            && matches!(graph.el(edge.element).node, elements::Node::Join)
            && marks.end[number]
        {
            marks.end[edge.target as usize] = true;
        }
    }
}

/// Whether anything in the model makes priorities part of the state.
fn uses_priority(model: &Model) -> bool {
    model.proctypes.iter().any(|p| p.priority.is_some())
        || model.proctypes.iter().chain(model.claims.iter().map(|c| &c.body)).any(|p| {
            let mut found = false;
            visit::statements(&p.body, &mut |stmt| {
                found |= matches!(stmt.kind, StmtKind::SetPriority(..));
                found |= matches!(&stmt.kind, StmtKind::Assign(place, _) if place.root == hir::Root::Priority);
            });
            visit::expressions(&p.body, &mut |e| {
                found |= match &*e.kind {
                    ExprKind::GetPriority(_) | ExprKind::Predefined(Predefined::Priority) => true,
                    ExprKind::Run { priority, .. } => priority.is_some(),
                    _ => false,
                };
            });
            found
        })
}

/// Fills in what follows from the statements.
fn find_features(program: &mut Program) {
    let mut started = vec![false; program.proctypes.len()];
    for id in &program.active {
        started[id.index()] = true;
    }
    let (mut last, mut timeout) = (false, false);
    let mut look = |e: &Expr| match e {
        Expr::Predefined(Predefined::Last) => last = true,
        Expr::Predefined(Predefined::Timeout) => timeout = true,
        Expr::Run(run) => started[run.proctype.index()] = true,
        _ => {}
    };
    for statement in &program.statements {
        statement.action.walk(&mut look);
    }
    for provided in program.proctypes.iter().filter_map(|p| p.provided.as_ref()) {
        provided.walk(&mut look);
    }
    program.uses_last = last;
    program.uses_timeout = timeout;
    for (proctype, started) in program.proctypes.iter_mut().zip(started) {
        proctype.is_instantiated = started;
    }
    // Initial values that are constant zero say nothing.
    let is_zero = |init: &crate::Initial| matches!(init.value, Expr::Const(0));
    program.globals.initials.retain(|i| !is_zero(i));
    for proctype in &mut program.proctypes {
        proctype.frame.initials.retain(|i| !is_zero(i));
    }
}
