//! What tests and examples share: reading models, walking their states.
#![allow(dead_code, reason = "each user takes its part")]

use spinor_program::Program;
use spinor_syntax::{FileSource, PreprocessOptions};
use spinor_ts::{EventKind, Expansion, TransitionSystem};
use std::collections::{HashSet, VecDeque};
use std::path::Path;
use std::sync::Arc;

/// Stack of the thread that reads a model: nesting may be deep.
const FRONT_END_STACK: usize = 256 << 20;

/// `#include` from the folder of the including file.
struct Folder;

impl FileSource for Folder {
    fn read(&self, name: &str, from: &str) -> Result<(String, String), String> {
        let path = Path::new(from).parent().unwrap_or(Path::new("")).join(name);
        let text = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
        Ok((text, path.display().to_string()))
    }
}

/// The program of a text; the error is the first diagnostic.
pub fn program(name: &str, text: &str) -> Result<Arc<Program>, String> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(FRONT_END_STACK);
        let thread = thread.spawn_scoped(scope, || front_end(name, text));
        thread.map_err(|e| e.to_string())?.join().map_err(|_| "panic".to_owned())?
    })
}

fn front_end(name: &str, text: &str) -> Result<Arc<Program>, String> {
    let parsed = spinor_syntax::parse(name, text, &PreprocessOptions::default(), &Folder);
    if let Some(error) = parsed.diagnostics.iter().find(|d| d.is_error()) {
        return Err(error.message.to_string());
    }
    let analysis = spinor_sema::analyze(&parsed);
    if let Some(error) = analysis.diagnostics.iter().find(|d| d.is_error()) {
        return Err(error.message.to_string());
    }
    let lowered = spinor_program::lower(&analysis.model);
    match lowered.diagnostics.iter().find(|d| d.is_error()) {
        Some(error) => Err(error.message.to_string()),
        None => Ok(Arc::new(lowered.program)),
    }
}

/// The first states of a system, breadth first, at most `most`.
pub fn states(system: &mut impl TransitionSystem, most: usize) -> Vec<Vec<u8>> {
    let Ok(initial) = system.initial() else { return Vec::new() };
    let mut seen = HashSet::from([initial.clone()]);
    let mut queue = VecDeque::from([initial]);
    let mut found = Vec::new();
    let mut out = Expansion::new();
    while let Some(state) = queue.pop_front() {
        if found.len() == most {
            break;
        }
        system.expand(&state, &mut out);
        for event in out.events().iter().filter(|e| e.kind == EventKind::Successor) {
            let next = out.state(event);
            if seen.len() < most && seen.insert(next.to_vec()) {
                queue.push_back(next.to_vec());
            }
        }
        found.push(state);
    }
    found
}
