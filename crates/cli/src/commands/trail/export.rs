//! `spinor trail export`.

use super::write;
use crate::args::{ExportArgs, TrailFormat};
use crate::commands::replay::Document;
use crate::trails::Opened;
use crate::{app, exit, model, output};
use clap::ArgMatches;
use serde::Serialize;
use spinor_check::Loaded;
use spinor_trace::{Chart, Itf, SpinTrail, Trail, View};

pub(super) fn run(args: &ExportArgs, matches: &ArgMatches) -> Result<u8, u8> {
    let loaded = model::open(&args.model, matches)?;
    let opened = Opened::read(&loaded, &args.model.model, args.trail.as_deref())?;
    let text = match args.format {
        TrailFormat::Json => {
            let story = opened.story(&loaded, false)?;
            json(&Document::new(&loaded.name, &opened, &story))?
        }
        TrailFormat::Itf => {
            let mut view = view(&loaded, &opened)?;
            let itf = Itf::of_run(&mut view, &opened.run, &opened.trail.message);
            json(&itf.map_err(|error| lost(&opened, &error))?)?
        }
        TrailFormat::Mermaid => chart(&loaded, &opened)?.mermaid(),
        TrailFormat::Svg => chart(&loaded, &opened)?.svg(),
        TrailFormat::Text => chart(&loaded, &opened)?.text(),
        TrailFormat::Spin => spin(&loaded, &opened)?,
        TrailFormat::Spinor => {
            let story = opened.story(&loaded, false)?;
            Trail { steps: Trail::steps_of(&story), ..opened.trail }.write()
        }
    };
    write(args.output.as_deref(), &text)?;
    Ok(exit::OK)
}

fn view<'a>(loaded: &'a Loaded, opened: &Opened) -> Result<View<'a>, u8> {
    loaded.view(&opened.property).ok_or(exit::BAD_MODEL)
}

fn lost(opened: &Opened, error: &impl std::fmt::Display) -> u8 {
    output::error(&format!("cannot replay the trail `{}`: {error}", opened.path));
    exit::BAD_MODEL
}

fn chart(loaded: &Loaded, opened: &Opened) -> Result<Chart, u8> {
    Ok(Chart::of(&opened.story(loaded, false)?))
}

fn json(document: &impl Serialize) -> Result<String, u8> {
    let text = serde_json::to_string_pretty(document).map_err(|error| {
        app::internal(&format!("the document cannot be written: {error}"));
        exit::INTERNAL
    })?;
    Ok(format!("{text}\n"))
}

fn spin(loaded: &Loaded, opened: &Opened) -> Result<String, u8> {
    let mut view = view(loaded, opened)?;
    let trail = SpinTrail::of_run(&mut view, &opened.run).map_err(|error| lost(opened, &error))?;
    if opened.property.kind == spinor_check::PropertyKind::Ltl {
        output::warning(
            "SPIN has its own automaton for the formula: the trail has the steps of the processes \
             only",
        );
    }
    Ok(trail.text())
}
