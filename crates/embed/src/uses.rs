//! Which variables a piece of C can use: what is not used need not be copied.

use crate::names::is_word;
use spinor_sema::hir::EmbeddedC;
use std::collections::HashSet;

/// What some C text uses of a structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Uses {
    /// Fields of these names.
    Fields(HashSet<String>),
    /// Anything.
    All,
}

impl Uses {
    /// Whether a field may be used.
    pub fn has(&self, field: &str) -> bool {
        match self {
            Uses::Fields(fields) => fields.contains(field),
            Uses::All => true,
        }
    }

    /// Whether anything may be used that is not among these.
    pub fn has_other_than<'a>(&self, mut known: impl Iterator<Item = &'a str> + Clone) -> bool {
        match self {
            Uses::Fields(fields) => fields.iter().any(|f| !known.clone().any(|k| k == f)),
            Uses::All => {
                let _ = known.next();
                true
            }
        }
    }
}

/// The fields that stand behind `base` and `link` (`now` and `.`) in the texts. Where it stands alone,
/// everything may be used.
pub(crate) fn of<'a>(texts: impl IntoIterator<Item = &'a str>, base: &str, link: &str) -> Uses {
    let mut fields = HashSet::new();
    for text in texts {
        for (at, _) in text.match_indices(base) {
            let before = text[..at].chars().next_back();
            let rest = &text[at + base.len()..];
            if before.is_some_and(is_word) || rest.starts_with(is_word) {
                continue;
            }
            match field(rest, link) {
                Some(name) => fields.insert(name.to_owned()),
                None => return Uses::All,
            };
        }
    }
    Uses::Fields(fields)
}

/// The name behind a link.
fn field<'a>(text: &'a str, link: &str) -> Option<&'a str> {
    let text = text.trim_start().strip_prefix(link)?.trim_start();
    let end = text.find(|c| !is_word(c)).unwrap_or(text.len());
    let is_joined = text[end..].trim_start().starts_with("##");
    (end > 0 && !is_joined).then_some(&text[..end])
}

/// Whether some text stands elsewhere, where it cannot be looked at.
pub(crate) fn reaches_outside(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim_start().trim_start_matches('\\');
        let Some(line) = line.strip_prefix('#') else { return false };
        let Some(file) = line.trim_start().strip_prefix("include") else { return false };
        !file.trim_start().starts_with('<')
    })
}

/// Whether some of the model's C stands elsewhere.
pub(crate) fn reaches_outside_all(embedded: &EmbeddedC) -> bool {
    let texts = embedded.decls.iter().chain(&embedded.global_code);
    let texts = texts.chain(embedded.codes.iter().map(|c| &c.text));
    texts.flat_map(|t| [&*t.text, &*t.macros]).any(reaches_outside)
}

/// The text with `base->old` written as `base->new`, for all pairs of names.
pub(crate) fn renamed(text: &str, base: &str, names: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(base) {
        let end = at + base.len();
        let before = rest[..at].chars().next_back().or_else(|| out.chars().next_back());
        let is_whole = !before.is_some_and(is_word);
        out.push_str(&rest[..end]);
        let after = &rest[end..];
        rest = after;
        if !is_whole || after.starts_with(is_word) {
            continue;
        }
        if let Some(name) = field(after, "->")
            && let Some((_, new)) = names.iter().find(|(old, _)| *old == name)
            && let Some(start) = after.find(name)
        {
            out.push_str(&after[..start]);
            out.push_str(new);
            rest = &after[start + name.len()..];
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> Option<Vec<String>> {
        match of([text], "now", ".") {
            Uses::All => None,
            Uses::Fields(fields) => {
                let mut fields: Vec<_> = fields.into_iter().collect();
                fields.sort();
                Some(fields)
            }
        }
    }

    #[test]
    fn fields_behind_a_name() {
        assert_eq!(
            fields("now.x = now . y[now.z]"),
            Some(vec!["x".into(), "y".into(), "z".into()])
        );
        assert_eq!(fields("knows.x + nowhere + know"), Some(vec![]));
        assert_eq!(fields("f(&now)"), None);
        assert_eq!(fields("now.a ## b"), None);
    }

    #[test]
    fn includes_of_own_files_reach_outside() {
        assert!(reaches_outside("int x;\n  \\#include \"a.h\"\n"));
        assert!(reaches_outside("#  include FILE"));
        assert!(!reaches_outside("\\#include <math.h>"));
    }

    #[test]
    fn names_of_inner_scopes() {
        let names = [("x", "_2_x")];
        assert_eq!(
            renamed("PA->x = PA -> y + XPA->x + PA->xx", "PA", &names),
            "PA->_2_x = PA -> y + XPA->x + PA->xx"
        );
        assert_eq!(renamed("PAB->x; (PA)->x", "PA", &names), "PAB->x; (PA)->x");
        assert_eq!(renamed("PA->x+PA->x;PA->x", "PA", &names), "PA->_2_x+PA->_2_x;PA->_2_x");
    }
}
