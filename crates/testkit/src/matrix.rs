//! Every combination of search, store and reduction that the command line admits, against the plain
//! search of whole states.

use std::collections::BTreeSet;
use std::time::Duration;

use spinor_check::{
    CheckConfig, CheckError, CycleSearch, EngineKind, Fairness, Incomplete, Loaded, Pass,
    SearchOrder, SilentObserver, StoreKind, Verdict, ViolationKind, check,
};

use crate::liveness::record::properties;

/// Sixteen million bits: nothing is lost in small models.
const BITS: u32 = 24;

/// A way to check, and what it promises.
#[derive(Clone, Debug)]
pub struct Combination {
    /// As on the command line.
    pub name: String,
    /// What is asked for, but for property and limits.
    pub config: CheckConfig,
    /// What may be expected of the answer.
    pub promise: Promise,
}

/// What may be expected of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// The same verdict and the same violations.
    Same,
    /// The same violations (nothing is lost in small models), but never `holds`.
    Lossy,
    /// Some of the violations; the same verdict where it is complete.
    Part,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// Kinds and places of violations.
    pub violations: BTreeSet<(ViolationKind, u32)>,
    /// Time ran out, or a lossy store says that it has missed states: what was not found may be there.
    pub is_cut: bool,
}

/// Ways to check for violations in finite runs.
#[must_use]
pub fn safety() -> Vec<Combination> {
    let mut all = Vec::new();
    let exact = [StoreKind::Exact, StoreKind::Tree, StoreKind::Collapse, StoreKind::Automaton];
    let lossy = [StoreKind::HashCompact, StoreKind::Bitstate];
    for order in [SearchOrder::Dfs, SearchOrder::Bfs] {
        let orders = |store| CheckConfig {
            order: Some(order),
            store: Some(store),
            threads: Some(if order == SearchOrder::Bfs { 2 } else { 1 }),
            ..base()
        };
        for store in exact.into_iter().chain([StoreKind::Auto]) {
            for (passes, disabled) in passes() {
                let name = format!("--search {} --store {} {passes}", order.name(), store.name());
                let config = CheckConfig { disabled, ..orders(store) };
                all.push(Combination { name, config, promise: Promise::Same });
            }
        }
        for store in lossy {
            let name = format!("--search {} --store {}", order.name(), store.name());
            all.push(Combination { name, config: orders(store), promise: Promise::Lossy });
        }
        let config = CheckConfig { max_depth: Some(5000), ..orders(StoreKind::Tree) };
        let name = format!("--search {} --depth 5000", order.name());
        all.push(Combination { name, config, promise: Promise::Part });
    }
    let special = [
        ("--swarm 3", Promise::Lossy, CheckConfig { swarm: Some(3), ..base() }),
        ("--cache 20k", Promise::Part, CheckConfig { cache_bytes: Some(20_000), ..base() }),
        ("--cache 1G", Promise::Same, CheckConfig { cache_bytes: Some(1 << 30), ..base() }),
        ("--context-bound 1", Promise::Part, CheckConfig { context_bound: Some(1), ..base() }),
        ("--context-bound 250", Promise::Same, CheckConfig { context_bound: Some(250), ..base() }),
    ];
    for (name, promise, config) in special {
        let config = CheckConfig { bits: Some(20), ..config };
        all.push(Combination { name: name.to_owned(), config, promise });
    }
    let stateless = CheckConfig { order: Some(SearchOrder::Stateless), ..base() };
    let name = "--search stateless".to_owned();
    all.push(Combination { name, config: stateless, promise: Promise::Part });
    all
}

/// Ways to check for wrong infinite runs under some fairness.
#[must_use]
pub fn cycles(fairness: Fairness) -> Vec<Combination> {
    let mut all = Vec::new();
    let stores = [
        (StoreKind::Exact, Promise::Same),
        (StoreKind::Tree, Promise::Same),
        (StoreKind::Collapse, Promise::Same),
        (StoreKind::Automaton, Promise::Same),
        (StoreKind::Auto, Promise::Same),
        (StoreKind::HashCompact, Promise::Lossy),
        (StoreKind::Bitstate, Promise::Lossy),
    ];
    for algorithm in [CycleSearch::Scc, CycleSearch::Ndfs, CycleSearch::Indfs] {
        if fairness == Fairness::Strong && algorithm != CycleSearch::Scc {
            continue;
        }
        for (store, promise) in stores {
            let has_numbers = !matches!(store, StoreKind::Automaton | StoreKind::Bitstate);
            if algorithm == CycleSearch::Scc && !has_numbers {
                continue;
            }
            for (passes, disabled) in [passes().remove(0), passes().remove(1)] {
                for threads in [1, 2] {
                    if threads == 2 && algorithm != CycleSearch::Ndfs {
                        continue;
                    }
                    let config = CheckConfig {
                        cycles: Some(algorithm),
                        store: Some(store),
                        threads: Some(threads),
                        fairness,
                        disabled: disabled.clone(),
                        max_errors: 1,
                        ..base()
                    };
                    let name = format!(
                        "--cycles {} --store {} --threads {threads} --fairness {} {passes}",
                        algorithm.name(),
                        store.name(),
                        fairness.name()
                    );
                    all.push(Combination { name, config, promise });
                }
            }
        }
    }
    all
}

fn base() -> CheckConfig {
    CheckConfig {
        max_errors: 0,
        memory_limit_bytes: Some(2 << 30),
        bits: Some(BITS),
        ..CheckConfig::default()
    }
}

/// None off, all off, one of them off.
fn passes() -> Vec<(String, BTreeSet<Pass>)> {
    let mut sets = vec![(String::new(), BTreeSet::new()), ("--plain".to_owned(), Pass::ALL.into())];
    let names = ["reduction", "merging", "dead-variables", "write-only"];
    for (pass, name) in Pass::ALL.into_iter().zip(names) {
        sets.push((format!("--disable {name}"), BTreeSet::from([pass])));
    }
    sets
}

/// The judge of all others: whole states, depth first, nothing left out.
fn reference(fairness: Fairness, is_safety: bool) -> CheckConfig {
    CheckConfig {
        order: Some(SearchOrder::Dfs),
        store: Some(StoreKind::Exact),
        engine: EngineKind::Interpreter,
        threads: Some(1),
        disabled: Pass::ALL.into(),
        cycles: (!is_safety).then_some(CycleSearch::Scc),
        max_errors: u64::from(!is_safety),
        fairness,
        ..base()
    }
}

fn ask(loaded: &Loaded, property: &str, config: &CheckConfig) -> Result<Answer, String> {
    let config = CheckConfig { properties: vec![property.to_owned()], ..config.clone() };
    let reports = match check(loaded, &config, &mut SilentObserver) {
        Ok(reports) => reports,
        Err(CheckError::Refused(why)) => return Err(format!("refused: {why}")),
        Err(error) => return Err(format!("failed: {error}")),
    };
    let [report] = reports.as_slice() else { return Err("more than one report".to_owned()) };
    let violations = report.errors.iter().map(|e| (e.violation.kind, e.violation.site));
    let is_late = report.incomplete.iter().any(|why| matches!(why, Incomplete::Time(_)));
    // Few models are so large that bits do not suffice. The report says so, and errors may be among what is missing.
    let is_cut = is_late || report.stats.expected_omitted.is_some_and(|states| states >= 1.0);
    Ok(Answer { verdict: report.verdict, violations: violations.collect(), is_cut })
}

/// What came of a model.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Questions with an answer of the judge.
    pub questions: u64,
    /// Answers compared.
    pub answers: u64,
    /// Questions that the judge could not decide in time.
    pub undecided: u64,
    /// Questions about a property that does not hold.
    pub violated: u64,
    /// What is different.
    pub differences: Vec<String>,
}

/// Compares combinations on all properties of a model: all of them, or every `stride`th from
/// `first` on.
#[must_use]
pub fn compare(loaded: &Loaded, limit: Duration, first: usize, stride: usize) -> Tally {
    let mut tally = Tally::default();
    let stride = stride.max(1);
    let chosen = |all: Vec<Combination>| all.into_iter().skip(first % stride).step_by(stride);
    tally.question(loaded, "safety", limit, Fairness::None, chosen(safety()));
    for property in properties(loaded) {
        for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
            tally.question(loaded, &property, limit, fairness, chosen(cycles(fairness)));
        }
    }
    tally
}

impl Tally {
    fn question(
        &mut self,
        loaded: &Loaded,
        property: &str,
        limit: Duration,
        fairness: Fairness,
        combinations: impl Iterator<Item = Combination>,
    ) {
        let within = |config: CheckConfig| CheckConfig { time_limit: Some(limit), ..config };
        let is_safety = property == "safety";
        let judge = match ask(loaded, property, &within(reference(fairness, is_safety))) {
            Ok(judge) if judge.verdict != Verdict::Incomplete && !judge.is_cut => judge,
            Ok(_) => {
                self.undecided += 1;
                return;
            }
            Err(error) => {
                self.differences.push(format!("{property}: the judge: {error}"));
                return;
            }
        };
        self.questions += 1;
        self.violated += u64::from(judge.verdict == Verdict::Violated);
        for combination in combinations {
            let answer = ask(loaded, property, &within(combination.config.clone()));
            self.answers += 1;
            if let Some(how) = difference(&judge, &answer, combination.promise, is_safety) {
                self.differences.push(format!("{property}: {}: {how}", combination.name));
            }
        }
    }
}

/// How an answer breaks its promise.
fn difference(
    judge: &Answer,
    answer: &Result<Answer, String>,
    promise: Promise,
    finds_all: bool,
) -> Option<String> {
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => return Some(error.clone()),
    };
    let flaw = || Some(format!("{answer:?} in place of {judge:?}"));
    let same = |answer: &Answer| !finds_all || answer.violations == judge.violations;
    let is_part = !finds_all || answer.violations.is_subset(&judge.violations);
    match (promise, answer.verdict) {
        // What was found until time ran out has to be right, no more.
        (_, Verdict::Violated | Verdict::Incomplete) if answer.is_cut => {
            let is_wrong = judge.verdict != Verdict::Violated || !is_part;
            if answer.verdict == Verdict::Violated && is_wrong { flaw() } else { None }
        }
        (Promise::Lossy, Verdict::Holds) => flaw(),
        (Promise::Same | Promise::Part, Verdict::Holds) if judge.verdict != Verdict::Holds => {
            flaw()
        }
        (Promise::Same | Promise::Lossy, Verdict::Violated) if !same(answer) => flaw(),
        (_, Verdict::Violated) if judge.verdict != Verdict::Violated || !is_part => flaw(),
        (Promise::Lossy, Verdict::Incomplete) if judge.verdict == Verdict::Violated => flaw(),
        _ => None,
    }
}
