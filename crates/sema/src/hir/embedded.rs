//! Embedded C: text for the C compiler, and where it belongs.

use super::{LocalId, ProctypeId};
use spinor_base::{Span, Text};

/// A piece of C that is executed: a `c_code` statement or a `c_expr`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct CodeId(pub u32);

impl CodeId {
    /// As an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// All C of a model.
#[derive(Clone, Debug, Default)]
pub struct EmbeddedC {
    /// `c_decl`, in source order.
    pub decls: Vec<CText>,
    /// `c_code` outside of bodies, in source order.
    pub global_code: Vec<CText>,
    /// `c_state`, in source order.
    pub states: Vec<CState>,
    /// `c_track`, in source order.
    pub tracks: Vec<CTrack>,
    /// What is executed, by [`CodeId`].
    pub codes: Vec<CCode>,
}

impl EmbeddedC {
    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.first().is_none()
    }

    /// Where the first of it stands.
    #[must_use]
    pub fn first(&self) -> Option<Span> {
        let codes = self.codes.iter().map(|c| c.text.span);
        let texts = self.decls.iter().chain(&self.global_code).map(|t| t.span);
        let states = self.states.iter().map(|s| s.span);
        let tracks = self.tracks.iter().map(|t| t.span);
        codes.chain(texts).chain(states).chain(tracks).min_by_key(|s| (s.file, s.lo))
    }
}

/// C text and where it stands.
#[derive(Clone, Debug)]
pub struct CText {
    /// Where the whole construct stands.
    pub span: Span,
    /// Where the text stands.
    pub body: Span,
    /// The text.
    pub text: Text,
    /// Definitions of the model's macros in it, a `#define` on each line.
    pub macros: Text,
}

/// `c_state`.
#[derive(Clone, Debug)]
pub struct CState {
    /// Where.
    pub span: Span,
    /// A C declaration: type and name.
    pub declaration: Text,
    /// Where it lives.
    pub storage: Storage,
    /// Its first value.
    pub init: Option<Text>,
}

/// Where a `c_state` lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// Among the globals.
    Global,
    /// In each process of this type.
    Local(ProctypeId),
    /// Outside of the state.
    Hidden,
}

/// `c_track`.
#[derive(Clone, Debug)]
pub struct CTrack {
    /// Where.
    pub span: Span,
    /// A C expression: the address.
    pub address: Text,
    /// A C expression: how many bytes.
    pub size: Text,
    /// Part of the identity of a state.
    pub matched: bool,
}

/// `c_code` in a body, or `c_expr`.
#[derive(Clone, Debug)]
pub struct CCode {
    /// The code.
    pub text: CText,
    /// Must hold before it.
    pub precondition: Option<Text>,
    /// `c_expr`.
    pub is_expression: bool,
    /// The proctype in whose body it stands.
    pub owner: Option<ProctypeId>,
    /// Locals that can be seen from it, those of inner scopes first.
    pub visible: Vec<(Text, LocalId)>,
}
