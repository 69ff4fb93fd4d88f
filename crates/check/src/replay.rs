//! Counterexamples again: as stories, from trails.

use crate::{ErrorReport, Loaded, Property, PropertyKind};
use spinor_exec::Options;
use spinor_program::Program;
use spinor_trace::{ReplayError, Story, Trail, View};
use std::sync::Arc;

/// How the interpreter runs for a property.
pub(crate) fn options(program: &Program, property: &Property) -> Options {
    let named = |name: &String| program.claims.iter().position(|c| *c.name == **name);
    let claim = match property.kind {
        PropertyKind::Never => property.name.as_ref().and_then(named),
        _ => None,
    };
    Options { claim, ..Options::default() }
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
        path: &[u32],
        full: bool,
    ) -> Result<Option<Story>, ReplayError> {
        let Some(mut view) = self.view(property) else { return Ok(None) };
        Story::tell(&mut view, path, full).map(Some)
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
        Property { kind, name: name.clone(), formula: None }
    }
}
