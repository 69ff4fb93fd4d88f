//! SPIN itself, depth first with partial order reduction, up to its first error.

use crate::model::Model;
use crate::runs::{Error, Figures};
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs SPIN on a model; nothing if it is not installed or does not find the error.
pub fn run(model: &Model, error: Error, dir: &Path) -> Option<Figures> {
    let folder = tempfile::tempdir().ok()?;
    std::fs::write(folder.path().join("m.pml"), model.text(dir).ok()?).ok()?;
    let quiet = |program: &str, args: &[String]| {
        let mut command = Command::new(program);
        command.args(args).current_dir(folder.path()).stderr(Stdio::null()).output().ok()
    };
    let words = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
    let define = |(name, value): &(&str, &str)| format!("-D{name}={value}");
    let mut spin = words(&["-a"]);
    spin.extend(model.defines.iter().map(define));
    spin.push("m.pml".to_owned());
    quiet("spin", &spin).filter(|done| done.status.success())?;
    quiet("cc", &words(&["-O1", "-w", "-DMEMLIM=2048", "-o", "pan", "pan.c"]))?;
    let option = match error {
        Error::Deadlock => "-A",
        Error::Assertion | Error::Claim => "-E",
    };
    let limit = ["--foreground", "20", "./pan", "-m200000", option];
    let done = quiet("timeout", &words(&limit))?;
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    let number = |behind: &str| {
        let line = text.lines().find(|line| line.trim_end().ends_with(behind))?;
        line.split_whitespace().next()?.parse::<f64>().ok().map(|n| n as u64)
    };
    let depth = text.split("at depth ").nth(1)?;
    let depth: u64 = depth.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()?;
    let stored = number("states, stored")?;
    Some(Figures {
        stored,
        expanded: stored,
        transitions: number("transitions (= stored+matched)")?,
        length: Some(depth + 1),
        ..Figures::default()
    })
}
