//! The text files of the repository.

use std::path::Path;

use anyhow::Result;

use crate::shell;

/// A text file, by its path from the top of the repository, with `/`.
pub struct TextFile {
    /// `crates/base/src/lib.rs`
    pub path: String,
    /// What is in it.
    pub text: String,
}

/// All text files under version control, or, in an unpacked archive, all there are.
pub fn tracked(root: &Path) -> Result<Vec<TextFile>> {
    let listed = shell::stdout(shell::program("git").args(["ls-files", "-z"]));
    let paths = match listed {
        Ok(list) => list.split('\0').filter(|p| !p.is_empty()).map(str::to_owned).collect(),
        Err(_) => walk(root)?,
    };
    let read = |path: String| {
        // Deleted but not committed, or not text.
        let text = std::fs::read_to_string(root.join(&path)).ok()?;
        Some(TextFile { path, text })
    };
    Ok(paths.into_iter().filter_map(read).collect())
}

fn walk(root: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if !path.is_dir() {
                let path = path.strip_prefix(root)?;
                found.push(path.to_string_lossy().replace('\\', "/"));
            } else if !path.ends_with("target") && !path.ends_with(".git") {
                folders.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
