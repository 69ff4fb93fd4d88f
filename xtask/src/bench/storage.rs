//! `cargo xtask storage`: every representation of the visited set beside SPIN's.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};

use super::figures::Figures;
use super::models::{self, Model};
use super::pan::Verifiers;
use super::spinor::Spinor;
use super::subject::{Mode, Setting};
use crate::shell;

/// Mutual exclusion, arithmetic, channels, an array, wide vectors, a protocol.
const MODELS: [&str; 6] = [
    "beem/lamport.5",
    "beem/adding.3",
    "beem/extinction.2",
    "beem/sokoban.2",
    "beem/phils.5",
    "case_studies/brp/brp",
];

/// The same representation in both tools.
const PAIRS: [(&str, Mode, Setting); 5] = [
    ("full vectors: none / `exact`", Mode::Full, Setting::BfsExact),
    ("components: `COLLAPSE` / `collapse`", Mode::Collapse, Setting::Collapse),
    ("smallest automaton: `MA` / `automaton`", Mode::Automaton, Setting::Automaton),
    ("hashes: `HC4` / `hash-compact`", Mode::HashCompact, Setting::HashCompact),
    ("bits: `BITSTATE` / `bitstate`", Mode::Bitstate, Setting::Bitstate),
];

/// Where the table goes.
const DOCUMENT: &str = "docs/storage.md";

const HEAD: &str = "# Stores beside SPIN's

Written by `cargo xtask storage`. Both tools explore the whole graph under the plain semantics on one core: SPIN 6.5.2 compiled with
`gcc -O3`, depth first, its table with a slot for each state; Spinor breadth first, native code. Bytes are those of the
visited set (vectors, dictionaries, tables; no stacks, no queues) for each stored state, seconds are CPU time of the search. Spinor's default store, `tree`,
has no counterpart. For bits both get an array of 2^28 bits.

";

/// Measures and writes the document.
pub fn run(spinor: &Spinor, cache: &Path) -> Result<bool> {
    let models: Vec<Model> =
        models::list(false).into_iter().filter(|m| MODELS.contains(&m.name.as_str())).collect();
    if models.is_empty() {
        bail!("the corpus is not there");
    }
    let mut text = HEAD.to_owned();
    for model in &models {
        let start = Instant::now();
        let verifiers = Verifiers::of(model, cache)?;
        let folder = cache.join("spinor");
        std::fs::create_dir_all(&folder)?;
        let _ = writeln!(text, "## {}, {} states\n", model.name, verifiers.reference.stored);
        text.push_str("| representation | SPIN, bytes | Spinor, bytes | SPIN, s | Spinor, s |\n");
        text.push_str("|---|---:|---:|---:|---:|\n");
        for (name, mode, setting) in PAIRS {
            verifiers.prepare(mode)?;
            let (theirs, ours) = (verifiers.run(mode), spinor.run(model, &folder, setting));
            row(&mut text, name, theirs.ok(), ours.ok());
        }
        let tree = spinor.run(model, &folder, Setting::Bfs);
        row(&mut text, "– / `tree`", None, tree.ok());
        text.push('\n');
        println!("{}: {}", model.name, shell::human(start.elapsed()));
    }
    std::fs::write(shell::root().join(DOCUMENT), text)?;
    Ok(true)
}

fn row(text: &mut String, name: &str, theirs: Option<Figures>, ours: Option<Figures>) {
    let bytes = |run: &Option<Figures>| {
        run.map_or("–".to_owned(), |f| {
            format!("{:.1}", f.store_bytes as f64 / f.stored.max(1) as f64)
        })
    };
    let seconds = |run: &Option<Figures>| run.map_or("–".to_owned(), |f| format!("{:.2}", f.cpu));
    let _ = writeln!(
        text,
        "| {name} | {} | {} | {} | {} |",
        bytes(&theirs),
        bytes(&ours),
        seconds(&theirs),
        seconds(&ours)
    );
}
