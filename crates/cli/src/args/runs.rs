//! Options of the commands about single runs: `simulate` and `trail`.

use super::{ModelArgs, ReplayArgs};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  spinor simulate model.pml                        a random run
  spinor simulate --seed 7 --steps 200 model.pml   the same run every time
  spinor simulate --interactive model.pml          you choose
  spinor simulate --columns --process P model.pml  steps of P, one column per process
  spinor simulate --trail m.pml.trail m.pml        the run of a counterexample

Exit codes: as those of `check` for the error that the run ends in; 0 if it ends in none")]
pub(crate) struct SimulateArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,

    /// Seed of the random choices [default: another one each time]
    #[arg(long, value_name = "N", conflicts_with = "trail", help_heading = "Run")]
    pub(crate) seed: Option<u64>,
    /// Choose each move yourself; reads standard input
    #[arg(short, long, conflicts_with_all = ["trail", "json"], help_heading = "Run")]
    pub(crate) interactive: bool,
    /// Follow a counterexample, of Spinor or of SPIN
    #[arg(long, value_name = "FILE", help_heading = "Run")]
    pub(crate) trail: Option<PathBuf>,
    /// Stop after N steps
    #[arg(long, value_name = "N", default_value_t = 10_000, help_heading = "Run")]
    pub(crate) steps: u64,
    /// Do not show the first N steps; with `--interactive` they are random
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Run")]
    pub(crate) skip: u64,

    /// Show only steps of this process (repeatable): `P`, `1` or `P(1)`
    #[arg(long, value_name = "P", help_heading = "View")]
    pub(crate) process: Vec<String>,
    /// Show only steps that use this channel (repeatable)
    #[arg(long, value_name = "C", help_heading = "View")]
    pub(crate) channel: Vec<String>,
    /// Show only steps that change this variable (repeatable)
    #[arg(long, value_name = "V", help_heading = "View")]
    pub(crate) variable: Vec<String>,
    /// One column for each process
    #[arg(long, conflicts_with = "json", help_heading = "View")]
    pub(crate) columns: bool,
    /// Show all variables at each step
    #[arg(long, conflicts_with_all = ["columns", "quiet"], help_heading = "View")]
    pub(crate) full: bool,
    /// Show what the model prints and how the run ends, no steps
    #[arg(short, long, conflicts_with_all = ["columns", "json"], help_heading = "View")]
    pub(crate) quiet: bool,
    /// One JSON document on stdout instead of text
    #[arg(long, help_heading = "View")]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct TrailArgs {
    #[command(subcommand)]
    pub(crate) command: TrailCommand,
}

/// What to do with a counterexample. `TRAIL` is a trail of Spinor or of SPIN.
#[derive(Debug, Subcommand)]
pub(crate) enum TrailCommand {
    /// Tell it step by step, as `spinor replay`
    Show(ReplayArgs),
    /// Look for a shortest run to the same error
    Shorten(ShortenArgs),
    /// Write it in another format
    Export(ExportArgs),
    /// The value of an expression after each step
    Eval(EvalArgs),
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  spinor trail shorten model.pml                   replaces model.pml.trail if there is a shorter one
  spinor trail shorten model.pml long.trail -o short.trail")]
pub(crate) struct ShortenArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// The counterexample [default: MODEL.trail]
    pub(crate) trail: Option<PathBuf>,
    /// Where the shorter one goes [default: where the long one was]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Bound on the memory of the search, as `8G`
    #[arg(long, value_name = "SIZE", value_parser = crate::quantities::size)]
    pub(crate) memory: Option<u64>,
    /// Bound on its time, as `90s`
    #[arg(long, value_name = "TIME", value_parser = crate::quantities::time)]
    pub(crate) timeout: Option<std::time::Duration>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  spinor trail export --format svg model.pml > model.svg
  spinor trail export --format itf model.pml other.trail -o model.itf.json
  spinor trail export --format spin model.pml -o spin.trail    for `spin -t -k spin.trail model.pml`")]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// The counterexample [default: MODEL.trail]
    pub(crate) trail: Option<PathBuf>,
    /// The format
    #[arg(long, value_enum)]
    pub(crate) format: TrailFormat,
    /// Where it goes [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TrailFormat {
    /// The story, as `replay --json`
    Json,
    /// Informal trace format: the states, as Apalache and Quint write them
    Itf,
    /// Message sequence chart as a Mermaid diagram
    Mermaid,
    /// Message sequence chart as a picture
    Svg,
    /// Message sequence chart as text
    Text,
    /// SPIN's trail
    Spin,
    /// Spinor's trail
    Spinor,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  spinor trail eval model.pml 'len(q) + n'
  spinor trail eval model.pml 'user[1]@critical && turn == 0' other.trail
  spinor trail eval --changes model.pml 'P[0]:n'")]
pub(crate) struct EvalArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// An expression over the model's variables, as in a formula: locals are `P[1]:n`
    pub(crate) expr: String,
    /// The counterexample [default: MODEL.trail]
    pub(crate) trail: Option<PathBuf>,
    /// Only the steps that change it
    #[arg(long)]
    pub(crate) changes: bool,
    /// One JSON document on stdout instead of text
    #[arg(long)]
    pub(crate) json: bool,
}
