//! `spinor check` with certain options.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::figures::Figures;
use super::models::{Class, Model};
use super::pan::LIMIT;
use super::subject::{Plan, Setting, Subject};
use crate::measure::{self, Cost};

/// The whole graph under the plain semantics, as the verifiers of SPIN do it here.
const PLAIN: &[&str] = &[
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
];

/// The same with the reductions that are on by themselves.
pub const REDUCED: &[&str] = PLAIN.split_at(1).1;

/// The same with errors to be led to.
const DIRECTED: &[&str] =
    &["--plain", "--no-claim", "--property", "safety", "--max-errors", "0", "--no-trail", "--json"];

/// Nothing but the formula that was added.
const ENDLESS: &[&str] = &["--plain", "--property", "p", "--no-trail", "--json"];

/// The release build.
pub struct Spinor {
    /// Where it is.
    pub program: PathBuf,
}

impl Spinor {
    /// Explores a model.
    pub fn run(&self, model: &Model, folder: &Path, setting: Setting) -> Result<Figures> {
        self.run_with(&arguments(model, folder, setting)?, folder, setting)
    }

    /// The same with arguments that were changed.
    pub fn run_with(
        &self,
        arguments: &[String],
        folder: &Path,
        setting: Setting,
    ) -> Result<Figures> {
        let (output, cost) = measure::run(folder, &self.program, arguments, LIMIT)?;
        let text = String::from_utf8_lossy(&output.stdout);
        let message = String::from_utf8_lossy(&output.stderr);
        let reason = message.lines().find(|line| !line.is_empty()).unwrap_or("no result");
        read(&text, setting, cost).with_context(|| reason.to_owned())
    }
}

/// Everything after the program's name.
pub fn arguments(model: &Model, folder: &Path, setting: Setting) -> Result<Vec<String>> {
    let mut arguments = vec!["check".to_owned()];
    let subject = Subject::Spinor(setting);
    let options = match (subject.is_endless(), subject.is_directed()) {
        (true, _) => ENDLESS,
        (_, true) => DIRECTED,
        _ => PLAIN,
    };
    arguments.extend(options.iter().map(|w| (*w).to_owned()));
    arguments.extend(setting.options());
    if model.class == Class::Embedded {
        arguments.push("--allow-c".to_owned());
    }
    arguments.extend(model.defines.iter().map(|d| format!("-D{d}")));
    arguments.push(model.file(folder)?.to_string_lossy().into_owned());
    Ok(arguments)
}

/// Whether the options had their effect; why not, if not.
fn check_search(search: &Value, setting: Setting) -> Result<()> {
    let Some(Plan { order, store, threads, engine }) = setting.plan() else {
        return Ok(());
    };
    for (name, wanted) in [("order", order), ("store", store), ("engine", engine)] {
        let used = search[name].as_str().unwrap_or("unknown");
        ensure!(used == wanted, "{name} `{used}` was used instead of `{wanted}`");
    }
    let used = search["threads"].as_u64().unwrap_or(0);
    ensure!(used == threads, "{used} threads were used instead of {threads}");
    Ok(())
}

/// The figures of a report, which must be complete, or as good as its store allows.
fn read(text: &str, setting: Setting, cost: Cost) -> Result<Figures> {
    let json: Value = serde_json::from_str(text).context("no report")?;
    let result = &json["results"][0];
    let stats = &result["stats"];
    check_search(&result["search"], setting)?;
    let lossy = Subject::Spinor(setting).is_lossy();
    if !lossy && result["complete"].as_bool() != Some(true) {
        bail!("the search was not complete: {}", result["limits"]);
    }
    let count = |name: &str| stats[name].as_u64().with_context(|| format!("no `{name}`"));
    let (whole_cpu, whole_wall) = (cost.cpu.as_secs_f64(), cost.wall.as_secs_f64());
    Ok(Figures {
        stored: count("stored")?,
        transitions: count("transitions")?,
        cpu: stats["cpu_seconds"].as_f64().unwrap_or(whole_cpu),
        wall: stats["search_seconds"].as_f64().unwrap_or(whole_wall),
        whole_cpu,
        whole_wall,
        peak_bytes: cost.peak_bytes,
        store_bytes: count("store_bytes")?,
        omitted: stats["expected_omitted"].as_f64(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(complete: bool, store: &str, more: &str) -> String {
        format!(
            "{{\"results\": [{{\"complete\": {complete}, \"limits\": [\"memory\"], \"search\": \
             {{\"order\": \"bfs\", \"store\": \"{store}\", \"threads\": 1, \
             \"engine\": \"native\"}}, \"stats\": \
             {{\"stored\": 2, \"transitions\": 3, \"store_bytes\": 5{more}}}}}]}}"
        )
    }

    #[test]
    fn only_complete_results_count() {
        let cost = Cost::default();
        let figures = read(&report(true, "tree", ""), Setting::Bfs, cost).expect("complete");
        assert_eq!((figures.stored, figures.transitions, figures.store_bytes), (2, 3, 5));
        assert!(read(&report(false, "tree", ""), Setting::Bfs, cost).is_err());
        assert!(read(&report(false, "bitstate", ""), Setting::Bitstate, cost).is_ok());
        assert!(read("no", Setting::Bfs, cost).is_err());
    }

    #[test]
    fn options_without_effect_are_noticed() {
        let run = |setting| read(&report(true, "tree", ""), setting, Cost::default());
        assert!(run(Setting::Default).is_ok());
        for setting in [Setting::BfsExact, Setting::BfsTwo, Setting::Dfs, Setting::Interpreter] {
            assert!(run(setting).is_err(), "{setting:?}");
        }
    }

    #[test]
    fn the_search_has_its_own_time() {
        let cost = Cost { cpu: LIMIT, ..Cost::default() };
        let cpu =
            |more| read(&report(true, "tree", more), Setting::Bfs, cost).expect("complete").cpu;
        assert_eq!(cpu(", \"cpu_seconds\": 1.5"), 1.5);
        assert_eq!(cpu(""), LIMIT.as_secs_f64());
    }
}
