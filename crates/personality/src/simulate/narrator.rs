//! Steps of a run in SPIN's words.

use super::queues::Queues;
use super::values::{Values, symbol_of};
use crate::host::Host;
use crate::spin::options::{SpinOptions, Views};
use spinor_exec::{Actor, StepKind};
use spinor_program::{Action, Base, LocId, Place, Program, ReceiveField, Scalar, StmtId, Written};
use spinor_trace::{At, Origin, View};
use std::collections::BTreeSet;

/// What is printed, and how.
#[derive(Clone, Debug)]
pub(super) struct Style {
    pub views: Views,
    pub columns: bool,
    pub no_printf: bool,
    pub no_indent: bool,
    pub skip: u64,
    pub hidden_channels: Vec<i64>,
    /// Along a trail, where SPIN numbers and prints otherwise.
    pub is_guided: bool,
    /// Priorities are not shown.
    pub no_priority: bool,
}

impl Style {
    pub fn of(options: &SpinOptions, is_guided: bool) -> Self {
        let mut views = options.views;
        if options.columns && !views.sends && !views.receives {
            (views.sends, views.receives) = (true, true);
        }
        Style {
            views,
            columns: options.columns,
            no_printf: options.no_printf,
            no_indent: options.no_indent,
            skip: options.skip.max(0).unsigned_abs(),
            hidden_channels: options.hidden_channels.clone(),
            is_guided,
            no_priority: options.old_priorities,
        }
    }
}

/// One elementary step.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    pub depth: u64,
    pub actor: Actor,
    pub statement: StmtId,
    pub kind: StepKind,
    pub before: Vec<u8>,
    pub after: Vec<u8>,
    /// An assertion that fails here.
    pub fails: bool,
}

/// Prints steps one after the other.
pub(super) struct Narrator<'v> {
    pub view: &'v View<'v>,
    pub style: Style,
    pub(super) queues: Queues,
    depth: u64,
    /// Global variables that changed at this depth.
    changed: BTreeSet<String>,
    /// Local variables that were assigned to at this depth, with their process.
    assigned: BTreeSet<(usize, String)>,
    /// The line of the claim that was told last.
    claim_line: Option<u32>,
    /// Columns need a heading.
    pub(super) wants_heading: bool,
    /// The message of the rendezvous that is going on.
    pub(super) offer: Vec<i32>,
    /// Processes that SPIN numbers before the first one: a claim.
    pub shift: usize,
    /// Processes created so far.
    pub created: usize,
    /// Values that did not fit.
    pub truncated: usize,
}

/// SPIN's numbers of the types.
fn type_code(scalar: Scalar) -> u32 {
    match scalar {
        Scalar::Bit => 1,
        Scalar::U8 => 8,
        Scalar::U16 | Scalar::I16 => 16,
        Scalar::I32 => 32,
        Scalar::Unsigned(_) => 5,
    }
}

impl<'v> Narrator<'v> {
    pub fn new(view: &'v View<'v>, style: Style, initial: &[u8]) -> Self {
        let mut queues = Queues::default();
        queues.follow(view, initial);
        let created = view.exec.process_count(initial);
        Narrator {
            view,
            style,
            queues,
            depth: 0,
            changed: BTreeSet::new(),
            assigned: BTreeSet::new(),
            claim_line: None,
            wants_heading: true,
            offer: Vec::new(),
            shift: usize::from(view.claim.is_some()),
            created,
            truncated: 0,
        }
    }

    pub(super) fn program(&self) -> &'v Program {
        &self.view.program
    }

    /// Whether no step can give a number to a channel any more.
    pub fn has_numbered_all(&self) -> bool {
        self.queues.are_complete()
    }

    /// A step.
    pub fn step(&mut self, moment: &Moment, host: &mut Host<'_>) {
        if moment.depth != self.depth {
            self.depth = moment.depth;
            self.changed.clear();
            self.assigned.clear();
        }
        self.queues.follow(self.view, &moment.before);
        self.queues.used_by(self.view, &moment.before, moment.actor, moment.statement);
        match &self.program().statement(moment.statement).action {
            Action::Terminate => self.termination(moment, host),
            Action::DStep(_) => self.d_step(moment, host),
            _ => {
                self.note(moment);
                self.effects(moment, host);
                let location = self.program().statement(moment.statement).location;
                self.statement(moment, location, moment.statement, host);
            }
        }
        self.queues.follow(self.view, &moment.after);
        self.claim_moves(moment, host);
    }

    fn termination(&mut self, moment: &Moment, host: &mut Host<'_>) {
        let Actor::Process(pid) = moment.actor else { return };
        if !self.style.views.statements {
            return;
        }
        if self.style.is_guided {
            host.print(format_args!("{:3}: proc {pid} terminates\n", moment.depth));
        } else {
            let who = self.who(moment, true);
            host.print(format_args!("{who}{}terminates\n", self.indent(pid)));
        }
    }

    /// The statements inside, one by one; the first one stands where the `d_step` does.
    fn d_step(&mut self, moment: &Moment, host: &mut Host<'_>) {
        let Actor::Process(pid) = moment.actor else { return };
        let own = self.program().statement(moment.statement).location;
        let mut before = moment.before.clone();
        let inside = self.view.exec.inside_d_step(&moment.before, pid, moment.statement);
        for (number, (statement, after)) in inside.into_iter().enumerate() {
            let inner = Moment { statement, before, after: after.clone(), ..moment.clone() };
            self.queues.used_by(self.view, &inner.before, inner.actor, statement);
            self.note(&inner);
            self.effects(&inner, host);
            let location =
                if number == 0 { own } else { self.program().statement(statement).location };
            self.statement(&inner, location, statement, host);
            before = after;
        }
    }

    /// Remembers what a step assigns to.
    fn note(&mut self, moment: &Moment) {
        if !self.style.views.globals && !self.style.views.locals {
            return;
        }
        let (before, after) = (&moment.before, &moment.after);
        let (old, new) = (self.view.exec.shape(before), self.view.exec.shape(after));
        for leaf in &self.program().globals.leaves {
            let base = |shape: &spinor_exec::Shape| {
                (if leaf.hidden { shape.key } else { shape.globals }) + leaf.offset as usize
            };
            if leaf.scalar.load(before, base(&old)) != leaf.scalar.load(after, base(&new)) {
                self.changed.insert(symbol_of(&leaf.name).to_owned());
            }
        }
        let Actor::Process(pid) = moment.actor else { return };
        let Some(process) = self.view.process(before, pid) else { return };
        let action = &self.program().statement(moment.statement).action;
        let mut assigned = |place: &Place| {
            if place.base == Base::Frame {
                let leaves = process.frame.leaves.iter();
                let leaf = leaves.rev().find(|l| !l.hidden && l.offset <= place.offset);
                let name = leaf.map(|l| symbol_of(&l.name).to_owned());
                self.assigned.extend(name.map(|name| (pid, name)));
            }
        };
        match action {
            Action::Assign(pairs) => pairs.iter().for_each(|(place, _)| assigned(place)),
            Action::Receive(receive) => {
                for field in &receive.args {
                    if let ReceiveField::Bind(place) = field {
                        assigned(place);
                    }
                }
            }
            _ => {}
        }
    }

    /// What is printed while a statement is executed.
    fn effects(&mut self, moment: &Moment, host: &mut Host<'_>) {
        let statement = self.program().statement(moment.statement);
        let pid = match moment.actor {
            Actor::Process(pid) => pid,
            Actor::Claim => 0,
        };
        if !self.style.no_printf
            && moment.depth >= self.style.skip
            && let Some(text) = self.view.printed(&moment.before, moment.actor, moment.statement)
        {
            let text =
                if self.style.no_indent { text } else { format!("{}{text}", self.indent(pid)) };
            host.print(text);
        }
        self.truncations(moment, host);
        match &statement.action {
            Action::Send(_) => self.sent(moment, host),
            Action::Receive(_) => self.received(moment, host),
            Action::Assert(_) if moment.fails => {
                let at = self.at(moment.statement);
                host.print(format_args!(
                    "spin: {}:{}, Error: assertion violated\nspin: text of failed assertion: {}\n",
                    at.file, at.line, statement.text
                ));
            }
            Action::SetPriority(whose, _) if statement.written != Written::Assignment => {
                self.priority_set(moment, whose, host);
            }
            _ => {}
        }
        self.creations(moment, host);
    }

    /// Values that do not fit where they go.
    fn truncations(&mut self, moment: &Moment, host: &mut Host<'_>) {
        let at = || self.at(moment.statement);
        let mut lost = 0;
        for (scalar, value) in super::message::stored(self.view, moment) {
            let kept = scalar.truncate(value);
            if kept != value {
                let (at, code) = (at(), type_code(scalar));
                host.print(format_args!(
                    "spin: {}:{}, Error: value ({value}->{kept} ({code})) truncated in assignment\n",
                    at.file, at.line
                ));
                lost += 1;
            }
        }
        self.truncated += lost;
    }

    /// The line of a statement, and values after it.
    fn statement(&mut self, moment: &Moment, location: LocId, id: StmtId, host: &mut Host<'_>) {
        let views = self.style.views;
        let is_claim = moment.actor == Actor::Claim;
        let is_shown = views.verbose || (views.statements && !is_claim);
        if !is_shown || moment.depth < self.style.skip {
            return;
        }
        let (who, at) = (self.who(moment, true), self.at(id));
        let text = self.text(id);
        host.print(format_args!("{who}{}:{} (state {})\t[{text}]\n", at.file, at.line, location.0));
        let all = views.all_values || moment.depth == self.style.skip;
        let mut out = String::new();
        let values = Values { view: self.view, queues: &self.queues, state: &moment.after };
        if views.globals {
            values.globals((!all).then_some(&self.changed), &mut out);
        }
        if let (true, Actor::Process(pid)) = (views.locals, moment.actor) {
            let own = self.assigned.iter().filter(|(p, _)| *p == pid);
            let own: BTreeSet<String> = own.map(|(_, name)| name.clone()).collect();
            values.locals(pid, (!all).then_some(&own), &mut out);
        }
        host.print(out);
    }

    /// A statement as the simulator prints it: what `printf` gets is escaped once more.
    fn text(&self, id: StmtId) -> String {
        let statement = self.program().statement(id);
        match statement.action {
            Action::Print(..) => statement.text.replace('\\', "\\\\"),
            _ => statement.text.to_string(),
        }
    }

    fn claim_moves(&mut self, moment: &Moment, host: &mut Host<'_>) {
        if moment.actor != Actor::Claim || !self.style.is_guided {
            return;
        }
        let line = self.at(moment.statement).line;
        if self.claim_line.replace(line) != Some(line) {
            let text = &self.program().statement(moment.statement).text;
            host.print(format_args!("Never claim moves to line {line}\t[{text}]\n"));
        }
    }

    /// `  3:\tproc  0 (A:1) `.
    pub(super) fn who(&self, moment: &Moment, with_depth: bool) -> String {
        let depth = if with_depth { format!("{:3}:\t", moment.depth) } else { String::new() };
        match moment.actor {
            Actor::Process(pid) => {
                // SPIN: who sets its own priority has it already.
                let sets = matches!(
                    self.program().statement(moment.statement).action,
                    Action::SetPriority(..)
                );
                let state = if sets { &moment.after } else { &moment.before };
                format!("{depth}{}", self.process(state, pid))
            }
            Actor::Claim => {
                let claim = self.view.claim.map_or("never", |c| &*self.program().claims[c].name);
                format!("{depth}proc  - ({claim}:1) ")
            }
        }
    }

    pub(super) fn pid(moment: &Moment) -> Option<usize> {
        match moment.actor {
            Actor::Process(pid) => Some(pid),
            Actor::Claim => None,
        }
    }

    pub fn at(&self, id: StmtId) -> At {
        Origin::of_statement(self.program(), self.view.sources, id).at
    }

    pub(super) fn indent(&self, pid: usize) -> String {
        format!("  {}", "    ".repeat(pid + self.shift + 1))
    }
}
