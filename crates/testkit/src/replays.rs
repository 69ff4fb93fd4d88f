//! Trails across the border: SPIN's replayed here, ours replayed in SPIN, to the same final state.

use crate::personality::Stage;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many trails arrived where they should.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Trails of SPIN that replay here to the same final state.
    pub of_spin: usize,
    /// Trails of ours that replay in SPIN to the same final state.
    pub of_ours: usize,
    /// Those that do not, and how.
    pub lost: Vec<String>,
}

impl Tally {
    /// Whether all arrived.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.lost.is_empty()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.lost {
            writeln!(f, "{line}")?;
        }
        write!(
            f,
            "{} trails of SPIN replay here, {} of ours in SPIN, {} do not",
            self.of_spin,
            self.of_ours,
            self.lost.len()
        )
    }
}

/// All models below a folder.
pub fn models(folder: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            models(&path, out);
        } else if path.extension().is_some_and(|e| e == "pml" || e == "promela") {
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
                    tally.of_spin += found.of_spin;
                    tally.of_ours += found.of_ours;
                    tally.lost.extend(found.lost);
                }
            });
        }
    });
    tally.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Up to four errors of a model, each with a trail.
fn of_model(model: &Path, spin: &Stage, ours: &Stage) -> Tally {
    let mut tally = Tally::default();
    let name = model.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let Ok(bytes) = std::fs::read(model) else { return tally };
    let mut files = vec![(name.clone(), bytes)];
    let folder = model.parent().unwrap_or(Path::new(""));
    let others = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
    for other in others.filter(|o| o.extension().is_some_and(|e| e == "h" || e == "inc")) {
        let name = other.file_name().map(|n| n.to_string_lossy().into_owned());
        files.extend(name.zip(std::fs::read(&other).ok()));
    }
    let search = format!("timeout 10 spin -search -noclaim -e -c4 -m5000 {name}");
    for (writer, is_spin) in [(spin, true), (ours, false)] {
        let Ok(written) = writer.play(&files, &search) else { continue };
        for (trail, text) in written.trails.iter().take(4) {
            let mut stage = files.clone();
            stage.push((trail.clone(), text.clone().into_bytes()));
            let replay = format!("timeout 10 spin -k {trail} {name}");
            let (Ok(a), Ok(b)) = (spin.play(&stage, &replay), ours.play(&stage, &replay)) else {
                continue;
            };
            let (theirs, here) = (ending(&a.stdout), ending(&b.stdout));
            if theirs == here && theirs.is_some() {
                tally.of_spin += usize::from(is_spin);
                tally.of_ours += usize::from(!is_spin);
            } else {
                let whose = if is_spin { "SPIN's" } else { "our" };
                tally.lost.push(format!("{}: {whose} {trail} ends otherwise", model.display()));
            }
        }
    }
    tally
}

/// The final state that a replay prints.
fn ending(text: &str) -> Option<Vec<&str>> {
    let at = text.find("#processes:").or_else(|| text.find("processes created"))?;
    Some(text[at..].lines().map(str::trim_end).collect())
}
