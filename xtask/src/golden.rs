//! Recording SPIN's results for our own models again.

use anyhow::{Result, bail};

use crate::shell;

/// Runs `testkit`'s recorder, which writes `models/golden.tsv`.
pub fn run() -> Result<bool> {
    if !shell::is_installed("spin") {
        bail!("`spin` is not installed: install SPIN and a C compiler first");
    }
    let mut command = shell::cargo();
    command.args(["run", "--release", "--quiet", "-p", "spinor-testkit", "--bin", "golden", "--"]);
    println!("$ {}", shell::show(&command));
    Ok(command.arg("models").status()?.success())
}
