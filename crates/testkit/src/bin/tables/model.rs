//! The models of the paper with their parameters.

use spinor_check::{Define, Input, LoadOptions, Loaded, load};
use std::path::Path;

/// A model with values for its parameters.
#[derive(Clone, Copy)]
pub struct Model {
    /// As the paper calls it.
    pub name: &'static str,
    /// File without `.prm`.
    pub file: &'static str,
    /// For the preprocessor.
    pub defines: &'static [(&'static str, &'static str)],
    /// Parameters that are written down in the file.
    pub written: &'static [(&'static str, &'static str)],
}

impl Model {
    /// Its text, with the parameters put in.
    pub fn text(&self, dir: &Path) -> Result<String, String> {
        let path = dir.join(format!("{}.prm", self.file));
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let text = String::from_utf8_lossy(&bytes);
        let line = |line: &str| {
            let mut words = line.split_whitespace();
            let name = words.next().filter(|word| *word == "#define").and_then(|_| words.next());
            match self.written.iter().find(|(known, _)| Some(*known) == name) {
                Some((name, value)) => format!("#define {name} {value}\n"),
                None => format!("{line}\n"),
            }
        };
        Ok(text.lines().map(line).collect())
    }

    /// The model, ready to be checked.
    pub fn load(&self, dir: &Path) -> Result<Loaded, String> {
        let bytes = self.text(dir)?.into_bytes();
        let name = format!("{}.prm", self.file);
        let define =
            |(name, value): &(&str, &str)| Define::Define((*name).to_owned(), (*value).to_owned());
        let options = LoadOptions {
            defines: self.defines.iter().map(define).collect(),
            ..LoadOptions::default()
        };
        let loaded = load(&Input::Text { name, bytes }, &options).map_err(|e| e.to_string())?;
        if loaded.is_usable() { Ok(loaded) } else { Err(format!("{} has errors", self.file)) }
    }
}
