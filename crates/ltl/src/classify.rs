//! How hard it is to find an accepting run.

use crate::automaton::Tgba;
use crate::bdd::Label;
use crate::scc::Components;

/// What a search for accepting runs must do, from least to most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// Reaching an accepting component is enough: from there every run accepts.
    Terminal,
    /// Any cycle in an accepting component accepts: one search suffices.
    Weak,
    /// Cycles that accept and cycles that do not share a component.
    Strong,
}

impl std::fmt::Display for Strength {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Strength::Terminal => "terminal",
            Strength::Weak => "weak",
            Strength::Strong => "strong",
        })
    }
}

/// The strength of each component; `None` for those that do not accept.
pub fn component_strength(automaton: &Tgba, components: &Components) -> Vec<Option<Strength>> {
    let mut bdd = automaton.bdd.clone();
    let mut found: Vec<Option<Strength>> = Vec::with_capacity(components.members.len());
    for (c, members) in components.members.iter().enumerate() {
        if !components.is_accepting(automaton, c) {
            found.push(None);
            continue;
        }
        if !components.is_fully_accepting(automaton, c) {
            found.push(Some(Strength::Strong));
            continue;
        }
        let stays = |t: usize| {
            let d = components.of[t].expect("reached from a component");
            d == c || found[d] == Some(Strength::Terminal)
        };
        let is_terminal = members.iter().all(|&s| {
            let safe = automaton.states[s].iter().filter(|e| stays(e.target));
            safe.fold(Label::FALSE, |all, e| bdd.or(all, e.label)) == Label::TRUE
        });
        found.push(Some(if is_terminal { Strength::Terminal } else { Strength::Weak }));
    }
    found
}

/// The strength of the whole: that of its strongest component.
pub fn strength(automaton: &Tgba) -> Strength {
    let components = Components::new(automaton);
    let strengths = component_strength(automaton, &components);
    strengths.into_iter().flatten().max().unwrap_or(Strength::Terminal)
}
