//! Starting other programs, and where the repository is.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// The top of the repository.
pub fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.parent().expect("xtask is a folder of the repository").to_owned()
}

/// The collection of foreign models with recorded results, if it lies beside the
/// repository.
pub fn corpus() -> Option<PathBuf> {
    let found = root().parent()?.join("shared/corpus");
    found.join("golden.tsv").is_file().then_some(found)
}

/// A program to be started at the top of the repository.
pub fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root());
    command
}

/// The cargo that runs us.
pub fn cargo() -> Command {
    program(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// A program of the workspace as the unit tests were built with it, which lies beside us: in that
/// profile arithmetic is checked, and asking cargo for it alone would build it once more, with other
/// features of its dependencies.
pub fn built(name: &str) -> Command {
    let here = std::env::current_exe().unwrap_or_default();
    program(here.with_file_name(name))
}

/// Whether a program can be started.
pub fn is_installed(name: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).any(|dir| dir.join(name).is_file())
}

/// The command as a user would type it.
pub fn show(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or_default();
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|w| w.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

/// Writes a line to a log or, without one, to the terminal.
pub fn say(log: Option<&File>, line: &str) {
    match log {
        // What cannot be written is missed in the log, and nothing else.
        Some(mut log) => drop(writeln!(log, "{line}")),
        None => println!("{line}"),
    }
}

/// Runs a command with its output going to a log or to the terminal. Past `limit` it
/// is killed, which is an error.
pub fn run_within(
    command: &mut Command,
    limit: Duration,
    log: Option<&File>,
) -> Result<ExitStatus> {
    let text = show(command);
    say(log, &format!("$ {text}"));
    if let Some(log) = log {
        command.stdout(log.try_clone()?).stderr(log.try_clone()?);
    }
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .spawn()
        .with_context(|| format!("`{text}` cannot be started"))?;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if start.elapsed() > limit {
            // An error means that it has just ended by itself.
            let _ = child.kill();
            child.wait()?;
            bail!("`{text}` did not end within {} s", limit.as_secs());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Runs a command quietly and returns what it wrote.
pub fn output(command: &mut Command) -> Result<Output> {
    let text = show(command);
    command.stdin(Stdio::null()).output().with_context(|| format!("`{text}` cannot be started"))
}

/// What a command wrote to its standard output; an error if it failed.
pub fn stdout(command: &mut Command) -> Result<String> {
    let output = output(command)?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        bail!("`{}` failed: {}", show(command), why.trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// How a program ended, in words.
pub fn ending(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("exit code {code}"),
        None => "killed by a signal".to_owned(),
    }
}

/// `1.5 s`, `2 min 03 s`.
pub fn human(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 60 {
        format!("{:.1} s", time.as_secs_f64())
    } else {
        format!("{} min {:02} s", seconds / 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_readable() {
        assert_eq!(human(Duration::from_millis(1540)), "1.5 s");
        assert_eq!(human(Duration::from_secs(123)), "2 min 03 s");
    }

    #[test]
    fn commands_are_shown_without_folders() {
        let mut command = Command::new("/some/where/cargo");
        command.args(["fmt", "--check"]);
        assert_eq!(show(&command), "cargo fmt --check");
    }

    #[test]
    fn a_program_that_hangs_is_stopped() {
        if cfg!(unix) {
            let limit = Duration::from_millis(50);
            let error = run_within(Command::new("sleep").arg("60"), limit, None).unwrap_err();
            assert!(error.to_string().contains("did not end"), "{error}");
        }
    }
}
