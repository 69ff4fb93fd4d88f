//! Documents that are made from the sources.

mod diagnostics;

use anyhow::Result;

use crate::shell;

/// Writes the generated documents, or only tells whether they are up to date.
pub fn run(check_only: bool) -> Result<bool> {
    if check_only {
        let stale = stale()?;
        stale.iter().for_each(|complaint| println!("{complaint}"));
        return Ok(stale.is_empty());
    }
    for (path, text) in documents()? {
        std::fs::write(shell::root().join(path), text)?;
        println!("wrote {path}");
    }
    Ok(true)
}

/// A complaint for every generated document that is not up to date.
pub fn stale() -> Result<Vec<String>> {
    let is_stale = |path: &str, text: &str| {
        let now = std::fs::read_to_string(shell::root().join(path)).unwrap_or_default();
        (now != text).then(|| format!("{path}:1: not up to date, run `cargo xtask codegen`"))
    };
    Ok(documents()?.iter().filter_map(|(path, text)| is_stale(path, text)).collect())
}

fn documents() -> Result<Vec<(&'static str, String)>> {
    Ok(vec![("docs/diagnostics.md", diagnostics::document()?)])
}
