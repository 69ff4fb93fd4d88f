//! Nodes of an automaton, each of them once.
//!
//! A node is some words in a large array, and its number is where they begin:
//! references, next node in its bucket, count of edges less one along with the first three labels,
//! the other labels, targets. Labels are in ascending order, so that equal nodes are equal
//! words. Nodes that nobody refers to are freed, their words are used again.

use crate::huge::advise;
use crate::prefetch::prefetch;

/// The node that accepts the empty word only.
pub(super) const ACCEPT: u32 = 1;
/// No node.
pub(super) const NONE: u32 = 0;

const REFS: usize = 0;
const NEXT: usize = 1;
const HEAD: usize = 2;
/// So many labels are beside the count.
const FEW: usize = 3;
/// Words of the array are in chunks of so many. What is not used of them costs nothing.
const CHUNK_BITS: u32 = 21;
const CHUNK: usize = 1 << CHUNK_BITS;
/// Where there are more words than this large pages are asked for.
const SMALL: usize = 1 << 18;
/// Words of a page, and of a large one.
const PAGE: usize = 1 << 10;
const LARGE_PAGE: usize = 1 << 19;
/// Words of the largest node.
const LARGEST: usize = words(256);

/// Words of a node with so many edges.
const fn words(edges: usize) -> usize {
    HEAD + label_words(edges) + edges
}

/// Words with the count and the labels of so many edges.
const fn label_words(edges: usize) -> usize {
    (1 + edges).div_ceil(4)
}

/// All nodes.
#[derive(Debug)]
pub(super) struct Nodes {
    chunks: Vec<Vec<u32>>,
    /// Next unused word.
    next: u32,
    /// By size: freed nodes, linked by their first words.
    free: Box<[u32]>,
    /// First nodes of the buckets; a power of two.
    buckets: Vec<u32>,
    count: usize,
    /// Nodes to be released.
    doomed: Vec<u32>,
    /// The node being made.
    draft: Vec<(u8, u32)>,
}

impl Nodes {
    pub(super) fn new() -> Self {
        Self {
            chunks: Vec::new(),
            // 0 and 1 stand for themselves.
            next: 2,
            free: vec![NONE; LARGEST + 1].into(),
            buckets: vec![NONE; 1024],
            count: 0,
            doomed: Vec::new(),
            draft: Vec::new(),
        }
    }

    /// Memory of pages that were used.
    pub(super) fn bytes_used(&self) -> u64 {
        let next = self.next as usize;
        let page = if next > SMALL { LARGE_PAGE } else { PAGE };
        let words = next.next_multiple_of(page);
        ((words + self.buckets.capacity() + LARGEST) * 4) as u64
    }

    /// Number of nodes.
    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Whether numbers may run out.
    pub(super) fn is_nearly_full(&self) -> bool {
        self.next > u32::MAX / 16 * 15
    }

    #[inline]
    fn node(&self, node: u32) -> &[u32] {
        &self.chunks[node as usize >> CHUNK_BITS][node as usize % CHUNK..]
    }

    #[inline]
    fn node_mut(&mut self, node: u32) -> &mut [u32] {
        &mut self.chunks[node as usize >> CHUNK_BITS][node as usize % CHUNK..]
    }

    /// Whether exactly one edge (or root) leads to a node.
    #[inline]
    pub(super) fn is_single(&self, node: u32) -> bool {
        self.node(node)[REFS] == 1
    }

    /// Fetches a node, if there is one.
    #[inline]
    pub(super) fn prefetch(&self, node: u32) {
        if let Some(chunk) = self.chunks.get(node as usize >> CHUNK_BITS) {
            prefetch(&chunk[node as usize % CHUNK]);
        }
    }

    /// Where a letter leads.
    #[inline(always)]
    pub(super) fn target(&self, node: u32, label: u8) -> u32 {
        let words = self.node(node);
        let edges = edges(words);
        if edges <= FEW {
            // Most nodes: all labels at once. The lowest byte that is zero is found for sure.
            let labels = (words[HEAD] >> 8) ^ (u32::from(label) * 0x01_0101);
            let zeros = labels.wrapping_sub(0x01_0101) & !labels & 0x80_8080;
            let at = zeros.trailing_zeros() as usize / 8;
            return if at < edges { words[HEAD + 1 + at] } else { NONE };
        }
        match place(words, edges, label) {
            Ok(at) => words[HEAD + label_words(edges) + at],
            Err(_) => NONE,
        }
    }

    /// Calls `visit` with each word of so many letters that a node accepts.
    pub(super) fn each_word(&self, node: u32, letters: usize, visit: &mut impl FnMut(&[u8])) {
        // The way to the next node, and what is left to be tried of each on it.
        let mut word = vec![0; letters];
        let mut ahead = vec![(node, 0)];
        if node == NONE {
            return;
        }
        while let Some((node, at)) = ahead.pop() {
            if node == ACCEPT {
                visit(&word);
            }
            if node == ACCEPT || node == NONE {
                continue;
            }
            let words = self.node(node);
            let edges = edges(words);
            word[ahead.len()] = label(words, at);
            if at + 1 < edges {
                ahead.push((node, at + 1));
            } else {
                // Its place on the way stays taken.
                ahead.push((NONE, 0));
            }
            ahead.push((words[HEAD + label_words(edges) + at], 0));
        }
    }

    /// The node with one edge. Takes over a reference to the target and gives one to the node.
    pub(super) fn single(&mut self, label: u8, target: u32) -> u32 {
        self.draft.clear();
        self.draft.push((label, target));
        self.intern_draft()
    }

    /// A node like `node`, which stays, but with an edge that leads elsewhere or is new. Takes over a
    /// reference to the target and gives one to the node.
    pub(super) fn with_edge(&mut self, node: u32, label: u8, target: u32) -> u32 {
        self.read_draft(node);
        let mut draft = std::mem::take(&mut self.draft);
        set_edge(&mut draft, label, target);
        for (other, child) in &draft {
            if *other != label {
                self.refer(*child);
            }
        }
        self.draft = draft;
        self.intern_draft()
    }

    /// Changes a node that one edge or root leads to: one of its edges leads elsewhere from now on,
    /// or is new. Takes over a reference to the target. What is returned
    /// stands for the node from now on and has its reference; that to the old target is
    /// not given up.
    pub(super) fn set_edge(&mut self, node: u32, label: u8, target: u32) -> u32 {
        self.unlink(node);
        self.read_draft(node);
        let before = self.draft.len();
        set_edge(&mut self.draft, label, target);
        let hash = hash_of(&self.draft);
        if let Some(equal) = self.find(hash) {
            let draft = std::mem::take(&mut self.draft);
            draft.iter().for_each(|(_, child)| self.release(*child));
            self.draft = draft;
            self.refer(equal);
            self.discard(node, words(before));
            return equal;
        }
        let node = if words(self.draft.len()) == words(before) {
            node
        } else {
            self.discard(node, words(before));
            self.allocate(words(self.draft.len()))
        };
        self.write_draft(node, hash);
        node
    }

    /// Gives up a reference.
    pub(super) fn release(&mut self, node: u32) {
        if node == ACCEPT {
            return;
        }
        let refs = &mut self.node_mut(node)[REFS];
        *refs -= 1;
        if *refs > 0 {
            return;
        }
        self.doomed.push(node);
        while let Some(node) = self.doomed.pop() {
            self.unlink(node);
            self.read_draft(node);
            for at in 0..self.draft.len() {
                let child = self.draft[at].1;
                if child != ACCEPT {
                    let refs = &mut self.node_mut(child)[REFS];
                    *refs -= 1;
                    if *refs == 0 {
                        self.doomed.push(child);
                    }
                }
            }
            self.discard(node, words(self.draft.len()));
        }
    }

    fn refer(&mut self, node: u32) {
        if node != ACCEPT {
            self.node_mut(node)[REFS] += 1;
        }
    }

    /// The node that is the draft, with a reference. References to the targets are taken over.
    fn intern_draft(&mut self) -> u32 {
        let hash = hash_of(&self.draft);
        if let Some(equal) = self.find(hash) {
            self.refer(equal);
            let draft = std::mem::take(&mut self.draft);
            draft.iter().for_each(|(_, child)| self.release(*child));
            self.draft = draft;
            return equal;
        }
        let node = self.allocate(words(self.draft.len()));
        self.write_draft(node, hash);
        node
    }

    /// The node that is the draft, if there is one.
    fn find(&self, hash: u64) -> Option<u32> {
        let mut node = self.buckets[self.bucket(hash)];
        let head = head(&self.draft);
        while node != NONE {
            let words = self.node(node);
            if words[HEAD] == head && is_draft(words, &self.draft) {
                return Some(node);
            }
            node = words[NEXT];
        }
        None
    }

    fn bucket(&self, hash: u64) -> usize {
        (hash >> (u64::BITS - self.buckets.len().ilog2())) as usize
    }

    /// Writes the draft to a node that is in no bucket, with one reference.
    fn write_draft(&mut self, node: u32, hash: u64) {
        if self.count >= self.buckets.len() {
            self.grow_buckets();
        }
        let bucket = self.bucket(hash);
        let first = std::mem::replace(&mut self.buckets[bucket], node);
        self.count += 1;
        let draft = std::mem::take(&mut self.draft);
        let words = self.node_mut(node);
        (words[REFS], words[NEXT]) = (1, first);
        let labels = label_words(draft.len());
        words[HEAD..HEAD + labels].fill(0);
        words[HEAD] = draft.len() as u32 - 1;
        for (at, (label, child)) in draft.iter().enumerate() {
            words[HEAD + (at + 1) / 4] |= u32::from(*label) << (8 * ((at + 1) % 4));
            words[HEAD + labels + at] = *child;
        }
        self.draft = draft;
    }

    /// Makes the draft a copy of a node.
    fn read_draft(&mut self, node: u32) {
        let Self { draft, chunks, .. } = self;
        let words = &chunks[node as usize >> CHUNK_BITS][node as usize % CHUNK..];
        let edges = edges(words);
        let targets = &words[HEAD + label_words(edges)..];
        draft.clear();
        draft.extend((0..edges).map(|at| (label(words, at), targets[at])));
    }

    /// Takes a node out of its bucket.
    fn unlink(&mut self, node: u32) {
        self.read_draft(node);
        let bucket = self.bucket(hash_of(&self.draft));
        let next = self.node(node)[NEXT];
        self.count -= 1;
        if self.buckets[bucket] == node {
            self.buckets[bucket] = next;
            return;
        }
        let mut at = self.buckets[bucket];
        while self.node(at)[NEXT] != node {
            at = self.node(at)[NEXT];
        }
        self.node_mut(at)[NEXT] = next;
    }

    /// Unused words.
    fn allocate(&mut self, words: usize) -> u32 {
        let freed = self.free[words];
        if freed != NONE {
            self.free[words] = self.node(freed)[0];
            return freed;
        }
        let left = CHUNK - self.next as usize % CHUNK;
        if left < words {
            // What is left of a chunk is lost: a node does not go on in the next one.
            self.next += left as u32;
        }
        let node = self.next;
        self.next += words as u32;
        let is_first = node as usize >> CHUNK_BITS >= self.chunks.len();
        if is_first {
            self.chunks.push(vec![0; CHUNK]);
        }
        let becomes_large = node as usize <= SMALL && self.next as usize > SMALL;
        if becomes_large || is_first && self.chunks.len() > 1 {
            self.chunks.last().into_iter().for_each(advise);
        }
        node
    }

    fn discard(&mut self, node: u32, words: usize) {
        self.node_mut(node)[0] = self.free[words];
        self.free[words] = node;
    }

    #[cold]
    fn grow_buckets(&mut self) {
        let wider = vec![NONE; self.buckets.len() * 2];
        advise(&wider);
        let draft = std::mem::take(&mut self.draft);
        for first in std::mem::replace(&mut self.buckets, wider) {
            let mut node = first;
            while node != NONE {
                let next = self.node(node)[NEXT];
                self.read_draft(node);
                let bucket = self.bucket(hash_of(&self.draft));
                self.node_mut(node)[NEXT] = self.buckets[bucket];
                self.buckets[bucket] = node;
                node = next;
            }
        }
        self.draft = draft;
    }
}

#[inline]
fn edges(words: &[u32]) -> usize {
    (words[HEAD] & 0xff) as usize + 1
}

#[inline]
fn label(words: &[u32], at: usize) -> u8 {
    (words[HEAD + (at + 1) / 4] >> (8 * ((at + 1) % 4))) as u8
}

/// The place of a label among those of a node, or where it would be.
#[inline]
fn place(words: &[u32], edges: usize, wanted: u8) -> Result<usize, usize> {
    if edges <= 8 {
        return match (0..edges).find(|at| label(words, *at) >= wanted) {
            Some(at) if label(words, at) == wanted => Ok(at),
            at => Err(at.unwrap_or(edges)),
        };
    }
    let (mut low, mut high) = (0, edges);
    while low < high {
        let middle = (low + high) / 2;
        if label(words, middle) < wanted { low = middle + 1 } else { high = middle }
    }
    if low < edges && label(words, low) == wanted { Ok(low) } else { Err(low) }
}

/// The word with the count and the first labels.
#[inline]
fn head(draft: &[(u8, u32)]) -> u32 {
    let labels = draft.iter().take(FEW).zip([8, 16, 24]);
    labels
        .fold(draft.len() as u32 - 1, |head, ((label, _), shift)| head | u32::from(*label) << shift)
}

/// Whether a node is the draft, given that their heads are equal.
#[inline]
fn is_draft(words: &[u32], draft: &[(u8, u32)]) -> bool {
    let targets = &words[HEAD + label_words(draft.len())..];
    draft.iter().zip(targets).all(|((_, target), other)| target == other)
        && (FEW..draft.len()).all(|at| label(words, at) == draft[at].0)
}

fn set_edge(draft: &mut Vec<(u8, u32)>, label: u8, target: u32) {
    match draft.binary_search_by_key(&label, |(label, _)| *label) {
        Ok(at) => draft[at].1 = target,
        Err(at) => draft.insert(at, (label, target)),
    }
}

fn hash_of(draft: &[(u8, u32)]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    draft.iter().fold(draft.len() as u64, |hash, (label, target)| {
        let word = u64::from(*target) << 8 | u64::from(*label);
        (hash.rotate_left(23) ^ word).wrapping_mul(FACTOR)
    })
}
