//! Real models are read without errors, where there are any.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::on_large_stack;
use crate::{FileSource, PreprocessOptions, parse};

struct Disk(PathBuf);

impl FileSource for Disk {
    fn read(&self, name: &str, from: &str) -> Result<(String, String), String> {
        let beside = Path::new(from).parent().map(|dir| dir.join(name));
        let paths = [beside, Some(self.0.join(name))];
        for path in paths.into_iter().flatten() {
            if let Ok(bytes) = std::fs::read(&path) {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                return Ok((text, path.display().to_string()));
            }
        }
        Err(format!("no file `{name}`"))
    }
}

fn files(dir: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, out);
        } else {
            out.push(path);
        }
    }
}

/// Errors of the models below `dir` that `wanted` selects; how many were read.
fn failures(dir: &Path, wanted: impl Fn(&Path) -> bool) -> (usize, Vec<String>) {
    let mut paths = Vec::new();
    files(dir, &mut paths);
    paths.sort();
    let mut count = 0;
    let mut failed = Vec::new();
    for path in paths.iter().filter(|p| wanted(p)) {
        let Ok(bytes) = std::fs::read(path) else { continue };
        let text = String::from_utf8_lossy(&bytes);
        let files = Disk(path.parent().unwrap_or(dir).to_path_buf());
        let name = path.display().to_string();
        let parsed = parse(&name, &text, &PreprocessOptions::default(), &files);
        count += 1;
        if let Some(error) = parsed.diagnostics.iter().find(|d| d.is_error()) {
            let at = parsed.sources.location(error.primary);
            failed.push(format!(
                "{}:{}:{} {} {}",
                name, at.line, at.column, error.code, error.message
            ));
        }
    }
    (count, failed)
}

#[test]
fn corpus_models_are_accepted() {
    on_large_stack(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
        let Ok(golden) = std::fs::read_to_string(root.join("golden.tsv")) else { return };
        let mut models = HashSet::new();
        for line in golden.lines().skip(1) {
            let mut columns = line.split('\t');
            let (Some(model), Some(config)) = (columns.next(), columns.next()) else { continue };
            if config != "refused" {
                models.insert(root.join(model));
            }
        }
        let (count, failed) = failures(&root, |path| models.contains(path));
        assert!(failed.is_empty(), "{} of {count}\n{}", failed.len(), failed.join("\n"));
    });
}

#[test]
fn parity_models_are_accepted() {
    on_large_stack(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/parity");
        let (count, failed) = failures(&root, |path| path.extension().is_some_and(|e| e == "pml"));
        assert!(failed.is_empty(), "{} of {count}\n{}", failed.len(), failed.join("\n"));
    });
}

#[test]
fn models_of_this_project_are_accepted() {
    on_large_stack(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
        let is_model = |path: &Path| path.extension().is_some_and(|e| e == "pml");
        let (count, failed) = failures(&root, |path| {
            is_model(path) && !path.components().any(|c| c.as_os_str() == "refused")
        });
        assert!(failed.is_empty(), "{} of {count}\n{}", failed.len(), failed.join("\n"));
    });
}

#[test]
fn examples_of_spin_are_accepted() {
    on_large_stack(|| {
        let root = Path::new("/usr/share/doc/spin/examples");
        let (count, failed) = failures(root, |path| path.extension().is_some_and(|e| e == "pml"));
        let known = ["patterns.pml"]; // SPIN refuses these too
        let failed: Vec<_> =
            failed.into_iter().filter(|f| !known.iter().any(|k| f.contains(k))).collect();
        assert!(failed.is_empty(), "{} of {count}\n{}", failed.len(), failed.join("\n"));
    });
}
