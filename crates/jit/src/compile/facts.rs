//! What is known about the program before code is generated.

use super::lean::LARGE;
use super::statics::StaticChannels;
use super::step::reachable;
use super::tables::Tables;
use crate::abi::{Cx, Helpers};
use cranelift_codegen::isa::CallConv;
use spinor_exec::{Options, Shape};
use spinor_program::expr::ProctypeId;
use spinor_program::{Action, ChannelType, Expr, ProcessType, Program, StmtId};
use std::mem::offset_of;

/// The program and everything that all functions share.
pub(super) struct Facts<'a> {
    pub program: &'a Program,
    pub options: Options,
    pub helpers: Helpers,
    pub conv: CallConv,
    /// Addresses that generated code refers to.
    pub tables: &'a Tables,
    pub statics: StaticChannels,
    /// Channel types that some channel has, each with all types that are the same.
    pub channel_types: Vec<(ChannelType, Vec<u32>)>,
    /// Some channel is a rendezvous.
    pub has_rendezvous: bool,
    /// Some expression asks `enabled(p)`.
    pub uses_enabled: bool,
    /// There is much code to generate: it should be short.
    pub is_large: bool,
    /// A trace declaration watches sends and receives.
    pub is_watched: bool,
    /// Processes have priorities or `provided` clauses.
    pub restricts_moves: bool,
    /// The state after a rendezvous send differs from the one before only in what no
    /// receiver can see.
    pub sends_unseen: bool,
    /// The proctypes of all processes by pid, if none is ever started (some may be gone).
    pub population: Option<&'a [ProctypeId]>,
    /// The shape of all states, if processes neither come nor go.
    pub fixed: Option<Shape>,
}

impl<'a> Facts<'a> {
    pub fn new(
        program: &'a Program,
        options: Options,
        helpers: Helpers,
        conv: CallConv,
        tables: &'a Tables,
    ) -> Self {
        let channel_types = used_types(program);
        let mut uses_enabled = false;
        // C may look at everything.
        let mut looks_at_locations = program.embedded.is_some();
        each_expression(program, &mut |e| {
            uses_enabled |= matches!(e, Expr::Enabled(_));
            looks_at_locations |= matches!(e, Expr::PcValue(_) | Expr::RemoteLabel { .. });
        });
        let is_watched = program.trace.is_some() && !options.no_trace;
        let restricts_moves =
            program.uses_priority || program.proctypes.iter().any(|p| p.provided.is_some());
        let sees_sends = uses_enabled
            || looks_at_locations
            || is_watched
            || restricts_moves
            || program.uses_last;
        Facts {
            statics: StaticChannels::new(program),
            has_rendezvous: channel_types.iter().any(|(ty, _)| ty.capacity == 0),
            channel_types,
            uses_enabled,
            is_large: transitions(program) >= LARGE,
            is_watched,
            restricts_moves,
            sends_unseen: !sees_sends,
            population: population(program),
            fixed: fixed_shape(program, options),
            program,
            options,
            helpers,
            conv,
            tables,
        }
    }

    /// A field of [`Cx`] that is the same in all states.
    pub fn fixed_field(&self, offset: usize) -> Option<usize> {
        let shape = self.fixed.as_ref()?;
        let fields = [
            (offset_of!(Cx, length), shape.total),
            (offset_of!(Cx, globals), shape.globals),
            (offset_of!(Cx, key), shape.key),
            (offset_of!(Cx, last), shape.last),
            (offset_of!(Cx, event), shape.event),
            (offset_of!(Cx, claim), shape.claim),
            (offset_of!(Cx, processes), shape.frames.len()),
            (offset_of!(Cx, channel_count), shape.channels.len()),
        ];
        fields.iter().find(|(at, _)| *at == offset).map(|(_, value)| *value)
    }

    pub fn action(&self, id: StmtId) -> &'a Action {
        &self.program.statement(id).action
    }

    /// Bytes by which a state grows when a process of this type starts.
    pub fn growth(&self, proctype: ProctypeId) -> usize {
        frame_growth(self.program, &self.program.proctypes[proctype.index()])
    }
}

/// Bytes by which a state grows when such a process starts.
pub(super) fn frame_growth(program: &Program, process: &ProcessType) -> usize {
    let channels = process.frame.channels.iter();
    let channels = channels.map(|c| program.channel_types[c.channel.0 as usize].bytes() as usize);
    program.proctype_bytes as usize + process.frame.bytes as usize + channels.sum::<usize>()
}

/// Transitions of all processes from locations that can be reached.
fn transitions(program: &Program) -> usize {
    let of_process = |process: &ProcessType| {
        let locations = process.automaton.locations.iter().zip(reachable(&process.automaton));
        locations.filter(|(_, r)| *r).map(|(l, _)| l.transitions.len()).sum::<usize>()
    };
    program.proctypes.iter().filter(|p| p.is_instantiated).map(of_process).sum()
}

/// The processes of the initial state, if no others are ever started.
fn population(program: &Program) -> Option<&[ProctypeId]> {
    let mut starts = false;
    each_expression(program, &mut |e| starts |= matches!(e, Expr::Run(_)));
    (!starts).then_some(&program.active)
}

/// The shape of all states, if no process is ever started and none can end.
fn fixed_shape(program: &Program, options: Options) -> Option<Shape> {
    let active = population(program)?;
    let ends = active.iter().any(|id| {
        let automaton = &program.proctypes[id.index()].automaton;
        let reached = reachable(automaton);
        let locations = automaton.locations.iter().zip(reached).filter(|(_, r)| *r);
        locations
            .flat_map(|(l, _)| &l.transitions)
            .any(|t| matches!(program.statement(t.statement).action, Action::Terminate))
    });
    let count = u8::try_from(active.len()).ok()?;
    if ends {
        return None;
    }
    let width = program.proctype_bytes as usize;
    let ids = active.iter().flat_map(|id| id.0.to_le_bytes().into_iter().take(width));
    let header: Vec<u8> = [count].into_iter().chain(ids).collect();
    Some(Shape::of(program, options, &header))
}

fn used_types(program: &Program) -> Vec<(ChannelType, Vec<u32>)> {
    let areas = program.proctypes.iter().map(|p| &p.frame).chain([&program.globals]);
    let mut found: Vec<(ChannelType, Vec<u32>)> = Vec::new();
    for site in areas.flat_map(|a| &a.channels) {
        let ty = &program.channel_types[site.channel.0 as usize];
        let same = |(other, _): &&mut (ChannelType, Vec<u32>)| {
            other.capacity == ty.capacity && other.fields == ty.fields
        };
        match found.iter_mut().find(same) {
            Some((_, ids)) if ids.contains(&site.channel.0) => {}
            Some((_, ids)) => ids.push(site.channel.0),
            None => found.push((ty.clone(), vec![site.channel.0])),
        }
    }
    found
}

fn each_expression(program: &Program, f: &mut impl FnMut(&Expr)) {
    for statement in &program.statements {
        statement.action.walk(f);
    }
    let provided = program.proctypes.iter().filter_map(|p| p.provided.as_ref());
    provided.for_each(|e| e.walk(f));
}

/// All statements of a process, those inside `d_step`s too.
pub(super) fn each_statement(
    program: &Program,
    process: &ProcessType,
    f: &mut impl FnMut(&Action),
) {
    for transition in process.automaton.locations.iter().flat_map(|l| &l.transitions) {
        let action = &program.statement(transition.statement).action;
        f(action);
        if let Action::DStep(inner) = action {
            for inner in inner.locations.iter().flatten() {
                f(&program.statement(inner.statement).action);
            }
        }
    }
}

/// The process that an expression starts, as the interpreter finds it.
pub(crate) fn find_run(e: &Expr) -> Option<&spinor_program::Run> {
    match e {
        Expr::Run(run) => Some(run),
        Expr::Unary(_, a) => find_run(a),
        Expr::Binary(_, a, b) => find_run(a).or_else(|| find_run(b)),
        Expr::Conditional(c, a, b) => find_run(c).or_else(|| find_run(a)).or_else(|| find_run(b)),
        _ => None,
    }
}

/// Whether some part of an action is a `run`.
pub(crate) fn has_run(action: &Action) -> bool {
    let mut found = false;
    action.walk(&mut |e| found |= matches!(e, Expr::Run(_)));
    found
}
