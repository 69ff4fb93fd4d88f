//! Reading the trail that the command line names: one of ours, or one of SPIN's.

use crate::{exit, model, output};
use spinor_check::{Loaded, Property, PropertyKind, run_of_trail};
use spinor_trace::{Run, SpinClaim, SpinTrail, Story, Trail, describe};
use std::path::Path;

/// A trail and the run that it keeps.
pub(crate) struct Opened {
    /// Name of the file.
    pub(crate) path: String,
    /// As in a file of ours.
    pub(crate) trail: Trail,
    pub(crate) property: Property,
    pub(crate) run: Run,
    /// Whether SPIN wrote it.
    pub(crate) is_foreign: bool,
}

impl Opened {
    /// Reads the trail of a model; problems are shown.
    pub(crate) fn read(loaded: &Loaded, model: &Path, path: Option<&Path>) -> Result<Self, u8> {
        if path.is_none() && model::is_stdin(model) {
            output::error("a model from standard input has no trail of its own: name the trail");
            return Err(exit::USAGE);
        }
        let path = path.map_or_else(|| model::default_trail(model), Path::to_path_buf);
        let shown = path.display().to_string();
        let text = match std::fs::read(&path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) => {
                output::error(&format!(
                    "cannot read the trail `{shown}`: {error}; `spinor check` writes one when it \
                     finds an error"
                ));
                return Err(exit::UNREADABLE);
            }
        };
        let opened = if SpinTrail::is_one(&text) {
            of_spin(loaded, &shown, &text)
        } else {
            of_spinor(loaded, &shown, &text)
        };
        opened.map_err(|reason| {
            output::error(&format!("cannot use the trail `{shown}`: {reason}"));
            exit::BAD_MODEL
        })
    }

    /// The run step by step; problems are shown.
    pub(crate) fn story(&self, loaded: &Loaded, full: bool) -> Result<Story, u8> {
        match loaded.story(&self.property, &self.run, full) {
            Ok(Some(story)) => Ok(story),
            Ok(None) => Err(exit::BAD_MODEL),
            Err(error) => {
                output::error(&format!("cannot replay the trail `{}`: {error}", self.path));
                Err(exit::BAD_MODEL)
            }
        }
    }
}

fn of_spinor(loaded: &Loaded, path: &str, text: &str) -> Result<Opened, String> {
    let trail = Trail::read(text).map_err(|error| error.to_string())?;
    trail.expect_digest(loaded.digest).map_err(|error| error.to_string())?;
    let (property, run) = (Property::of_trail(&trail), run_of_trail(&trail));
    Ok(Opened { path: path.to_owned(), trail, property, run, is_foreign: false })
}

fn of_spin(loaded: &Loaded, path: &str, text: &str) -> Result<Opened, String> {
    let spin = SpinTrail::read(text).map_err(|error| error.to_string())?;
    let Some(program) = &loaded.program else { return Err("the model has errors".to_owned()) };
    let property = property(loaded, &spin, &spin.claim_in(program));
    let Some(mut view) = loaded.view(&property) else {
        return Err("the model has errors".to_owned());
    };
    let followed = spin.follow(&mut view).map_err(|error| error.to_string())?;
    let described = followed.violation.map(|violation| describe(&view, violation, None));
    let trail = Trail {
        model: loaded.name.clone(),
        digest: loaded.digest,
        property: (property.kind.name().to_owned(), property.name.clone()),
        kind: described.as_ref().map_or("none", |d| d.kind).to_owned(),
        site: followed.violation.map_or(0, |violation| violation.site),
        message: described.map(|d| d.message).unwrap_or_default(),
        formula: property.formula.clone(),
        fairness: None,
        events: followed.run.moves.clone(),
        cycle_start: followed.run.cycle_start,
        steps: Vec::new(),
    };
    let run = followed.run;
    Ok(Opened { path: path.to_owned(), trail, property, run, is_foreign: true })
}

/// What a trail of SPIN is about.
fn property(loaded: &Loaded, spin: &SpinTrail, claim: &SpinClaim) -> Property {
    let named = |kind, name: Option<String>| Property { kind, name, formula: None };
    let never = |index: usize| {
        let claims = loaded.program.iter().flat_map(|program| &program.claims);
        claims.map(|claim| claim.name.to_string()).nth(index)
    };
    match claim {
        SpinClaim::None if spin.cycle_start.is_some() => named(PropertyKind::Acceptance, None),
        SpinClaim::None => named(PropertyKind::Safety, None),
        SpinClaim::NonProgress => named(PropertyKind::NonProgress, None),
        SpinClaim::Never(index) => named(PropertyKind::Never, never(*index)),
        SpinClaim::Ltl(index) => {
            let blocks = loaded.model.iter().flat_map(|model| &model.ltl);
            let name = blocks.map(|ltl| ltl.name.to_string()).nth(*index);
            let formula = name.as_deref().and_then(|name| written(loaded, name));
            Property { kind: PropertyKind::Ltl, name, formula }
        }
    }
}

/// The formula of an `ltl` block as it is written.
fn written(loaded: &Loaded, name: &str) -> Option<String> {
    let mut blocks = loaded.model.iter().flat_map(|model| &model.ltl);
    let span = blocks.find(|ltl| *ltl.name == *name)?.span;
    let text = loaded.sources.file(span.file).text.get(span.lo as usize..)?;
    let inside = &text[text.find('{')? + 1..];
    let mut depth = 1;
    let end = inside.find(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth == 0
    })?;
    Some(inside[..end].split_whitespace().collect::<Vec<_>>().join(" "))
}
