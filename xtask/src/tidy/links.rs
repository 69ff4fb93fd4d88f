//! Links between the documents lead somewhere.

use std::path::Path;

use super::files::TextFile;

/// Relative links of a Markdown file to files or headings that do not exist.
pub fn check(root: &Path, file: &TextFile) -> Vec<String> {
    if !file.path.ends_with(".md") {
        return Vec::new();
    }
    let folder = root.join(&file.path).parent().map(Path::to_owned).unwrap_or_default();
    let mut found = Vec::new();
    for (number, target) in targets(&file.text) {
        let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
        let text = match path {
            "" => Some(file.text.clone()),
            path if folder.join(path).is_dir() => Some(String::new()),
            path => std::fs::read_to_string(folder.join(path)).ok(),
        };
        let is_there = text.is_some_and(|text| anchor.is_empty() || has_heading(&text, anchor));
        if !is_there {
            found.push(format!("{}:{number}: `{target}` leads nowhere", file.path));
        }
    }
    found
}

/// The targets of links to our own files, with their line numbers; code blocks
/// are left out.
fn targets(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut is_code = false;
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        if is_code {
            continue;
        }
        for part in line.split("](").skip(1) {
            let target = part.split(')').next().unwrap_or_default();
            if !target.contains("://") && !target.starts_with("mailto:") {
                found.push((number, target));
            }
        }
    }
    found
}

fn has_heading(text: &str, anchor: &str) -> bool {
    text.lines().filter(|l| l.starts_with('#')).any(|l| slug(l.trim_start_matches('#')) == anchor)
}

/// The anchor of a heading, as code hosts make it.
fn slug(heading: &str) -> String {
    heading
        .trim()
        .to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_text(text: &str, expected: &[&str]) {
        let file = TextFile { path: "docs/x.md".to_owned(), text: text.to_owned() };
        assert_eq!(check(&crate::shell::root(), &file), expected);
    }

    #[test]
    fn links_must_lead_somewhere() {
        check_text("[top](../Cargo.toml) [web](https://example.org/x)", &[]);
        check_text("[folder](../crates)", &[]);
        check_text("[no](none.md)", &["docs/x.md:1: `none.md` leads nowhere"]);
        check_text("```\n[no](none.md)\n```", &[]);
    }

    #[test]
    fn headings_are_found_by_their_anchor() {
        check_text("# Exit codes\n[here](#exit-codes)", &[]);
        check_text("# A `check`: it\n[here](#a-check-it)", &[]);
        check_text("[no](#none)", &["docs/x.md:1: `#none` leads nowhere"]);
    }
}
