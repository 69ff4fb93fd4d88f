//! Random simulations of a fixed length.

use std::path::Path;

use anyhow::{Result, ensure};

use super::figures::Figures;
use super::models::Model;
use super::pan::LIMIT;
use super::record::View;
use super::spinor::Spinor;
use super::table::{Table, cell, count, seconds, times};
use crate::measure;

/// Steps of a run: enough to make the front end's time unimportant.
const STEPS: u64 = 1_000_000;

/// Something that simulates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Simulator {
    /// `spin`
    Spin,
    /// `spinor spin`
    Personality,
    /// `spinor simulate`
    Simulate,
}

impl Simulator {
    /// The name in the record.
    pub fn name(self) -> &'static str {
        match self {
            Simulator::Spin => "spin-random",
            Simulator::Personality => "spinor-spin",
            Simulator::Simulate => "simulate",
        }
    }

    /// Simulates a model, in silence.
    pub fn run(self, model: &Model, folder: &Path, spinor: &Spinor) -> Result<Figures> {
        let (bound, steps) = (format!("-u{STEPS}"), STEPS.to_string());
        let words: &[&str] = match self {
            Simulator::Spin => &["-n1", "-B", &bound],
            Simulator::Personality => &["spin", "-n1", "-B", &bound],
            Simulator::Simulate => &["simulate", "--quiet", "--seed", "1", "--steps", &steps],
        };
        let program = if self == Simulator::Spin { Path::new("spin") } else { &spinor.program };
        let mut arguments: Vec<String> = words.iter().map(|w| (*w).to_owned()).collect();
        arguments.push(model.file(folder)?.to_string_lossy().into_owned());
        let (output, cost) = measure::run(folder, program, &arguments, LIMIT)?;
        let text = String::from_utf8_lossy(&output.stdout);
        let end = if self == Simulator::Simulate { "the bound of" } else { "depth-limit" };
        ensure!(text.contains(end), "the run ended before step {STEPS}");
        let (cpu, wall) = (cost.cpu.as_secs_f64(), cost.wall.as_secs_f64());
        Ok(Figures {
            transitions: STEPS,
            cpu,
            wall,
            whole_cpu: cpu,
            whole_wall: wall,
            peak_bytes: cost.peak_bytes,
            ..Figures::default()
        })
    }
}

/// Simulations beside SPIN's.
pub fn table(view: &View) -> (&'static str, Table) {
    let mut table = Table::new(&[
        "model",
        "steps",
        "spin, s",
        "steps/s",
        "`spinor spin`, s",
        "steps/s",
        "faster",
        "`spinor simulate`, s",
        "steps/s",
        "faster",
    ]);
    let rate = |f: &Figures| count((f.transitions as f64 / f.cpu.max(1e-6)) as u64);
    for model in view.models() {
        let of = |simulator: Simulator| view.figures(model, simulator.name());
        let spin = of(Simulator::Spin);
        let mut row = vec![
            model.to_owned(),
            cell(spin, |f| count(f.transitions)),
            cell(spin, |f| seconds(f.cpu)),
            cell(spin, rate),
        ];
        for ours in [Simulator::Personality, Simulator::Simulate].map(of) {
            row.extend([
                cell(ours, |f| seconds(f.cpu)),
                cell(ours, rate),
                times(spin, ours, |f| f.cpu),
            ]);
        }
        table.rows.push(row);
    }
    let explanation = "Random runs that show nothing but their end, `spin -n1 -B -u1000000` and the same with \
        Spinor: CPU seconds of the whole program. Both choose by chance, so the runs are not the same.";
    (explanation, table)
}
