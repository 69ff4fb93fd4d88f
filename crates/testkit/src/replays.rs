//! Trails across the border: SPIN's replayed here, ours replayed in SPIN, to the same final state.

use crate::personality::Stage;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// No search and no replay takes longer; what was found until then counts.
const SECONDS: u32 = 5;

/// How a model is searched for trails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Search {
    /// Deadlocks, assertions and other errors of finite runs.
    Safety,
    /// Acceptance cycles.
    Acceptance,
    /// Cycles without progress.
    NonProgress,
}

impl Search {
    const ALL: [Search; 3] = [Search::Safety, Search::Acceptance, Search::NonProgress];

    /// Options of `spin -search`, if the model has what is looked for.
    fn options(self, text: &str) -> Option<&'static str> {
        let has = |word: &str| text.contains(word);
        match self {
            Search::Safety => Some("-noclaim -e -c4"),
            // Claims made of formulas are other automata in SPIN: their trails stay at home.
            Search::Acceptance if has("never") && !has("ltl") => Some("-a"),
            Search::Acceptance => has("accept").then_some("-a -noclaim"),
            Search::NonProgress => has("progress").then_some("-l -noclaim"),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Search::Safety => "finite",
            Search::Acceptance => "accepting",
            Search::NonProgress => "non-progress",
        }
    }
}

/// Trails of one kind.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    /// SPIN's that replay here to the same final state.
    of_spin: usize,
    /// Ours that replay in SPIN to the same final state.
    of_ours: usize,
}

/// How many trails arrived where they should.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    counts: BTreeMap<Search, Count>,
    /// Those that do not, and how.
    pub lost: Vec<String>,
    /// Those of which that is known.
    known: usize,
}

impl Tally {
    /// Whether all arrived.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.lost.is_empty()
    }

    /// Trails of SPIN that replay here, and of ours that replay in SPIN.
    #[must_use]
    pub fn arrived(&self) -> (usize, usize) {
        let counts = self.counts.values();
        counts.fold((0, 0), |sum, count| (sum.0 + count.of_spin, sum.1 + count.of_ours))
    }

    fn add(&mut self, other: Tally) {
        for (search, count) in other.counts {
            let sum = self.counts.entry(search).or_default();
            sum.of_spin += count.of_spin;
            sum.of_ours += count.of_ours;
        }
        self.lost.extend(other.lost);
        self.known += other.known;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.lost {
            writeln!(f, "{line}")?;
        }
        for (search, count) in &self.counts {
            let name = search.name();
            writeln!(
                f,
                "{name} runs: {} of SPIN here, {} of ours in SPIN",
                count.of_spin, count.of_ours
            )?;
        }
        let (of_spin, of_ours) = self.arrived();
        let (lost, known) = (self.lost.len(), self.known);
        write!(
            f,
            "{of_spin} trails of SPIN replay here, {of_ours} of ours in SPIN, {lost} do not; \
             {known} are known not to"
        )
    }
}

/// Models with trails that are known to end otherwise, and why; because SPIN's own simulator does not follow its
/// verifier, or its verifier goes wrong.
const KNOWN: [(&str, &str); 3] = [
    ("LTL/mobile1.pml", "with the claim of `-l` the simulator gives `run` other pids"),
    ("LTL/mobile2.pml", "with the claim of `-l` the simulator gives `run` other pids"),
    ("parity/prio_atomic.pml", "SPIN merges what a higher priority comes between"),
];

/// Endings of names of models.
const MODELS: [&str; 7] = ["pml", "promela", "pm", "prm", "prom", "pr", "spin"];

/// All models below a folder, but for folders of certain names.
pub fn models(folder: &Path, except: &[String], out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            if !except.iter().any(|name| path.ends_with(name)) {
                models(&path, except, out);
            }
        } else if path.extension().is_some_and(|e| MODELS.iter().any(|known| e == *known)) {
            out.push(path);
        }
    }
}

/// Makes trails of both and replays each with both; `own` is the personality as a program.
#[must_use]
pub fn run(models: &[PathBuf], own: &Path) -> Tally {
    let tally = Mutex::new(Tally::default());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let (Ok(spin), Ok(ours)) = (Stage::new(None), Stage::new(Some(own))) else {
                    return;
                };
                while let Some(model) = models.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = of_model(model, &spin, &ours);
                    let mut tally = tally.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    tally.add(found);
                }
            });
        }
    });
    tally.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The errors of a model, up to four of each kind, each with a trail.
fn of_model(model: &Path, spin: &Stage, ours: &Stage) -> Tally {
    let mut tally = Tally::default();
    let name = model.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let Ok(bytes) = std::fs::read(model) else { return tally };
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let mut files = vec![(name.clone(), bytes)];
    let folder = model.parent().unwrap_or(Path::new(""));
    let others = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
    for other in others.filter(|o| o.extension().is_some_and(|e| e == "h" || e == "inc")) {
        let name = other.file_name().map(|n| n.to_string_lossy().into_owned());
        files.extend(name.zip(std::fs::read(&other).ok()));
    }
    for search in Search::ALL {
        let Some(options) = search.options(&text) else { continue };
        let command = format!("timeout {SECONDS} spin -search {options} -m5000 {name}");
        for (writer, is_spin) in [(spin, true), (ours, false)] {
            let Ok(written) = writer.play(&files, &command) else { continue };
            for (trail, lines) in written.trails.iter().take(4) {
                let mut stage = files.clone();
                stage.push((trail.clone(), lines.clone().into_bytes()));
                let Some(bound) = bound(&written.stdout, lines) else { continue };
                let replay = format!("timeout {SECONDS} spin {bound} -k {trail} {name}");
                let (Ok(a), Ok(b)) = (spin.play(&stage, &replay), ours.play(&stage, &replay))
                else {
                    continue;
                };
                let (theirs, here) = (ending(&a.stdout, &text), ending(&b.stdout, &text));
                if theirs == here && theirs.is_some() {
                    let count = tally.counts.entry(search).or_default();
                    count.of_spin += usize::from(is_spin);
                    count.of_ours += usize::from(!is_spin);
                } else if KNOWN.iter().any(|(known, _)| model.ends_with(known)) {
                    tally.known += 1;
                } else {
                    let whose = if is_spin { "SPIN's" } else { "our" };
                    let (model, kind) = (model.display(), search.name());
                    tally.lost.push(format!("{model}: {whose} {kind} {trail} ends otherwise"));
                }
            }
        }
    }
    tally
}

/// The option for a replay that leaves out the last step if it errs: what SPIN's simulator makes of a step that
/// its verifier refuses says nothing. None if there is no other step.
fn bound(report: &str, trail: &str) -> Option<String> {
    const REACHED: [&str; 5] = [
        "assertion violated",
        "invalid end state",
        "acceptance cycle",
        "non-progress cycle",
        "end state in claim reached",
    ];
    const INDEX: &str = "assertion violated - invalid array index";
    let errors = report.lines().filter_map(|line| line.strip_prefix("pan:")?.split_once(": "));
    let mut errors = errors.filter(|(number, _)| number.parse::<u32>().is_ok());
    let is_reached = |what: &str| {
        REACHED.iter().any(|known| what.starts_with(known)) && !what.starts_with(INDEX)
    };
    let is_exclusive = report.contains("pan: xs assertion") || report.contains("pan: xr assertion");
    if errors.all(|(_, what)| is_reached(what)) && !is_exclusive {
        return Some(String::new());
    }
    let steps = trail.lines().filter_map(|line| line.split(':').next()?.parse::<u32>().ok());
    let last = steps.max()?.checked_sub(1)?;
    (last > 0).then(|| format!("-u{last}"))
}

/// The final state that a replay prints.
///
/// Where a process is, its state says: lines, which may be those of an inline or of its call, are left out. So are
/// labels that the model refers to: SPIN may take them for variables.
fn ending(text: &str, model: &str) -> Option<Vec<String>> {
    let at = text.find("#processes:").or_else(|| text.find("processes created"))?;
    let without_line = |line: &str| match line.split_once(" (state ") {
        Some((who, state)) => {
            let (who, _) = who.rsplit_once(' ').unwrap_or((who, ""));
            format!("{who} (state {state}")
        }
        None => line.trim_end().to_owned(),
    };
    let is_label = |line: &str| {
        let name = line.trim().strip_suffix(" = 0");
        name.is_some_and(|name| model.contains(&format!("@{name}")))
    };
    Some(text[at..].lines().filter(|line| !is_label(line)).map(without_line).collect())
}
