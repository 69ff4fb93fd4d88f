//! The words of one length: which of their bytes vary, and in which order these are letters.
//!
//! Much of a state never changes, and a byte that is the same in all words needs no layer. A byte that begins to vary
//! becomes the first letter: all words so far had the same one there, so their automaton only gets a new root above it.
//! While there are few words they are put in again instead, with their letters in the order of the bytes: neighbours
//! belong together, which makes a smaller automaton.

use super::nodes::{ACCEPT, NONE, Nodes};

/// All words of one length.
#[derive(Debug)]
pub(super) struct Branch {
    /// Where the automaton begins; [`ACCEPT`] if nothing varies.
    pub(super) root: u32,
    /// Number of words.
    pub(super) count: usize,
    /// The first word.
    model: Vec<u8>,
    /// All bits of the bytes that do not vary.
    fixed: Vec<u8>,
    /// The bytes that vary, in the order of letters.
    order: Vec<u32>,
}

impl Branch {
    /// With one word.
    pub(super) fn new(word: &[u8]) -> Self {
        Self {
            root: ACCEPT,
            count: 1,
            model: word.to_vec(),
            fixed: vec![u8::MAX; word.len()],
            order: Vec::new(),
        }
    }

    /// Whether a word is like all others where these do not vary.
    #[inline]
    pub(super) fn suits(&self, word: &[u8]) -> bool {
        let pairs = word.iter().zip(&self.model).zip(&self.fixed);
        pairs.fold(0, |differences, ((a, b), fixed)| differences | (a ^ b) & fixed) == 0
    }

    /// Number of bytes of the words.
    #[inline]
    pub(super) fn length(&self) -> usize {
        self.model.len()
    }

    /// Number of letters.
    pub(super) fn letters(&self) -> usize {
        self.order.len()
    }

    /// Appends the letters of a word.
    #[inline]
    pub(super) fn spell(&self, word: &[u8], out: &mut Vec<u8>) {
        out.extend(self.order.iter().map(|at| word[*at as usize]));
    }

    /// The word with these letters.
    fn read(&self, letters: &[u8]) -> Vec<u8> {
        let mut word = self.model.clone();
        for (at, letter) in self.order.iter().zip(letters) {
            word[*at as usize] = *letter;
        }
        word
    }

    /// Lets all bytes vary in which a word differs, as letters before the others.
    pub(super) fn widen(&mut self, word: &[u8], nodes: &mut Nodes) {
        for at in self.free(word).into_iter().rev() {
            self.root = nodes.single(self.model[at as usize], self.root);
            self.order.insert(0, at);
        }
    }

    /// The same, but letters are in the order of bytes, and the branch is empty afterwards: its words are returned.
    pub(super) fn clear_and_widen(&mut self, word: &[u8], nodes: &mut Nodes) -> Vec<Vec<u8>> {
        let mut words = Vec::with_capacity(self.count);
        nodes.each_word(self.root, self.order.len(), &mut |letters| words.push(self.read(letters)));
        nodes.release(self.root);
        let more = self.free(word);
        self.order.extend(more);
        self.order.sort_unstable();
        (self.root, self.count) = (NONE, 0);
        words
    }

    /// Says that the bytes vary in which a word differs, and which ones these are.
    fn free(&mut self, word: &[u8]) -> Vec<u32> {
        let differs = |at: &usize| self.fixed[*at] != 0 && word[*at] != self.model[*at];
        let more: Vec<usize> = (0..word.len()).filter(differs).collect();
        more.iter().for_each(|at| self.fixed[*at] = 0);
        more.into_iter().map(|at| at as u32).collect()
    }

    /// Memory that it takes.
    pub(super) fn bytes_used(&self) -> u64 {
        (2 * self.model.len() + 4 * self.order.capacity() + size_of::<Self>()) as u64
    }
}
