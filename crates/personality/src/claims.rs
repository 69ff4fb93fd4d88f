//! `ltl` blocks as never claims, the way SPIN writes them.
//!
//! SPIN turns each block into a claim of the negated formula and reads that. So do we here, with
//! automata of our own: a claim then is a process like others, in trails and in reports.

use spinor_check::formula::Specification;
use spinor_check::ltl::{Bdd, Buchi, Edge, Formula, Label, Limits, degeneralize, translate};
use spinor_program::text_of_expr;
use spinor_sema::hir::{self, BinaryOp, ExprKind, TemporalOp, UnaryOp};
use std::fmt::Write as _;

/// The claim that the runs against an `ltl` block satisfy.
pub(crate) fn of_block(
    name: &str,
    specification: &Specification,
    echo: &str,
) -> Result<String, String> {
    let named = |atom: &str| {
        let found = specification.atoms.iter().find(|a| a.name == atom);
        found.map_or_else(|| atom.to_owned(), |a| a.promela.clone())
    };
    let negated = renamed(&specification.formula, &named).negated();
    never(name, &negated, &format!("!({echo})"))
}

/// The claim of a formula.
pub(crate) fn never(name: &str, formula: &Formula, comment: &str) -> Result<String, String> {
    let automaton = translate(formula, &Limits::default()).map_err(|error| error.to_string())?;
    Ok(Printer::new(&degeneralize(&automaton)).claim(name, comment))
}

fn renamed(formula: &Formula, name: &impl Fn(&str) -> String) -> Formula {
    let one = |f: &Formula| Box::new(renamed(f, name));
    let all = |fs: &[Formula]| fs.iter().map(|f| renamed(f, name)).collect();
    match formula {
        Formula::True => Formula::True,
        Formula::False => Formula::False,
        Formula::Atom(atom) => Formula::Atom(name(atom)),
        Formula::Not(f) => Formula::Not(one(f)),
        Formula::And(fs) => Formula::And(all(fs)),
        Formula::Or(fs) => Formula::Or(all(fs)),
        Formula::Implies(f, g) => Formula::Implies(one(f), one(g)),
        Formula::Equivalent(f, g) => Formula::Equivalent(one(f), one(g)),
        Formula::Next(f) => Formula::Next(one(f)),
        Formula::Eventually(f) => Formula::Eventually(one(f)),
        Formula::Always(f) => Formula::Always(one(f)),
        Formula::Until(f, g) => Formula::Until(one(f), one(g)),
        Formula::WeakUntil(f, g) => Formula::WeakUntil(one(f), one(g)),
        Formula::Release(f, g) => Formula::Release(one(f), one(g)),
    }
}

/// Writes an automaton as a never claim.
struct Printer<'a> {
    automaton: &'a Buchi,
    bdd: Bdd,
    /// The state that accepts whatever follows.
    all: Option<usize>,
}

impl<'a> Printer<'a> {
    fn new(automaton: &'a Buchi) -> Self {
        let is_all = |s: &usize| {
            let [e] = automaton.edges(*s) else { return false };
            automaton.is_accepting(*s) && e.target == *s && e.label == Label::TRUE
        };
        let all = (0..automaton.len()).find(|s| *s != automaton.initial() && is_all(s));
        Printer { automaton, bdd: automaton.bdd().clone(), all }
    }

    fn claim(mut self, name: &str, comment: &str) -> String {
        let comment = comment.replace("*/", "* /").replace(['\n', '\r'], " ");
        let mut out = format!("never {name} {{    /* {comment} */\n");
        let first = self.automaton.initial();
        let all = self.all;
        let others = (0..self.automaton.len()).filter(|s| *s != first && Some(*s) != all);
        for state in std::iter::once(first).chain(others) {
            if state == first && self.automaton.is_accepting(state) {
                out.push_str("accept_init:\n");
            }
            let _ = writeln!(out, "{}:", self.name(state));
            let edges = self.automaton.edges(state).to_vec();
            if edges.is_empty() {
                out.push_str("\tfalse;\n");
                continue;
            }
            out.push_str("\tdo\n");
            for edge in &edges {
                out.push_str(&self.option(edge));
            }
            out.push_str("\tod;\n");
        }
        if self.all.is_some() {
            out.push_str("accept_all:\n\tskip\n");
        }
        out.push_str("}\n");
        out
    }

    fn option(&mut self, edge: &Edge) -> String {
        let guard = self.guard(edge.label);
        if Some(edge.target) == self.all {
            // SPIN: the run is an error from here on, whatever follows.
            return format!("\t:: atomic {{ ({guard}) -> assert(!({guard})) }}\n");
        }
        format!("\t:: ({guard}) -> goto {}\n", self.name(edge.target))
    }

    fn guard(&mut self, label: Label) -> String {
        if label == Label::TRUE {
            return "1".to_owned();
        }
        let atoms = self.automaton.atoms();
        let literal = |(variable, value): (u32, bool)| {
            let atom = &atoms[variable as usize];
            if value { format!("({atom})") } else { format!("! (({atom}))") }
        };
        let cubes = self
            .bdd
            .cubes(label)
            .into_iter()
            .map(|cube| cube.into_iter().map(literal).collect::<Vec<_>>().join(" && "));
        cubes.collect::<Vec<_>>().join(" || ")
    }

    fn name(&self, state: usize) -> String {
        if state == self.automaton.initial() {
            "T0_init".to_owned()
        } else if self.automaton.is_accepting(state) {
            format!("accept_S{state}")
        } else {
            format!("T0_S{state}")
        }
    }
}

/// A formula as SPIN repeats it: `[] ((! (p)) || (<> (q)))`.
pub(crate) fn echo(model: &hir::Model, formula: &hir::Formula) -> String {
    let sub = |f: &hir::Formula| format!("({})", echo(model, f));
    match formula {
        hir::Formula::Atom(expr) => echo_of_predicate(model, expr),
        hir::Formula::Not(f) => format!("! {}", sub(f)),
        hir::Formula::Next(f) => format!("X {}", sub(f)),
        hir::Formula::Always(f) => format!("[] {}", sub(f)),
        hir::Formula::Eventually(f) => format!("<> {}", sub(f)),
        hir::Formula::Binary(op, f, g) => {
            let (f, g) = (sub(f), sub(g));
            match op {
                TemporalOp::And => format!("{f} && {g}"),
                TemporalOp::Or => format!("{f} || {g}"),
                TemporalOp::Implies => format!("(! {f}) || {g}"),
                TemporalOp::Equiv => format!("{f} <-> {g}"),
                TemporalOp::Until => format!("{f} U {g}"),
                TemporalOp::WeakUntil => format!("{f} W {g}"),
                TemporalOp::Release => format!("{f} V {g}"),
            }
        }
    }
}

/// Boolean operators belong to the formula, whatever they stand in.
fn echo_of_predicate(model: &hir::Model, expr: &hir::Expr) -> String {
    let sub = |e: &hir::Expr| format!("({})", echo_of_predicate(model, e));
    match &*expr.kind {
        ExprKind::Unary(UnaryOp::Not, e) => format!("! {}", sub(e)),
        ExprKind::Binary(BinaryOp::And, a, b) => format!("{} && {}", sub(a), sub(b)),
        ExprKind::Binary(BinaryOp::Or, a, b) => format!("{} || {}", sub(a), sub(b)),
        ExprKind::RemoteLabel { .. } => format!("({})", text_of_expr(model, expr)),
        _ => text_of_expr(model, expr),
    }
}

#[cfg(test)]
mod tests {
    use super::never;
    use spinor_check::ltl::parse;

    #[test]
    fn claims_look_as_spins_do() {
        let formula = parse("<> p").expect("a formula");
        let claim = never("q", &formula, "<> p").expect("it is small");
        let expected = "never q {    /* <> p */\nT0_init:\n\tdo\n\
                        \t:: atomic { ((p)) -> assert(!((p))) }\n\t:: (! ((p))) -> goto T0_init\n\tod;\n\
                        accept_all:\n\tskip\n}\n";
        let lines = |text: &str| {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(lines(&claim), lines(expected), "{claim}");
    }
}
