//! `spin` and `spinor spin` side by side: the same command line in two folders, then the texts compared.

mod compare;
mod stage;

pub use compare::{Mode, differences};
pub use stage::{Played, Stage};

use std::path::{Path, PathBuf};

/// A command line to be tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// How much has to be equal.
    pub mode: Mode,
    /// The model.
    pub model: PathBuf,
    /// For a shell; `M` as a word is the name of the model.
    pub command: String,
}

/// Reads a table of trials: mode, model and command in columns. Models are relative to `root`.
///
/// # Errors
/// The table cannot be read, or a line is wrong.
pub fn read_trials(table: &Path, root: &Path) -> Result<Vec<Trial>, String> {
    let text = std::fs::read_to_string(table).map_err(|e| format!("{}: {e}", table.display()))?;
    let mut trials = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let mut columns = line.splitn(3, '\t');
        let trial = (|| {
            let mode = Mode::from_name(columns.next()?)?;
            let model = root.join(columns.next()?);
            let name = model.file_name()?.to_str()?.to_owned();
            let command = columns.next()?;
            let words = command.split(' ').map(|w| if w == "M" { name.as_str() } else { w });
            let command = words.collect::<Vec<_>>().join(" ");
            Some(Trial { mode, model, command })
        })();
        trials.push(trial.ok_or_else(|| format!("{}:{number}: not a trial", table.display()))?);
    }
    Ok(trials)
}
