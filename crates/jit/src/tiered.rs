//! Begins with the interpreter and goes over to native code when that is ready.
//!
//! Both give the same events for the same state, so a search may change from one to
//! the other at any state. All instances of one check share one compilation.

use crate::compile::{Clock, Code, Threads, compile, no_clock, plain_thread};
use crate::helpers::HELPERS;
use crate::native::Native;
use crate::word::{self, Executed, WordProgram, Words};
use spinor_exec::{Exec, Options, cells_of};
use spinor_program::{Program, StmtId};
use spinor_ts::{
    CellsOf, Expansion, Footprint, GroupMoves, Padded, TransitionSystem, Violation, WordCode,
    WordLayout, one_by_one,
};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Which engine expands states.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engine {
    /// The interpreter alone.
    Interpreter,
    /// Native code, compiled before the first state.
    Native,
    /// The interpreter first, native code as soon as it is there.
    #[default]
    Auto,
}

/// When to compile.
#[derive(Clone, Copy, Debug)]
pub struct TierConfig {
    /// Which engine.
    pub engine: Engine,
    /// With [`Engine::Auto`]: states that one instance expands before the compiler is
    /// started. Small models never pay for it.
    pub patience: u32,
    /// Where threads that compile come from.
    pub threads: Threads,
    /// How their time is measured.
    pub clock: Clock,
}

impl Default for TierConfig {
    fn default() -> Self {
        TierConfig { engine: Engine::Auto, patience: 500, threads: plain_thread, clock: no_clock }
    }
}

/// The stack of the thread that starts those that compile.
const STARTER_STACK: usize = 2 << 20;

/// The stack of a thread that compiles code for words, if there is room for it: expressions may be deep.
const COMPILER_STACK: usize = 256 << 20;

/// States to expand before the compiler is started where there is, or will be, code for words.
const WITH_WORDS: u32 = 1 << 14;

/// Groups of moves that count as one state: who asks for these remembers them, and will hardly ask again.
const GROUPS: u32 = 128;

/// What the compiler made.
struct Compiled {
    code: Result<Arc<Code>, String>,
    time: Duration,
}

/// What all instances share.
struct Shared {
    program: Arc<Program>,
    options: Options,
    config: TierConfig,
    is_started: AtomicBool,
    compiled: OnceLock<Compiled>,
    /// Code for states that are words, of each layout that was asked for.
    words: Mutex<Vec<Arc<WordJob>>>,
}

/// Code for words, as soon as it is there.
struct WordJob {
    layout: Arc<WordLayout>,
    /// And how long that took; nothing if there will be none.
    made: OnceLock<Option<MadeWords>>,
    /// For those who wait for it.
    is_done: Mutex<bool>,
    done: Condvar,
}

struct MadeWords {
    program: Arc<WordProgram>,
    time: Duration,
    cpu_time: Duration,
}

impl WordJob {
    fn new(layout: &Arc<WordLayout>) -> Self {
        let layout = Arc::clone(layout);
        let (is_done, done) = (Mutex::new(false), Condvar::new());
        Self { layout, made: OnceLock::new(), is_done, done }
    }

    /// Says what came of it.
    fn set(&self, made: Option<MadeWords>) {
        // Nobody else compiles, so the cell is empty.
        let _ = self.made.set(made);
        *self.is_done.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.done.notify_all();
    }

    /// Waits until it is done, but not longer than that.
    fn wait(&self, patience: Duration) {
        if patience.is_zero() || self.made.get().is_some() {
            return;
        }
        let is_done = self.is_done.lock().unwrap_or_else(PoisonError::into_inner);
        // Whether it is done is asked by who comes back from here.
        let _ = self.done.wait_timeout_while(is_done, patience, |is_done| !*is_done);
    }

    fn compile(&self, program: &Program, options: Options, clock: Clock) {
        let (begin, cpu_begin) = (Instant::now(), clock());
        let made = WordProgram::compile(program, options, &self.layout).ok();
        let (time, cpu_time) = (begin.elapsed(), clock().saturating_sub(cpu_begin));
        let made = made.map(|made| MadeWords { program: Arc::new(made), time, cpu_time });
        self.set(made);
    }
}

impl Shared {
    /// The code for words of a layout; begins to make it if nobody has.
    fn words(&self, layout: &Arc<WordLayout>) -> Arc<WordJob> {
        let mut words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(job) = words.iter().find(|job| job.layout == *layout) {
            return Arc::clone(job);
        }
        let job = Arc::new(WordJob::new(layout));
        words.push(Arc::clone(&job));
        let (program, options, own) = (Arc::clone(&self.program), self.options, Arc::clone(&job));
        if self.config.engine == Engine::Native {
            own.compile(&program, options, self.config.clock);
            return job;
        }
        let clock = self.config.clock;
        let compile = move || own.compile(&program, options, clock);
        let thread = (self.config.threads)(COMPILER_STACK);
        let thread = thread.and_then(|thread| thread.name("compiler".to_owned()).spawn(compile));
        if thread.is_err() {
            job.set(None);
        }
        job
    }

    /// The sum over all code for words that was made, if there is any.
    fn sum_of_words(&self, time: impl Fn(&MadeWords) -> Duration) -> Option<Duration> {
        let words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        let made = words.iter().filter_map(|job| job.made.get()?.as_ref());
        made.map(time).reduce(|sum, time| sum + time)
    }

    fn compile(&self) {
        let begin = Instant::now();
        let code =
            compile(&self.program, self.options, &HELPERS, self.config.threads, self.config.clock);
        let code = code.map(Arc::new).map_err(|e| e.to_string());
        // Nobody else compiles, so the cell is empty.
        let _ = self.compiled.set(Compiled { code, time: begin.elapsed() });
    }

    /// Compiles on a thread of its own. If the search ends first, the thread finishes
    /// alone: it owns all that it uses.
    fn compile_in_background(self: &Arc<Self>) {
        if self.is_started.swap(true, Ordering::Relaxed) {
            return;
        }
        let shared = Arc::downgrade(self);
        let compile = move || {
            // The search may be over before the thread begins.
            if let Some(shared) = shared.upgrade() {
                shared.compile();
            }
        };
        let thread = (self.config.threads)(STARTER_STACK);
        let thread = thread.and_then(|thread| thread.name("compiler".to_owned()).spawn(compile));
        if let Err(error) = thread {
            let code = Err(format!("no thread for the compiler: {error}"));
            let _ = self.compiled.set(Compiled { code, time: Duration::ZERO });
        }
    }
}

/// A program run by the best engine there is at the moment. One per thread:
/// [`Tiered::another`] gives more of them.
pub struct Tiered {
    shared: Arc<Shared>,
    /// Expands until native code is there; knows what it executed ever after.
    exec: Exec,
    native: Option<Box<Native>>,
    /// States to expand before the compiler is started.
    patience: u32,
    /// Groups of moves that were made one by one without native code.
    groups: u32,
    /// There will be no native code.
    is_settled: bool,
    /// Statements executed by code for words.
    executed: Executed,
    /// Somebody has asked for such code.
    expects_words: bool,
}

impl Tiered {
    /// A program to be run as `config` says.
    #[must_use]
    pub fn new(program: Arc<Program>, options: Options, config: TierConfig) -> Self {
        let shared = Arc::new(Shared {
            program,
            options,
            config,
            is_started: AtomicBool::new(false),
            compiled: OnceLock::new(),
            words: Mutex::default(),
        });
        if config.engine == Engine::Native {
            shared.is_started.store(true, Ordering::Relaxed);
            shared.compile();
        }
        Tiered::with(shared)
    }

    /// One more instance, for another thread.
    #[must_use]
    pub fn another(&self) -> Self {
        Tiered::with(Arc::clone(&self.shared))
    }

    fn with(shared: Arc<Shared>) -> Self {
        let mut tiered = Tiered {
            exec: Exec::new(Arc::clone(&shared.program), shared.options),
            native: None,
            groups: 0,
            patience: shared.config.patience,
            is_settled: shared.config.engine == Engine::Interpreter,
            executed: word::none_executed(&shared.program),
            expects_words: false,
            shared,
        };
        tiered.change_over();
        tiered
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &Arc<Program> {
        &self.shared.program
    }

    /// Whether native code is in use.
    #[must_use]
    pub fn is_native(&self) -> bool {
        self.native.is_some()
    }

    /// Whether a statement was executed in some state expanded so far.
    #[must_use]
    pub fn was_executed(&self, statement: StmtId) -> bool {
        self.exec.was_executed(statement)
            || word::was_executed(&self.executed, statement)
            || self.native.as_ref().is_some_and(|n| n.was_executed(statement))
    }

    /// How long the compiler took, if it has finished.
    #[must_use]
    pub fn compile_time(&self) -> Option<Duration> {
        let of_words = self.shared.sum_of_words(|made| made.time);
        let of_bytes = self.shared.compiled.get().map(|c| c.time);
        of_bytes.or(of_words).map(|_| of_bytes.unwrap_or_default() + of_words.unwrap_or_default())
    }

    /// Time that the threads of the compiler spent computing, as far as they have finished.
    #[must_use]
    pub fn compile_cpu_time(&self) -> Duration {
        let of_words = self.shared.sum_of_words(|made| made.cpu_time);
        let code = self.shared.compiled.get().and_then(|c| c.code.as_ref().ok());
        code.map_or(Duration::ZERO, |code| code.cpu_time) + of_words.unwrap_or_default()
    }

    /// Why there is no native code although it was wanted.
    #[must_use]
    pub fn note(&self) -> Option<String> {
        let compiled = self.shared.compiled.get()?;
        let reason = compiled.code.as_ref().err()?;
        Some(format!("the interpreter was used: {reason}"))
    }

    /// Takes native code into use if it is ready.
    fn change_over(&mut self) {
        let Some(compiled) = self.shared.compiled.get() else { return };
        match &compiled.code {
            Ok(code) => {
                let (program, options) = (Arc::clone(&self.shared.program), self.shared.options);
                self.native = Some(Box::new(Native::new(program, options, Arc::clone(code))));
            }
            Err(_) => self.is_settled = true,
        }
    }

    /// One more state, or some moves of one, without native code.
    #[cold]
    fn wait_for_native(&mut self) {
        if !self.is_settled {
            if self.patience > 0 {
                self.patience -= 1;
            } else {
                self.shared.compile_in_background();
            }
            self.change_over();
        }
    }

    #[cold]
    fn expand_slowly(&mut self, state: &[u8], out: &mut Expansion) {
        self.wait_for_native();
        match &mut self.native {
            Some(native) => native.expand(state, out),
            None => self.exec.expand(state, out),
        }
    }
}

impl TransitionSystem for Tiered {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        self.exec.initial()
    }

    fn hidden_bytes(&self) -> usize {
        self.exec.hidden_bytes()
    }

    #[inline]
    fn expand(&mut self, state: &[u8], out: &mut Expansion) {
        match &mut self.native {
            Some(native) => native.expand(state, out),
            None => self.expand_slowly(state, out),
        }
    }

    #[inline]
    fn expand_padded(&mut self, state: Padded<'_>, out: &mut Expansion) {
        match &mut self.native {
            Some(native) => native.expand_padded(state, out),
            None => self.expand_slowly(state.state(), out),
        }
    }

    #[inline]
    fn expand_many(&mut self, states: &[Padded<'_>], out: &mut Expansion, ends: &mut Vec<u32>) {
        match &mut self.native {
            Some(native) => native.expand_many(states, out, ends),
            None => one_by_one(states, out, ends, |state, out| self.expand_padded(state, out)),
        }
    }

    fn groups(&mut self, state: &[u8], anchors: &mut Vec<usize>) -> bool {
        self.exec.groups(state, anchors)
    }

    fn expand_group(
        &mut self,
        state: &[u8],
        group: usize,
        out: &mut Expansion,
        footprint: Option<&mut Footprint>,
    ) -> GroupMoves {
        if self.native.is_none() {
            self.groups += 1;
            if self.groups.is_multiple_of(GROUPS) {
                self.wait_for_native();
            }
        }
        match &mut self.native {
            Some(native) => native.expand_group(state, group, out, footprint),
            None => self.exec.expand_group(state, group, out, footprint),
        }
    }

    fn ends_quietly(&self) -> bool {
        self.exec.ends_quietly()
    }

    fn cells(&mut self, sample: &[Vec<u8>]) -> Option<CellsOf> {
        let Shared { program, options, config, .. } = &*self.shared;
        let is_wanted = config.engine != Engine::Interpreter;
        (is_wanted && word::suits(program, *options, sample)).then(|| cells_of(program, *options))
    }

    fn word_moves(&mut self, layout: &Arc<WordLayout>, patience: Duration) -> WordCode {
        if self.shared.config.engine == Engine::Interpreter {
            return WordCode::Never;
        }
        // There will be little left to do for other code.
        if !self.expects_words {
            (self.expects_words, self.patience) = (true, WITH_WORDS);
        }
        let job = self.shared.words(layout);
        job.wait(patience);
        match job.made.get() {
            None => WordCode::Later,
            Some(None) => WordCode::Never,
            Some(Some(made)) => {
                match Words::new(Arc::clone(&made.program), Arc::clone(&self.executed)) {
                    Some(moves) => WordCode::Ready(Box::new(moves)),
                    None => WordCode::Never,
                }
            }
        }
    }
}
