//! The code generator: from process automata to machine code, with Cranelift.
//!
//! One function per proctype tries all transitions of a process in a state (`step`),
//! guards first (`perform`, `message`, `expr`); the copy of the state, its change and the
//! event follow. Where errors of the model would have to be reported, the function
//! returns [`BAIL`](crate::abi::BAIL): the interpreter is the judge, see [`crate::abi`].
//! What is known before is in `facts`: above all which variables always hold the channel
//! they were declared with, so that its place is a constant. Large functions are cut by
//! locations and spread over threads (`plan`).
#![allow(unsafe_code)]

mod all;
mod chain;
mod channel;
mod dstep;
pub(crate) mod emit;
mod expr;
pub(crate) mod facts;
mod guards;
mod lean;
pub(crate) mod logic;
pub(crate) mod machine;
mod message;
mod moves;
mod perform;
mod plan;
mod process;
pub(crate) mod range;
pub(crate) mod ready;
mod remote;
mod rendezvous;
pub(crate) mod statics;
pub(crate) mod step;
mod tables;
mod watch;

use crate::abi::{Helpers, StepFn};
use cranelift_jit::JITModule;
use emit::Body;
use facts::Facts;
use machine::Made;
use plan::Job;
use spinor_exec::Options;
use spinor_program::Program;
use std::io;
use std::thread::Builder;
use std::time::Duration;
use step::Role;
use tables::Tables;

/// How hard Cranelift tries.
const OPT_LEVEL: &str = "speed";
/// How it finds registers.
const REGALLOC: &str = "backtracking";
/// Work, in transitions, that is worth a thread.
const PER_THREAD: usize = 150;
/// Stack of the threads, if there is room for it: expressions may be deep.
const STACK: usize = 256 << 20;

/// A thread to be started, with a stack of so many bytes.
pub type Threads = fn(usize) -> io::Result<Builder>;

/// A thread as the standard library makes it.
///
/// # Errors
/// None.
pub fn plain_thread(stack_bytes: usize) -> io::Result<Builder> {
    Ok(Builder::new().stack_size(stack_bytes))
}

/// Time that the thread at hand spent computing, since some moment in the past.
pub type Clock = fn() -> Duration;

/// Where that is not known.
#[must_use]
pub fn no_clock() -> Duration {
    Duration::ZERO
}

/// Why there is no code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompileError {
    /// None for this host.
    NoBackend,
    /// The code generator gave up.
    Failed(String),
}

impl std::fmt::Display for CompileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CompileError::NoBackend => f.write_str("no code generator for this machine"),
            CompileError::Failed(why) => write!(f, "no native code: {why}"),
        }
    }
}

impl std::error::Error for CompileError {}

/// Generated code. The functions must not be called after it is gone.
pub struct Code {
    /// All transitions of a process, by proctype; `None` if there are no instances.
    pub step: Vec<Option<StepFn>>,
    /// All transitions of all processes, if it is known which there are; takes neither frame
    /// nor pid.
    pub all: Option<StepFn>,
    /// All transitions of the claim; its frame is the claim's, the pid is not looked at.
    pub claim: Option<StepFn>,
    /// The receiving halves of a rendezvous, by proctype.
    pub accept: Vec<Option<StepFn>>,
    /// Whether some transition is executable (0 or 1, or `BAIL`), by proctype; only if
    /// the model has priorities or asks for `enabled`.
    pub enabled: Vec<Option<StepFn>>,
    /// Whether the `provided` clause holds (0 or 1, or `BAIL`), by proctype.
    pub provided: Vec<Option<StepFn>>,
    /// Bytes by which a state grows when a process starts, by proctype.
    pub frame_growth: Vec<usize>,
    /// Time that all threads together spent on it, if there is a clock.
    pub cpu_time: Duration,
    /// The code refers to it.
    _tables: Tables,
    modules: Vec<JITModule>,
}

// SAFETY: code and tables are only read once they are complete; the modules are kept for
// nothing but to free their memory.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Code").field("step", &self.step).finish_non_exhaustive()
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        for module in self.modules.drain(..) {
            // SAFETY: whoever calls the functions keeps the code alive.
            unsafe { module.free_memory() };
        }
    }
}

/// Compiles a program.
///
/// # Errors
/// There is no code generator for this machine, or it fails.
pub fn compile(
    program: &Program,
    options: Options,
    helpers: &Helpers,
    threads: Threads,
    clock: Clock,
) -> Result<Code, CompileError> {
    let conv = machine::isa()?.default_call_conv();
    let mut tables = Tables::new(program);
    let (units, cuts) = plan::plan(&Facts::new(program, options, *helpers, conv, &tables));
    tables.parts = cuts.iter().map(|&n| vec![0; n].into_boxed_slice()).collect();
    let made = {
        let facts = Facts::new(program, options, *helpers, conv, &tables);
        let work: usize = units.iter().map(|u| u.weight).sum();
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let hands = plan::deal(&units, cores.min(work.div_ceil(PER_THREAD)));
        generate(&facts, &units, &hands, threads, clock)?
    };
    let types = program.proctypes.len();
    let mut code = Code {
        step: vec![None; types],
        all: None,
        claim: None,
        accept: vec![None; types],
        enabled: vec![None; types],
        provided: vec![None; types],
        frame_growth: program.proctypes.iter().map(|p| facts::frame_growth(program, p)).collect(),
        cpu_time: made.iter().map(|made| made.cpu_time).sum(),
        _tables: tables,
        modules: Vec::new(),
    };
    for made in made {
        for (unit, address) in made.addresses {
            code.place(&units[unit].job, address);
        }
        code.modules.push(made.module);
    }
    Ok(code)
}

/// Generates all units, each hand in a thread of its own.
fn generate(
    facts: &Facts<'_>,
    units: &[plan::Unit],
    hands: &[Vec<usize>],
    threads: Threads,
    clock: Clock,
) -> Result<Vec<Made>, CompileError> {
    let failed = |why: &str| CompileError::Failed(why.to_owned());
    std::thread::scope(|scope| {
        let threads: Vec<_> = hands
            .iter()
            .map(|hand| {
                let make = move || {
                    let begin = clock();
                    let made = machine::make(facts, units, hand)?;
                    Ok(Made { cpu_time: clock().saturating_sub(begin), ..made })
                };
                threads(STACK)
                    .and_then(|thread| thread.name("compile".into()).spawn_scoped(scope, make))
                    .map_err(|e| CompileError::Failed(e.to_string()))
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread?.join().map_err(|_| failed("the code generator panicked"))?)
            .collect()
    })
}

impl Code {
    /// Puts a function where its callers look for it.
    fn place(&mut self, job: &Job, address: usize) {
        let table = &mut self._tables;
        // SAFETY: all these functions were generated with the signature of step functions.
        let function = || Some(unsafe { std::mem::transmute::<usize, StepFn>(address) });
        match *job {
            Job::Try { ref part, parts: Some(parts), .. } => {
                table.parts[parts][part.clone()].fill(address);
            }
            Job::Try { role, body, .. } | Job::Dispatch { role, body, .. } => match (role, body) {
                (Role::Step, Body::Process(id)) => self.step[id.index()] = function(),
                (Role::Step, _) => self.claim = function(),
                (Role::Accept, Body::Process(id)) => {
                    table.accept[id.index()] = address;
                    self.accept[id.index()] = function();
                }
                (Role::Accept | Role::Look, _) => {}
            },
            Job::All => self.all = function(),
            Job::Enabled(id) => {
                table.enabled[id.index()] = address;
                self.enabled[id.index()] = function();
            }
            Job::Provided(id) => {
                table.provided[id.index()] = address;
                self.provided[id.index()] = function();
            }
            Job::MayMove => table.may_move[0] = address,
            Job::WatchSend => table.watch_send[0] = address,
            Job::WatchReceive => table.watch_receive[0] = address,
        }
    }
}
