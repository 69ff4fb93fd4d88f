//! What one run gives, and the middle of several.

use anyhow::{Context, Result};

/// The figures of a run, or the medians of several. Times are seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// States stored.
    pub stored: u64,
    /// Transitions, as SPIN counts them.
    pub transitions: u64,
    /// CPU time of the search, without front end and compilation.
    pub cpu: f64,
    /// Time of the search on the clock.
    pub wall: f64,
    /// CPU time from the model's text to the verdict.
    pub whole_cpu: f64,
    /// The same on the clock.
    pub whole_wall: f64,
    /// Largest resident size of the process.
    pub peak_bytes: u64,
    /// What the states take: vectors, dictionaries and tables, no stacks, no queues.
    pub store_bytes: u64,
    /// How many states a lossy search expects to have missed, where it says so.
    pub omitted: Option<f64>,
}

/// Names of the figures in the record, in the order of [`Figures::cells`].
pub const COLUMNS: &[&str] = &[
    "stored",
    "transitions",
    "cpu",
    "wall",
    "whole_cpu",
    "whole_wall",
    "peak_bytes",
    "store_bytes",
    "omitted",
];

impl Figures {
    /// The middle value of each figure by itself; counts are the same in all runs
    /// of an exact search, and nearly so in a lossy one.
    pub fn median(runs: &[Figures]) -> Option<Figures> {
        let last = runs.last()?;
        let time = |of: fn(&Figures) -> f64| median(&runs.iter().map(of).collect::<Vec<_>>());
        let size = |of: fn(&Figures) -> u64| {
            let mut sizes: Vec<u64> = runs.iter().map(of).collect();
            sizes.sort_unstable();
            sizes[sizes.len() / 2]
        };
        Some(Figures {
            stored: size(|f| f.stored),
            transitions: size(|f| f.transitions),
            cpu: time(|f| f.cpu)?,
            wall: time(|f| f.wall)?,
            whole_cpu: time(|f| f.whole_cpu)?,
            whole_wall: time(|f| f.whole_wall)?,
            peak_bytes: size(|f| f.peak_bytes),
            store_bytes: size(|f| f.store_bytes),
            omitted: last.omitted,
        })
    }

    /// Storage of one state.
    pub fn bytes_per_state(&self) -> f64 {
        self.store_bytes as f64 / self.stored.max(1) as f64
    }

    /// For the record.
    pub fn cells(&self) -> Vec<String> {
        let time = |seconds: f64| format!("{seconds:.4}");
        vec![
            self.stored.to_string(),
            self.transitions.to_string(),
            time(self.cpu),
            time(self.wall),
            time(self.whole_cpu),
            time(self.whole_wall),
            self.peak_bytes.to_string(),
            self.store_bytes.to_string(),
            self.omitted.map_or_else(String::new, |n| format!("{n:e}")),
        ]
    }

    /// From the record.
    pub fn parse(cells: &[&str]) -> Result<Figures> {
        let mut cells = cells.iter().copied();
        let mut next = || cells.next().context("a cell is missing");
        Ok(Figures {
            stored: next()?.parse()?,
            transitions: next()?.parse()?,
            cpu: next()?.parse()?,
            wall: next()?.parse()?,
            whole_cpu: next()?.parse()?,
            whole_wall: next()?.parse()?,
            peak_bytes: next()?.parse()?,
            store_bytes: next()?.parse()?,
            omitted: match next()? {
                "" => None,
                number => Some(number.parse()?),
            },
        })
    }
}

/// The middle value, or the mean of the two in the middle.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        n if n % 2 == 1 => Some(values[middle]),
        _ => Some(values[middle - 1].midpoint(values[middle])),
    }
}

/// How often `ours` fits into `theirs`.
pub fn factor(theirs: f64, ours: f64) -> f64 {
    theirs / ours.max(1e-6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(cpu: f64, wall: f64, peak_bytes: u64) -> Figures {
        Figures { stored: 5, cpu, wall, peak_bytes, omitted: Some(0.25), ..Figures::default() }
    }

    #[test]
    fn the_median_is_taken_per_figure() {
        let runs = [figures(3.0, 9.0, 1), figures(1.0, 8.0, 3), figures(2.0, 7.0, 2)];
        assert_eq!(Figures::median(&runs), Some(figures(2.0, 8.0, 2)));
        assert_eq!(Figures::median(&[]), None);
        assert_eq!(median(&[4.0, 1.0]), Some(2.5));
    }

    #[test]
    fn figures_are_recorded_and_read_back() {
        let figures = figures(1.5, 2.25, 4096);
        let cells = figures.cells();
        assert_eq!(cells.len(), COLUMNS.len());
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        assert_eq!(Figures::parse(&cells).expect("readable"), figures);
        assert!(Figures::parse(&cells[..4]).is_err());
    }
}
