//! Models as text: `-I`, `-pp`, `-Z`.

use super::options::SpinOptions;
use crate::host::Host;
use spinor_syntax::token::{Token, TokenKind};
use spinor_syntax::{FileSource, PreprocessOptions, tokenize};
use std::path::Path;

/// Columns of one level.
const INDENT: usize = 3;

/// `-pp`.
pub(super) fn print_input(host: &mut Host<'_>) -> u8 {
    let mut text = String::new();
    if let Err(error) = host.input.read_to_string(&mut text) {
        host.print(format_args!("spin: cannot read the standard input: {error}\n"));
        return 1;
    }
    let tokens = tokenize("<stdin>", &text, &PreprocessOptions::default(), &Beside);
    host.print(laid_out(&tokens.tokens));
    0
}

/// `-I` prints the model after preprocessing, `-Z` writes it to `pan.pre`.
pub(super) fn print_file(options: &SpinOptions, file: &str, host: &mut Host<'_>) -> u8 {
    let bytes = match std::fs::read(file) {
        Ok(bytes) => bytes,
        Err(error) => {
            host.print(format_args!("spin: cannot open {file}: {error}\n"));
            return 1;
        }
    };
    let text = String::from_utf8_lossy(&bytes);
    let wanted =
        PreprocessOptions { defines: options.defines.clone(), ..PreprocessOptions::default() };
    let tokens = tokenize(file, &text, &wanted, &Beside);
    let text = laid_out(&tokens.tokens);
    if !options.preprocess_only {
        host.print(text);
        return 0;
    }
    match std::fs::write("pan.pre", text) {
        Ok(()) => 0,
        Err(error) => {
            host.print(format_args!("spin: cannot create pan.pre: {error}\n"));
            1
        }
    }
}

/// Files beside the one that includes them.
struct Beside;

impl FileSource for Beside {
    fn read(&self, name: &str, from: &str) -> Result<(String, String), String> {
        let path = Path::new(from).parent().unwrap_or(Path::new("")).join(name);
        match std::fs::read(&path) {
            Ok(bytes) => {
                Ok((String::from_utf8_lossy(&bytes).into_owned(), path.display().to_string()))
            }
            Err(error) => Err(error.to_string()),
        }
    }
}

/// A token as it stands in a model.
fn written(token: &Token) -> String {
    match token.kind {
        TokenKind::Str => format!("\"{}\"", token.text),
        TokenKind::CBody => format!("{{{}}}", token.text),
        TokenKind::ImplicitSemi => ";".to_owned(),
        _ => token.text.to_string(),
    }
}

/// One statement a line, indented by the blocks around it.
fn laid_out(tokens: &[Token]) -> String {
    let mut out = String::new();
    let mut line = String::new();
    let (mut depth, mut parentheses) = (0usize, 0usize);
    let mut end_line = |line: &mut String, depth: usize| {
        if !line.trim().is_empty() {
            out.push_str(&" ".repeat(depth * INDENT));
            out.push_str(line.trim());
            out.push('\n');
        }
        line.clear();
    };
    for token in tokens {
        if token.kind == TokenKind::Eof {
            break;
        }
        let text = &*written(token);
        match text {
            "(" | "[" => parentheses += 1,
            ")" | "]" => parentheses = parentheses.saturating_sub(1),
            _ => {}
        }
        match text {
            "{" => {
                line.push_str(" {");
                end_line(&mut line, depth);
                depth += 1;
            }
            "}" | "fi" | "od" => {
                end_line(&mut line, depth);
                depth = depth.saturating_sub(1);
                line.push_str(text);
            }
            "if" | "do" => {
                end_line(&mut line, depth);
                line.push_str(text);
                end_line(&mut line, depth);
                depth += 1;
            }
            "::" => {
                end_line(&mut line, depth);
                line.push_str(":: ");
            }
            ";" | "->" if parentheses == 0 => {
                line.push_str(if text == ";" { ";" } else { " ->" });
                end_line(&mut line, depth);
            }
            _ => {
                let is_tight = line.is_empty()
                    || line.ends_with([' ', '(', '[', '.', '!', '@'])
                    || matches!(text, ")" | "]" | "," | "." | "(" | "[" | "++" | "--" | "@" | ":");
                if !is_tight {
                    line.push(' ');
                }
                line.push_str(text);
            }
        }
    }
    end_line(&mut line, depth);
    out
}
