//! Random walks: one move after the other, by chance, again and again from the start.
//!
//! Nothing is remembered but the current run. Errors deep down in a model too large for
//! any visited set may be met; that there are none is never shown.

use crate::SearchConfig;
use crate::limits::Memory;
use crate::run::{Run, Stop};
use crate::sample::Random;
use spinor_ts::{
    Depth, EventKind, Expansion, Incomplete, Observer, Outcome, Path, TransitionSystem,
};

/// A walk begins anew after so many steps, unless a depth bound says otherwise.
const WALK: Depth = 10_000;
/// Moves in all if there is no limit on time.
const MOVES: u64 = 10_000_000;

/// Walks until an error, a limit, or ten million moves if there is no limit on time.
///
/// Figures: nothing is stored; `transitions` and `expanded` count moves.
pub fn random_walk<T: TransitionSystem>(
    system: &mut T,
    seed: u64,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Outcome {
    let mut run = Run::new(config, observer);
    let stop = match run.initial(system) {
        Ok(initial) => walk(system, &initial, seed, config, &mut run).err(),
        Err(None) => return run.finish(Vec::new(), Memory::default()),
        Err(stop) => stop,
    };
    let why = "random walks do not see everything";
    let incomplete = stop.into_iter().chain([Incomplete::Method(why.to_owned())]).collect();
    run.finish(incomplete, Memory::default())
}

fn walk<T: TransitionSystem>(
    system: &mut T,
    initial: &[u8],
    seed: u64,
    config: &SearchConfig,
    run: &mut Run<'_>,
) -> Result<(), Stop> {
    let longest = config.max_depth.unwrap_or(WALK);
    let mut random = Random::new(seed);
    let mut expansion = Expansion::new();
    let (mut state, mut path, mut depth) = (initial.to_vec(), Path::new(), 0);
    while config.time_limit.is_some() || run.stats.expanded < MOVES {
        if run.is_due() {
            let rest = (path.capacity() * size_of::<u32>()) as u64 + expansion.bytes_used();
            run.check(Memory { store: 0, rest })?;
        }
        run.expand(system, &state, depth, &mut expansion);
        for (number, event) in (0..).zip(expansion.events()) {
            let length = depth + Depth::from(event.steps);
            if let EventKind::Violation(violation) = event.kind
                && !run.is_cut(length)
            {
                let with = |last| path.iter().copied().chain([last]).collect();
                run.violation(violation, length, || with(number))?;
            }
        }
        let bound = longest.min(run.bound);
        let events = (0..).zip(expansion.events());
        let ways = events.filter(|(_, event)| {
            event.kind == EventKind::Successor && depth + Depth::from(event.steps) <= bound
        });
        let chosen = ways.clone().nth(random.below(ways.count()));
        if let Some((number, event)) = chosen {
            run.count_visit();
            depth += Depth::from(event.steps);
            path.push(number);
            state.clear();
            state.extend_from_slice(expansion.state(event));
        } else if path.is_empty() {
            // Every walk ends here.
            return Ok(());
        } else {
            (path, depth) = (Path::new(), 0);
            state.clear();
            state.extend_from_slice(initial);
        }
    }
    Ok(())
}
