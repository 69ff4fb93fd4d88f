//! What is measured.

use std::path::{Path, PathBuf};

use crate::shell;

/// A model to measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// For the tables and the record.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// Macros, `N=3`.
    pub defines: Vec<String>,
    /// What it is measured for.
    pub class: Class,
    /// Whether SPIN can do it, in time and memory.
    pub with_spin: bool,
    /// A property of infinite runs that is added to the model.
    pub formula: Option<Formula>,
}

/// A property of infinite runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Formula {
    /// What such properties are called.
    pub name: &'static str,
    /// In SPIN's syntax.
    pub text: &'static str,
}

impl Model {
    /// The text that is measured: the model's file, or a copy in `folder` with its formula.
    pub fn file(&self, folder: &Path) -> std::io::Result<PathBuf> {
        let Some(formula) = self.formula else { return Ok(self.path.clone()) };
        let name = self.path.file_name().unwrap_or_default();
        let copy = folder.join(name);
        let text = std::fs::read_to_string(&self.path)?;
        std::fs::write(&copy, format!("{text}\nltl p {{ {} }}\n", formula.text))?;
        Ok(copy)
    }
}

/// Sizes of models under the plain semantics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// About a thousand states.
    Tiny,
    /// Less than 100,000 states.
    Small,
    /// Half a million to some millions of states: measured for everything.
    Middle,
    /// As `Middle`, and compiled again in every round.
    Compiled,
    /// Millions of states that take SPIN long: measured on one core only.
    Large,
    /// A member of the family that grows.
    Growing,
    /// Measured for its infinite runs.
    Endless,
    /// Has embedded C.
    Embedded,
    /// Searched by estimates.
    Directed,
    /// Simulated, not searched.
    Simulated,
}

use Class::{
    Compiled, Directed, Embedded, Endless, Growing, Large, Middle, Simulated, Small, Tiny,
};

/// Our own models, always there.
const OWN: &[(&str, Class)] = &[
    ("protocols/two_phase_commit", Tiny),
    ("protocols/bakery", Small),
    ("protocols/snapshot", Small),
    ("protocols/seqlock", Small),
];

/// Models of the corpus: mutual exclusion with small vectors (at to fischer),
/// communication protocols with channels (telephony to leader), puzzles and planning
/// with arrays (sokoban to schedule_world), wide vectors (phils, reader_writer, leader).
const CORPUS: &[(&str, Class)] = &[
    ("beem/all/at.3.pm", Compiled),
    ("beem/all/bakery.5.pm", Large),
    ("beem/all/lamport.5.pm", Compiled),
    ("beem/all/lamport.6.pm", Large),
    ("beem/all/peterson.4.pm", Compiled),
    ("beem/all/szymanski.3.pm", Middle),
    ("beem/all/fischer.3.pm", Large),
    ("beem/all/telephony.3.pm", Compiled),
    ("beem/all/extinction.2.pm", Compiled),
    ("beem/all/cambridge.4.pm", Middle),
    ("beem/all/iprotocol.3.pm", Middle),
    ("beem/all/needham.4.pm", Large),
    ("beem/all/krebs.2.pm", Middle),
    ("Examples/LTL/leader.pml", Large),
    ("case_studies/brp/brp.prm", Compiled),
    ("beem/all/sokoban.2.pm", Compiled),
    ("beem/all/peg_solitaire.4.pm", Middle),
    ("beem/all/frogs.3.pm", Middle),
    ("beem/all/hanoi.2.pm", Middle),
    ("beem/all/sorter.3.pm", Middle),
    ("beem/all/adding.3.pm", Middle),
    ("beem/all/schedule_world.2.pm", Middle),
    ("beem/all/phils.5.pm", Compiled),
    ("beem/all/reader_writer.3.pm", Large),
    ("Examples/LTL/mobile1.pml", Small),
    ("beem/all/needham.2.pm", Small),
    ("beem/all/iprotocol.2.pm", Small),
];

/// Models with at least four processes whose infinite runs are judged, with a formula that
/// holds: who is in the critical section again and again leaves it again and again, or leaves it
/// whenever it is there.
const ENDLESS: &[(&str, Formula)] = &[
    ("beem/all/peterson.4.pm", RECURS),
    ("beem/all/lamport.5.pm", RECURS),
    ("beem/all/szymanski.3.pm", RECURS),
    ("beem/all/szymanski.4.pm", RECURS),
    ("beem/all/peterson.4.pm", RESPONDS),
    ("beem/all/szymanski.3.pm", RESPONDS),
    ("beem/all/szymanski.4.pm", RESPONDS),
];
const QUICK_ENDLESS: &[(&str, Formula)] = &[("beem/all/peterson.2.pm", RECURS)];
const RECURS: Formula = Formula { name: "recurrence", text: "[] <> (P_0@CS) -> [] <> (P_0@NCS)" };
const RESPONDS: Formula = Formula { name: "response", text: "[] (P_0@CS -> <> (P_0@NCS))" };

/// Models with C, with sizes that make them large; small ones to see that measuring works.
const EMBEDDED: &[(&str, &[&str])] = &[
    ("embedded/ring_scaled", &["USERS=3", "ITEMS=2", "SIZE=3"]),
    ("embedded/files_scaled", &["CLIENTS=4", "SPACE=1"]),
    ("embedded/tanks_scaled", &["TANKS=4", "LEVEL=2"]),
];
const QUICK_EMBEDDED: &[(&str, &[&str])] = &[("embedded/ring_scaled", &["USERS=2"])];

/// Models with few errors, so that a search that is led to them by estimates sees all states.
const DIRECTED: &[&str] = &[
    "beem/all/iprotocol.3.pm",
    "beem/all/sokoban.2.pm",
    "beem/all/extinction.2.pm",
    "Examples/LTL/leader.pml",
];
const QUICK_DIRECTED: &[&str] = &["beem/all/lamport.2.pm"];

/// Models whose random runs never end and print nothing.
const SIMULATED: &[&str] = &[
    "protocols/alternating_bit",
    "protocols/barrier",
    "protocols/philosophers_waiter",
    "protocols/sliding_window",
    "protocols/smokers",
    "protocols/szymanski",
];

/// The file of the family, and its sizes with whether SPIN is measured as well.
const FAMILY: &str = "bench/token_ring";
const SIZES: &[(u32, bool)] = &[(9, true), (10, true), (11, true), (12, false), (13, false)];

/// Small ones, to see that measuring works.
const QUICK: &[(&str, Class)] =
    &[("beem/all/lamport.2.pm", Compiled), ("beem/all/needham.2.pm", Compiled)];
const QUICK_SIZES: &[(u32, bool)] = &[(4, true), (5, false)];

/// The models that are there.
pub fn list(quick: bool) -> Vec<Model> {
    let model = |name: String, path: PathBuf, class| Model {
        name,
        path,
        defines: Vec::new(),
        class,
        with_spin: true,
        formula: None,
    };
    let ours = |name: &str| shell::root().join("models").join(format!("{name}.pml"));
    let own = OWN.iter().map(|&(name, class)| model(name.to_owned(), ours(name), class));
    let folder = shell::corpus();
    let paths = if quick { QUICK } else { CORPUS };
    let foreign = folder.iter().flat_map(|folder| {
        paths.iter().map(|&(path, class)| model(short(path), folder.join(path), class))
    });
    let paths = if quick { QUICK_ENDLESS } else { ENDLESS };
    let endless = folder.iter().flat_map(|folder| {
        paths.iter().map(|&(path, formula)| Model {
            formula: Some(formula),
            ..model(format!("{}, {}", short(path), formula.name), folder.join(path), Endless)
        })
    });
    let sizes = if quick { QUICK_SIZES } else { SIZES };
    let family = sizes.iter().map(|&(n, with_spin)| Model {
        defines: vec![format!("N={n}")],
        with_spin,
        ..model(format!("{FAMILY} N={n}"), ours(FAMILY), Growing)
    });
    let embedded = if quick { QUICK_EMBEDDED } else { EMBEDDED };
    let embedded = embedded.iter().map(|&(name, defines)| Model {
        defines: defines.iter().map(|define| (*define).to_owned()).collect(),
        ..model(name.to_owned(), ours(name), Embedded)
    });
    let directed = if quick { QUICK_DIRECTED } else { DIRECTED };
    let directed = folder.iter().flat_map(|folder| {
        directed
            .iter()
            .map(|path| model(format!("{}, directed", short(path)), folder.join(path), Directed))
    });
    let simulated = if quick { &SIMULATED[..1] } else { SIMULATED };
    let simulated =
        simulated.iter().map(|name| model(format!("{name}, random run"), ours(name), Simulated));
    let few = own.chain(foreign).chain(endless).chain(embedded).chain(directed).chain(simulated);
    few.chain(family).filter(|model| model.path.is_file()).collect()
}

/// `beem/at.3`.
fn short(path: &str) -> String {
    let path = path.replace("/all/", "/");
    let endings = [".pml", ".prm", ".pm"];
    let stem = endings.iter().find_map(|ending| path.strip_suffix(ending));
    stem.unwrap_or(&path).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short() {
        assert_eq!(short("beem/all/at.3.pm"), "beem/at.3");
        assert_eq!(short("case_studies/brp/brp.prm"), "case_studies/brp/brp");
    }

    #[test]
    fn our_own_models_exist() {
        let ours = list(true).into_iter().filter(|m| !m.name.starts_with("beem/"));
        let expected = OWN.len() + QUICK_SIZES.len() + QUICK_EMBEDDED.len() + 1;
        assert_eq!(ours.count(), expected);
    }

    #[test]
    fn names_are_different() {
        let mut names: Vec<String> = list(false).into_iter().map(|m| m.name).collect();
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
