//! Reading the model that the command line names.

use crate::args::ModelArgs;
use crate::{diagnostics, exit, output};
use clap::ArgMatches;
use spinor_check::{CPolicy, Define, Input, LoadOptions, Loaded, load};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Reads and compiles a model that is to be executed. Diagnostics are shown; a model with errors is an
/// error.
pub(crate) fn open(args: &ModelArgs, matches: &ArgMatches) -> Result<Loaded, u8> {
    let loaded = read(args, matches, args.c.policy(None))?;
    if loaded.is_usable() { Ok(loaded) } else { Err(exit::BAD_MODEL) }
}

/// The same for a model that is only looked at: its C code is not.
pub(crate) fn open_to_look(args: &ModelArgs, matches: &ArgMatches) -> Result<Loaded, u8> {
    let loaded = read(args, matches, CPolicy::Ignore)?;
    if loaded.is_usable() { Ok(loaded) } else { Err(exit::BAD_MODEL) }
}

/// Reads and compiles the model. Diagnostics are shown.
pub(crate) fn read(args: &ModelArgs, matches: &ArgMatches, c: CPolicy) -> Result<Loaded, u8> {
    let input = if is_stdin(&args.model) {
        let mut bytes = Vec::new();
        if let Err(error) = std::io::stdin().lock().read_to_end(&mut bytes) {
            output::error(&format!("cannot read standard input: {error}"));
            return Err(exit::UNREADABLE);
        }
        Input::Text { name: "-".to_owned(), bytes }
    } else {
        Input::File(args.model.clone())
    };
    let options = LoadOptions {
        defines: defines(args, matches)?,
        include_dirs: args.include.clone(),
        c,
        ..LoadOptions::default()
    };
    let loaded = load(&input, &options).map_err(|error| {
        output::error(&error.to_string());
        exit::UNREADABLE
    })?;
    diagnostics::show(&loaded);
    Ok(loaded)
}

pub(crate) fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// Where the trail of a model is kept.
pub(crate) fn default_trail(model: &Path) -> PathBuf {
    let mut name = model.as_os_str().to_owned();
    name.push(".trail");
    PathBuf::from(name)
}

/// `-D` and `-U` in the order given.
fn defines(args: &ModelArgs, matches: &ArgMatches) -> Result<Vec<Define>, u8> {
    let indices = |id: &str| matches.indices_of(id).into_iter().flatten();
    let mut ordered: Vec<(usize, Define)> = Vec::new();
    for (index, text) in indices("define").zip(&args.define) {
        let (name, value) = text.split_once('=').unwrap_or((text, "1"));
        check_name(name)?;
        ordered.push((index, Define::Define(name.to_owned(), value.to_owned())));
    }
    for (index, name) in indices("undefine").zip(&args.undefine) {
        check_name(name)?;
        ordered.push((index, Define::Undefine(name.clone())));
    }
    ordered.sort_by_key(|(index, _)| *index);
    Ok(ordered.into_iter().map(|(_, define)| define).collect())
}

/// Function-like macros, `-D'F(x)=…'`, are allowed, as in the C preprocessor.
fn check_name(name: &str) -> Result<(), u8> {
    let plain = name.split('(').next().unwrap_or("");
    let is_word = plain.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && plain.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_word {
        return Ok(());
    }
    output::error(&format!("`{name}` is not the name of a macro"));
    Err(exit::USAGE)
}
