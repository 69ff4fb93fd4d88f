//! `spinor graph`.

use crate::args::{GraphArgs, GraphFormat};
use crate::{app, exit, model, output};
use clap::ArgMatches;
use serde::Serialize;
use spinor_trace::automata::{self, Graph};

/// The JSON document of `graph --format json`.
#[derive(Serialize)]
struct Document<'a> {
    spinor: &'static str,
    model: &'a str,
    automata: &'a [Graph],
}

pub(crate) fn run(args: &GraphArgs, matches: &ArgMatches) -> u8 {
    let loaded = match model::open_to_look(&args.model, matches) {
        Ok(loaded) => loaded,
        Err(code) => return code,
    };
    let Some(program) = &loaded.program else { return exit::BAD_MODEL };
    let graphs = automata::graphs(program, &loaded.sources);
    match args.format {
        GraphFormat::Dot => output::out(&automata::dot(&graphs)),
        GraphFormat::Svg => output::out(&automata::svg(&graphs)),
        GraphFormat::Json => {
            let spinor = env!("CARGO_PKG_VERSION");
            let document = Document { spinor, model: &loaded.name, automata: &graphs };
            match serde_json::to_string_pretty(&document) {
                Ok(text) => output::out(&format!("{text}\n")),
                Err(error) => {
                    app::internal(&format!("the graph cannot be written: {error}"));
                    return exit::INTERNAL;
                }
            }
        }
    }
    exit::OK
}
