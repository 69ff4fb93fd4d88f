//! Folders in which command lines are tried.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// What a command line did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// Its exit code.
    pub exit: i32,
    /// What it printed.
    pub stdout: String,
    /// What it complained about.
    pub stderr: String,
    /// Trails that it wrote.
    pub trails: BTreeMap<String, String>,
}

/// Programs that a command line may call.
#[derive(Debug)]
pub struct Stage {
    tools: TempDir,
    /// Whether `spin` is ours.
    ours: Option<PathBuf>,
}

/// Compiles `pan.c` in a moment if there is a fast compiler; everything else is left to `gcc`.
const COMPILER: &str = r#"#!/bin/sh
case " $* " in
*" -E "*) exec /usr/bin/gcc "$@" ;;
esac
if command -v tcc >/dev/null 2>&1; then exec tcc -w "$@"; fi
exec /usr/bin/gcc -w -O0 "$@"
"#;

impl Stage {
    /// A stage with SPIN, or with `ours` under the name `spin`.
    ///
    /// # Errors
    /// The folder of the tools cannot be made.
    pub fn new(ours: Option<&Path>) -> io::Result<Self> {
        let tools = TempDir::new()?;
        for name in ["gcc", "cc"] {
            let path = tools.path().join(name);
            std::fs::write(&path, COMPILER)?;
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt as _;
                std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))?;
            }
        }
        #[cfg(unix)]
        if let Some(program) = ours {
            std::os::unix::fs::symlink(program, tools.path().join("spin"))?;
        }
        Ok(Stage { tools, ours: ours.map(Path::to_path_buf) })
    }

    /// Runs a command line beside copies of `files`.
    ///
    /// # Errors
    /// The folder cannot be made, or there is no shell.
    pub fn play(&self, files: &[(String, Vec<u8>)], command: &str) -> io::Result<Played> {
        let folder = TempDir::new()?;
        for (name, bytes) in files {
            std::fs::write(folder.path().join(name), bytes)?;
        }
        let path = std::env::var("PATH").unwrap_or_default();
        let mut shell = Command::new("sh");
        shell
            .arg("-c")
            .arg(command)
            .current_dir(folder.path())
            .env("PATH", format!("{}:{path}", self.tools.path().display()))
            .stdin(Stdio::null());
        if let Some(program) = &self.ours {
            shell.env("SPINOR", program);
        }
        let output = shell.output()?;
        let mut trails = BTreeMap::new();
        for entry in std::fs::read_dir(folder.path())? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.ends_with(".trail") {
                let text = String::from_utf8_lossy(&std::fs::read(entry.path())?).into_owned();
                trails.insert(name, text);
            }
        }
        Ok(Played {
            exit: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            trails,
        })
    }
}
