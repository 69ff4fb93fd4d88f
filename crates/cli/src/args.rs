//! The command line.

mod embedded;
mod runs;

use crate::quantities;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

pub(crate) use embedded::CArgs;
pub(crate) use runs::{
    EvalArgs, ExportArgs, ShortenArgs, SimulateArgs, TrailArgs, TrailCommand, TrailFormat,
};

const EXAMPLES: &str = "Examples:
  spinor check peterson.pml                  look for errors
  spinor check -DN=4 --timeout 10m leader.pml
  spinor check --json --no-trail model.pml   for scripts
  spinor replay peterson.pml                 tell the last counterexample again
  spinor simulate --seed 1 peterson.pml      a random run
  spinor trail export --format svg peterson.pml > run.svg
  spinor graph --format svg model.pml > model.svg
  spinor ltl '[] (p -> <> q)'                translate a formula";

/// Model checker for Promela.
#[derive(Debug, Parser)]
#[command(name = "spinor", version, about, after_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Search a model for violations of its properties
    Check(Box<CheckArgs>),
    /// Tell a counterexample again, step by step
    Replay(ReplayArgs),
    /// Draw the process automata of a model
    Graph(GraphArgs),
    /// Translate an LTL formula to an automaton
    Ltl(LtlArgs),
    /// Run a model once: at random, as you choose, or along a counterexample
    Simulate(Box<SimulateArgs>),
    /// Show, shorten, export or evaluate a counterexample
    Trail(TrailArgs),
    #[command(hide = true)]
    Ui(Unbuilt),
    #[command(hide = true)]
    Lsp(Unbuilt),
    /// Do what `spin ARGS…` does, and print what it prints
    #[command(disable_help_flag = true)]
    Spin(Unbuilt),
}

/// A command that does not work yet, with whatever follows it.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Unbuilt {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, num_args = 0..)]
    pub(crate) rest: Vec<OsString>,
}

/// The model and what the preprocessor is told.
#[derive(Debug, Args)]
pub(crate) struct ModelArgs {
    /// Promela file; `-` is standard input
    pub(crate) model: PathBuf,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = "Preprocessor")]
    pub(crate) define: Vec<String>,
    /// Forget a macro
    #[arg(short = 'U', value_name = "NAME", help_heading = "Preprocessor")]
    pub(crate) undefine: Vec<String>,
    /// Look for included files here, too
    #[arg(short = 'I', value_name = "DIR", help_heading = "Preprocessor")]
    pub(crate) include: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) c: CArgs,
}

const CHECK_EXAMPLES: &str = "Examples:
  spinor check model.pml                           everything the model declares
  spinor check --property safety model.pml         assertions, deadlocks, run-time errors only
  spinor check --property p --fairness weak m.pml  the ltl block p, under weak fairness
  spinor check --ltl '[] (a -> <> b)' model.pml    a formula of your own
  spinor check --ignore deadlock model.pml         do not report invalid end states
  spinor check --max-errors 0 model.pml            find all errors
  spinor check --search best-first model.pml       towards an error, by an estimate
  spinor check --memory 8G --timeout 1h model.pml  stop at a limit

Exit codes:
  0 holds   10 assertion   11 invalid end state   12 claim, LTL   13 non-progress cycle
  14 run-time error   20 incomplete   2 usage   65 bad model   66 unreadable   70 internal error
  130 interrupted";

#[derive(Debug, Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,

    /// Check this property only (repeatable): `safety`, `acceptance`, `non-progress`, `never` or
    /// the name of an ltl block [default: all that the model declares]
    #[arg(long, value_name = "P", help_heading = "Properties")]
    pub(crate) property: Vec<String>,
    /// Check this LTL formula (repeatable)
    #[arg(long, value_name = "FORMULA", help_heading = "Properties")]
    pub(crate) ltl: Vec<String>,
    /// Ignore never claims and ltl blocks of the model
    #[arg(long, help_heading = "Properties")]
    pub(crate) no_claim: bool,
    /// Do not report these; the search goes on past them
    #[arg(long, value_name = "KIND", help_heading = "Properties")]
    pub(crate) ignore: Vec<Ignore>,
    /// Which infinite runs count, for LTL, acceptance and non-progress: `none` (all of them),
    /// `weak` (a process that can always move does move), `strong` (a process that can move again
    /// and again does)
    #[arg(long, value_enum, default_value_t = Fairness::None, hide_possible_values = true, value_name = "KIND", help_heading = "Properties")]
    pub(crate) fairness: Fairness,

    /// Order of exploration: `dfs`, `bfs`, `stateless`, `random-walk`, or directed by an estimate:
    /// `best-first`, `astar`, `wastar`, `ida`, `beam` [default: bfs, or dfs if there are
    /// `hidden` variables]
    #[arg(long, value_name = "ORDER", hide_possible_values = true, help_heading = "Search")]
    pub(crate) search: Option<Order>,
    /// Estimate of the distance to an error: `active`, `deadlock`, `danger`, `formula`, `bound` (never too
    /// large), `fsm`, `hamming` (to a target), `none` [default: chosen from the property]
    #[arg(long, value_name = "NAME", help_heading = "Directed search")]
    pub(crate) heuristic: Option<String>,
    /// Weight of the estimate in `wastar` [default: 3]
    #[arg(long, value_name = "W", value_parser = quantities::weight, help_heading = "Directed search")]
    pub(crate) weight: Option<u32>,
    /// States of a level that `beam` keeps [default: 10000]
    #[arg(long, value_name = "N", help_heading = "Directed search")]
    pub(crate) beam_width: Option<usize>,
    /// Look for the last state of this trail, ours or SPIN's
    #[arg(long, value_name = "TRAIL", help_heading = "Directed search")]
    pub(crate) target: Option<PathBuf>,
    /// Where processes are at this label a deadlock is likely (repeatable); so they are at labels
    /// that begin with `danger`
    #[arg(long, value_name = "LABEL", help_heading = "Directed search")]
    pub(crate) danger: Vec<String>,
    /// Rounds of `ida` with other hash functions when a bitstate store found nothing [default: 1]
    #[arg(long, value_name = "N", help_heading = "Directed search")]
    pub(crate) restarts: Option<u32>,
    /// Seed of `random-walk`
    #[arg(long, value_name = "N", help_heading = "Search")]
    pub(crate) seed: Option<u64>,
    /// How to look for cycles: `scc` (components), `ndfs` (nested depth-first search), `indfs`
    /// (the same, improved by what is known of the claim) [default: scc]
    #[arg(long, value_name = "ALGORITHM", hide_possible_values = true, help_heading = "Search")]
    pub(crate) cycles: Option<Cycles>,
    /// Representation of the visited set: `tree` (exact, small), `exact` (all bytes),
    /// `collapse` (exact, components once), `automaton` (exact, smallest, slow), `hash-compact`, `bitstate` (both may miss states), `auto` (tree, and bitstate when the
    /// memory is used up) [default: tree]
    #[arg(long, value_name = "STORE", hide_possible_values = true, help_heading = "Search")]
    pub(crate) store: Option<Store>,
    /// Size of a bitstate store: 2^N bits [default: what the memory limit admits, 32 at most (512 MB), with `auto` 35]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(10..=45), help_heading = "Search")]
    pub(crate) bits: Option<u32>,
    /// Bits per state of a bitstate store [default: 3]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=32), help_heading = "Search")]
    pub(crate) hash_functions: Option<u32>,
    /// Another hash function of a bitstate store for each N
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Search")]
    pub(crate) hash_seed: u64,
    /// N small bitstate searches that differ in hash, order and depth, in place of one search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000), help_heading = "Search")]
    pub(crate) swarm: Option<u32>,
    /// Only runs in which at most K times another process moves while the last one could go on
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u8).range(0..=250), help_heading = "Search")]
    pub(crate) context_bound: Option<u8>,
    /// Depth first, remembering as many visited states as fit into SIZE: slower, complete
    #[arg(long, value_name = "SIZE", value_parser = quantities::size, help_heading = "Search")]
    pub(crate) cache: Option<u64>,
    /// What executes the model: `native` (machine code), `interpreter`, `auto` (the interpreter
    /// until the code is ready)
    #[arg(long, value_enum, default_value_t = Engine::Auto, hide_possible_values = true, value_name = "ENGINE", help_heading = "Search")]
    pub(crate) engine: Engine,
    /// A shortest counterexample
    #[arg(long, help_heading = "Search")]
    pub(crate) shortest: bool,
    /// Switch a pass off (repeatable)
    #[arg(long, value_name = "PASS", help_heading = "Search")]
    pub(crate) disable: Vec<Pass>,
    /// The same as `--disable reduction`
    #[arg(long, help_heading = "Search")]
    pub(crate) no_reduction: bool,
    /// All passes off: the bare statement-by-statement semantics
    #[arg(long, help_heading = "Search")]
    pub(crate) plain: bool,
    /// Worker threads [default: all cores]
    #[arg(long, value_name = "N", help_heading = "Search")]
    pub(crate) threads: Option<usize>,

    /// Bound on the search depth in steps; 0 is none
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Limits")]
    pub(crate) depth: u64,
    /// Stop after N errors; 0 finds all
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Limits")]
    pub(crate) max_errors: u64,
    /// Memory, as `8G` or `512M` [default: three quarters of what there is]
    #[arg(long, value_name = "SIZE", value_parser = quantities::size, help_heading = "Limits")]
    pub(crate) memory: Option<u64>,
    /// Time, as `90s`, `10m` or `1h`
    #[arg(long, value_name = "TIME", value_parser = quantities::time, help_heading = "Limits")]
    pub(crate) timeout: Option<Duration>,

    /// Where the counterexample goes [default: MODEL.trail]
    #[arg(long, value_name = "FILE", conflicts_with = "no_trail", help_heading = "Output")]
    pub(crate) trail: Option<PathBuf>,
    /// Write no counterexample
    #[arg(long, help_heading = "Output")]
    pub(crate) no_trail: bool,
    /// One JSON document on stdout instead of text
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  spinor replay peterson.pml
  spinor replay --full peterson.pml other.trail")]
pub(crate) struct ReplayArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// The counterexample [default: MODEL.trail]
    pub(crate) trail: Option<PathBuf>,
    /// Show all variables at each step
    #[arg(long)]
    pub(crate) full: bool,
    /// One JSON document on stdout instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  spinor graph model.pml | dot -Tpdf > model.pdf
  spinor graph --format svg model.pml > model.svg")]
pub(crate) struct GraphArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// How to draw
    #[arg(long, value_enum, default_value_t = GraphFormat::Dot)]
    pub(crate) format: GraphFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    Dot,
    Json,
    Svg,
}

#[derive(Debug, Args)]
#[command(after_help = "Operators:
  [] always   <> eventually   U until   W weakuntil   V release   X next
  ! not   && and   || or   -> implies   <-> equivalent
  Propositions are names, or expressions in parentheses as in `[] (x > 3)`.

Examples:
  spinor ltl '[] (p -> <> q)'                  a never claim for the formula
  spinor ltl --negate '[] (p -> <> q)'         for its negation, as used in checks
  spinor ltl --generalized --format hoa '[] <> p && [] <> q'
  spinor ltl --format dot 'p U q' | dot -Tpdf > claim.pdf
  spinor ltl --stats '<> [] p'                 sizes and kind of the automaton")]
pub(crate) struct LtlArgs {
    /// In SPIN's syntax; `-` is standard input
    pub(crate) formula: String,
    /// How to write the automaton [default: never, or hoa with `--generalized`]
    #[arg(long, value_enum)]
    pub(crate) format: Option<LtlFormat>,
    /// Translate the negation of the formula
    #[arg(long)]
    pub(crate) negate: bool,
    /// A transition-based generalised Büchi automaton instead of accepting states
    #[arg(long)]
    pub(crate) generalized: bool,
    /// One JSON object about the automaton instead of the automaton
    #[arg(long)]
    pub(crate) stats: bool,
    /// Give up beyond this many states before reduction; edges, memory and time are bounded in
    /// proportion
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) max_states: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LtlFormat {
    /// A never claim, as SPIN prints and reads it
    Never,
    /// Hanoi omega-automata format
    Hoa,
    /// Graphviz
    Dot,
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Ignore {
    Deadlock,
    Assert,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Fairness {
    None,
    Weak,
    Strong,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Order {
    Dfs,
    Bfs,
    BestFirst,
    Astar,
    Wastar,
    Ida,
    Beam,
    RandomWalk,
    Stateless,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Cycles {
    Ndfs,
    Indfs,
    Scc,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Store {
    Exact,
    Tree,
    Collapse,
    Automaton,
    HashCompact,
    Bitstate,
    Auto,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    Auto,
    Native,
    Interpreter,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Pass {
    Reduction,
    Merging,
    DeadVariables,
    WriteOnly,
}
