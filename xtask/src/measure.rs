//! CPU time and peak memory of a program.
//!
//! The system keeps the peak memory of all ended children together, so every
//! measured program is started by a fresh process of our own (`xtask measure`),
//! whose only child it is.

use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use anyhow::{Context, Result, bail};

/// The command that starts and measures its arguments; not for users.
pub const COMMAND: &str = "measure";

/// What a run cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// User and system time of all its threads.
    pub cpu: Duration,
    /// Time on the clock.
    pub wall: Duration,
    /// Largest resident size.
    pub peak_bytes: u64,
}

/// Runs a program quietly in `folder` and says what it cost.
pub fn run(folder: &Path, program: &Path, arguments: &[String]) -> Result<(Output, Cost)> {
    let note = folder.join("cost");
    let output = Command::new(std::env::current_exe()?)
        .arg(COMMAND)
        .args([&note, program])
        .args(arguments)
        .current_dir(folder)
        .output()?;
    let text = std::fs::read_to_string(&note)
        .with_context(|| format!("`{}` could not be measured", program.display()))?;
    std::fs::remove_file(&note)?;
    Ok((output, parse(&text).context("a note that cannot be read")?))
}

fn parse(text: &str) -> Option<Cost> {
    let mut numbers = text.split_whitespace().map(|w| w.parse::<u64>().ok());
    let mut next = || numbers.next().flatten();
    Some(Cost {
        cpu: Duration::from_micros(next()?),
        wall: Duration::from_micros(next()?),
        peak_bytes: next()?,
    })
}

/// The measuring process: arguments are where to write, and what to run. The
/// exit code of the program gets lost.
#[cfg(unix)]
pub fn child(arguments: &[String]) -> Result<bool> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;

    let [note, program, arguments @ ..] = arguments else {
        bail!("`{COMMAND}` needs a file and a command");
    };
    let start = std::time::Instant::now();
    let status = Command::new(program).args(arguments).status()?;
    let wall = start.elapsed();
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let cpu = (usage.user_time() + usage.system_time()).num_microseconds();
    // Linux counts kilobytes, macOS bytes.
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    let peak = usage.max_rss() * unit;
    std::fs::write(note, format!("{cpu} {} {peak}\n", wall.as_micros()))?;
    Ok(status.success())
}

/// Not possible here.
#[cfg(not(unix))]
pub fn child(_: &[String]) -> Result<bool> {
    bail!("measuring needs a Unix system")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_read() {
        let cost = Cost {
            cpu: Duration::from_millis(1500),
            wall: Duration::from_secs(2),
            peak_bytes: 4096,
        };
        assert_eq!(parse("1500000 2000000 4096\n"), Some(cost));
        assert_eq!(parse("1500000"), None);
    }
}
