//! Where and with what was measured.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

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

/// What the program that measures the machine's memory says, flattened: what, and how
/// much.
pub fn memory_limit() -> Result<Vec<(String, String)>> {
    let mut command = shell::cargo();
    command.args(["run", "--release", "--quiet", "-p", "spinor-store"]);
    command.args(["--example", "memory_limit", "--", "--json"]);
    let text = shell::stdout(&mut command)?;
    let json: Value = serde_json::from_str(&text).context("no JSON from memory_limit")?;
    let mut facts = Vec::new();
    flatten(&json, "", &mut facts);
    Ok(facts)
}

/// Leaves of a document with their way from the top. Text in an element of a list
/// becomes part of the way of the numbers beside it.
fn flatten(json: &Value, path: &str, facts: &mut Vec<(String, String)>) {
    let join =
        |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path} {name}") };
    match json {
        Value::Object(fields) => {
            let words: Vec<&str> = fields.values().filter_map(Value::as_str).collect();
            let path = if words.is_empty() { path.to_owned() } else { join(&words.join(" ")) };
            for (name, value) in fields.iter().filter(|(_, value)| !value.is_string()) {
                let name = name.replace('_', " ");
                let path = if path.is_empty() { name } else { format!("{path} {name}") };
                flatten(value, &path, facts);
            }
        }
        Value::Array(elements) => elements.iter().for_each(|e| flatten(e, path, facts)),
        Value::Number(number) => {
            let number = number.as_f64().unwrap_or_default();
            let shown =
                if number.fract() == 0.0 { number.to_string() } else { format!("{number:.1}") };
            facts.push((path.to_owned(), shown));
        }
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_flattened() {
        let json = serde_json::json!({
            "tables": [{"pattern": "chase", "mega_bytes": 32, "ns": 147.25}],
            "cores": 2
        });
        let mut facts = Vec::new();
        flatten(&json, "", &mut facts);
        facts.sort();
        let expected =
            [("cores", "2"), ("tables chase mega bytes", "32"), ("tables chase ns", "147.2")];
        let facts: Vec<(&str, &str)> =
            facts.iter().map(|(what, value)| (what.as_str(), value.as_str())).collect();
        assert_eq!(facts, expected);
    }
}
