//! Moves that nobody knows yet.

use spinor_store::Dependence;
use spinor_ts::{Expansion, Footprint, GroupMoves, TransitionSystem};

/// Makes the moves of a group and tells what they depend on, which need not be found out if it is known (`is_anchored`). `None` if the state is to be
/// expanded as a whole.
pub(crate) fn moves_of_group<'f>(
    system: &mut impl TransitionSystem,
    state: &[u8],
    group: usize,
    is_anchored: bool,
    expansion: &mut Expansion,
    footprint: &'f mut Footprint,
) -> Option<Dependence<'f>> {
    let asked = (!is_anchored).then_some(&mut *footprint);
    match system.expand_group(state, group, expansion, asked) {
        GroupMoves::Local if is_anchored => Some(Dependence::AsKnown),
        GroupMoves::Local => Some(Dependence::On(footprint)),
        GroupMoves::Global => Some(Dependence::Unknown),
        GroupMoves::Inseparable => None,
    }
}
