//! Runs the command in a folder of its own.

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A folder with models.
pub(crate) struct Folder {
    dir: TempDir,
}

/// What the command did.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Folder { dir: TempDir::new().unwrap() }
    }

    /// A folder with one model, `m.pml`.
    pub(crate) fn with(model: &str) -> Self {
        let folder = Self::new();
        folder.write("m.pml", model.as_bytes());
        folder
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.path(name), bytes).unwrap();
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.dir.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_spinor"));
        command.current_dir(self.dir.path()).args(args).stdin(Stdio::null());
        command
    }

    /// Another program, run in the folder.
    pub(crate) fn program(&self, name: &str) -> Command {
        let mut command = Command::new(name);
        command.current_dir(self.dir.path()).stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        let output = self.command(args).output().unwrap();
        Ran {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ran {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}:\n{}{}", self.out, self.err))
    }

    /// The first line of the report.
    pub(crate) fn verdict(&self) -> &str {
        self.out.lines().next().unwrap_or("")
    }
}

/// Checks one model with these options.
pub(crate) fn check(model: &str, options: &[&str]) -> Ran {
    let args = [&["check", "--no-trail"], options, &["m.pml"]].concat();
    Folder::with(model).run(&args)
}
