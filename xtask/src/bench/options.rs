//! What `cargo xtask bench` is asked for.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::section::Section;

/// All options.
pub const USAGE: &str = "\
usage: cargo xtask bench [OPTIONS]

  --only SECTION[,SECTION…]  measure one-core, two-cores, compile, memory, lossy, growth,
                             infinite-runs, embedded-c, directed, simulation, machine or profile;
                             the others keep their last results
  --model TEXT               only models with this in their name; writes nothing
  --repeats N                runs for each figure (3)
  --spinor FILE              measure this build instead of making one; writes nothing
  --quick                    small models, once; writes nothing
  --dry-run                  write nothing
  --document                 measure nothing, write the document again
";

/// What to measure, and what to do with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Small models, one round.
    pub quick: bool,
    /// Write nothing.
    pub dry_run: bool,
    /// Measure nothing.
    pub only_document: bool,
    /// What to measure.
    pub sections: Vec<Section>,
    /// Part of the names of models.
    pub model: String,
    /// How often.
    pub rounds: usize,
    /// What is measured, if not the sources as they are.
    pub spinor: Option<PathBuf>,
}

impl Wanted {
    /// Reads the arguments after `bench`.
    pub fn parse(arguments: &[String]) -> Result<Self> {
        let mut wanted = Wanted {
            quick: false,
            dry_run: false,
            only_document: false,
            sections: Vec::new(),
            model: String::new(),
            rounds: 3,
            spinor: None,
        };
        let mut rounds = None;
        let mut arguments = arguments.iter().map(String::as_str);
        while let Some(argument) = arguments.next() {
            let (name, given) = match argument.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (argument, None),
            };
            let mut value =
                || given.or_else(|| arguments.next()).with_context(|| format!("`{name}` of what?"));
            match name {
                "--quick" => wanted.quick = true,
                "--dry-run" => wanted.dry_run = true,
                "--document" => wanted.only_document = true,
                "--only" => {
                    for name in value()?.split(',') {
                        wanted.sections.push(section(name)?);
                    }
                }
                "--spinor" => {
                    let path = value()?;
                    let found = std::fs::canonicalize(path);
                    wanted.spinor = Some(found.with_context(|| format!("no file `{path}`"))?);
                }
                "--model" => wanted.model = value()?.to_owned(),
                "--repeats" => {
                    let number: usize = value()?.parse().context("`--repeats` needs a number")?;
                    rounds = Some(number.max(1));
                }
                other => bail!("unknown option `{other}`\n\n{USAGE}"),
            }
        }
        if wanted.sections.is_empty() {
            wanted.sections = Section::ALL.to_vec();
        }
        // A part of the models must not stand for a section, nor another build for this one.
        wanted.dry_run |= wanted.quick || !wanted.model.is_empty() || wanted.spinor.is_some();
        wanted.rounds = rounds.unwrap_or(if wanted.quick { 1 } else { 3 });
        Ok(wanted)
    }
}

fn section(name: &str) -> Result<Section> {
    let names: Vec<&str> = Section::ALL.iter().map(|s| s.name()).collect();
    Section::of(name)
        .with_context(|| format!("no section `{name}`; there are {}", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Wanted> {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        Wanted::parse(&words)
    }

    #[test]
    fn everything_is_measured_unless_told_otherwise() {
        let all = parse("").expect("fine");
        assert_eq!(all.sections, Section::ALL);
        assert_eq!((all.rounds, all.dry_run), (3, false));
        let some = parse("--only memory,growth --repeats=5").expect("fine");
        assert_eq!(some.sections, [Section::Memory, Section::Growth]);
        assert_eq!(some.rounds, 5);
    }

    #[test]
    fn parts_are_never_recorded() {
        assert!(parse("--quick").expect("fine").dry_run);
        assert!(parse("--model at.3").expect("fine").dry_run);
        assert!(parse("--spinor Cargo.toml").expect("fine").dry_run);
    }

    #[test]
    fn mistakes_are_named() {
        for (text, part) in [
            ("--only weather", "no section `weather`"),
            ("--only", "`--only` of what?"),
            ("--repeats many", "needs a number"),
            ("--spinor no/such/file", "no file `no/such/file`"),
            ("--fast", "unknown option `--fast`"),
        ] {
            let error = format!("{:#}", parse(text).expect_err(text));
            assert!(error.contains(part), "{error}");
        }
    }
}
