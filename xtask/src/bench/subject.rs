//! What is run on a model: a verifier of SPIN in one of its modes, or Spinor with
//! certain options.

use super::simulation::Simulator;

/// Something that explores the state graph of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A compiled verifier.
    Pan(Mode),
    /// Generation, C compiler and verifier, from the beginning.
    PanWhole,
    /// `spinor check`
    Spinor(Setting),
    /// A random run.
    Simulation(Simulator),
}

/// Compile-time modes of SPIN's verifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Full vectors.
    Full,
    /// Parts of vectors in tables of their own.
    Collapse,
    /// The smallest automaton.
    Automaton,
    /// Hashes of 4 + 4 bytes.
    HashCompact,
    /// Some bits for a state.
    Bitstate,
    /// Breadth first on two cores; it stores hashes, so it is not exact.
    BfsPar,
    /// Depth first on two cores.
    Cores,
    /// Acceptance cycles, `-a`.
    Cycles,
    /// The same under weak fairness, `-a -f`.
    FairCycles,
}

/// Options of `spinor check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Setting {
    /// Breadth first, compressed store, one thread.
    Bfs,
    /// Depth first, compressed store, one thread.
    Dfs,
    /// Breadth first, full vectors, one thread.
    BfsExact,
    /// As `Bfs`, without native code.
    Interpreter,
    /// As `Bfs`, two threads.
    BfsTwo,
    /// Bits, breadth first, one thread.
    Bitstate,
    /// The same, two threads.
    BitstateTwo,
    /// Hashes, breadth first, one thread.
    HashCompact,
    /// The same, two threads.
    HashCompactTwo,
    /// Tuples of the numbers of components, breadth first, one thread.
    Collapse,
    /// The smallest automaton, breadth first.
    Automaton,
    /// No options: what a user gets.
    Default,
    /// A formula, by components, one thread.
    Cycles,
    /// The same under weak fairness.
    FairCycles,
    /// Towards errors, A*, full vectors, one thread.
    AStar,
    /// The same by the estimate alone.
    BestFirst,
}

/// Binary logarithm of the number of bits that both tools get.
pub const BITSTATE_BITS: u32 = 28;
/// Bits set for a state by both tools.
pub const HASH_FUNCTIONS: u32 = 3;

impl Subject {
    /// The name in the record.
    pub fn name(self) -> &'static str {
        match self {
            Subject::Pan(Mode::Full) => "pan",
            Subject::Pan(Mode::Collapse) => "pan-collapse",
            Subject::Pan(Mode::Automaton) => "pan-ma",
            Subject::Pan(Mode::HashCompact) => "pan-hc4",
            Subject::Pan(Mode::Bitstate) => "pan-bitstate",
            Subject::Pan(Mode::BfsPar) => "pan-bfs-par",
            Subject::Pan(Mode::Cores) => "pan-ncore",
            Subject::Pan(Mode::Cycles) => "pan-cycles",
            Subject::Pan(Mode::FairCycles) => "pan-fair-cycles",
            Subject::Spinor(Setting::Cycles) => "cycles",
            Subject::Spinor(Setting::FairCycles) => "fair-cycles",
            Subject::Spinor(Setting::AStar) => "astar",
            Subject::Spinor(Setting::BestFirst) => "best-first",
            Subject::PanWhole => "pan-whole",
            Subject::Simulation(simulator) => simulator.name(),
            Subject::Spinor(Setting::Bfs) => "bfs",
            Subject::Spinor(Setting::Dfs) => "dfs",
            Subject::Spinor(Setting::BfsExact) => "bfs-exact",
            Subject::Spinor(Setting::Interpreter) => "interpreter",
            Subject::Spinor(Setting::BfsTwo) => "bfs-2",
            Subject::Spinor(Setting::Bitstate) => "bitstate",
            Subject::Spinor(Setting::BitstateTwo) => "bitstate-2",
            Subject::Spinor(Setting::HashCompact) => "hash-compact",
            Subject::Spinor(Setting::HashCompactTwo) => "hash-compact-2",
            Subject::Spinor(Setting::Collapse) => "collapse",
            Subject::Spinor(Setting::Automaton) => "automaton",
            Subject::Spinor(Setting::Default) => "default",
        }
    }

    /// Whether it searches the product of the model and a formula, whose size depends on
    /// the automaton.
    pub fn is_endless(self) -> bool {
        matches!(
            self,
            Subject::Pan(Mode::Cycles | Mode::FairCycles)
                | Subject::Spinor(Setting::Cycles | Setting::FairCycles)
        )
    }

    /// Whether it looks for errors, and may not leave any out.
    pub fn is_directed(self) -> bool {
        matches!(self, Subject::Spinor(Setting::AStar | Setting::BestFirst))
    }

    /// Whether it may miss states.
    pub fn is_lossy(self) -> bool {
        matches!(
            self,
            Subject::Pan(Mode::HashCompact | Mode::Bitstate | Mode::BfsPar)
                | Subject::Spinor(
                    Setting::HashCompact
                        | Setting::HashCompactTwo
                        | Setting::Bitstate
                        | Setting::BitstateTwo
                )
        )
    }
}

impl Mode {
    /// For the C compiler, beside those of all modes. A hand-over between cores copies
    /// as many bytes as it is told a vector may have.
    pub fn flags(self, vector_bytes: u64) -> Vec<String> {
        let words: &[&str] = match self {
            Mode::Full => &[],
            Mode::Collapse => &["-DCOLLAPSE"],
            Mode::Automaton => &[],
            Mode::HashCompact => &["-DHC4"],
            Mode::Bitstate => &["-DBITSTATE"],
            Mode::BfsPar => &["-DBFS_PAR"],
            Mode::Cores => &["-DNCORE=2", "-DMEMLIM=8000"],
            Mode::Cycles | Mode::FairCycles => &["-DNFAIR=3"],
        };
        let mut flags: Vec<String> = words.iter().map(|w| (*w).to_owned()).collect();
        if self == Mode::Automaton {
            flags.push(format!("-DMA={vector_bytes}"));
        }
        if self == Mode::Cores {
            flags.push(format!("-DVMAX={}", (vector_bytes + 8).next_multiple_of(8)));
        }
        flags
    }
}

/// How a search is asked to go.
pub struct Plan {
    /// `--search`
    pub order: &'static str,
    /// `--store`
    pub store: &'static str,
    /// `--threads`
    pub threads: u64,
    /// `--engine`; native code is then ready when the search begins, so that its
    /// time has no part in that of the search.
    pub engine: &'static str,
}

impl Setting {
    /// What is asked for; `None` leaves it to the tool.
    pub fn plan(self) -> Option<Plan> {
        let (order, store, threads) = match self {
            Setting::Default => return None,
            Setting::Cycles | Setting::FairCycles => ("dfs", "tree", 1),
            Setting::Bfs | Setting::Interpreter => ("bfs", "tree", 1),
            Setting::BfsTwo => ("bfs", "tree", 2),
            Setting::Dfs => ("dfs", "tree", 1),
            Setting::BfsExact => ("bfs", "exact", 1),
            Setting::Bitstate => ("bfs", "bitstate", 1),
            Setting::BitstateTwo => ("bfs", "bitstate", 2),
            Setting::HashCompact => ("bfs", "hash-compact", 1),
            Setting::HashCompactTwo => ("bfs", "hash-compact", 2),
            Setting::AStar => ("astar", "exact", 1),
            Setting::BestFirst => ("best-first", "exact", 1),
            Setting::Collapse => ("bfs", "collapse", 1),
            Setting::Automaton => ("bfs", "automaton", 1),
        };
        let engine = if self == Setting::Interpreter { "interpreter" } else { "native" };
        Some(Plan { order, store, threads, engine })
    }

    /// For `spinor check`.
    pub fn options(self) -> Vec<String> {
        let Some(Plan { order, store, threads, engine }) = self.plan() else {
            return Vec::new();
        };
        let [threads, bits, functions] =
            [threads, BITSTATE_BITS.into(), HASH_FUNCTIONS.into()].map(|n: u64| n.to_string());
        let mut words = vec!["--search", order, "--store", store];
        words.extend(["--threads", &threads, "--engine", engine]);
        if matches!(self, Setting::Cycles | Setting::FairCycles) {
            // The order follows from the search for cycles.
            words.drain(..2);
            words.extend(["--cycles", "scc"]);
        }
        if self == Setting::FairCycles {
            words.extend(["--fairness", "weak"]);
        }
        if matches!(self, Setting::Bitstate | Setting::BitstateTwo) {
            words.extend(["--bits", &bits, "--hash-functions", &functions]);
        }
        words.into_iter().map(str::to_owned).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_fit_the_hand_over() {
        assert!(Mode::Cores.flags(44).contains(&"-DVMAX=56".to_owned()));
        assert!(Mode::Full.flags(44).is_empty());
    }
}
