//! Start, dispatch, end.

use crate::args::{Cli, Command};
use crate::{commands, exit, interrupt, output};
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use std::panic;
use std::process::ExitCode;

/// Deeply nested expressions are evaluated recursively.
const STACK_BYTES: usize = 256 << 20;

pub(crate) fn main() -> ExitCode {
    panic::set_hook(Box::new(report_panic));
    let worker = spinor_check::thread(STACK_BYTES)
        .and_then(|thread| thread.name("main".to_owned()).spawn(run))
        .map(std::thread::JoinHandle::join);
    let code = match worker {
        Ok(Ok(code)) => code,
        Ok(Err(_)) => exit::INTERNAL,
        // No room for such a stack: an ordinary one will mostly do.
        Err(_) => panic::catch_unwind(run).unwrap_or(exit::INTERNAL),
    };
    ExitCode::from(code)
}

fn run() -> u8 {
    if let Some(code) = commands::spin::called_directly() {
        return code;
    }
    let matches = match Cli::command().try_get_matches() {
        Ok(matches) => matches,
        Err(error) => return usage(&error),
    };
    let cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let (_, of_command) = matches.subcommand().unwrap_or(("", &matches));
    interrupt::listen();
    dispatch(cli.command, of_command)
}

fn dispatch(command: Command, matches: &ArgMatches) -> u8 {
    match command {
        Command::Check(args) => commands::check::run(&args, matches),
        Command::Replay(args) => commands::replay::run(&args, matches),
        Command::Graph(args) => commands::graph::run(&args, matches),
        Command::Ltl(args) => commands::ltl::run(&args),
        Command::Simulate(args) => commands::simulate::run(&args, matches),
        Command::Trail(args) => commands::trail::run(&args, matches),
        Command::Ui(args) => unbuilt("ui", &args.rest),
        Command::Lsp(args) => unbuilt("lsp", &args.rest),
        // The words were taken before: all options are SPIN's.
        Command::Spin(_) => exit::USAGE,
    }
}

fn unbuilt(name: &str, _rest: &[std::ffi::OsString]) -> u8 {
    output::error(&format!("the command `{name}` is not available yet"));
    exit::USAGE
}

/// Help and version go to stdout and succeed, everything else is wrong usage.
fn usage(error: &clap::Error) -> u8 {
    let _ = error.print();
    if error.use_stderr() { exit::USAGE } else { exit::OK }
}

fn report_panic(info: &panic::PanicHookInfo<'_>) {
    let message = info.payload_as_str().unwrap_or("unknown reason");
    let place = info.location().map(|l| format!(" ({}:{})", l.file(), l.line()));
    internal(&format!("{message}{}", place.unwrap_or_default()));
}

/// Tells of a mistake of this program.
pub(crate) fn internal(message: &str) {
    output::error(&format!(
        "internal error: {message}\n  this is a mistake in spinor, not in your model: please \
         report it together with the model and the command line"
    ));
}
