//! Processes: how they are called, who starts them, what their priorities are.

use super::narrator::{Moment, Narrator};
use super::values::shown_name;
use crate::host::Host;
use spinor_exec::Value;
use spinor_program::Expr;

impl Narrator<'_> {
    /// The processes that are there from the beginning.
    pub fn opening(&mut self, initial: &[u8], host: &mut Host<'_>) {
        for pid in 0..self.view.exec.process_count(initial) {
            let Some(process) = self.view.process(initial, pid) else { continue };
            let name = shown_name(&process.name);
            if self.style.columns {
                host.print(format_args!("proc {pid} = {name}\n"));
            } else if self.style.views.statements && !self.style.is_guided {
                let priority = self.above_one(initial, pid);
                host.print(format_args!(
                    "  0:\tproc  - (:root:) creates proc {pid:2} ({name}){priority}\n"
                ));
            }
        }
    }

    /// `proc  0 (A:1) `.
    pub fn process(&self, state: &[u8], pid: usize) -> String {
        let Some(process) = self.view.process(state, pid) else { return String::new() };
        let name = shown_name(&process.name);
        if self.style.no_priority {
            return format!("proc {pid:2} ({name}) ");
        }
        let priority = self.view.exec.priority(state, pid).unwrap_or(1);
        format!("proc {pid:2} ({name}:{priority}) ")
    }

    /// The priority of a new process, unless it is the usual one.
    fn above_one(&self, state: &[u8], pid: usize) -> String {
        let priority = self.view.exec.priority(state, pid).filter(|n| *n > 1);
        priority.map_or(String::new(), |n| format!(" priority {n}"))
    }

    /// The processes that a step starts.
    pub(super) fn creations(&mut self, moment: &Moment, host: &mut Host<'_>) {
        let before = self.view.exec.process_count(&moment.before);
        for pid in before..self.view.exec.process_count(&moment.after) {
            self.created += 1;
            let Some(process) = self.view.process(&moment.after, pid) else { continue };
            let name = shown_name(&process.name);
            if self.style.views.statements || self.style.views.verbose {
                let number = pid + self.shift;
                let priority = self.view.exec.priority(&moment.after, pid);
                let priority = priority.map_or(String::new(), |n| format!(" priority {n}"));
                host.print(format_args!("Starting {name} with pid {number}{priority}\n"));
            }
            if self.style.columns {
                self.wants_heading = true;
                host.print(format_args!("proc {pid} = {name}\n"));
            } else if self.style.views.statements && !self.style.is_guided {
                let who = self.who(moment, true);
                let priority = self.above_one(&moment.after, pid);
                host.print(format_args!("{who}creates proc {pid:2} ({name}){priority}\n"));
            }
        }
    }

    /// `set_priority(whose, n)`.
    pub(super) fn priority_set(&self, moment: &Moment, whose: &Expr, host: &mut Host<'_>) {
        let look = self.view.exec.look(&moment.before);
        let whose = look.value(Self::pid(moment), &Value::new(whose));
        let Some(pid) = whose.and_then(|pid| usize::try_from(pid).ok()) else { return };
        let priority = self.view.exec.priority(&moment.after, pid);
        let (Some(process), Some(priority)) = (self.view.process(&moment.after, pid), priority)
        else {
            return;
        };
        let (depth, name) = (moment.depth, shown_name(&process.name));
        host.print(format_args!(
            "{depth:3}: setting priority of proc {pid} ({name}) to {priority}\n"
        ));
    }
}
