//! The components of automata.

use spinor_ltl::{Bdd, Components, Edge, Label, Strength, Tgba, component_strength};
use spinor_program::Automaton;
use spinor_ts::{Component, ComponentClass};

/// A state of an automaton.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub component: Component,
    /// Its runs are accepted from here on whatever happens.
    pub accepts_all: bool,
    /// No component that leads here has an accepting cycle, nor has its own.
    pub is_outside: bool,
}

/// The places of all states of an automaton.
pub(crate) fn of_tgba(automaton: &Tgba) -> Vec<Place> {
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
        Place {
            component: Component { number, class },
            accepts_all: strength == Some(Strength::Terminal),
            is_outside: true,
        }
    };
    let mut places: Vec<Place> = components.of.iter().enumerate().map(describe).collect();
    let accepts = |place: &Place| place.component.class != ComponentClass::NonAccepting;
    let mut inside: Vec<usize> =
        places.iter().enumerate().filter(|(_, place)| accepts(place)).map(|(at, _)| at).collect();
    while let Some(at) = inside.pop() {
        if std::mem::replace(&mut places[at].is_outside, false) {
            inside.extend(automaton.states[at].iter().map(|edge| edge.target));
        }
    }
    places
}

/// The same for the locations of a never claim.
pub(crate) fn of_claim(claim: &Automaton) -> Vec<Place> {
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
    of_tgba(&automaton)
}
