//! Systems of any make behind one type: searches are compiled for few types of systems.

use crate::engine::Driven;
use spinor_jit::Tiered;
use spinor_ts::{Expansion, Padded, TransitionSystem, Violation};

/// A system with an engine inside.
pub(crate) struct Boxed(Box<dyn DrivenSystem + Send>);

trait DrivenSystem: TransitionSystem + Driven {}

impl<T: TransitionSystem + Driven> DrivenSystem for T {}

impl Boxed {
    pub(crate) fn new(system: impl TransitionSystem + Driven + Send + 'static) -> Self {
        Self(Box::new(system))
    }
}

impl Driven for Boxed {
    fn engine(&self) -> &Tiered {
        self.0.engine()
    }
}

impl TransitionSystem for Boxed {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        self.0.initial()
    }

    fn hidden_bytes(&self) -> usize {
        self.0.hidden_bytes()
    }

    fn expand(&mut self, state: &[u8], out: &mut Expansion) {
        self.0.expand(state, out);
    }

    fn expand_padded(&mut self, state: Padded<'_>, out: &mut Expansion) {
        self.0.expand_padded(state, out);
    }

    fn expand_many(&mut self, states: &[Padded<'_>], out: &mut Expansion, ends: &mut Vec<u32>) {
        self.0.expand_many(states, out, ends);
    }
}
