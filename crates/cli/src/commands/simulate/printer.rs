//! Steps on their way to the screen.

use crate::args::SimulateArgs;
use crate::output;
use spinor_sim::{Columns, Filter};
use spinor_trace::Step;
use spinor_trace::render::{Lines, Style};

/// Steps printed together, so that their columns are aligned.
const BATCH: usize = 200;

/// How steps are shown.
enum Form {
    Lines(Lines),
    Columns(Columns),
    /// Only what the model prints.
    Output,
    /// All at the end.
    Kept,
}

/// Shows the steps that the user wants to see.
pub(crate) struct Printer {
    form: Form,
    filter: Filter,
    skip: usize,
    waiting: Vec<Step>,
    batch: usize,
}

impl Printer {
    pub(crate) fn new(args: &SimulateArgs) -> Self {
        let style = Style { colour: output::out_colour(), excerpt: None };
        let form = match () {
            () if args.json => Form::Kept,
            () if args.quiet => Form::Output,
            () if args.columns => Form::Columns(Columns::new(style)),
            () => Form::Lines(Lines::new(style)),
        };
        Printer {
            form,
            filter: Filter {
                processes: args.process.clone(),
                channels: args.channel.clone(),
                variables: args.variable.clone(),
            },
            skip: usize::try_from(args.skip).unwrap_or(usize::MAX),
            waiting: Vec::new(),
            batch: if args.interactive { 1 } else { BATCH },
        }
    }

    /// Says what follows.
    pub(crate) fn heading(&self, args: &SimulateArgs, model: &str, seed: u64) {
        if matches!(self.form, Form::Lines(_) | Form::Columns(_)) {
            let kind = if args.interactive { "your" } else { "random" };
            let bound = args.steps;
            output::out(&format!("{kind} run of {model}, seed {seed}, at most {bound} steps\n\n"));
        }
    }

    /// Whether steps are shown, or only what they print.
    pub(crate) fn wants_steps(&self) -> bool {
        !matches!(self.form, Form::Output) || self.skip > 0 || !self.filter.is_empty()
    }

    /// Shows what the model prints.
    pub(crate) fn print(&self, text: &str) {
        if !text.is_empty() {
            output::out(text);
        }
    }

    /// The steps that are to be seen.
    pub(crate) fn keep(&self, steps: Vec<Step>) -> Vec<Step> {
        let seen = steps.into_iter().filter(|step| step.number > self.skip);
        if self.filter.is_empty() {
            return seen.collect();
        }
        seen.filter_map(|step| self.filter.apply(step)).collect()
    }

    pub(crate) fn show(&mut self, steps: Vec<Step>) {
        let seen = self.keep(steps);
        self.waiting.extend(seen);
        if self.waiting.len() >= self.batch {
            self.flush();
        }
    }

    /// Shows what waits.
    pub(crate) fn flush(&mut self) {
        let text = match &mut self.form {
            Form::Kept => return,
            Form::Lines(lines) => lines.print(&self.waiting),
            Form::Columns(columns) => columns.print(&self.waiting),
            Form::Output => self.waiting.iter().filter_map(|step| step.output.as_deref()).collect(),
        };
        self.waiting.clear();
        if !text.is_empty() {
            output::out(&text);
        }
    }

    /// Shows the rest; returns the steps if they are kept.
    pub(crate) fn finish(mut self) -> Vec<Step> {
        self.flush();
        self.waiting
    }
}
