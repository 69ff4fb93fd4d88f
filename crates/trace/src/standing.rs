//! Where each process stands in a state, and what it waits for.

use crate::{Origin, View, statement};
use serde::Serialize;

/// A process in a state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// Name of its proctype.
    pub name: String,
    /// Its number.
    pub pid: usize,
    /// The statement it stands at.
    pub at: Option<Origin>,
    /// The statements that it could execute next if they were executable.
    pub next: Vec<String>,
    /// Whether it may rest here at the end.
    pub may_end: bool,
}

impl Standing {
    /// All processes of a state by pid.
    #[must_use]
    pub fn all(view: &View<'_>, state: &[u8]) -> Vec<Self> {
        (0..view.exec.shape(state).frames.len())
            .filter_map(|pid| Self::of(view, state, pid))
            .collect()
    }

    fn of(view: &View<'_>, state: &[u8], pid: usize) -> Option<Self> {
        let process = view.process(state, pid)?;
        let at = view.location(state, pid);
        let location = &process.automaton.locations[at.index()];
        let mut next: Vec<String> = Vec::new();
        for transition in &location.transitions {
            let text = statement::text(&view.program, view.sources, transition.statement);
            if !next.contains(&text) {
                next.push(text);
            }
        }
        let first = location.transitions.first();
        let at = first.map(|t| Origin::of_statement(&view.program, view.sources, t.statement));
        Some(Standing { name: process.name.to_string(), pid, at, next, may_end: location.is_end })
    }

    /// `waits for …`, `at its end`.
    #[must_use]
    pub fn waits_for(&self) -> String {
        match self.next.as_slice() {
            [] => "is stuck for ever: no option can be executed".to_owned(),
            [one] if one == "-end-" => "is at its end".to_owned(),
            options => {
                let options: Vec<String> = options.iter().map(|o| format!("`{o}`")).collect();
                format!("waits for {}", options.join(" or "))
            }
        }
    }
}
