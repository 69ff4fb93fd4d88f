//! Shared texts of tokens: one allocation per distinct spelling.

use crate::token::Punct;
use spinor_base::Text;
use std::collections::HashSet;

/// Texts seen so far, and the table of punctuation.
pub(crate) struct Symbols {
    texts: HashSet<Text>,
    punct_texts: Vec<Text>,
    by_first_byte: Vec<Vec<(Punct, &'static str)>>,
}

impl Default for Symbols {
    fn default() -> Self {
        let mut by_first_byte = vec![Vec::new(); 128];
        let mut punct_texts = Vec::new();
        for &(punct, text) in Punct::ALL {
            by_first_byte[text.as_bytes()[0] as usize].push((punct, text));
            punct_texts.push(text.into());
        }
        Symbols { texts: HashSet::new(), punct_texts, by_first_byte }
    }
}

impl Symbols {
    /// The shared copy of `text`.
    pub fn intern(&mut self, text: &str) -> Text {
        if let Some(known) = self.texts.get(text) {
            return known.clone();
        }
        let new: Text = text.into();
        self.texts.insert(new.clone());
        new
    }

    /// The spelling of `punct`.
    pub fn punct_text(&self, punct: Punct) -> Text {
        self.punct_texts[punct as usize].clone()
    }

    /// Punctuation that starts with `byte`, longer ones first.
    pub fn puncts_from(&self, byte: u8) -> &[(Punct, &'static str)] {
        self.by_first_byte.get(byte as usize).map_or(&[], Vec::as_slice)
    }
}
