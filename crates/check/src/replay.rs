//! Counterexamples again: as stories, from trails.

use crate::property::specification;
use crate::{ErrorReport, Loaded, Property, PropertyKind};
use spinor_exec::{Options, Proposition};
use spinor_program::Program;
use spinor_trace::{Interest, ReplayError, Run, Story, Trail, View, Watched};
use spinor_ts::{Violation, ViolationKind};
use std::sync::Arc;

/// How the interpreter runs for a property.
pub(crate) fn options(program: &Program, property: &Property) -> Options {
    let named = |name: &String| program.claims.iter().position(|c| *c.name == **name);
    let claim = match property.kind {
        PropertyKind::Never => property.name.as_ref().and_then(named),
        _ => None,
    };
    // What a trace declaration says belongs to safety.
    let no_trace = !matches!(property.kind, PropertyKind::Safety | PropertyKind::Never);
    Options { claim, no_trace, ..Options::default() }
}

impl Loaded {
    /// A view on the runs of the model that a property is about; none if the
    /// model has errors.
    #[must_use]
    pub fn view(&self, property: &Property) -> Option<View<'_>> {
        let program: &Arc<Program> = self.program.as_ref()?;
        Some(View::new(program, &self.sources, options(program, property)))
    }

    /// The counterexample of an error, step by step; with `full`, all variables
    /// at each step.
    ///
    /// # Errors
    /// The error is not one of this model.
    pub fn story(
        &self,
        property: &Property,
        run: &Run,
        full: bool,
    ) -> Result<Option<Story>, ReplayError> {
        let Some(mut view) = self.view(property) else { return Ok(None) };
        let interest = Interest { full, watched: self.watched(property) };
        let mut story = Story::tell(&mut view, run, &interest)?;
        story.error = story.error.map(|error| property.describe_violation(self, error));
        Ok(Some(story))
    }

    /// The propositions of a formula.
    fn watched(&self, property: &Property) -> Vec<Watched> {
        let specification = match property.kind {
            PropertyKind::Ltl => specification(self, property).ok(),
            _ => None,
        };
        let atoms = specification.into_iter().flat_map(|s| s.atoms);
        atoms
            .map(|atom| Watched { proposition: Proposition::new(&atom.expr), text: atom.text })
            .collect()
    }

    /// The trail of an error, complete with its steps.
    #[must_use]
    pub fn trail(&self, error: &ErrorReport, story: &Story) -> Trail {
        Trail { steps: Trail::steps_of(story), ..error.trail.clone() }
    }
}

impl Property {
    /// The property that a trail is about.
    #[must_use]
    pub fn of_trail(trail: &Trail) -> Self {
        let (kind, name) = &trail.property;
        let kind = match kind.as_str() {
            "never" => PropertyKind::Never,
            "ltl" => PropertyKind::Ltl,
            "acceptance" => PropertyKind::Acceptance,
            "non-progress" => PropertyKind::NonProgress,
            _ => PropertyKind::Safety,
        };
        Property { kind, name: name.clone(), formula: trail.formula.clone() }
    }
}

/// The run that a trail keeps.
#[must_use]
pub fn run_of_trail(trail: &Trail) -> Run {
    let kind = match trail.kind.as_str() {
        "acceptance-cycle" => Some(ViolationKind::AcceptanceCycle),
        "non-progress-cycle" => Some(ViolationKind::NonProgressCycle),
        "claim-violated" if trail.property.0 == "ltl" => Some(ViolationKind::ClaimViolated),
        _ => None,
    };
    Run {
        moves: trail.events.clone(),
        cycle_start: trail.cycle_start,
        violation: kind.map(|kind| Violation { kind, site: trail.site }),
    }
}
