//! From files to a program.

use crate::digest;
use crate::files::{self, DiskFiles, Input, ReadError};
use spinor_base::{Diagnostic, ExpnId, FileId, SourceMap, Span};
use spinor_embed::{COptions, NOT_ALLOWED, attach};
use spinor_program::Program;
use spinor_sema::{Scoping, hir};
use spinor_syntax::ast::Item;
use spinor_syntax::{Define, PreprocessOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Stacks to try for the front end: trees nest deeply and are walked recursively.
const STACK_BYTES: [usize; 3] = [512 << 20, 128 << 20, 32 << 20];

/// What the preprocessor is told.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// `-D` and `-U`, in order.
    pub defines: Vec<Define>,
    /// `-I`.
    pub include_dirs: Vec<PathBuf>,
    /// Files that stand in for those of the disk: path and text.
    pub overlay: Vec<(String, String)>,
    /// The end of a line ends no statement, as before SPIN 6.3.
    pub explicit_semicolons: bool,
    /// How far names of inner blocks reach.
    pub scoping: Scoping,
    /// Leave out the `ltl` blocks.
    pub no_ltl: bool,
    /// What to do with embedded C.
    pub c: CPolicy,
}

/// What to do with embedded C.
#[derive(Clone, Debug, Default)]
pub enum CPolicy {
    /// Leave it alone: the model can be looked at, but not executed.
    #[default]
    Ignore,
    /// Refuse such a model.
    Refuse,
    /// Compile it: it will run with the rights of the user.
    Compile(COptions),
}

/// A model that was read, perhaps with errors.
#[derive(Debug)]
pub struct Loaded {
    /// Its name, as given.
    pub name: String,
    /// Files and expansions; all spans refer to it.
    pub sources: SourceMap,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// The resolved model, if there are no errors.
    pub model: Option<hir::Model>,
    /// The program, if there are no errors.
    pub program: Option<Arc<Program>>,
    /// Identifies the model after preprocessing.
    pub digest: u64,
    /// Time from text to program.
    pub compile_time: Duration,
}

impl Loaded {
    /// Whether the model can be used.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        self.program.is_some()
    }
}

/// Reads and compiles a model.
///
/// # Errors
/// The file cannot be read. A file that is read but wrong is no error here: it
/// has diagnostics.
pub fn load(input: &Input, options: &LoadOptions) -> Result<Loaded, ReadError> {
    let start = Instant::now();
    let (name, bytes) = files::read(input)?;
    let mut loaded = match String::from_utf8(bytes) {
        Ok(text) => on_large_stack(|| compile(&name, &text, options)),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let bytes = error.into_bytes();
            let text = files::latin1(&bytes);
            let loaded = on_large_stack(|| compile(&name, &text, options));
            if loaded.is_usable() {
                read_as_latin1(loaded, at)
            } else {
                not_text(&name, &bytes, at)
            }
        }
    };
    loaded.compile_time = start.elapsed();
    Ok(loaded)
}

/// Runs `work` where deep trees may be walked recursively.
pub(crate) fn on_large_stack<R: Send>(work: impl Fn() -> R + Sync) -> R {
    for bytes in STACK_BYTES {
        let result = std::thread::scope(|scope| {
            let thread = spinor_store::thread(bytes).ok()?.name("front end".to_owned());
            let worker = thread.spawn_scoped(scope, &work).ok()?;
            match worker.join() {
                Ok(result) => Some(result),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        });
        if let Some(result) = result {
            return result;
        }
    }
    work()
}

fn compile(name: &str, text: &str, options: &LoadOptions) -> Loaded {
    let files =
        DiskFiles { folders: options.include_dirs.clone(), overlay: options.overlay.clone() };
    let preprocess = PreprocessOptions {
        defines: options.defines.clone(),
        explicit_semicolons: options.explicit_semicolons,
    };
    let tokens = spinor_syntax::tokenize(name, text, &preprocess, &files).tokens;
    let mut parsed = spinor_syntax::parse(name, text, &preprocess, &files);
    let mut loaded = Loaded {
        name: name.to_owned(),
        sources: SourceMap::new(),
        diagnostics: std::mem::take(&mut parsed.diagnostics),
        model: None,
        program: None,
        digest: digest::of_tokens(&tokens),
        compile_time: Duration::ZERO,
    };
    if options.no_ltl {
        parsed.module.items.retain(|item| !matches!(item, Item::Ltl(_)));
    }
    if !has_errors(&loaded.diagnostics) {
        let analysis = spinor_sema::analyze_scoped(&parsed, options.scoping);
        loaded.diagnostics.extend(analysis.diagnostics);
        if !has_errors(&loaded.diagnostics) {
            let lowered = spinor_program::lower(&analysis.model);
            loaded.diagnostics.extend(lowered.diagnostics);
            let mut program = lowered.program;
            if !has_errors(&loaded.diagnostics) {
                let found =
                    embedded_c(name, &analysis.model, &mut program, &parsed.sources, options);
                loaded.diagnostics.extend(found);
            }
            if !has_errors(&loaded.diagnostics) {
                loaded.model = Some(analysis.model);
                loaded.program = Some(Arc::new(program));
            }
        }
    }
    loaded.sources = parsed.sources;
    loaded
}

/// Does with the C of a model what is asked for.
fn embedded_c(
    name: &str,
    model: &hir::Model,
    program: &mut Program,
    sources: &SourceMap,
    options: &LoadOptions,
) -> Vec<Diagnostic> {
    let Some(first) = model.embedded.first() else { return Vec::new() };
    match &options.c {
        CPolicy::Ignore => Vec::new(),
        CPolicy::Refuse => vec![
            Diagnostic::error(NOT_ALLOWED, first, "the model contains C code, which was not allowed to run")
                .here("it would run with all your rights")
                .note("C code in a model can do whatever you can do: read, write and delete files, use the network")
                .help("if you trust the model, say `--allow-c`"),
        ],
        CPolicy::Compile(c) => {
            let mut c = c.clone();
            c.include_dirs.extend(options.include_dirs.iter().cloned());
            let folder = Path::new(name).parent().unwrap_or_else(|| Path::new("."));
            attach(model, program, sources, folder, &c).diagnostics
        }
    }
}

fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(Diagnostic::is_error)
}

/// Warns of a model that makes sense although it is no UTF-8 text: old models
/// have accents in their comments.
fn read_as_latin1(mut loaded: Loaded, at: usize) -> Loaded {
    let lo = at as u32;
    let span = Span { file: FileId(0), lo, hi: lo + 2, expn: ExpnId::ROOT };
    let message = format!("`{}` is not UTF-8 text: it is read as Latin-1", loaded.name);
    let warning = Diagnostic::warning("P0000", span, message).here("the first such character");
    loaded.diagnostics.insert(0, warning);
    loaded
}

/// A file that is no UTF-8 text; the first wrong byte is at `at`.
fn not_text(name: &str, bytes: &[u8], at: usize) -> Loaded {
    let mut sources = SourceMap::new();
    let text = String::from_utf8_lossy(bytes);
    let file = sources.add_file(name, text.as_ref());
    debug_assert_eq!(file, FileId(0), "the only file");
    // Up to here the text shown is the file byte by byte.
    let lo = at as u32;
    let hi = (lo + 3).min(text.len() as u32);
    let span = Span { file, lo, hi, expn: ExpnId::ROOT };
    let message = format!("`{name}` is not UTF-8 text: byte {at} is 0x{:02x}", bytes[at]);
    let diagnostic = Diagnostic::error("P0000", span, message)
        .here("not UTF-8 from here on")
        .help("convert the file to UTF-8, for example with `iconv -f latin1 -t utf-8`");
    Loaded {
        name: name.to_owned(),
        sources,
        diagnostics: vec![diagnostic],
        model: None,
        program: None,
        digest: 0,
        compile_time: Duration::ZERO,
    }
}
