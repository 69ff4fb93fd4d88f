//! CPU time and peak memory of a program.
//!
//! The system keeps the peak memory of all ended children together, so every
//! measured program is started by a fresh process of our own (`xtask measure`),
//! whose only child it is.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

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

/// Runs a program quietly in `folder` and says what it cost. Past `limit` it is
/// killed, which is an error.
pub fn run(
    folder: &Path,
    program: &Path,
    arguments: &[String],
    limit: Duration,
) -> Result<(Output, Cost)> {
    let note = folder.join(format!("cost-{}", std::process::id()));
    let output = Command::new(std::env::current_exe()?)
        .arg(COMMAND)
        .arg(limit.as_secs().to_string())
        .args([&note, program])
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()?;
    let text = std::fs::read_to_string(&note).with_context(|| {
        let message = String::from_utf8_lossy(&output.stderr);
        format!("`{}` could not be measured: {}", program.display(), message.trim())
    })?;
    std::fs::remove_file(&note)?;
    let cost = parse(&text).context("a note that cannot be read")?;
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    ensure!(cost.wall < limit, "`{name}` did not end within {} s", limit.as_secs());
    Ok((output, cost))
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

/// The measuring process: arguments are seconds allowed, where to write, and what
/// to run. The exit code of the program gets lost.
#[cfg(unix)]
pub fn child(arguments: &[String]) -> Result<bool> {
    use std::os::unix::process::CommandExt;
    use std::sync::mpsc;

    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;

    let [limit, note, program, arguments @ ..] = arguments else {
        bail!("`{COMMAND}` needs a limit, a file and a command");
    };
    let limit = Duration::from_secs(limit.parse()?);
    let start = std::time::Instant::now();
    // A group of its own: some verifiers start helpers, which must end as well.
    let mut process = Command::new(program).args(arguments).process_group(0).spawn()?;
    let group = format!("-{}", process.id());
    let (ended, end) = mpsc::channel::<()>();
    let guard = std::thread::spawn(move || {
        if end.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout) {
            // An error means that it has just ended by itself.
            let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
        }
    });
    let status = process.wait()?;
    let wall = start.elapsed();
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    drop(ended);
    // It only waits; whether it was disturbed does not matter any more.
    let _ = guard.join();
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
