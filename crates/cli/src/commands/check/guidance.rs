//! Options of directed searches.

use crate::args::CheckArgs;
use crate::trails::Opened;
use crate::{exit, output};
use spinor_check::{Guidance, Heuristic, Loaded, PropertyKind, SearchOrder};
use spinor_trace::Move;
use std::path::Path;

/// What directs the search, or what cannot be done.
pub(super) fn read(args: &CheckArgs, order: Option<SearchOrder>) -> Result<Guidance, String> {
    let is = |wanted: SearchOrder| order == Some(wanted);
    let is_directed = order.is_some_and(SearchOrder::is_directed);
    let needs = [
        ("--heuristic", args.heuristic.is_some(), is_directed, "a directed search"),
        ("--danger", !args.danger.is_empty(), is_directed, "a directed search"),
        ("--target", args.target.is_some(), is_directed, "a directed search"),
        ("--weight", args.weight.is_some(), is(SearchOrder::Wastar), "`--search wastar`"),
        ("--beam-width", args.beam_width.is_some(), is(SearchOrder::Beam), "`--search beam`"),
        ("--restarts", args.restarts.is_some(), is(SearchOrder::Ida), "`--search ida`"),
        ("--seed", args.seed.is_some(), is(SearchOrder::RandomWalk), "`--search random-walk`"),
    ];
    if let Some((option, .., what)) = needs.iter().find(|(_, given, fits, _)| *given && !fits) {
        return Err(format!("`{option}` is for {what}"));
    }
    let heuristic = match &args.heuristic {
        None => None,
        Some(name) => Some(Heuristic::of(name).ok_or_else(|| {
            let known = Heuristic::ALL.map(|heuristic| format!("`{}`", heuristic.name()));
            format!("there is no estimate `{name}`; there are {}", known.join(", "))
        })?),
    };
    if heuristic.is_some_and(Heuristic::needs_target) && args.target.is_none() {
        let name = heuristic.map_or("", Heuristic::name);
        return Err(format!(
            "`--heuristic {name}` needs a state to come to: name a trail with `--target`"
        ));
    }
    if args.beam_width == Some(0) {
        return Err("`--beam-width` needs at least 1".to_owned());
    }
    Ok(Guidance {
        heuristic,
        weight: args.weight,
        beam_width: args.beam_width,
        danger: args.danger.clone(),
        target: None,
        restarts: args.restarts,
        seed: args.seed.unwrap_or(0),
    })
}

/// The run of a trail, as events of the model.
pub(super) fn target(loaded: &Loaded, args: &CheckArgs, path: &Path) -> Result<Vec<u32>, u8> {
    let opened = Opened::read(loaded, &args.model.model, Some(path))?;
    let refuse = |why: &str| {
        output::error(&format!("the trail `{}` cannot be a target: {why}", opened.path));
        Err(exit::USAGE)
    };
    if opened.run.cycle_start.is_some() {
        return refuse("it goes on for ever");
    }
    if opened.property.kind != PropertyKind::Safety {
        return refuse("it is not about safety");
    }
    let event = |step: &Move| match step {
        Move::Event(number) => Some(*number),
        Move::Stutter => None,
    };
    Ok(opened.run.moves.iter().filter_map(event).collect())
}
