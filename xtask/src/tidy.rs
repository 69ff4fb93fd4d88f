//! House rules that neither the compiler nor clippy knows. See `CONTRIBUTING.md`.
//!
//! Every check takes text and returns complaints, one per line, each with the
//! file it is about; nothing is changed.

mod files;
mod layers;
mod links;
mod sources;

use anyhow::Result;

use crate::{codegen, shell};

/// Runs all checks and prints what is wrong; `false` if anything is.
pub fn run() -> Result<bool> {
    let root = shell::root();
    let files = files::tracked(&root)?;
    let mut complaints = layers::check(&root)?;
    for file in &files {
        complaints.extend(sources::check(file));
        complaints.extend(links::check(&root, file));
    }
    complaints.extend(codegen::stale()?);
    for complaint in &complaints {
        println!("{complaint}");
    }
    println!("{} files, {} complaints", files.len(), complaints.len());
    Ok(complaints.is_empty())
}

#[cfg(test)]
mod tests {
    /// So that the rules hold wherever the tests are run.
    #[test]
    fn the_house_rules_hold() {
        assert!(
            super::run().unwrap(),
            "see the complaints above; `cargo xtask tidy` shows them too"
        );
    }
}
