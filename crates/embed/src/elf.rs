//! The symbols of a shared object, as far as they tell whether its code keeps anything in memory.

use std::collections::HashMap;

/// What is said of a shared object.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Symbols {
    /// Variables that can be written.
    pub variables: Vec<String>,
    /// Functions and variables of others.
    pub imports: Vec<String>,
}

/// Reads the symbols of a 64-bit ELF file; `None` if it is none.
pub(crate) fn symbols(bytes: &[u8]) -> Option<Symbols> {
    let file = Elf { bytes };
    if bytes.get(..6)? != b"\x7fELF\x02\x01" {
        return None;
    }
    let sections: Vec<Section> = file.sections()?;
    let mut found = Symbols::default();
    for table in &sections {
        match table.kind {
            SYMTAB => file.each(table, &sections, &mut |symbol| {
                let section = sections.get(symbol.section as usize);
                let is_written = section.is_some_and(|s| {
                    s.flags & WRITE != 0 && !file.name_of(s, &sections).starts_with(".data.rel.ro")
                });
                let is_variable = matches!(symbol.kind, OBJECT | TLS) && symbol.size > 0;
                if is_variable && (is_written || symbol.section == COMMON) {
                    found.variables.push(symbol.name.to_owned());
                }
            })?,
            DYNSYM => file.each(table, &sections, &mut |symbol| {
                if symbol.section == 0 && !symbol.name.is_empty() {
                    found.imports.push(symbol.name.to_owned());
                }
            })?,
            _ => {}
        }
    }
    Some(found)
}

/// Where the names of an ELF file are, exported or not, counted from where it is loaded.
pub(crate) fn addresses(bytes: &[u8]) -> Option<HashMap<String, usize>> {
    let file = Elf { bytes };
    let sections: Vec<Section> = file.sections()?;
    let mut found = HashMap::new();
    for table in sections.iter().filter(|table| table.kind == SYMTAB) {
        file.each(table, &sections, &mut |symbol| {
            if symbol.section != 0 {
                found.insert(symbol.name.to_owned(), symbol.value as usize);
            }
        })?;
    }
    Some(found)
}

/// Takes off what keeps a program from being loaded like a shared object; says whether it can be one.
pub(crate) fn make_loadable(bytes: &mut [u8]) -> bool {
    let mark = Elf { bytes }.program_mark();
    if let Some(Some((at, flags))) = mark {
        bytes[at..at + 8].copy_from_slice(&(flags & !PROGRAM).to_le_bytes());
    }
    mark.is_some()
}

const SYMTAB: u32 = 2;
const DYNSYM: u32 = 11;
const WRITE: u64 = 1;
const OBJECT: u8 = 1;
const TLS: u8 = 6;
const COMMON: u16 = 0xfff2;
/// Type of a file that can be loaded anywhere.
const ANYWHERE: u16 = 3;
/// The part of a file that says how to load it.
const DYNAMIC: u32 = 2;
/// Flags in it.
const FLAGS: u64 = 0x6fff_fffb;
/// It is a program.
const PROGRAM: u64 = 0x0800_0000;
/// Bytes of a symbol.
const SYMBOL: usize = 24;

struct Elf<'a> {
    bytes: &'a [u8],
}

struct Section {
    name: u32,
    kind: u32,
    flags: u64,
    offset: usize,
    size: usize,
    link: usize,
}

struct Symbol<'a> {
    name: &'a str,
    kind: u8,
    section: u16,
    value: u64,
    size: u64,
}

impl<'a> Elf<'a> {
    /// The bytes at a distance from an offset, whatever nonsense that is.
    fn bytes<const N: usize>(&self, at: usize, beyond: usize) -> Option<[u8; N]> {
        self.bytes.get(at.checked_add(beyond)?..)?.first_chunk().copied()
    }

    fn u16(&self, at: usize, beyond: usize) -> Option<u16> {
        self.bytes(at, beyond).map(u16::from_le_bytes)
    }

    fn u32(&self, at: usize, beyond: usize) -> Option<u32> {
        self.bytes(at, beyond).map(u32::from_le_bytes)
    }

    fn u64(&self, at: usize, beyond: usize) -> Option<u64> {
        self.bytes(at, beyond).map(u64::from_le_bytes)
    }

    fn sections(&self) -> Option<Vec<Section>> {
        let start = self.u64(0, 0x28)? as usize;
        let (entry, count) = (self.u16(0, 0x3a)? as usize, self.u16(0, 0x3c)? as usize);
        let section = |number: usize| {
            let at = start.checked_add(number * entry)?;
            Some(Section {
                name: self.u32(at, 0)?,
                kind: self.u32(at, 4)?,
                flags: self.u64(at, 8)?,
                offset: self.u64(at, 24)? as usize,
                size: self.u64(at, 32)? as usize,
                link: self.u32(at, 40)? as usize,
            })
        };
        (0..count).map(section).collect()
    }

    /// Where the flags are that say that it is a program, if there are any, and what they are; nothing if it
    /// cannot be loaded anywhere.
    fn program_mark(&self) -> Option<Option<(usize, u64)>> {
        if self.bytes.get(..6)? != b"\x7fELF\x02\x01" || self.u16(0, 0x10)? != ANYWHERE {
            return None;
        }
        let start = self.u64(0, 0x20)? as usize;
        let (entry, count) = (self.u16(0, 0x36)? as usize, self.u16(0, 0x38)? as usize);
        for number in 0..count {
            let at = start.checked_add(number * entry)?;
            if self.u32(at, 0)? != DYNAMIC {
                continue;
            }
            let (offset, size) = (self.u64(at, 8)? as usize, self.u64(at, 32)? as usize);
            for at in (offset..offset.checked_add(size)?).step_by(16) {
                if self.u64(at, 0)? == FLAGS {
                    return Some(Some((at + 8, self.u64(at, 8)?)));
                }
            }
        }
        Some(None)
    }

    fn name_of(&self, section: &Section, sections: &[Section]) -> &'a str {
        let number = self.u16(0, 0x3e).unwrap_or(0) as usize;
        sections.get(number).and_then(|names| self.text(names, section.name)).unwrap_or("")
    }

    fn text(&self, strings: &Section, at: u32) -> Option<&'a str> {
        let from = strings.offset.checked_add(at as usize)?;
        let bytes = self.bytes.get(from..)?;
        let end = bytes.iter().position(|b| *b == 0)?;
        std::str::from_utf8(&bytes[..end]).ok()
    }

    fn each(
        &self,
        table: &Section,
        sections: &[Section],
        f: &mut dyn FnMut(Symbol<'a>),
    ) -> Option<()> {
        let strings = sections.get(table.link)?;
        for number in 1..table.size / SYMBOL {
            let at = table.offset.checked_add(number * SYMBOL)?;
            f(Symbol {
                name: self.text(strings, self.u32(at, 0)?)?,
                kind: self.bytes::<1>(at, 4)?[0] & 15,
                section: self.u16(at, 6)?,
                value: self.u64(at, 8)?,
                size: self.u64(at, 16)?,
            });
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_files_are_no_files() {
        assert_eq!(symbols(b""), None);
        assert_eq!(symbols(b"MZ"), None);
        let mut short = b"\x7fELF\x02\x01".to_vec();
        short.resize(64, 0xff);
        assert_eq!(symbols(&short), None);
    }
}
