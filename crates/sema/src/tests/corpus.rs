//! Every model at hand is analysed without errors.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use spinor_syntax::{Define, FileSource, PreprocessOptions};

struct Files(PathBuf);

impl FileSource for Files {
    fn read(&self, name: &str, _from: &str) -> Result<(String, String), String> {
        fs::read(self.0.join(name))
            .map(|b| (String::from_utf8_lossy(&b).into_owned(), name.to_owned()))
            .map_err(|e| e.to_string())
    }
}

pub(super) fn models(dir: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        if path.is_dir() {
            models(&path, out);
        } else if matches!(extension, "pml" | "pm" | "prm" | "spin" | "promela") {
            out.push(path);
        }
    }
}

/// The first error of a model, if it has one; `None` too if it holds embedded C.
fn first_error(path: &Path) -> Option<String> {
    let text = String::from_utf8_lossy(&fs::read(path).ok()?).into_owned();
    let folder = Files(path.parent()?.to_path_buf());
    let name = path.to_string_lossy();
    // The directed models are parameterised on the command line.
    let sizes = ["N=3", "M=2", "L=6", "F=1"].map(|d| d.split_once('=').expect("name and value"));
    let defines = match path.parent() {
        Some(dir) if dir.ends_with("directed") => {
            sizes.map(|(n, v)| Define::Define(n.into(), v.into())).to_vec()
        }
        _ => Vec::new(),
    };
    let options = PreprocessOptions { defines, ..PreprocessOptions::default() };
    let parsed = spinor_syntax::parse(&name, &text, &options, &folder);
    let analysis = crate::analyze(&parsed);
    let all = parsed.diagnostics.iter().chain(&analysis.diagnostics);
    let error = all.filter(|d| d.is_error()).map(|d| {
        let at = parsed.sources.location(d.primary);
        format!("{}:{}:{}: {} {}", at.file, at.line, at.column, d.code, d.message)
    });
    error.into_iter().next()
}

/// SPIN refuses these by accident: the first only if no channel has more
/// fields, the second only if nothing stands between the loop and the d_step.
const ACCEPTED: [&str; 2] = ["send_too_many.pml", "break_before_dstep.pml"];

#[test]
fn the_models_of_the_repository_have_no_errors() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut list = Vec::new();
    models(&root, &mut list);
    let refused = |p: &Path| p.parent().is_some_and(|d| d.ends_with("refused"));
    let errors: Vec<_> =
        list.iter().filter(|p| !refused(p)).filter_map(|p| first_error(p)).collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    let accepted: Vec<_> = list
        .iter()
        .filter(|p| refused(p) && first_error(p).is_none())
        .filter(|p| !ACCEPTED.iter().any(|name| p.ends_with(name)))
        .collect();
    assert!(accepted.is_empty(), "{accepted:#?}");
}

#[test]
fn the_corpus_has_no_errors_unless_spin_refuses() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let Ok(golden) = fs::read_to_string(root.join("golden.tsv")) else { return };
    let refused: HashSet<&str> = golden
        .lines()
        .map(|l| l.split('\t').collect::<Vec<_>>())
        .filter(|row| row.get(1) == Some(&"refused"))
        .map(|row| row[0])
        .collect();
    let mut list = Vec::new();
    models(&root, &mut list);
    let accepted = list.iter().filter(|p| {
        let name = p.strip_prefix(&root).unwrap_or(p).to_string_lossy().into_owned();
        !refused.contains(name.as_str())
    });
    // SPIN refuses two more for the same reason; the table has no row for them.
    let errors: Vec<_> = accepted
        .filter_map(|p| first_error(p))
        .filter(|e| !(e.contains("pots") && e.contains(crate::codes::RECEIVE_TWICE)))
        .collect();
    assert!(errors.is_empty(), "{}\n{} models", errors.join("\n"), errors.len());
}
