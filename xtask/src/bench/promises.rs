//! What Spinor promises about its speed and size, held against the record.

use super::directed;
use super::figures::{Figures, factor, median};
use super::record::{Record, View};
use super::section::Section;

/// A promise: a value for each model, and what all of them together must be.
pub struct Promise {
    /// In a few words.
    pub text: &'static str,
    section: Section,
    models: Models,
    value: fn(&Case) -> Option<f64>,
    together: Together,
    wanted: Wanted,
    /// What no single model may miss.
    limit: Option<f64>,
}

/// Which models count.
enum Models {
    /// 0.5 to 20 million states.
    Usual,
    /// Less than 100,000 states, more than a few thousand.
    Small,
    /// About a thousand.
    Tiny,
    /// All of the section.
    All,
}

enum Together {
    Median,
    Sum,
    /// The last model's value over the first one's.
    Growth,
}

#[derive(Clone, Copy)]
enum Wanted {
    AtLeast(f64),
    AtMost(f64),
}

/// The figures of one model.
struct Case<'a> {
    view: &'a View<'a>,
    model: &'a str,
}

impl Case<'_> {
    fn of(&self, subject: &str) -> Option<&Figures> {
        self.view.figures(self.model, subject)
    }

    /// How much less CPU time the second takes.
    fn cpu(&self, theirs: &str, ours: &str) -> Option<f64> {
        Some(factor(self.of(theirs)?.cpu, self.of(ours)?.cpu))
    }

    /// The same by the clock.
    fn clock(&self, theirs: &str, ours: &str) -> Option<f64> {
        Some(factor(self.of(theirs)?.wall, self.of(ours)?.wall))
    }

    fn whole(&self) -> Option<f64> {
        Some(factor(self.of("pan-whole")?.whole_cpu, self.of("default")?.whole_cpu))
    }

    fn whole_on_the_clock(&self) -> Option<f64> {
        Some(factor(self.of("pan-whole")?.whole_wall, self.of("default")?.whole_wall))
    }

    fn storage(&self, theirs: &str) -> Option<f64> {
        Some(self.of("bfs")?.store_bytes as f64 / self.of(theirs)?.store_bytes.max(1) as f64)
    }

    fn two_cores_of_spin(&self) -> Option<f64> {
        let modes = ["pan-bfs-par", "pan-ncore"].map(|mode| self.of(mode).map(|f| f.wall));
        let best = modes.into_iter().flatten().min_by(f64::total_cmp)?;
        Some(factor(best, self.of("bfs-2")?.wall))
    }

    fn missed(&self, subject: &str) -> Option<f64> {
        Some(self.of("bfs")?.stored as f64 - self.of(subject)?.stored as f64)
    }
}

use Wanted::{AtLeast, AtMost};

/// All promises, in the order of the document.
pub const ALL: &[Promise] = &[
    Promise {
        text: "one core, exact: faster than pan",
        section: Section::OneCore,
        models: Models::Usual,
        value: |case| case.cpu("pan", "bfs"),
        together: Together::Median,
        wanted: AtLeast(8.0),
        limit: Some(4.0),
    },
    Promise {
        text: "the same depth first",
        section: Section::OneCore,
        models: Models::Usual,
        value: |case| case.cpu("pan", "dfs"),
        together: Together::Median,
        wanted: AtLeast(4.0),
        limit: Some(2.0),
    },
    Promise {
        text: "the same without native code",
        section: Section::OneCore,
        models: Models::Usual,
        value: |case| case.cpu("pan", "interpreter"),
        together: Together::Median,
        wanted: AtLeast(3.0),
        limit: None,
    },
    Promise {
        text: "two cores: faster than one, on the clock",
        section: Section::TwoCores,
        models: Models::Usual,
        value: |case| case.clock("bfs", "bfs-2"),
        together: Together::Median,
        wanted: AtLeast(1.7),
        limit: None,
    },
    Promise {
        text: "two cores: faster than pan's better two-core mode, on the clock",
        section: Section::TwoCores,
        models: Models::Usual,
        value: |case| case.two_cores_of_spin(),
        together: Together::Median,
        wanted: AtLeast(8.0),
        limit: None,
    },
    Promise {
        text: "from text to verdict, in CPU time: faster than spin, gcc and pan",
        section: Section::Compile,
        models: Models::Usual,
        value: |case| case.whole(),
        together: Together::Median,
        wanted: AtLeast(10.0),
        limit: None,
    },
    Promise {
        text: "the same for less than 100,000 states, in CPU time",
        section: Section::Compile,
        models: Models::Small,
        value: |case| case.whole(),
        together: Together::Median,
        wanted: AtLeast(50.0),
        limit: None,
    },
    Promise {
        text: "from text to verdict, on the clock",
        section: Section::Compile,
        models: Models::Usual,
        value: |case| case.whole_on_the_clock(),
        together: Together::Median,
        wanted: AtLeast(10.0),
        limit: None,
    },
    Promise {
        text: "the same for less than 100,000 states, on the clock",
        section: Section::Compile,
        models: Models::Small,
        value: |case| case.whole_on_the_clock(),
        together: Together::Median,
        wanted: AtLeast(50.0),
        limit: None,
    },
    Promise {
        text: "milliseconds from start to verdict for 1,000 states",
        section: Section::Compile,
        models: Models::Tiny,
        value: |case| Some(case.of("default")?.whole_wall * 1000.0),
        together: Together::Median,
        wanted: AtMost(60.0),
        limit: None,
    },
    Promise {
        text: "storage of states: part of what pan takes",
        section: Section::Memory,
        models: Models::Usual,
        value: |case| case.storage("pan"),
        together: Together::Median,
        wanted: AtMost(0.25),
        limit: None,
    },
    Promise {
        text: "storage of states: part of what pan takes with `-DCOLLAPSE`",
        section: Section::Memory,
        models: Models::Usual,
        value: |case| case.storage("pan-collapse"),
        together: Together::Median,
        wanted: AtMost(0.4),
        limit: None,
    },
    Promise {
        text: "faster than pan with `-DCOLLAPSE`",
        section: Section::Memory,
        models: Models::Usual,
        value: |case| case.cpu("pan-collapse", "bfs"),
        together: Together::Median,
        wanted: AtLeast(10.0),
        limit: None,
    },
    Promise {
        text: "bitstate: faster than pan with the same number of bits, one core",
        section: Section::Lossy,
        models: Models::Usual,
        value: |case| case.cpu("pan-bitstate", "bitstate"),
        together: Together::Median,
        wanted: AtLeast(8.0),
        limit: None,
    },
    Promise {
        text: "the same on two cores, on the clock",
        section: Section::Lossy,
        models: Models::Usual,
        value: |case| case.clock("pan-bitstate", "bitstate-2"),
        together: Together::Median,
        wanted: AtLeast(8.0),
        limit: None,
    },
    Promise {
        text: "bitstate: states missed beyond what pan misses, all models together",
        section: Section::Lossy,
        models: Models::Usual,
        value: |case| Some(case.missed("bitstate")? - case.missed("pan-bitstate")?),
        together: Together::Sum,
        wanted: AtMost(0.0),
        limit: None,
    },
    Promise {
        text: "hash-compact: faster than pan with `-DHC4`, one core",
        section: Section::Lossy,
        models: Models::Usual,
        value: |case| case.cpu("pan-hc4", "hash-compact"),
        together: Together::Median,
        wanted: AtLeast(8.0),
        limit: None,
    },
    Promise {
        text: "the same for each state that is stored",
        section: Section::Lossy,
        models: Models::Usual,
        value: |case| {
            let (theirs, ours) = (case.of("pan-hc4")?, case.of("hash-compact")?);
            Some(factor(theirs.cpu, ours.cpu) * ours.stored as f64 / theirs.stored as f64)
        },
        together: Together::Median,
        wanted: AtLeast(8.0),
        limit: None,
    },
    Promise {
        text: "the same on two cores, on the clock",
        section: Section::Lossy,
        models: Models::Usual,
        value: |case| {
            let stored = [case.of("hash-compact-2")?, case.of("pan-hc4")?].map(|f| f.stored as f64);
            Some(case.clock("pan-hc4", "hash-compact-2")? * stored[0] / stored[1])
        },
        together: Together::Median,
        wanted: AtLeast(8.0),
        limit: None,
    },
    Promise {
        text: "hash-compact: states missed beyond the stated estimate, all models together",
        section: Section::Lossy,
        models: Models::Usual,
        value: |case| {
            let stated = case.of("hash-compact")?.omitted?;
            Some((case.missed("hash-compact")? - stated).max(0.0))
        },
        together: Together::Sum,
        wanted: AtMost(0.0),
        limit: None,
    },
    Promise {
        text: "infinite runs: faster than pan with `-a`",
        section: Section::Endless,
        models: Models::All,
        value: |case| case.cpu("pan-cycles", "cycles"),
        together: Together::Median,
        wanted: AtLeast(8.0),
        limit: None,
    },
    Promise {
        text: "weak fairness: time as a factor of that without",
        section: Section::Endless,
        models: Models::All,
        value: |case| case.cpu("fair-cycles", "cycles"),
        together: Together::Median,
        wanted: AtMost(1.5),
        limit: Some(1.5),
    },
    Promise {
        text: "embedded C: faster than pan",
        section: Section::Embedded,
        models: Models::All,
        value: |case| case.cpu("pan", "bfs"),
        together: Together::Median,
        wanted: AtLeast(3.0),
        limit: Some(3.0),
    },
    Promise {
        text: "A*: thousands of states expanded in a second",
        section: Section::Directed,
        models: Models::All,
        value: |case| case.of("astar").map(|f| directed::rate(f) / 1000.0),
        together: Together::Median,
        wanted: AtLeast(300.0),
        limit: Some(300.0),
    },
    Promise {
        text: "growth: time per state in the largest over that in the smallest of a family",
        section: Section::Growth,
        models: Models::All,
        value: |case| case.of("bfs").map(|f| f.cpu / f.stored.max(1) as f64),
        together: Together::Growth,
        wanted: AtMost(1.5),
        limit: None,
    },
];

/// How a promise fares at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The value of all models together.
    pub value: f64,
    /// The model that is worst, and its value.
    pub worst: (String, f64),
    /// How many models there were.
    pub models: usize,
    /// Whether it is kept.
    pub kept: bool,
}

impl Promise {
    /// `≥ 8, each ≥ 4`
    pub fn wanted(&self) -> String {
        let (sign, value) = match self.wanted {
            AtLeast(value) => ("≥", value),
            AtMost(value) => ("≤", value),
        };
        match self.limit {
            Some(limit) => format!("{sign} {value}, each {sign} {limit}"),
            None => format!("{sign} {value}"),
        }
    }

    /// Whether the values of single models say something by themselves.
    pub fn has_worst(&self) -> bool {
        matches!(self.together, Together::Median)
    }

    /// At the newest point.
    pub fn now(&self, record: &Record) -> Option<Standing> {
        self.standing(&record.latest(self.section.name()))
    }

    /// At the point before.
    pub fn before(&self, record: &Record) -> Option<Standing> {
        self.standing(&record.before(self.section.name()))
    }

    fn standing(&self, view: &View) -> Option<Standing> {
        let mut values: Vec<(String, f64)> = Vec::new();
        for model in view.models() {
            let case = Case { view, model };
            if self.models.include(view, model)
                && let Some(value) = (self.value)(&case)
            {
                values.push((model.to_owned(), value));
            }
        }
        let numbers: Vec<f64> = values.iter().map(|(_, value)| *value).collect();
        let value = match self.together {
            Together::Median => median(&numbers)?,
            Together::Sum => numbers.iter().copied().reduce(|a, b| a + b)?,
            Together::Growth if numbers.len() < 2 => return None,
            Together::Growth => numbers.last()? / numbers.first()?,
        };
        let good = |value: f64, wanted: f64| match self.wanted {
            AtLeast(_) => value >= wanted,
            AtMost(_) => value <= wanted,
        };
        let bound = match self.wanted {
            AtLeast(bound) | AtMost(bound) => bound,
        };
        let models = values.len();
        let worst = values.into_iter().min_by(|(_, a), (_, b)| match self.wanted {
            AtLeast(_) => a.total_cmp(b),
            AtMost(_) => b.total_cmp(a),
        })?;
        let kept = good(value, bound) && self.limit.is_none_or(|limit| good(worst.1, limit));
        Some(Standing { value, worst, models, kept })
    }
}

impl Models {
    /// By the number of states that any exact run found.
    fn include(&self, view: &View, model: &str) -> bool {
        let range = match self {
            Models::Usual => 500_000..=20_000_000,
            Models::Small => 5_000..=99_999,
            Models::Tiny => 500..=2_000,
            Models::All => return true,
        };
        let exact = ["pan", "bfs", "pan-whole", "default"];
        let stored = exact.iter().find_map(|subject| view.figures(model, subject));
        stored.is_some_and(|figures| range.contains(&figures.stored))
    }
}

#[cfg(test)]
mod tests;
