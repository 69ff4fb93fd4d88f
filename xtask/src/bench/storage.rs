//! `cargo xtask storage`: what the representations of the visited set cost, what they miss, and what
//! they are good for when memory is short.
//!
//! Each section keeps its last text in the cache, so that it can be measured alone.

mod beside;
mod omission;
mod shortage;

use std::path::{Path, PathBuf};

use anyhow::Result;

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
    measure: fn(&Bench<'_>) -> Result<String>,
}

const SECTIONS: [Section; 3] = [
    Section { option: "--beside", measure: beside::measure },
    Section { option: "--omission", measure: omission::measure },
    Section { option: "--shortage", measure: shortage::measure },
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
    let mut text = HEAD.to_owned();
    for Section { option, measure } in SECTIONS {
        let file = cache.join(format!("storage{option}.md"));
        if all || wanted(option) {
            std::fs::write(&file, measure(&bench)?)?;
        }
        text.push_str(&std::fs::read_to_string(&file).unwrap_or_default());
    }
    std::fs::write(shell::root().join(DOCUMENT), text.trim_end().to_owned() + "\n")?;
    println!("wrote {DOCUMENT}");
    Ok(true)
}

/// The models with these names that are there.
fn models(names: &[&str]) -> Vec<Model> {
    models::list(false).into_iter().filter(|model| names.contains(&model.name.as_str())).collect()
}
