//! `spinor graph`.

use crate::args::GraphArgs;
use crate::exit;
use clap::ArgMatches;

pub(crate) fn run(_args: &GraphArgs, _matches: &ArgMatches) -> u8 {
    exit::USAGE
}
