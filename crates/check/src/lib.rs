//! The facade: from a model file to verdicts.
//!
//! [`load`] reads and compiles a model, [`check`] searches it for violations of
//! the properties asked for, [`Loaded::story`] and [`Loaded::trail`] explain and
//! keep a counterexample. Front ends translate between these types and the
//! outside world and do nothing else.
//!
//! Invariants
//! - Nothing here prints or ends the process.
//! - A violated verdict leaves [`check`] only after its trail was replayed on a
//!   fresh interpreter and ended in the same violation.
//! - A property that cannot be checked is reported as incomplete, never left out.

mod boxed;
mod check;
mod config;
mod confirm;
mod contexts;
mod cpu;
mod digest;
mod directed;
mod engine;
mod estimates;
mod files;
pub mod formula;
mod guided;
mod liveness;
mod load;
mod passes;
mod property;
mod question;
mod reduction;
mod refusal;
mod replay;
mod report;
mod scout;
mod shorten;
mod stores;
mod unfold;

pub use check::{CheckError, check};
pub use config::{
    CheckConfig, Customs, CycleSearch, EngineKind, Guidance, Pass, SearchOrder, StoreKind,
};
pub use directed::EstimateInfo;
pub use engine::{Searched, Setup, search};
pub use files::{Input, ReadError};
pub use guided::Guided;
pub use load::{CPolicy, LoadOptions, Loaded, load};
pub use property::{Property, PropertyKind};
pub use replay::run_of_trail;
pub use report::{AsFound, ErrorReport, PropertyReport, SearchInfo};
pub use spinor_embed::{CForm, COptions};
pub use spinor_heuristic::Heuristic;
pub use spinor_ltl as ltl;
pub use spinor_program::Program;
pub use spinor_store::{
    Allocator, LastWords, address_space, refuse_request, set_aside, set_last_words, thread,
};
pub use spinor_syntax::Define;
pub use spinor_ts::{
    Control, Fairness, Incomplete, Observer, SilentObserver, Stats, Verdict, ViolationKind,
};
