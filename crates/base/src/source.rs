//! Source files, positions in them, and where a token really came from.

use crate::Text;

/// A file known to a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Default)]
pub struct FileId(pub u32);

/// One use of a macro or call of an inline; [`ExpnId::ROOT`] is plain source text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Default)]
pub struct ExpnId(pub u32);

impl ExpnId {
    /// Text that no macro or inline produced.
    pub const ROOT: ExpnId = ExpnId(0);
}

/// A range of bytes in a file, and the expansion that brought it into the model.
///
/// `lo..hi` is where the characters are written; if they stand in a macro or
/// inline body, `expn` leads to the place of use.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    /// File of the characters.
    pub file: FileId,
    /// First byte.
    pub lo: u32,
    /// One past the last byte.
    pub hi: u32,
    /// Innermost expansion.
    pub expn: ExpnId,
}

impl Span {
    /// The range from the start of `self` to the end of `other` when both lie
    /// in the same file and expansion, else `self`.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        if self.file == other.file && self.expn == other.expn && other.hi >= self.lo {
            Span { hi: other.hi, ..self }
        } else {
            self
        }
    }

    /// The empty range at the end of `self`.
    #[must_use]
    pub fn end(self) -> Span {
        Span { lo: self.hi, ..self }
    }
}

/// What kind of text replacement an [`Expansion`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExpansionKind {
    /// `#define` macro.
    Macro,
    /// `inline` call.
    Inline,
}

/// One use of a macro or one call of an inline.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// Macro or inline.
    pub kind: ExpansionKind,
    /// Its name.
    pub name: Text,
    /// The use; its own `expn` is the next outer link of the chain.
    pub call: Span,
}

/// A source file held in memory.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Name as given by the user or by `#include`.
    pub name: Text,
    /// The whole text.
    pub text: Text,
    line_starts: Vec<u32>,
    /// `#line` directives: from this byte on, that line number and file name.
    presumed: Vec<Presumed>,
}

#[derive(Clone, Debug)]
struct Presumed {
    from_byte: u32,
    from_line: u32,
    line: u32,
    name: Option<Text>,
}

/// A position as a person reads it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// File name (`#line` respected).
    pub file: Text,
    /// Line, from 1 (`#line` respected).
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// All files and expansions of one model.
#[derive(Clone, Debug)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    expansions: Vec<Expansion>,
}

impl Default for SourceMap {
    fn default() -> Self {
        Self::new()
    }
}

impl SourceMap {
    /// An empty map.
    #[must_use]
    pub fn new() -> Self {
        SourceMap { files: Vec::new(), expansions: Vec::new() }
    }

    /// Adds a file and returns its id.
    pub fn add_file(&mut self, name: impl Into<Text>, text: impl Into<Text>) -> FileId {
        let text: Text = text.into();
        let mut line_starts = vec![0];
        line_starts.extend(
            text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i as u32 + 1),
        );
        self.files.push(SourceFile { name: name.into(), text, line_starts, presumed: Vec::new() });
        FileId(self.files.len() as u32 - 1)
    }

    /// The file of an id.
    #[must_use]
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All files, in the order in which they were added.
    #[must_use]
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// Records a `#line` directive: the line after `at` is `line` of `name`.
    pub fn add_line_directive(&mut self, file: FileId, at: u32, line: u32, name: Option<Text>) {
        let file = &mut self.files[file.0 as usize];
        let from_line = file.physical_line(at) + 1;
        file.presumed.push(Presumed { from_byte: at, from_line, line, name });
    }

    /// Records one use of a macro or inline.
    pub fn add_expansion(&mut self, kind: ExpansionKind, name: Text, call: Span) -> ExpnId {
        self.expansions.push(Expansion { kind, name, call });
        ExpnId(self.expansions.len() as u32)
    }

    /// The expansion of an id, `None` for [`ExpnId::ROOT`].
    #[must_use]
    pub fn expansion(&self, id: ExpnId) -> Option<&Expansion> {
        (id.0 > 0).then(|| &self.expansions[id.0 as usize - 1])
    }

    /// The expansions around a span, innermost first.
    pub fn chain(&self, span: Span) -> impl Iterator<Item = &Expansion> {
        std::iter::successors(self.expansion(span.expn), |e| self.expansion(e.call.expn))
    }

    /// The characters of a span.
    #[must_use]
    pub fn text(&self, span: Span) -> &str {
        self.file(span.file).text.get(span.lo as usize..span.hi as usize).unwrap_or("")
    }

    /// Where a span starts, as a person reads it.
    #[must_use]
    pub fn location(&self, span: Span) -> Location {
        let file = self.file(span.file);
        let physical = file.physical_line(span.lo);
        let start = file.line_starts[physical as usize - 1] as usize;
        let column = file
            .text
            .get(start..span.lo as usize)
            .map_or(1, |before| before.chars().count() as u32 + 1);
        let presumed = file.presumed.iter().rev().find(|p| p.from_byte <= span.lo);
        match presumed {
            Some(p) => Location {
                file: p.name.clone().unwrap_or_else(|| file.name.clone()),
                line: p.line + physical.saturating_sub(p.from_line),
                column,
            },
            None => Location { file: file.name.clone(), line: physical, column },
        }
    }

    /// The place in plain source text where a span enters the model: the span
    /// itself, or the outermost macro use or inline call.
    #[must_use]
    pub fn outermost(&self, span: Span) -> Span {
        self.chain(span).last().map_or(span, |e| e.call)
    }
}

impl SourceFile {
    /// Line of a byte, from 1, counted in the file itself.
    #[must_use]
    pub fn physical_line(&self, byte: u32) -> u32 {
        self.line_starts.partition_point(|&start| start <= byte) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_count_characters_and_follow_line_directives() {
        let mut map = SourceMap::new();
        let file = map.add_file("m.pml", "ab\nçd\n#line 40 \"x\"\ne\nf");
        let at = |lo| map.location(Span { file, lo, hi: lo + 1, expn: ExpnId::ROOT });
        assert_eq!((at(0).line, at(0).column), (1, 1));
        assert_eq!((at(5).line, at(5).column), (2, 2));
        map.add_line_directive(file, 7, 40, Some("x".into()));
        let at = |lo| map.location(Span { file, lo, hi: lo + 1, expn: ExpnId::ROOT });
        let text = map.file(file).text.clone();
        assert_eq!(at(text.find('e').unwrap() as u32 + 12).file.as_ref(), "x");
        let last = at(text.len() as u32 - 1);
        assert_eq!((last.file.as_ref(), last.line), ("x", 41));
        assert_eq!(at(0).line, 1);
    }

    #[test]
    fn chain_leads_to_the_outermost_use() {
        let mut map = SourceMap::new();
        let file = map.add_file("m.pml", "abcdef");
        let span = |lo, expn| Span { file, lo, hi: lo + 1, expn };
        let outer = map.add_expansion(ExpansionKind::Inline, "f".into(), span(0, ExpnId::ROOT));
        let inner = map.add_expansion(ExpansionKind::Macro, "M".into(), span(1, outer));
        let names: Vec<_> = map.chain(span(2, inner)).map(|e| e.name.to_string()).collect();
        assert_eq!(names, ["M", "f"]);
        assert_eq!(map.outermost(span(2, inner)), span(0, ExpnId::ROOT));
    }
}
