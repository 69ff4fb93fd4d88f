//! The oracle: the real SPIN, run on a model in a scratch folder.
//!
//! A run is `spin -a`, a C compiler on `pan.c`, and `./pan`; the report is
//! parsed into a [`SpinOutcome`]. tcc is preferred as compiler because it is
//! many times faster than gcc on the large generated file.

mod cycles;
mod process;
mod report;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use cycles::{Outside, Question, Target};
use process::Finished;
pub use report::parse_report;

/// Which question SPIN is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Config {
    /// The whole state space, no errors reported, any claim left out: for counts.
    Full,
    /// Stops at the first error, any claim left out.
    Verdict,
    /// Reports every error, any claim left out.
    VerdictAll,
    /// The whole product with the claim (if there is one), end states and
    /// assertions not reported.
    Claim,
    /// Breadth-first search with the question of [`Config::Verdict`].
    Bfs,
}

impl Config {
    /// The name used in recorded results.
    pub fn name(self) -> &'static str {
        match self {
            Config::Full => "full",
            Config::Verdict => "verdict",
            Config::VerdictAll => "verdict-all",
            Config::Claim => "claim",
            Config::Bfs => "bfs",
        }
    }

    /// The inverse of [`Config::name`].
    pub fn from_name(name: &str) -> Option<Config> {
        [Config::Full, Config::Verdict, Config::VerdictAll, Config::Claim, Config::Bfs]
            .into_iter()
            .find(|c| c.name() == name)
    }

    fn pan_flags(self) -> &'static [&'static str] {
        match self {
            Config::Full | Config::Claim => &["-E", "-A", "-c0"],
            Config::Verdict | Config::Bfs => &[],
            Config::VerdictAll => &["-c0"],
        }
    }
}

/// Why a search did not cover everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Truncation {
    /// The depth bound was hit.
    Depth,
    /// The memory bound was hit.
    Memory,
    /// The time limit stopped the run.
    Time,
}

/// One reported error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Text without the `pan:N:` prefix and the depth.
    pub text: String,
    /// Depth at which it was reported; −1 for the initial state.
    pub depth: i64,
}

/// Everything read from one run of SPIN.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpinOutcome {
    /// Why `spin`, the C compiler or `pan` at start-up did not accept the model.
    pub refused: Option<String>,
    /// Signal that killed `pan` (8 = SIGFPE: division by zero).
    pub crashed: Option<i32>,
    /// Set if the search is incomplete because of a limit.
    pub truncated: Option<Truncation>,
    /// True if some count was printed rounded.
    pub approximate: bool,
    /// States stored.
    pub stored: u64,
    /// States matched.
    pub matched: u64,
    /// Transitions (stored + matched).
    pub transitions: u64,
    /// Atomic steps.
    pub atomic_steps: u64,
    /// Depth reached.
    pub depth: u64,
    /// Number of errors, including those whose message was not repeated.
    pub errors: u64,
    /// Size of the state vector in bytes.
    pub state_bytes: u64,
    /// The printed errors in order.
    pub messages: Vec<Message>,
}

impl SpinOutcome {
    fn refusal(text: &str) -> SpinOutcome {
        SpinOutcome { refused: Some(text.trim().to_owned()), ..SpinOutcome::default() }
    }

    /// True if the counts are those of the whole state space.
    pub fn is_complete(&self) -> bool {
        self.refused.is_none()
            && self.crashed.is_none()
            && self.truncated.is_none()
            && !self.approximate
    }
}

/// Why the oracle itself could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum OracleError {
    /// SPIN or a C compiler is missing.
    #[error("oracle not available: {0}")]
    Unavailable(String),
    /// A file or process operation failed.
    #[error("oracle failed: {0}")]
    Io(#[from] std::io::Error),
}

#[derive(Clone, Copy, Debug)]
enum Compiler {
    Tcc,
    Gcc,
}

/// The oracle with its limits.
#[derive(Clone, Debug)]
pub struct Oracle {
    /// Time limit for each of the three programs.
    pub time_limit: Duration,
    /// Depth bound (`pan -m`).
    pub max_depth: u64,
    /// Memory bound of `pan` in megabytes.
    pub memory_mb: u64,
    /// Definitions passed to the preprocessor, as `NAME` or `NAME=value`.
    pub defines: Vec<String>,
    /// Further flags of `spin`, before `-a`.
    pub spin_flags: Vec<String>,
    /// Further flags of `pan`.
    pub pan_flags: Vec<String>,
    /// Further flags of the C compiler.
    pub cc_flags: Vec<String>,
    /// Folder whose header files the model includes.
    pub headers: Option<PathBuf>,
}

impl Default for Oracle {
    fn default() -> Self {
        Oracle {
            time_limit: Duration::from_secs(20),
            max_depth: 1_000_000,
            memory_mb: 1024,
            defines: Vec::new(),
            spin_flags: ["-o1", "-o2", "-o3"].map(str::to_owned).to_vec(),
            pan_flags: Vec::new(),
            cc_flags: Vec::new(),
            headers: None,
        }
    }
}

/// State vectors above SPIN's default of 1024 bytes need this define.
const LARGE_VECTOR: &str = "-DVECTORSZ=65536";

impl Oracle {
    /// `Ok` if SPIN and a C compiler can be run, else the reason.
    pub fn is_available() -> Result<(), String> {
        static ANSWER: OnceLock<Result<(), String>> = OnceLock::new();
        ANSWER
            .get_or_init(|| {
                if !starts("spin", "-V") {
                    return Err("`spin` is not installed".to_owned());
                }
                find_compiler().map(|_| ())
            })
            .clone()
    }

    /// Runs SPIN on a model in a file.
    pub fn check_file(&self, path: &Path, config: Config) -> Result<SpinOutcome, OracleError> {
        let source = String::from_utf8_lossy(&std::fs::read(path)?).into_owned();
        self.check(&source, config)
    }

    /// Runs SPIN on a model given as text.
    pub fn check(&self, source: &str, config: Config) -> Result<SpinOutcome, OracleError> {
        Ok(self.check_all(source, &[config])?.pop().expect("one outcome per configuration"))
    }

    /// Runs several questions on one model, generating and compiling as rarely as possible.
    pub fn check_all(
        &self,
        source: &str,
        configs: &[Config],
    ) -> Result<Vec<SpinOutcome>, OracleError> {
        Self::is_available().map_err(OracleError::Unavailable)?;
        let dir = tempfile::tempdir()?;
        let dir = dir.path();
        std::fs::write(dir.join("model.pml"), source)?;
        self.copy_headers(dir)?;
        let generated = self.generate(dir)?;
        if let Some(refusal) = generation_refusal(dir, &generated) {
            return Ok(vec![refusal; configs.len()]);
        }
        let has_claim = has_claim(dir)?;
        let mut built: Option<(bool, bool)> = None;
        let mut outcomes = Vec::new();
        for &config in configs {
            let build = (has_claim && config != Config::Claim, config == Config::Bfs);
            let mut outcome = self.build_and_run(dir, config, build, built == Some(build), &[])?;
            built = Some(build);
            if outcome.needs_larger_vector {
                outcome = self.build_and_run(dir, config, build, false, &[LARGE_VECTOR])?;
                // The next configuration starts from the small vector again.
                built = None;
            }
            // A verifier that cannot be compiled is there for no question.
            if outcome.outcome.refused.is_some() {
                built = None;
            }
            outcomes.push(outcome.outcome);
        }
        Ok(outcomes)
    }

    /// SPIN's automata of a model, as `pan -d` prints them; `None` if it is refused.
    pub fn automata(
        &self,
        source: &str,
        headers: Option<&Path>,
    ) -> Result<Option<String>, OracleError> {
        Self::is_available().map_err(OracleError::Unavailable)?;
        let oracle = Oracle { headers: headers.map(Path::to_owned), ..self.clone() };
        let dir = tempfile::tempdir()?;
        let dir = dir.path();
        std::fs::write(dir.join("model.pml"), source)?;
        oracle.copy_headers(dir)?;
        let generated = oracle.generate(dir)?;
        if generation_refusal(dir, &generated).is_some()
            || oracle.compile(dir, &["-w", "-DSAFETY", "-DNOREDUCE", "-DNOCLAIM"])?.is_some()
        {
            return Ok(None);
        }
        let mut command = Command::new(dir.join("pan"));
        Ok(Some(process::run(command.arg("-d"), dir, self.time_limit)?.text))
    }

    fn copy_headers(&self, dir: &Path) -> Result<(), OracleError> {
        let Some(folder) = &self.headers else { return Ok(()) };
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if let (Some("h"), Some(name)) =
                (path.extension().and_then(|e| e.to_str()), path.file_name())
            {
                std::fs::copy(&path, dir.join(name))?;
            }
        }
        Ok(())
    }

    fn generate(&self, dir: &Path) -> Result<Finished, OracleError> {
        let mut command = Command::new("spin");
        command.args(&self.spin_flags);
        for define in &self.defines {
            command.arg(format!("-D{define}"));
        }
        command.args(["-a", "model.pml"]);
        Ok(process::run(&mut command, dir, self.time_limit)?)
    }

    fn build_and_run(
        &self,
        dir: &Path,
        config: Config,
        (no_claim, bfs): (bool, bool),
        reuse: bool,
        extra: &[&str],
    ) -> Result<RunResult, OracleError> {
        if !reuse {
            let mut flags = vec!["-w", "-DSAFETY", "-DNOREDUCE"];
            if no_claim {
                flags.push("-DNOCLAIM");
            }
            if bfs {
                flags.push("-DBFS");
            }
            flags.extend(extra);
            flags.extend(self.cc_flags.iter().map(String::as_str));
            if let Some(refusal) = self.compile(dir, &flags)? {
                return Ok(RunResult::of(refusal));
            }
        }
        let mut command = Command::new(dir.join("pan"));
        command
            .args(config.pan_flags())
            .args(["-n", "-w18"])
            .arg(format!("-m{}", self.max_depth))
            .args(&self.pan_flags);
        let run = process::run(&mut command, dir, self.time_limit)?;
        if run.text.contains("VECTORSZ is too small") || run.text.contains("VECTORSZ too small") {
            return Ok(RunResult {
                outcome: parse_report(&run.text),
                needs_larger_vector: extra.is_empty(),
            });
        }
        let mut outcome = parse_report(&run.text);
        if run.status.is_none() {
            outcome.refused = None;
            outcome.truncated = Some(Truncation::Time);
        } else if let Some(signal) = run.signal() {
            outcome.refused = None;
            outcome.crashed = Some(signal);
        }
        Ok(RunResult::of(outcome))
    }

    /// Compiles `pan.c`; a compiler's complaint counts as a refusal of the model.
    fn compile(&self, dir: &Path, flags: &[&str]) -> Result<Option<SpinOutcome>, OracleError> {
        let (program, optimise) = match find_compiler().map_err(OracleError::Unavailable)? {
            Compiler::Tcc => ("tcc", None),
            Compiler::Gcc => ("gcc", Some("-O0")),
        };
        let mut command = Command::new(program);
        command
            .args(optimise)
            .args(flags)
            .arg(format!("-DMEMLIM={}", self.memory_mb))
            .args(["-o", "pan", "pan.c"]);
        let build = process::run(&mut command, dir, self.time_limit)?;
        Ok((!build.success()).then(|| SpinOutcome::refusal(&build.text)))
    }
}

struct RunResult {
    outcome: SpinOutcome,
    needs_larger_vector: bool,
}

impl RunResult {
    fn of(outcome: SpinOutcome) -> RunResult {
        RunResult { outcome, needs_larger_vector: false }
    }
}

/// The exit code decides: some complaints ("dubious use of 'else'") are printed
/// as errors and yet accepted.
fn generation_refusal(dir: &Path, generated: &Finished) -> Option<SpinOutcome> {
    if generated.status.is_none() {
        return Some(SpinOutcome { truncated: Some(Truncation::Time), ..SpinOutcome::default() });
    }
    if generated.success() && dir.join("pan.c").exists() {
        return None;
    }
    if let Some(signal) = generated.signal() {
        return Some(SpinOutcome::refusal(&format!("spin: killed by signal {signal}")));
    }
    let complaint = generated
        .text
        .lines()
        .find(|l| {
            let is_complaint = l.starts_with("spin:") || l.to_ascii_lowercase().contains("error");
            let is_harmless = ["dubious use of 'else'", "arning"].iter().any(|h| l.contains(h));
            is_complaint && !is_harmless
        })
        .or_else(|| generated.text.lines().next());
    Some(SpinOutcome::refusal(complaint.unwrap_or("spin failed")))
}

/// SPIN writes this guard into `pan.h` only for models with a claim.
fn has_claim(dir: &Path) -> std::io::Result<bool> {
    let header = std::fs::read(dir.join("pan.h"))?;
    Ok(String::from_utf8_lossy(&header).contains("#ifndef NOCLAIM"))
}

fn starts(program: &str, flag: &str) -> bool {
    Command::new(program).arg(flag).output().is_ok_and(|o| o.status.success())
}

fn find_compiler() -> Result<Compiler, String> {
    static ANSWER: OnceLock<Option<Compiler>> = OnceLock::new();
    ANSWER
        .get_or_init(|| {
            if starts("tcc", "-v") {
                Some(Compiler::Tcc)
            } else if starts("gcc", "--version") {
                Some(Compiler::Gcc)
            } else {
                None
            }
        })
        .ok_or_else(|| "neither `tcc` nor `gcc` is installed".to_owned())
}

#[cfg(test)]
mod tests;
