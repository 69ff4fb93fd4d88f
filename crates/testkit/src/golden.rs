//! Recorded results of SPIN as TSV files.
//!
//! Columns are found by name, so files with more columns can be read too:
//! `model config stored matched transitions atomic errors depth message`.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use crate::spin::{Config, Message, Oracle, OracleError, SpinOutcome};

/// Columns of the files we write.
pub const COLUMNS: [&str; 9] =
    ["model", "config", "stored", "matched", "transitions", "atomic", "errors", "depth", "message"];

/// One row: the values by column name, empty ones left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row(BTreeMap<String, String>);

impl Row {
    /// The row of an outcome; `config` becomes `refused` or gets a suffix if the
    /// search was not completed.
    pub fn of(model: &str, config: Config, outcome: &SpinOutcome) -> Row {
        let mut row = Row::default();
        row.set("model", model);
        row.set("config", config.name());
        if let Some(reason) = &outcome.refused {
            row.set("config", "refused");
            row.set("message", reason.lines().next().unwrap_or_default());
            return row;
        }
        if let Some(signal) = outcome.crashed {
            row.set("config", &format!("{}:crash", config.name()));
            row.set("message", &format!("signal {signal}"));
            return row;
        }
        if outcome.truncated.is_some() {
            row.set("config", &format!("{}:limit", config.name()));
        }
        for (name, value) in [
            ("stored", outcome.stored),
            ("matched", outcome.matched),
            ("transitions", outcome.transitions),
            ("atomic", outcome.atomic_steps),
            ("errors", outcome.errors),
            ("depth", outcome.depth),
        ] {
            row.set(name, &value.to_string());
        }
        if let Some(Message { text, .. }) = outcome.messages.first() {
            row.set("message", text);
        }
        row
    }

    /// The text in a column, `None` if it is empty or missing.
    pub fn get(&self, column: &str) -> Option<&str> {
        self.0.get(column).map(String::as_str)
    }

    /// The number in a column.
    pub fn number(&self, column: &str) -> Option<u64> {
        self.get(column)?.parse().ok()
    }

    /// Model name or path.
    pub fn model(&self) -> &str {
        self.get("model").unwrap_or_default()
    }

    /// Name of the configuration, as written.
    pub fn config(&self) -> &str {
        self.get("config").unwrap_or_default()
    }

    fn set(&mut self, column: &str, value: &str) {
        let value = value.replace(['\t', '\n', '\r'], " ");
        if value.is_empty() {
            self.0.remove(column);
        } else {
            self.0.insert(column.to_owned(), value);
        }
    }
}

/// Reads rows from text; lines whose first cell repeats the header are skipped.
pub fn parse(text: &str) -> Vec<Row> {
    let mut lines = text.lines();
    let Some(header) = lines.next() else {
        return Vec::new();
    };
    let names: Vec<&str> = header.split('\t').collect();
    lines
        .filter(|line| !line.trim().is_empty() && *line != header)
        .map(|line| {
            let mut row = Row::default();
            for (name, value) in names.iter().zip(line.split('\t')) {
                row.set(name, value);
            }
            row
        })
        .collect()
}

/// Reads rows from a file.
pub fn read(path: &Path) -> io::Result<Vec<Row>> {
    Ok(parse(&std::fs::read_to_string(path)?))
}

/// The text of rows, with the header.
pub fn format(rows: &[Row]) -> String {
    let mut text = COLUMNS.join("\t");
    text.push('\n');
    for row in rows {
        let cells: Vec<&str> = COLUMNS.iter().map(|c| row.get(c).unwrap_or_default()).collect();
        text.push_str(&cells.join("\t"));
        text.push('\n');
    }
    text
}

/// Writes rows to a file.
pub fn write(path: &Path, rows: &[Row]) -> io::Result<()> {
    std::fs::write(path, format(rows))
}

/// Definitions from a line `// flags: -DN=2 …` among the first ten.
pub fn defines(source: &str) -> Vec<String> {
    source
        .lines()
        .take(10)
        .filter_map(|l| l.trim().strip_prefix("// flags:"))
        .flat_map(str::split_whitespace)
        .filter_map(|f| f.strip_prefix("-D"))
        .map(str::to_owned)
        .collect()
}

/// Models about infinite runs, which have a table of their own.
pub const LIVENESS: &str = "liveness";

/// Models on which SPIN is wrong: its results are no standard for them.
pub const DEFECTS: &str = "spin_defects";

/// All `*.pml` files under `dir`, sorted; without those in [`DEFECTS`].
pub fn models_under(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut work = vec![dir.to_owned()];
    while let Some(dir) = work.pop() {
        for entry in std::fs::read_dir(dir)? {
            let path = entry?.path();
            if path.is_dir() {
                if !path.ends_with(DEFECTS) {
                    work.push(path);
                }
            } else if path.extension().is_some_and(|e| e == "pml") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Runs SPIN on one model in the recorded configurations.
pub fn record_model(oracle: &Oracle, name: &str, source: &str) -> Result<Vec<Row>, OracleError> {
    let oracle = Oracle { defines: defines(source), ..oracle.clone() };
    let mut configs = vec![Config::Full, Config::Verdict];
    if has_claim(source) {
        configs.push(Config::Claim);
    }
    let outcomes = oracle.check_all(source, &configs)?;
    let mut rows: Vec<Row> = configs
        .iter()
        .zip(&outcomes)
        .map(|(&config, outcome)| Row::of(name, config, outcome))
        .collect();
    // A refusal does not depend on the configuration.
    rows.dedup();
    Ok(rows)
}

/// Runs SPIN on every model under `models_dir` and writes `golden.tsv` there.
///
/// Models are named by their path without the ending.
pub fn record(models_dir: &Path) -> Result<Vec<Row>, OracleError> {
    let oracle = Oracle::default();
    let mut rows = Vec::new();
    for path in models_under(models_dir)? {
        if path.starts_with(models_dir.join(LIVENESS)) {
            continue;
        }
        let name = path.strip_prefix(models_dir).unwrap_or(&path).with_extension("");
        let source = String::from_utf8_lossy(&std::fs::read(&path)?).into_owned();
        let name = name.to_string_lossy().replace('\\', "/");
        let headers = path.parent().map(Path::to_owned);
        let oracle = Oracle { headers, ..oracle.clone() };
        rows.extend(record_model(&oracle, &name, &source)?);
    }
    write(&models_dir.join("golden.tsv"), &rows)?;
    Ok(rows)
}

/// True if the text has a `never` claim or an `ltl` property outside line comments.
fn has_claim(source: &str) -> bool {
    source.lines().any(|line| {
        let code = line.split("//").next().unwrap_or_default();
        let mut words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|w| w == "never" || w == "ltl")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_survive_writing_and_reading() {
        let outcome = SpinOutcome {
            stored: 7,
            matched: 2,
            transitions: 9,
            errors: 1,
            messages: vec![Message { text: "assertion violated\t(x)".into(), depth: 3 }],
            ..SpinOutcome::default()
        };
        let refused = SpinOutcome {
            refused: Some("spin: Error: syntax\nmore".into()),
            ..SpinOutcome::default()
        };
        let rows =
            vec![Row::of("a/b", Config::Full, &outcome), Row::of("c", Config::Verdict, &refused)];
        let back = parse(&format(&rows));
        assert_eq!(back, rows);
        assert_eq!(back[0].number("stored"), Some(7));
        assert_eq!(back[0].get("message"), Some("assertion violated (x)"));
        assert_eq!((back[1].config(), back[1].model()), ("refused", "c"));
    }

    #[test]
    fn columns_are_found_by_name() {
        let rows = parse("config\tmodel\tcpu_seconds\tstored\nfull\tm\t0.2\t12\n");
        assert_eq!(rows[0].model(), "m");
        assert_eq!(rows[0].number("stored"), Some(12));
        assert_eq!(rows[0].number("matched"), None);
    }

    #[test]
    fn flags_and_claims_are_found() {
        assert_eq!(defines("// a model\n// flags: -DN=2 -DX -m\nbyte x;"), ["N=2", "X"]);
        assert!(has_claim("ltl p { [] q }"));
        assert!(!has_claim("// never again\nbyte nevermore;"));
    }

    #[test]
    fn records_a_folder() {
        if let Err(reason) = Oracle::is_available() {
            #[expect(clippy::print_stderr, reason = "a skipped test says why")]
            {
                eprintln!("skipped: {reason}");
            }
            return;
        }
        let dir = tempfile::tempdir().expect("scratch folder");
        std::fs::create_dir(dir.path().join("sub")).expect("folder");
        std::fs::write(
            dir.path().join("sub/one.pml"),
            "// flags: -DN=3\nbyte x; init { x = N; assert(x != 3) }",
        )
        .expect("written");
        std::fs::write(dir.path().join("bad.pml"), "init { syntax").expect("written");
        record(dir.path()).expect("recorded");
        let rows = read(&dir.path().join("golden.tsv")).expect("read");
        let configs: Vec<_> = rows.iter().map(|r| (r.model(), r.config())).collect();
        assert_eq!(configs, [("bad", "refused"), ("sub/one", "full"), ("sub/one", "verdict")]);
        assert_eq!(rows[2].number("errors"), Some(1));
    }
}
