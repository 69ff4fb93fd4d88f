//! Making a failing model smaller.
//!
//! [`shrink_model`] edits the generator's tree; [`shrink_text`] works on any
//! text by lines and tokens. Both keep an edit iff the predicate still holds,
//! and stop at a fixpoint or when the budget of predicate calls is spent.

mod text;
mod tree;

pub use text::shrink_text;
pub use tree::shrink_model;

/// Counts the calls of a predicate.
struct Budget<'a> {
    predicate: &'a dyn Fn(&str) -> bool,
    calls: usize,
}

impl Budget<'_> {
    fn holds(&mut self, text: &str) -> bool {
        if self.calls == 0 {
            return false;
        }
        self.calls -= 1;
        (self.predicate)(text)
    }

    fn is_spent(&self) -> bool {
        self.calls == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Options, generate, print};

    #[test]
    fn keeps_only_what_the_predicate_needs() {
        let options = Options::default();
        let seed = (0..)
            .find(|&s| print(&generate(s, &options)).contains("unless"))
            .expect("unless is generated");
        let model = generate(seed, &options);
        let small = shrink_model(&model, 5000, &|t| t.contains("unless"));
        let text = print(&small);
        assert!(text.contains("unless"));
        assert!(text.lines().count() <= 9, "{text}");
    }

    #[test]
    fn respects_the_budget() {
        let model = generate(3, &Options::default());
        let calls = std::cell::Cell::new(0);
        shrink_model(&model, 20, &|_| {
            calls.set(calls.get() + 1);
            true
        });
        assert!(calls.get() <= 20);
    }

    #[test]
    fn text_shrinks_by_lines_and_tokens() {
        let text = "alpha beta\ngamma needle(delta);\nomega\n";
        assert_eq!(shrink_text(text, 1000, &|t| t.contains("needle")), "needle");
        assert_eq!(shrink_text("abc", 1000, &|t| t == "abc"), "abc");
    }
}
