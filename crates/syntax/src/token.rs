//! Tokens of Promela, as the preprocessor hands them to the parser.

use spinor_base::{Span, Text};

/// One token. After preprocessing `span.expn` holds its macro and inline history.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it is written.
    pub span: Span,
    /// Its characters (after `##` and `#`); for [`TokenKind::Str`] without the
    /// quotes, escapes untouched; for [`TokenKind::CBody`] the text between the braces
    /// and, behind a NUL, the definitions of the macros in it.
    pub text: Text,
    /// A line break stands between the previous token and this one.
    pub newline_before: bool,
    /// White space or a line break stands before this token.
    pub space_before: bool,
}

/// Kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// Identifier or keyword: the parser tells them apart by text.
    Word,
    /// Decimal literal.
    Int,
    /// Character literal, quotes included in the text.
    Char,
    /// String literal.
    Str,
    /// The braced body after `c_code`, `c_expr` or `c_decl`.
    CBody,
    /// Operator or punctuation.
    Punct(Punct),
    /// A `;` that nobody wrote: end of line after a complete statement.
    ImplicitSemi,
    /// A byte that starts no token.
    Unknown,
    /// End of input.
    Eof,
}

macro_rules! puncts {
    ($($name:ident $text:literal),* $(,)?) => {
        /// Operators and punctuation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Punct { $(#[doc = concat!("`", $text, "`")] $name),* }

        impl Punct {
            /// All of them; a longer one stands before its prefixes.
            pub const ALL: &'static [(Punct, &'static str)] = &[$((Punct::$name, $text)),*];

            /// How it is written.
            #[must_use]
            pub fn text(self) -> &'static str {
                match self { $(Punct::$name => $text),* }
            }
        }
    };
}

puncts! {
    Equiv "<->", Arrow "->", Diamond "<>", BoxOp "[]",
    Shl "<<", Shr ">>", Le "<=", Ge ">=", EqEq "==", Ne "!=",
    AndAnd "&&", OrOr "||", PlusPlus "++", MinusMinus "--",
    SendSend "!!", RecvRecv "??", ColonColon "::", DotDot "..", HashHash "##",
    Conj "/\\", Disj "\\/",
    Lt "<", Gt ">", Eq "=", Not "!", Recv "?", Plus "+", Minus "-", Star "*",
    Slash "/", Percent "%", And "&", Or "|", Xor "^", Tilde "~", LParen "(",
    RParen ")", LBrace "{", RBrace "}", LBracket "[", RBracket "]", Semi ";",
    Comma ",", Colon ":", Dot ".", At "@", Hash "#", Dollar "$",
}

impl Token {
    /// Whether this is the word `text`.
    #[must_use]
    pub fn is_word(&self, text: &str) -> bool {
        self.kind == TokenKind::Word && &*self.text == text
    }

    /// Whether this is the punctuation `p`.
    #[must_use]
    pub fn is(&self, p: Punct) -> bool {
        self.kind == TokenKind::Punct(p)
    }
}
