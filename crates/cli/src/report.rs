//! Reports as text and JSON.

pub(crate) mod figures;
pub(crate) mod json;
pub(crate) mod text;
