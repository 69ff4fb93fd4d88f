//! What `pan.c` was compiled with: `-DSAFETY`, `-DMEMLIM=1024`, …

use crate::numbers::atoi;
use std::collections::BTreeMap;

/// All directives that SPIN documents and that mean something to a search here or are known to mean
/// nothing: `pan.c` passes them on if the compiler defines them.
pub(crate) const KNOWN: &[&str] = &[
    "BCS",
    "BFS",
    "BFS_DISK",
    "BFS_PAR",
    "BITSTATE",
    "COLLAPSE",
    "C_EXIT",
    "C_INIT",
    "DUAL_CORE",
    "FREQ",
    "HC",
    "HC0",
    "HC1",
    "HC2",
    "HC3",
    "HC4",
    "INIT_STATE",
    "L_BOUND",
    "MA",
    "MEMCNT",
    "MEMLIM",
    "MYSTEP",
    "NCORE",
    "NOBOUNDCHECK",
    "NOCLAIM",
    "NOFAIR",
    "NOREDUCE",
    "NOSTUTTER",
    "NP",
    "ON_EXIT",
    "PEG",
    "PERMUTED",
    "PRINTF",
    "PROV",
    "PUTPID",
    "P_RAND",
    "P_REVERSE",
    "QUAD_CORE",
    "REACH",
    "REVERSE",
    "SAFETY",
    "TRIX",
    "T_RAND",
    "T_REVERSE",
    "VECTORSZ",
    "VERBOSE",
    "XUSAFE",
];

/// Directives that change what a verdict means, or add C that nobody would call.
const REFUSED: [&str; 7] =
    ["C_EXIT", "C_INIT", "INIT_STATE", "MYSTEP", "NOSTUTTER", "ON_EXIT", "PROV"];

/// Directives by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Directives(BTreeMap<String, String>);

impl Directives {
    /// From words for a C compiler; those that are no directives are passed over.
    pub fn of(words: &[String]) -> Self {
        let mut all = BTreeMap::new();
        for word in words {
            if let Some(text) = word.strip_prefix("-D") {
                let (name, value) = text.split_once('=').unwrap_or((text, "1"));
                all.insert(name.to_owned(), value.to_owned());
            } else if let Some(name) = word.strip_prefix("-U") {
                all.remove(name);
            }
        }
        Directives(all)
    }

    /// One that cannot be obeyed.
    pub fn refused(&self) -> Option<&'static str> {
        REFUSED.into_iter().find(|name| self.has(name))
    }

    /// Whether a directive is there.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// All of them, as for a compiler, each with a blank behind it.
    pub fn words(&self) -> String {
        let word = |(name, value): (&String, &String)| match &**value {
            "1" => format!("-D{name} "),
            value => format!("-D{name}={value} "),
        };
        self.0.iter().map(word).collect()
    }

    /// Adds one.
    pub fn add(&mut self, name: &str) {
        self.0.entry(name.to_owned()).or_insert_with(|| "1".to_owned());
    }

    /// The number that a directive stands for.
    pub fn number(&self, name: &str) -> Option<u64> {
        self.0.get(name).map(|value| atoi(value).max(0).unsigned_abs())
    }

    /// Whether one of them asks for hash compaction.
    pub fn hash_compact(&self) -> bool {
        ["HC", "HC0", "HC1", "HC2", "HC3", "HC4"].iter().any(|name| self.has(name))
    }

    /// Breadth first, be it in parallel.
    pub fn breadth_first(&self) -> bool {
        self.has("BFS") || self.has("BFS_PAR") || self.has("BFS_DISK")
    }

    /// Without searches for cycles.
    pub fn safety(&self) -> bool {
        self.has("SAFETY") || self.breadth_first()
    }

    /// Threads asked for.
    pub fn cores(&self) -> Option<u64> {
        let cores = match () {
            () if self.has("QUAD_CORE") => Some(4),
            () if self.has("DUAL_CORE") => Some(2),
            () => self.number("NCORE"),
        };
        cores.filter(|cores| *cores > 1)
    }
}
