//! Rules for the text of single files.

use super::files::TextFile;

/// Left over from work in progress, or against the rules of `CONTRIBUTING.md`.
/// Written in pieces so that this file does not complain about itself.
const FORBIDDEN_IN_RUST: &[&str] = &[
    concat!("todo", "!("),
    concat!("unimplemented", "!("),
    concat!("dbg", "!("),
    concat!("#[", "ignore"),
    concat!("#[", "should_panic"),
    concat!("static", " mut "),
];

/// Folders of somebody's machine.
const MACHINE_PATHS: &[&str] = &[
    concat!("/", "home/"),
    concat!("/", "root/"),
    concat!("/", "work/"),
    concat!("/", "Users/"),
    concat!("\\", "Users\\"),
];

const PUBLIC_REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Everything wrong with a file by itself.
pub fn check(file: &TextFile) -> Vec<String> {
    let mut found = Vec::new();
    let is_rust = file.path.ends_with(".rs");
    for (number, line) in (1..).zip(file.text.lines()) {
        let mut complain = |what: &str| found.push(format!("{}:{number}: {what}", file.path));
        for word in MACHINE_PATHS.iter().filter(|w| line.contains(*w)) {
            complain(&format!("`{word}` is a path of one machine"));
        }
        if is_rust {
            for word in FORBIDDEN_IN_RUST.iter().filter(|w| code(line).contains(*w)) {
                complain(&format!("`{word}` may not stay"));
            }
        }
        if file.path == "Cargo.lock"
            && line.contains("registry+")
            && !line.contains(PUBLIC_REGISTRY)
        {
            complain("a package from somewhere else than crates.io");
        }
    }
    if is_rust && !is_test(&file.path) && !file.text.starts_with("//!") {
        found.push(format!("{}:1: start with `//!` and say what this module is for", file.path));
    }
    found
}

/// The line without a comment that takes all of it.
fn code(line: &str) -> &str {
    if line.trim_start().starts_with("//") { "" } else { line }
}

fn is_test(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/tests/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_text(path: &str, text: &str, expected: &[&str]) {
        let file = TextFile { path: path.to_owned(), text: text.to_owned() };
        assert_eq!(check(&file), expected);
    }

    #[test]
    fn leftovers_are_found() {
        let text = format!("//! M.\nfn f() {{ {}) }}\n", FORBIDDEN_IN_RUST[0]);
        let complaint = format!("a.rs:2: `{}` may not stay", FORBIDDEN_IN_RUST[0]);
        check_text("a.rs", &text, &[&complaint]);
        let comment = format!("//! M.\n// {})\n", FORBIDDEN_IN_RUST[0]);
        check_text("a.rs", &comment, &[]);
    }

    #[test]
    fn modules_say_what_they_are() {
        let complaint = "src/a.rs:1: start with `//!` and say what this module is for";
        check_text("src/a.rs", "fn f() {}\n", &[complaint]);
        check_text("src/a/tests.rs", "fn f() {}\n", &[]);
    }

    #[test]
    fn machine_paths_are_found_in_any_file() {
        let text = format!("see {}me/x\n", MACHINE_PATHS[0]);
        let complaint = format!("a.md:1: `{}` is a path of one machine", MACHINE_PATHS[0]);
        check_text("a.md", &text, &[&complaint]);
        check_text("a.md", "see /usr/bin/env\n", &[]);
    }

    #[test]
    fn packages_come_from_the_public_registry() {
        check_text("Cargo.lock", &format!("source = \"{PUBLIC_REGISTRY}\"\n"), &[]);
        let complaint = "Cargo.lock:1: a package from somewhere else than crates.io";
        check_text("Cargo.lock", "source = \"registry+https://example.org/i\"\n", &[complaint]);
    }
}
