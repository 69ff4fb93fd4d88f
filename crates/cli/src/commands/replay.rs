//! `spinor replay`.

use crate::args::ReplayArgs;
use crate::{app, exit, model, output};
use clap::ArgMatches;
use serde::Serialize;
use spinor_check::{Property, run_of_trail};
use spinor_trace::render::{self, Style};
use spinor_trace::{At, Cycle, Snapshot, Standing, Step, Story, Trail};

pub(crate) fn run(args: &ReplayArgs, matches: &ArgMatches) -> u8 {
    if args.trail.is_none() && model::is_stdin(&args.model.model) {
        output::error("a model from standard input has no trail of its own: name the trail");
        return exit::USAGE;
    }
    let loaded = match model::open(&args.model, matches, false) {
        Ok(loaded) => loaded,
        Err(code) => return code,
    };
    let path = args.trail.clone().unwrap_or_else(|| model::default_trail(&args.model.model));
    let shown = path.display().to_string();
    let text = match std::fs::read(&path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => {
            output::error(&format!(
                "cannot read the trail `{shown}`: {error}; `spinor check` writes one when it \
                 finds an error"
            ));
            return exit::UNREADABLE;
        }
    };
    let trail = match Trail::read(&text).and_then(|t| t.expect_digest(loaded.digest).map(|()| t)) {
        Ok(trail) => trail,
        Err(error) => {
            output::error(&format!("cannot use the trail `{shown}`: {error}"));
            return exit::BAD_MODEL;
        }
    };
    let property = Property::of_trail(&trail);
    let story = match loaded.story(&property, &run_of_trail(&trail), args.full) {
        Ok(Some(story)) => story,
        Ok(None) => return exit::BAD_MODEL,
        Err(error) => {
            output::error(&format!("cannot replay the trail `{shown}`: {error}"));
            return exit::BAD_MODEL;
        }
    };
    if args.json {
        let document = Document::new(&loaded.name, &shown, &trail, &story);
        match serde_json::to_string_pretty(&document) {
            Ok(text) => output::out(&format!("{text}\n")),
            Err(error) => {
                app::internal(&format!("the story cannot be written: {error}"));
                return exit::INTERNAL;
            }
        }
    } else {
        let style = Style { colour: output::out_colour(), excerpt: None };
        output::out(&render::story(&story, style));
    }
    exit::OK
}

/// The JSON document of `replay --json`.
#[derive(Serialize)]
struct Document<'a> {
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
    fn new(model: &'a str, path: &'a str, trail: &'a Trail, story: &'a Story) -> Self {
        Document {
            spinor: env!("CARGO_PKG_VERSION"),
            model,
            trail: path,
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
