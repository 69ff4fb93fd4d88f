//! Names that decide how text is read: proctypes and typedefs.

use std::collections::HashSet;

use spinor_base::Text;

use crate::token::{Token, TokenKind};

/// Proctypes and typedefs of a model.
#[derive(Default)]
pub(super) struct Names {
    /// In the whole model.
    pub(super) proctypes: HashSet<Text>,
    /// In the text read so far: only these make `P:` at the start of a
    /// statement a remote reference instead of a label.
    pub(super) declared: HashSet<Text>,
    /// In the whole model.
    pub(super) typedefs: HashSet<Text>,
    /// Inlines of the whole model.
    pub(super) inlines: HashSet<Text>,
}

impl Names {
    /// Collects the names that declarations introduce.
    pub(super) fn scan(tokens: &[Token]) -> Names {
        let mut names = Names::default();
        for pair in tokens.windows(2) {
            let [keyword, name] = pair else { continue };
            if keyword.kind != TokenKind::Word || name.kind != TokenKind::Word {
                continue;
            }
            let set = match &*keyword.text {
                "proctype" | "D_proctype" => &mut names.proctypes,
                "typedef" => &mut names.typedefs,
                "inline" => &mut names.inlines,
                _ => continue,
            };
            set.insert(name.text.clone());
        }
        names
    }
}
