//! `cargo xtask bench`: time and memory beside SPIN, on the same machine in the
//! same run.
//!
//! A [`section::Section`] says which [`subject::Subject`]s run on which models. Sections
//! share runs: on each model everything that any section wants runs in turns, round by
//! round, so that a disturbance of the machine meets all. Results go to the record, a
//! line each; the document is made from the newest lines of each section.

mod directed;
mod document;
mod embedded;
mod endless;
mod figures;
mod limits;
mod machine;
mod models;
mod options;
mod pan;
mod profile;
mod promises;
mod record;
mod reduction;
mod rounds;
mod section;
mod simulation;
mod spinor;
mod storage;
mod subject;
mod table;
mod tables;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::shell;
use models::{Class, Model};
use options::{USAGE, Wanted};
use record::{ABOUT, Entry, Point, Record, Row};
use rounds::Bench;
use section::Section;
use spinor::Spinor;
use subject::Subject;

const DOCUMENT: &str = "docs/benchmarks.md";
const NOTES: &str = "docs/benchmarks-notes.md";
const RECORD: &str = "docs/benchmarks.tsv";

/// Measures what the arguments ask for; `false` if counts differ somewhere.
pub fn run(arguments: &[String]) -> Result<bool> {
    if arguments.iter().any(|a| a == "--help" || a == "-h") {
        print!("{USAGE}");
        return Ok(true);
    }
    let wanted = Wanted::parse(arguments)?;
    let read = |path| std::fs::read_to_string(shell::root().join(path));
    let mut record = match read(RECORD) {
        Ok(text) => Record::parse(&text).context(RECORD)?,
        Err(_) => Record::default(),
    };
    let mut agreed = true;
    if !wanted.only_document {
        for tool in ["spin", "gcc"] {
            ensure!(shell::is_installed(tool), "`{tool}` is not installed");
        }
        agreed = measure(&wanted, &mut record)?;
    }
    let document = document::document(&record, &read(NOTES).unwrap_or_default());
    if wanted.dry_run {
        println!("\n{document}");
        return Ok(agreed);
    }
    std::fs::write(shell::root().join(RECORD), record.format())?;
    std::fs::write(shell::root().join(DOCUMENT), document)?;
    println!("\nwrote {DOCUMENT} and {RECORD}");
    Ok(agreed)
}

/// Adds a point to the record.
fn measure(wanted: &Wanted, record: &mut Record) -> Result<bool> {
    let target = target_folder()?;
    let program = match &wanted.spinor {
        Some(program) => program.clone(),
        None => build(&target)?,
    };
    let spinor = Spinor { program };
    let point = machine::point()?;
    let facts = machine::facts(&spinor.program)?;
    let row = |section: &str, model: &str, subject: &str, entry| Row {
        point: point.clone(),
        section: section.to_owned(),
        model: model.to_owned(),
        subject: subject.to_owned(),
        rounds: wanted.rounds,
        entry,
    };
    record
        .rows
        .extend(facts.into_iter().map(|(what, fact)| row(ABOUT, what, "", Entry::Note(fact))));
    if machine::load().is_some_and(|load| load > 1.0) {
        println!("note: the machine is busy; times on the clock will be wrong");
    }
    if shell::corpus().is_none() {
        println!("note: no ../shared/corpus, so only our own models are measured");
    }
    if wanted.sections.contains(&Section::Machine) {
        record.rows.extend(memory(&point));
    }
    let models: Vec<Model> =
        models::list(wanted.quick).into_iter().filter(|m| m.name.contains(&wanted.model)).collect();
    let pages = build_example("fetch_pages", &target)?;
    let bench = Bench { spinor, cache: target.join("bench"), rounds: wanted.rounds, pages };
    let mut agreed = true;
    for (index, model) in (1..).zip(&models) {
        let plan: Vec<(Section, Vec<Subject>)> =
            wanted.sections.iter().map(|s| (*s, s.subjects(model))).collect();
        let mut subjects: Vec<Subject> = Vec::new();
        for subject in plan.iter().flat_map(|(_, subjects)| subjects) {
            if !subjects.contains(subject) {
                subjects.push(*subject);
            }
        }
        if subjects.is_empty() {
            continue;
        }
        println!("[{index}/{}] {}", models.len(), model.name);
        let results = bench.measure(model, &subjects);
        agreed &= results.iter().all(|(_, result)| !rounds::is_disagreement(result));
        for (section, subjects) in plan {
            for (subject, entry) in results.iter().filter(|(s, _)| subjects.contains(s)) {
                record.rows.push(row(section.name(), &model.name, subject.name(), entry.clone()));
            }
        }
    }
    if wanted.sections.contains(&Section::Profile) {
        record.rows.extend(profiles(&bench, &models, &point));
    }
    if record.rows.iter().all(|row| row.point != point || row.section == ABOUT) {
        bail!("nothing could be measured");
    }
    Ok(agreed)
}

/// What the machine's memory can do.
fn memory(point: &Point) -> Vec<Row> {
    println!("the machine's memory");
    let accesses = limits::measure().unwrap_or_else(|error| {
        println!("  not measured: {error:#}");
        Vec::new()
    });
    let row = |access: limits::Access| Row {
        point: point.clone(),
        section: Section::Machine.name().to_owned(),
        model: access.bytes.to_string(),
        subject: access.way.to_owned(),
        rounds: 1,
        entry: Entry::Note(access.nanoseconds.to_string()),
    };
    accesses.into_iter().map(row).collect()
}

/// Where the time goes in the models that are measured for everything.
fn profiles(bench: &Bench, models: &[Model], point: &Point) -> Vec<Row> {
    println!("where the time goes");
    let mut rows = Vec::new();
    for model in models.iter().filter(|m| m.class == Class::Compiled) {
        let shares = match profile::shares(&bench.spinor.program, &bench.cache, model) {
            Ok(shares) => shares,
            Err(error) => {
                println!("  {} not measured: {error:#}", model.name);
                continue;
            }
        };
        for (part, share) in profile::PARTS.iter().zip(shares) {
            rows.push(Row {
                point: point.clone(),
                section: Section::Profile.name().to_owned(),
                model: model.name.clone(),
                subject: (*part).to_owned(),
                rounds: 1,
                entry: Entry::Note(format!("{share:.0}")),
            });
        }
    }
    rows
}

pub use storage::OPTIONS as STORAGE_OPTIONS;

/// Measures what stores cost and miss.
pub fn storage(wanted: impl Fn(&str) -> bool) -> Result<bool> {
    let (spinor, cache) = prepared()?;
    storage::run(&spinor, &cache, wanted)
}

/// Measures what partial order reduction saves and costs.
pub fn reduction() -> Result<bool> {
    let (spinor, cache) = prepared()?;
    reduction::run(&spinor, &cache)
}

/// What is measured, and where things may be kept.
fn prepared() -> Result<(Spinor, PathBuf)> {
    let target = target_folder()?;
    // A program that was built elsewhere saves the build.
    let program = match std::env::var_os("SPINOR") {
        Some(program) => PathBuf::from(program),
        None => build(&target)?,
    };
    Ok((Spinor { program }, target.join("bench")))
}

/// A program that comes with the stores.
fn build_example(name: &str, target: &Path) -> Result<PathBuf> {
    let options = ["build", "--release", "--quiet", "-p", "spinor-store", "--example", name];
    let built = shell::cargo().args(options).status()?;
    ensure!(built.success(), "`cargo {}` failed", options.join(" "));
    Ok(target.join("release/examples").join(name))
}

/// Builds what is measured.
fn build(target: &Path) -> Result<PathBuf> {
    let built = shell::cargo().args(["build", "--release", "--quiet"]).status()?;
    ensure!(built.success(), "`cargo build --release` failed");
    Ok(target.join("release/spinor"))
}

/// Where builds go.
fn target_folder() -> Result<PathBuf> {
    let arguments = ["metadata", "--no-deps", "--format-version", "1", "--offline"];
    let metadata = shell::stdout(shell::cargo().args(arguments))?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata)?;
    Ok(PathBuf::from(metadata["target_directory"].as_str().context("no target folder")?))
}
