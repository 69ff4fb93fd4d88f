//! A run as seen by someone who knows the model.

use spinor_base::SourceMap;
use spinor_exec::{Exec, Options};
use spinor_program::{LocId, ProcessType, Program};
use std::sync::Arc;

/// An interpreter together with the source text.
pub struct View<'a> {
    /// The judge.
    pub exec: Exec,
    /// Its program.
    pub program: Arc<Program>,
    /// Files of the model.
    pub sources: &'a SourceMap,
    /// The claim that runs along.
    pub claim: Option<usize>,
    /// How the program runs.
    pub options: Options,
}

impl<'a> View<'a> {
    /// A view on runs of `program` under `options`, on an interpreter of its own.
    #[must_use]
    pub fn new(program: &Arc<Program>, sources: &'a SourceMap, options: Options) -> Self {
        View {
            exec: Exec::new(Arc::clone(program), options),
            program: Arc::clone(program),
            sources,
            claim: options.claim,
            options,
        }
    }

    /// The proctype of process `pid`.
    #[must_use]
    pub fn process(&self, state: &[u8], pid: usize) -> Option<&ProcessType> {
        let shape = self.exec.shape(state);
        let frame = shape.frames.get(pid)?;
        Some(&self.program.proctypes[frame.proctype.index()])
    }

    /// Where process `pid` is.
    #[must_use]
    pub fn location(&self, state: &[u8], pid: usize) -> LocId {
        let shape = self.exec.shape(state);
        let frame = &shape.frames[pid];
        let process = &self.program.proctypes[frame.proctype.index()];
        let bytes = &state[frame.offset..frame.offset + process.location_bytes as usize];
        LocId(bytes.iter().rev().fold(0, |n, &b| n << 8 | u32::from(b)))
    }
}
