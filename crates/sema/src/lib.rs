//! From syntax tree to resolved model, and every diagnostic on the way.

pub mod hir;
