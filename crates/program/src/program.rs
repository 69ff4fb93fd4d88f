//! A whole program.

use crate::expr::ProctypeId;
use crate::{Area, Automaton, ChannelType, Embedded, Expr, Scalar, Statement, StmtId, Usage};
use spinor_base::{Span, Text};
use spinor_sema::hir::{MtypeSet, Type};

/// Everything an executor needs.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Proctypes and `init`, by [`ProctypeId`].
    pub proctypes: Vec<ProcessType>,
    /// Processes that exist in the initial state, in the order of their pids.
    pub active: Vec<ProctypeId>,
    /// Never claims.
    pub claims: Vec<ProcessType>,
    /// `trace` or `notrace`.
    pub trace: Option<EventTrace>,
    /// All statements, by [`StmtId`].
    pub statements: Vec<Statement>,
    /// Shapes of channels.
    pub channel_types: Vec<ChannelType>,
    /// Global variables.
    pub globals: Area,
    /// Bytes of the hidden variables.
    pub hidden_bytes: u32,
    /// Symbolic names, for printing.
    pub mtypes: Vec<MtypeSet>,
    /// `_last` is part of the state.
    pub uses_last: bool,
    /// Processes have priorities: only those of the highest one that can move do.
    pub uses_priority: bool,
    /// Priorities are in the state, for simulations that weigh processes by them, and restrict nothing.
    pub weighs_priority: bool,
    /// In a valid end state all channels are empty.
    pub ends_empty: bool,
    /// Some process waits for `timeout`.
    pub uses_timeout: bool,
    /// Bytes of a proctype number in the state.
    pub proctype_bytes: u32,
    /// Representation of a channel number.
    pub channel_scalar: Scalar,
    /// Facts for analyses.
    pub usage: Usage,
    /// Embedded C, if there is any.
    pub embedded: Option<Embedded>,
}

/// A proctype, `init`, or the body of a claim.
#[derive(Clone, Debug, Default)]
pub struct ProcessType {
    /// Its name.
    pub name: Text,
    /// Where.
    pub span: Span,
    /// Its automaton.
    pub automaton: Automaton,
    /// The frame: location, priority, parameters, locals. Offsets count from
    /// the start of the frame, the location first.
    pub frame: Area,
    /// Bytes of the location at the start of the frame.
    pub location_bytes: u32,
    /// Offset of the priority, if the model uses priorities.
    pub priority_offset: u32,
    /// Priority of `active` instances.
    pub priority: i32,
    /// Where the flattened parameters lie.
    pub params: Vec<(u32, Scalar)>,
    /// `provided`.
    pub provided: Option<Expr>,
    /// `D_proctype`: at most one transition may be executable.
    pub deterministic: bool,
    /// Whether instances can exist at all: active, or run by some statement.
    pub is_instantiated: bool,
}

/// The automaton of `trace` or `notrace`. Its statements are sends and receives.
#[derive(Clone, Debug, Default)]
pub struct EventTrace {
    /// `notrace`.
    pub negated: bool,
    /// Automaton, shaped like a process without a frame.
    pub body: ProcessType,
    /// Variables holding the channels whose sends matter (offsets of globals).
    pub sends: Vec<crate::Place>,
    /// The same for receives.
    pub receives: Vec<crate::Place>,
}

impl Program {
    /// The statement of an id.
    #[must_use]
    pub fn statement(&self, id: StmtId) -> &Statement {
        &self.statements[id.index()]
    }

    /// A value as a person writes it: symbolic for mtype, `true`/`false` for bool.
    #[must_use]
    pub fn show_value(&self, ty: Type, value: i32) -> String {
        match ty {
            Type::Mtype(set) => self.mtype_name(set.index(), value),
            Type::Bool if value == 1 => "true".into(),
            Type::Bool if value == 0 => "false".into(),
            _ => value.to_string(),
        }
    }

    /// The name of an mtype value, or the number.
    #[must_use]
    pub fn mtype_name(&self, set: usize, value: i32) -> String {
        self.mtypes
            .get(set)
            .and_then(|s| s.names.iter().find(|(_, v)| *v == value))
            .map_or_else(|| value.to_string(), |(name, _)| name.to_string())
    }
}
