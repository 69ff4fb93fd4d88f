//! `cargo xtask test`: all that the project promises, in one command.
//!
//! The steps run in order and the first failure ends the run. A step that cannot
//! run says why; it never passes silently.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::setup::{self, Tools};
use crate::{readme, shell, tidy};

/// What was asked for.
#[derive(Clone, Copy)]
pub struct Wanted {
    /// Leave out the long steps.
    pub quick: bool,
    /// Go on after a failed step.
    pub keep_going: bool,
}

/// How a step ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Fine; the text may say what was seen.
    Passed(String),
    /// Could not run, and why.
    Skipped(String),
    /// Something is wrong.
    Failed(String),
}

impl Outcome {
    fn word(&self) -> &'static str {
        match self {
            Outcome::Passed(_) => "passed",
            Outcome::Skipped(_) => "skipped",
            Outcome::Failed(_) => "FAILED",
        }
    }

    fn text(&self) -> &str {
        match self {
            Outcome::Passed(text) | Outcome::Skipped(text) | Outcome::Failed(text) => text,
        }
    }
}

/// Upper bounds for one step, far above what it needs, so that nothing can hang.
const BUILD_LIMIT: Duration = Duration::from_secs(15 * 60);
const RUN_LIMIT: Duration = Duration::from_secs(8 * 60);

/// Fixed seeds and time for the random tests: the same models every time, and an
/// end also on a slow machine.
const FUZZ: [&[&str]; 4] = [
    &["0..500", "--seconds", "70"],
    &["500..600", "--claims", "--seconds", "25"],
    &["600..700", "--runtime-errors", "--seconds", "25"],
    &["700..800", "--traces", "--seconds", "25"],
];
/// Random models on which native code and interpreter are compared state by state.
const RANDOM: [&str; 2] = ["--random", "0..400"];
/// States of each model that they are compared on.
const COMPARED: [&str; 4] = ["--states", "5000", "--seconds", "2"];
/// Random models that are searched with and without partial order reduction.
const REDUCED: [&str; 4] = ["--random", "0..1000", "--seconds", "2"];
/// Random models on which directed searches are judged, and how large they may be.
const DIRECTED: [&str; 4] = ["--random", "0..300", "--states", "1000"];
/// Models on which combinations of search, store and reduction are compared, every sixteenth one.
const MATRIX: [&str; 9] = [
    "models/protocols",
    "models/liveness",
    "examples",
    "--random",
    "0..60",
    "--stride",
    "16",
    "--seconds",
    "3",
];
/// Models of the corpus, and random ones, whose counts under SPIN's optimisations are compared.
const PASSES: [&str; 4] = ["--only", "parity/", "--seconds", "10"];
/// Random models whose infinite runs are compared with SPIN's answers.
const FUZZ_LIVENESS: [&str; 4] = ["0..200", "--seconds", "40", "--quiet"];
const MUTATE: [&str; 3] = ["0..100000", "models", "examples"];

/// Seconds for one search of a model of the corpus.
const CORPUS_SECONDS: &str = "10";
/// The same where cycles are looked for, by several algorithms one after the other.
const LIVENESS_SECONDS: &str = "4";

struct Step {
    name: &'static str,
    is_long: bool,
    run: fn(&Tools, Wanted) -> Outcome,
}

const STEPS: &[Step] = &[
    Step { name: "format", is_long: false, run: format },
    Step { name: "tidy", is_long: false, run: |_, _| tidy_step() },
    Step { name: "lints", is_long: false, run: lints },
    Step { name: "unit tests", is_long: false, run: |_, _| unit_tests() },
    Step { name: "README and examples", is_long: false, run: |_, _| readme::check() },
    Step { name: "conformance", is_long: false, run: |_, wanted| conformance(wanted) },
    Step { name: "infinite runs", is_long: false, run: |_, wanted| liveness(wanted) },
    Step { name: "native code", is_long: false, run: |_, wanted| engines(wanted) },
    Step { name: "reductions", is_long: false, run: |_, wanted| reductions(wanted) },
    Step { name: "combinations", is_long: false, run: |_, _| combinations() },
    Step { name: "SPIN's command line", is_long: false, run: |tools, _| personality(tools) },
    Step { name: "directed search", is_long: false, run: |_, _| directed() },
    Step { name: "automata against SPIN", is_long: true, run: |tools, _| automata(tools) },
    Step { name: "front end fuzzing", is_long: true, run: |_, _| mutate() },
    Step { name: "fuzzing against SPIN", is_long: true, run: |tools, _| fuzz(tools) },
    Step { name: "fuzzing of infinite runs", is_long: true, run: |tools, _| fuzz_liveness(tools) },
];

/// Runs all steps; `false` if one failed.
pub fn run(wanted: Wanted) -> bool {
    let start = Instant::now();
    heading("set-up");
    let tools = setup::run();
    let summary = tools.summary();
    println!("{summary}");
    let mut rows = vec![("set-up", Outcome::Passed(summary), start.elapsed())];

    let mut failed = false;
    for step in STEPS {
        heading(step.name);
        let begin = Instant::now();
        let outcome = if failed && !wanted.keep_going {
            Outcome::Skipped("an earlier step failed".to_owned())
        } else if step.is_long && wanted.quick {
            Outcome::Skipped("left out by --quick".to_owned())
        } else {
            (step.run)(&tools, wanted)
        };
        let time = begin.elapsed();
        println!("{}: {} ({})", outcome.word(), outcome.text(), shell::human(time));
        failed |= matches!(outcome, Outcome::Failed(_));
        rows.push((step.name, outcome, time));
    }
    print!("\n{}", table(&rows));
    println!("\n{} in {}", verdict(&rows), shell::human(start.elapsed()));
    !failed
}

fn heading(name: &str) {
    println!("\n== {name}");
}

fn table(rows: &[(&str, Outcome, Duration)]) -> String {
    let width = rows.iter().map(|(name, ..)| name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for (name, outcome, time) in rows {
        let time = shell::human(*time);
        let line = format!("{name:width$}  {:7}  {time:>12}  {}", outcome.word(), outcome.text());
        text.push_str(line.lines().next().unwrap_or_default().trim_end());
        text.push('\n');
    }
    text
}

fn verdict(rows: &[(&str, Outcome, Duration)]) -> String {
    let count = |word| rows.iter().filter(|(_, outcome, _)| outcome.word() == word).count();
    let (passed, skipped, failed) = (count("passed"), count("skipped"), count("FAILED"));
    format!("{passed} passed, {skipped} skipped, {failed} failed")
}

/// Runs a command as a whole step.
fn command(command: &mut Command, limit: Duration, hint: &str) -> Outcome {
    match shell::run_within(command, limit) {
        Ok(status) if status.success() => Outcome::Passed(String::new()),
        Ok(status) => {
            let ending = shell::ending(status);
            Outcome::Failed(format!("`{}`: {ending}{hint}", shell::show(command)))
        }
        Err(error) => Outcome::Failed(format!("{error:#}")),
    }
}

fn format(tools: &Tools, _: Wanted) -> Outcome {
    if let Some(reason) = &tools.no_rustfmt {
        return Outcome::Skipped(reason.clone());
    }
    let mut cargo = shell::cargo();
    command(cargo.args(["fmt", "--all", "--check"]), RUN_LIMIT, "; run `cargo fmt --all`")
}

fn lints(tools: &Tools, _: Wanted) -> Outcome {
    if let Some(reason) = &tools.no_clippy {
        return Outcome::Skipped(reason.clone());
    }
    let arguments = ["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"];
    command(shell::cargo().args(arguments), BUILD_LIMIT, "")
}

fn tidy_step() -> Outcome {
    match tidy::run() {
        Ok(true) => Outcome::Passed(String::new()),
        Ok(false) => Outcome::Failed("house rules are broken, see above".to_owned()),
        Err(error) => Outcome::Failed(format!("{error:#}")),
    }
}

fn unit_tests() -> Outcome {
    command(
        shell::cargo().args(["test", "--workspace", "--quiet", "--no-fail-fast"]),
        BUILD_LIMIT,
        "",
    )
}

/// Our own models against SPIN's recorded results, engine against engine, and
/// the corpus if it is there.
fn conformance(wanted: Wanted) -> Outcome {
    let Some(mut run) = testkit("conformance") else {
        return no_binary("conformance");
    };
    if !shell::root().join("models/golden.tsv").is_file() {
        return Outcome::Failed("no models/golden.tsv: run `cargo xtask golden`".to_owned());
    }
    run.args(["--models", "models"]);
    let note = match shell::corpus() {
        _ if wanted.quick => "models/ only: the corpus is left out by --quick",
        Some(_) => {
            run.args(["--corpus", "../shared/corpus", "--seconds", CORPUS_SECONDS]);
            "models/ and the corpus"
        }
        None => "models/ only: no ../shared/corpus",
    };
    match command(&mut run, RUN_LIMIT, "") {
        Outcome::Passed(_) => Outcome::Passed(note.to_owned()),
        other => other,
    }
}

/// Properties of infinite runs against SPIN's recorded answers, by every algorithm.
fn liveness(wanted: Wanted) -> Outcome {
    let Some(mut run) = testkit("liveness") else {
        return no_binary("liveness");
    };
    run.args(["--models", "models/liveness", "--seconds", LIVENESS_SECONDS]);
    let note = match shell::corpus() {
        _ if wanted.quick => "models/liveness only: the corpus is left out by --quick",
        Some(_) => {
            run.args(["--corpus", "../shared/corpus"]);
            "models/liveness and the corpus"
        }
        None => "models/liveness only: no ../shared/corpus",
    };
    match command(&mut run, RUN_LIMIT, "") {
        Outcome::Passed(_) => Outcome::Passed(note.to_owned()),
        other => other,
    }
}

/// Native code against the interpreter, state by state.
fn engines(wanted: Wanted) -> Outcome {
    let Some(mut run) = testkit("engines") else {
        return no_binary("engines");
    };
    run.args(["models", "examples"]).args(COMPARED).args(RANDOM);
    let note = match shell::corpus() {
        _ if wanted.quick => "models/, examples/ and random models",
        Some(_) => {
            run.arg("../shared/corpus");
            "models/, examples/, random models and the corpus"
        }
        None => "models/, examples/ and random models: no ../shared/corpus",
    };
    match command(&mut run, RUN_LIMIT, "") {
        Outcome::Passed(_) => Outcome::Passed(note.to_owned()),
        other => other,
    }
}

/// Reduced searches against full ones; SPIN's optimisations against ours.
fn reductions(wanted: Wanted) -> Outcome {
    let Some(mut reduced) = testkit("reduction") else {
        return no_binary("reduction");
    };
    let outcome = command(reduced.args(["models", "examples"]).args(REDUCED), RUN_LIMIT, "");
    if !matches!(outcome, Outcome::Passed(_)) {
        return outcome;
    }
    if wanted.quick || shell::corpus().is_none() {
        return Outcome::Passed("models/, examples/ and random models".to_owned());
    }
    let Some(mut passes) = testkit("passes") else {
        return no_binary("passes");
    };
    match command(passes.args(["--corpus", "../shared/corpus"]).args(PASSES), RUN_LIMIT, "") {
        Outcome::Passed(_) => {
            Outcome::Passed("models/, examples/, random models and the corpus".to_owned())
        }
        other => other,
    }
}

/// What estimates and directed searches promise, on small models, state by state.
fn directed() -> Outcome {
    let Some(mut directed) = testkit("directed") else {
        return no_binary("directed");
    };
    match command(directed.args(["models/directed"]).args(DIRECTED), RUN_LIMIT, "") {
        Outcome::Passed(_) => Outcome::Passed("models/directed and random models".to_owned()),
        other => other,
    }
}

fn combinations() -> Outcome {
    match testkit("matrix") {
        Some(mut matrix) => command(matrix.args(MATRIX), RUN_LIMIT, ""),
        None => no_binary("matrix"),
    }
}

fn fuzz(tools: &Tools) -> Outcome {
    if let Some(reason) = &tools.no_oracle {
        return Outcome::Skipped(reason.clone());
    }
    for arguments in FUZZ {
        let Some(mut run) = testkit("fuzz") else {
            return no_binary("fuzz");
        };
        let outcome = command(run.args(arguments), RUN_LIMIT, "");
        if !matches!(outcome, Outcome::Passed(_)) {
            return outcome;
        }
    }
    Outcome::Passed(String::new())
}

fn fuzz_liveness(tools: &Tools) -> Outcome {
    if let Some(reason) = &tools.no_oracle {
        return Outcome::Skipped(reason.clone());
    }
    match testkit("liveness_fuzz") {
        Some(mut run) => command(run.args(FUZZ_LIVENESS), RUN_LIMIT, ""),
        None => no_binary("liveness_fuzz"),
    }
}

/// The same command lines with `spin` and with `spinor spin`.
fn personality(tools: &Tools) -> Outcome {
    if let Some(reason) = &tools.no_oracle {
        return Outcome::Skipped(reason.clone());
    }
    let tables = [
        ("models/personality/commands.tsv", "."),
        ("models/personality/examples.tsv", "/usr/share/doc/spin/examples"),
    ];
    for (table, root) in tables.iter().filter(|(_, root)| Path::new(root).is_dir()) {
        let Some(mut run) = testkit("personality") else { return no_binary("personality") };
        let outcome = command(run.args(["--table", table, "--root", root]), RUN_LIMIT, "");
        if !matches!(outcome, Outcome::Passed(_)) {
            return outcome;
        }
    }
    Outcome::Passed(String::new())
}

fn automata(tools: &Tools) -> Outcome {
    if let Some(reason) = &tools.no_oracle {
        return Outcome::Skipped(reason.clone());
    }
    match testkit("automata") {
        Some(mut run) => command(run.args(["models", "examples"]), RUN_LIMIT, ""),
        None => no_binary("automata"),
    }
}

fn mutate() -> Outcome {
    match testkit("mutate") {
        Some(mut run) => command(run.args(MUTATE), RUN_LIMIT, ""),
        None => no_binary("mutate"),
    }
}

/// A program of `testkit`, if it exists.
fn testkit(name: &str) -> Option<Command> {
    let folder = shell::root().join("crates/testkit/src/bin");
    let sources = [folder.join(format!("{name}.rs")), folder.join(name).join("main.rs")];
    sources.iter().any(|s| s.is_file()).then(|| {
        let mut run = shell::cargo();
        let arguments = ["run", "--release", "--quiet", "-p", "spinor-testkit", "--bin"];
        run.args(arguments).args([name, "--"]);
        run
    })
}

fn no_binary(name: &str) -> Outcome {
    Outcome::Skipped(format!("testkit has no program `{name}` yet"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_shows_every_step_on_one_line() {
        let second = Duration::from_secs(1);
        let rows = [
            ("format", Outcome::Passed(String::new()), second),
            ("fuzzing", Outcome::Skipped("no spin".to_owned()), second),
            ("tests", Outcome::Failed("exit code 1\nmore".to_owned()), second),
        ];
        let expected = "\
format   passed          1.0 s
fuzzing  skipped         1.0 s  no spin
tests    FAILED          1.0 s  exit code 1
";
        assert_eq!(table(&rows), expected);
        assert_eq!(verdict(&rows), "1 passed, 1 skipped, 1 failed");
    }
}
