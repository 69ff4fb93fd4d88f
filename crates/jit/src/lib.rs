//! Native code: a program compiled to machine code in this process.
//!
//! `compile` turns the process automata into step functions (see [`abi`]); [`Native`]
//! calls them and is a [`TransitionSystem`](spinor_ts::TransitionSystem) with the same
//! events in the same order as the interpreter's. [`Tiered`] begins with the
//! interpreter and goes over to native code when that is ready.

pub mod abi;
mod claim;
mod events;
mod hash;
mod helpers;
mod native;
mod routines;
mod shapes;
mod starts;
mod state_set;
mod tiered;
mod walk;

pub use compile::{Code, CompileError, compile};
pub use native::Native;
pub use tiered::{Engine, TierConfig, Tiered};

/// Stands in until there is a code generator.
pub mod compile {
    use crate::abi::{Helpers, StepFn};

    /// Generated code.
    #[derive(Debug)]
    pub struct Code {
        /// By proctype.
        pub step: Vec<Option<StepFn>>,
        /// The claim's.
        pub claim: Option<StepFn>,
        /// By proctype.
        pub enabled: Vec<Option<StepFn>>,
        /// By proctype.
        pub provided: Vec<Option<StepFn>>,
    }

    /// Why there is no code.
    #[derive(Debug)]
    pub enum CompileError {
        /// None for this host.
        NoBackend,
    }

    impl std::fmt::Display for CompileError {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("no code generator for this machine")
        }
    }

    /// Compiles.
    ///
    /// # Errors
    /// Always.
    pub fn compile(
        _program: &spinor_program::Program,
        _options: spinor_exec::Options,
        _helpers: &Helpers,
    ) -> Result<Code, CompileError> {
        Err(CompileError::NoBackend)
    }
}
