//! What is asked for and cannot be done together.

use crate::config::{CycleSearch, StoreKind};
use crate::{CheckConfig, Property, PropertyKind, SearchOrder};
use spinor_ts::Fairness;

/// Why a check cannot be done as it is asked for.
pub(crate) fn refusal(config: &CheckConfig, properties: &[Property]) -> Option<String> {
    if let (Some(order), Some(store)) = (config.order, config.store)
        && order.is_directed()
        && store != StoreKind::Exact
        && (order, store) != (SearchOrder::Ida, StoreKind::Bitstate)
    {
        return Some(format!(
            "`--search {}` keeps whole states (`--store exact`); of the others only `--search ida` \
             can use one, `--store bitstate`",
            order.name()
        ));
    }
    if let (Some(order @ (SearchOrder::Stateless | SearchOrder::RandomWalk)), Some(store)) =
        (config.order, config.store)
    {
        return Some(format!(
            "`--search {}` keeps no visited set, so there is no use for `--store {}`",
            order.name(),
            store.name()
        ));
    }
    let is_infinite = |p: &Property| {
        matches!(p.kind, PropertyKind::Acceptance | PropertyKind::NonProgress | PropertyKind::Ltl)
            || p.kind == PropertyKind::Never
    };
    let asks_for_cycles = properties.iter().any(is_infinite);
    let store = config.store.filter(|_| asks_for_cycles)?;
    if !matches!(store, StoreKind::Bitstate | StoreKind::Automaton) {
        return None;
    }
    if config.cycles == Some(CycleSearch::Scc) {
        return Some(format!(
            "`--cycles scc` numbers states, which `--store {}` does not: use `--cycles ndfs` or \
             another store",
            store.name()
        ));
    }
    (config.fairness == Fairness::Strong).then(|| {
        format!(
            "`--fairness strong` needs components, and these number states, which `--store {}` \
             does not: use another store",
            store.name()
        )
    })
}
