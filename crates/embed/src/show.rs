//! C state as variables that a person can read.
//!
//! Integers have their names. Of what else there is, the bytes are shown if they are few: `ring+3` is byte 3
//! of `ring`.

use spinor_program::{Leaf, Scalar};
use spinor_sema::hir::Type;

/// Bytes of a record that are shown.
const FEW: u32 = 16;
/// Elements of an array that are shown.
const MANY: u32 = 64;

/// The variables that a declaration of C is, `bytes` long and at `offset`.
pub(crate) fn leaves(declaration: &str, offset: u32, bytes: u32, out: &mut Vec<Leaf>) {
    let name = crate::source::declared_name(declaration);
    // The name is the last word before the dimensions; its letters may occur in the type.
    let head = declaration.split('[').next().unwrap_or_default();
    let ty = head.rfind(name).map_or("", |at| &head[..at]);
    let dimensions = declaration.matches('[').count();
    match integer(ty).filter(|_| dimensions < 2 && !declaration.contains(',')) {
        Some((scalar, ty)) if dimensions == 0 && bytes == scalar.width() => {
            out.push(leaf(name.to_owned(), offset, scalar, ty));
        }
        Some((scalar, ty)) if dimensions == 1 && bytes / scalar.width() <= MANY => {
            for i in 0..bytes / scalar.width() {
                out.push(leaf(format!("{name}[{i}]"), offset + i * scalar.width(), scalar, ty));
            }
        }
        _ => raw(name, offset, bytes, out),
    }
}

/// Memory of which nothing but the size is known.
pub(crate) fn memory(name: &str, offset: u32, bytes: u32, out: &mut Vec<Leaf>) {
    match bytes {
        4 => out.push(leaf(name.to_owned(), offset, Scalar::I32, Type::Int)),
        2 => out.push(leaf(name.to_owned(), offset, Scalar::I16, Type::Short)),
        1 => out.push(leaf(name.to_owned(), offset, Scalar::U8, Type::Byte)),
        _ => raw(name, offset, bytes, out),
    }
}

/// The bytes of something.
fn raw(name: &str, offset: u32, bytes: u32, out: &mut Vec<Leaf>) {
    if bytes > FEW {
        return;
    }
    for i in 0..bytes {
        out.push(leaf(format!("{name}+{i}"), offset + i, Scalar::U8, Type::Byte));
    }
}

fn leaf(name: String, offset: u32, scalar: Scalar, ty: Type) -> Leaf {
    Leaf { name: name.into(), hidden: false, offset, scalar, ty }
}

/// How an integer type of C lies in memory.
fn integer(ty: &str) -> Option<(Scalar, Type)> {
    let words: Vec<&str> =
        ty.split_whitespace().filter(|w| !matches!(*w, "volatile" | "const")).collect();
    match &words[..] {
        ["int" | "signed" | "unsigned" | "int32_t" | "uint32_t"]
        | ["signed" | "unsigned", "int"] => Some((Scalar::I32, Type::Int)),
        ["short" | "int16_t"] | ["short", "int"] | ["signed", "short"] => {
            Some((Scalar::I16, Type::Short))
        }
        ["uchar" | "uint8_t" | "bool" | "_Bool"] | ["unsigned", "char"] => {
            Some((Scalar::U8, Type::Byte))
        }
        ["uint16_t"] | ["unsigned", "short"] => Some((Scalar::U16, Type::Int)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(declaration: &str, bytes: u32) -> Vec<String> {
        let mut found = Vec::new();
        leaves(declaration, 8, bytes, &mut found);
        found.iter().map(|l| format!("{}@{}:{}", l.name, l.offset, l.scalar.width())).collect()
    }

    #[test]
    fn integers_have_names_and_others_bytes() {
        assert_eq!(shown("int count", 4), ["count@8:4"]);
        assert_eq!(shown(" unsigned short s [2] ", 4), ["s[0]@8:2", "s[1]@10:2"]);
        assert_eq!(shown("float f", 4).len(), 4);
        assert_eq!(shown("int *p", 8)[7], "p+7@15:1");
        assert!(shown("struct large x", 400).is_empty());
        assert!(shown("int a, b", 8).len() == 8);
    }
}
