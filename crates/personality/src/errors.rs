//! What is wrong with a model, in SPIN's form: `spin: file:line, Error: …`.

use crate::host::Host;
use spinor_base::Diagnostic;
use spinor_check::Loaded;

/// Prints the errors of a model; returns the exit code, which is their number.
pub(crate) fn print(loaded: &Loaded, host: &mut Host<'_>) -> u8 {
    let mut count = 0u8;
    for diagnostic in loaded.diagnostics.iter().filter(|d| d.is_error()) {
        host.print(line(loaded, diagnostic, "Error: "));
        count = count.saturating_add(1);
    }
    count.max(1)
}

/// The diagnostic about an `else` beside a channel operation.
const ELSE_BESIDE_CHANNEL: &str = "P0305";

/// Prints the warnings of a model; those that SPIN has no word for only if `all` are wanted.
pub(crate) fn print_warnings(loaded: &Loaded, all: bool, host: &mut Host<'_>) {
    for diagnostic in loaded.diagnostics.iter().filter(|d| !d.is_error()) {
        if diagnostic.code == ELSE_BESIDE_CHANNEL {
            let at = loaded.sources.location(loaded.sources.outermost(diagnostic.primary));
            host.print(format_args!(
                "spin: {}:{}, Error: dubious use of 'else' combined with i/o\n",
                at.file, at.line
            ));
        } else if all {
            host.print(line(loaded, diagnostic, "warning: "));
        }
    }
}

fn line(loaded: &Loaded, diagnostic: &Diagnostic, what: &str) -> String {
    let at = loaded.sources.location(loaded.sources.outermost(diagnostic.primary));
    let message = diagnostic.message.replace('`', "'");
    let help = diagnostic.help.as_deref().map(|h| format!(" ({})", h.replace('`', "'")));
    format!("spin: {}:{}, {what}{message}{}\n", at.file, at.line, help.unwrap_or_default())
}
