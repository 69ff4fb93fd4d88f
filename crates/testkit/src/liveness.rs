//! SPIN as the judge of infinite runs.
//!
//! - [`answer`]: Spinor's answers, by every algorithm and engine.
//! - [`rows`]: recorded answers of SPIN as test cases, for our own models and the corpus.
//! - [`record`]: asks SPIN about our own models.
//! - [`brute`]: a small explicit checker that shares nothing with the searches; it
//!   decides who is right where SPIN and Spinor differ.
//! - [`random`]: random models with random formulas.

pub mod answer;
pub mod brute;
pub mod random;
pub mod record;
pub mod rows;
