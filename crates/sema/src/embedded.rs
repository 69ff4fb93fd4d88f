//! Embedded C: which forms are legal where. What it means is the C compiler's business.

use spinor_base::{Diagnostic, Span};
use spinor_syntax::ast;

use crate::analyzer::{Analyzer, BodyKind};
use crate::codes;
use crate::hir::{CCode, CState, CText, CTrack, CodeId, EmbeddedC, Storage};

impl Analyzer<'_> {
    /// C at the top level of the model.
    pub(crate) fn global_c(&mut self, c: &ast::EmbeddedC) {
        match &*c.keyword {
            "c_decl" => self.model.embedded.decls.push(text_of(c)),
            "c_state" => self.c_state(c),
            "c_track" => self.c_track(c),
            _ => self.model.embedded.global_code.push(text_of(c)),
        }
    }

    /// C in a body: a statement.
    pub(crate) fn c_statement(&mut self, c: &ast::EmbeddedC) -> Option<CodeId> {
        match &*c.keyword {
            "c_state" | "c_track" => {
                let message = format!("`{}` stands inside a body", c.keyword);
                self.bad_c(c.span, message, "write it before the proctypes");
                None
            }
            // SPIN: a step that does nothing.
            "c_decl" => {
                self.model.embedded.decls.push(text_of(c));
                let text = CText { text: "".into(), ..text_of(c) };
                Some(self.add_code(text, c, false))
            }
            _ => {
                self.check_claim_effect(c.span);
                Some(self.add_code(text_of(c), c, false))
            }
        }
    }

    /// `c_expr`.
    pub(crate) fn c_expression(&mut self, c: &ast::EmbeddedC) -> CodeId {
        if let Some(operator) = c.parts.first().and_then(|text| assignment_in(text)) {
            self.report.push(
                Diagnostic::error(
                    codes::C_SIDE_EFFECT,
                    c.span,
                    format!("`{operator}` in a `c_expr` would change the state"),
                )
                .note("a condition is looked at, perhaps often, before anything is done")
                .help("change variables in `c_code { … }`"),
            );
        }
        self.add_code(text_of(c), c, true)
    }

    fn add_code(&mut self, text: CText, c: &ast::EmbeddedC, is_expression: bool) -> CodeId {
        let owner = match self.body.kind {
            BodyKind::Proctype(id) => Some(id),
            _ => None,
        };
        let scopes = self.body.scopes.iter().rev();
        let visible = scopes.flat_map(|s| s.names.iter().rev().cloned()).collect();
        let precondition = c.precondition.clone();
        let code = CCode { text, precondition, is_expression, owner, visible };
        let all = &mut self.model.embedded.codes;
        all.push(code);
        CodeId(all.len() as u32 - 1)
    }

    fn c_state(&mut self, c: &ast::EmbeddedC) {
        let (declaration, place, init) = match &c.parts[..] {
            [declaration, place] => (declaration, place, None),
            [declaration, place, init] => (declaration, place, Some(init.clone())),
            _ => {
                let help =
                    "write `c_state \"type name\" \"Global\"`, with a value as third string if any";
                return self.bad_c(c.span, "`c_state` takes two or three strings".into(), help);
            }
        };
        let mut words = place.split_whitespace();
        let storage = match (words.next(), words.next(), words.next()) {
            (Some("Global"), None, _) => Storage::Global,
            (Some("Hidden"), None, _) => Storage::Hidden,
            (Some("Local"), Some(name), None) => {
                let name = if name == ":init:" { "init" } else { name };
                let found = self.model.proctypes.iter().position(|p| &*p.name == name);
                match found {
                    Some(at) => Storage::Local(crate::hir::ProctypeId(at as u32)),
                    None => {
                        let message = format!("there is no proctype `{name}`");
                        return self.bad_c(c.span, message, "name a proctype of this model");
                    }
                }
            }
            _ => {
                let message = format!("`{place}` is no place for a `c_state`");
                let help = "write \"Global\", \"Hidden\" or \"Local\" and the name of a proctype";
                return self.bad_c(c.span, message, help);
            }
        };
        let (span, declaration) = (c.span, declaration.clone());
        self.model.embedded.states.push(CState { span, declaration, storage, init });
    }

    fn c_track(&mut self, c: &ast::EmbeddedC) {
        let (address, size, kind) = match &c.parts[..] {
            [address, size] => (address, size, "Matched"),
            [address, size, kind] => (address, size, kind.trim()),
            _ => {
                let help = "write `c_track \"&x\" \"sizeof(x)\"`, with \"UnMatched\" as third string if the \
                            value is no part of a state's identity";
                return self.bad_c(c.span, "`c_track` takes two or three strings".into(), help);
            }
        };
        let matched = match kind {
            "Matched" => true,
            "UnMatched" => false,
            _ => {
                let message = format!("`{kind}` is no way to track");
                return self.bad_c(c.span, message, "write \"Matched\" or \"UnMatched\"");
            }
        };
        let (address, size) = (address.clone(), size.clone());
        self.model.embedded.tracks.push(CTrack { span: c.span, address, size, matched });
    }

    fn bad_c(&mut self, span: Span, message: String, help: &str) {
        self.report.push(Diagnostic::error(codes::EMBEDDED_C, span, message).help(help));
    }

    /// Forgets all C but that in initialisers of globals.
    pub(crate) fn forget_c(&mut self) {
        let mut codes = std::mem::take(&mut self.model.embedded.codes);
        codes.truncate(self.declared_codes);
        self.model.embedded = EmbeddedC { codes, ..EmbeddedC::default() };
    }

    /// Whether a name stands somewhere in C, so that it may be used there.
    pub(crate) fn has_c(&self) -> bool {
        !self.model.embedded.is_empty()
    }

    /// The C met from code `first` on belongs to a proctype.
    pub(crate) fn own_c(&mut self, first: usize, owner: crate::hir::ProctypeId) {
        for code in &mut self.model.embedded.codes[first..] {
            code.owner = Some(owner);
        }
    }
}

fn text_of(c: &ast::EmbeddedC) -> CText {
    let text = c.parts.first().cloned().unwrap_or_else(|| "".into());
    CText { span: c.span, body: c.body, text, macros: c.macros.clone() }
}

/// An operator of C in a text that assigns.
fn assignment_in(text: &str) -> Option<&'static str> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        at += match rest {
            [quote @ (b'"' | b'\''), ..] => literal(rest, *quote),
            [b'/', b'*', ..] => find(rest, b"*/"),
            [b'/', b'/', ..] => find(rest, b"\n"),
            [b'+', b'+', ..] => return Some("++"),
            [b'-', b'-', ..] => return Some("--"),
            [b'<', b'<', b'=', ..] | [b'>', b'>', b'=', ..] => return Some("="),
            [b'=' | b'!' | b'<' | b'>', b'=', ..] => 2,
            [b'=', ..] => return Some("="),
            _ => 1,
        };
    }
    None
}

/// Bytes of the literal at the start.
fn literal(text: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < text.len() && text[at] != quote {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

/// Bytes up to the end of the first `end`.
fn find(text: &[u8], end: &[u8]) -> usize {
    let found = text[2..].windows(end.len()).position(|w| w == end);
    found.map_or(text.len(), |at| at + 2 + end.len())
}

#[cfg(test)]
mod tests {
    use super::assignment_in;

    #[test]
    fn comparisons_are_no_assignments() {
        for text in
            ["a == b", "a <= b && c >= d", "a != \"x = y\"", "f(a, '=') /* = */ // x++", "a - -b"]
        {
            assert_eq!(assignment_in(text), None, "{text}");
        }
        for text in ["a = b", "a += 1", "x <<= 2", "i++", "--i", "a == b || (c = d)"] {
            assert!(assignment_in(text).is_some(), "{text}");
        }
    }
}
