//! The compiler's complaints, at their places in the model.

use crate::compiler::CompileError;
use crate::{NO_COMPILER, REFUSED};
use spinor_base::{Diagnostic, ExpnId, FileId, SourceMap, Span};

/// Complaints that are shown at most.
const MOST: usize = 20;

/// What went wrong, for the user; `first` is where the model's C begins.
pub(crate) fn of(error: &CompileError, sources: &SourceMap, first: Span) -> Vec<Diagnostic> {
    match error {
        CompileError::Refused(said) => refused(said, sources, first),
        CompileError::NoCompiler(name) => vec![
            Diagnostic::error(NO_COMPILER, first, error.to_string())
                .here("this has to be compiled")
                .note(format!("`{name}` was not found on this machine"))
                .help("install a C compiler (`apt install gcc`, `dnf install gcc`, `xcode-select --install`), or name one with `--c-compiler` or `$CC`"),
        ],
        CompileError::Io(_) | CompileError::Load(_) => {
            vec![Diagnostic::error(NO_COMPILER, first, error.to_string())]
        }
    }
}

fn refused(said: &str, sources: &SourceMap, first: Span) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for line in said.lines() {
        let Some(message) = Message::read(line) else { continue };
        match (message.kind, message.span(sources)) {
            ("error" | "fatal error", Some(span)) => {
                found.push(Diagnostic::error(REFUSED, span, format!("C: {}", message.text)));
            }
            ("error" | "fatal error", None) => {
                let text = format!("C: {} ({}:{})", message.text, message.file, message.line);
                found.push(Diagnostic::error(REFUSED, first, text));
            }
            ("note", Some(span)) => {
                if let Some(last) = found.pop() {
                    found.push(last.label(span, message.text.to_owned()));
                }
            }
            _ => {}
        }
    }
    if found.is_empty() {
        // The linker's words have no places that help.
        let words: Vec<&str> = said.lines().filter(|l| !l.trim().is_empty()).take(MOST).collect();
        let error = Diagnostic::error(REFUSED, first, "the model's C cannot be compiled");
        found.push(words.into_iter().fold(error, |e, line| e.note(line.to_owned())));
    }
    found.truncate(MOST);
    found
}

/// `file:line:column: error: text`.
struct Message<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    kind: &'a str,
    text: &'a str,
}

impl<'a> Message<'a> {
    fn read(line: &'a str) -> Option<Self> {
        for kind in ["fatal error", "error", "note", "warning"] {
            let mark = format!(": {kind}: ");
            let Some((place, text)) = line.split_once(&mark) else { continue };
            let mut parts = place.rsplitn(3, ':');
            let last = parts.next()?.trim().parse::<u32>().ok();
            let middle = parts.next();
            let before = middle.and_then(|m| m.trim().parse::<u32>().ok());
            return match (last, before, parts.next()) {
                (Some(column), Some(line), Some(file)) => {
                    Some(Message { file, line, column, kind, text })
                }
                // Some compilers tell the line only.
                (Some(line), None, _) => {
                    let file = place.rsplit_once(':')?.0;
                    Some(Message { file, line, column: 1, kind, text })
                }
                _ => None,
            };
        }
        None
    }

    /// The place in the model.
    fn span(&self, sources: &SourceMap) -> Option<Span> {
        let number = sources.files().iter().position(|f| &*f.name == self.file)?;
        let text = &sources.files()[number].text;
        let start: usize =
            text.split_inclusive('\n').take(self.line.checked_sub(1)? as usize).map(str::len).sum();
        let line = text.get(start..)?.split('\n').next().unwrap_or_default();
        let column = (self.column.max(1) as usize - 1).min(line.len());
        let at = (0..=column).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0);
        let word = line[at..].chars().take_while(|c| crate::names::is_word(*c)).count().max(1);
        let lo = (start + at) as u32;
        let hi = (lo + word as u32).min(text.len() as u32);
        Some(Span { file: FileId(number as u32), lo, hi, expn: ExpnId::ROOT })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_find_their_place() {
        let mut sources = SourceMap::new();
        sources.add_file("m.pml", "byte x;\nc_code { now.y = 1; }\n");
        let said = "m.pml: In function 'f':\nm.pml:2:14: error: 'State' has no member named 'y'\n\
                    <generated>:3:1: note: unrelated\nother.h:4: error: bad\n";
        let found = of(&CompileError::Refused(said.into()), &sources, Span::default());
        assert_eq!(found.len(), 2);
        assert_eq!(sources.location(found[0].primary).line, 2);
        assert_eq!(sources.text(found[0].primary), "y");
        assert!(found[1].message.contains("other.h:4"), "{}", found[1].message);
    }

    #[test]
    fn the_linker_is_quoted() {
        let said = "/usr/bin/ld: undefined reference to `foo'\n";
        let found = of(&CompileError::Refused(said.into()), &SourceMap::new(), Span::default());
        assert!(found[0].notes.iter().any(|n| n.contains("foo")));
    }
}
