//! Where and with what was measured.

use std::path::Path;

use anyhow::Result;

use super::record::Point;
use crate::shell;

/// Now, and the commit that is checked out.
pub fn point() -> Result<Point> {
    let date = shell::stdout(shell::program("date").args(["-u", "+%Y-%m-%d %H:%M:%S"]))?;
    Ok(Point { date: date.trim().to_owned(), commit: commit() })
}

/// Facts about machine and tools: what, and how it is.
pub fn facts(spinor: &Path) -> Result<Vec<(&'static str, String)>> {
    let first = |text: String| text.lines().next().unwrap_or_default().trim().to_owned();
    let ask = |name: &str, argument: &str| {
        shell::stdout(shell::program(name).arg(argument)).map(first).unwrap_or_default()
    };
    let spin = format!("{}, {}", ask("spin", "-V"), ask("gcc", "--version"));
    let spinor = first(shell::stdout(shell::program(spinor).arg("--version"))?);
    let load = load().map_or_else(|| "unknown".to_owned(), |load| format!("{load:.1}"));
    Ok(vec![
        ("machine", hardware()),
        ("load when it began", load),
        ("Spinor", spinor),
        ("SPIN", spin),
    ])
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

/// How many processes wanted to run in the last minute.
pub fn load() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// The value of the first line `name : value` of a file.
fn field(path: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
