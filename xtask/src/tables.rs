//! The tables of the paper on directed model checking, measured again.

use anyhow::{Result, bail};

use crate::shell;

const PAGE: &str = "docs/directed-search.md";

/// Runs `testkit`'s experiments on the models of the paper and writes the page.
pub fn run() -> Result<bool> {
    let Some(models) = shell::corpus().map(|corpus| corpus.join("directed")) else {
        bail!("the models of the paper are not there: `../shared/corpus/directed`");
    };
    let mut command = shell::cargo();
    command.args(["run", "--release", "--quiet", "-p", "spinor-testkit", "--bin", "tables", "--"]);
    println!("$ {}", shell::show(&command));
    let page = shell::stdout(command.arg(models))?;
    std::fs::write(shell::root().join(PAGE), page)?;
    println!("{PAGE} written");
    Ok(true)
}
