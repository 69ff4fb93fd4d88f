//! `spinor trail eval`.

use crate::args::EvalArgs;
use crate::trails::Opened;
use crate::{exit, model, output};
use clap::ArgMatches;
use serde::Serialize;
use spinor_check::{Loaded, formula};
use spinor_sim::{Evaluation, EvaluationError};
use spinor_trace::render::{self, Style};
use spinor_trace::{Origin, Step};
use std::fmt::Write as _;

/// The value after a step.
#[derive(Serialize)]
struct Row {
    /// 0 is the initial state.
    step: usize,
    who: Option<String>,
    statement: Option<String>,
    at: Option<Origin>,
    /// None if the expression errs.
    value: Option<String>,
}

/// The JSON document of `trail eval --json`.
#[derive(Serialize)]
struct Document<'a> {
    spinor: &'static str,
    model: &'a str,
    trail: &'a str,
    expression: &'a str,
    values: &'a [Row],
}

pub(super) fn run(args: &EvalArgs, matches: &ArgMatches) -> Result<u8, u8> {
    let loaded = model::open(&args.model, matches)?;
    let evaluation = evaluation(&loaded, &args.expr)?;
    let opened = Opened::read(&loaded, &args.model.model, args.trail.as_deref())?;
    let mut view = loaded.view(&opened.property).ok_or(exit::BAD_MODEL)?;
    let values = evaluation.along(&mut view, &opened.run).map_err(|error| {
        output::error(&format!("cannot replay the trail `{}`: {error}", opened.path));
        exit::BAD_MODEL
    })?;
    let mut rows: Vec<Row> =
        values.into_iter().map(|(step, value)| Row::new(step, value)).collect();
    if args.changes {
        let mut last: Option<Option<String>> = None;
        rows.retain(|row| last.replace(row.value.clone()).as_ref() != Some(&row.value));
    }
    if args.json {
        output::json(&Document {
            spinor: env!("CARGO_PKG_VERSION"),
            model: &loaded.name,
            trail: &opened.path,
            expression: &args.expr,
            values: &rows,
        })?;
    } else {
        output::out(&table(&args.expr, &rows));
    }
    Ok(exit::OK)
}

fn evaluation(loaded: &Loaded, text: &str) -> Result<Evaluation, u8> {
    let failed = |reason: &str| {
        output::error(&format!("cannot evaluate `{text}`: {reason}"));
        exit::USAGE
    };
    // In parentheses, so that it is one predicate even where a formula ends early.
    let found = formula::read_text(loaded, &format!("({text})"))
        .map_err(|error| failed(&error.reason()))?;
    let expr_of = |name: &str| {
        found.atoms.iter().find(|atom| atom.name == name).map(|atom| atom.expr.clone())
    };
    Evaluation::new(&found.formula, &expr_of).map_err(|EvaluationError::Temporal| {
        failed("it speaks of the future, which has no value in a state; `spinor check --ltl` checks it")
    })
}

impl Row {
    fn new(step: Option<Step>, value: Option<String>) -> Self {
        let Some(step) = step else {
            return Row { step: 0, who: None, statement: None, at: None, value };
        };
        let mut who = render::name(&step.who);
        if let Some(half) = &step.receiver {
            who = format!("{who} -> {}", render::name(&half.who));
        }
        Row {
            step: step.number,
            who: Some(who),
            statement: Some(step.statement),
            at: Some(step.at),
            value,
        }
    }
}

fn table(expression: &str, rows: &[Row]) -> String {
    let style = Style { colour: output::out_colour(), excerpt: None };
    let value = |row: &Row| row.value.clone().unwrap_or_else(|| "(errs)".to_owned());
    let who = |row: &Row| row.who.clone().unwrap_or_else(|| "initially".to_owned());
    let place = |row: &Row| row.at.as_ref().map(|o| o.at.to_string()).unwrap_or_default();
    let width = |of: &dyn Fn(&Row) -> String| {
        rows.iter().map(|row| of(row).chars().count()).max().unwrap_or(0)
    };
    let widths = [width(&value), width(&who), width(&place)];
    let mut out = format!("{}\n", style.bold(expression));
    for row in rows {
        let line = format!(
            "{:>4}  {:<v$}  {:<w$}  {}  {}",
            row.step,
            value(row),
            who(row),
            style.dim(&format!("{:<p$}", place(row), p = widths[2])),
            row.statement.as_deref().unwrap_or_default(),
            v = widths[0],
            w = widths[1],
        );
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}
