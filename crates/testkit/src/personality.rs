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
            let command = with_name(columns.next()?, &name);
            Some(Trial { mode, model, command })
        })();
        trials.push(trial.ok_or_else(|| format!("{}:{number}: not a trial", table.display()))?);
    }
    Ok(trials)
}

/// A command line with the name of the model in place of the word `M`.
fn with_name(command: &str, name: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let mut out = String::new();
    let mut before = ' ';
    let mut rest = command.chars().peekable();
    while let Some(c) = rest.next() {
        let is_word = !is_part(before) && !rest.peek().is_some_and(|next| is_part(*next));
        if c == 'M' && is_word {
            out.push_str(name);
        } else {
            out.push(c);
        }
        before = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::with_name;

    #[test]
    fn only_the_word_is_replaced() {
        assert_eq!(
            with_name("spin -M -DMM M; cat M.trail M", "a.p"),
            "spin -M -DMM a.p; cat a.p.trail a.p"
        );
    }
}
