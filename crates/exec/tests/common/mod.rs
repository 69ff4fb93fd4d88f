//! What several tests need.

use spinor_program::Program;
use spinor_syntax::{NoFiles, PreprocessOptions};
use std::sync::Arc;

/// The program of a model, which has no errors.
pub fn compile(source: &str) -> Arc<Program> {
    let parsed = spinor_syntax::parse("m.pml", source, &PreprocessOptions::default(), &NoFiles);
    let analysis = spinor_sema::analyze(&parsed);
    let errors: Vec<_> =
        parsed.diagnostics.iter().chain(&analysis.diagnostics).filter(|d| d.is_error()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    Arc::new(spinor_program::lower(&analysis.model).program)
}
