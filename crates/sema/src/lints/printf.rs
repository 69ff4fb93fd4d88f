//! `printf` with another number of arguments than its text asks for.

use spinor_base::{Diagnostic, Span};

use crate::analyzer::Analyzer;
use crate::codes;
use crate::runs::count;

/// Compares the text with the number of arguments.
pub(crate) fn check(analyzer: &mut Analyzer, span: Span, text: &str, given: usize) {
    let mut wanted = 0;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            continue;
        }
        match chars.next() {
            Some('%') => {}
            Some('c' | 'd' | 'e' | 'o' | 'u' | 'x') => wanted += 1,
            other => {
                let shown = other.map_or(String::from("%"), |c| format!("%{c}"));
                analyzer.report.push(
                    Diagnostic::warning(
                        codes::PRINTF,
                        span,
                        format!("`printf` does not know `{shown}`"),
                    )
                    .help("it knows %c %d %e %o %u %x and %%"),
                );
                return;
            }
        }
    }
    if wanted != given {
        analyzer.report.push(Diagnostic::warning(
            codes::PRINTF,
            span,
            format!("the text asks for {}, {given} given", count(wanted, "value")),
        ));
    }
}
