//! `spinor check`.

mod guidance;

use crate::args::{self, CheckArgs, Cycles, Engine, Fairness, Ignore, Order, Store};
use crate::progress::Progress;
use crate::report::{json, text};
use crate::{app, exit, last_words, memory, model, output};
use clap::ArgMatches;
use spinor_check::{
    CheckConfig, CheckError, CycleSearch, EngineKind, Loaded, Pass, PropertyReport, SearchOrder,
    StoreKind, ViolationKind, check,
};
use spinor_trace::Story;
use std::collections::BTreeSet;
use std::path::PathBuf;

pub(crate) fn run(args: &CheckArgs, matches: &ArgMatches) -> u8 {
    let mut config = match config(args) {
        Ok(config) => config,
        Err(message) => {
            output::error(&message);
            return exit::USAGE;
        }
    };
    last_words::prepare(&args.model.model, args.json);
    let c = args.model.c.policy(args.timeout);
    let loaded = match model::read(&args.model, matches, c) {
        Ok(loaded) => loaded,
        Err(code) => return code,
    };
    if !loaded.is_usable() {
        if args.json {
            print_json(&loaded, &[], None);
        }
        return exit::BAD_MODEL;
    }
    if let Some(path) = &args.target {
        match guidance::target(&loaded, args, path) {
            Ok(events) => config.guidance.target = Some(events),
            Err(code) => return code,
        }
    }
    let mut progress = Progress::new();
    let result = check(&loaded, &config, &mut progress);
    progress.finish();
    match result {
        Ok(reports) => finish(args, &loaded, &reports),
        Err(CheckError::Internal(message)) => {
            app::internal(&message);
            exit::INTERNAL
        }
        Err(CheckError::Unusable) => exit::BAD_MODEL,
        Err(
            error @ (CheckError::UnknownProperty { .. }
            | CheckError::BadFormula { .. }
            | CheckError::Refused(_)
            | CheckError::BadEstimate { .. }),
        ) => {
            output::error(&error.to_string());
            exit::USAGE
        }
    }
}

/// The configuration, or what cannot be done.
fn config(args: &CheckArgs) -> Result<CheckConfig, String> {
    let order = match args.search {
        None => None,
        Some(Order::Dfs) => Some(SearchOrder::Dfs),
        Some(Order::Bfs) => Some(SearchOrder::Bfs),
        Some(Order::Stateless) => Some(SearchOrder::Stateless),
        Some(Order::BestFirst) => Some(SearchOrder::BestFirst),
        Some(Order::Astar) => Some(SearchOrder::Astar),
        Some(Order::Wastar) => Some(SearchOrder::Wastar),
        Some(Order::Ida) => Some(SearchOrder::Ida),
        Some(Order::Beam) => Some(SearchOrder::Beam),
        Some(Order::RandomWalk) => Some(SearchOrder::RandomWalk),
    };
    let store = match args.store {
        None => None,
        Some(Store::Tree) => Some(StoreKind::Tree),
        Some(Store::Exact) => Some(StoreKind::Exact),
        Some(Store::Collapse) => Some(StoreKind::Collapse),
        Some(Store::Automaton) => Some(StoreKind::Automaton),
        Some(Store::HashCompact) => Some(StoreKind::HashCompact),
        Some(Store::Bitstate) => Some(StoreKind::Bitstate),
        Some(Store::Auto) => Some(StoreKind::Auto),
    };
    let has_bits = matches!(store, Some(StoreKind::Bitstate | StoreKind::Auto));
    if !has_bits && args.swarm.is_none() {
        let given = [("--bits", args.bits), ("--hash-functions", args.hash_functions)];
        if let Some((option, _)) = given.iter().find(|(_, value)| value.is_some()) {
            return Err(format!("`{option}` is for `--store bitstate` and `--swarm`"));
        }
    }
    let guidance = guidance::read(args, order)?;
    if args.threads == Some(0) {
        return Err("`--threads` needs at least 1".to_owned());
    }
    Ok(CheckConfig {
        properties: args.property.clone(),
        formulas: args.ltl.clone(),
        no_claim: args.no_claim,
        ignore: args
            .ignore
            .iter()
            .map(|kind| match kind {
                Ignore::Deadlock => ViolationKind::InvalidEndState,
                Ignore::Assert => ViolationKind::Assertion,
            })
            .collect(),
        order,
        max_depth: (args.depth > 0).then_some(args.depth),
        shortest: args.shortest,
        max_errors: args.max_errors,
        memory_limit_bytes: args.memory.or_else(memory::default_limit),
        time_limit: args.timeout,
        threads: args.threads,
        store,
        fairness: match args.fairness {
            Fairness::None => spinor_check::Fairness::None,
            Fairness::Weak => spinor_check::Fairness::Weak,
            Fairness::Strong => spinor_check::Fairness::Strong,
        },
        cycles: args.cycles.map(|cycles| match cycles {
            Cycles::Ndfs => CycleSearch::Ndfs,
            Cycles::Indfs => CycleSearch::Indfs,
            Cycles::Scc => CycleSearch::Scc,
        }),
        engine: match args.engine {
            Engine::Auto => EngineKind::Auto,
            Engine::Native => EngineKind::Native,
            Engine::Interpreter => EngineKind::Interpreter,
        },
        disabled: disabled(args),
        bits: args.bits,
        hash_functions: args.hash_functions,
        customs: spinor_check::Customs::default(),
        guidance,
        hash_seed: args.hash_seed,
        swarm: args.swarm,
        cache_bytes: args.cache,
        context_bound: args.context_bound,
    })
}

fn disabled(args: &CheckArgs) -> BTreeSet<Pass> {
    if args.plain {
        return Pass::ALL.into();
    }
    let named = args.disable.iter().map(|pass| match pass {
        args::Pass::Reduction => Pass::Reduction,
        args::Pass::Merging => Pass::Merging,
        args::Pass::DeadVariables => Pass::DeadVariables,
        args::Pass::WriteOnly => Pass::WriteOnly,
    });
    named.chain(args.no_reduction.then_some(Pass::Reduction)).collect()
}

fn finish(args: &CheckArgs, loaded: &Loaded, reports: &[PropertyReport]) -> u8 {
    let story = match first_story(loaded, reports) {
        Ok(story) => story,
        Err(message) => {
            app::internal(&message);
            return exit::INTERNAL;
        }
    };
    let trail = story.as_ref().and_then(|story| write_trail(args, loaded, reports, story));
    if args.json {
        print_json(loaded, reports, trail.as_deref());
    } else {
        let kept = trail.as_deref().map(|path| text::Kept { path, replay: replay(args, path) });
        output::out(&text::report(loaded, reports, story.as_ref(), kept.as_ref()));
    }
    exit::of(reports)
}

/// The command that tells a trail again, ready for a shell.
fn replay(args: &CheckArgs, trail: &str) -> String {
    let model = &args.model;
    let mut words = vec!["spinor".to_owned(), "replay".to_owned()];
    words.extend(model.define.iter().map(|d| format!("-D{d}")));
    words.extend(model.undefine.iter().map(|u| format!("-U{u}")));
    words.extend(model.include.iter().map(|i| format!("-I{}", i.display())));
    words.extend(model.c.words());
    words.push(model.model.display().to_string());
    if model::default_trail(&model.model).display().to_string() != trail {
        words.push(trail.to_owned());
    }
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=,+:@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

fn print_json(loaded: &Loaded, reports: &[PropertyReport], trail: Option<&str>) {
    match serde_json::to_string_pretty(&json::document(loaded, reports, trail)) {
        Ok(text) => output::out(&format!("{text}\n")),
        Err(error) => app::internal(&format!("the report cannot be written: {error}")),
    }
}

/// The story of the first error.
fn first_story(loaded: &Loaded, reports: &[PropertyReport]) -> Result<Option<Story>, String> {
    let Some(report) = reports.iter().find(|r| !r.errors.is_empty()) else { return Ok(None) };
    let error = &report.errors[0];
    let story =
        loaded.story(&report.property, &error.run, false).map_err(|error| error.to_string())?;
    match &story {
        Some(story) if story.violation != Some(error.violation) => {
            Err("the story does not end in the violation".to_owned())
        }
        _ => Ok(story),
    }
}

/// Writes the first error to its file; returns the name of the file.
fn write_trail(
    args: &CheckArgs,
    loaded: &Loaded,
    reports: &[PropertyReport],
    story: &Story,
) -> Option<String> {
    let model = &args.model.model;
    let path: PathBuf = match &args.trail {
        _ if args.no_trail => return None,
        Some(path) => path.clone(),
        None if model::is_stdin(model) => return None,
        None => model::default_trail(model),
    };
    let error = reports.iter().find_map(|r| r.errors.first())?;
    let text = loaded.trail(error, story).write();
    match std::fs::write(&path, text) {
        Ok(()) => Some(path.display().to_string()),
        Err(error) => {
            let path = path.display();
            output::warning(&format!("cannot write the trail to `{path}`: {error}"));
            None
        }
    }
}
