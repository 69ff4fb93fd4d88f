//! What the tools of this folder share: reading models, walking their states.
#![allow(dead_code, reason = "each tool uses its part")]

use spinor_program::Program;
use spinor_syntax::{FileSource, PreprocessOptions};
use spinor_ts::{EventKind, Expansion, TransitionSystem};
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

/// Stack of the thread that reads a model: nesting may be deep.
const FRONT_END_STACK: usize = 512 << 20;

/// `#include` from the folder of the including file.
struct Folder;

impl FileSource for Folder {
    fn read(&self, name: &str, from: &str) -> Result<(String, String), String> {
        let path = Path::new(from).parent().unwrap_or(Path::new("")).join(name);
        let text = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
        Ok((text, path.display().to_string()))
    }
}

/// The program of a model file; `None` if it has errors.
pub fn compile(path: &str) -> Option<Arc<Program>> {
    let source = String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned();
    let front_end = move |path: &str| {
        let parsed = spinor_syntax::parse(path, &source, &PreprocessOptions::default(), &Folder);
        if parsed.diagnostics.iter().any(|d| d.is_error()) {
            return None;
        }
        let analysis = spinor_sema::analyze(&parsed);
        if analysis.diagnostics.iter().any(|d| d.is_error()) {
            return None;
        }
        let lowered = spinor_program::lower(&analysis.model);
        let erred = lowered.diagnostics.iter().any(|d| d.is_error());
        (!erred).then(|| Arc::new(lowered.program))
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(FRONT_END_STACK);
        thread.spawn_scoped(scope, || front_end(path)).ok()?.join().ok()?
    })
}

/// Calls `visit` with the first states, breadth first, and their expansions, until
/// it says that this is enough.
pub fn breadth_first<S: TransitionSystem>(
    system: &mut S,
    mut visit: impl FnMut(&mut S, &[u8], &Expansion) -> bool,
) {
    let Ok(initial) = system.initial() else { return };
    let mut seen = HashSet::from([initial.clone()]);
    let mut queue = std::collections::VecDeque::from([initial]);
    let mut out = Expansion::new();
    while let Some(state) = queue.pop_front() {
        system.expand(&state, &mut out);
        for event in out.events() {
            if event.kind == EventKind::Successor {
                let next = out.state(event);
                if !seen.contains(next) {
                    seen.insert(next.to_vec());
                    queue.push_back(next.to_vec());
                }
            }
        }
        if !visit(system, &state, &out) {
            return;
        }
    }
}
