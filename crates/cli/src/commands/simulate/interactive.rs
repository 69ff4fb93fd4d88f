//! The user chooses.

use super::by_chance;
use super::printer::Printer;
use crate::{interrupt, output};
use spinor_sim::{Chance, Choice, Ending, Simulation};
use spinor_trace::render::{self, Style};
use spinor_trace::{Told, describe};
use std::io::{BufRead, IsTerminal, stdin};

/// Moves without a choice that are taken without a question, one after the other.
const FORCED: usize = 50;
/// Longer statements are cut in the list.
const MAX_STATEMENT: usize = 60;

const HELP: &str = "  a number takes that move
  Enter    a random move
  r N      random moves for N steps
  b        back by one move
  s        all variables and channels
  q        quit
";

/// What the user answered.
enum Answer {
    Take(usize),
    Random(u64),
    Back,
    State,
    Help,
    Quit,
    Nonsense,
}

/// Asks until the run ends or the user has enough.
pub(super) fn run(
    simulation: &mut Simulation<'_, '_>,
    chance: &mut Chance,
    bound: u64,
    printer: &mut Printer,
) {
    let mut forced = 0;
    while simulation.ending().is_none() {
        if interrupt::is_requested() {
            simulation.end(Ending::Interrupted);
            return;
        }
        if simulation.steps() >= bound {
            simulation.end(Ending::Bound);
            return;
        }
        let choices = simulation.choices();
        if choices.is_empty() {
            return;
        }
        let room = bound - simulation.steps();
        if choices.len() == 1 && forced < FORCED {
            forced += 1;
            if let Some(happened) = simulation.take(&choices[0], room) {
                printer.show(happened.steps);
            }
            continue;
        }
        forced = 0;
        printer.flush();
        list(simulation, &choices);
        let Some(answer) = ask(choices.len()) else {
            simulation.end(Ending::EndOfInput);
            return;
        };
        match answer {
            Answer::Take(number) => {
                if let Some(happened) = simulation.take(&choices[number - 1], room) {
                    printer.show(happened.steps);
                }
            }
            Answer::Random(steps) => {
                let until = simulation.steps().saturating_add(steps).min(bound);
                by_chance(simulation, chance, until, bound, printer);
            }
            Answer::Back => {
                forced = FORCED;
                if !simulation.back() {
                    output::out("  this is the beginning\n");
                }
            }
            Answer::State => output::out(&render::snapshot(&simulation.snapshot(), 2)),
            Answer::Help => output::out(HELP),
            Answer::Quit => {
                simulation.end(Ending::Quit);
                return;
            }
            Answer::Nonsense => {
                output::out(&format!("  a number from 1 to {}, or ? for help\n", choices.len()));
            }
        }
    }
}

/// The choices: who, where, what, and what comes of it.
fn list(simulation: &mut Simulation<'_, '_>, choices: &[Choice]) {
    let style = Style { colour: output::out_colour(), excerpt: None };
    let mut rows: Vec<[String; 4]> = Vec::new();
    for choice in choices {
        let Some(told) = simulation.preview(choice) else { continue };
        rows.push(row(simulation, choice, &told, style));
    }
    let width = |column: usize| rows.iter().map(|r| r[column].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2)];
    let mut out = format!("\nstep {}\n", simulation.steps() + 1);
    for (number, [who, place, statement, effect]) in rows.iter().enumerate() {
        let line = format!(
            "{:>4}  {who:<w$}  {}  {statement:<s$}  {effect}",
            number + 1,
            style.dim(&format!("{place:<p$}", p = widths[1])),
            w = widths[0],
            s = widths[2],
        );
        out.push_str(line.trim_end());
        out.push('\n');
    }
    output::out(&out);
}

fn row(simulation: &Simulation<'_, '_>, choice: &Choice, told: &Told, style: Style) -> [String; 4] {
    let changes = simulation.effect(told);
    let changes: Vec<String> = changes.iter().map(render::change).collect();
    let mut effect = changes.join(", ");
    if let Some(violation) = choice.violation {
        let described = describe(simulation.view(), violation, Some(&told.next));
        effect = format!("{} {}", style.red("error:"), described.message);
    }
    let Some(first) = told.steps.first() else {
        return ["nobody can move".to_owned(), String::new(), String::new(), effect];
    };
    let mut who = render::name(&first.who);
    let mut statements: Vec<String> = Vec::new();
    for step in &told.steps {
        match &step.receiver {
            Some(half) => {
                who = format!("{who} -> {}", render::name(&half.who));
                statements.push(format!("{} -> {}", step.statement, half.statement));
            }
            None => statements.push(step.statement.clone()),
        }
    }
    let mut statement = statements.join("; ");
    if statement.chars().count() > MAX_STATEMENT {
        statement = statement.chars().take(MAX_STATEMENT - 1).collect();
        statement.push('…');
    }
    [who, first.at.at.to_string(), statement, effect]
}

/// The answer; none at the end of the input.
fn ask(count: usize) -> Option<Answer> {
    output::out(&format!("choose 1-{count} (q quits, ? helps): "));
    let mut line = String::new();
    let is_end = stdin().lock().read_line(&mut line).map_or(true, |bytes| bytes == 0);
    if is_end || !stdin().is_terminal() {
        output::out(&format!("{}\n", line.trim_end()));
    }
    if is_end {
        return None;
    }
    let mut words = line.split_whitespace();
    let (first, second) = (words.next().unwrap_or(""), words.next());
    Some(match first {
        "" => Answer::Random(1),
        "q" | "quit" | "exit" => Answer::Quit,
        "b" | "back" => Answer::Back,
        "s" | "state" => Answer::State,
        "r" | "random" => second.unwrap_or("1").parse().map_or(Answer::Nonsense, Answer::Random),
        "?" | "h" | "help" => Answer::Help,
        word => match word.parse() {
            Ok(number) if (1..=count).contains(&number) => Answer::Take(number),
            _ => Answer::Nonsense,
        },
    })
}
