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
    let asks_for_cycles = properties.iter().any(|p| p.kind != PropertyKind::Safety);
    if let Some(why) = special(config, asks_for_cycles) {
        return Some(why);
    }
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

/// The same for searches that are not chosen by `--search`.
fn special(config: &CheckConfig, asks_for_cycles: bool) -> Option<String> {
    let options = [
        ("--swarm", config.swarm.is_some()),
        ("--cache", config.cache_bytes.is_some()),
        ("--context-bound", config.context_bound.is_some()),
    ];
    let given = || options.iter().filter(|(_, is_given)| *is_given).map(|(name, _)| *name);
    let option = given().next()?;
    if asks_for_cycles {
        return Some(format!(
            "`{option}` is for violations in finite runs: add `--property safety`"
        ));
    }
    if option == "--context-bound" && config.order != Some(SearchOrder::Stateless) {
        return None;
    }
    if config.order.is_some_and(|order| order != SearchOrder::Dfs) {
        return Some(format!("`{option}` is a depth-first search: leave out `--search`"));
    }
    let is_other = |store| option != "--swarm" || store != StoreKind::Bitstate;
    if config.store.is_some_and(is_other) {
        return Some(format!("`{option}` has a visited set of its own: leave out `--store`"));
    }
    if config.swarm.is_some() && config.cache_bytes.is_some() {
        return Some("`--swarm` and `--cache` are two different searches".to_owned());
    }
    (config.shortest)
        .then(|| format!("`{option}` does not look for shortest runs: leave out `--shortest`"))
}
