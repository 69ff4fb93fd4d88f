//! What is measured: models of 0.1 to 2 million states, of different kinds.

use std::path::PathBuf;

use crate::shell;

/// A model to measure.
pub struct Model {
    /// For the table.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
}

/// Our own models, always there.
const OWN: &[&str] = &["protocols/bakery", "protocols/paxos"];

/// Models of the corpus: mutual exclusion with small vectors (bakery to
/// szymanski), protocols with channels (needham to leader), puzzles with arrays
/// (peg_solitaire, sokoban), large vectors (phils, public subscribe).
const CORPUS: &[&str] = &[
    "beem/all/at.3.pm",
    "beem/all/peterson.4.pm",
    "beem/all/lamport.6.pm",
    "beem/all/szymanski.4.pm",
    "beem/all/needham.3.pm",
    "beem/all/extinction.2.pm",
    "beem/all/telephony.3.pm",
    "beem/all/phils.5.pm",
    "beem/all/sokoban.2.pm",
    "beem/all/peg_solitaire.4.pm",
];

/// Small ones, to see that measuring works.
const QUICK: &[&str] = &["beem/all/lamport.2.pm", "beem/all/needham.2.pm"];

/// The models that are there.
pub fn list(quick: bool) -> Vec<Model> {
    let own = OWN.iter().map(|name| Model {
        name: (*name).to_owned(),
        path: shell::root().join("models").join(format!("{name}.pml")),
    });
    let folder = shell::corpus();
    let paths = if quick { QUICK } else { CORPUS };
    let foreign = folder.iter().flat_map(|folder| {
        paths.iter().map(|path| Model { name: short(path), path: folder.join(path) })
    });
    own.chain(foreign).filter(|model| model.path.is_file()).collect()
}

/// `beem/at.3`.
fn short(path: &str) -> String {
    path.replace("/all/", "/").trim_end_matches(".pm").trim_end_matches(".pml").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short() {
        assert_eq!(short("beem/all/at.3.pm"), "beem/at.3");
    }

    #[test]
    fn our_own_models_exist() {
        assert!(list(true).len() >= OWN.len());
    }
}
