//! Positions that are alike.
//!
//! Whether a process is in the way of another one depends on what the one does next and on all that the other may ever do. The latter changes
//! seldom: in a loop it is everywhere the same. So positions are sorted into classes, by what a process does next (*rows*) and by what it
//! may do later (*columns*): who is in whose way has to be found out again only for those whose class has changed.

use crate::access::Access;
use crate::bits::Channels;
use crate::instance::Stop;
use std::collections::HashMap;

/// The classes of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub(crate) struct Class {
    /// What the process, which is told apart from others, does next.
    pub row: u32,
    /// What it may do later, and with whom it may move now.
    pub column: u32,
}

/// Finds equal ones.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    rows: HashMap<(usize, Access, Access), u32>,
    columns: HashMap<(Access, Channels, Channels), u32>,
}

impl Classes {
    /// Columns met so far.
    pub fn columns(&self) -> usize {
        self.columns.len()
    }

    /// The classes of a process that stops like that.
    pub fn of(&mut self, pid: usize, stop: &Stop) -> Class {
        let (rows, columns) = (self.rows.len() as u32, self.columns.len() as u32);
        let Stop { now, gate, future } = stop;
        let row = *self.rows.entry((pid, now.clone(), gate.clone())).or_insert(rows);
        let column = (future.clone(), now.calls, now.takes);
        Class { row, column: *self.columns.entry(column).or_insert(columns) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_tell_apart_what_matters() {
        let mut classes = Classes::default();
        let ends = Access { ends: true, ..Access::default() };
        let stop = |now: &Access, future: &Access| Stop {
            now: now.clone(),
            gate: now.gate(),
            future: future.clone(),
        };
        let none = Access::default();
        let first = classes.of(0, &stop(&none, &ends));
        assert_eq!(classes.of(0, &stop(&none, &ends)), first);
        let other = classes.of(1, &stop(&none, &ends));
        assert!(other.row != first.row && other.column == first.column, "another process");
        let later = classes.of(0, &stop(&ends, &ends));
        assert!(later.row != first.row && later.column == first.column, "it does something else");
        let last = classes.of(0, &stop(&none, &none));
        assert!(last.row == first.row && last.column != first.column, "it will do something else");
    }
}
