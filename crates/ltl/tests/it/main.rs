//! Formulas and automata as a user meets them.

mod families;
mod kinds;
mod printing;
mod random;
mod sizes;
mod syntax;
