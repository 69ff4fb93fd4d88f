//! The symbols of a shared object, as far as they tell whether its code keeps anything in memory.

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

const SYMTAB: u32 = 2;
const DYNSYM: u32 = 11;
const WRITE: u64 = 1;
const OBJECT: u8 = 1;
const TLS: u8 = 6;
const COMMON: u16 = 0xfff2;
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
