//! Formulas and automata as a user meets them.

mod kinds;
mod printing;
mod random;
mod sizes;
mod syntax;
