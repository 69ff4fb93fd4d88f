//! Where and with what was measured.

use std::path::Path;

use anyhow::Result;

use crate::shell;

/// Facts that belong to a measurement.
#[derive(Clone, Debug)]
pub struct Machine {
    /// `2026-01-31`, in UTC.
    pub date: String,
    /// The commit that was measured, with a `+` if files were changed.
    pub commit: String,
    /// Processor, cores and memory.
    pub hardware: String,
    /// `spinor 0.1.0`
    pub spinor: String,
    /// SPIN's and the compiler's versions.
    pub spin: String,
}

/// Asks the system and the tools.
pub fn describe(spinor: &Path) -> Result<Machine> {
    let first = |text: String| text.lines().next().unwrap_or_default().trim().to_owned();
    let ask = |name: &str, argument: &str| {
        shell::stdout(shell::program(name).arg(argument)).map(first).unwrap_or_default()
    };
    let spin = format!("{}, {}", ask("spin", "-V"), ask("gcc", "--version"));
    let spinor = first(shell::stdout(shell::program(spinor).arg("--version"))?);
    let date = shell::stdout(shell::program("date").args(["-u", "+%Y-%m-%d"])).map(first)?;
    Ok(Machine { date, commit: commit(), hardware: hardware(), spinor, spin })
}

fn commit() -> String {
    let git = |arguments: &[&str]| shell::stdout(shell::program("git").args(arguments));
    let Ok(commit) = git(&["rev-parse", "--short", "HEAD"]) else {
        return "unknown".to_owned();
    };
    let changes = git(&["status", "--porcelain", "--untracked-files=no"]).unwrap_or_default();
    let mark = if changes.trim().is_empty() { "" } else { "+" };
    format!("{}{mark}", commit.trim())
}

fn hardware() -> String {
    let processor = field("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown".to_owned());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let memory = field("/proc/meminfo", "MemTotal")
        .and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok())
        .map_or_else(String::new, |kb| format!(", {:.0} GB of memory", kb / 1024.0 / 1024.0));
    format!("{processor}, {cores} cores{memory}")
}

/// The value of the first line `name : value` of a file.
fn field(path: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
