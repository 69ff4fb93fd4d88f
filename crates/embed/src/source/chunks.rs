//! The model's own C text, with macros and line numbers.

use super::Writer;
use spinor_base::Span;
use spinor_sema::hir::{CText, EmbeddedC};
use std::fmt::Write as _;

/// Text that all pieces of code share.
pub(super) fn shared(embedded: &EmbeddedC) -> Vec<&str> {
    let texts = embedded.decls.iter().chain(&embedded.global_code);
    let texts = texts.flat_map(|t| [&*t.text, &*t.macros]);
    let states = embedded.states.iter().flat_map(|s| s.init.as_deref());
    let tracks = embedded.tracks.iter().flat_map(|t| [&*t.address, &*t.size]);
    texts.chain(states).chain(tracks).collect()
}

/// All text.
pub(super) fn all(embedded: &EmbeddedC) -> impl Iterator<Item = &str> {
    let codes = embedded.codes.iter().flat_map(|c| [&*c.text.text, &*c.text.macros]);
    shared(embedded).into_iter().chain(codes)
}

impl Writer<'_> {
    /// A text as it is.
    pub(super) fn chunk(&mut self, text: &CText) {
        self.with_macros(&text.macros, |writer| writer.body(text, &text.text));
    }

    /// The text between braces, where it stands; or what it was changed to.
    pub(super) fn body(&mut self, text: &CText, changed: &str) {
        self.placed(text.body);
        let file = self.sources.file(text.body.file);
        let before = file.text.get(..text.body.lo as usize).unwrap_or_default();
        let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
        // So that the compiler counts columns right, the brace included.
        self.out.extend(std::iter::repeat_n(' ', column + 1));
        self.line(&changed.replace("\\#", "#"));
    }

    /// What `write` writes, with the macros of the model defined.
    pub(super) fn with_macros(&mut self, macros: &str, write: impl FnOnce(&mut Self)) {
        let name = |line: &str| {
            let rest = line.strip_prefix("#define ").unwrap_or_default();
            let end = rest.find(|c| !crate::names::is_word(c)).unwrap_or(rest.len());
            rest[..end].to_owned()
        };
        for line in macros.lines() {
            let name = name(line);
            let _ = writeln!(self.out, "#pragma push_macro(\"{name}\")\n#undef {name}\n{line}");
        }
        write(self);
        for line in macros.lines() {
            let name = name(line);
            let _ = writeln!(self.out, "#undef {name}\n#pragma pop_macro(\"{name}\")");
        }
    }

    /// What follows stands at a place of the model.
    pub(super) fn placed(&mut self, span: Span) {
        let file = self.sources.file(span.file);
        let line = file.physical_line(span.lo);
        let name = file.name.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(self.out, "#line {line} \"{name}\"");
    }

    /// What follows stands nowhere in the model.
    pub(super) fn own_lines(&mut self) {
        self.line("#line 1 \"<generated>\"");
    }
}
