//! The steps of `cargo xtask test`.

use super::{Cx, Outcome, Step};
use crate::{readme, shell, tidy};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Upper bounds for one step, far above what it needs, so that nothing can hang.
const BUILD_LIMIT: Duration = Duration::from_secs(30 * 60);
const RUN_LIMIT: Duration = Duration::from_secs(12 * 60);

/// Fixed seeds and time for the random tests: the same models every time, and an
/// end also on a slow machine.
const FUZZ: [&[&str]; 4] = [
    &["0..500", "--seconds", "26"],
    &["500..600", "--claims", "--seconds", "9"],
    &["600..700", "--runtime-errors", "--seconds", "9"],
    &["700..800", "--traces", "--seconds", "9"],
];
/// Random models on which native code and interpreter are compared state by state.
const RANDOM: [&str; 2] = ["--random", "0..250"];
/// States of each model that they are compared on.
const COMPARED: [&str; 4] = ["--states", "5000", "--seconds", "2"];
/// Random models that are searched with and without partial order reduction.
const REDUCED: [&str; 4] = ["--random", "0..400", "--seconds", "2"];
/// The same for small ones about one matter each.
const REDUCED_SMALL: [&str; 10] = [
    "--dynamic",
    "0..1400",
    "--meetings",
    "0..800",
    "--stretches",
    "0..800",
    "--seconds",
    "2",
    "--megabytes",
    "8",
];
/// Random models on which directed searches are judged, and how large they may be.
const DIRECTED: [&str; 4] = ["--random", "0..300", "--states", "1000"];
/// Models on which combinations of search, store and reduction are compared, every sixteenth one.
const MATRIX: [&str; 15] = [
    "models/protocols",
    "models/liveness",
    "examples",
    "--random",
    "0..50",
    "--dynamic",
    "0..30",
    "--meetings",
    "0..30",
    "--stretches",
    "0..200",
    "--stride",
    "16",
    "--seconds",
    "3",
];
/// Models about numbers that are searched in the same ways, with states as words of cells (of at least so many bits) wherever
/// that is possible.
const NUMBERS: [(&str, [&str; 6]); 3] = [
    ("64", ["--numbers", "0..80", "--stride", "8", "--seconds", "2"]),
    ("128", ["--numbers", "150..175", "--stride", "8", "--seconds", "2"]),
    ("256", ["--numbers", "200..225", "--stride", "8", "--seconds", "2"]),
];
/// Models of the corpus, and random ones, whose counts under SPIN's optimisations are compared.
const PASSES: [&str; 4] = ["--only", "parity/", "--seconds", "10"];
/// Random models whose infinite runs are compared with SPIN's answers.
const FUZZ_LIVENESS: [&str; 4] = ["0..200", "--seconds", "14", "--quiet"];
const MUTATE: [&str; 3] = ["0..100000", "models", "examples"];

/// Models whose trails are exchanged with SPIN, and how many there have to be of each.
const TRAILS: [&str; 6] =
    ["--trails", "../shared/corpus", "--except", "beem,case_studies", "--least", "200"];

/// Seconds for one search of a model of the corpus.
const CORPUS_SECONDS: &str = "4";
/// The same where cycles are looked for, by several algorithms one after the other.
const LIVENESS_SECONDS: &str = "2";

/// All of them. Those that only run programs of `testkit` may run beside each other.
pub(super) const STEPS: &[Step] = &[
    Step::first("format", format),
    Step::first("tidy", tidy_step),
    Step::first("lints", lints),
    Step::first("unit tests", unit_tests),
    Step::beside("conformance", conformance),
    Step::beside("README and examples", readme::check),
    Step::beside("infinite runs", liveness),
    Step::beside("native code", engines),
    Step::beside("reductions", reductions),
    Step::beside("combinations", combinations),
    Step::beside("SPIN's command line", personality),
    Step::long("trails of SPIN and ours", trails),
    Step::beside("directed search", directed),
    Step::long("automata against SPIN", automata),
    Step::long("front end fuzzing", mutate),
    Step::long("fuzzing against SPIN", fuzz),
    Step::long("fuzzing of infinite runs", fuzz_liveness),
];

/// Runs a command as a whole step.
fn command(cx: &Cx, command: &mut Command, limit: Duration, hint: &str) -> Outcome {
    match shell::run_within(command, limit, cx.log.as_ref()) {
        Ok(status) if status.success() => Outcome::Passed(String::new()),
        Ok(status) => {
            let ending = shell::ending(status);
            Outcome::Failed(format!("`{}`: {ending}{hint}", shell::show(command)))
        }
        Err(error) => Outcome::Failed(format!("{error:#}")),
    }
}

fn format(cx: &Cx) -> Outcome {
    if let Some(reason) = &cx.tools.no_rustfmt {
        return Outcome::Skipped(reason.clone());
    }
    let mut cargo = shell::cargo();
    command(cx, cargo.args(["fmt", "--all", "--check"]), RUN_LIMIT, "; run `cargo fmt --all`")
}

fn lints(cx: &Cx) -> Outcome {
    if let Some(reason) = &cx.tools.no_clippy {
        return Outcome::Skipped(reason.clone());
    }
    let arguments = ["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"];
    command(cx, shell::cargo().args(arguments), BUILD_LIMIT, "")
}

fn tidy_step(_: &Cx) -> Outcome {
    match tidy::run() {
        Ok(true) => Outcome::Passed(String::new()),
        Ok(false) => Outcome::Failed("house rules are broken, see above".to_owned()),
        Err(error) => Outcome::Failed(format!("{error:#}")),
    }
}

fn unit_tests(cx: &Cx) -> Outcome {
    // Programs that later steps run are built with the tests. Examples are tools for measuring: they are only checked, by the lints.
    let arguments = ["build", "--workspace", "--quiet", "--bins", "--tests"];
    let build = command(cx, shell::cargo().args(arguments), BUILD_LIMIT, "");
    if !matches!(build, Outcome::Passed(_)) {
        return build;
    }
    let arguments = ["test", "--workspace", "--quiet", "--no-fail-fast", "--tests"];
    command(cx, shell::cargo().args(arguments), BUILD_LIMIT, "")
}

/// Our own models against SPIN's recorded results, engine against engine, and
/// the corpus if it is there.
fn conformance(cx: &Cx) -> Outcome {
    let Some(mut run) = testkit("conformance") else {
        return no_binary("conformance");
    };
    if !shell::root().join("models/golden.tsv").is_file() {
        return Outcome::Failed("no models/golden.tsv: run `cargo xtask golden`".to_owned());
    }
    run.args(["--models", "models"]);
    let note = match shell::corpus() {
        _ if cx.wanted.quick => "models/ only: the corpus is left out by --quick",
        Some(_) => {
            run.args(["--corpus", "../shared/corpus", "--seconds", CORPUS_SECONDS]);
            "models/ and the corpus"
        }
        None => "models/ only: no ../shared/corpus",
    };
    match command(cx, &mut run, RUN_LIMIT, "") {
        Outcome::Passed(_) => Outcome::Passed(note.to_owned()),
        other => other,
    }
}

/// Properties of infinite runs against SPIN's recorded answers, by every algorithm.
fn liveness(cx: &Cx) -> Outcome {
    let Some(mut run) = testkit("liveness") else {
        return no_binary("liveness");
    };
    run.args(["--models", "models/liveness", "--seconds", LIVENESS_SECONDS]);
    let note = match shell::corpus() {
        _ if cx.wanted.quick => "models/liveness only: the corpus is left out by --quick",
        Some(_) => {
            run.args(["--corpus", "../shared/corpus"]);
            "models/liveness and the corpus"
        }
        None => "models/liveness only: no ../shared/corpus",
    };
    match command(cx, &mut run, RUN_LIMIT, "") {
        Outcome::Passed(_) => Outcome::Passed(note.to_owned()),
        other => other,
    }
}

/// Native code against the interpreter, state by state.
fn engines(cx: &Cx) -> Outcome {
    let Some(mut run) = testkit("engines") else {
        return no_binary("engines");
    };
    run.args(["models", "examples"]).args(COMPARED).args(RANDOM);
    let note = match shell::corpus() {
        _ if cx.wanted.quick => "models/, examples/ and random models",
        Some(_) => {
            run.arg("../shared/corpus");
            "models/, examples/, random models and the corpus"
        }
        None => "models/, examples/ and random models: no ../shared/corpus",
    };
    match command(cx, &mut run, RUN_LIMIT, "") {
        Outcome::Passed(_) => Outcome::Passed(note.to_owned()),
        other => other,
    }
}

/// Reduced searches against full ones; SPIN's optimisations against ours.
fn reductions(cx: &Cx) -> Outcome {
    let Some(mut reduced) = testkit("reduction") else {
        return no_binary("reduction");
    };
    let outcome = command(cx, reduced.args(["models", "examples"]).args(REDUCED), RUN_LIMIT, "");
    if !matches!(outcome, Outcome::Passed(_)) {
        return outcome;
    }
    // Apart, as they have other limits.
    let Some(mut small) = testkit("reduction") else {
        return no_binary("reduction");
    };
    let outcome = command(cx, small.args(REDUCED_SMALL), RUN_LIMIT, "");
    if !matches!(outcome, Outcome::Passed(_)) {
        return outcome;
    }
    if cx.wanted.quick || shell::corpus().is_none() {
        return Outcome::Passed("models/, examples/ and random models".to_owned());
    }
    let Some(mut passes) = testkit("passes") else {
        return no_binary("passes");
    };
    match command(cx, passes.args(["--corpus", "../shared/corpus"]).args(PASSES), RUN_LIMIT, "") {
        Outcome::Passed(_) => {
            Outcome::Passed("models/, examples/, random models and the corpus".to_owned())
        }
        other => other,
    }
}

/// What estimates and directed searches promise, on small models, state by state.
fn directed(cx: &Cx) -> Outcome {
    let Some(mut directed) = testkit("directed") else {
        return no_binary("directed");
    };
    match command(cx, directed.args(["models/directed"]).args(DIRECTED), RUN_LIMIT, "") {
        Outcome::Passed(_) => Outcome::Passed("models/directed and random models".to_owned()),
        other => other,
    }
}

fn combinations(cx: &Cx) -> Outcome {
    let Some(mut matrix) = testkit("matrix") else { return no_binary("matrix") };
    let outcome = command(cx, matrix.args(MATRIX), RUN_LIMIT, "");
    if !matches!(outcome, Outcome::Passed(_)) {
        return outcome;
    }
    for (bits, arguments) in NUMBERS {
        let Some(mut matrix) = testkit("matrix") else { return no_binary("matrix") };
        let matrix = matrix.env("SPINOR_WORDS", bits).args(arguments);
        let outcome = command(cx, matrix, RUN_LIMIT, "");
        if !matches!(outcome, Outcome::Passed(_)) {
            return outcome;
        }
    }
    Outcome::Passed(String::new())
}

fn fuzz(cx: &Cx) -> Outcome {
    if let Some(reason) = &cx.tools.no_oracle {
        return Outcome::Skipped(reason.clone());
    }
    for arguments in FUZZ {
        let Some(mut run) = testkit("fuzz") else {
            return no_binary("fuzz");
        };
        let outcome = command(cx, run.args(arguments), RUN_LIMIT, "");
        if !matches!(outcome, Outcome::Passed(_)) {
            return outcome;
        }
    }
    Outcome::Passed(String::new())
}

fn fuzz_liveness(cx: &Cx) -> Outcome {
    if let Some(reason) = &cx.tools.no_oracle {
        return Outcome::Skipped(reason.clone());
    }
    match testkit("liveness_fuzz") {
        Some(mut run) => command(cx, run.args(FUZZ_LIVENESS), RUN_LIMIT, ""),
        None => no_binary("liveness_fuzz"),
    }
}

/// The same command lines with `spin` and with `spinor spin`.
fn personality(cx: &Cx) -> Outcome {
    if let Some(reason) = &cx.tools.no_oracle {
        return Outcome::Skipped(reason.clone());
    }
    let tables = [
        ("models/personality/commands.tsv", "."),
        ("models/personality/chapter8.tsv", "."),
        ("models/personality/examples.tsv", "/usr/share/doc/spin/examples"),
    ];
    for (table, root) in tables.iter().filter(|(_, root)| Path::new(root).is_dir()) {
        let Some(mut run) = testkit("personality") else { return no_binary("personality") };
        let outcome = command(cx, run.args(["--table", table, "--root", root]), RUN_LIMIT, "");
        if !matches!(outcome, Outcome::Passed(_)) {
            return outcome;
        }
    }
    Outcome::Passed(String::new())
}

/// Trails of SPIN replayed here, ours in SPIN, on the models of the corpus that are not large.
fn trails(cx: &Cx) -> Outcome {
    if let Some(reason) = &cx.tools.no_oracle {
        return Outcome::Skipped(reason.clone());
    }
    if shell::corpus().is_none() {
        return Outcome::Skipped("no ../shared/corpus".to_owned());
    }
    match testkit("personality") {
        Some(mut run) => command(cx, run.args(TRAILS), RUN_LIMIT, ""),
        None => no_binary("personality"),
    }
}

fn automata(cx: &Cx) -> Outcome {
    if let Some(reason) = &cx.tools.no_oracle {
        return Outcome::Skipped(reason.clone());
    }
    match testkit("automata") {
        Some(mut run) => command(cx, run.args(["models", "examples"]), RUN_LIMIT, ""),
        None => no_binary("automata"),
    }
}

fn mutate(cx: &Cx) -> Outcome {
    match testkit("mutate") {
        Some(mut run) => command(cx, run.args(MUTATE), RUN_LIMIT, ""),
        None => no_binary("mutate"),
    }
}

/// A program of `testkit`, if it exists.
fn testkit(name: &str) -> Option<Command> {
    let folder = shell::root().join("crates/testkit/src/bin");
    let sources = [folder.join(format!("{name}.rs")), folder.join(name).join("main.rs")];
    sources.iter().any(|s| s.is_file()).then(|| shell::built(name))
}

fn no_binary(name: &str) -> Outcome {
    Outcome::Skipped(format!("testkit has no program `{name}` yet"))
}
