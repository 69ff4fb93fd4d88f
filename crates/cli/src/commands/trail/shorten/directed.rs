//! Trail-directed search: the last state of a long run shows the way to a shorter one.

use super::{checked, config, is_same};
use crate::args::ShortenArgs;
use crate::trails::Opened;
use spinor_check::{
    CheckConfig, ErrorReport, Guidance, Heuristic, Loaded, PropertyKind, SearchOrder,
};
use spinor_trace::Move;
use std::time::Duration;

/// Time for it, at most.
const TIME: Duration = Duration::from_secs(5);

/// Searches for the same error by a run of fewer than `long` steps.
pub(super) fn search(
    args: &ShortenArgs,
    loaded: &Loaded,
    opened: &Opened,
    long: usize,
) -> Result<Option<ErrorReport>, u8> {
    let is_finite = opened.run.cycle_start.is_none();
    let program_has_hidden = loaded.program.as_ref().is_none_or(|p| p.hidden_bytes > 0);
    if !is_finite || opened.property.kind != PropertyKind::Safety || program_has_hidden {
        return Ok(None);
    }
    let event = |step: &Move| match step {
        Move::Event(number) => Some(*number),
        Move::Stutter => None,
    };
    let limit = args.timeout.map_or(TIME, |timeout| timeout.min(TIME));
    let config = CheckConfig {
        // Weighted by 1 it is A*; nothing has to be proved here.
        order: Some(SearchOrder::Wastar),
        shortest: false,
        max_depth: (long as u64).checked_sub(1).filter(|depth| *depth > 0),
        time_limit: Some(limit),
        guidance: Guidance {
            heuristic: Some(Heuristic::Fsm),
            weight: Some(100),
            target: Some(opened.run.moves.iter().filter_map(event).collect()),
            ..Guidance::default()
        },
        ..config(args, opened, 1)
    };
    let reports = checked(loaded, &config)?;
    let mut errors = reports.into_iter().flat_map(|report| report.errors);
    Ok(errors.find(|error| is_same(opened, error)))
}
