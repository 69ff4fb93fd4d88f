//! The commands of the README, and every example, give the answers they promise.
//!
//! An example says in its comment what to expect (`Expected: no errors`, …); the
//! README shows commands as lines that start with `$ cargo run`.

use std::fs::File;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::shell;
use crate::test::{Cx, Outcome};

/// What an example may promise, and the exit code that stands for it.
const PROMISES: [(&str, i32); 5] = [
    ("no errors", 0),
    ("assertion violated", 10),
    ("invalid end state", 11),
    ("acceptance cycle", 12),
    ("non-progress cycle", 13),
];

const README_PREFIX: &str = "$ cargo run --release -- check ";

/// The step of `cargo xtask test`.
pub fn check(cx: &Cx<'_>) -> Outcome {
    match run(cx.log.as_ref()) {
        Ok(summary) => summary,
        Err(error) => Outcome::Failed(format!("{error:#}")),
    }
}

fn run(log: Option<&File>) -> Result<Outcome> {
    let examples = examples()?;
    for Example { name, code } in &examples {
        expect(log, &["check", "--no-trail", "--allow-c", name], *code)?;
    }
    let readme = std::fs::read_to_string(shell::root().join("README.md"))?;
    let commands = readme_commands(&readme);
    ensure!(!commands.is_empty(), "README.md shows no `{README_PREFIX}…`");
    for words in &commands {
        let model = words.last().expect("a command has words");
        let Some(example) = examples.iter().find(|example| example.name == *model) else {
            bail!("README.md checks `{model}`, which is no example");
        };
        let trail = shell::root().join(format!("{model}.trail"));
        let had_trail = trail.exists();
        expect(log, words, example.code)?;
        if !had_trail && trail.exists() {
            std::fs::remove_file(trail)?;
        }
    }
    let note = format!("{} examples, {} commands of the README", examples.len(), commands.len());
    Ok(Outcome::Passed(note))
}

/// Runs `spinor` and compares the exit code.
fn expect(log: Option<&File>, arguments: &[&str], code: i32) -> Result<()> {
    let output = shell::output(shell::built("spinor").args(arguments))?;
    shell::say(log, &format!("spinor {}: {}", arguments.join(" "), shell::ending(output.status)));
    if output.status.code() != Some(code) {
        shell::say(log, &String::from_utf8_lossy(&output.stdout));
        shell::say(log, &String::from_utf8_lossy(&output.stderr));
        bail!("`spinor {}` should end with exit code {code}", arguments.join(" "));
    }
    Ok(())
}

/// A model with what it promises.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Example {
    name: String,
    code: i32,
}

/// All examples, by name.
fn examples() -> Result<Vec<Example>> {
    let folder = shell::root().join("examples");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(&folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "pml") {
            found.push(example(&path)?);
        }
    }
    found.sort();
    Ok(found)
}

fn example(path: &Path) -> Result<Example> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = format!("examples/{name}");
    let text = std::fs::read_to_string(path)?;
    let code = promise(&text).with_context(|| {
        format!("{name} must say `Expected:` and one of {:?}", PROMISES.map(|(words, _)| words))
    })?;
    Ok(Example { name, code })
}

fn promise(text: &str) -> Option<i32> {
    let (_, rest) = text.split_once("Expected: ")?;
    PROMISES.iter().find(|(words, _)| rest.starts_with(words)).map(|&(_, code)| code)
}

fn readme_commands(readme: &str) -> Vec<Vec<&str>> {
    let commands = readme.lines().filter_map(|line| line.trim().strip_prefix(README_PREFIX));
    commands.map(|rest| std::iter::once("check").chain(rest.split_whitespace()).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn promises_are_read_from_comments() {
        assert_eq!(promise("/* Expected: no errors. */"), Some(0));
        assert_eq!(promise("   Expected: invalid end state (deadlock)"), Some(11));
        assert_eq!(promise("Expected: something"), None);
        assert_eq!(promise("init { skip }"), None);
    }

    #[test]
    fn commands_are_found_in_the_readme() {
        let text = "```\n$ cargo run --release -- check examples/a.pml\nholds\n```\n";
        assert_eq!(readme_commands(text), [["check", "examples/a.pml"]]);
    }

    #[test]
    fn every_example_promises_something() {
        assert!(!examples().unwrap().is_empty());
    }
}
