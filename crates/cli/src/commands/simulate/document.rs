//! The JSON document of `simulate --json`.

use crate::args::SimulateArgs;
use serde::Serialize;
use spinor_sim::{Ending, Simulation};
use spinor_trace::{At, Cycle, Snapshot, Standing, Step, Story};

#[derive(Serialize)]
pub(crate) struct Document<'a> {
    spinor: &'static str,
    model: &'a str,
    mode: &'static str,
    seed: Option<u64>,
    bound: u64,
    /// Steps taken; `steps` has those that were asked for.
    taken: u64,
    ended: Ended,
    error: Option<Error<'a>>,
    cycle: Option<&'a Cycle>,
    steps: &'a [Step],
    state: &'a Snapshot,
    processes: &'a [Standing],
}

#[derive(Serialize)]
struct Ended {
    reason: Ending,
    message: String,
}

#[derive(Serialize)]
struct Error<'a> {
    kind: &'static str,
    message: &'a str,
    at: Option<&'a At>,
}

impl<'a> Document<'a> {
    pub(crate) fn of_run(
        model: &'a str,
        seed: u64,
        args: &SimulateArgs,
        simulation: &Simulation<'_, '_>,
        story: &'a Story,
    ) -> Self {
        let ending = simulation.ending().unwrap_or(Ending::Quit);
        let document = Self::of_trail(model, args, story, ending, simulation.steps());
        Document { mode: "random", seed: Some(seed), ..document }
    }

    pub(crate) fn of_trail(
        model: &'a str,
        args: &SimulateArgs,
        story: &'a Story,
        ending: Ending,
        taken: u64,
    ) -> Self {
        Document {
            spinor: env!("CARGO_PKG_VERSION"),
            model,
            mode: "trail",
            seed: None,
            bound: args.steps,
            taken,
            ended: Ended { reason: ending, message: ending.describe(taken) },
            error: story.error.as_ref().map(|e| Error {
                kind: e.kind,
                message: &e.message,
                at: e.at.as_ref().map(|origin| &origin.at),
            }),
            cycle: story.cycle.as_ref(),
            steps: &story.steps,
            state: &story.state,
            processes: &story.processes,
        }
    }
}
