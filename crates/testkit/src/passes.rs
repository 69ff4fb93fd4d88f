//! SPIN's default optimisations against the passes of `spinor_reduce`.
//!
//! Counts of states, matches, transitions and atomic steps must be SPIN's under the same
//! optimisations, and the kinds of errors those of the program without any.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use spinor_check::{
    CheckConfig, Input, LoadOptions, Pass, SilentObserver, ViolationKind, check, load,
};
use spinor_program::Program;
use spinor_reduce::{Passes, optimise};
use spinor_syntax::PreprocessOptions;

use crate::conformance::{self, Case, Judgement};
use crate::differ::compare;
use crate::golden::{self, Row};
use crate::spin::{Config, Oracle};
use crate::spinor::{
    REFERENCE, SearchOrder, Setup, compile, compile_with, name, outcome_of, search, search_within,
};

/// The rows of a corpus that say what SPIN's optimisations make of the counts.
pub fn corpus_cases(dir: &Path) -> io::Result<Vec<Case>> {
    let mut collected = golden::read(&dir.join("golden.tsv"))?;
    collected.retain(|row| ["full", "Bo1", "Bo2", "Bo3"].contains(&row.config()));
    let mut small = golden::read(&dir.join("parity.tsv"))?;
    small.retain(is_count_row);
    let mut cases = conformance::by_model(small, dir, |model| format!("parity/{model}.pml"));
    cases.extend(conformance::by_model(collected, dir, str::to_owned));
    Ok(cases)
}

/// Whether a row of the small models has the counts of the whole graph.
fn is_count_row(row: &Row) -> bool {
    let flags = |column: &str| row.get(column).unwrap_or_default().to_owned();
    let all_of = |column: &str, known: &[&str]| {
        flags(column).split_whitespace().all(|flag| known.contains(&flag))
    };
    row.number("errors") == Some(0)
        && row.number("stored").is_some()
        && flags("cc_flags").contains("-DNOREDUCE")
        && all_of("cc_flags", &["-DNOREDUCE", "-DSAFETY", "-DNOCLAIM"])
        && all_of("spin_flags", &["-o1", "-o2", "-o3"])
        && all_of("pan_flags", &["-E", "-A", "-c0"])
}

/// The passes that correspond to SPIN's flags; `-o2` also stops resets.
fn passes_of(row: &Row) -> Passes {
    let flags = row.get("spin_flags").unwrap_or_default();
    let is_off = |flag: &str| flags.split_whitespace().any(|f| f == flag);
    Passes {
        merging: !is_off("-o3"),
        dead_variables: !is_off("-o1") && !is_off("-o2"),
        write_only: !is_off("-o2"),
    }
}

/// Compares the counts of all rows of a case.
#[must_use]
pub fn judge(case: &Case, setups: &[Setup], limit: Duration) -> Vec<Judgement> {
    let all = |j: Judgement| vec![j; case.rows.len()];
    let Ok(bytes) = std::fs::read(&case.path) else {
        return all(Judgement::Differs("the model cannot be read".to_owned()));
    };
    let source = String::from_utf8_lossy(&bytes).into_owned();
    let defines = golden::defines(&source);
    let defines = defines.iter().map(|d| crate::subjects::define(d)).collect();
    let options = PreprocessOptions { defines, ..PreprocessOptions::default() };
    match compile_with(&case.path.to_string_lossy(), &source, &options) {
        Ok(program) => {
            case.rows.iter().map(|row| judge_row(row, &program, setups, limit)).collect()
        }
        Err(reason) => all(Judgement::Skipped(if reason.contains("embedded C") {
            "embedded C".to_owned()
        } else {
            "refused".to_owned()
        })),
    }
}

fn judge_row(row: &Row, program: &Program, setups: &[Setup], limit: Duration) -> Judgement {
    let said = row.get("verdict").or(row.get("messages")).unwrap_or_default();
    let skipped = |why: &str| Judgement::Skipped(why.to_owned());
    if said == "limit" || conformance::is_limit_of_spin(said) {
        return skipped("SPIN did not finish");
    }
    if conformance::aborts_search(said) {
        return skipped("a run-time error of the model stopped SPIN");
    }
    let runs_with_claim = !row.get("cc_flags").unwrap_or_default().contains("-DNOCLAIM");
    let has_claim = !program.claims.is_empty() || !program.usage.propositions.is_empty();
    if has_claim && runs_with_claim {
        return skipped("a claim ran along");
    }
    let optimised = Arc::new(optimise(program, passes_of(row), &[]).program);
    for setup in setups {
        if setup.order == SearchOrder::Bfs && optimised.hidden_bytes > 0 {
            continue;
        }
        let outcome = search_within(&optimised, Config::Full, setup, limit);
        if let Some(how) = conformance::counts_differ(row, &outcome) {
            return Judgement::Differs(format!("{}: {how}", name(setup)));
        }
    }
    Judgement::Agrees
}

/// The flags that switch off what `passes` leave out.
#[must_use]
pub fn spin_flags(passes: Passes) -> Vec<String> {
    let off = [
        (!passes.dead_variables && passes.write_only, "-o1"),
        (!passes.write_only, "-o2"),
        (!passes.merging, "-o3"),
    ];
    off.into_iter().filter(|(off, _)| *off).map(|(_, flag)| flag.to_owned()).collect()
}

/// Compares a model under `passes` with SPIN under the same optimisations, and with itself
/// without any. `Ok(None)`: nothing to compare.
pub fn compare_text(
    text: &str,
    passes: Passes,
    configs: &[Config],
    setups: &[Setup],
) -> Result<Option<String>, String> {
    let oracle = Oracle { spin_flags: spin_flags(passes), ..Oracle::default() };
    let outcomes = oracle.check_all(text, configs).map_err(|e| e.to_string())?;
    if outcomes.iter().any(|o| o.refused.is_some()) {
        return Err("refused by SPIN".to_owned());
    }
    if outcomes.iter().any(|o| o.truncated.is_some()) {
        return Err("cut short".to_owned());
    }
    let plain = match compile("model.pml", text) {
        Ok(program) => program,
        Err(reason) => return Ok(Some(format!("we refuse it: {reason}"))),
    };
    if let Some(how) = reports_differ(text, passes) {
        return Ok(Some(how));
    }
    let optimised = optimise(&plain, passes, &[]);
    // SPIN merges steps although others can tell; we do not.
    let differs_on_purpose = optimised.kept_apart;
    let optimised = Arc::new(optimised.program);
    for (&config, spin) in configs.iter().zip(&outcomes) {
        let reference = outcome_of(&search(&optimised, config, &REFERENCE));
        if config != Config::Full {
            let before = outcome_of(&search(&plain, config, &REFERENCE));
            if kinds(&before.errors) != kinds(&reference.errors) {
                let (before, after) = (kinds(&before.errors), kinds(&reference.errors));
                return Ok(Some(format!("{}: {before:?} became {after:?}", config.name())));
            }
        }
        if !differs_on_purpose && let Some(difference) = compare(config, spin, &reference) {
            return Ok(Some(format!("{}: {difference}", config.name())));
        }
        for setup in setups {
            if optimised.hidden_bytes > 0 && setup.order != REFERENCE.order {
                continue;
            }
            let other = outcome_of(&search(&optimised, config, setup));
            let same = reference.stored == other.stored
                && reference.matched == other.matched
                && kinds(&reference.errors) == kinds(&other.errors);
            if !same {
                let (config, setup) = (config.name(), name(setup));
                return Ok(Some(format!("{config}: {reference:?}, {setup}: {other:?}")));
            }
        }
    }
    Ok(None)
}

/// Checks a model with `passes` and with none: the same violations at the same places, and
/// the same statements unreached.
fn reports_differ(text: &str, passes: Passes) -> Option<String> {
    let input = Input::Text { name: "model.pml".to_owned(), bytes: text.as_bytes().to_vec() };
    let loaded = match load(&input, &LoadOptions::default()) {
        Ok(loaded) => loaded,
        Err(error) => return Some(error.to_string()),
    };
    let ask = |disabled: BTreeSet<Pass>| {
        let config = CheckConfig {
            properties: vec!["safety".to_owned()],
            memory_limit_bytes: Some(4 << 30),
            disabled,
            ..CheckConfig::default()
        };
        let reports = check(&loaded, &config, &mut SilentObserver).map_err(|e| e.to_string())?;
        let report = reports.into_iter().next().ok_or("no report")?;
        let mut errors: Vec<(ViolationKind, u32)> =
            report.errors.iter().map(|e| (e.violation.kind, e.violation.site)).collect();
        errors.sort();
        Ok::<_, String>((report.verdict, errors, report.unreached))
    };
    let off = [
        (Pass::Merging, passes.merging),
        (Pass::DeadVariables, passes.dead_variables),
        (Pass::WriteOnly, passes.write_only),
    ];
    let plain = ask(Pass::ALL.into());
    let optimised = ask(off.into_iter().filter(|(_, on)| !on).map(|(pass, _)| pass).collect());
    (plain != optimised).then(|| format!("report: {plain:?} became {optimised:?}"))
}

fn kinds<T: Ord + Clone>(items: &[T]) -> Vec<T> {
    let mut items = items.to_vec();
    items.sort();
    items.dedup();
    items
}
