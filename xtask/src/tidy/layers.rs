//! Crates depend downward only, and the searches know nothing of Promela.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::shell;

/// The crates from the bottom up: a crate may use those of lower rank.
const RANKS: &[(u32, &[&str])] = &[
    (0, &["base"]),
    (10, &["ts", "ltl"]),
    (11, &["store"]),
    (20, &["syntax"]),
    (21, &["sema"]),
    (22, &["program"]),
    (30, &["exec", "embed", "reduce"]),
    (31, &["jit", "product"]),
    (32, &["stubborn", "heuristic"]),
    (40, &["search", "dist", "symbolic", "bmc", "trace"]),
    (41, &["sim"]),
    (50, &["check"]),
    (55, &["personality"]),
    (60, &["cli", "lsp", "web", "tui", "py", "wasm"]),
    (70, &["testkit"]),
];

/// Front ends translate: they talk to `check`, and may name what it returns.
const FRONT_END_MAY_USE: &[&str] =
    &["base", "syntax", "sema", "trace", "sim", "check", "personality"];
const FRONT_END: u32 = 60;

/// Below this rank a crate is independent of Promela.
const PROMELA: u32 = 20;
const WITHOUT_PROMELA: &[&str] = &["search", "dist"];

/// Foreign crates that belong to one place (`testkit` may use anything).
const CONFINED: &[(&str, &[&str])] = &[
    ("clap", &["cli"]),
    ("annotate-snippets", &["cli"]),
    ("ctrlc", &["cli"]),
    ("anyhow", &["cli", "xtask"]),
    ("nix", &["check", "search", "xtask"]),
    ("tokio", &["web"]),
    ("axum", &["web"]),
    ("cranelift", &["jit"]),
];

/// A crate of the workspace with the packages it needs to be built.
struct Crate {
    dir: String,
    dependencies: Vec<String>,
}

/// Compares `cargo metadata` with the tables above.
pub fn check(root: &Path) -> Result<Vec<String>> {
    let arguments = ["metadata", "--no-deps", "--format-version", "1", "--offline"];
    let text = shell::stdout(shell::cargo().args(arguments))?;
    let crates = read(&text, root)?;
    Ok(crates.iter().flat_map(complaints).collect())
}

fn read(metadata: &str, root: &Path) -> Result<Vec<Crate>> {
    let json: Value = serde_json::from_str(metadata)?;
    let packages = json["packages"].as_array().context("`cargo metadata` lists no packages")?;
    packages.iter().map(|package| read_package(package, root)).collect()
}

fn read_package(package: &Value, root: &Path) -> Result<Crate> {
    let manifest = package["manifest_path"].as_str().context("a package has a manifest")?;
    let folder = Path::new(manifest).parent().context("a manifest lies in a folder")?;
    let folder = folder.strip_prefix(root).unwrap_or(folder);
    let dir = folder.strip_prefix("crates").unwrap_or(folder).to_string_lossy().into_owned();
    let dependencies = package["dependencies"].as_array().map(Vec::as_slice).unwrap_or_default();
    let dependencies = dependencies
        .iter()
        .filter(|d| d["kind"] != "dev")
        .filter_map(|d| d["name"].as_str())
        .map(str::to_owned)
        .collect();
    Ok(Crate { dir, dependencies })
}

fn rank(dir: &str) -> Option<u32> {
    RANKS.iter().find(|(_, dirs)| dirs.contains(&dir)).map(|&(rank, _)| rank)
}

fn complaints(package: &Crate) -> Vec<String> {
    let Crate { dir, dependencies } = package;
    let own = dependencies.iter().filter_map(|d| d.strip_prefix("spinor-"));
    let foreign = dependencies.iter().filter(|d| !d.starts_with("spinor"));
    let mut found: Vec<String> = foreign.filter_map(|d| confined(dir, d)).collect();
    if dir == "xtask" {
        found.extend(own.map(|d| format!("xtask: uses `{d}`, but must build without the others")));
        return found;
    }
    match rank(dir) {
        Some(rank) => found.extend(own.filter_map(|d| edge(dir, rank, d))),
        None => found.push(format!("{dir}: give this crate a place in xtask/src/tidy/layers.rs")),
    }
    found
}

/// What is wrong with `dir`, of rank `from`, using `used`.
fn edge(dir: &str, from: u32, used: &str) -> Option<String> {
    let to = rank(used)?;
    if to >= from {
        return Some(format!("{dir}: may not use `{used}`, which is not below it"));
    }
    if WITHOUT_PROMELA.contains(&dir) && to >= PROMELA {
        return Some(format!("{dir}: may not use `{used}`, searches know nothing of Promela"));
    }
    if from == FRONT_END && !FRONT_END_MAY_USE.contains(&used) {
        return Some(format!("{dir}: may not use `{used}`, front ends go through `check`"));
    }
    None
}

fn confined(dir: &str, used: &str) -> Option<String> {
    let (name, places) = CONFINED.iter().find(|(name, _)| used.starts_with(name))?;
    let is_allowed = places.contains(&dir) || dir == "testkit";
    (!is_allowed).then(|| format!("{dir}: may not use `{used}`, {name} belongs to {places:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(dir: &str, dependency: &str, expected: &[&str]) {
        let package = Crate { dir: dir.to_owned(), dependencies: vec![dependency.to_owned()] };
        assert_eq!(complaints(&package), expected);
    }

    #[test]
    fn arrows_point_downward() {
        check("sema", "spinor-syntax", &[]);
        check("syntax", "spinor-sema", &["syntax: may not use `sema`, which is not below it"]);
        check("ts", "spinor-store", &["ts: may not use `store`, which is not below it"]);
        check("sema", "spinor-testkit", &["sema: may not use `testkit`, which is not below it"]);
    }

    #[test]
    fn searches_know_bytes_only() {
        check("search", "spinor-store", &[]);
        let complaint = "search: may not use `program`, searches know nothing of Promela";
        check("search", "spinor-program", &[complaint]);
    }

    #[test]
    fn front_ends_go_through_check() {
        check("cli", "spinor-check", &[]);
        check("cli", "spinor-exec", &["cli: may not use `exec`, front ends go through `check`"]);
    }

    #[test]
    fn foreign_crates_keep_their_place() {
        check("cli", "clap", &[]);
        check("base", "hashbrown", &[]);
        check("sema", "clap", &["sema: may not use `clap`, clap belongs to [\"cli\"]"]);
    }

    #[test]
    fn new_crates_need_a_place() {
        check("new", "serde", &["new: give this crate a place in xtask/src/tidy/layers.rs"]);
        check("xtask", "spinor-base", &["xtask: uses `base`, but must build without the others"]);
    }

    #[test]
    fn metadata_is_read_without_dev_dependencies() {
        let text = r#"{"packages": [{"manifest_path": "/r/crates/sema/Cargo.toml", "dependencies":
            [{"name": "spinor-base", "kind": null}, {"name": "insta", "kind": "dev"}]}]}"#;
        let crates = read(text, Path::new("/r")).unwrap();
        assert_eq!(crates[0].dir, "sema");
        assert_eq!(crates[0].dependencies, ["spinor-base"]);
    }
}
