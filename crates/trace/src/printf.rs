//! What `printf` and `printm` print.

use crate::View;
use spinor_exec::Actor;
use spinor_program::{Action, Base, Expr, StmtId};
use spinor_sema::hir::Type;

/// Output of a statement executed in `state`, if it prints.
pub(crate) fn output(view: &View<'_>, state: &[u8], actor: Actor, id: StmtId) -> Option<String> {
    let pid = match actor {
        Actor::Process(pid) => Some(pid),
        Actor::Claim => None,
    };
    let value = |e: &Expr| view.exec.evaluate(state, pid, e);
    match &view.program.statement(id).action {
        Action::Print(format, args) => {
            let args: Vec<(i32, String)> =
                args.iter().map(|e| (value(e), symbolic(view, state, pid, e, value(e)))).collect();
            Some(format_text(format, &args))
        }
        Action::PrintMtype(e) => Some(symbolic(view, state, pid, e, value(e))),
        Action::CCode(code) => {
            Some(view.exec.c_output(state, pid, *code)).filter(|printed| !printed.is_empty())
        }
        _ => None,
    }
}

/// The name of an mtype value: of the set of the variable, else of the first
/// set that has the value.
fn symbolic(view: &View<'_>, state: &[u8], pid: Option<usize>, e: &Expr, value: i32) -> String {
    let program = &view.program;
    if let Some(Type::Mtype(set)) = type_of(view, state, pid, e) {
        return program.mtype_name(set.index(), value);
    }
    let named = (0..program.mtypes.len())
        .map(|set| program.mtype_name(set, value))
        .find(|name| name.parse::<i32>().is_err());
    named.unwrap_or_else(|| value.to_string())
}

impl View<'_> {
    /// What a statement prints when it is executed in `state`, if it does.
    #[must_use]
    pub fn printed(&self, state: &[u8], actor: Actor, id: StmtId) -> Option<String> {
        output(self, state, actor, id)
    }

    /// A value of an expression that belongs to no process, as a person writes it.
    #[must_use]
    pub fn show_value_of(&self, state: &[u8], e: &Expr, value: i32) -> String {
        match type_of(self, state, None, e) {
            Some(ty) => self.shown(&self.exec.shape(state), ty, value),
            None => value.to_string(),
        }
    }
}

/// The declared type of a variable without indices.
fn type_of(view: &View<'_>, state: &[u8], pid: Option<usize>, e: &Expr) -> Option<Type> {
    let Expr::Load(place) = e else { return None };
    let area = match place.base {
        Base::Global | Base::Hidden => &view.program.globals,
        Base::Frame => &view.process(state, pid?)?.frame,
        Base::Sink => return None,
    };
    let hidden = place.base == Base::Hidden;
    // With indices this is the first element: its type is that of all.
    area.leaves.iter().find(|l| l.offset == place.offset && l.hidden == hidden).map(|l| l.ty)
}

/// Fills in a format. Arguments are numbers with their symbolic names.
fn format_text(format: &str, args: &[(i32, String)]) -> String {
    let mut out = String::new();
    let mut args = args.iter();
    let mut chars = format.trim_matches('"').chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some('r') => out.push('\r'),
                Some(other) => out.push(other),
                None => out.push('\\'),
            },
            '%' => {
                let mut flags = String::new();
                let mut directive = chars.next();
                while let Some(c) = directive.filter(|c| c.is_ascii_digit() || *c == '-') {
                    flags.push(c);
                    directive = chars.next();
                }
                match directive {
                    Some('%') | None => out.push('%'),
                    Some(d) => out.push_str(&pad(&directive_text(d, args.next()), &flags)),
                }
            }
            c => out.push(c),
        }
    }
    out
}

fn directive_text(directive: char, arg: Option<&(i32, String)>) -> String {
    let Some((value, name)) = arg else { return format!("%{directive}") };
    match directive {
        'c' => char::from(*value as u8).to_string(),
        'e' => name.clone(),
        'o' => format!("{value:o}"),
        'u' => (*value as u32).to_string(),
        'x' => format!("{value:x}"),
        _ => value.to_string(),
    }
}

fn pad(text: &str, flags: &str) -> String {
    let left = flags.starts_with('-');
    let digits = flags.trim_start_matches('-');
    let width = digits.parse().unwrap_or(0);
    match (left, digits.starts_with('0')) {
        (true, _) => format!("{text:<width$}"),
        (false, true) => format!("{text:0>width$}"),
        (false, false) => format!("{text:>width$}"),
    }
}

#[cfg(test)]
mod tests {
    use super::format_text;

    #[test]
    fn directives() {
        let args = |values: &[i32]| -> Vec<(i32, String)> {
            values.iter().map(|v| (*v, format!("m{v}"))).collect()
        };
        assert_eq!(format_text("a %d\\n", &args(&[-3])), "a -3\n");
        assert_eq!(
            format_text("%c%e %x %o %u%%", &args(&[65, 2, 255, 8, -1])),
            "Am2 ff 10 4294967295%"
        );
        assert_eq!(format_text("%3d|%-3d|%03d", &args(&[1, 2, 3])), "  1|2  |003");
        assert_eq!(format_text("%d", &[]), "%d");
    }
}
