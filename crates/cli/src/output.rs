//! The only place that writes to the terminal.
//!
//! A reader that goes away (`spinor … | head`) is no error: the rest of the
//! output is dropped and the exit code stays.

use spinor_trace::render::Style;
use std::io::{ErrorKind, IsTerminal, Write, stderr, stdout};

/// Writes results.
pub(crate) fn out(text: &str) {
    let mut stream = stdout().lock();
    match stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
        Err(problem) if problem.kind() != ErrorKind::BrokenPipe => {
            error(&format!("cannot write the result: {problem}"));
        }
        _ => {}
    }
}

/// Writes a JSON document; problems are shown.
pub(crate) fn json(document: &impl serde::Serialize) -> Result<(), u8> {
    match serde_json::to_string_pretty(document) {
        Ok(text) => {
            out(&format!("{text}\n"));
            Ok(())
        }
        Err(error) => {
            crate::app::internal(&format!("the document cannot be written: {error}"));
            Err(crate::exit::INTERNAL)
        }
    }
}

/// Writes messages.
pub(crate) fn err(text: &str) {
    let mut stream = stderr().lock();
    let _ = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
}

/// Writes `error: …` and a line break.
pub(crate) fn error(message: &str) {
    let style = Style { colour: err_colour(), excerpt: None };
    err(&format!("{} {message}\n", style.red("error:")));
}

/// Writes `warning: …` and a line break.
pub(crate) fn warning(message: &str) {
    let style = Style { colour: err_colour(), excerpt: None };
    err(&format!("{} {message}\n", style.yellow("warning:")));
}

/// Whether results may have colours.
pub(crate) fn out_colour() -> bool {
    stdout().is_terminal() && colours_wanted()
}

/// Whether messages may have colours.
pub(crate) fn err_colour() -> bool {
    stderr().is_terminal() && colours_wanted()
}

/// Whether somebody watches the messages.
pub(crate) fn is_watched() -> bool {
    stderr().is_terminal()
}

/// See no-color.org.
fn colours_wanted() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|t| t != "dumb")
}
