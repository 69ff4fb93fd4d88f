//! `spinor trail`.

mod eval;
mod export;
mod shorten;

use crate::args::{TrailArgs, TrailCommand};
use crate::{exit, output};
use clap::ArgMatches;
use std::path::Path;

pub(crate) fn run(args: &TrailArgs, matches: &ArgMatches) -> u8 {
    let (_, of_command) = matches.subcommand().unwrap_or(("", matches));
    let result = match &args.command {
        TrailCommand::Show(args) => return super::replay::run(args, of_command),
        TrailCommand::Shorten(args) => shorten::run(args, of_command),
        TrailCommand::Export(args) => export::run(args, of_command),
        TrailCommand::Eval(args) => eval::run(args, of_command),
    };
    match result {
        Ok(code) | Err(code) => code,
    }
}

/// Writes a result to a file, or to standard output.
fn write(path: Option<&Path>, text: &str) -> Result<(), u8> {
    let Some(path) = path else {
        output::out(text);
        return Ok(());
    };
    std::fs::write(path, text).map_err(|error| {
        output::error(&format!("cannot write to `{}`: {error}", path.display()));
        exit::UNREADABLE
    })
}
