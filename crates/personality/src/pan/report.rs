//! The report at the end of a search, as pan prints it.

use super::directives::Directives;
use super::options::{ClaimChoice, RunOptions};
use super::plan::{Cycles, DEPTH, Plan, bits};
use super::reach::{self, Claims};
use crate::VERSION;
use crate::model::Model;
use crate::numbers::general;
use spinor_check::{Incomplete, PropertyReport, SearchOrder};
use std::fmt::Write as _;

/// Bytes that pan keeps beside each state.
const OVERHEAD: u64 = 28;

/// A search that has ended.
pub(crate) struct Ended<'a> {
    pub model: &'a Model,
    pub directives: &'a Directives,
    pub options: &'a RunOptions,
    pub plan: &'a Plan,
    pub report: &'a PropertyReport,
    /// With those that are no violations, such as a depth limit.
    pub errors: u64,
}

impl Ended<'_> {
    /// Everything from the version to the time.
    pub fn text(&self) -> String {
        let mut out = format!("\n({VERSION})\n");
        if !self.is_done() {
            out.push_str("Warning: Search not completed\n");
        }
        self.modes(&mut out);
        self.properties(&mut out);
        self.figures(&mut out);
        self.memory(&mut out);
        let wants_list = !self.options.no_unreached && (self.is_done() || self.options.verbose);
        if wants_list && !self.report.executed.is_empty() {
            let claims = match (self.plan.claim, &self.options.claim) {
                (None, _) => Claims::Idle,
                (Some(claim), Some(ClaimChoice::Name(_))) => Claims::Only(claim),
                (Some(_), _) => Claims::All,
            };
            out.push_str(&reach::lists(self.model, &self.report.executed, claims));
        }
        self.time(&mut out);
        out
    }

    /// Whether the search came to its end; one that is cut at a depth does.
    fn is_done(&self) -> bool {
        let stops = |reason: &Incomplete| {
            use Incomplete::{ErrorLimit, Interrupted, Memory, Time};
            matches!(reason, ErrorLimit(_) | Interrupted | Memory(_) | Time(_))
        };
        !self.report.incomplete.iter().any(stops)
    }

    fn modes(&self, out: &mut String) {
        let has = |name: &str| self.directives.has(name);
        let threads = self.report.search.threads;
        if has("BFS_PAR") {
            let _ = writeln!(out, "\t+ Multi-Core (using {threads} cores)");
        } else if let Some(cores) = self.directives.cores() {
            let _ = writeln!(out, "\t+ Multi-Core (NCORE={cores})");
        }
        if self.report.search.order == SearchOrder::Bfs {
            out.push_str("\t+ Breadth-First Search\n");
        }
        if self.plan.reduces {
            out.push_str("\t+ Partial Order Reduction\n");
        }
        if has("COLLAPSE") {
            out.push_str("\t+ Compression\n");
        }
        if has("TRIX") {
            out.push_str("\t+ Tree Index Compression\n");
        }
        if let Some(size) = self.directives.number("MA") {
            let _ = writeln!(out, "\t+ Graph Encoding (-DMA={size})");
        }
        out.push_str(match () {
            () if has("BITSTATE") => "\nBit statespace search for:\n",
            () if self.directives.hash_compact() => "\nHash-Compact 4 search for:\n",
            () => "\nFull statespace search for:\n",
        });
    }

    fn properties(&self, out: &mut String) {
        let program = self.model.loaded.program.as_ref().expect("the model was read");
        if let Some(trace) = &program.trace {
            out.push_str(if trace.negated {
                "\tnotrace assertion  \t+\n"
            } else {
                "\ttrace assertion    \t+\n"
            });
        }
        let is_np = self.directives.has("NP");
        let claim = match self.plan.claim.map(|claim| &program.claims[claim].name) {
            _ if is_np => "+ (:np_:)".to_owned(),
            Some(name) => format!("+ ({name})"),
            None if self.directives.has("NOCLAIM") => "- (not selected)".to_owned(),
            None => "- (none specified)".to_owned(),
        };
        let has_claim = is_np || self.plan.claim.is_some();
        let _ = writeln!(out, "\tnever claim         \t{claim}");
        let asserts = match (self.options.no_asserts, has_claim) {
            (true, _) => "- (disabled by -A flag)",
            (false, true) => "+ (if within scope of claim)",
            (false, false) => "+",
        };
        let _ = writeln!(out, "\tassertion violations\t{asserts}");
        if self.directives.safety() {
            out.push_str("\tcycle checks       \t- (disabled by -DSAFETY)\n");
        } else {
            let what = if is_np { "non-progress cycles " } else { "acceptance   cycles " };
            let fair = if self.options.fairness { "en" } else { "dis" };
            let status = match self.plan.cycles {
                Cycles::None => "- (not selected)".to_owned(),
                _ => format!("+ (fairness {fair}abled)"),
            };
            let _ = writeln!(out, "\t{what}\t{status}");
        }
        let ends = match (self.options.no_ends, has_claim) {
            (true, _) => "- (disabled by -E flag)",
            (false, true) => "- (disabled by never claim)",
            (false, false) => "+",
        };
        let _ = writeln!(out, "\tinvalid end states\t{ends}\n");
    }

    fn figures(&self, out: &mut String) {
        let stats = &self.report.stats;
        let bytes = stats.state_bytes;
        let _ = writeln!(
            out,
            "State-vector {bytes} byte, depth reached {}, errors: {}",
            stats.depth_reached, self.errors
        );
        let count = |n: u64| format!("{:>9}", general(n as f64, 8));
        let visited = match self.plan.cycles {
            Cycles::None => stats.stored,
            _ => stats.expanded.max(stats.stored),
        };
        if visited > stats.stored {
            let visited = general(visited as f64, 6);
            let _ = writeln!(out, "{} states, stored ({visited} visited)", count(stats.stored));
        } else {
            let _ = writeln!(out, "{} states, stored", count(stats.stored));
        }
        if self.report.search.order == SearchOrder::Bfs {
            let nominal = general(stats.stored.saturating_sub(stats.atomic_steps) as f64, 6);
            let _ = writeln!(out, "\t{nominal:>8} nominal states (stored-atomic)");
        }
        let _ = writeln!(out, "{} states, matched", count(stats.matched));
        let sum = if visited > stats.stored { "visited" } else { "stored" };
        let transitions = count(visited + stats.matched);
        let _ = writeln!(out, "{transitions} transitions (= {sum}+matched)");
        let _ = writeln!(out, "{} atomic steps", count(stats.atomic_steps));
        if self.directives.has("BITSTATE") {
            let factor = stats.hash_factor.unwrap_or(0.0);
            let k = self.options.bits;
            let _ = writeln!(out, "\nhash factor: {} (best if > 100.)\n", general(factor, 6));
            let _ = writeln!(out, "bits set per state: {k} (-k{k})\n");
        } else {
            let _ = writeln!(out, "hash conflicts: {} (resolved)\n", count(0));
        }
    }

    fn memory(&self, out: &mut String) {
        let stats = &self.report.stats;
        let megabytes = |bytes: u64| format!("{:9.3}", bytes as f64 / f64::from(1 << 20));
        out.push_str("Stats on memory usage (in Megabytes):\n");
        let equivalent = stats.stored.saturating_mul(stats.state_bytes + OVERHEAD);
        let _ = writeln!(
            out,
            "{}\tequivalent memory usage for states (stored*(State-vector + overhead))",
            megabytes(equivalent)
        );
        if self.directives.has("BITSTATE") {
            let table = megabytes(1 << (bits(self.options) - 3));
            let _ = writeln!(out, "{table}\tmemory used for hash array (-w{})", bits(self.options));
        } else {
            let _ = write!(out, "{}\tactual memory usage for states", megabytes(stats.store_bytes));
            if stats.store_bytes > 0 && stats.store_bytes < equivalent {
                let share = 100.0 * stats.store_bytes as f64 / equivalent as f64;
                let _ = write!(out, " (compression: {share:.2}%)");
            }
            out.push('\n');
        }
        if self.report.search.order != SearchOrder::Bfs {
            let rest = stats.peak_memory_bytes.saturating_sub(stats.store_bytes);
            let depth = self.options.depth.unwrap_or(DEPTH);
            let _ = writeln!(out, "{}\tmemory used for DFS stack (-m{depth})", megabytes(rest));
        }
        let _ =
            writeln!(out, "{}\ttotal actual memory usage\n", megabytes(stats.peak_memory_bytes));
        out.push('\n');
    }

    fn time(&self, out: &mut String) {
        let time = self.report.stats.search_time.as_secs_f64();
        // As the clock of `times`, in hundredths.
        let time = (time * 100.0).floor() / 100.0;
        let _ = writeln!(out, "\npan: elapsed time {} seconds", general(time, 3));
        if time > 0.01 {
            let stats = &self.report.stats;
            let rate = general(stats.stored as f64 / time, 8);
            let _ = writeln!(out, "pan: rate {rate:>9} states/second");
            if self.options.verbose {
                let delay = general(time * 1e6 / (stats.transitions.max(1)) as f64, 5);
                let _ = writeln!(out, "pan: avg transition delay {delay} usec");
            }
        }
    }
}
