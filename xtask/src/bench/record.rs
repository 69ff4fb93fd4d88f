//! `docs/benchmarks.tsv`: every figure that was ever recorded, a line each.

use anyhow::{Context, Result};

use super::figures::{self, Figures};
use super::section::Section;

/// When and of what figures were taken. All of one run of the benchmark share it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// `2026-01-31 17:05`, in UTC.
    pub date: String,
    /// The commit that was measured, with a `+` if files were changed.
    pub commit: String,
}

/// A line.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// When.
    pub point: Point,
    /// A section's name, or [`ABOUT`].
    pub section: String,
    /// The model, or what a fact is about.
    pub model: String,
    /// What ran.
    pub subject: String,
    /// How many runs the medians are of.
    pub rounds: usize,
    /// What came out.
    pub entry: Entry,
}

/// What a line says.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// A run that counts.
    Figures(Figures),
    /// Why there are no figures, or a fact.
    Note(String),
}

/// The section of facts about machine and tools.
pub const ABOUT: &str = "about";

const FIRST: &[&str] = &["date", "commit", "section", "model", "subject", "rounds"];

/// All lines there are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// Oldest first.
    pub rows: Vec<Row>,
}

impl Record {
    /// Reads the file's text.
    pub fn parse(text: &str) -> Result<Self> {
        let rows = (1..).zip(text.lines()).skip(1).map(|(number, line)| {
            parse_row(line).with_context(|| format!("line {number} of the record"))
        });
        Ok(Record { rows: rows.collect::<Result<_>>()? })
    }

    /// The file's text.
    pub fn format(&self) -> String {
        let columns: Vec<&str> = FIRST.iter().chain(figures::COLUMNS).copied().collect();
        let mut text = format!("{}\tnote\n", columns.join("\t"));
        for row in &self.rows {
            text.push_str(&format_row(row));
            text.push('\n');
        }
        text
    }

    /// The newest results of a section.
    pub fn latest(&self, section: &str) -> View<'_> {
        self.view(section, 0)
    }

    /// Those before the newest.
    pub fn before(&self, section: &str) -> View<'_> {
        self.view(section, 1)
    }

    fn view(&self, section: &str, age: usize) -> View<'_> {
        let mut points: Vec<&Point> = Vec::new();
        for row in self.rows.iter().rev().filter(|row| row.section == section) {
            if !points.contains(&&row.point) {
                points.push(&row.point);
            }
        }
        let point = points.get(age).copied();
        let belongs = |row: &&Row| row.section == section && Some(&row.point) == point;
        View { point, rows: self.rows.iter().filter(belongs).collect() }
    }
}

/// The results of one section at one point.
pub struct View<'a> {
    /// When they were taken; `None` if never.
    pub point: Option<&'a Point>,
    /// The lines.
    pub rows: Vec<&'a Row>,
}

impl<'a> View<'a> {
    /// The models, each once, in the order of the record.
    pub fn models(&self) -> Vec<&'a str> {
        let mut models: Vec<&str> = Vec::new();
        for row in &self.rows {
            if !models.contains(&row.model.as_str()) {
                models.push(&row.model);
            }
        }
        models
    }

    /// The figures of a model and a subject.
    pub fn figures(&self, model: &str, subject: &str) -> Option<&'a Figures> {
        let row = self.rows.iter().find(|r| r.model == model && r.subject == subject)?;
        match &row.entry {
            Entry::Figures(figures) => Some(figures),
            Entry::Note(_) => None,
        }
    }

    /// Runs without figures: model, subject, why.
    pub fn notes(&self) -> Vec<(&'a str, &'a str, &'a str)> {
        let note = |row: &&'a Row| match &row.entry {
            Entry::Note(note) => Some((row.model.as_str(), row.subject.as_str(), note.as_str())),
            Entry::Figures(_) => None,
        };
        self.rows.iter().filter_map(note).collect()
    }
}

/// The newest results of a section.
pub fn latest(record: &Record, section: Section) -> View<'_> {
    record.latest(section.name())
}

fn format_row(row: &Row) -> String {
    let Row { point, section, model, subject, rounds, entry } = row;
    let (cells, note) = match entry {
        Entry::Figures(figures) => (figures.cells(), String::new()),
        Entry::Note(note) => {
            (vec![String::new(); figures::COLUMNS.len()], note.replace(['\t', '\n'], " "))
        }
    };
    let Point { date, commit } = point;
    let cells = cells.join("\t");
    format!("{date}\t{commit}\t{section}\t{model}\t{subject}\t{rounds}\t{cells}\t{note}")
}

fn parse_row(line: &str) -> Result<Row> {
    let cells: Vec<&str> = line.split('\t').collect();
    let [date, commit, section, model, subject, rounds, figures @ .., note] = &cells[..] else {
        anyhow::bail!("too few cells");
    };
    let entry = if note.is_empty() {
        Entry::Figures(Figures::parse(figures)?)
    } else {
        Entry::Note((*note).to_owned())
    };
    Ok(Row {
        point: Point { date: (*date).to_owned(), commit: (*commit).to_owned() },
        section: (*section).to_owned(),
        model: (*model).to_owned(),
        subject: (*subject).to_owned(),
        rounds: rounds.parse()?,
        entry,
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A line of a record for tests.
    pub fn row(date: &str, section: &str, model: &str, subject: &str, entry: Entry) -> Row {
        Row {
            point: Point { date: date.to_owned(), commit: "abc1234".to_owned() },
            section: section.to_owned(),
            model: model.to_owned(),
            subject: subject.to_owned(),
            rounds: 3,
            entry,
        }
    }

    fn figures(cpu: f64) -> Entry {
        Entry::Figures(Figures { stored: 7, cpu, ..Figures::default() })
    }

    fn record() -> Record {
        let note = Entry::Note("no such option".to_owned());
        Record {
            rows: vec![
                row("2026-01-01 10:00", "one-core", "a", "pan", figures(4.0)),
                row("2026-01-02 10:00", "one-core", "a", "pan", figures(3.0)),
                row("2026-01-02 10:00", "one-core", "b", "bfs", note),
                row("2026-01-03 10:00", "memory", "a", "pan", figures(2.0)),
            ],
        }
    }

    #[test]
    fn records_are_written_and_read_back() {
        let record = record();
        let text = record.format();
        assert_eq!(Record::parse(&text).expect("readable"), record);
        let columns: Vec<usize> = text.lines().map(|line| line.split('\t').count()).collect();
        assert!(columns.iter().all(|n| *n == columns[0]), "{columns:?}");
        assert!(Record::parse("head\nbad line\n").is_err());
    }

    #[test]
    fn each_section_has_its_own_newest_point() {
        let record = record();
        let one_core = record.latest("one-core");
        assert_eq!(one_core.models(), ["a", "b"]);
        assert_eq!(one_core.figures("a", "pan").map(|f| f.cpu), Some(3.0));
        assert_eq!(one_core.notes(), [("b", "bfs", "no such option")]);
        assert_eq!(record.before("one-core").figures("a", "pan").map(|f| f.cpu), Some(4.0));
        assert_eq!(record.latest("memory").figures("a", "pan").map(|f| f.cpu), Some(2.0));
        assert!(record.latest("growth").point.is_none());
    }
}
