//! The components of automata.

use spinor_ltl::{Bdd, Components, Edge, Label, Strength, Tgba, component_strength};
use spinor_program::Automaton;
use spinor_ts::{Component, ComponentClass};

/// The component of every state of an automaton, and whether its runs are accepted from there on
/// whatever happens.
pub(crate) fn of_tgba(automaton: &Tgba) -> Vec<(Component, bool)> {
    let components = Components::new(automaton);
    let strengths = component_strength(automaton, &components);
    let describe = |(at, component): (usize, &Option<usize>)| {
        let strength = component.and_then(|c| strengths[c]);
        let class = match strength {
            None => ComponentClass::NonAccepting,
            Some(Strength::Terminal | Strength::Weak) => ComponentClass::FullyAccepting,
            Some(Strength::Strong) => ComponentClass::PartlyAccepting,
        };
        // States that are not reachable get numbers after the others.
        let number = component.unwrap_or(components.members.len() + at) as u32;
        (Component { number, class }, strength == Some(Strength::Terminal))
    };
    components.of.iter().enumerate().map(describe).collect()
}

/// The same for the locations of a never claim.
pub(crate) fn of_claim(claim: &Automaton) -> Vec<Component> {
    let edges = |location: &spinor_program::Location| {
        let marks = u64::from(location.is_accepting);
        let edge = |target: usize| Edge { target, marks, label: Label::TRUE };
        location.transitions.iter().map(|t| edge(t.target.index())).collect()
    };
    let automaton = Tgba {
        atoms: Vec::new(),
        bdd: Bdd::default(),
        initial: claim.start.index(),
        states: claim.locations.iter().map(edges).collect(),
        sets: 1,
    };
    of_tgba(&automaton).into_iter().map(|(component, _)| component).collect()
}
