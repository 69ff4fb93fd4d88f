//! Statements as text.

use crate::readable;
use spinor_base::{ExpnId, SourceMap};
use spinor_program::{Action, Program, StmtId};

/// Longer source text is not quoted.
const MAX_QUOTED: usize = 80;

/// A statement as the user wrote it if that is one short line of plain source
/// text, else much as SPIN would print it.
pub(crate) fn text(program: &Program, sources: &SourceMap, id: StmtId) -> String {
    let statement = program.statement(id);
    match &statement.action {
        Action::DStep(inner) => {
            return match inner.locations.get(inner.start.index()).map(Vec::as_slice) {
                Some([first]) if first.target == inner.exit => {
                    format!("d_step {{ {} }}", text(program, sources, first.statement))
                }
                Some([first]) => {
                    format!("d_step {{ {}; … }}", text(program, sources, first.statement))
                }
                _ => "d_step".to_owned(),
            };
        }
        Action::Terminate => return "-end-".to_owned(),
        Action::Else => return "else".to_owned(),
        _ => {}
    }
    let written = sources.text(statement.span);
    let is_quotable = statement.span.expn == ExpnId::ROOT
        && !written.is_empty()
        && written.len() <= MAX_QUOTED
        // Braces: the statement is a part of what is written there.
        && !written.contains(['\n', '\r', '{'])
        && says_it(&statement.action, &statement.text, written);
    if is_quotable { collapse(written) } else { readable::statement(&statement.text) }
}

/// Whether the source text is the statement. The parts of a `for` or `select`
/// are written nowhere: their place is that of the loop variable.
fn says_it(action: &Action, printed: &str, written: &str) -> bool {
    match action {
        Action::Assign(_) => ["=", "++", "--"].iter().any(|op| written.contains(op)),
        Action::Condition(_) => {
            let is_name = written.chars().all(|c| c.is_alphanumeric() || c == '_');
            let is_constant = matches!(written, "true" | "false" | "skip" | "timeout");
            !is_name || is_constant || printed.trim_matches(['(', ')']) == written
        }
        _ => true,
    }
}

fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The expression inside `assert(…)`.
pub(crate) fn asserted(text: &str) -> &str {
    let inner = text.strip_prefix("assert").unwrap_or(text).trim();
    match inner.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        Some(inside) if is_balanced(inside) => asserted(inside.trim()),
        _ => inner,
    }
}

/// Whether no parenthesis is closed that was opened outside.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0i32;
    text.chars().all(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth >= 0
    })
}

#[cfg(test)]
mod tests {
    use super::asserted;

    #[test]
    fn outer_parentheses_go() {
        assert_eq!(asserted("assert(x == 1)"), "x == 1");
        assert_eq!(asserted("assert((x==1))"), "x==1");
        assert_eq!(asserted("assert((a) && (b))"), "(a) && (b)");
    }
}
