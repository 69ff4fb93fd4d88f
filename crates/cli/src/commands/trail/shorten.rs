//! `spinor trail shorten`.

mod directed;

use super::write;
use crate::args::ShortenArgs;
use crate::progress::Progress;
use crate::trails::Opened;
use crate::{app, exit, memory, model, output};
use clap::ArgMatches;
use spinor_check::{
    CheckConfig, CheckError, ErrorReport, Fairness, Loaded, PropertyKind, PropertyReport,
    SearchOrder, ViolationKind, check,
};
use spinor_trace::{Run, SpinTrail, Trail, kind_name};
use std::path::PathBuf;

/// Errors that finite runs end in.
const FINITE: [ViolationKind; 4] = [
    ViolationKind::Assertion,
    ViolationKind::InvalidEndState,
    ViolationKind::TraceViolated,
    ViolationKind::Runtime,
];

pub(super) fn run(args: &ShortenArgs, matches: &ArgMatches) -> Result<u8, u8> {
    let loaded = model::open(&args.model, matches)?;
    let opened = Opened::read(&loaded, &args.model.model, args.trail.as_deref())?;
    if opened.trail.kind == "none" {
        output::error(&format!("the trail `{}` does not end in an error", opened.path));
        return Err(exit::USAGE);
    }
    let to = match &args.output {
        Some(path) => path.clone(),
        None if opened.is_foreign => {
            output::error(&format!(
                "`{}` is a trail of SPIN: name a file for the shorter one with `-o`",
                opened.path
            ));
            return Err(exit::USAGE);
        }
        None => PathBuf::from(&opened.path),
    };
    let long = length(&loaded, &opened, &opened.run)?;
    // A run towards the last state of the long one is soon found, a shortest one perhaps not.
    let near = directed::search(args, &loaded, &opened, long)?;
    let Some((found, is_complete)) =
        search(args, &loaded, &opened)?.or_else(|| near.map(|found| (found, false)))
    else {
        output::out("the search ended at its limits before it found the error again\n");
        return Ok(exit::INCOMPLETE);
    };
    let short = length(&loaded, &opened, &found.run)?;
    if short >= long {
        let proved = if is_complete { "" } else { " was found" };
        output::out(&format!("no shorter run to this error{proved}: {long} steps\n"));
        return Ok(exit::OK);
    }
    let story = loaded.story(&opened.property, &found.run, false);
    let Ok(Some(story)) = story else {
        app::internal("the shorter run cannot be replayed");
        return Err(exit::INTERNAL);
    };
    let trail = Trail { steps: Trail::steps_of(&story), ..found.trail };
    write(Some(&to), &trail.write())?;
    let path = to.display();
    output::out(&format!("{short} steps instead of {long}: written to `{path}`\n"));
    Ok(exit::OK)
}

/// Elementary steps of a run.
fn length(loaded: &Loaded, opened: &Opened, run: &Run) -> Result<usize, u8> {
    let mut view = loaded.view(&opened.property).ok_or(exit::BAD_MODEL)?;
    let trail = SpinTrail::of_run(&mut view, run).map_err(|error| {
        output::error(&format!("cannot replay the trail `{}`: {error}", opened.path));
        exit::BAD_MODEL
    })?;
    Ok(trail.steps.len())
}

/// Searches for the same error breadth first; none if a limit came first. Says whether there can
/// be no shorter one.
fn search(
    args: &ShortenArgs,
    loaded: &Loaded,
    opened: &Opened,
) -> Result<Option<(ErrorReport, bool)>, u8> {
    let is_same = |error: &ErrorReport| is_same(opened, error);
    // Stopping at the first error is cheaper, but there may be others of that kind.
    for max_errors in [1, 0] {
        let reports = checked(loaded, &config(args, opened, max_errors))?;
        let is_lasso = opened.run.cycle_start.is_some();
        let limited = reports.iter().any(|report| !report.limits.is_empty());
        let found = reports.into_iter().flat_map(|report| report.errors).find(is_same);
        if let Some(found) = found {
            return Ok(Some((found, !is_lasso)));
        }
        if limited {
            return Ok(None);
        }
    }
    Ok(None)
}

/// Whether an error is the one at the end of the trail.
fn is_same(opened: &Opened, error: &ErrorReport) -> bool {
    let trail = &opened.trail;
    kind_name(error.violation.kind) == trail.kind && error.violation.site == trail.site
}

/// Checks, and shows what cannot be done.
fn checked(loaded: &Loaded, config: &CheckConfig) -> Result<Vec<PropertyReport>, u8> {
    let mut progress = Progress::new();
    let result = check(loaded, config, &mut progress);
    progress.finish();
    result.map_err(|error| match error {
        CheckError::Internal(message) => {
            app::internal(&message);
            exit::INTERNAL
        }
        error => {
            output::error(&error.to_string());
            exit::BAD_MODEL
        }
    })
}

fn config(args: &ShortenArgs, opened: &Opened, max_errors: u64) -> CheckConfig {
    let property = &opened.property;
    let by_formula = property.kind == PropertyKind::Ltl && property.name.is_none();
    let name = property.name.clone().unwrap_or_else(|| property.kind.name().to_owned());
    let others = FINITE.into_iter().filter(|kind| kind_name(*kind) != opened.trail.kind);
    CheckConfig {
        properties: if by_formula { Vec::new() } else { vec![name] },
        formulas: property.formula.iter().filter(|_| by_formula).cloned().collect(),
        ignore: others.collect(),
        order: opened.run.cycle_start.is_none().then_some(SearchOrder::Bfs),
        shortest: true,
        max_errors,
        memory_limit_bytes: args.memory.or_else(memory::default_limit),
        time_limit: args.timeout,
        fairness: match opened.trail.fairness.as_deref() {
            Some("weak") => Fairness::Weak,
            Some("strong") => Fairness::Strong,
            _ => Fairness::None,
        },
        ..CheckConfig::default()
    }
}
