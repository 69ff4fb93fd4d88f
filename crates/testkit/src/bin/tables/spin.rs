//! SPIN itself, depth first with partial order reduction, up to its first error.

use crate::model::Model;
use crate::runs::{Error, Figures};
use std::path::Path;
use std::process::{Command, Stdio};

/// What `pan` writes about a model, given definitions for the preprocessor (`-DN=2`), directives for
/// the compiler, and its limit in seconds and options; nothing if SPIN is not installed or refuses.
pub fn pan(text: &str, defines: &[String], directives: &[&str], pan: &[&str]) -> Option<String> {
    let folder = tempfile::tempdir().ok()?;
    std::fs::write(folder.path().join("m.pml"), text).ok()?;
    let quiet = |command: &mut Command| {
        command.current_dir(folder.path()).stderr(Stdio::null()).output().ok()
    };
    let made = quiet(Command::new("spin").arg("-a").args(defines).arg("m.pml"))?;
    made.status.success().then_some(())?;
    quiet(Command::new("cc").args(["-O1", "-w", "-o", "pan", "pan.c"]).args(directives))?;
    let (seconds, options) = pan.split_first()?;
    let limited = ["--foreground", seconds, "./pan"];
    let done = quiet(Command::new("timeout").args(limited).args(options))?;
    Some(String::from_utf8_lossy(&done.stdout).into_owned())
}

/// The depths at which `pan` says that it has found errors.
pub fn depths(text: &str) -> impl Iterator<Item = u64> {
    let reports = text.split("at depth ").skip(1);
    reports.filter_map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok())
}

/// Runs SPIN on a model; nothing if it is not installed or does not find the error.
pub fn run(model: &Model, error: Error, dir: &Path) -> Option<Figures> {
    let define = |(name, value): &(&str, &str)| format!("-D{name}={value}");
    let defines: Vec<String> = model.defines.iter().map(define).collect();
    let option = match error {
        Error::Deadlock => "-A",
        Error::Assertion | Error::Claim => "-E",
    };
    let options = ["20", "-m200000", option];
    let text = pan(&model.text(dir).ok()?, &defines, &["-DMEMLIM=2048"], &options)?;
    let number = |behind: &str| {
        let line = text.lines().find(|line| line.trim_end().ends_with(behind))?;
        line.split_whitespace().next()?.parse::<f64>().ok().map(|n| n as u64)
    };
    let depth = depths(&text).next()?;
    let stored = number("states, stored")?;
    Some(Figures {
        stored,
        expanded: stored,
        transitions: number("transitions (= stored+matched)")?,
        length: Some(depth + 1),
        ..Figures::default()
    })
}
