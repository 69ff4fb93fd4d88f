//! `docs/diagnostics.md`: the table of all codes of messages about a model.
//!
//! The codes are read from the text of the sources, because this crate depends
//! on none of the others:
//! - `sema` has one table, `codes.rs`;
//! - the parser has a documented constant for each code;
//! - the preprocessor, the lexer, the lowering and formulas name their codes where they
//!   report; their meanings are in [`READER`], [`LOWERING`] and [`FORMULAS`], which must be
//!   complete.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::shell;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    severity: &'static str,
    meaning: String,
}

type Entries = BTreeMap<String, Entry>;

/// Codes of the preprocessor and the lexer.
const READER: &[(&str, &str, &str)] = &[
    ("P0001", "error", "a comment is not closed"),
    ("P0002", "error", "a string is not closed on its line"),
    ("P0003", "error", "a character constant is not one character between quotes"),
    ("P0004", "error", "a character that Promela does not use"),
    ("P0005", "error", "a number that is not a decimal integer"),
    ("P0006", "warning", "`/\\` at the end of a line joins it with the next one"),
    ("P0007", "error", "a block of embedded C is not closed"),
    ("P0008", "warning", "`*/` closes no comment"),
    ("P0010", "error", "an unknown preprocessor directive"),
    ("P0011", "error", "`#define` or `#undef` without a proper macro name"),
    ("P0012", "warning", "a macro is defined again with a different meaning"),
    ("P0013", "error", "a malformed list of macro parameters"),
    ("P0014", "error", "`#` or `##` is misplaced in a macro"),
    ("P0015", "error", "a macro is called with the wrong number of arguments"),
    ("P0016", "error", "the arguments of a macro call are not closed"),
    ("P0017", "error", "`##` does not make a valid token"),
    ("P0018", "error", "macros expand to too much text"),
    ("P0020", "error", "an included file cannot be read"),
    ("P0021", "error", "files include each other too deeply"),
    ("P0022", "error", "`#include` without a file name"),
    ("P0030", "error", "a malformed `#if` condition"),
    ("P0031", "error", "an `#if` condition divides by zero"),
    ("P0032", "error", "`#else`, `#elif` or `#endif` without `#if`"),
    ("P0033", "error", "`#if` without `#endif`"),
    ("P0034", "error", "another branch after `#else`"),
    ("P0040", "error", "the model says `#error`"),
    ("P0041", "warning", "the model says `#warning`"),
    ("P0042", "error", "a malformed `#line`"),
];

/// Codes of the lowering to automata.
const LOWERING: &[(&str, &str, &str)] = &[
    ("P0401", "error", "a cycle of `goto`s contains no statement"),
    ("P0402", "error", "two `else` meet in one choice"),
    ("P0403", "warning", "a model with priorities has rendezvous channels"),
    ("P0404", "warning", "a global declared `local` is used by two processes"),
];

/// Codes of formulas given on the command line, or too large.
const FORMULAS: &[(&str, &str, &str)] = &[
    ("P0500", "error", "a formula is about a model that has errors"),
    ("P0501", "error", "a formula has more than 64 propositions"),
    ("P0502", "error", "a formula refers to a label on a jump, where no process stops"),
    ("P0503", "error", "a formula uses `_last`, which the states of the model do not keep"),
    ("P0504", "error", "a formula given beside the model contains C"),
];

/// Codes of embedded C.
const EMBEDDED: &[(&str, &str, &str)] = &[
    ("P0600", "error", "the model contains C code, and `--allow-c` was not given"),
    ("P0601", "error", "the C compiler refuses the model's C code"),
    ("P0602", "error", "there is no C compiler, or what it made cannot be loaded"),
    ("P0603", "warning", "C code has variables that are no part of the state"),
];

const INTRODUCTION: &str = "\
# Diagnostics

<!-- Written by `cargo xtask codegen`. Do not edit. -->

Messages about a model carry a code. Codes are stable: a code never changes its
meaning and is never used again for something else. A model with an error is not
checked (exit code 65); a warning changes nothing.
";

/// The whole document.
pub fn document() -> Result<String> {
    let crates = shell::root().join("crates");
    let read = |path: &str| {
        std::fs::read_to_string(crates.join(path)).with_context(|| format!("crates/{path}"))
    };
    let reader = scattered(READER, "P00", &crates.join("syntax/src"))?;
    let parser = parser_codes(&read("syntax/src/parser/report.rs")?);
    let sema = sema_codes(&read("sema/src/codes.rs")?);
    let lowering = scattered(LOWERING, "P04", &crates.join("program/src"))?;
    let formulas = scattered(FORMULAS, "P05", &crates.join("check/src"))?;
    let embedded = scattered(EMBEDDED, "P06", &crates.join("embed/src"))?;
    let mut text = INTRODUCTION.to_owned();
    let sections = [
        ("Reading the text", reader),
        ("Grammar", parser),
        ("Names, types and lints", sema),
        ("Control flow", lowering),
        ("Formulas", formulas),
        ("Embedded C", embedded),
    ];
    for (title, entries) in sections {
        if entries.is_empty() {
            bail!("no codes for the section `{title}`: have the sources changed their form?");
        }
        text.push_str(&section(title, &entries));
    }
    Ok(text)
}

fn section(title: &str, entries: &Entries) -> String {
    let mut text = format!("\n## {title}\n\n| code | severity | given when |\n|---|---|---|\n");
    for (code, Entry { severity, meaning }) in entries {
        let meaning = meaning.replace('|', "\\|");
        text.push_str(&format!("| {code} | {severity} | {meaning} |\n"));
    }
    text
}

/// Lines of the form `NAME = "P0200" Error "short-name": "meaning";`.
fn sema_codes(source: &str) -> Entries {
    let line = |line: &str| {
        let parts: Vec<&str> = line.trim().split('"').collect();
        let [_, code, severity, name, ": ", meaning, ";"] = parts[..] else {
            return None;
        };
        let meaning = format!("`{name}`: {meaning}");
        Some((code.to_owned(), Entry { severity: severity_word(severity.trim())?, meaning }))
    };
    source.lines().filter_map(line).collect()
}

fn severity_word(name: &str) -> Option<&'static str> {
    match name {
        "Error" => Some("error"),
        "Warning" => Some("warning"),
        _ => None,
    }
}

/// `const NAME: &str = "P0100";` with the documentation on the line above.
fn parser_codes(source: &str) -> Entries {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let pair = |pair: &[&str]| {
        let code = code_in(pair[1].strip_suffix("\";")?)?;
        let text = pair[0].strip_prefix("/// ")?.trim_end_matches('.');
        let (severity, text) = match text.strip_prefix("Warning: ") {
            Some(text) => ("warning", text),
            None => ("error", text),
        };
        Some((code.to_owned(), Entry { severity, meaning: lower_first(text) }))
    };
    lines.windows(2).filter_map(pair).collect()
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|c| c.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

/// The codes of a table; an error unless the sources use exactly these of all that
/// begin with `prefix`.
fn scattered(table: &[(&str, &'static str, &str)], prefix: &str, folder: &Path) -> Result<Entries> {
    let known: Entries = table
        .iter()
        .map(|&(code, severity, meaning)| {
            (code.to_owned(), Entry { severity, meaning: meaning.to_owned() })
        })
        .collect();
    let used = used_codes(prefix, folder)?;
    let this = "xtask/src/codegen/diagnostics.rs";
    if let Some(code) = used.iter().find(|code| !known.contains_key(*code)) {
        bail!("{code} has no meaning in {this}");
    }
    if let Some(code) = known.keys().find(|code| !used.contains(*code)) {
        bail!("{code} is not used any more, remove it from {this}");
    }
    Ok(known)
}

/// All codes that begin with `prefix` in the sources under a folder, without the
/// tests.
fn used_codes(prefix: &str, folder: &Path) -> Result<BTreeSet<String>> {
    let quoted = format!("\"{prefix}");
    let mut used = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.file_stem().is_some_and(|name| name == "tests") {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path)?;
            let digits = text.split(&quoted).skip(1).filter_map(|rest| rest.get(..2));
            used.extend(digits.map(|digits| format!("{prefix}{digits}")));
        }
    }
    Ok(used)
}

/// The code at the end of `const NAME: &str = "P0100`.
fn code_in(text: &str) -> Option<&str> {
    let (before, code) = text.rsplit_once('"')?;
    let is_code = code.len() == 5 && code.starts_with('P') && before.contains("const ");
    is_code.then_some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(entries: Entries, expected: &str) {
        assert_eq!(section("T", &entries).lines().skip(5).collect::<Vec<_>>().join("\n"), expected);
    }

    #[test]
    fn the_table_of_sema_is_read() {
        let source = "codes! {\n    UNDECLARED = \"P0200\" Error \"undeclared\": \"a `|` b\";\n}";
        check(sema_codes(source), "| P0200 | error | `undeclared`: a `\\|` b |");
    }

    #[test]
    fn documented_constants_are_read() {
        let source = "/// Warning: A number.\npub(super) const N: &str = \"P0107\";";
        check(parser_codes(source), "| P0107 | warning | a number |");
    }

    #[test]
    fn every_code_in_the_sources_is_documented() {
        assert!(document().unwrap().contains("| P0200 | error |"));
    }
}
