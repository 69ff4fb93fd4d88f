//! `spin`: options, then one of its many jobs.

pub(crate) mod options;
mod pretty;
mod product;
mod usage;
mod verifier;

use crate::host::Host;
use crate::model::{self, Model};
use crate::{VERSION, errors, pan, simulate, tables};
use options::{Ask, SpinOptions};
use spinor_check::CForm;

/// Does what `spin ARGS…` does; returns the exit code.
pub fn command(args: &[String], host: &mut Host<'_>) -> u8 {
    let code = match options::parse(args) {
        Ask::Version => {
            host.print(format_args!("{VERSION}\n"));
            0
        }
        Ask::Usage(reason) => {
            host.print(format_args!("{}{}", reason.unwrap_or(""), usage::TEXT));
            1
        }
        Ask::Conflict(reason) => {
            host.print(format_args!("spin: {reason}\n"));
            1
        }
        Ask::PrettyPrint => pretty::print_input(host),
        Ask::Go(options) => go(&options, host),
    };
    let _ = host.out.flush();
    code
}

fn go(options: &SpinOptions, host: &mut Host<'_>) -> u8 {
    let passes = options.no_dead_variables || options.keep_write_only || options.no_merging;
    if passes && !options.analyse && !options.tables {
        host.print("spin: warning -o[1..5] option ignored in simulations\n");
    }
    let Some(file) = &options.file else { return without_model(options, host) };
    if options.preprocess_only || options.inlined {
        return pretty::print_file(options, file, host);
    }
    let form = if writes_verifier(options) { CForm::Write } else { CForm::Compile };
    let mut model = match Model::open(options, file, form, host) {
        Ok(model) => model,
        Err(code) => return code,
    };
    if !options.product {
        host.print(&model.echo);
    }
    errors::print_warnings(&model.loaded, options.views.verbose, host);
    if options.product {
        return print_product(options, &model, host);
    }
    model.respell();
    if let Some(words) = &options.search {
        model.obey(&words.run);
    }
    if simulates(options) {
        model.weigh_priorities();
    }
    job(options, &model, host)
}

/// `-e`.
fn print_product(options: &SpinOptions, model: &Model, host: &mut Host<'_>) -> u8 {
    let program = model.loaded.program.as_ref().expect("the model was read");
    match product::text(program, options.strict_product) {
        Ok(claim) => {
            host.print(claim);
            0
        }
        Err(reason) => {
            host.print(format_args!("spin: Error: {reason}\n"));
            1
        }
    }
}

/// Whether a run is shown, not searched for.
fn simulates(options: &SpinOptions) -> bool {
    options.replay || !(options.analyse || options.tables)
}

/// Whether `pan.c` is written, which somebody else compiles.
fn writes_verifier(options: &SpinOptions) -> bool {
    let looks = options.symbols || options.channel_access || options.slice || options.tables;
    options.analyse && options.search.is_none() && !options.replay && !looks
}

fn job(options: &SpinOptions, model: &Model, host: &mut Host<'_>) -> u8 {
    if options.symbols {
        host.print(tables::symbols(model));
        return 0;
    }
    if options.channel_access {
        host.print(tables::channel_access(model, options.views.globals));
        return 0;
    }
    if options.slice {
        host.print(tables::slice(model));
        return 0;
    }
    if options.tables {
        return pan::search(model, &[], &["-d".to_owned()], host);
    }
    if options.replay || (options.trail.is_some() && !options.analyse) {
        return simulate::guided(options, model, host);
    }
    if let Some(words) = &options.search {
        tell_of_claims(model, host);
        pan::search(model, &words.compile, &words.run, host);
        // SPIN: what pan returns gets lost.
        return 0;
    }
    if options.analyse {
        let code = verifier::write(model, host);
        tell_of_claims(model, host);
        return code;
    }
    simulate::free(options, model, host)
}

/// A command line that names no model: a formula to translate, or a mistake.
fn without_model(options: &SpinOptions, host: &mut Host<'_>) -> u8 {
    let claim = model::formula_text(options).and_then(|text| match text {
        Some(text) => model::formula_claim(&text).map(Some),
        None => Ok(None),
    });
    match claim {
        Ok(Some(claim)) => {
            host.print(claim);
            0
        }
        Ok(None) => {
            host.print(format_args!("{VERSION}\n"));
            host.complain("spin: error, no filename specified\n");
            1
        }
        Err(reason) => {
            host.print(format_args!("tl_spin: {reason}\n"));
            1
        }
    }
}

/// Which of several claims a verifier takes.
fn tell_of_claims(model: &Model, host: &mut Host<'_>) {
    let claims = model.loaded.program.iter().flat_map(|program| &program.claims);
    let names: Vec<&str> = claims.map(|claim| &*claim.name).collect();
    let [first, _, ..] = names[..] else { return };
    let listed: Vec<&str> = names.iter().rev().copied().collect();
    host.print(format_args!(
        "  the model contains {} never claims: {}\n  only one claim is used in a verification run\n  \
         choose which one with ./pan -a -N name (defaults to -N {first})\n  \
         or use e.g.: spin -search -ltl {first} {}\n",
        names.len(),
        listed.join(", "),
        model.bundle.name,
    ));
}
