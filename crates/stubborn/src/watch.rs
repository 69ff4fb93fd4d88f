//! Trace declarations: an automaton that moves along with some sends and receives.

use crate::access::Access;
use crate::bits::Channels;
use crate::instance::{Facts, Scanner};
use crate::known::Known;
use crate::walk::expressions;
use spinor_program::{Place, Program};

/// What a trace declaration watches, and what is touched where it does.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch {
    sends: Channels,
    receives: Channels,
    touched: Access,
}

impl Watch {
    /// `None` if there is no trace declaration. As far as channels are known, these only.
    pub fn new(program: &Program, known: &Known<'_>) -> Option<Self> {
        let trace = program.trace.as_ref()?;
        let is_watched = vec![false; program.proctypes.len()];
        let facts = Facts {
            program,
            is_watched: &is_watched,
            whole: &[],
            is_anonymous: false,
            minds_partners: false,
            minded: None,
            watch: None,
        };
        let scanner = Scanner { facts: &facts, known, capacity: &|_| None, proctype: None };
        let mut touched = Access::default();
        let mut channels = |places: &[Place]| {
            let all = places.iter().map(|place| scanner.channels(place, &mut touched).0);
            all.fold(Channels::default(), Channels::or)
        };
        let (sends, receives) = (channels(&trace.sends), channels(&trace.receives));
        program.each_action(&trace.body, &mut |action| {
            expressions(action, &mut |e| scanner.expression(e, &mut touched));
        });
        touched.writes.insert_range(location(program));
        Some(Watch { sends, receives, touched })
    }

    /// Adds what the declaration touches, if it watches something of this.
    pub fn add(&self, own: &mut Access) {
        let both = self.sends.or(self.receives);
        let seen = own.sends.and(self.sends).or(own.receives.and(self.receives));
        if !seen.or(own.meets().and(both)).is_empty() {
            own.add(&self.touched);
        }
    }
}

/// The object that stands for the location of the declaration.
fn location(program: &Program) -> std::ops::Range<u32> {
    let at = program.globals.bytes + program.proctypes.len() as u32;
    at..at + 1
}
