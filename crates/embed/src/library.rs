//! A shared object, and copies of it in memory.
#![allow(unsafe_code)]

use crate::call::{self, Around, Endless, Escape, Extents, Functions, Listen, Run, Slot};
use crate::compiler::{self, CForm, COptions, CompileError};
use crate::{diagnose, elf, guard, inside, memory, show, source, uses, watchdog};
use spinor_base::{Diagnostic, SourceMap};
use spinor_program::expr::{CodeId, ProctypeId};
use spinor_program::{CBases, CEntry, CFault, CFunction, CInstance, CLibrary, Program};
use spinor_sema::hir::{Model, Storage};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char, c_void};
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A variable of C that no state knows of.
const UNTRACKED: &str = "P0603";

/// What came of attaching C to a program.
#[derive(Debug, Default)]
pub struct Attached {
    /// Warnings, or errors if the program has no C now.
    pub diagnostics: Vec<Diagnostic>,
}

/// Compiles the C of a model and gives it to its program. The model stands in `model_dir`.
pub fn attach(
    model: &Model,
    program: &mut Program,
    sources: &SourceMap,
    model_dir: &Path,
    options: &COptions,
) -> Attached {
    let Some(first) = model.embedded.first() else { return Attached::default() };
    // Who knows what else is compiled along with it.
    let is_open = options.form != CForm::Compile || !options.files.is_empty();
    let text = source::write(model, program, sources, is_open);
    let mark = inside::mark(&text);
    if let Some(embedded) = &mut program.embedded {
        embedded.source =
            format!("{text}SPINOR_API const char spinor_mark[] = \"{mark}\";\n").into();
    }
    if options.form == CForm::Write {
        return Attached::default();
    }
    match compiled(model, program, &text, model_dir, options) {
        Ok(library) => {
            let diagnostics = warnings(&library, first);
            if let Some(embedded) = &mut program.embedded {
                embedded.library = Some(Arc::new(library));
            }
            Attached { diagnostics }
        }
        Err(error) => Attached { diagnostics: diagnose::of(&error, sources, first) },
    }
}

fn warnings(library: &Library, first: spinor_base::Span) -> Vec<Diagnostic> {
    let names = &library.memory.undeclared;
    if names.is_empty() {
        return Vec::new();
    }
    let names: Vec<String> = names.iter().take(5).map(|n| format!("`{n}`")).collect();
    let message = format!("C variables that are no part of the state: {}", names.join(", "));
    vec![
        Diagnostic::warning(UNTRACKED, first, message)
            .note("states that differ in nothing else count as the same, and going back does not restore them")
            .help("`c_track \"&x\" \"sizeof(x)\"` makes a variable part of the state"),
    ]
}

fn compiled(
    model: &Model,
    program: &mut Program,
    text: &str,
    model_dir: &Path,
    options: &COptions,
) -> Result<Library, CompileError> {
    let may_keep = !uses::reaches_outside_all(&model.embedded);
    let inside = match &options.form {
        CForm::Inside(program) => inside::library(program, text),
        _ => None,
    };
    let addresses = inside.as_deref().and_then(elf::addresses).unwrap_or_default();
    let bytes = match inside {
        Some(bytes) => bytes,
        None => compiler::compile(text, model_dir, options, may_keep)?.bytes,
    };
    guard::install();
    let states = &model.embedded.states;
    let has_init = |storage| states.iter().any(|s| s.storage == storage && s.init.is_some());
    let processes = 0..model.proctypes.len() as u32;
    let mut library = Library {
        memory: memory::own_memory(&bytes, model),
        bytes,
        addresses: Arc::new(addresses),
        limit: options.call_limit,
        endless: Arc::default(),
        extents: Arc::default(),
        initialises: processes.map(|n| has_init(Storage::Local(ProctypeId(n)))).collect(),
        initialises_globals: !model.embedded.tracks.is_empty()
            || has_init(Storage::Global)
            || has_init(Storage::Hidden),
    };
    let object = library.open()?;
    let sizes = object.numbers(c"spinor_sizes", model.proctypes.len() + 2)?;
    let embedded = &model.embedded;
    let count = 2 * embedded.states.len() + embedded.tracks.len();
    name_c_state(model, program, sizes[0], &object.numbers(c"spinor_places", count)?);
    program.globals.bytes += sizes[0];
    program.hidden_bytes += sizes[1];
    for (process, bytes) in program.proctypes.iter_mut().zip(&sizes[2..]) {
        process.frame.bytes += bytes;
    }
    let frame = |code: &spinor_sema::hir::CCode| {
        code.owner.map_or(0, |owner| program.proctypes[owner.index()].frame.bytes as usize)
    };
    library.extents = Arc::new(Extents {
        globals: program.globals.bytes as usize,
        hidden: program.hidden_bytes as usize,
        frames: model.embedded.codes.iter().map(frame).collect(),
    });
    Ok(library)
}

/// Adds the names of C state to the variables that can be shown. `added` bytes of it are global; `places` are as
/// in the source.
fn name_c_state(model: &Model, program: &mut Program, added: u32, places: &[u32]) {
    let embedded = &model.embedded;
    for (state, place) in embedded.states.iter().zip(places.chunks_exact(2)) {
        let (offset, bytes) = (place[0], place[1]);
        let area = match state.storage {
            Storage::Global => &mut program.globals,
            Storage::Local(id) => &mut program.proctypes[id.index()].frame,
            Storage::Hidden => continue,
        };
        show::leaves(&state.declaration, area.bytes + offset, bytes, &mut area.leaves);
    }
    let sizes = &places[2 * embedded.states.len()..];
    let matched = embedded.tracks.iter().zip(sizes).filter(|(track, _)| track.matched);
    let tracked: u32 = matched.clone().map(|(_, bytes)| bytes).sum();
    let mut at = program.globals.bytes + added - tracked;
    for (track, &bytes) in matched {
        let name = track.address.trim_matches(|c: char| c == '&' || c.is_whitespace());
        let is_name = !name.is_empty() && name.chars().all(crate::names::is_word);
        if is_name {
            show::memory(name, at, bytes, &mut program.globals.leaves);
        }
        at += bytes;
    }
}

/// The compiled C of a model.
#[derive(Debug)]
struct Library {
    bytes: Vec<u8>,
    /// Where names are that cannot be looked up.
    addresses: Arc<HashMap<String, usize>>,
    memory: memory::OwnMemory,
    limit: Duration,
    endless: Arc<Endless>,
    extents: Arc<Extents>,
    initialises: Vec<bool>,
    initialises_globals: bool,
}

impl Library {
    /// Loads one more copy.
    fn open(&self) -> Result<Object, CompileError> {
        // A file of its own: the same one would not be loaded twice.
        let mut file = tempfile::Builder::new().prefix("spinor-").suffix(".so").tempfile()?;
        file.write_all(&self.bytes)?;
        Object::open(file.path(), &self.addresses)
    }
}

impl CLibrary for Library {
    fn instance(&self) -> Result<Box<dyn CInstance>, String> {
        let object = self.open().map_err(|error| error.to_string())?;
        let functions = object.functions().map_err(|error| error.to_string())?;
        let slot = Arc::new(Slot {
            functions,
            turn: 0.into(),
            home: 0.into(),
            condemned: 0.into(),
            thread: 0.into(),
            limit: self.limit,
            endless: Arc::clone(&self.endless),
            extents: Arc::clone(&self.extents),
        });
        watchdog::watch(&slot);
        Ok(Box::new(Instance { slot, _object: object }))
    }

    fn own_memory(&self) -> Option<&str> {
        self.memory.all.as_deref()
    }

    fn initialises(&self, proctype: ProctypeId) -> bool {
        self.initialises[proctype.index()]
    }

    fn initialises_globals(&self) -> bool {
        self.initialises_globals
    }
}

/// A shared object in memory.
#[derive(Debug)]
struct Object {
    handle: *mut c_void,
    /// Where names are that cannot be looked up, as those of programs.
    addresses: Arc<HashMap<String, usize>>,
}

// SAFETY: the handle is only used to look names up and to close it, from any thread.
unsafe impl Send for Object {}

impl Object {
    fn open(path: &Path, addresses: &Arc<HashMap<String, usize>>) -> Result<Self, CompileError> {
        let name = CString::new(path.as_os_str().as_encoded_bytes())
            .map_err(|_| CompileError::Load("its name has a NUL".to_owned()))?;
        // SAFETY: the name is a string. What the object does when it is loaded is the user's business.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        if handle.is_null() {
            return Err(CompileError::Load(last_error()));
        }
        Ok(Object { handle, addresses: Arc::clone(addresses) })
    }

    fn symbol(&self, name: &CStr) -> Result<*mut c_void, CompileError> {
        // SAFETY: the handle is open and the name a string.
        let symbol = unsafe { libc::dlsym(self.handle, name.as_ptr()) };
        if !symbol.is_null() {
            return Ok(symbol);
        }
        let reason = last_error();
        let address = name.to_str().ok().and_then(|name| self.addresses.get(name));
        match address.and_then(|address| Some(self.base()?.wrapping_add(*address))) {
            Some(address) => Ok(address as *mut c_void),
            None => Err(CompileError::Load(reason)),
        }
    }

    /// Where the object was loaded.
    fn base(&self) -> Option<usize> {
        let mut map: *const usize = std::ptr::null();
        // SAFETY: the handle is open, and what is written is a pointer to a structure that begins with
        // the address.
        unsafe {
            let found = libc::dlinfo(self.handle, libc::RTLD_DI_LINKMAP, (&raw mut map).cast());
            (found == 0 && !map.is_null()).then(|| *map)
        }
    }

    /// An array of numbers.
    fn numbers(&self, name: &CStr, count: usize) -> Result<Vec<u32>, CompileError> {
        let numbers = self.symbol(name)?.cast::<u32>();
        // SAFETY: the source declares an array of that many numbers.
        Ok(unsafe { std::slice::from_raw_parts(numbers, count) }.to_vec())
    }

    fn functions(&self) -> Result<Functions, CompileError> {
        let run = self.symbol(c"spinor_run")?;
        let begin = self.symbol(c"spinor_begin")?;
        let call = self.symbol(c"spinor_call")?;
        let around = self.symbol(c"spinor_around")?;
        let last = self.symbol(c"spinor_last")?;
        let escape = self.symbol(c"spinor_escape")?;
        let listen = self.symbol(c"spinor_listen")?;
        // SAFETY: the source declares functions with these types.
        unsafe {
            Ok(Functions {
                run: std::mem::transmute::<*mut c_void, Run>(run),
                begin: std::mem::transmute::<*mut c_void, Run>(begin),
                call: std::mem::transmute::<*mut c_void, CFunction>(call),
                around: std::mem::transmute::<*mut c_void, Around>(around),
                last: last.cast_const().cast(),
                escape: std::mem::transmute::<*mut c_void, Escape>(escape),
                listen: std::mem::transmute::<*mut c_void, Listen>(listen),
            })
        }
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        // SAFETY: it was opened once, and nothing of it is used any more.
        unsafe { libc::dlclose(self.handle) };
    }
}

fn last_error() -> String {
    // SAFETY: gives a string that lives until the next such call of this thread, or nothing.
    unsafe {
        let text = libc::dlerror();
        if text.is_null() {
            return "no reason was given".to_owned();
        }
        CStr::from_ptr(text).to_string_lossy().into_owned()
    }
}

/// A copy of the C code with memory of its own.
#[derive(Debug)]
struct Instance {
    slot: Arc<Slot>,
    /// Behind the slot, which has pointers into it.
    _object: Object,
}

impl Instance {
    /// Runs a piece of code on the state that begins at `state`.
    ///
    /// # Safety
    /// `at` must hold for the state.
    unsafe fn run(&self, code: CodeId, state: *mut u8, at: CBases) -> Result<i32, CFault> {
        // SAFETY: the bases lie in the state, and so do the extents of the code.
        unsafe {
            let (g, f, h) = (state.add(at.globals), state.add(at.frame), state.add(at.hidden));
            call::outcome(self.slot.run(code.0, g, f, h, at.who))
        }
    }
}

thread_local! {
    /// What C has printed while somebody listens.
    static HEARD: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

extern "C" fn hear(text: *const c_char, length: usize) {
    // SAFETY: C passes a text of that length.
    let text = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length) };
    HEARD.with_borrow_mut(|heard| heard.extend_from_slice(text));
}

impl CInstance for Instance {
    fn evaluate(&self, code: CodeId, state: &[u8], at: CBases) -> Result<i32, CFault> {
        // SAFETY: the code of an expression copies from the state only, never to it.
        unsafe { self.run(code, state.as_ptr().cast_mut(), at) }
    }

    fn execute(&self, code: CodeId, state: &mut [u8], at: CBases) -> Result<(), CFault> {
        // SAFETY: the bases are those of the state.
        unsafe { self.run(code, state.as_mut_ptr(), at).map(drop) }
    }

    fn initialise(
        &self,
        process: Option<ProctypeId>,
        state: &mut [u8],
        at: CBases,
    ) -> Result<(), CFault> {
        let what = process.map_or(0, |p| p.0 + 1);
        let state = state.as_mut_ptr();
        // SAFETY: the bases are those of the state.
        unsafe {
            let (g, f, h) = (state.add(at.globals), state.add(at.frame), state.add(at.hidden));
            call::outcome(self.slot.begin(what, g, f, h, at.who)).map(drop)
        }
    }

    fn output(&self, code: CodeId, state: &[u8], at: CBases) -> String {
        let mut copy = state.to_vec();
        HEARD.with_borrow_mut(Vec::clear);
        // SAFETY: the function has the type that C expects.
        unsafe { (self.slot.functions.listen)(Some(hear)) };
        // What went wrong is told elsewhere.
        let _ = self.execute(code, &mut copy, at);
        // SAFETY: as above.
        unsafe { (self.slot.functions.listen)(None) };
        String::from_utf8_lossy(&HEARD.take()).into_owned()
    }

    fn entry(&self) -> CEntry {
        self.slot.entry()
    }
}
