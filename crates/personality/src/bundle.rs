//! All that a verifier needs to know of a model, in one piece: the `pan.c` that `spin -a` writes carries it.
//!
//! ```text
//! spinor-model 1
//! name 5
//! a.pml
//! define 4
//! N=12
//! ```
//!
//! Each entry is a key, a length, and so many bytes.

use crate::rules::Rules;
use crate::spin::options::define;
use spinor_check::Define;

const HEAD: &str = "spinor-model 1\n";

/// A model with everything that it includes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bundle {
    /// Name of the model.
    pub name: String,
    /// Its text, with the claims of its formulas behind it.
    pub text: Vec<u8>,
    /// Whether the claims of its `ltl` blocks are in the text.
    pub has_claims: bool,
    /// Rules that it is read with.
    pub options: Rules,
    /// `-D` and `-U`.
    pub defines: Vec<Define>,
    /// Folders of included files.
    pub folders: Vec<String>,
    /// Included files: path and text.
    pub files: Vec<(String, String)>,
}

impl Bundle {
    /// As bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut out = HEAD.as_bytes().to_vec();
        let mut entry = |key: &str, bytes: &[u8]| {
            out.extend_from_slice(format!("{key} {}\n", bytes.len()).as_bytes());
            out.extend_from_slice(bytes);
            out.push(b'\n');
        };
        entry("name", self.name.as_bytes());
        entry("text", &self.text);
        entry("rules", self.options.letters().as_bytes());
        if self.has_claims {
            entry("claims", b"");
        }
        for one in &self.defines {
            match one {
                Define::Define(name, value) => {
                    entry("define", format!("{name}={value}").as_bytes())
                }
                Define::Undefine(name) => entry("undefine", name.as_bytes()),
            }
        }
        self.folders.iter().for_each(|folder| entry("folder", folder.as_bytes()));
        for (path, text) in &self.files {
            entry("path", path.as_bytes());
            entry("file", text.as_bytes());
        }
        out
    }

    /// From bytes; none if they are something else.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes.strip_prefix(HEAD.as_bytes())?;
        let mut bundle = Bundle::default();
        let mut path = String::new();
        while !rest.is_empty() {
            let end = rest.iter().position(|&b| b == b'\n')?;
            let (key, length) = std::str::from_utf8(&rest[..end]).ok()?.split_once(' ')?;
            let length: usize = length.parse().ok()?;
            let value = rest.get(end + 1..end + 1 + length)?;
            let text = || String::from_utf8_lossy(value).into_owned();
            match key {
                "name" => bundle.name = text(),
                "text" => bundle.text = value.to_vec(),
                "rules" => bundle.options = Rules::of_letters(&text()),
                "claims" => bundle.has_claims = true,
                "define" => bundle.defines.push(define(&text())),
                "undefine" => bundle.defines.push(Define::Undefine(text())),
                "folder" => bundle.folders.push(text()),
                "path" => path = text(),
                "file" => bundle.files.push((std::mem::take(&mut path), text())),
                _ => return None,
            }
            rest = rest.get(end + 1 + length..)?.strip_prefix(b"\n")?;
        }
        Some(bundle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read() {
        let bundle = Bundle {
            name: "a b.pml".into(),
            text: b"x\n\ny".to_vec(),
            has_claims: true,
            options: Rules { lossy: true, ..Rules::default() },
            defines: vec![Define::Define("N".into(), "1\n2".into()), Define::Undefine("M".into())],
            folders: vec!["dir".into()],
            files: vec![("dir/h".into(), "\n".into())],
        };
        let bytes = bundle.write();
        let read = Bundle::read(&bytes).expect("it is one");
        assert_eq!(read.write(), bytes);
        assert_eq!((read.files, read.has_claims), (bundle.files, true));
        assert!(Bundle::read(&bytes[..bytes.len() - 1]).is_none());
        assert!(Bundle::read(b"spinor-model 1\nname 99\nx\n").is_none());
    }
}
