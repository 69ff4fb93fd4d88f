//! Diagnostics on stderr, with the source lines they are about.

use crate::output;
use crate::report::figures::plural;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use spinor_base::{Diagnostic, ExpansionKind, Severity, SourceMap, Span};
use spinor_check::Loaded;
use std::ops::Range;

/// Errors shown, and warnings shown: nobody reads more at a time.
const MAX_SHOWN: usize = 40;
/// Source text looked at for one run: a long line is looked at as a whole.
const MAX_TEXT: usize = 8 << 20;
/// A label farther away than this gets an excerpt of its own.
const NEAR: usize = 1 << 14;
/// Macro uses and inline calls shown, innermost and outermost.
const MAX_CALLS: (usize, usize) = (3, 2);

/// Shows the diagnostics of a model and how many there are.
pub(crate) fn show(loaded: &Loaded) {
    let renderer = if output::err_colour() { Renderer::styled() } else { Renderer::plain() };
    let mut text_left = MAX_TEXT;
    let mut shown = [0; 2];
    let mut left_out = [0; 2];
    for diagnostic in &loaded.diagnostics {
        let kind = usize::from(diagnostic.is_error());
        if shown[kind] == MAX_SHOWN || (shown[kind] > 0 && text_left == 0) {
            left_out[kind] += 1;
            continue;
        }
        shown[kind] += 1;
        let cost = excerpt(&loaded.sources, diagnostic.primary).text.len();
        text_left = text_left.saturating_sub(cost);
        let group = group(&loaded.sources, diagnostic);
        output::err(&format!("{}\n\n", renderer.render(&[group])));
    }
    if left_out[0] > 0 {
        output::warning(&format!("{} more not shown", plural(left_out[0], "warning")));
    }
    let errors = shown[1] as u64 + left_out[1];
    if errors > 0 {
        let rest = match left_out[1] {
            0 => String::new(),
            _ => format!(", the first {} are shown", shown[1]),
        };
        output::error(&format!("`{}` has {}{rest}", loaded.name, plural(errors, "error")));
    }
}

fn group<'a>(sources: &'a SourceMap, diagnostic: &'a Diagnostic) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let primary = diagnostic.primary;
    let is_near = |span: Span| {
        let distance = span.lo.abs_diff(primary.lo).max(span.hi.abs_diff(primary.hi));
        span.file == primary.file && (distance as usize) < NEAR
    };
    let (near, far): (Vec<_>, Vec<_>) = diagnostic.labels.iter().partition(|l| is_near(l.span));
    let whole = near.iter().fold(primary, |all, label| Span {
        lo: all.lo.min(label.span.lo),
        hi: all.hi.max(label.span.hi),
        ..all
    });
    let around = excerpt(sources, whole);
    let mark = AnnotationKind::Primary
        .span(around.range(primary))
        .label(diagnostic.inline_label.as_deref());
    let mut main = around.snippet().annotation(mark);
    for label in near {
        let mark = AnnotationKind::Context.span(around.range(label.span));
        main = main.annotation(mark.label(&*label.message));
    }
    let title = level.primary_title(&*diagnostic.message).id(diagnostic.code);
    let mut group = Group::with_title(title).element(main);
    for label in far {
        group = group.element(marked(sources, label.span, label.message.clone()));
    }
    let calls: Vec<_> = sources.chain(primary).collect();
    let (inner, outer) = MAX_CALLS;
    for (i, expansion) in calls.iter().enumerate() {
        if calls.len() > inner + outer + 1 && (inner..calls.len() - outer).contains(&i) {
            if i == inner {
                let text = format!("{} more on the way", calls.len() - inner - outer);
                group = group.element(Level::NOTE.message(text));
            }
            continue;
        }
        let what = match expansion.kind {
            ExpansionKind::Macro => "in expansion of macro",
            ExpansionKind::Inline => "in inline call of",
        };
        let text = format!("{what} `{}`", expansion.name);
        group = group.element(marked(sources, expansion.call, text));
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(&**note));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(&**help));
    }
    group
}

/// The lines of a span with a remark.
fn marked(
    sources: &SourceMap,
    span: Span,
    text: String,
) -> Snippet<'_, annotate_snippets::Annotation<'_>> {
    let around = excerpt(sources, span);
    let mark = AnnotationKind::Context.span(around.range(span)).label(text);
    around.snippet().annotation(mark)
}

/// The lines around a span: the renderer reads all that it is given.
struct Excerpt<'a> {
    name: &'a str,
    text: &'a str,
    /// Where it starts in its file.
    start: usize,
    /// Number of its first line.
    line: usize,
}

fn excerpt(sources: &SourceMap, span: Span) -> Excerpt<'_> {
    let file = sources.file(span.file);
    let text = &*file.text;
    let lo = text.floor_char_boundary((span.lo as usize).min(text.len()));
    let hi = text.ceil_char_boundary((span.hi as usize).clamp(lo, text.len()));
    let start = text[..lo].rfind('\n').map_or(0, |at| at + 1);
    let end = text[hi..].find('\n').map_or(text.len(), |at| hi + at + 1);
    let line = file.physical_line(span.lo.min(text.len() as u32)) as usize;
    Excerpt { name: &file.name, text: &text[start..end], start, line }
}

impl<'a> Excerpt<'a> {
    fn snippet<T: Clone>(&self) -> Snippet<'a, T> {
        Snippet::source(self.text).path(self.name).line_start(self.line)
    }

    /// The bytes of a span, moved to where characters begin and end. Of several
    /// lines the first one is enough.
    fn range(&self, span: Span) -> Range<usize> {
        let inside = |at: u32| (at as usize).saturating_sub(self.start).min(self.text.len());
        let lo = self.text.floor_char_boundary(inside(span.lo));
        let hi = self.text.ceil_char_boundary(inside(span.hi).max(lo));
        let line = self.text[lo..hi].find('\n').map_or(hi, |at| lo + at);
        lo..line
    }
}
