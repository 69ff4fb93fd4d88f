//! Systems of any make behind one type: searches are compiled for few types of systems.

use crate::engine::Driven;
use spinor_jit::Tiered;
use spinor_ts::{OmegaSystem, TransitionSystem};

/// A system with an engine inside.
pub(crate) type Boxed = Box<dyn DrivenSystem + Send>;

pub(crate) trait DrivenSystem: TransitionSystem + Driven {}

impl<T: TransitionSystem + Driven> DrivenSystem for T {}

pub(crate) fn boxed(system: impl DrivenSystem + Send + 'static) -> Boxed {
    Box::new(system)
}

/// A system with an engine inside whose infinite runs are judged.
pub(crate) type BoxedOmega = Box<dyn DrivenOmega + Send>;

pub(crate) trait DrivenOmega: OmegaSystem + Driven {}

impl<T: OmegaSystem + Driven> DrivenOmega for T {}

pub(crate) fn boxed_omega(system: impl DrivenOmega + Send + 'static) -> BoxedOmega {
    Box::new(system)
}

impl Driven for Boxed {
    fn engine(&self) -> &Tiered {
        (**self).engine()
    }
}

impl Driven for BoxedOmega {
    fn engine(&self) -> &Tiered {
        (**self).engine()
    }
}
