//! Tables of a model: automata, symbols, who uses which channel, what nobody needs.

use crate::model::Model;
use crate::pan::RunOptions;
use spinor_program::{
    Action, Area, Base, Expr, LocId, Place, ProcessType, Program, Statement, Transition,
};
use spinor_sema::hir::Type;
use spinor_trace::Origin;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// `pan -d` and `pan -D`: the automata, statement by statement.
pub(crate) fn automata(model: &Model, options: &RunOptions) -> String {
    let program = model.loaded.program.as_ref().expect("the model was read");
    let mut bodies: Vec<(&ProcessType, bool)> =
        program.proctypes.iter().map(|p| (p, false)).collect();
    bodies.extend(program.claims.iter().map(|p| (p, true)));
    bodies.sort_by_key(|(p, _)| (p.span.file.0, p.span.lo));
    let mut out = String::new();
    for (process, is_claim) in bodies {
        let table = Table { model, program, process };
        if options.dot {
            table.dot(is_claim, &mut out);
        } else {
            let _ = match (&*process.name, is_claim) {
                (name, true) => writeln!(out, "claim {name}"),
                ("init", false) => writeln!(out, "init"),
                (name, false) => writeln!(out, "proctype {name}"),
            };
            table.text(&mut out);
        }
    }
    if !options.dot {
        out.push_str(
            "\nTransition Type: A=atomic; D=d_step; L=local; G=global\n\
             Source-State Labels: p=progress; e=end; a=accept;\n",
        );
    }
    out
}

struct Table<'a> {
    model: &'a Model,
    program: &'a Program,
    process: &'a ProcessType,
}

impl Table<'_> {
    /// Locations in the order in which they are met, depth first.
    fn order(&self) -> Vec<LocId> {
        let locations = &self.process.automaton.locations;
        let (mut met, mut order) = (BTreeSet::new(), Vec::new());
        let mut stack = vec![self.process.automaton.start];
        while let Some(at) = stack.pop() {
            if at == LocId(0) || !met.insert(at) {
                continue;
            }
            order.push(at);
            let targets = locations.get(at.index()).map_or(&[][..], |l| &l.transitions);
            stack.extend(targets.iter().rev().map(|t| t.target));
        }
        order
    }

    fn text(&self, out: &mut String) {
        for at in self.order() {
            let location = &self.process.automaton.locations[at.index()];
            for transition in &location.transitions {
                let statement = self.program.statement(transition.statement);
                let sources = &self.model.loaded.sources;
                let first = location.transitions.first().unwrap_or(transition).statement;
                let origin = Origin::of_statement(self.program, sources, first);
                let flag = |is_on: bool, letter: char| if is_on { letter } else { '-' };
                let kind = kind(transition, statement);
                let (id, target) = (statement.trail_id, transition.target.0);
                let tp = if matches!(statement.action, Action::Terminate) { 3500 } else { 2 };
                let _ = writeln!(
                    out,
                    "\tstate {:3} -(tr {:3})-> state {target:3}  [id {id:3} tp {tp:3}] [{kind}{}{}{}{}] {}:{} => {}",
                    at.0,
                    id + 3,
                    flag(location.is_accepting, 'a'),
                    flag(location.is_end, 'e'),
                    flag(location.is_progress, 'p'),
                    if is_global(self.program, statement) { 'G' } else { 'L' },
                    origin.at.file,
                    origin.at.line,
                    statement.text
                );
            }
        }
    }

    fn dot(&self, is_claim: bool, out: &mut String) {
        let name = &self.process.name;
        let title = match (&**name, is_claim) {
            (name, true) => format!("claim_{name}"),
            ("init", false) => "init".to_owned(),
            (name, false) => format!("p_{name}"),
        };
        let start = self.process.automaton.start.0;
        let _ = writeln!(
            out,
            "digraph {title} {{\nsize=\"8,10\";\n  GT [shape=box,style=dotted,label=\"{name}\"];\n  GT -> S{start};"
        );
        for at in self.order() {
            for transition in &self.process.automaton.locations[at.index()].transitions {
                let statement = self.program.statement(transition.statement);
                let style = match kind(transition, statement) {
                    'A' => "dashed",
                    'D' => "dotted",
                    _ if is_global(self.program, statement) => "bold",
                    _ => "solid",
                };
                let text = statement.text.replace('\\', "\\\\").replace('"', "\\\"");
                let _ = writeln!(
                    out,
                    "\tS{} -> S{}  [color=black,style={style},label=\"{text}\"];",
                    at.0, transition.target.0
                );
            }
        }
        out.push_str("}\n");
    }
}

fn kind(transition: &Transition, statement: &Statement) -> char {
    match statement.action {
        Action::DStep(_) => 'D',
        _ if transition.atomic => 'A',
        _ => '-',
    }
}

/// Whether a statement can be noticed by others.
fn is_global(program: &Program, statement: &Statement) -> bool {
    let mut found = false;
    let mut look = |e: &Expr| {
        found |= match e {
            Expr::Load(place) => place.base == Base::Global,
            Expr::Const(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Conditional(..)
            | Expr::Run(_) => false,
            _ => true,
        };
    };
    match &statement.action {
        Action::Send(_) | Action::Receive(_) | Action::Assert(_) => return true,
        Action::Condition(e) => e.walk(&mut look),
        Action::Assign(pairs) => {
            pairs.iter().for_each(|(_, e)| e.walk(&mut look));
            found |= pairs.iter().any(|(place, _)| place.base == Base::Global);
        }
        Action::DStep(inner) => {
            let mut all = inner.locations.iter().flatten();
            return all.any(|t| is_global(program, program.statement(t.statement)));
        }
        _ => {}
    }
    found
}

/// `-d`: the symbols.
pub(crate) fn symbols(model: &Model) -> String {
    let program = model.loaded.program.as_ref().expect("the model was read");
    let mut out = String::new();
    for (name, value) in program.mtypes.iter().flat_map(|set| &set.names) {
        let _ = writeln!(out, "mtype \t{name}\t{value}\t<:global:>\t<constant>\t{{scope _}}");
    }
    variables(&program.globals, ":global:", &mut out);
    for process in &program.proctypes {
        let count =
            program.active.iter().filter(|id| program.proctypes[id.index()].name == process.name);
        let name = if &*process.name == "init" { ":init:" } else { &process.name };
        let _ = writeln!(
            out,
            "proctype\t{name}\t{}\t<:global:>\t<variable>\t{{scope _}}",
            count.count()
        );
        variables(&process.frame, name, &mut out);
    }
    out
}

fn variables(area: &Area, owner: &str, out: &mut String) {
    let mut shown: BTreeSet<&str> = BTreeSet::new();
    for leaf in &area.leaves {
        let base = leaf.name.split('[').next().unwrap_or(&leaf.name);
        if !shown.insert(base) {
            continue;
        }
        let is_array = leaf.name.ends_with(']') && !base.contains('.');
        let elements =
            area.leaves.iter().filter(|l| l.name.split('[').next() == Some(base)).count();
        let name = if is_array { format!("{base}[{elements}]") } else { base.to_owned() };
        let what = if is_array { "array" } else { "variable" };
        let _ =
            writeln!(out, "{:6}\t{name}\t0\t<{owner}>\t<{what}>\t{{scope _}}", type_name(leaf.ty));
    }
}

fn type_name(ty: Type) -> &'static str {
    match ty {
        Type::Bit | Type::Bool => "bit",
        Type::Byte | Type::Pid => "byte",
        Type::Short => "short",
        Type::Int => "int",
        Type::Chan => "chan",
        Type::Mtype(_) => "mtype",
        _ => "unsigned",
    }
}

/// `-C`: who uses which channel; unless `all` are wanted, only of those that somebody only sends to or receives from.
pub(crate) fn channel_access(model: &Model, all: bool) -> String {
    let program = model.loaded.program.as_ref().expect("the model was read");
    let mut out = String::new();
    let globals = program.globals.leaves.iter().filter(|l| l.ty == Type::Chan && !l.hidden);
    for leaf in globals {
        let users = |wanted: fn(&Action) -> Option<&Place>| -> Vec<&str> {
            let uses = |p: &&ProcessType| {
                let locations = p.automaton.locations.iter().flat_map(|l| &l.transitions);
                locations.into_iter().any(|t| {
                    wanted(&program.statement(t.statement).action).is_some_and(|place| {
                        place.base == Base::Global && place.offset == leaf.offset
                    })
                })
            };
            program.proctypes.iter().filter(uses).map(|p| &*p.name).collect()
        };
        let senders = users(|action| match action {
            Action::Send(send) => Some(&send.channel),
            _ => None,
        });
        let receivers = users(|action| match action {
            Action::Receive(receive) => Some(&receive.channel),
            _ => None,
        });
        let is_balanced = senders.is_empty() == receivers.is_empty();
        if is_balanced && !all {
            continue;
        }
        let _ = writeln!(out, "chan {}\t", leaf.name);
        for (what, names) in [("received from by", receivers), ("sent to by", senders)] {
            for name in names {
                let _ = writeln!(out, "\t{what}: {name}");
            }
        }
    }
    out
}

/// `-A`: assignments to variables that nothing reads.
pub(crate) fn slice(model: &Model) -> String {
    let program = model.loaded.program.as_ref().expect("the model was read");
    let is_unread = |place: &Place| {
        place.base == Base::Global
            && program.usage.unread.iter().any(|slot| slot.contains(place.offset))
    };
    let mut out = String::new();
    for process in &program.proctypes {
        let mut lines = BTreeSet::new();
        for transition in process.automaton.locations.iter().flat_map(|l| &l.transitions) {
            let statement = program.statement(transition.statement);
            let Action::Assign(pairs) = &statement.action else { continue };
            if pairs.iter().all(|(place, _)| is_unread(place)) {
                let at =
                    Origin::of_statement(program, &model.loaded.sources, transition.statement).at;
                let text = &statement.text;
                let number = statement.location.0;
                lines.insert((
                    number,
                    format!("      {}:{} (state {number})\t[{text}]\n", at.file, at.line),
                ));
            }
        }
        if !lines.is_empty() {
            let _ =
                writeln!(out, "spin: redundant in proctype {} (for given property):", process.name);
            out.extend(lines.into_iter().map(|(_, line)| line));
        }
    }
    let unread = |offset: u32| program.usage.unread.iter().any(|slot| slot.contains(offset));
    let mut area = program.globals.clone();
    area.leaves.retain(|leaf| !leaf.hidden && unread(leaf.offset));
    if area.leaves.is_empty() && out.is_empty() {
        return "spin: no redundancies found (for given property)\n".to_owned();
    }
    out.push_str("spin: redundant vars (for given property):\n");
    let mut listed = String::new();
    variables(&area, ":global:", &mut listed);
    out.extend(listed.lines().map(|line| format!("\t{line}\n")));
    out
}
