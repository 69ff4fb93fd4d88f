//! Reading models and what they include.

use spinor_syntax::FileSource;
use std::io;
use std::path::{Path, PathBuf};

/// Where a model comes from.
#[derive(Clone, Debug)]
pub enum Input {
    /// A file.
    File(PathBuf),
    /// A text at hand, with the name to show for it.
    Text {
        /// Shown in messages; `#include` is relative to its folder.
        name: String,
        /// The model.
        bytes: Vec<u8>,
    },
}

/// A model file that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read `{}`: {reason}", path.display())]
pub struct ReadError {
    path: PathBuf,
    reason: String,
}

/// The name to show and the bytes of a model.
pub(crate) fn read(input: &Input) -> Result<(String, Vec<u8>), ReadError> {
    match input {
        Input::Text { name, bytes } => Ok((name.clone(), bytes.clone())),
        Input::File(path) => {
            let failed = |reason| ReadError { path: path.clone(), reason };
            if path.is_dir() {
                return Err(failed("it is a directory".to_owned()));
            }
            let bytes = std::fs::read(path).map_err(|e| failed(explain(&e)))?;
            Ok((path.display().to_string(), bytes))
        }
    }
}

/// Bytes as Latin-1 text: every byte is a character.
pub(crate) fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&b| char::from(b)).collect()
}

fn explain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

/// Files of the disk: beside the including file first, then in the given folders.
pub(crate) struct DiskFiles {
    pub(crate) folders: Vec<PathBuf>,
    /// Taken in place of files of these names.
    pub(crate) overlay: Vec<(String, String)>,
}

impl FileSource for DiskFiles {
    fn read(&self, name: &str, from: &str) -> Result<(String, String), String> {
        let beside = Path::new(from).parent().unwrap_or(Path::new("")).join(name);
        let candidates =
            std::iter::once(beside).chain(self.folders.iter().map(|folder| folder.join(name)));
        for path in candidates {
            let shown = path.display().to_string();
            if let Some((_, text)) = self.overlay.iter().find(|(name, _)| *name == shown) {
                return Ok((text.clone(), shown));
            }
            if path.is_file() {
                let bytes = std::fs::read(&path).map_err(|e| explain(&e))?;
                let text = String::from_utf8(bytes).unwrap_or_else(|e| latin1(e.as_bytes()));
                return Ok((text, path.display().to_string()));
            }
            if path.is_dir() {
                return Err("it is a directory".to_owned());
            }
        }
        Err("there is no such file".to_owned())
    }
}
