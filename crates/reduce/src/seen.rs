//! What a program, its claims and formulas say of processes from outside.

use spinor_program::expr::{Expr, ProctypeId};
use spinor_program::{Base, LocId, Program};
use std::collections::BTreeSet;

/// References into processes.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// `P:x` occurs.
    pub remote_variables: bool,
    /// `pc_value` or `enabled` occurs.
    pub asks_for_locations: bool,
    /// Offsets of global variables whose channels claims or formulas look into.
    pub channels: BTreeSet<u32>,
    /// Locations named by `P@L`.
    pub labels: BTreeSet<(ProctypeId, LocId)>,
}

impl Seen {
    pub fn new(program: &Program, watched: &[Expr]) -> Self {
        let mut seen = Seen::default();
        let mut look = |e: &Expr| match e {
            Expr::RemoteVar { .. } => seen.remote_variables = true,
            Expr::PcValue(_) | Expr::Enabled(_) => seen.asks_for_locations = true,
            Expr::RemoteLabel { proctype, location, .. } => {
                seen.labels.insert((*proctype, *location));
            }
            _ => {}
        };
        program.statements.iter().for_each(|s| s.action.walk(&mut look));
        let provided = program.proctypes.iter().filter_map(|p| p.provided.as_ref());
        let outside = program.usage.propositions.iter().chain(watched);
        provided.chain(outside).for_each(|e| e.walk(&mut look));
        let of_claims = program.claims.iter().flat_map(|c| &c.automaton.locations);
        let of_claims = of_claims.flat_map(|l| &l.transitions).map(|t| t.statement);
        let mut watch = |e: &Expr| {
            let channel = match e {
                Expr::Len(channel) | Expr::Probe(_, channel) => channel,
                Expr::Poll(poll) => &poll.channel,
                _ => return,
            };
            if channel.base == Base::Global {
                seen.channels.insert(channel.offset);
            }
        };
        of_claims.for_each(|id| program.statement(id).action.walk(&mut watch));
        let outside = program.usage.propositions.iter().chain(watched);
        outside.for_each(|e| e.walk(&mut watch));
        seen
    }

    /// Whether nobody can see a process halfway through a chain.
    pub fn allows_merging(&self, program: &Program) -> bool {
        let restricted = program.proctypes.iter().any(|p| p.provided.is_some());
        !restricted && !self.remote_variables && !self.asks_for_locations
    }
}
