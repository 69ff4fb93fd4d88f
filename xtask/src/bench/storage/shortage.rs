//! A model that does not fit into the memory.

use std::fmt::Write as _;

use anyhow::{Context, Result};
use serde_json::Value;

use super::super::pan::LIMIT;
use super::Bench;
use crate::measure;

/// The model, whose error is far from the beginning.
const MODEL: &str = include_str!("seeded_ring.pml");
const STATIONS: u32 = 10;
const MEMORY: &str = "512M";

/// Stores and searches that get the same memory.
const WAYS: [&[&str]; 5] = [
    &["--store", "tree"],
    &["--store", "exact"],
    &["--store", "collapse"],
    &["--store", "bitstate"],
    &["--swarm", "16"],
];

/// The section.
pub(super) fn measure(bench: &Bench<'_>) -> Result<String> {
    let path = bench.folder.join("seeded_ring.pml");
    std::fs::write(&path, MODEL)?;
    let mut text = format!(
        "## When memory is short

A ring of {STATIONS} stations with more than 80 million states and an error far from the beginning (`xtask/src/bench/storage/seeded_ring.pml`),
with `--memory {MEMORY} --threads 1`. Exact stores give up and say so; bits and a swarm find the error in the same memory. The search
looks at its limits now and then, so a little more may be in use when it ends.

| options | verdict | states met | peak, MB | CPU, s | what it says |
|---|---|---:|---:|---:|---|
"
    );
    for way in WAYS {
        let mut arguments: Vec<String> = vec!["check".to_owned(), format!("-DN={STATIONS}")];
        let common = ["--memory", MEMORY, "--threads", "1", "--no-trail", "--json"];
        arguments.extend(common.iter().chain(way).map(|word| (*word).to_owned()));
        arguments.push(path.to_string_lossy().into_owned());
        let (output, _) = measure::run(&bench.folder, &bench.spinor.program, &arguments, LIMIT)?;
        let json: Value = serde_json::from_slice(&output.stdout).context("no report")?;
        let (result, stats) = (&json["results"][0], &json["results"][0]["stats"]);
        let limits = result["limits"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} | {:.1} | {} |",
            way.join(" "),
            result["verdict"].as_str().unwrap_or("–"),
            stats["stored"],
            stats["peak_memory_bytes"].as_u64().unwrap_or(0) >> 20,
            stats["cpu_seconds"].as_f64().unwrap_or(0.0),
            limits.collect::<Vec<_>>().join("; ")
        );
        println!("seeded ring, {}", way.join(" "));
    }
    text.push('\n');
    Ok(text)
}
