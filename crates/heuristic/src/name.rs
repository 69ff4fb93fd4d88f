//! The names of estimates.

/// An estimate by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Heuristic {
    /// Number of processes that can move (the paper's H_ap).
    Active,
    /// The inferred deadlock formula (H_f).
    Deadlock,
    /// The same with the locations that the designer marked (H_f + U).
    Danger,
    /// The formula that is claimed or asserted (H_f).
    Formula,
    /// A lower bound for all errors looked for.
    Bound,
    /// Distances of all processes to where they are in a given state.
    Fsm,
    /// Bits that differ from a given state.
    Hamming,
    /// Nothing.
    None,
}

impl Heuristic {
    /// All of them.
    pub const ALL: [Heuristic; 8] = [
        Heuristic::Active,
        Heuristic::Deadlock,
        Heuristic::Danger,
        Heuristic::Formula,
        Heuristic::Bound,
        Heuristic::Fsm,
        Heuristic::Hamming,
        Heuristic::None,
    ];

    /// As on the command line and in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Heuristic::Active => "active",
            Heuristic::Deadlock => "deadlock",
            Heuristic::Danger => "danger",
            Heuristic::Formula => "formula",
            Heuristic::Bound => "bound",
            Heuristic::Fsm => "fsm",
            Heuristic::Hamming => "hamming",
            Heuristic::None => "none",
        }
    }

    /// The estimate of a name.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Heuristic::ALL.into_iter().find(|heuristic| heuristic.name() == name)
    }

    /// Whether it is about one given state.
    #[must_use]
    pub fn needs_target(self) -> bool {
        matches!(self, Heuristic::Fsm | Heuristic::Hamming)
    }
}
