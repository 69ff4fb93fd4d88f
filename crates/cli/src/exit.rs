//! Exit codes, part of the contract with scripts.

use spinor_check::{PropertyReport, Verdict, ViolationKind};

pub(crate) const OK: u8 = 0;
pub(crate) const USAGE: u8 = 2;
pub(crate) const SAFETY: u8 = 10;
pub(crate) const DEADLOCK: u8 = 11;
pub(crate) const CLAIM: u8 = 12;
pub(crate) const NO_PROGRESS: u8 = 13;
pub(crate) const RUNTIME: u8 = 14;
pub(crate) const INCOMPLETE: u8 = 20;
pub(crate) const BAD_MODEL: u8 = 65;
pub(crate) const UNREADABLE: u8 = 66;
pub(crate) const INTERNAL: u8 = 70;
pub(crate) const INTERRUPTED: u8 = 130;

/// The exit code of a check: the first violated property decides.
pub(crate) fn of(reports: &[PropertyReport]) -> u8 {
    if reports.iter().any(|r| r.interrupted) {
        return INTERRUPTED;
    }
    let first = reports.iter().find_map(|r| r.errors.first());
    match first.map(|error| error.violation.kind) {
        Some(kind) => of_violation(kind),
        None if reports.iter().all(|r| r.verdict == Verdict::Holds) => OK,
        None => INCOMPLETE,
    }
}

/// The exit code of a violation.
pub(crate) fn of_violation(kind: ViolationKind) -> u8 {
    match kind {
        ViolationKind::Assertion | ViolationKind::TraceViolated => SAFETY,
        ViolationKind::InvalidEndState => DEADLOCK,
        ViolationKind::ClaimViolated | ViolationKind::AcceptanceCycle => CLAIM,
        ViolationKind::NonProgressCycle => NO_PROGRESS,
        ViolationKind::Runtime => RUNTIME,
    }
}
