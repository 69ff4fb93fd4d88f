//! Every representation of the visited set beside SPIN's.

use std::fmt::Write as _;
use std::time::Instant;

use anyhow::{Result, bail};

use super::super::figures::Figures;
use super::super::models::Model;
use super::super::pan::Verifiers;
use super::super::spinor::arguments;
use super::super::subject::{BITSTATE_BITS, Mode, Setting};
use super::{Bench, models};
use crate::shell;

/// Mutual exclusion, channels, wide vectors, an array.
const MODELS: [&str; 6] = [
    "beem/at.3",
    "beem/lamport.5",
    "beem/peterson.4",
    "beem/telephony.3",
    "beem/extinction.2",
    "beem/sokoban.2",
];

/// The least CPU time of so many runs of each counts.
const ROUNDS: usize = 1;

/// The same representation in both tools, and whether Spinor gets half of the bits only.
const PAIRS: [(&str, Mode, Setting, bool); 6] = [
    ("vectors: none / `exact`", Mode::Full, Setting::BfsExact, false),
    ("components: `COLLAPSE` / `collapse`", Mode::Collapse, Setting::Collapse, false),
    ("automaton: `MA` / `automaton`", Mode::Automaton, Setting::Automaton, false),
    ("hashes: `HC4` / `hash-compact`", Mode::HashCompact, Setting::HashCompact, false),
    ("bits: `BITSTATE` / `bitstate`", Mode::Bitstate, Setting::Bitstate, false),
    ("bits: `BITSTATE` / half as many", Mode::Bitstate, Setting::Bitstate, true),
];

const HEAD: &str = "## Beside SPIN's

Both tools explore the whole graph under the plain semantics on one core: SPIN 6.5.2 compiled with
`gcc -O3`, depth first, its table with a slot for each state, `MA` as small as it says suffices; Spinor breadth first, native code. Bytes are
those of the visited set (vectors, dictionaries, tables; no stacks, no queues) for each stored state. Seconds are CPU time (user and system) of the
search, one run each, one after the other. `BITSTATE` has 2^28 bits and three hash functions, and so has `bitstate`, but for the last row. Spinor's
default store, `tree`, has no counterpart.

";

/// The section.
pub(super) fn measure(bench: &Bench<'_>) -> Result<String> {
    let models = models(&MODELS);
    if models.is_empty() {
        bail!("the corpus is not there");
    }
    let mut text = HEAD.to_owned();
    let mut behind = Vec::new();
    for model in &models {
        let start = Instant::now();
        let verifiers = Verifiers::of(model, bench.cache)?;
        let states = verifiers.reference.stored;
        let _ = writeln!(text, "### {}, {states} states\n", model.name);
        text.push_str("| representation | SPIN, bytes | Spinor, bytes | SPIN, s | Spinor, s | SPIN misses | Spinor misses |\n");
        text.push_str("|---|---:|---:|---:|---:|---:|---:|\n");
        for (name, mode, setting, half) in PAIRS {
            verifiers.prepare(mode)?;
            let (mut theirs, mut ours) = (None, None);
            for _ in 0..ROUNDS {
                keep_best(&mut theirs, verifiers.run(mode)?);
                keep_best(&mut ours, ours_of(bench, model, setting, half)?);
            }
            if let (Some(theirs), Some(ours)) = (&theirs, &ours) {
                let same = mode == Mode::Bitstate && !half;
                let larger = !same && ours.bytes_per_state() >= theirs.bytes_per_state();
                if larger || ours.cpu >= theirs.cpu {
                    behind.push(format!("{} in {}", name, model.name));
                }
            }
            row(&mut text, name, states, theirs, ours);
        }
        let tree = ours_of(bench, model, Setting::Bfs, false)?;
        row(&mut text, "– / `tree`", states, None, Some(tree));
        text.push('\n');
        println!("{}: {}", model.name, shell::human(start.elapsed()));
    }
    let verdict = if behind.is_empty() {
        "Spinor is ahead in both columns everywhere (with the same number of bits, in time). Runs differ by up to a tenth: less than that is a tie.\n\n"
            .to_owned()
    } else {
        format!("Spinor is behind in a column: {}.\n\n", behind.join("; "))
    };
    text.push_str(&verdict);
    Ok(text)
}

fn ours_of(bench: &Bench<'_>, model: &Model, setting: Setting, half: bool) -> Result<Figures> {
    let mut arguments = arguments(model, &bench.folder, setting)?;
    if half && let Some(at) = arguments.iter().position(|word| word == "--bits") {
        arguments[at + 1] = (BITSTATE_BITS - 1).to_string();
    }
    bench.spinor.run_with(&arguments, &bench.folder, setting)
}

fn keep_best(best: &mut Option<Figures>, run: Figures) {
    if best.is_none_or(|best| run.cpu < best.cpu) {
        *best = Some(run);
    }
}

fn row(text: &mut String, name: &str, states: u64, theirs: Option<Figures>, ours: Option<Figures>) {
    let shown = |run: &Option<Figures>, show: &dyn Fn(&Figures) -> String| {
        run.as_ref().map_or("–".to_owned(), show)
    };
    let columns: [&dyn Fn(&Figures) -> String; 3] = [
        &|run| format!("{:.1}", run.bytes_per_state()),
        &|run| format!("{:.2}", run.cpu),
        &|run| states.saturating_sub(run.stored).to_string(),
    ];
    let cells: Vec<String> =
        columns.iter().flat_map(|show| [shown(&theirs, show), shown(&ours, show)]).collect();
    let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
}
