//! One run of either tool.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::models::Model;
use crate::measure::{self, Cost};

/// What must be equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// States stored.
    pub stored: u64,
    /// Transitions, as SPIN counts them.
    pub transitions: u64,
}

/// A compiled verifier of SPIN.
pub struct Spin {
    /// Of its first run.
    pub counts: Counts,
    /// Cost of making it.
    pub compile: Cost,
    folder: PathBuf,
    bound: u64,
}

/// Deeper than any model in the list; the measured runs get the bound they need,
/// because pan allocates its stack in advance.
const GENEROUS_BOUND: u64 = 20_000_000;

impl Spin {
    /// Generates and compiles the verifier, and runs it once.
    pub fn prepare(model: &Model, folder: &Path) -> Result<Self> {
        let path = model.path.to_string_lossy().into_owned();
        let generate = words(&["-o1", "-o2", "-o3", "-a", &path]);
        let (output, generated) = measure::run(folder, Path::new("spin"), &generate)?;
        ensure!(
            output.status.success() && folder.join("pan.c").is_file(),
            "SPIN refuses it: {}",
            String::from_utf8_lossy(&output.stdout).trim()
        );
        let flags = ["-O3", "-w", "-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", "-o", "pan", "pan.c"];
        let (output, compiled) = measure::run(folder, Path::new("gcc"), &words(&flags))?;
        ensure!(
            output.status.success(),
            "gcc fails: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
        let compile = Cost {
            cpu: generated.cpu + compiled.cpu,
            wall: generated.wall + compiled.wall,
            peak_bytes: generated.peak_bytes.max(compiled.peak_bytes),
        };
        let (text, _) = pan(folder, GENEROUS_BOUND)?;
        let counts = read_pan(&text).context("pan's report cannot be read")?;
        let bound = number_after(&text, "depth reached").unwrap_or(GENEROUS_BOUND) + 1_000;
        Ok(Spin { counts, compile, folder: folder.to_owned(), bound })
    }

    /// Runs the verifier.
    pub fn run(&self) -> Result<(Counts, Cost)> {
        let (text, cost) = pan(&self.folder, self.bound)?;
        Ok((read_pan(&text).context("pan's report cannot be read")?, cost))
    }
}

fn pan(folder: &Path, bound: u64) -> Result<(String, Cost)> {
    let arguments = words(&["-n", "-E", "-A", "-c0", &format!("-m{bound}")]);
    let (output, cost) = measure::run(folder, &folder.join("pan"), &arguments)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    ensure!(!text.contains("max search depth too small"), "pan needs a larger depth bound");
    Ok((text, cost))
}

fn read_pan(text: &str) -> Option<Counts> {
    Some(Counts {
        stored: number_before(text, "states, stored")?,
        transitions: number_before(text, "transitions (=")?,
    })
}

/// The number before some words of pan's report.
fn number_before(text: &str, words: &str) -> Option<u64> {
    number(text.split_once(words)?.0.split_whitespace().next_back()?)
}

/// The number after some words of pan's report.
fn number_after(text: &str, words: &str) -> Option<u64> {
    number(text.split_once(words)?.1.split([',', '\n']).next()?.trim())
}

/// Large numbers are printed as 1.1080306e+07.
fn number(word: &str) -> Option<u64> {
    word.parse().ok().or_else(|| word.parse::<f64>().ok().map(|n| n as u64))
}

/// The release build.
pub struct Spinor {
    /// Where it is.
    pub program: PathBuf,
}

/// Orders of exploration that are measured.
#[derive(Clone, Copy)]
pub enum Search {
    /// As SPIN does it.
    DepthFirst,
    /// By levels.
    BreadthFirst,
}

impl Spinor {
    /// Checks a model the way the verifiers of SPIN above do.
    pub fn run(&self, model: &Model, folder: &Path, search: Search) -> Result<(Counts, Cost)> {
        let order = match search {
            Search::DepthFirst => "dfs",
            Search::BreadthFirst => "bfs",
        };
        let path = model.path.to_string_lossy().into_owned();
        let arguments = words(&[
            "check",
            "--plain",
            "--no-claim",
            "--property",
            "safety",
            "--ignore",
            "deadlock",
            "--ignore",
            "assert",
            "--max-errors",
            "0",
            "--no-trail",
            "--json",
            "--search",
            order,
            &path,
        ]);
        let (output, cost) = measure::run(folder, &self.program, &arguments)?;
        let text = String::from_utf8_lossy(&output.stdout);
        let counts = read_json(&text).with_context(|| {
            let message = String::from_utf8_lossy(&output.stderr);
            format!("spinor ({order}) gives no complete result: {}", message.trim())
        })?;
        Ok((counts, cost))
    }
}

fn read_json(text: &str) -> Option<Counts> {
    let json: Value = serde_json::from_str(text).ok()?;
    let result = json["results"].get(0)?;
    let stats = &result["stats"];
    result["complete"].as_bool()?.then_some(())?;
    Some(Counts { stored: stats["stored"].as_u64()?, transitions: stats["transitions"].as_u64()? })
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|w| (*w).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAN: &str = "State-vector 40 byte, depth reached 3191, errors: 0
   110920 states, stored
   192139 states, matched
   303059 transitions (= stored+matched)
";

    #[test]
    fn the_report_of_pan_is_read() {
        let expected = Counts { stored: 110_920, transitions: 303_059 };
        assert_eq!(read_pan(PAN), Some(expected));
        assert_eq!(number_after(PAN, "depth reached"), Some(3191));
        let large = "1.1080306e+07 states, stored";
        assert_eq!(number_before(large, "states, stored"), Some(11_080_306));
    }

    #[test]
    fn only_complete_results_count() {
        let text = |complete| {
            format!(
                "{{\"results\": [{{\"complete\": {complete}, \
                 \"stats\": {{\"stored\": 2, \"transitions\": 3}}}}]}}"
            )
        };
        assert_eq!(read_json(&text(true)), Some(Counts { stored: 2, transitions: 3 }));
        assert_eq!(read_json(&text(false)), None);
        assert_eq!(read_json("no"), None);
    }
}
