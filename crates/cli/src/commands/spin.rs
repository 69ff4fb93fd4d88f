//! `spinor spin`, `spinor pan`, and the program under the name `spin`.
//!
//! Their words are not ours to parse: `-search` is no cluster of letters, `-f` takes a formula.

use crate::{interrupt, memory};
use spinor_personality::Host;
use std::ffi::OsString;
use std::io::{BufWriter, Write, stderr, stdin, stdout};
use std::path::Path;

/// Runs SPIN's personality if the command line is one of SPIN's.
pub(crate) fn called_directly() -> Option<u8> {
    let words: Vec<OsString> = std::env::args_os().collect();
    let name = words.first().and_then(|name| Path::new(name).file_stem())?.to_owned();
    let words: Vec<String> =
        words.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    if name == "spin" {
        return Some(run(spinor_personality::spin, &words));
    }
    match words.split_first() {
        Some((first, rest)) if first == "spin" && !is_help(rest) => {
            Some(run(spinor_personality::spin, rest))
        }
        Some((first, rest)) if first == "pan" => Some(run(spinor_personality::pan, rest)),
        _ => None,
    }
}

fn is_help(words: &[String]) -> bool {
    matches!(words, [word] if word == "--help")
}

fn run(job: fn(&[String], &mut Host<'_>) -> u8, words: &[String]) -> u8 {
    interrupt::listen();
    let mut out = BufWriter::new(stdout().lock());
    let mut host = Host {
        out: &mut out,
        err: &mut stderr().lock(),
        input: &mut stdin().lock(),
        is_interrupted: &interrupt::is_requested,
        executable: std::env::current_exe().ok(),
        memory_limit_bytes: memory::default_limit(),
    };
    let code = job(words, &mut host);
    let _ = out.flush();
    code
}
