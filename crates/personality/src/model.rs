//! Reading a model the way `spin` does: with claims from files, from formulas, and from `ltl` blocks.

use crate::bundle::Bundle;
use crate::claims;
use crate::errors;
use crate::host::Host;
use crate::spin::options::SpinOptions;
use crate::{remote, rules};
use spinor_check::{CForm, COptions, CPolicy, Input, LoadOptions, Loaded, formula, load};
use spinor_sema::Scoping;
use std::path::PathBuf;
use std::sync::Arc;

/// The name that SPIN gives the file of the claims it makes.
pub(crate) const CLAIMS: &str = "_spin_nvr.tmp";

/// A model that was read.
pub(crate) struct Model {
    pub loaded: Loaded,
    /// What a verifier needs to read it again.
    pub bundle: Bundle,
    /// The formulas of its `ltl` blocks, as SPIN repeats them.
    pub echo: String,
    /// Processes have priorities, whether these are obeyed or not.
    has_priorities: bool,
}

impl Model {
    /// Reads the model that the options name. Problems are printed.
    pub fn open(
        options: &SpinOptions,
        file: &str,
        form: CForm,
        host: &mut Host<'_>,
    ) -> Result<Self, u8> {
        let text = match preprocessed(options, file) {
            Ok(text) => text,
            Err(message) => {
                host.print(format_args!("spin: {message}\n"));
                return Err(1);
            }
        };
        let added = added_claim(options).map_err(|message| {
            host.print(format_args!("spin: {message}\n"));
            1
        })?;
        let mut bundle = Bundle {
            name: file.to_owned(),
            text,
            has_claims: false,
            options: rules::Rules::of(options),
            defines: options.defines.clone(),
            folders: options.folders.clone(),
            files: Vec::new(),
        };
        if let Some((name, text)) = added {
            bundle.text = appended(&bundle.name, &bundle.text, &name, &text);
        }
        Self::read(bundle, form, host)
    }

    /// Reads a model from what was kept of it; `form` says where its C comes from.
    pub fn read(mut bundle: Bundle, form: CForm, host: &mut Host<'_>) -> Result<Self, u8> {
        let c = COptions { form, ..COptions::default() };
        let mut loaded = compile(&bundle, &c, host)?;
        let mut echo = String::new();
        let made = ltl_claims(&loaded, &mut echo);
        match made {
            Ok(text) if text.is_empty() => {}
            Ok(text) => {
                bundle.text = appended(&bundle.name, &bundle.text, CLAIMS, &text);
                bundle.has_claims = true;
                loaded = compile(&bundle, &c, host)?;
            }
            Err(message) => {
                host.print(format_args!("spin: {}: {message}\n", bundle.name));
                return Err(1);
            }
        }
        let files = loaded.sources.files();
        bundle.files =
            files.iter().skip(1).map(|f| (f.name.to_string(), f.text.to_string())).collect();
        let has_priorities = loaded.program.as_ref().is_some_and(|p| p.uses_priority);
        if let Some(message) = bundle.options.objection(&loaded) {
            host.print(format_args!("spin: {message}\n"));
            return Err(1);
        }
        let program = loaded.program.take();
        loaded.program = program.map(|program| bundle.options.apply(program));
        Ok(Model { loaded, bundle, echo, has_priorities })
    }

    /// `-q` of the verifier: messages may not stay in channels.
    pub fn obey(&mut self, words: &[String]) {
        if words.iter().any(|word| word.starts_with("-q"))
            && let Some(program) = &mut self.loaded.program
        {
            Arc::make_mut(program).ends_empty = true;
        }
    }

    /// Shows remote references as SPIN does.
    pub fn respell(&mut self) {
        if let Some(program) = &mut self.loaded.program {
            remote::respell(Arc::make_mut(program));
        }
    }

    /// Keeps the priorities of `-o6`, which are weights in simulations, in the states.
    pub fn weigh_priorities(&mut self) {
        if self.bundle.options.old_priorities
            && self.has_priorities
            && let Some(program) = &mut self.loaded.program
        {
            Arc::make_mut(program).weighs_priority = true;
        }
    }

    /// The model without folders in front of its name.
    pub fn base_name(&self) -> &str {
        self.bundle.name.rsplit('/').next().unwrap_or(&self.bundle.name)
    }
}

fn compile(bundle: &Bundle, c: &COptions, host: &mut Host<'_>) -> Result<Loaded, u8> {
    let input = Input::Text { name: bundle.name.clone(), bytes: bundle.text.clone() };
    let options = LoadOptions {
        defines: bundle.defines.clone(),
        include_dirs: bundle.folders.iter().map(PathBuf::from).collect(),
        overlay: bundle.files.clone(),
        explicit_semicolons: bundle.options.explicit_semicolons,
        scoping: if bundle.options.old_scopes { Scoping::Body } else { Scoping::Block },
        no_ltl: bundle.has_claims,
        // As pan does, which is C code altogether.
        c: CPolicy::Compile(c.clone()),
    };
    let loaded = match load(&input, &options) {
        Ok(loaded) => loaded,
        Err(error) => {
            host.print(format_args!("spin: {error}\n"));
            return Err(1);
        }
    };
    if !loaded.is_usable() {
        return Err(errors::print(&loaded, host));
    }
    Ok(loaded)
}

/// The text of the model; by another preprocessor if one is wanted.
fn preprocessed(options: &SpinOptions, file: &str) -> Result<Vec<u8>, String> {
    let Some(command) = options.preprocessor.as_deref().filter(|c| !is_ordinary(c)) else {
        return std::fs::read(file).map_err(|error| format!("cannot open {file}: {error}"));
    };
    let line = format!("{command} \"{}\"", file.replace('"', "\\\""));
    let output = std::process::Command::new("sh").arg("-c").arg(&line).output();
    match output {
        Ok(output) if output.status.success() => Ok(output.stdout),
        _ => Err(format!("preprocessing failed {line}")),
    }
}

/// Whether a command is the C preprocessor, which is built in.
fn is_ordinary(command: &str) -> bool {
    let program = command.split_whitespace().next().unwrap_or("");
    let program = program.rsplit('/').next().unwrap_or("");
    ["cpp", "gcc", "cc", "clang", "tcc"].iter().any(|name| program.starts_with(name))
}

/// The claim of `-N`, `-f` or `-F`: what it is called and its text.
fn added_claim(options: &SpinOptions) -> Result<Option<(String, String)>, String> {
    if let Some(file) = &options.claim_file {
        let text = std::fs::read_to_string(file);
        return match text {
            Ok(text) => Ok(Some((file.clone(), text))),
            Err(error) => Err(format!("cannot open {file}: {error}")),
        };
    }
    let Some(text) = formula_text(options)? else { return Ok(None) };
    Ok(Some((CLAIMS.to_owned(), formula_claim(&text)?)))
}

/// The formula of `-f` or `-F`.
pub(crate) fn formula_text(options: &SpinOptions) -> Result<Option<String>, String> {
    match (&options.formula_file, &options.formula) {
        (Some(file), _) => match std::fs::read_to_string(file) {
            Ok(text) => Ok(Some(text.lines().next().unwrap_or_default().to_owned())),
            Err(_) => Err(format!("cannot open {file}")),
        },
        (None, formula) => Ok(formula.clone()),
    }
}

/// The never claim of a formula; the user has negated it.
pub(crate) fn formula_claim(text: &str) -> Result<String, String> {
    let formula = spinor_check::ltl::parse(text).map_err(|error| error.to_string())?;
    claims::never("", &formula, text)
}

/// A model with another text behind it, each with lines of its own.
fn appended(name: &str, text: &[u8], other: &str, more: &str) -> Vec<u8> {
    let mut all = format!("# 1 \"{name}\"\n").into_bytes();
    all.extend_from_slice(text);
    all.extend_from_slice(format!("\n# 1 \"{other}\"\n{more}").as_bytes());
    all
}

/// The claims of the `ltl` blocks.
fn ltl_claims(loaded: &Loaded, echo: &mut String) -> Result<String, String> {
    let Some(model) = &loaded.model else { return Ok(String::new()) };
    let mut out = String::new();
    for block in &model.ltl {
        let shown = claims::echo(model, &block.formula);
        echo.push_str(&format!("ltl {}: {shown}\n", block.name));
        let specification = formula::of_block(loaded, block).map_err(|error| error.reason())?;
        out.push_str(&claims::of_block(&block.name, &specification, &shown)?);
    }
    Ok(out)
}
