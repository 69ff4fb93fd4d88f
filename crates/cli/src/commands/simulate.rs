//! `spinor simulate`.

mod document;
mod interactive;
mod printer;

use crate::args::SimulateArgs;
use crate::trails::Opened;
use crate::{exit, interrupt, model, output};
use clap::ArgMatches;
use document::Document;
use printer::Printer;
use spinor_check::{Loaded, Property, PropertyKind};
use spinor_sim::{Chance, Ending, Simulation};
use spinor_trace::render::{self, Style};
use spinor_trace::{Interest, Story};
use std::time::{SystemTime, UNIX_EPOCH};

pub(crate) fn run(args: &SimulateArgs, matches: &ArgMatches) -> u8 {
    match try_run(args, matches) {
        Ok(code) | Err(code) => code,
    }
}

fn try_run(args: &SimulateArgs, matches: &ArgMatches) -> Result<u8, u8> {
    if args.interactive && model::is_stdin(&args.model.model) {
        output::error("standard input cannot be both the model and your choices");
        return Err(exit::USAGE);
    }
    let loaded = model::open(&args.model, matches)?;
    if let Some(path) = &args.trail {
        let opened = Opened::read(&loaded, &args.model.model, Some(path))?;
        return guided(args, &loaded, &opened);
    }
    free(args, &loaded)
}

/// A run by chance or by choice.
fn free(args: &SimulateArgs, loaded: &Loaded) -> Result<u8, u8> {
    // Claims watch the runs of a model, they do not take part in them.
    let safety = Property { kind: PropertyKind::Safety, name: None, formula: None };
    let view = loaded.view(&safety).ok_or(exit::BAD_MODEL)?;
    let interest = Interest { full: args.full, ..Interest::default() };
    let mut simulation = Simulation::new(view, &interest, args.interactive);
    let seed = args.seed.unwrap_or_else(any_seed);
    let mut chance = Chance::new(seed);
    let mut printer = Printer::new(args);
    printer.heading(args, &loaded.name, seed);
    let random = if args.interactive { args.skip.min(args.steps) } else { args.steps };
    by_chance(&mut simulation, &mut chance, random, args.steps, &mut printer);
    if args.interactive {
        interactive::run(&mut simulation, &mut chance, args.steps, &mut printer);
    }
    simulation.end(Ending::Bound);
    let ending = simulation.ending().unwrap_or(Ending::Quit);
    let steps = printer.finish();
    let story = simulation.story(steps);
    if args.json {
        let document = Document::of_run(&loaded.name, seed, args, &simulation, &story);
        output::json(&document)?;
    } else {
        output::out(&last_words(&story, ending, simulation.steps()));
    }
    Ok(match (ending, story.violation) {
        (Ending::Interrupted, _) => exit::INTERRUPTED,
        (_, Some(violation)) => exit::of_violation(violation.kind),
        (Ending::GivenUp, None) => exit::INCOMPLETE,
        _ => exit::OK,
    })
}

/// Takes random moves until there are `until` steps. A move may be longer, but not beyond `bound`.
fn by_chance(
    simulation: &mut Simulation<'_, '_>,
    chance: &mut Chance,
    until: u64,
    bound: u64,
    printer: &mut Printer,
) {
    while simulation.ending().is_none() && simulation.steps() < until {
        if interrupt::is_requested() {
            simulation.end(Ending::Interrupted);
            return;
        }
        let Some(draw) = simulation.draw(chance) else { return };
        let room = bound - simulation.steps();
        if printer.wants_steps() {
            let choice = simulation.choice_of(draw);
            let Some(happened) = choice.and_then(|c| simulation.take(&c, room)) else { return };
            printer.show(happened.steps);
        } else {
            let Some(printed) = simulation.pass(draw, room) else { return };
            printer.print(&printed);
        }
    }
}

/// The run of a trail.
fn guided(args: &SimulateArgs, loaded: &Loaded, opened: &Opened) -> Result<u8, u8> {
    let mut story = opened.story(loaded, args.full)?;
    let bound = usize::try_from(args.steps).unwrap_or(usize::MAX);
    let is_cut = story.steps.len() > bound;
    story.steps.truncate(bound);
    let count = story.steps.len() as u64;
    let ending = if is_cut { Ending::Bound } else { Ending::TrailEnds };
    let mut printer = Printer::new(args);
    if args.json || args.columns || args.quiet {
        printer.show(std::mem::take(&mut story.steps));
        story.steps = printer.finish();
    } else {
        story.steps = printer.keep(story.steps);
    }
    if args.json {
        output::json(&Document::of_trail(&loaded.name, args, &story, ending, count))?;
    } else if args.columns || args.quiet {
        output::out(&last_words(&story, ending, count));
    } else {
        let style = Style { colour: output::out_colour(), excerpt: None };
        output::out(&render::story(&story, style));
    }
    Ok(exit::OK)
}

/// The error, why the run ended, and the final state.
fn last_words(story: &Story, ending: Ending, steps: u64) -> String {
    let style = Style { colour: output::out_colour(), excerpt: None };
    let mut out = String::new();
    if let Some(error) = &story.error {
        let at = error.at.as_ref().map(|a| format!(" ({})", a.at)).unwrap_or_default();
        out.push_str(&format!("  {} {}{at}\n", style.red("error:"), error.message));
    }
    let s = if steps == 1 { "" } else { "s" };
    let count =
        if ending == Ending::Bound { String::new() } else { format!(" after {steps} step{s}") };
    out.push_str(&format!("\n{} {}{count}\n", style.bold("end:"), ending.describe(steps)));
    out.push_str(&render::ending(story, style));
    out
}

/// Another seed each time, short enough to be typed again.
fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
    let mut chance = Chance::new(now as u64);
    chance.below(1_000_000) as u64
}
