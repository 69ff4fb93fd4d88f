//! Whether a process could move: guards without effects.

use crate::eval::Context;
use crate::fault::Fault;
use crate::starts::find_run;
use spinor_program::{Action, ReceiveField};

impl Context<'_> {
    /// `enabled(p)`: some transition of process `p` is executable now.
    pub(crate) fn is_enabled(&self, pid: i32) -> Result<bool, Fault> {
        let Some(pid) = usize::try_from(pid).ok().filter(|&p| p < self.lineup.seats.len()) else {
            return Ok(false);
        };
        if self.pid == Some(pid) {
            return Err(Fault::OwnEnabled);
        }
        // No more processes than this can ask for each other in turn.
        const DEEPEST: u32 = 255;
        let asking = &self.exec.asking;
        if asking.get() > DEEPEST {
            return Err(Fault::OwnEnabled);
        }
        asking.set(asking.get() + 1);
        let is_enabled = self.has_executable(pid);
        asking.set(asking.get() - 1);
        is_enabled
    }

    /// Whether some transition of a process is executable, guards only.
    pub(crate) fn has_executable(&self, pid: usize) -> Result<bool, Fault> {
        let cx = self.of_process(pid);
        let at = self.lineup.seats[pid].location(self.state);
        for t in &self.process_type(pid).automaton.locations[at].transitions {
            if cx.is_executable(&self.exec.program.statement(t.statement).action)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Guard of an action, without its effect. A rendezvous send counts.
    pub(crate) fn is_executable(&self, action: &Action) -> Result<bool, Fault> {
        Ok(match action {
            // Reached only if nothing before it was executable.
            Action::Else => true,
            Action::Condition(e) => find_run(e).is_some() || self.eval(e)? != 0,
            Action::Send(send) => {
                let at = self.channel(&send.channel)?;
                let buffer = self.buffer(at);
                buffer.capacity == 0 || buffer.len(self.state, at.offset) < buffer.capacity
            }
            Action::Receive(receive) => {
                let at = self.channel(&receive.channel)?;
                let buffer = self.buffer(at);
                if buffer.capacity == 0 {
                    return Ok(false);
                }
                let mut pattern = Vec::with_capacity(receive.args.len());
                for field in &receive.args {
                    pattern.push(match field {
                        ReceiveField::Match(e) => Some(self.eval(e)?),
                        ReceiveField::Bind(_) | ReceiveField::Any => None,
                    });
                }
                buffer.find(self.state, at.offset, &pattern, receive.random).is_some()
            }
            Action::Terminate => self.pid.is_none_or(|pid| pid + 1 == self.lineup.seats.len()),
            Action::DStep(inner) => {
                for t in &inner.locations[inner.start.index()] {
                    if self.is_executable(&self.exec.program.statement(t.statement).action)? {
                        return Ok(true);
                    }
                }
                false
            }
            _ => true,
        })
    }
}
