//! From units to machine code in memory.

use super::emit::{Address, Body, Emit, FIXED, signature, step_signature};
use super::facts::Facts;
use super::plan::{Job, Unit};
use super::{CompileError, all, guards, step, watch};
use cranelift_codegen::ir::{InstBuilder, types};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Module, default_libcall_names};
use spinor_program::expr::ProctypeId;
use std::time::Duration;

/// Units and the addresses of their code.
pub(super) struct Made {
    pub module: JITModule,
    pub addresses: Vec<(usize, usize)>,
    /// Time that it took.
    pub cpu_time: Duration,
}

/// The code generator for this machine.
pub(crate) fn isa() -> Result<OwnedTargetIsa, CompileError> {
    if cfg!(target_endian = "big") || !cfg!(target_pointer_width = "64") {
        return Err(CompileError::NoBackend);
    }
    let mut flags = settings::builder();
    let chosen = [
        ("opt_level", super::OPT_LEVEL),
        ("enable_verifier", if cfg!(test) { "true" } else { "false" }),
        ("regalloc_algorithm", super::REGALLOC),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        ("unwind_info", "false"),
        ("enable_probestack", "false"),
        ("enable_table_access_spectre_mitigation", "false"),
        ("enable_heap_access_spectre_mitigation", "false"),
    ];
    for (name, value) in chosen {
        flags.set(name, value).map_err(|e| CompileError::Failed(e.to_string()))?;
    }
    let builder = cranelift_native::builder().map_err(|_| CompileError::NoBackend)?;
    builder.finish(settings::Flags::new(flags)).map_err(|e| CompileError::Failed(e.to_string()))
}

/// Generates some of the units.
pub(super) fn make(
    facts: &Facts<'_>,
    units: &[Unit],
    mine: &[usize],
) -> Result<Made, CompileError> {
    let failed = |e: cranelift_module::ModuleError| CompileError::Failed(e.to_string());
    let mut module = JITModule::new(JITBuilder::with_isa(isa()?, default_libcall_names()));
    let mut context = module.make_context();
    let mut builder_context = FunctionBuilderContext::new();
    let mut functions = Vec::with_capacity(mine.len());
    for &i in mine {
        let job = &units[i].job;
        let signature = match job {
            Job::WatchSend | Job::WatchReceive => signature(facts.conv, 5),
            _ => step_signature(facts.conv),
        };
        let id = module.declare_anonymous_function(&signature).map_err(failed)?;
        context.func.signature = signature;
        let builder = FunctionBuilder::new(&mut context.func, &mut builder_context);
        let builder = generate(builder, facts, job);
        builder.finalize(module.target_config());
        module.define_function(id, &mut context).map_err(failed)?;
        module.clear_context(&mut context);
        functions.push((i, id));
    }
    module.finalize_definitions().map_err(failed)?;
    let addresses = functions
        .into_iter()
        .map(|(i, id)| (i, module.get_finalized_function(id) as usize))
        .collect();
    Ok(Made { module, addresses, cpu_time: Duration::ZERO })
}

fn generate<'f>(builder: FunctionBuilder<'f>, facts: &Facts<'_>, job: &Job) -> FunctionBuilder<'f> {
    let body = match job {
        Job::Try { body, .. } | Job::Dispatch { body, .. } => *body,
        Job::Enabled(id) | Job::Provided(id) => Body::Process(*id),
        // Any process will do: its own pid and frame do not matter.
        Job::All | Job::MayMove => Body::Process(ProctypeId(0)),
        Job::WatchSend | Job::WatchReceive => Body::Trace,
    };
    let e = Emit::new(builder, facts, body);
    match job {
        Job::Try { role, part, .. } => step::generate(e, *role, part.clone()),
        Job::Dispatch { parts, .. } => dispatch(e, *parts),
        Job::All => all::generate(e),
        Job::Enabled(_) => guards::enabled(e),
        Job::Provided(_) => guards::provided(e),
        Job::MayMove => guards::may_move(e),
        Job::WatchSend => watch::watch(e, true),
        Job::WatchReceive => watch::watch(e, false),
    }
}

/// Passes on to the part of a large function that deals with the location.
fn dispatch<'f>(mut e: Emit<'_, 'f>, parts: usize) -> FunctionBuilder<'f> {
    let process = e.process();
    let base = e.b.ins().iadd(e.state, e.frame);
    let at = e.load_counter(process.location_bytes, FIXED, Address { base, offset: 0 });
    let at = e.b.ins().uextend(types::I64, at);
    let table = e.facts.tables.parts[parts].as_ptr() as usize;
    let callee = e.by_proctype(table, 8, at);
    let sig = e.step_sig();
    let call = e.b.ins().call_indirect(sig, callee, &[e.cx, e.state, e.frame, e.pid]);
    let answer = e.b.inst_results(call)[0];
    e.b.ins().return_(&[answer]);
    e.finish()
}
