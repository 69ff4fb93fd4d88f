//! Why a run ended.

use serde::Serialize;

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// All processes have ended.
    AllEnded,
    /// Nobody can move, and every process may rest where it is.
    ValidEnd,
    /// The run ends in a violation.
    Error,
    /// The bound on the steps was reached.
    Bound,
    /// The user stopped it.
    Quit,
    /// There was no more input to choose from.
    EndOfInput,
    /// The user interrupted it.
    Interrupted,
    /// The trail ends.
    TrailEnds,
    /// The interpreter gave up a step.
    GivenUp,
}

impl Ending {
    /// In words; `steps` have been taken.
    #[must_use]
    pub fn describe(self, steps: u64) -> String {
        match self {
            Ending::AllEnded => "all processes have ended".to_owned(),
            Ending::ValidEnd => "nobody can move, every process is at a valid end".to_owned(),
            Ending::Error => "the run ends in an error".to_owned(),
            Ending::Bound => format!("stopped at the bound of {steps} steps (`--steps`)"),
            Ending::Quit => "stopped by the user".to_owned(),
            Ending::EndOfInput => "the input ends".to_owned(),
            Ending::Interrupted => "interrupted".to_owned(),
            Ending::TrailEnds => "the trail ends".to_owned(),
            Ending::GivenUp => {
                "given up: an atomic sequence of the model does not come to its end".to_owned()
            }
        }
    }
}
