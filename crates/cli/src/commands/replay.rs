//! `spinor replay`.

use crate::args::{ModelArgs, ReplayArgs};
use crate::trails::Opened;
use crate::{exit, model, output};
use clap::ArgMatches;
use serde::Serialize;
use spinor_trace::render::{self, Style};
use spinor_trace::{At, Cycle, Snapshot, Standing, Step, Story};
use std::path::Path;

pub(crate) fn run(args: &ReplayArgs, matches: &ArgMatches) -> u8 {
    let told = Told { model: &args.model, trail: args.trail.as_deref(), full: args.full };
    match told.print(matches, args.json) {
        Ok(()) => exit::OK,
        Err(code) => code,
    }
}

/// A trail to be told.
pub(crate) struct Told<'a> {
    pub(crate) model: &'a ModelArgs,
    pub(crate) trail: Option<&'a Path>,
    /// With all variables at each step.
    pub(crate) full: bool,
}

impl Told<'_> {
    /// Tells it; problems are shown.
    pub(crate) fn print(&self, matches: &ArgMatches, json: bool) -> Result<(), u8> {
        let loaded = model::open(self.model, matches)?;
        let opened = Opened::read(&loaded, &self.model.model, self.trail)?;
        let story = opened.story(&loaded, self.full)?;
        if json {
            return output::json(&Document::new(&loaded.name, &opened, &story));
        }
        let style = Style { colour: output::out_colour(), excerpt: None };
        output::out(&render::story(&story, style));
        Ok(())
    }
}

/// The JSON document of `replay --json`.
#[derive(Serialize)]
pub(crate) struct Document<'a> {
    spinor: &'static str,
    model: &'a str,
    trail: &'a str,
    property: PropertyJson<'a>,
    error: Option<Error<'a>>,
    fairness: Option<&'a str>,
    cycle: Option<&'a Cycle>,
    propositions: &'a [String],
    initially: &'a [bool],
    steps: &'a [Step],
    state: &'a Snapshot,
    processes: &'a [Standing],
}

#[derive(Serialize)]
struct PropertyJson<'a> {
    kind: &'a str,
    name: Option<&'a str>,
}

#[derive(Serialize)]
struct Error<'a> {
    kind: &'static str,
    message: &'a str,
    at: Option<&'a At>,
}

impl<'a> Document<'a> {
    pub(crate) fn new(model: &'a str, opened: &'a Opened, story: &'a Story) -> Self {
        let trail = &opened.trail;
        Document {
            spinor: env!("CARGO_PKG_VERSION"),
            model,
            trail: &opened.path,
            property: PropertyJson { kind: &trail.property.0, name: trail.property.1.as_deref() },
            error: story.error.as_ref().map(|e| Error {
                kind: e.kind,
                message: &e.message,
                at: e.at.as_ref().map(|origin| &origin.at),
            }),
            fairness: trail.fairness.as_deref(),
            cycle: story.cycle.as_ref(),
            propositions: &story.propositions,
            initially: &story.initially,
            steps: &story.steps,
            state: &story.state,
            processes: &story.processes,
        }
    }
}
