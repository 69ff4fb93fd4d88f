//! Distances to failed assertions: some process is at the assertion, and it does not hold.

use crate::actions::each;
use crate::cost::Cost;
use crate::distance::{FAR, Table, to_locations, to_steps};
use crate::formula::{Combine, Formulas};
use spinor_exec::Look;
use spinor_program::{Action, Program, StmtId};

/// All assertions of a program.
#[derive(Debug)]
pub(crate) struct Assertions {
    combine: Combine,
    /// By proctype.
    sites: Vec<Vec<Site>>,
    /// By proctype and location: steps until a process started from there has executed one.
    started: Vec<Table>,
}

/// An assertion in a proctype.
#[derive(Debug)]
struct Site {
    to: Table,
    fails: Cost,
}

/// Whether a statement is an assertion, or a `d_step` with one.
pub(crate) fn asserts(program: &Program, id: StmtId) -> bool {
    let mut found = false;
    each(program, id, &mut |action, _| found |= matches!(action, Action::Assert(_)));
    found
}

impl Assertions {
    pub fn new(formulas: &Formulas<'_>) -> Self {
        let program = formulas.program;
        let sites = program.proctypes.iter().enumerate().map(|(proctype, process)| {
            let mut sites: Vec<Site> = Vec::new();
            for (at, location) in process.automaton.locations.iter().enumerate() {
                for id in location.transitions.iter().map(|t| t.statement) {
                    let fails = match &program.statement(id).action {
                        Action::Assert(e) => formulas.cost(e, false, Some(proctype)),
                        // What is asserted inside depends on what is done there before.
                        _ if asserts(program, id) => Cost::Const(0),
                        _ => continue,
                    };
                    let to = to_locations(&process.automaton, |goal| goal == at);
                    sites.push(Site { to, fails });
                }
            }
            sites
        });
        let sites = sites.collect();
        let started = started(program, |id| asserts(program, id));
        Assertions { combine: formulas.combine, sites, started }
    }

    /// Steps until an assertion has failed, about.
    pub fn cost(&self, look: &Look<'_>) -> u32 {
        let mut least = FAR;
        for pid in 0..look.processes() {
            let proctype = look.proctype(pid).index();
            let at = look.location(pid);
            least = least.min(self.started[proctype][at]);
            for site in &self.sites[proctype] {
                let way = site.to[at];
                if way.saturating_add(1) >= least {
                    continue;
                }
                let fails = site.fails.of(look, Some(pid));
                let cost = match self.combine {
                    Combine::Sum => way.saturating_add(fails),
                    Combine::Bound => way.max(fails),
                };
                least = least.min(cost.saturating_add(1));
            }
        }
        least.min(FAR)
    }
}

/// By proctype and location: steps until a process that is started from there, or by such a one,
/// has executed a statement for which `is_goal` holds.
fn started(program: &Program, is_goal: impl Fn(StmtId) -> bool) -> Vec<Table> {
    let all = to_steps(program, |_, t| is_goal(t.statement));
    // Without the process's own: what is left are the steps to a `run` and what follows it.
    let mut tables: Vec<Vec<u32>> = all.iter().map(|table| vec![FAR; table.len()]).collect();
    loop {
        let mut is_changed = false;
        for (proctype, process) in program.proctypes.iter().enumerate() {
            for (at, location) in process.automaton.locations.iter().enumerate().rev() {
                let best = location.transitions.iter().map(|t| {
                    let own = tables[proctype].get(t.target.index()).copied().unwrap_or(FAR);
                    let started = crate::actions::runs_of(program, t.statement).map(|started| {
                        let start = program.proctypes[started.index()].automaton.start;
                        all[started.index()].get(start.index()).copied().unwrap_or(FAR)
                    });
                    started.fold(own, u32::min).saturating_add(1).min(FAR)
                });
                let best = best.min().unwrap_or(FAR);
                if best < tables[proctype][at] {
                    tables[proctype][at] = best;
                    is_changed = true;
                }
            }
        }
        if !is_changed {
            return tables.into_iter().map(Table::from).collect();
        }
    }
}

/// A lower bound on the steps until one of some statements is executed.
#[derive(Debug)]
pub(crate) struct Steps {
    tables: Vec<Table>,
}

impl Steps {
    /// To statements for which `is_goal` holds; told is the proctype, too.
    pub fn new(program: &Program, is_goal: impl Fn(usize, StmtId) -> bool) -> Self {
        Steps { tables: to_steps(program, |proctype, t| is_goal(proctype, t.statement)) }
    }

    pub fn cost(&self, look: &Look<'_>) -> u32 {
        let of = |pid| self.tables[look.proctype(pid).index()][look.location(pid)];
        (0..look.processes()).map(of).min().unwrap_or(FAR)
    }
}
