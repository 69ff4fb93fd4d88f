//! The parts of the benchmark: which subjects run on which models.

use super::models::{Class, Model};
use super::simulation::Simulator;
use super::subject::{Mode, Setting, Subject};

/// A part that can be measured by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Section {
    /// Exact searches on one core.
    OneCore,
    /// The same on two.
    TwoCores,
    /// From the model's text to the verdict.
    Compile,
    /// What states take.
    Memory,
    /// Searches that may miss states.
    Lossy,
    /// A family that grows.
    Growth,
    /// Properties of infinite runs.
    Endless,
    /// Models with embedded C.
    Embedded,
    /// Searches led by estimates.
    Directed,
    /// Random runs.
    Simulation,
    /// What the machine's memory can do.
    Machine,
    /// Where the time goes.
    Profile,
}

impl Section {
    /// In the order of the document.
    pub const ALL: &[Section] = &[
        Section::OneCore,
        Section::TwoCores,
        Section::Compile,
        Section::Memory,
        Section::Lossy,
        Section::Growth,
        Section::Endless,
        Section::Embedded,
        Section::Directed,
        Section::Simulation,
        Section::Machine,
        Section::Profile,
    ];

    /// The name on the command line and in the record.
    pub fn name(self) -> &'static str {
        match self {
            Section::OneCore => "one-core",
            Section::TwoCores => "two-cores",
            Section::Compile => "compile",
            Section::Memory => "memory",
            Section::Lossy => "lossy",
            Section::Growth => "growth",
            Section::Endless => "infinite-runs",
            Section::Embedded => "embedded-c",
            Section::Directed => "directed",
            Section::Simulation => "simulation",
            Section::Machine => "machine",
            Section::Profile => "profile",
        }
    }

    /// The section of a name.
    pub fn of(name: &str) -> Option<Section> {
        Section::ALL.iter().copied().find(|s| s.name() == name)
    }

    /// What runs on a model in this part.
    pub fn subjects(self, model: &Model) -> Vec<Subject> {
        use Class::{
            Compiled, Directed, Embedded, Endless, Growing, Large, Middle, Simulated, Small, Tiny,
        };
        use Subject::{Pan, PanWhole, Simulation, Spinor};
        let subjects: &[Subject] = match (self, model.class) {
            (Section::OneCore, Middle | Compiled | Large) => &[
                Pan(Mode::Full),
                Spinor(Setting::Bfs),
                Spinor(Setting::Dfs),
                Spinor(Setting::BfsExact),
                Spinor(Setting::Interpreter),
            ],
            (Section::TwoCores, Middle | Compiled) => &[
                Spinor(Setting::Bfs),
                Spinor(Setting::BfsTwo),
                Pan(Mode::BfsPar),
                Pan(Mode::Cores),
            ],
            (Section::Compile, Tiny | Small | Compiled) => &[PanWhole, Spinor(Setting::Default)],
            (Section::Memory, Middle | Compiled) => {
                &[Pan(Mode::Full), Pan(Mode::Collapse), Spinor(Setting::Bfs)]
            }
            (Section::Lossy, Middle | Compiled | Large) => &[
                Pan(Mode::Bitstate),
                Spinor(Setting::Bitstate),
                Spinor(Setting::BitstateTwo),
                Pan(Mode::HashCompact),
                Spinor(Setting::HashCompact),
                Spinor(Setting::HashCompactTwo),
                Spinor(Setting::Bfs),
            ],
            (Section::Growth, Growing) => &[Pan(Mode::Full), Spinor(Setting::Bfs)],
            (Section::Endless, Endless) => &[
                Pan(Mode::Cycles),
                Spinor(Setting::Cycles),
                Pan(Mode::FairCycles),
                Spinor(Setting::FairCycles),
            ],
            (Section::Embedded, Embedded) => &[Pan(Mode::Full), Spinor(Setting::Bfs)],
            (Section::Directed, Directed) => &[Spinor(Setting::AStar), Spinor(Setting::BestFirst)],
            (Section::Simulation, Simulated) => &[
                Simulation(Simulator::Spin),
                Simulation(Simulator::Personality),
                Simulation(Simulator::Simulate),
            ],
            _ => &[],
        };
        let possible = |s: &Subject| model.with_spin || matches!(s, Spinor(_));
        subjects.iter().copied().filter(possible).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::models;
    use super::*;

    #[test]
    fn names_lead_back() {
        for &section in Section::ALL {
            assert_eq!(Section::of(section.name()), Some(section));
        }
        assert_eq!(Section::of("weather"), None);
    }

    #[test]
    fn every_model_is_used() {
        for model in models::list(false) {
            let used = Section::ALL.iter().any(|s| !s.subjects(&model).is_empty());
            assert!(used, "{}", model.name);
        }
    }

    #[test]
    fn spin_is_left_out_where_it_is_hopeless() {
        let mut model = models::list(true).pop().expect("the family");
        model.with_spin = false;
        let subjects = Section::Growth.subjects(&model);
        assert_eq!(subjects, [Subject::Spinor(Setting::Bfs)]);
    }
}
