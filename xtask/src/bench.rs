//! `cargo xtask bench`: time and memory beside SPIN, on the same machine in the
//! same run.
//!
//! Both tools explore the whole state graph under the plain semantics: no
//! reduction, no merging, errors ignored. States and transitions must be equal,
//! or the comparison means nothing.

mod machine;
mod models;
mod report;
mod runs;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use crate::measure::Cost;
use crate::shell;
use models::Model;
use runs::{Counts, Search, Spin, Spinor};

/// What was asked for.
#[derive(Clone, Copy)]
pub struct Wanted {
    /// Small models, one round.
    pub quick: bool,
    /// Write nothing.
    pub dry_run: bool,
}

/// The measured figures of one model.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    model: String,
    counts: Counts,
    /// `spin -a` and the C compiler.
    compile: Cost,
    spin: Cost,
    dfs: Cost,
    bfs: Cost,
}

/// Measures all models; `false` if one of them could not be compared.
pub fn run(wanted: Wanted) -> Result<bool> {
    for tool in ["spin", "gcc"] {
        ensure!(shell::is_installed(tool), "`{tool}` is not installed");
    }
    let spinor = build()?;
    let scratch = Scratch::new()?;
    let rounds = if wanted.quick { 1 } else { 3 };
    let mut rows = Vec::new();
    let mut failures = Vec::new();
    for model in models::list(wanted.quick) {
        match measure(&model, &spinor, &scratch, rounds) {
            Ok(row) => {
                println!("{}", report::line(&row));
                rows.push(row);
            }
            Err(error) => {
                println!("{}: {error:#}", model.name);
                failures.push(format!("{}: {error:#}", model.name));
            }
        }
    }
    if shell::corpus().is_none() {
        println!("note: no ../shared/corpus, so only our own models were measured");
    }
    if rows.is_empty() {
        bail!("nothing could be measured");
    }
    let machine = machine::describe(&spinor.program)?;
    let point = report::Point { machine, rows };
    report::finish(&point, wanted.dry_run || wanted.quick || !failures.is_empty())?;
    if !failures.is_empty() {
        println!("\nnot compared, so nothing was written:");
        failures.iter().for_each(|failure| println!("  {failure}"));
    }
    Ok(failures.is_empty())
}

fn build() -> Result<Spinor> {
    let built = shell::cargo().args(["build", "--release", "--quiet"]).status()?;
    ensure!(built.success(), "`cargo build --release` failed");
    let arguments = ["metadata", "--no-deps", "--format-version", "1", "--offline"];
    let metadata = shell::stdout(shell::cargo().args(arguments))?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata)?;
    let target = metadata["target_directory"].as_str().context("no target folder")?;
    Ok(Spinor { program: PathBuf::from(target).join("release/spinor") })
}

/// All runs of one model. The tools take turns, so that a disturbance of the
/// machine meets all of them.
fn measure(model: &Model, spinor: &Spinor, scratch: &Scratch, rounds: usize) -> Result<Row> {
    let folder = scratch.folder(&model.name)?;
    let spin = Spin::prepare(model, &folder)?;
    let mut costs: [Vec<Cost>; 3] = Default::default();
    for _ in 0..rounds {
        let runs = [
            spin.run()?,
            spinor.run(model, &folder, Search::DepthFirst)?,
            spinor.run(model, &folder, Search::BreadthFirst)?,
        ];
        for ((counts, cost), costs) in runs.into_iter().zip(&mut costs) {
            ensure!(
                counts == spin.counts,
                "{} states and {} transitions, SPIN has {} and {}",
                counts.stored,
                counts.transitions,
                spin.counts.stored,
                spin.counts.transitions,
            );
            costs.push(cost);
        }
    }
    let [spin_costs, dfs, bfs] = costs.map(|costs| median(&costs));
    let (model, counts, compile) = (model.name.clone(), spin.counts, spin.compile);
    Ok(Row { model, counts, compile, spin: spin_costs, dfs, bfs })
}

/// The middle value of each figure by itself.
fn median(costs: &[Cost]) -> Cost {
    fn middle<T: Ord + Copy>(mut values: Vec<T>) -> T {
        values.sort_unstable();
        values[values.len() / 2]
    }
    Cost {
        cpu: middle(costs.iter().map(|c| c.cpu).collect::<Vec<Duration>>()),
        wall: middle(costs.iter().map(|c| c.wall).collect()),
        peak_bytes: middle(costs.iter().map(|c| c.peak_bytes).collect()),
    }
}

/// A folder for the files that SPIN writes, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self> {
        let path = std::env::temp_dir().join(format!("spinor-bench-{}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Scratch(path))
    }

    fn folder(&self, name: &str) -> Result<PathBuf> {
        let path = self.0.join(name.replace('/', "-"));
        std::fs::create_dir_all(&path)?;
        Ok(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What stays behind is only in the folder for temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_taken_per_figure() {
        let cost = |cpu, wall, peak_bytes| Cost {
            cpu: Duration::from_secs(cpu),
            wall: Duration::from_secs(wall),
            peak_bytes,
        };
        let costs = [cost(3, 9, 1), cost(1, 8, 3), cost(2, 7, 2)];
        assert_eq!(median(&costs), cost(2, 8, 2));
    }
}
