//! Diagnostics on stderr, with the source lines they are about.

use crate::output;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use spinor_base::{Diagnostic, ExpansionKind, Severity, SourceMap, Span};
use spinor_check::Loaded;
use std::ops::Range;

/// Shows all diagnostics of a model and how many there are.
pub(crate) fn show(loaded: &Loaded) {
    if loaded.diagnostics.is_empty() {
        return;
    }
    let renderer = if output::err_colour() { Renderer::styled() } else { Renderer::plain() };
    for diagnostic in &loaded.diagnostics {
        let group = group(&loaded.sources, diagnostic);
        output::err(&format!("{}\n\n", renderer.render(&[group])));
    }
    let errors = loaded.diagnostics.iter().filter(|d| d.is_error()).count();
    if errors > 0 {
        let s = if errors == 1 { "" } else { "s" };
        output::error(&format!("`{}` has {errors} error{s}", loaded.name));
    }
}

fn group<'a>(sources: &'a SourceMap, diagnostic: &'a Diagnostic) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let primary = diagnostic.primary;
    let mark = AnnotationKind::Primary
        .span(range(sources, primary))
        .label(diagnostic.inline_label.as_deref());
    let mut main = snippet(sources, primary).annotation(mark);
    let (near, far): (Vec<_>, Vec<_>) =
        diagnostic.labels.iter().partition(|l| l.span.file == primary.file);
    for label in near {
        let mark = AnnotationKind::Context.span(range(sources, label.span));
        main = main.annotation(mark.label(&*label.message));
    }
    let title = level.primary_title(&*diagnostic.message).id(diagnostic.code);
    let mut group = Group::with_title(title).element(main);
    for label in far {
        let mark = AnnotationKind::Context.span(range(sources, label.span));
        let other = snippet(sources, label.span).annotation(mark.label(&*label.message));
        group = group.element(other);
    }
    for expansion in sources.chain(primary) {
        let what = match expansion.kind {
            ExpansionKind::Macro => "in expansion of macro",
            ExpansionKind::Inline => "in inline call of",
        };
        let mark = AnnotationKind::Context
            .span(range(sources, expansion.call))
            .label(format!("{what} `{}`", expansion.name));
        group = group.element(snippet(sources, expansion.call).annotation(mark));
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(&**note));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(&**help));
    }
    group
}

/// The file of a span. Long files are cut down to the lines around it.
fn snippet<'a>(
    sources: &'a SourceMap,
    span: Span,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let file = sources.file(span.file);
    Snippet::source(&*file.text).path(&*file.name)
}

/// The bytes of a span, moved to where characters begin and end.
fn range(sources: &SourceMap, span: Span) -> Range<usize> {
    let text = &sources.file(span.file).text;
    let floor = |at: u32| text.floor_char_boundary((at as usize).min(text.len()));
    let lo = floor(span.lo);
    let hi = text.ceil_char_boundary((span.hi as usize).clamp(lo, text.len()));
    lo..hi
}
