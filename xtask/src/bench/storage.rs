//! `cargo xtask storage`: what the representations of the visited set cost, what they miss, and what
//! they are good for when memory is short.
//!
//! Each section can be measured alone: the others keep their text.

mod beside;
mod omission;
mod shortage;

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use super::models::{self, Model};
use super::spinor::Spinor;
use crate::shell;

/// Where everything goes.
const DOCUMENT: &str = "docs/storage.md";

const HEAD: &str = "# Stores

Written by `cargo xtask storage` (`--beside`, `--omission`, `--shortage` measure one section).

";

/// A part of the document.
struct Section {
    /// The option that asks for it.
    option: &'static str,
    /// What it begins with.
    heading: &'static str,
    measure: fn(&Bench<'_>) -> Result<String>,
}

const SECTIONS: [Section; 3] = [
    Section { option: "--beside", heading: "## Beside SPIN's\n", measure: beside::measure },
    Section { option: "--omission", heading: "## What is missed\n", measure: omission::measure },
    Section {
        option: "--shortage",
        heading: "## When memory is short\n",
        measure: shortage::measure,
    },
];

/// The options that [`run`] knows.
pub const OPTIONS: [&str; 3] = [SECTIONS[0].option, SECTIONS[1].option, SECTIONS[2].option];

/// What measuring needs.
struct Bench<'a> {
    spinor: &'a Spinor,
    cache: &'a Path,
    /// For files of Spinor's runs.
    folder: PathBuf,
}

/// Measures the sections that are asked for, or all, and writes the document.
pub fn run(spinor: &Spinor, cache: &Path, wanted: impl Fn(&str) -> bool) -> Result<bool> {
    let bench = Bench { spinor, cache, folder: cache.join("spinor") };
    std::fs::create_dir_all(&bench.folder)?;
    let all = !OPTIONS.iter().any(|option| wanted(option));
    let path = shell::root().join(DOCUMENT);
    let before = std::fs::read_to_string(&path).unwrap_or_default();
    let mut text = HEAD.to_owned();
    for Section { option, heading, measure } in SECTIONS {
        let section = if all || wanted(option) {
            let section = measure(&bench)?;
            ensure!(section.starts_with(heading), "the section of `{option}` has another heading");
            section
        } else {
            section_of(&before, heading).to_owned()
        };
        text.push_str(section.trim_end());
        text.push_str("\n\n");
    }
    std::fs::write(path, text.trim_end().to_owned() + "\n")?;
    println!("wrote {DOCUMENT}");
    Ok(true)
}

/// The section of a document with this heading; nothing if there is none.
fn section_of<'d>(document: &'d str, heading: &str) -> &'d str {
    let Some(start) = document.find(heading) else { return "" };
    let section = &document[start..];
    let end = section[heading.len()..].find("\n## ");
    end.map_or(section, |end| &section[..heading.len() + end + 1])
}

/// The models with these names that are there.
fn models(names: &[&str]) -> Vec<Model> {
    models::list(false).into_iter().filter(|model| names.contains(&model.name.as_str())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_found_again() {
        let document = "# Title\n\n## One\n\na\n\n### Part\n\n## Two\n\nb\n";
        assert_eq!(section_of(document, "## One\n"), "## One\n\na\n\n### Part\n\n");
        assert_eq!(section_of(document, "## Two\n"), "## Two\n\nb\n");
        assert_eq!(section_of(document, "## Three\n"), "");
    }
}
