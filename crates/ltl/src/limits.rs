//! How far a translation may go.

/// Bounds on a translation: past any of them it stops with [`TooLarge`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// States of the automaton before reduction.
    pub max_states: usize,
    /// Edges of the automaton before reduction.
    pub max_edges: usize,
    /// Nodes of the decision diagrams behind the labels.
    pub max_nodes: usize,
    /// Steps of the tableau; as many again for each reduction, which is cut short
    /// without an error when they are used up.
    pub max_steps: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { max_states: 20_000, max_edges: 100_000, max_nodes: 500_000, max_steps: 4_000_000 }
    }
}

/// What a translation ran out of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// States of the automaton.
    States,
    /// Edges of the automaton.
    Edges,
    /// Nodes of decision diagrams.
    Nodes,
    /// Atoms and distinct subformulas taken together.
    Variables,
    /// Steps of the tableau.
    Steps,
    /// Acceptance sets: distinct right sides of untils.
    AcceptanceSets,
}

impl std::fmt::Display for Resource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Resource::States => "states",
            Resource::Edges => "edges",
            Resource::Nodes => "diagram nodes",
            Resource::Variables => "atoms and subformulas",
            Resource::Steps => "steps",
            Resource::AcceptanceSets => "acceptance sets",
        })
    }
}

/// The automaton of a formula would be too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the automaton of the formula needs more than {limit} {resource}")]
pub struct TooLarge {
    /// What there was too much of.
    pub resource: Resource,
    /// How much would have been allowed.
    pub limit: usize,
}

impl Limits {
    pub(crate) fn check(
        &self,
        resource: Resource,
        used: usize,
        limit: usize,
    ) -> Result<(), TooLarge> {
        if used > limit { Err(TooLarge { resource, limit }) } else { Ok(()) }
    }
}
