//! The models that a test program is run on: files, and random ones by seed.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use spinor_syntax::{Define, PreprocessOptions};

use crate::generate::{
    Options, generate_dynamic, generate_meetings, generate_numbers, generate_stretches,
    generate_text,
};
use crate::golden;

/// What was asked for on the command line.
#[derive(Clone, Debug, Default)]
pub struct Subjects {
    files: Vec<PathBuf>,
    seeds: Vec<u64>,
    /// Models of other generators.
    special: Vec<(Kind, u64)>,
}

/// A generator of small models about one matter.
#[derive(Clone, Copy, Debug)]
struct Kind {
    name: &'static str,
    option: &'static str,
    generate: fn(u64) -> String,
}

const KINDS: [Kind; 4] = [
    Kind { name: "dynamic", option: "--dynamic", generate: generate_dynamic },
    Kind { name: "meetings", option: "--meetings", generate: generate_meetings },
    Kind { name: "stretches", option: "--stretches", generate: generate_stretches },
    Kind { name: "numbers", option: "--numbers", generate: generate_numbers },
];

impl Subjects {
    /// Takes an argument that no option of the program is: `--random FROM..TO`, `--dynamic FROM..TO`
    /// (processes come and go), `--meetings FROM..TO`, `--stretches FROM..TO` (of local steps),
    /// `--numbers FROM..TO`, or a file, or a folder with models. `None` if it is none of them.
    pub fn take(&mut self, arg: &str, rest: &mut impl Iterator<Item = String>) -> Option<()> {
        if arg == "--random" {
            self.seeds.extend(range(&rest.next()?)?);
            return Some(());
        }
        if let Some(kind) = KINDS.iter().find(|kind| kind.option == arg) {
            self.special.extend(range(&rest.next()?)?.map(|seed| (*kind, seed)));
            return Some(());
        }
        let path = Path::new(arg);
        if path.is_dir() {
            self.files.extend(golden::models_under(path).ok()?);
        } else {
            self.files.push(path.to_owned());
        }
        Some(())
    }

    /// Calls `test` with the number, name and text of each model, on all cores. `taste` says
    /// what the random model of a seed is like.
    pub fn for_each(
        &self,
        taste: impl Fn(u64) -> Options + Sync,
        test: impl Fn(usize, &str, &str) + Sync,
    ) {
        let next = AtomicUsize::new(0);
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some((name, text)) = self.model(at, &taste) else { break };
                        test(at, &name, &text);
                    }
                });
            }
        });
    }

    fn model(&self, at: usize, taste: &impl Fn(u64) -> Options) -> Option<(String, String)> {
        if let Some(path) = self.files.get(at) {
            let bytes = std::fs::read(path).unwrap_or_default();
            return Some((path.display().to_string(), String::from_utf8_lossy(&bytes).into()));
        }
        let at = at - self.files.len();
        if let Some(&seed) = self.seeds.get(at) {
            return Some((format!("seed {seed}"), generate_text(seed, &taste(seed))));
        }
        let (kind, seed) = *self.special.get(at - self.seeds.len())?;
        Some((format!("{} {seed}", kind.name), (kind.generate)(seed)))
    }
}

/// A range of seeds, `FROM..TO`.
#[must_use]
pub fn range(text: &str) -> Option<Range<u64>> {
    let (from, to) = text.split_once("..")?;
    Some(from.parse().ok()?..to.parse().ok()?)
}

/// A definition as it follows `-D`.
#[must_use]
pub fn define(text: &str) -> Define {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    Define::Define(name.to_owned(), value.to_owned())
}

/// How a model wants to be read: with the definitions it names itself.
#[must_use]
pub fn preprocess_options(text: &str) -> PreprocessOptions {
    let defines = golden::defines(text).iter().map(|d| define(d)).collect();
    PreprocessOptions { defines, ..PreprocessOptions::default() }
}
