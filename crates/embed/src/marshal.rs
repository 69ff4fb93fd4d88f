//! From the packed bytes of a state to C variables and back.

use crate::names::is_usable;
use spinor_program::{Leaf, Scalar};
use spinor_sema::hir::Type;
use std::fmt::Write as _;

/// Bytes of the state that are one C variable, or an array of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// What C calls it, behind the name of the structure.
    pub name: String,
    /// The variable it is part of.
    pub variable: String,
    /// Whether `offset` counts from the hidden variables.
    pub hidden: bool,
    offset: u32,
    scalar: Scalar,
    /// C may not change it: which channel a variable holds is for Promela to say.
    is_channel: bool,
    /// Elements, if it is an array that lies in C as it does in the state.
    array: Option<u32>,
}

/// The pieces that scalars are; `names` are the C names of the variables, each with how many scalars
/// it is.
pub(crate) fn pieces(leaves: &[Leaf], names: &[(String, usize)]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut leaves = leaves.iter();
    for (variable, count) in names {
        let from = pieces.len();
        for leaf in leaves.by_ref().take(*count) {
            let at = leaf.name.find(['[', '.']).unwrap_or(leaf.name.len());
            let (root, rest) = leaf.name.split_at(at);
            let mut words = rest.split(['.', '[', ']']).filter(|w| !w.is_empty());
            if !is_usable(root) || words.any(|w| !is_usable(w)) {
                continue;
            }
            let piece = Piece {
                name: format!("{variable}{rest}"),
                variable: variable.clone(),
                hidden: leaf.hidden,
                offset: leaf.offset,
                scalar: leaf.scalar,
                is_channel: leaf.ty == Type::Chan,
                array: None,
            };
            add(&mut pieces, from, piece);
        }
    }
    pieces
}

/// Adds a piece, to the array before it if it is the next element.
fn add(pieces: &mut Vec<Piece>, from: usize, piece: Piece) {
    let is_native = !matches!(piece.scalar, Scalar::Bit | Scalar::Unsigned(_));
    if let Some((array, index)) = element(&piece.name).filter(|_| is_native) {
        if index == 0 {
            let name = array.to_owned();
            pieces.push(Piece { name, array: Some(1), ..piece });
            return;
        }
        if let Some(last) = pieces[from..].last_mut()
            && last.name == array
            && last.array == Some(index)
            && last.scalar == piece.scalar
            && last.offset + index * last.scalar.width() == piece.offset
        {
            last.array = Some(index + 1);
            return;
        }
    }
    pieces.push(piece);
}

/// `a[3]` taken apart.
fn element(name: &str) -> Option<(&str, u32)> {
    let (array, index) = name.strip_suffix(']')?.rsplit_once('[')?;
    Some((array, index.parse().ok()?))
}

/// C that copies a piece from the state at `bytes` to the variable `target`.
pub(crate) fn copy_in(piece: &Piece, target: &str, bytes: &str, out: &mut String) {
    let (at, width) = (piece.offset, piece.scalar.width());
    let _ = match (piece.array, piece.scalar) {
        (Some(n), _) => writeln!(out, "\tmemcpy({target}, {bytes} + {at}, {});", n * width),
        (None, Scalar::I16) => writeln!(out, "\t{target} = (short) SPINOR_LOAD16({bytes} + {at});"),
        (None, Scalar::I32) => writeln!(out, "\t{target} = (int) SPINOR_LOAD32({bytes} + {at});"),
        (None, _) => writeln!(out, "\t{target} = SPINOR_LOAD{}({bytes} + {at});", width * 8),
    };
}

/// C that copies a piece back.
pub(crate) fn copy_out(piece: &Piece, target: &str, bytes: &str, out: &mut String) {
    if piece.is_channel {
        return;
    }
    let (at, width) = (piece.offset, piece.scalar.width());
    let _ = match piece.array {
        Some(n) => writeln!(out, "\tmemcpy({bytes} + {at}, {target}, {});", n * width),
        None => writeln!(out, "\tSPINOR_STORE{}({bytes} + {at}, {target});", width * 8),
    };
}
