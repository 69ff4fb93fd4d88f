//! Promela's types as C declares them.

use crate::names::is_usable;
use spinor_program::{Program, Scalar};
use spinor_sema::hir::{Model, Type, Variable};
use std::fmt::Write as _;

/// The C type of a scalar that is no bit field.
fn scalar_type(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bit | Scalar::U8 => "uchar",
        Scalar::U16 => "unsigned short",
        Scalar::I16 => "short",
        Scalar::I32 => "int",
        Scalar::Unsigned(_) => "unsigned",
    }
}

/// A variable or field as C declares it, without semicolon, under another name.
pub(crate) fn declaration(model: &Model, program: &Program, var: &Variable, name: &str) -> String {
    let wide_mtype = model.mtypes.iter().any(|m| m.names.len() > 255);
    let array = var.array.map_or_else(String::new, |n| format!("[{n}]"));
    let bits = |n: u8| match var.array {
        // SPIN: an array of bits is one of bytes.
        Some(_) if n == 1 => format!("uchar {name}{array}"),
        Some(_) => format!("unsigned {name}{array}"),
        None => format!("unsigned {name} : {n}"),
    };
    let plain = |scalar| format!("{} {name}{array}", scalar_type(scalar));
    match var.ty {
        Type::Bit | Type::Bool => bits(1),
        Type::Unsigned(n) => bits(n),
        Type::Byte | Type::Pid => plain(Scalar::U8),
        Type::Short => plain(Scalar::I16),
        Type::Int => plain(Scalar::I32),
        Type::Mtype(_) if wide_mtype => plain(Scalar::U16),
        Type::Mtype(_) => plain(Scalar::U8),
        Type::Chan => plain(program.channel_scalar),
        Type::Struct(id) => format!("struct {} {name}{array}", model.structs[id.index()].name),
    }
}

/// `typedef`s as structures.
pub(crate) fn structures(model: &Model, program: &Program, out: &mut String) {
    for def in &model.structs {
        let _ = writeln!(out, "struct {} {{", def.name);
        for field in def.fields.iter().filter(|f| is_usable(&f.name)) {
            let _ = writeln!(out, "\t{};", declaration(model, program, field, &field.name));
        }
        out.push_str("};\n");
    }
}
