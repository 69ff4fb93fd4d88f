//! Trail files as pan writes them.

use super::options::RunOptions;
use crate::host::Host;
use crate::model::Model;
use spinor_check::{ErrorReport, Property};
use spinor_program::{Expr, Program, Statement};
use spinor_trace::{SpinStep, SpinTrail};
use std::fs::OpenOptions;
use std::io::Write as _;

/// Writes trails, and numbers them if there may be several.
pub(crate) struct Trails<'a> {
    model: &'a Model,
    options: &'a RunOptions,
    property: &'a Property,
    written: u32,
    /// `PUTPID`: what stands between the name and the suffix.
    tag: String,
}

impl<'a> Trails<'a> {
    pub fn new(
        model: &'a Model,
        options: &'a RunOptions,
        property: &'a Property,
        putpid: bool,
    ) -> Self {
        let tag = if putpid { format!("_pan_{}", std::process::id()) } else { String::new() };
        Trails { model, options, property, written: u32::from(options.every_error), tag }
    }

    /// Writes the trail of an error and says so.
    pub fn write(&mut self, error: &ErrorReport, host: &mut Host<'_>) {
        let text = match self.text(error) {
            Some(text) => text,
            None => {
                host.print("pan: the trail cannot be written\n");
                return;
            }
        };
        let base = self.model.base_name();
        let number = match self.written {
            0 => String::new(),
            n if self.tag.is_empty() => n.to_string(),
            n => format!("_{n}"),
        };
        self.written += u32::from(!self.options.shorten);
        let named = |base: &str| format!("{base}{}{number}.{}", self.tag, self.options.suffix);
        let mut path = named(base);
        let mut result = self.save(&path, &text);
        if result.is_err()
            && let Some((stem, _)) = base.split_once('.')
        {
            path = named(stem);
            result = self.save(&path, &text);
        }
        match result {
            Ok(()) => host.print(format_args!("pan: wrote {path}\n")),
            Err(error) => {
                host.print(format_args!("pan: cannot create {path}\n"));
                host.complain(format_args!("cause: {error}\n"));
            }
        }
    }

    fn save(&self, path: &str, text: &str) -> std::io::Result<()> {
        let mut open = OpenOptions::new();
        open.write(true);
        if self.options.keep_trails && !self.options.shorten {
            open.create_new(true);
        } else {
            open.create(true).truncate(true);
        }
        let mut file = open.open(path)?;
        file.write_all(text.as_bytes())?;
        if self.options.read_only_trails {
            let mut permissions = file.metadata()?.permissions();
            permissions.set_readonly(true);
            file.set_permissions(permissions)?;
        }
        Ok(())
    }

    fn text(&self, error: &ErrorReport) -> Option<String> {
        let program = self.model.loaded.program.as_ref()?;
        // Where SPIN merges more than we do a trail has every step.
        if let Some(found) = error.as_found.as_ref().filter(|found| !found.kept_apart) {
            let steps = found.steps.iter();
            let steps = steps.map(|s| SpinStep { slot: s.pid.unwrap_or(0), id: s.trail_id });
            let merged = merges(program);
            let trail = SpinTrail { merged, steps: steps.collect(), ..SpinTrail::default() };
            return Some(trail.text());
        }
        let mut view = self.model.loaded.view(self.property)?;
        SpinTrail::of_run(&mut view, &error.run).ok().map(|trail| trail.text())
    }
}

/// Whether SPIN merges statements of this model at all.
fn merges(program: &Program) -> bool {
    let is_remote = |e: &Expr| matches!(e, Expr::RemoteVar { .. });
    !program.statements.iter().any(|statement| mentions(statement, is_remote))
        && program.proctypes.iter().all(|process| process.provided.is_none())
}

fn mentions(statement: &Statement, what: impl Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    statement.action.walk(&mut |e| found |= what(e));
    found
}
