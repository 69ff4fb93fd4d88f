//! `automata DIR…`: compares the process automata of every model under the
//! folders with those of the real SPIN.
#![allow(clippy::print_stdout, reason = "a tool that prints its findings")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use spinor_testkit::automata::difference;
use spinor_testkit::golden::models_under;
use spinor_testkit::spin::Oracle;
use spinor_testkit::spinor::compile;

fn main() -> ExitCode {
    if let Err(reason) = Oracle::is_available() {
        println!("skipped: {reason}");
        return ExitCode::SUCCESS;
    }
    let mut models: Vec<PathBuf> = Vec::new();
    for dir in std::env::args().skip(1) {
        match models_under(Path::new(&dir)) {
            Ok(found) => models.extend(found),
            Err(error) => {
                println!("{dir}: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    let next = AtomicUsize::new(0);
    let tally = Mutex::new((0, 0, Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(path) = models.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let verdict = compare(path);
                    let mut tally = tally.lock().expect("nobody panics with the lock");
                    match verdict {
                        Ok(None) => tally.0 += 1,
                        Ok(Some(how)) => tally.2.push(format!("{}: {how}", path.display())),
                        Err(_) => tally.1 += 1,
                    }
                }
            });
        }
    });
    let (same, skipped, differ) = tally.into_inner().expect("all threads are done");
    for line in &differ {
        println!("differs: {line}");
    }
    println!("{same} models with SPIN's automata, {} differ, {skipped} refused", differ.len());
    ExitCode::from(u8::from(!differ.is_empty()))
}

/// The difference, if any; an error if one of the two refuses the model.
fn compare(path: &Path) -> Result<Option<String>, String> {
    let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
    let source = String::from_utf8_lossy(&bytes).into_owned();
    let program = compile(&path.to_string_lossy(), &source)?;
    let spin = Oracle::default()
        .automata(&source, path.parent())
        .map_err(|e| e.to_string())?
        .ok_or("SPIN refuses it")?;
    Ok(difference(&program, &spin))
}
