//! New processes: the bytes that a state gains when one starts.

use spinor_exec::{Exec, Options};
use spinor_program::expr::{BinaryOp, ProctypeId};
use spinor_program::{CEntry, CInstance, Expr, Initial, Place, ProcessType, Program, Scalar};
use std::sync::Arc;

/// Most processes that can exist at a time.
const MAX_PROCESSES: usize = 255;

/// How to start processes of each type.
pub(crate) struct Starts {
    program: Arc<Program>,
    templates: Vec<Template>,
    /// Evaluates initial values that are not constant.
    exec: Option<Exec>,
    /// Embedded C, with memory of its own.
    c: Option<(CEntry, Box<dyn CInstance>)>,
}

/// A process type as it begins.
struct Template {
    /// Frame and channels; parameters and channel numbers are zero.
    bytes: Vec<u8>,
    /// Constant initial values of hidden variables.
    hidden: Vec<(usize, Scalar, i32)>,
    initials: Initials,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Initials {
    /// All are in the template.
    Constant,
    /// They have to be evaluated, and cannot err.
    Evaluated,
    /// They may err.
    Unsafe,
}

impl Starts {
    /// Templates for the proctypes of a program.
    pub fn new(program: Arc<Program>, options: Options) -> Self {
        let templates: Vec<_> =
            program.proctypes.iter().map(|p| Template::new(&program, p)).collect();
        let is_evaluated = templates.iter().any(|t| t.initials == Initials::Evaluated);
        let exec = is_evaluated.then(|| Exec::new(Arc::clone(&program), options));
        let library = program.embedded.as_ref().and_then(|c| c.library.as_ref());
        let c = library.and_then(|library| library.instance().ok()).map(|c| (c.entry(), c));
        Starts { program, templates, exec, c }
    }

    /// What calls embedded C.
    pub fn c_entry(&self) -> Option<CEntry> {
        self.c.as_ref().map(|(entry, _)| *entry)
    }

    /// Number of parameters of a proctype.
    pub fn params(&self, proctype: usize) -> usize {
        self.program.proctypes[proctype].params.len()
    }

    /// Bytes that a state gains.
    pub fn growth(&self, proctype: usize) -> usize {
        self.templates[proctype].bytes.len() + self.program.proctype_bytes as usize
    }

    /// Writes `state` with one more process to `out` and returns its pid; `None` if the
    /// model errs, or may.
    pub fn start(
        &self,
        state: &[u8],
        proctype: usize,
        args: &[i32],
        priority: i32,
        out: &mut [u8],
    ) -> Option<usize> {
        let program = &*self.program;
        let process = &program.proctypes[proctype];
        let template = &self.templates[proctype];
        let pid = usize::from(state[0]);
        let library = program.embedded.as_ref().and_then(|c| c.library.as_ref());
        let has_c = library.is_some_and(|library| library.initialises(ProctypeId(proctype as u32)));
        if pid >= MAX_PROCESSES || template.initials == Initials::Unsafe || has_c {
            return None;
        }
        let width = program.proctype_bytes as usize;
        let header = 1 + pid * width;
        let old_key = state.len() - program.hidden_bytes as usize;
        let frame = old_key + width;
        let key = frame + template.bytes.len();
        out[..header].copy_from_slice(&state[..header]);
        out[0] += 1;
        out[header..header + width].copy_from_slice(&(proctype as u32).to_le_bytes()[..width]);
        out[header + width..frame].copy_from_slice(&state[header..old_key]);
        out[frame..key].copy_from_slice(&template.bytes);
        out[key..].copy_from_slice(&state[old_key..]);
        if program.uses_priority {
            out[frame + process.priority_offset as usize] = priority as u8;
        }
        for (&(offset, scalar), &value) in process.params.iter().zip(args) {
            scalar.store(out, frame + offset as usize, value);
        }
        if !process.frame.channels.is_empty() {
            self.number_channels(process, header, frame, out)?;
        }
        for &(offset, scalar, value) in &template.hidden {
            scalar.store(out, key + offset, value);
        }
        if template.initials == Initials::Evaluated {
            let exec = self.exec.as_ref()?;
            for initial in &process.frame.initials {
                let value = exec.evaluate(out, Some(pid), &initial.value);
                let base = if initial.hidden { key } else { frame };
                initial.scalar.store(out, base + initial.offset as usize, value);
            }
        }
        Some(pid)
    }

    /// Gives the channels of the new process the next numbers.
    fn number_channels(
        &self,
        process: &ProcessType,
        old_header: usize,
        frame: usize,
        out: &mut [u8],
    ) -> Option<()> {
        let program = &*self.program;
        let width = program.proctype_bytes as usize;
        let channels_of = |id: &[u8]| {
            let id = id.iter().rev().fold(0, |n, &b| n << 8 | usize::from(b));
            program.proctypes[id].frame.channels.len()
        };
        let owned: usize = out[1..old_header].chunks(width).map(channels_of).sum();
        let before = program.globals.channels.len() + owned;
        let scalar = program.channel_scalar;
        for (i, site) in process.frame.channels.iter().enumerate() {
            let number = (before + i + 1) as i32;
            if scalar.truncate(number) != number {
                return None;
            }
            scalar.store(out, frame + site.variable as usize, number);
        }
        Some(())
    }
}

impl Template {
    fn new(program: &Program, process: &ProcessType) -> Self {
        let frame = &process.frame;
        let channel_bytes = |site: &spinor_program::ChannelSite| {
            program.channel_types[site.channel.0 as usize].bytes() as usize
        };
        let channels: usize = frame.channels.iter().map(channel_bytes).sum();
        let mut bytes = vec![0; frame.bytes as usize + channels];
        let width = process.location_bytes as usize;
        bytes[..width].copy_from_slice(&process.automaton.start.0.to_le_bytes()[..width]);
        let mut hidden = Vec::new();
        let constant = |initial: &Initial| match initial.value {
            Expr::Const(value) => Some(value),
            _ => None,
        };
        let constants: Option<Vec<i32>> = frame.initials.iter().map(constant).collect();
        let initials = match constants {
            Some(values) => {
                for (initial, value) in frame.initials.iter().zip(values) {
                    let offset = initial.offset as usize;
                    if initial.hidden {
                        hidden.push((offset, initial.scalar, value));
                    } else {
                        initial.scalar.store(&mut bytes, offset, value);
                    }
                }
                Initials::Constant
            }
            None if frame.initials.iter().all(|i| cannot_err(&i.value)) => Initials::Evaluated,
            None => Initials::Unsafe,
        };
        Template { bytes, hidden, initials }
    }
}

/// Whether an expression has a value in every state.
fn cannot_err(e: &Expr) -> bool {
    let is_plain = |place: &Place| place.indices.is_empty();
    match e {
        Expr::Const(_) | Expr::Predefined(_) => true,
        Expr::Load(place) => is_plain(place),
        Expr::Unary(_, a) => cannot_err(a),
        Expr::Binary(op, a, b) => {
            let divides = matches!(op, BinaryOp::Div | BinaryOp::Rem);
            let is_safe = !divides || matches!(**b, Expr::Const(n) if n != 0);
            is_safe && cannot_err(a) && cannot_err(b)
        }
        Expr::Conditional(c, a, b) => cannot_err(c) && cannot_err(a) && cannot_err(b),
        _ => false,
    }
}
