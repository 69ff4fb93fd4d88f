//! Spinor's answers about infinite runs.

use crate::subjects::define;
use std::time::Duration;

use spinor_check::{
    CheckConfig, CycleSearch, EngineKind, Fairness, Input, LoadOptions, Loaded, SilentObserver,
    Verdict, check, load,
};

/// How a property is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// Algorithm; `None` is Spinor's own choice.
    pub cycles: Option<CycleSearch>,
    /// Threads.
    pub threads: usize,
    /// What executes the model.
    pub engine: EngineKind,
}

const fn way(cycles: Option<CycleSearch>, threads: usize, engine: EngineKind) -> Way {
    Way { cycles, threads, engine }
}

/// Every algorithm, on both engines, on one and two threads.
pub const ALL_WAYS: [Way; 10] = [
    way(Some(CycleSearch::Ndfs), 1, EngineKind::Interpreter),
    way(Some(CycleSearch::Ndfs), 1, EngineKind::Native),
    way(Some(CycleSearch::Ndfs), 2, EngineKind::Native),
    way(Some(CycleSearch::Indfs), 1, EngineKind::Interpreter),
    way(Some(CycleSearch::Indfs), 1, EngineKind::Native),
    way(Some(CycleSearch::Indfs), 2, EngineKind::Native),
    way(Some(CycleSearch::Scc), 1, EngineKind::Interpreter),
    way(Some(CycleSearch::Scc), 1, EngineKind::Native),
    way(Some(CycleSearch::Scc), 2, EngineKind::Native),
    way(None, 2, EngineKind::Auto),
];

/// A selection that meets every algorithm, engine and number of threads.
pub const USUAL_WAYS: [Way; 4] = [
    way(Some(CycleSearch::Ndfs), 1, EngineKind::Interpreter),
    way(Some(CycleSearch::Indfs), 1, EngineKind::Native),
    way(Some(CycleSearch::Scc), 1, EngineKind::Interpreter),
    way(None, 2, EngineKind::Native),
];

impl Way {
    /// Whether it knows this kind of fairness: nested searches have no strong one.
    #[must_use]
    pub fn knows(&self, fairness: Fairness) -> bool {
        let is_nested = matches!(self.cycles, Some(CycleSearch::Ndfs | CycleSearch::Indfs));
        fairness != Fairness::Strong || !is_nested
    }

    /// In a few words.
    #[must_use]
    pub fn name(&self) -> String {
        let cycles = self.cycles.map_or("default", CycleSearch::name);
        format!("{cycles}/{}/{:?}", self.threads, self.engine)
    }
}

/// What came of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// No run violates the property.
    Holds,
    /// Some run does.
    Violated,
    /// Not known, for this reason.
    Unknown(String),
    /// Something is wrong with the check itself.
    Failed(String),
}

/// Reads a model; the error is the first diagnostic.
///
/// # Errors
/// It is refused.
pub fn read(name: &str, source: &str, defines: &[String]) -> Result<Loaded, String> {
    let defines = defines.iter().map(|d| define(d)).collect();
    let options = LoadOptions { defines, ..LoadOptions::default() };
    let input = Input::Text { name: name.to_owned(), bytes: source.as_bytes().to_vec() };
    let loaded = load(&input, &options).map_err(|e| e.to_string())?;
    if loaded.is_usable() {
        return Ok(loaded);
    }
    let first = loaded.diagnostics.iter().find(|d| d.is_error());
    Err(first.map_or("unusable".to_owned(), |d| {
        let at = loaded.sources.location(d.primary);
        format!("{}:{}: {}", at.line, at.column, d.message)
    }))
}

/// Checks one property of a model.
#[must_use]
pub fn ask(
    loaded: &Loaded,
    property: &str,
    fairness: Fairness,
    way: &Way,
    limit: Duration,
) -> Answer {
    ask_for(loaded, property, fairness, way, limit).0
}

/// The same, with the number of states stored.
#[must_use]
pub fn ask_for(
    loaded: &Loaded,
    property: &str,
    fairness: Fairness,
    way: &Way,
    limit: Duration,
) -> (Answer, u64) {
    let config = CheckConfig {
        properties: vec![property.to_owned()],
        fairness,
        cycles: way.cycles,
        threads: Some(way.threads),
        engine: way.engine,
        max_errors: 1,
        time_limit: Some(limit),
        memory_limit_bytes: Some(4 << 30),
        ..CheckConfig::default()
    };
    let reports = match check(loaded, &config, &mut SilentObserver) {
        Ok(reports) => reports,
        Err(error) => return (Answer::Failed(error.to_string()), 0),
    };
    let [report] = reports.as_slice() else {
        return (Answer::Failed(format!("{} reports for one property", reports.len())), 0);
    };
    let answer = match report.verdict {
        Verdict::Holds => Answer::Holds,
        Verdict::Violated => Answer::Violated,
        Verdict::Incomplete => Answer::Unknown(report.limits.join("; ")),
    };
    (answer, report.stats.stored)
}
