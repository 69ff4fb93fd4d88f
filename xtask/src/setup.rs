//! Getting what the tests need and the machine lacks.
//!
//! Nothing here makes a test run fail: what cannot be had is reported, and the
//! steps that need it are skipped.

use std::process::Command;

use crate::shell;

/// What could be found or installed.
pub struct Tools {
    /// `None` if SPIN and a C compiler are there, else why not.
    pub no_oracle: Option<String>,
    /// `None` if `cargo fmt` works, else why not.
    pub no_rustfmt: Option<String>,
    /// `None` if `cargo clippy` works, else why not.
    pub no_clippy: Option<String>,
}

impl Tools {
    /// One line about them.
    pub fn summary(&self) -> String {
        let parts =
            [("spin", &self.no_oracle), ("rustfmt", &self.no_rustfmt), ("clippy", &self.no_clippy)];
        let words = parts.map(|(name, missing)| match missing {
            None => name.to_owned(),
            Some(_) => format!("no {name}"),
        });
        words.join(", ")
    }
}

/// Looks for the tools and tries to install those that are missing.
pub fn run() -> Tools {
    let tools = Tools {
        no_oracle: oracle().err(),
        no_rustfmt: component("rustfmt", "fmt").err(),
        no_clippy: component("clippy", "clippy").err(),
    };
    for reason in [&tools.no_oracle, &tools.no_rustfmt, &tools.no_clippy].into_iter().flatten() {
        println!("note: {reason}");
    }
    tools
}

fn has_compiler() -> bool {
    ["tcc", "gcc", "cc"].into_iter().any(shell::is_installed)
}

/// SPIN, and `tcc` because it compiles SPIN's verifiers many times faster than
/// `gcc` does.
fn oracle() -> Result<(), String> {
    if shell::is_installed("spin") && shell::is_installed("tcc") {
        return Ok(());
    }
    let attempt = install_packages(&["spin", "tcc"]);
    if !shell::is_installed("spin") {
        let why = attempt.err().unwrap_or_else(|| "the package brought no `spin`".to_owned());
        return Err(format!("`spin` is not installed: {why}"));
    }
    if !has_compiler() {
        return Err("no C compiler for SPIN's verifiers".to_owned());
    }
    Ok(())
}

fn install_packages(packages: &[&str]) -> Result<(), String> {
    if !shell::is_installed("apt-get") {
        return Err("this is not a Debian-like system; install it by hand".to_owned());
    }
    if !is_root() {
        return Err(format!("run `sudo apt-get install {}`", packages.join(" ")));
    }
    apt(&["update"])?;
    let mut arguments = vec!["install", "-y", "--no-install-recommends"];
    arguments.extend(packages);
    apt(&arguments)
}

fn apt(arguments: &[&str]) -> Result<(), String> {
    let mut command = Command::new("apt-get");
    command.arg("-qq").args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
    println!("$ {}", shell::show(&command));
    match shell::output(&mut command) {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stderr);
            let last = text.lines().rfind(|l| !l.trim().is_empty()).unwrap_or("no message");
            Err(format!("`{}` failed: {last}", shell::show(&command)))
        }
        Err(error) => Err(error.to_string()),
    }
}

fn is_root() -> bool {
    let uid = shell::stdout(Command::new("id").arg("-u"));
    uid.is_ok_and(|uid| uid.trim() == "0")
}

/// A part of the Rust tool chain, by its name for rustup and for cargo.
fn component(name: &str, subcommand: &str) -> Result<(), String> {
    let works = || {
        let mut command = shell::cargo();
        shell::output(command.args([subcommand, "--version"])).is_ok_and(|o| o.status.success())
    };
    if works() {
        return Ok(());
    }
    if !shell::is_installed("rustup") {
        return Err(format!("`cargo {subcommand}` is not installed"));
    }
    let mut command = shell::program("rustup");
    println!("$ rustup component add {name}");
    let _ = shell::output(command.args(["component", "add", name]));
    if works() { Ok(()) } else { Err(format!("`rustup component add {name}` did not help")) }
}
