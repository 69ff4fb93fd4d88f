//! Trails there and back: SPIN replays ours to the same final state, and we replay SPIN's.
//!
//! The models are those that have errors according to the recorded results. SPIN's verifier is
//! generated with `-o1 -o2 -o3`, and once more without: then its trails have merged steps.

#![allow(clippy::print_stderr, reason = "a test that is left out says why")]

use crate::support::Folder;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Folders of our own models where SPIN is known to be wrong, or that have other properties.
const LEFT_OUT: [&str; 2] = ["spin_defects", "liveness"];
/// Models of SPIN's limits, which we do not have, and of what SPIN gets wrong.
const BEYOND: [&str; 5] = ["chan255", "c_pre", "prio_atomic2", "tr_sorted", "p_25"];

fn starts(program: &str) -> bool {
    Command::new(program).arg("-V").output().is_ok()
        || Command::new(program).arg("-v").output().is_ok()
}

/// Whether SPIN is missing: then there is nothing to compare with.
fn is_missing() -> bool {
    let missing = !starts("spin");
    if missing {
        eprintln!("skipped: `spin` is not installed");
    }
    missing
}

/// The models that have errors, with their texts.
fn models() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let tables: [(PathBuf, PathBuf); 2] = [
        (root.join("models/golden.tsv"), root.join("models")),
        (root.join("../shared/corpus/parity-plain.tsv"), root.join("../shared/corpus/parity")),
    ];
    let mut models = Vec::new();
    for (table, folder) in tables {
        let Ok(rows) = std::fs::read_to_string(table) else { continue };
        for row in rows.lines().skip(1) {
            let fields: Vec<&str> = row.split('\t').collect();
            let [name, "verdict", _, _, _, _, errors, ..] = fields.as_slice() else { continue };
            let is_left_out = LEFT_OUT.iter().any(|dir| name.starts_with(dir))
                || BEYOND.iter().any(|model| name.starts_with(model));
            if *errors == "0" || errors.is_empty() || is_left_out {
                continue;
            }
            let text = std::fs::read_to_string(folder.join(format!("{name}.pml")));
            models.push(((*name).to_owned(), text.unwrap()));
        }
    }
    models
}

fn run(folder: &Folder, program: &str, args: &[&str]) -> (bool, String) {
    let mut command = Command::new(program);
    let output = command.current_dir(folder.path(".")).args(args).output().unwrap();
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Variables and channels at the end of SPIN's replay.
fn final_state(replay: &str) -> Option<(usize, BTreeMap<String, String>)> {
    let end = &replay[replay.find("#processes: ")?..];
    let processes = end.lines().next()?.trim_start_matches("#processes: ").trim().parse().ok()?;
    let mut values = BTreeMap::new();
    for line in end.lines().map(str::trim) {
        if let Some((name, content)) =
            line.strip_prefix("queue ").and_then(|l| l.split_once("): ").or(l.split_once("):")))
        {
            let name = name.split_once('(').map_or("", |(_, name)| name);
            let content = content.trim().replace(',', " ").replace("][", "] [");
            let content = if content.is_empty() { "empty".to_owned() } else { content };
            values.insert(name.to_owned(), content);
        } else if let Some((name, value)) = line.split_once(" = ") {
            values.insert(name.to_owned(), value.to_owned());
        }
    }
    Some((processes, values))
}

/// The same of our story.
fn our_state(story: &Value) -> (usize, BTreeMap<String, String>) {
    let mut values = BTreeMap::new();
    for kind in ["variables", "channels"] {
        for entry in story["state"][kind].as_array().unwrap() {
            let value = match entry["value"].as_str().unwrap() {
                "true" => "1",
                "false" => "0",
                value => value,
            };
            values.insert(entry["name"].as_str().unwrap().to_owned(), value.to_owned());
        }
    }
    (story["processes"].as_array().unwrap().len(), values)
}

/// What differs between two final states, in what both show.
fn differences(replay: &str, story: &Value) -> Vec<String> {
    if replay.contains("transition failed") {
        return vec!["SPIN cannot take a step".to_owned()];
    }
    let Some((processes, theirs)) = final_state(replay) else { return vec![replay.to_owned()] };
    let (count, ours) = our_state(story);
    let mut found = Vec::new();
    if processes != count {
        found.push(format!("{processes} processes, {count} in ours"));
    }
    for (name, value) in &theirs {
        if let Some(own) = ours.get(name).filter(|own| *own != value) {
            found.push(format!("{name} is {value}, {own} in ours"));
        }
    }
    found
}

#[test]
fn spin_replays_our_trails() {
    if is_missing() {
        return;
    }
    let (mut compared, mut wrong) = (0, Vec::new());
    for (name, text) in models() {
        let folder = Folder::with(&text);
        let checked =
            folder.run(&["check", "--allow-c", "--property", "safety", "--no-claim", "m.pml"]);
        assert!(checked.code >= 10, "{name}: {}{}", checked.out, checked.err);
        let exported = folder.run(&[
            "trail",
            "export",
            "--allow-c",
            "--format",
            "spin",
            "m.pml",
            "-o",
            "spin.trail",
        ]);
        assert_eq!(exported.code, 0, "{name}: {}", exported.err);
        let story = folder.run(&["replay", "--allow-c", "--json", "m.pml"]).json();
        let back = folder.run(&["replay", "--allow-c", "--json", "m.pml", "spin.trail"]);
        assert_eq!(back.code, 0, "{name}: {}", back.err);
        assert_eq!(back.json()["steps"], story["steps"], "{name}");
        assert_eq!(back.json()["error"], story["error"], "{name}");
        // After a run-time error the simulator of SPIN goes on in its own way; it cannot run C.
        if story["error"]["kind"] == "runtime" || text.contains("c_code") {
            continue;
        }
        let (_, replay) = run(&folder, "spin", &["-t", "-k", "spin.trail", "-g", "-l", "m.pml"]);
        compared += 1;
        let differences = differences(&replay, &story);
        if !differences.is_empty() {
            wrong.push(format!("{name}: {}", differences.join(", ")));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(compared >= 12, "only {compared} models have errors");
}

#[test]
fn we_replay_the_trails_of_spin() {
    if is_missing() {
        return;
    }
    let Some(compiler) = ["tcc", "gcc"].into_iter().find(|compiler| starts(compiler)) else {
        eprintln!("skipped: there is no C compiler");
        return;
    };
    let (mut compared, mut wrong) = (0, Vec::new());
    // Compiling takes its time: every third model, and of these every second one merged.
    for (number, (name, text)) in models().into_iter().enumerate().filter(|(n, _)| n % 3 != 1) {
        let folder = Folder::with(&text);
        let is_merged = number % 2 == 0;
        let options: &[&str] =
            if is_merged { &["-a", "m.pml"] } else { &["-o1", "-o2", "-o3", "-a", "m.pml"] };
        run(&folder, "spin", options);
        let flags = ["-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", "-o", "pan", "pan.c"];
        if !run(&folder, compiler, &flags).0 {
            continue;
        }
        let pan = folder.path("pan").display().to_string();
        run(&folder, &pan, &["-m100000"]);
        if !folder.files().contains(&"m.pml.trail".to_owned()) {
            continue;
        }
        let ran = folder.run(&["replay", "--allow-c", "--json", "m.pml"]);
        compared += 1;
        if ran.code != 0 {
            wrong.push(format!("{name}: {}", ran.err));
            continue;
        }
        let story = ran.json();
        if !is_merged && story["error"] == Value::Null {
            wrong.push(format!("{name}: the error is not there"));
        }
        if is_merged || story["error"]["kind"] == "runtime" || text.contains("c_code") {
            continue;
        }
        let (_, replay) = run(&folder, "spin", &["-t", "-g", "-l", "m.pml"]);
        let differences = differences(&replay, &story);
        let is_cut = story["error"]["kind"] == "trace-violated";
        if !differences.is_empty() && !is_cut {
            wrong.push(format!("{name}: {}", differences.join(", ")));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(compared >= 12, "only {compared} models have errors");
}
