//! Nested depth-first search by several threads.

use super::blue::Worker;
use super::board::Board;
use super::copies::{Copies, needs_copies};
use super::judge::Lasso;
use super::nested::{first_visit, lasso};
use super::red::Reds;
use super::shorten::{Hint, visits_for};
use crate::SearchConfig;
use crate::limits::Memory;
use crate::run::{Run, note_loss};
use spinor_store::Store;
use spinor_ts::{Fairness, Incomplete, Observer, OmegaSystem, Outcome};
use std::sync::atomic::Ordering;

/// Expressions of a model may be nested deeply.
const STACK_BYTES: usize = 256 << 20;
/// The store is given time to tidy up when it has grown by half and by so much.
const TIDY_BYTES: u64 = 64 << 20;

/// Looks for wanted cycles, and for violations on the way, on as many threads as there are
/// systems, which have to be alike.
///
/// `store` has to be empty; keys have to tell its states apart, or be all it knows.
/// The verdict is that of the other searches. Copies are made as for
/// [`nested_depth_first`](super::nested_depth_first). There is no strong fairness.
pub fn parallel_nested<T: OmegaSystem + Send, S: Store<Key = u64>>(
    systems: &mut [T],
    store: &S,
    fairness: Fairness,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Outcome {
    let refuse = |why: &str| {
        let incomplete = vec![Incomplete::Method(why.to_owned())];
        Outcome { incomplete, ..Outcome::default() }
    };
    let Some(first) = systems.first() else { return refuse("there is nothing to search") };
    if fairness == Fairness::Strong {
        return refuse("a nested search cannot deal with strong fairness");
    }
    if needs_copies(first, fairness) {
        let mut copies: Vec<_> =
            systems.iter_mut().map(|system| Copies::new(system, fairness)).collect();
        return search(&mut copies, store, Copies::lasso, config, observer);
    }
    search(systems, store, lasso::<T>, config, observer)
}

fn search<T: OmegaSystem + Send, S: Store<Key = u64>>(
    systems: &mut [T],
    store: &S,
    lasso: fn(&mut T, &Hint, u64) -> Option<Lasso>,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Outcome {
    // A lasso is shortened once it is found.
    let config = &SearchConfig { shorten: false, ..config.clone() };
    let mut run = Run::new(config, observer);
    let initial = match run.initial(&mut systems[0]) {
        Ok(state) => state,
        Err(stop) => return run.finish(stop.into_iter().collect(), Memory::default()),
    };
    let board = Board::new(systems.len(), config);
    let reds = Reds::<S>::new();
    let mut stop = None;
    let memory = |run: &mut Run<'_>| {
        let rest = board.sum(&mut run.stats);
        Memory { store: store.bytes_used() + reds.bytes_used(), rest }
    };
    std::thread::scope(|scope| {
        for (number, system) in systems.iter_mut().enumerate() {
            let (board, reds, initial) = (&board, &reds, &initial);
            let work = move || {
                // The board hears of the end even if a system panics.
                let _end = End(board);
                Worker::new(system, store, reds, config, board, number).search(initial);
            };
            let thread = spinor_store::thread(STACK_BYTES);
            if thread.and_then(|thread| thread.spawn_scoped(scope, work)).is_err() {
                // The closure and its guard are gone: the board has heard of it.
                board.note_cut(None);
            }
        }
        let mut tidied = TIDY_BYTES;
        while board.watch() {
            if stop.is_none() {
                let memory = memory(&mut run);
                let is_full = store.is_nearly_full().then(|| {
                    Incomplete::Method("the visited set cannot take more states".to_owned())
                });
                stop = run.check(memory).err().or(is_full);
                if stop.is_some() {
                    board.stop();
                }
            }
            let used = store.bytes_used() + reds.bytes_used();
            if used > tidied + tidied / 2 && !board.is_stopped() {
                board.at_rest(|| {
                    store.quiesce();
                    reds.quiesce();
                });
                tidied = (store.bytes_used() + reds.bytes_used()).max(TIDY_BYTES);
            }
        }
    });
    let memory = memory(&mut run);
    let mut incomplete: Vec<Incomplete> = stop.into_iter().collect();
    let finds = board.take_finds();
    run.note_cut(finds.cut);
    let limit = report(finds, &mut systems[0], &mut run, lasso);
    incomplete.extend(limit);
    if let Some(limit) = config.memory_limit_bytes
        && board.is_over_memory.load(Ordering::Relaxed)
    {
        incomplete.push(Incomplete::Memory(limit));
    }
    if board.is_cut_at_bound.load(Ordering::Relaxed) {
        incomplete.push(Incomplete::Depth(run.bound));
    }
    let loss = note_loss(store, &mut run.stats);
    if loss.is_none() && board.is_stuck.load(Ordering::Relaxed) {
        let why = "threads that waited for each other have given up waiting";
        incomplete.push(Incomplete::Method(why.to_owned()));
    }
    incomplete.extend(loss);
    run.finish(incomplete, memory)
}

/// Tells the board that a thread has ended.
struct End<'a>(&'a Board);

impl Drop for End<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
        self.0.end();
    }
}

/// Enters the errors that were found; why the search ended there, if it did.
fn report<T: OmegaSystem>(
    finds: super::board::Finds,
    system: &mut T,
    run: &mut Run<'_>,
    lasso: fn(&mut T, &Hint, u64) -> Option<Lasso>,
) -> Option<Incomplete> {
    let hidden_length = system.hidden_bytes();
    let visits = visits_for(run.stats.expanded);
    let mut errors: Vec<_> = finds.errors.into_iter().collect();
    errors.sort_by_key(|(_, find)| find.length);
    for (violation, find) in errors {
        let occurrences = find.occurrences.max(1);
        let result = match find.closing {
            None => run.violations(violation, find.length, occurrences, || find.path),
            Some(closing) => run
                .lasso(violation, || {
                    let cycle_start =
                        Some(first_visit(system, &find.path, &closing, hidden_length)?);
                    lasso(system, &Hint { path: find.path, cycle_start }, visits)
                })
                .and_then(|()| match occurrences {
                    1 => Ok(()),
                    more => run.violations(violation, find.length, more - 1, Vec::new),
                }),
        };
        if result.is_err() {
            return result.err();
        }
    }
    None
}
