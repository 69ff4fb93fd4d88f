//! `spinor ltl`.

use crate::args::{LtlArgs, LtlFormat};
use crate::{app, exit, output};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use serde::Serialize;
use spinor_check::ltl::{
    Buchi, Formula, Limits, ParseError, Size, Tgba, degeneralize, is_stutter_invariant,
    output as printed, parse, strength, translate,
};
use std::io::Read;
use std::time::{Duration, Instant};

/// The JSON object of `--stats`.
#[derive(Serialize)]
struct Statistics {
    states: usize,
    edges: usize,
    acceptance_sets: u32,
    deterministic: bool,
    class: String,
    /// `null` if the automata are too large to tell.
    stutter_invariant: Option<bool>,
    seconds: f64,
}

/// The result, in the form asked for.
enum Automaton {
    Generalised(Tgba),
    Plain(Buchi),
}

pub(crate) fn run(args: &LtlArgs) -> u8 {
    let text = match formula_text(args) {
        Ok(text) => text,
        Err(code) => return code,
    };
    if args.generalized && args.format == Some(LtlFormat::Never) {
        output::error(
            "a never claim has accepting states: use `--generalized` with `--format hoa`, `dot` or `json`",
        );
        return exit::USAGE;
    }
    let given = match parse(&text) {
        Ok(formula) => formula,
        Err(error) => {
            show(&text, &error);
            return exit::USAGE;
        }
    };
    let formula = if args.negate { given.negated() } else { given };
    let limits = limits(args.max_states);
    let start = Instant::now();
    let tgba = match translate(&formula, &limits) {
        Ok(tgba) => tgba,
        Err(error) => {
            output::error(&format!("{error}\n  `--max-states N` allows larger ones"));
            return exit::INCOMPLETE;
        }
    };
    let automaton = if args.generalized {
        Automaton::Generalised(tgba)
    } else {
        Automaton::Plain(degeneralize(&tgba))
    };
    let elapsed = start.elapsed();
    if args.stats {
        return print_statistics(&automaton, &formula, &limits, elapsed);
    }
    output::out(&automaton.print(args.format, &formula));
    exit::OK
}

/// The argument, or what standard input says.
fn formula_text(args: &LtlArgs) -> Result<String, u8> {
    if args.formula != "-" {
        return Ok(args.formula.clone());
    }
    let mut text = String::new();
    match std::io::stdin().lock().read_to_string(&mut text) {
        Ok(_) => Ok(text.trim_end().to_owned()),
        Err(error) => {
            output::error(&format!("cannot read standard input: {error}"));
            Err(exit::UNREADABLE)
        }
    }
}

/// All bounds in proportion to the number of states.
fn limits(max_states: u32) -> Limits {
    let usual = Limits::default();
    let factor = |limit: usize| (limit * max_states as usize).div_ceil(usual.max_states);
    Limits {
        max_states: max_states as usize,
        max_edges: factor(usual.max_edges),
        // Small automata, too, need room on the way.
        max_nodes: factor(usual.max_nodes).max(usual.max_nodes),
        max_steps: (factor(usual.max_steps as usize) as u64).max(usual.max_steps),
    }
}

impl Automaton {
    fn tgba(&self) -> &Tgba {
        match self {
            Automaton::Generalised(tgba) => tgba,
            Automaton::Plain(buchi) => buchi.as_tgba(),
        }
    }

    fn print(&self, format: Option<LtlFormat>, formula: &Formula) -> String {
        let name = Some(formula.to_string());
        let name = name.as_deref();
        match (self, format) {
            (Automaton::Generalised(tgba), Some(LtlFormat::Dot)) => printed::dot::print(tgba),
            (Automaton::Generalised(tgba), Some(LtlFormat::Json)) => printed::json::print(tgba),
            (Automaton::Generalised(tgba), _) => printed::hoa::print(tgba, name),
            (Automaton::Plain(buchi), Some(LtlFormat::Hoa)) => {
                printed::hoa::print_buchi(buchi, name)
            }
            (Automaton::Plain(buchi), Some(LtlFormat::Dot)) => printed::dot::print_buchi(buchi),
            (Automaton::Plain(buchi), Some(LtlFormat::Json)) => printed::json::print_buchi(buchi),
            (Automaton::Plain(buchi), _) => printed::never::print(buchi, name),
        }
    }
}

fn print_statistics(
    automaton: &Automaton,
    formula: &Formula,
    limits: &Limits,
    elapsed: Duration,
) -> u8 {
    let tgba = automaton.tgba();
    let Size { states, edges } = tgba.size();
    let statistics = Statistics {
        states,
        edges,
        acceptance_sets: tgba.sets,
        deterministic: tgba.is_deterministic(),
        class: strength(tgba).to_string(),
        stutter_invariant: is_stutter_invariant(formula, limits).unwrap_or(None),
        seconds: elapsed.as_secs_f64(),
    };
    match serde_json::to_string(&statistics) {
        Ok(text) => {
            output::out(&format!("{text}\n"));
            exit::OK
        }
        Err(error) => {
            app::internal(&format!("the statistics cannot be written: {error}"));
            exit::INTERNAL
        }
    }
}

/// Shows where a formula is wrong.
fn show(text: &str, error: &ParseError) {
    let renderer = if output::err_colour() { Renderer::styled() } else { Renderer::plain() };
    let mark = AnnotationKind::Primary.span(error.position..error.end);
    let title = Level::ERROR.primary_title(&*error.message);
    let snippet = Snippet::source(text).path("formula").annotation(mark);
    let mut group = Group::with_title(title).element(snippet);
    if let Some(help) = &error.help {
        group = group.element(Level::HELP.message(&**help));
    }
    output::err(&format!("{}\n", renderer.render(&[group])));
}
