//! SPIN's verifiers: made once for a model and a mode, kept, and run.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use super::figures::Figures;
use super::models::Model;
use super::subject::{BITSTATE_BITS, HASH_FUNCTIONS, Mode, Subject};
use crate::measure::{self, Cost};

/// No run of a listed model takes that long on any machine worth measuring.
pub const LIMIT: Duration = Duration::from_secs(600);

/// Deeper than any model in the list; the measured runs get the bound they need,
/// because pan allocates its stack in advance.
const GENEROUS_BOUND: u64 = 20_000_000;

const GENERATE: &[&str] = &["-o1", "-o2", "-o3", "-a"];
const COMPILE: &[&str] = &["-O3", "-w", "-DSAFETY", "-DNOREDUCE", "-DNOCLAIM"];
/// Not where infinite runs are looked at.
const SAFETY: &[&str] = &["-DSAFETY", "-DNOCLAIM"];
const REPORT: &str = "reference.txt";
const TABLE: &str = "bfs-par-table.txt";

/// The verifiers of one model.
pub struct Verifiers {
    folder: PathBuf,
    /// What an exact run finds.
    pub reference: Reference,
}

/// What decides the options of further runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// States stored.
    pub stored: u64,
    /// Transitions.
    pub transitions: u64,
    depth: u64,
    vector_bytes: u64,
}

impl Verifiers {
    /// Generates the verifier and runs it once, unless that was done before.
    pub fn of(model: &Model, cache: &Path) -> Result<Self> {
        let folder = cache.join(key(model)?);
        std::fs::create_dir_all(&folder)?;
        let known = std::fs::read_to_string(folder.join(REPORT)).ok();
        if let Some(reference) = known.as_deref().and_then(Reference::read) {
            return Ok(Verifiers { folder, reference });
        }
        generate(model, &folder)?;
        compile(&folder, Mode::Full, 0, "pan-full")?;
        let bound = format!("-m{GENEROUS_BOUND}");
        let (text, _) = execute(&folder, "pan-full", &["-n", "-E", "-A", "-c0", &bound, "-w24"])?;
        let reference = Reference::read(&text).context("pan's report cannot be read")?;
        std::fs::write(folder.join(REPORT), text)?;
        Ok(Verifiers { folder, reference })
    }

    /// Makes the verifier of a mode, unless it is there.
    pub fn prepare(&self, mode: Mode) -> Result<()> {
        let name = program(mode);
        if !self.folder.join(name).is_file() {
            compile(&self.folder, mode, self.reference.vector_bytes, name)?;
            match mode {
                Mode::BfsPar => self.fit_table()?,
                Mode::Automaton => self.fit_automaton()?,
                Mode::HashCompact | Mode::Bitstate => self.fit_stack(mode),
                _ => {}
            }
        }
        Ok(())
    }

    /// Finds the table that breadth first on two cores needs: it cannot grow, and with
    /// rendezvous this mode stores many more states than the others do.
    fn fit_table(&self) -> Result<()> {
        let least = slots(self.reference.stored) + 1;
        for bits in least..least + 5 {
            std::fs::write(self.folder.join(TABLE), bits.to_string())?;
            if self.run(Mode::BfsPar).is_ok() {
                break;
            }
        }
        Ok(())
    }

    /// Finds the stack that a search needs which may miss states, and may go deeper for that.
    fn fit_stack(&self, mode: Mode) {
        let note = self.folder.join(deeper(mode));
        for times in [1, 2, 4, 8] {
            if times > 1 && std::fs::write(&note, times.to_string()).is_err() {
                return;
            }
            if self.run(mode).is_ok() {
                return;
            }
        }
    }

    /// An automaton has a layer for each byte that it is told a vector may have: it says itself
    /// how many suffice.
    fn fit_automaton(&self) -> Result<()> {
        let name = program(Mode::Automaton);
        let (text, _) = execute(&self.folder, name, &self.options(Mode::Automaton))?;
        if let Some(sufficient) = number_after(&text, "MA stats: -DMA=") {
            compile(&self.folder, Mode::Automaton, sufficient as u64, name)?;
        }
        Ok(())
    }

    /// Runs the verifier of a mode.
    pub fn run(&self, mode: Mode) -> Result<Figures> {
        let (text, cost) = execute(&self.folder, program(mode), &self.options(mode))?;
        figures(&text, cost)
    }

    /// Everything from the model's text on, in a folder of its own.
    pub fn run_whole(&self, model: &Model) -> Result<Figures> {
        let folder = self.folder.join("whole");
        std::fs::create_dir_all(&folder)?;
        let generated = generate(model, &folder)?;
        let compiled = compile(&folder, Mode::Full, 0, "pan")?;
        let (text, run) = execute(&folder, "pan", &self.options(Mode::Full))?;
        std::fs::remove_dir_all(&folder)?;
        let all = Cost {
            cpu: generated.cpu + compiled.cpu + run.cpu,
            wall: generated.wall + compiled.wall + run.wall,
            peak_bytes: generated.peak_bytes.max(compiled.peak_bytes).max(run.peak_bytes),
        };
        let search = figures(&text, run)?;
        Ok(Figures {
            whole_cpu: all.cpu.as_secs_f64(),
            whole_wall: all.wall.as_secs_f64(),
            peak_bytes: all.peak_bytes,
            ..search
        })
    }

    /// The stack as deep and the table as large as the model needs.
    fn options(&self, mode: Mode) -> Vec<String> {
        let slots = slots(self.reference.stored);
        if matches!(mode, Mode::Cycles | Mode::FairCycles) {
            // A claim doubles the steps and may double the states.
            let bound = 8 * self.reference.depth + 100_000;
            let options = format!("-a -n -m{bound} -w{}", slots + 1);
            let fair = (mode == Mode::FairCycles).then_some("-f");
            return options.split(' ').chain(fair).map(str::to_owned).collect();
        }
        let note = std::fs::read_to_string(self.folder.join(deeper(mode))).ok();
        let times: u64 = note.and_then(|text| text.parse().ok()).unwrap_or(1);
        let bound = times * self.reference.depth + 1_000;
        let mut options: Vec<String> = ["-n", "-E", "-A", "-c0"].map(str::to_owned).into();
        options.push(format!("-m{bound}"));
        options.extend(match mode {
            Mode::Bitstate => vec![format!("-w{BITSTATE_BITS}"), format!("-k{HASH_FUNCTIONS}")],
            Mode::BfsPar => {
                let fitting = std::fs::read_to_string(self.folder.join(TABLE));
                let bits = fitting.unwrap_or_else(|_| (slots + 1).to_string());
                vec![format!("-w{bits}"), "-u2".to_owned()]
            }
            // It has no table.
            Mode::Automaton => Vec::new(),
            _ => vec![format!("-w{slots}")],
        });
        options
    }
}

/// Binary logarithm of a table with at least one slot for each state.
fn slots(stored: u64) -> u32 {
    stored.max(2).next_power_of_two().ilog2().max(12)
}

fn program(mode: Mode) -> &'static str {
    match mode {
        Mode::Full => "pan-full",
        Mode::Collapse => "pan-collapse",
        Mode::Automaton => "pan-ma",
        Mode::HashCompact => "pan-hc4",
        Mode::Bitstate => "pan-bitstate",
        Mode::BfsPar => "pan-bfs-par",
        Mode::Cores => "pan-ncore",
        Mode::Cycles | Mode::FairCycles => "pan-cycles",
    }
}

/// Where it stands how many times deeper the search of a mode goes, if it does.
fn deeper(mode: Mode) -> String {
    format!("{}-deeper.txt", program(mode))
}

/// A folder name that changes with the model and with our way of compiling it.
fn key(model: &Model) -> Result<String> {
    let text = std::fs::read(&model.path)?;
    let mut hasher = DefaultHasher::new();
    (text, &model.defines, GENERATE, COMPILE).hash(&mut hasher);
    if let Some(formula) = model.formula {
        formula.hash(&mut hasher);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

fn generate(model: &Model, folder: &Path) -> Result<Cost> {
    let mut arguments: Vec<String> = model.defines.iter().map(|d| format!("-D{d}")).collect();
    arguments.extend(GENERATE.iter().map(|w| (*w).to_owned()));
    arguments.push(model.file(folder)?.to_string_lossy().into_owned());
    let (output, cost) = measure::run(folder, Path::new("spin"), &arguments, LIMIT)?;
    ensure!(
        output.status.success() && folder.join("pan.c").is_file(),
        "SPIN refuses it: {}",
        String::from_utf8_lossy(&output.stdout).trim()
    );
    Ok(cost)
}

fn compile(folder: &Path, mode: Mode, vector_bytes: u64, name: &str) -> Result<Cost> {
    let is_endless = Subject::Pan(mode).is_endless();
    let flags = COMPILE.iter().filter(|flag| !is_endless || !SAFETY.contains(flag));
    let mut arguments: Vec<String> = flags.map(|w| (*w).to_owned()).collect();
    arguments.extend(mode.flags(vector_bytes));
    arguments.extend(["-o", name, "pan.c"].map(str::to_owned));
    let (output, cost) = measure::run(folder, Path::new("gcc"), &arguments, LIMIT)?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        bail!("gcc fails: {}", message.lines().next().unwrap_or_default());
    }
    Ok(cost)
}

fn execute(folder: &Path, name: &str, arguments: &[impl AsRef<str>]) -> Result<(String, Cost)> {
    let arguments: Vec<String> = arguments.iter().map(|w| w.as_ref().to_owned()).collect();
    let (output, cost) = measure::run(folder, &folder.join(name), &arguments, LIMIT)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    for trouble in ["max search depth too small", "Search not completed", "states lost"] {
        ensure!(!text.contains(trouble), "{name}: {trouble}");
    }
    Ok((text, cost))
}

fn figures(text: &str, cost: Cost) -> Result<Figures> {
    let stored = number_before(text, "states, stored").context("pan reports no states")?;
    let transitions =
        number_before(text, "transitions (=").context("pan reports no transitions")?;
    // On two cores pan waits before it ends; its own clock leaves that out.
    let wall = number_after(text, "elapsed time").unwrap_or(cost.wall.as_secs_f64());
    let megabytes = |words: &str| number_before(text, words);
    let states = megabytes("actual memory usage for states")
        .or_else(|| megabytes("equivalent memory usage for states"))
        .unwrap_or(0.0);
    let table = megabytes("memory used for hash table").unwrap_or(0.0);
    // Where there are only hashes or bits, the table is all.
    let storage = match megabytes("memory used for hash array") {
        Some(array) => array,
        None if text.contains("shared memory used for hash table") => table,
        None => states + table,
    };
    let cpu = cost.cpu.as_secs_f64();
    Ok(Figures {
        stored: stored as u64,
        transitions: transitions as u64,
        cpu,
        wall,
        whole_cpu: cpu,
        whole_wall: cost.wall.as_secs_f64(),
        peak_bytes: cost.peak_bytes,
        store_bytes: (storage * 1024.0 * 1024.0) as u64,
        omitted: None,
    })
}

impl Reference {
    /// From the report of an exact run.
    pub fn read(text: &str) -> Option<Reference> {
        Some(Reference {
            stored: number_before(text, "states, stored")? as u64,
            transitions: number_before(text, "transitions (=")? as u64,
            depth: number_after(text, "depth reached")? as u64,
            vector_bytes: number_after(text, "State-vector")? as u64,
        })
    }
}

/// The number before some words of pan's report, where they first have one. Large
/// ones are printed as 1.1080306e+07.
fn number_before(text: &str, words: &str) -> Option<f64> {
    let lines = text.lines().filter_map(|line| line.split_once(words));
    lines.filter_map(|(before, _)| before.split_whitespace().next()?.parse().ok()).next()
}

/// The number after some words of pan's report.
fn number_after(text: &str, words: &str) -> Option<f64> {
    let after = text.split_once(words)?.1;
    after.split([',', ' ', '\n']).find(|word| !word.is_empty())?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: &str = "State-vector 40 byte, depth reached 3191, errors: 0
   110920 states, stored
   192139 states, matched
   303059 transitions (= stored+matched)
Stats on memory usage (in Megabytes):
   65.112	equivalent memory usage for states (stored*(State-vector + overhead))
   41.000	actual memory usage for states (compression: 62.86%)
    8.000	memory used for hash table (-w20)
   45.777	memory used for DFS stack (-m1000000)

pan: elapsed time 0.8 seconds
";

    #[test]
    fn the_report_of_pan_is_read() {
        let expected =
            Reference { stored: 110_920, transitions: 303_059, depth: 3191, vector_bytes: 40 };
        assert_eq!(Reference::read(FULL), Some(expected));
        let figures = figures(FULL, Cost::default()).expect("complete");
        assert_eq!(figures.store_bytes, 49 << 20);
        assert!((figures.wall - 0.8).abs() < 1e-9);
        let large = "1.1080306e+07 states, stored";
        assert_eq!(number_before(large, "states, stored"), Some(11_080_306.0));
    }

    #[test]
    fn arrays_and_shared_tables_are_all_there_is() {
        let counts = "5 states, stored\n9 transitions (= stored+matched)\n\
            56.9\tequivalent memory usage for states\n";
        let bytes = |line: &str| {
            let text = format!("{counts}{line}\n");
            figures(&text, Cost::default()).expect("complete").store_bytes
        };
        assert_eq!(bytes("   32.000\tmemory used for hash array (-w28)"), 32 << 20);
        assert_eq!(bytes("   26.000\tshared memory used for hash table (-w21)"), 26 << 20);
    }

    #[test]
    fn every_state_has_a_slot() {
        assert_eq!(slots(1 << 20), 20);
        assert_eq!(slots((1 << 20) + 1), 21);
        assert_eq!(slots(0), 12);
    }
}
