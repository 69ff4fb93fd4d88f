//! Where the time of a search goes, by samples of `perf`.

use std::path::Path;
use std::process::Stdio;

use anyhow::{Result, ensure};

use super::models::Model;
use super::pan::LIMIT;
use super::spinor;
use super::subject::Setting;
use crate::shell;

/// Parts of the program, in the order of the table.
pub const PARTS: &[&str] = &[
    "generated code",
    "native driver",
    "interpreter",
    "keys and dictionaries",
    "table of states",
    "search",
    "kernel",
    "rest",
];

/// The share of each part in percent, in a search of a model.
pub fn shares(program: &Path, folder: &Path, model: &Model) -> Result<Vec<f64>> {
    ensure!(shell::is_installed("perf"), "`perf` is not installed");
    std::fs::create_dir_all(folder)?;
    let samples = folder.join("perf.data");
    let mut record = shell::program("perf");
    // Virtual machines have no hardware counters; a clock they all have.
    record.args(["record", "--quiet", "--event=cpu-clock", "--freq=2000", "--output"]);
    let arguments = spinor::arguments(model, folder, Setting::Bfs)?;
    record.arg(&samples).arg("--").arg(program).args(arguments);
    shell::run_within(record.stdout(Stdio::null()).stderr(Stdio::null()), LIMIT, None)?;
    let mut report = shell::program("perf");
    report.args(["report", "--no-children", "--stdio", "--sort=dso,sym", "--field-separator=;"]);
    report.arg("--input").arg(&samples);
    let text = shell::stdout(&mut report)?;
    // Only for this; the next one overwrites it anyway.
    let _ = std::fs::remove_file(&samples);
    let shares = read(&text);
    ensure!(shares.iter().sum::<f64>() > 50.0, "`perf` gives no profile");
    Ok(shares)
}

/// Sums up lines `12.34;object;[.] symbol`.
fn read(text: &str) -> Vec<f64> {
    let mut shares = vec![0.0; PARTS.len()];
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let mut cells = line.splitn(3, ';').map(str::trim);
        let (Some(share), Some(object), Some(symbol)) = (cells.next(), cells.next(), cells.next())
        else {
            continue;
        };
        if let Ok(share) = share.trim_end_matches('%').parse::<f64>() {
            shares[part(object, symbol)] += share;
        }
    }
    shares
}

/// The index of the part that a symbol belongs to: that of the crate it names first.
fn part(object: &str, symbol: &str) -> usize {
    const CRATES: &[(&str, usize)] = &[
        ("spinor_jit", 1),
        ("spinor_exec", 2),
        ("spinor_store::tree", 3),
        ("spinor_store::dictionary", 3),
        ("spinor_store", 4),
        ("spinor_search", 5),
    ];
    if object.starts_with("[JIT]") || object.contains("anon") {
        return 0;
    }
    if object.starts_with("[kernel") {
        return 6;
    }
    let named = CRATES.iter().filter_map(|(name, part)| Some((symbol.find(name)?, part)));
    // The first of equals is the longer name.
    named.min_by_key(|(position, _)| *position).map_or(7, |(_, part)| *part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_belong_to_parts() {
        let text = "# comment\n\
            23.50;spinor;[.] spinor_store::tree::local::TreeLocal::patched\n\
            16.00;spinor;[.] spinor_store::concurrent::Table::insert_key\n\
            8.00;spinor;[.] <spinor_jit::tiered::Tiered as spinor_ts::TransitionSystem>::expand\n\
            5.00;[JIT] tid 24552;[.] .Lfn1\n\
            2.00;[kernel.kallsyms];[k] clear_page_erms\n\
            3.00;spinor;[.] spinor_search::worker::Worker<spinor_jit::T>::fill\n\
            1.00;libc.so.6;[.] __memmove\n";
        assert_eq!(read(text), [5.0, 8.0, 0.0, 23.5, 16.0, 3.0, 2.0, 1.0]);
        assert_eq!(read("").len(), PARTS.len());
    }
}
