//! The C compiler: from text to a shared object, which is kept for the next time.

use crate::source::IO;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How the C of a model is compiled and run.
#[derive(Clone, Debug)]
pub struct COptions {
    /// The compiler; else `$CC`, else `cc`.
    pub compiler: Option<String>,
    /// Other sources, objects and archives that belong to the model.
    pub files: Vec<PathBuf>,
    /// Options for the compiler.
    pub flags: Vec<String>,
    /// Folders of headers.
    pub include_dirs: Vec<PathBuf>,
    /// Longest time that one piece of code may take.
    pub call_limit: Duration,
    /// Where the compiled code is to come from.
    pub form: CForm,
}

/// Where compiled C comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CForm {
    /// It is compiled.
    #[default]
    Compile,
    /// From nowhere: only the [source](spinor_program::Embedded::source) is written, for a program that somebody else compiles.
    Write,
    /// From such a program, or compiled if that cannot be loaded.
    Inside(PathBuf),
}

impl Default for COptions {
    fn default() -> Self {
        COptions {
            compiler: None,
            files: Vec::new(),
            flags: Vec::new(),
            include_dirs: Vec::new(),
            call_limit: Duration::from_secs(60),
            form: CForm::Compile,
        }
    }
}

/// Why there is no shared object.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// There is no such compiler.
    #[error("there is no C compiler `{0}`")]
    NoCompiler(String),
    /// The compiler does not accept the text.
    #[error("the C compiler refuses the model's C")]
    Refused(String),
    /// A file cannot be read or written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// What was made cannot be loaded.
    #[error("the compiled C cannot be loaded: {0}")]
    Load(String),
}

impl COptions {
    /// The compiler's words: `ccache gcc` is two.
    fn command(&self) -> Vec<String> {
        let given = self.compiler.clone().or_else(|| std::env::var("CC").ok());
        let given = given.filter(|c| !c.trim().is_empty()).unwrap_or_else(|| "cc".to_owned());
        given.split_whitespace().map(str::to_owned).collect()
    }

    fn is_cpp(&self) -> bool {
        self.command().iter().any(|word| word.contains("++"))
    }

    /// All arguments but the names of our own files.
    fn arguments(&self, model_dir: &Path) -> Vec<OsString> {
        let mut args: Vec<OsString> =
            ["-O2", "-fPIC", "-shared", "-w", "-fno-strict-aliasing", "-fwrapv"]
                .map(Into::into)
                .into();
        if cfg!(target_os = "linux") {
            // Names of the model's C must not be taken for those of other libraries.
            args.push("-Wl,-Bsymbolic".into());
            if !self.command().iter().any(|word| word.contains("tcc")) {
                // What is missing should be said by the compiler. What is hidden is reached directly.
                args.extend(["-Wl,-z,defs", "-fvisibility=hidden"].map(OsString::from));
            }
        }
        if self.is_cpp() {
            // Or copies would share memory.
            args.extend(["-fpermissive", "-fno-gnu-unique"].map(OsString::from));
        }
        let folders = [model_dir, Path::new(".")].into_iter();
        for dir in folders.chain(self.include_dirs.iter().map(PathBuf::as_path)) {
            let dir = if dir.as_os_str().is_empty() { Path::new(".") } else { dir };
            let mut arg = OsString::from("-I");
            arg.push(dir);
            args.push(arg);
        }
        args
    }
}

/// A shared object in a file.
#[derive(Debug)]
pub(crate) struct Compiled {
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Compiles the text of a model that stands in `model_dir`; `may_keep` if nothing but the text and the
/// options decides what comes out.
pub(crate) fn compile(
    text: &str,
    model_dir: &Path,
    options: &COptions,
    may_keep: bool,
) -> Result<Compiled, CompileError> {
    let args = options.arguments(model_dir);
    let kept =
        if may_keep && options.files.is_empty() { Kept::new(text, &args, options) } else { None };
    if let Some(bytes) = kept.as_ref().and_then(Kept::read) {
        return Ok(Compiled { bytes });
    }
    let folder = tempfile::Builder::new().prefix("spinor-c-").tempdir()?;
    let extension = if options.is_cpp() { "cc" } else { "c" };
    let (source, io) =
        (folder.path().join(format!("model.{extension}")), folder.path().join("io.h"));
    let object = folder.path().join("model.so");
    std::fs::write(&source, text)?;
    std::fs::write(&io, IO)?;
    let words = options.command();
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).args(args);
    if options.files.iter().any(|f| is_source(f)) {
        // What other files print is the checker's business too.
        command.arg("-include").arg(&io);
    }
    command.arg("-o").arg(&object).arg(&source).args(&options.files).args(&options.flags);
    // Messages are read, so they must be in English.
    let output = command.env("LC_ALL", "C").output().map_err(|error| match error.kind() {
        ErrorKind::NotFound => CompileError::NoCompiler(words[0].clone()),
        _ => CompileError::Io(error),
    })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(CompileError::Refused(said));
    }
    let bytes = std::fs::read(&object)?;
    if let Some(kept) = kept {
        kept.write(&bytes);
    }
    Ok(Compiled { bytes })
}

fn is_source(file: &Path) -> bool {
    matches!(file.extension().and_then(|e| e.to_str()), Some("c" | "cc" | "cpp" | "cxx"))
}

/// The result of a compilation in a file, behind all that decides it.
struct Kept {
    path: PathBuf,
    key: Vec<u8>,
}

impl Kept {
    fn new(text: &str, args: &[OsString], options: &COptions) -> Option<Self> {
        let (command, flags) = (options.command(), &options.flags);
        let key = format!("{} {command:?} {args:?} {flags:?}\n{text}\n", env!("CARGO_PKG_VERSION"));
        let key = key.into_bytes();
        let name = format!("{:016x}", rapidhash::v3::rapidhash_v3(&key));
        Some(Kept { path: cache_folder()?.join(name), key })
    }

    fn read(&self) -> Option<Vec<u8>> {
        let bytes = std::fs::read(&self.path).ok()?;
        bytes.strip_prefix(&*self.key).map(<[u8]>::to_vec)
    }

    /// Keeps a result; whoever reads it at the same time sees all of it or nothing. If that fails, the
    /// next run compiles again.
    fn write(&self, bytes: &[u8]) -> Option<()> {
        use std::io::Write as _;
        let mut file = tempfile::NamedTempFile::new_in(self.path.parent()?).ok()?;
        file.write_all(&self.key).ok()?;
        file.write_all(bytes).ok()?;
        file.persist(&self.path).ok().map(drop)
    }
}

#[cfg(unix)]
fn cache_folder() -> Option<PathBuf> {
    use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
    let user = crate::memory::user();
    let folder = std::env::temp_dir().join(format!("spinor-c-cache-{user}"));
    let made = std::fs::DirBuilder::new().mode(0o700).create(&folder);
    if made.is_err_and(|e| e.kind() != ErrorKind::AlreadyExists) {
        return None;
    }
    let facts = std::fs::symlink_metadata(&folder).ok()?;
    let is_ours = facts.is_dir() && facts.uid() == user && facts.permissions().mode() & 0o077 == 0;
    is_ours.then_some(folder)
}

#[cfg(not(unix))]
fn cache_folder() -> Option<PathBuf> {
    None
}
