//! Shrinks the model of a seed while SPIN's refusal of it contains a text:
//! `cargo run -p spinor-testkit --example shrink -- SEED TEXT`.
#![allow(clippy::print_stdout, reason = "a tool")]

use spinor_testkit::generate::{Options, generate, print};
use spinor_testkit::shrink::shrink_model;
use spinor_testkit::spin::{Config, Oracle};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [seed, text] = args.as_slice() else {
        println!("arguments: SEED TEXT");
        return;
    };
    let model = generate(seed.parse().unwrap_or(0), &Options::default());
    let oracle = Oracle::default();
    let small = shrink_model(&model, 2000, &|source| {
        oracle
            .check(source, Config::Full)
            .is_ok_and(|o| o.refused.is_some_and(|r| r.contains(text.as_str())))
    });
    print!("{}", print(&small));
}
