//! Child processes with a time limit and captured output.

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// What a finished (or stopped) command left behind.
#[derive(Debug)]
pub(crate) struct Finished {
    /// `None` if the time limit stopped it.
    pub(crate) status: Option<ExitStatus>,
    /// Standard output followed by standard error.
    pub(crate) text: String,
}

impl Finished {
    /// True if the command ended by itself with exit code 0.
    pub(crate) fn success(&self) -> bool {
        self.status.is_some_and(|s| s.success())
    }

    /// The signal that ended the command, if one did.
    pub(crate) fn signal(&self) -> Option<i32> {
        #[cfg(unix)]
        {
            use std::os::unix::process::ExitStatusExt;
            self.status.and_then(|s| s.signal())
        }
        #[cfg(not(unix))]
        None
    }
}

/// Runs `command` in `dir` for at most `limit`.
pub(crate) fn run(command: &mut Command, dir: &Path, limit: Duration) -> io::Result<Finished> {
    // Files, not pipes: nobody has to drain them while we wait.
    let out_path = dir.join("stdout.txt");
    let err_path = dir.join("stderr.txt");
    let mut child = command
        .current_dir(dir)
        .stdin(Stdio::null())
        .stdout(File::create(&out_path)?)
        .stderr(File::create(&err_path)?)
        .spawn()?;
    let deadline = Instant::now() + limit;
    let mut pause = Duration::from_micros(500);
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            break None;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    };
    let mut text = String::from_utf8_lossy(&std::fs::read(&out_path)?).into_owned();
    text.push_str(&String::from_utf8_lossy(&std::fs::read(&err_path)?));
    Ok(Finished { status, text })
}
