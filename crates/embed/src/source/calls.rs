//! What the checker calls: a function for each piece of code, and one that finds them.

use super::Writer;
use crate::marshal::{copy_in, copy_out};
use crate::uses::{self, Uses};
use spinor_sema::hir::{CCode, CodeId, ProctypeId, Storage};
use std::fmt::Write as _;

/// Generated code is called by a function with a place to jump to, so that its own calls of C need none.
const AROUND: &str = r"struct spinor_call {
	uchar *g, *f, *h;
	unsigned code, who;
};
SPINOR_API struct spinor_call spinor_last = { 0, 0, 0, 0, 0 };
SPINOR_API unsigned long long spinor_call(unsigned code, uchar *g, uchar *f, uchar *h, unsigned who)
{
	spinor_last.g = g, spinor_last.f = f, spinor_last.h = h;
	spinor_last.code = code, spinor_last.who = who;
	now._nr_pr = who >> 8 & 255;
	now._last = who >> 16 & 255;
	return spinor_codes[code](g, f, h, who);
}
SPINOR_API unsigned long long spinor_around(unsigned (*step)(void *, void *, size_t, size_t), void *cx, void *state, size_t frame, size_t pid)
{
	int why = SPINOR_SET;
	if (why)
		return (unsigned long long) why << 32;
	return step(cx, state, frame, pid);
}";

/// What a piece of code uses.
struct Needs {
    globals: Uses,
    frame: Option<(usize, Uses)>,
    c_globals: bool,
    c_frame: bool,
}

impl Writer<'_> {
    /// The functions of all `c_code`s and `c_expr`s.
    pub(super) fn codes(&mut self) {
        self.tracks();
        let model = self.model;
        for (number, code) in model.embedded.codes.iter().enumerate() {
            self.text(number, code);
            self.own_lines();
            let needs = self.needs(code);
            self.code(number, code, &needs);
        }
    }

    /// The text of a piece of code, as a function without arguments.
    fn text(&mut self, number: usize, code: &CCode) {
        let text = self.renamed(code);
        let is_truth = self.truths.contains(&CodeId(number as u32));
        let (ty, open, close) = match (code.is_expression, is_truth) {
            (false, _) => ("void", "", ""),
            (true, true) => ("int", "return (", ") ? 1 : 0;"),
            (true, false) => ("int", "return (int) (", ");"),
        };
        self.with_macros(&code.text.macros, |writer| {
            if let Some(condition) = &code.precondition {
                let _ = writeln!(
                    writer.out,
                    "static int spinor_condition_{number}(void)\n{{\n\treturn ("
                );
                writer.placed(code.text.span);
                writer.line(&condition.replace("\\#", "#"));
                writer.line(") ? 1 : 0;\n}");
            }
            let _ = writeln!(writer.out, "static {ty} spinor_text_{number}(void)\n{{\n{open}");
            writer.body(&code.text, &text);
            let _ = writeln!(writer.out, "{close}\n}}");
        });
    }

    /// The text with the names that its locals have in C.
    fn renamed(&self, code: &CCode) -> String {
        let Some(owner) = code.owner else { return code.text.text.to_string() };
        let mut names: Vec<(&str, &str)> = Vec::new();
        for (name, id) in &code.visible {
            if !names.iter().any(|(n, _)| n == &&**name) {
                names.push((name, &self.locals[owner.index()][id.index()]));
            }
        }
        names.retain(|(old, new)| old != new);
        if names.is_empty() {
            return code.text.text.to_string();
        }
        let base = format!("P{}", self.model.proctypes[owner.index()].name);
        uses::renamed(&code.text.text, &base, &names)
    }

    fn needs(&self, code: &CCode) -> Needs {
        let own = self.renamed(code);
        let condition = code.precondition.as_deref().unwrap_or_default();
        let texts = || {
            let own = [&*own, &*code.text.macros, condition];
            self.shared.iter().copied().chain(own).collect::<Vec<_>>()
        };
        let of = |base: &str, link| match self.is_open {
            true => Uses::All,
            false => uses::of(texts(), base, link),
        };
        let globals = of("now", ".");
        let frame = code.owner.map(|owner| {
            let base = format!("P{}", self.model.proctypes[owner.index()].name);
            let names_frame = of("_this", "\0") == Uses::All;
            (owner.index(), if names_frame { Uses::All } else { of(&base, "->") })
        });
        let known = self.globals.iter().map(|p| &*p.variable).chain(["_nr_pr", "_last"]);
        let c_globals = self.has_c_state(Storage::Global) && globals.has_other_than(known);
        let c_frame = frame.as_ref().is_some_and(|(owner, uses)| {
            let own = ["_pid", "_t", "_p", "_priority"];
            let known = self.frames[*owner].iter().map(|p| &*p.variable).chain(own);
            self.has_c_state(Storage::Local(ProctypeId(*owner as u32)))
                && uses.has_other_than(known)
        });
        Needs { globals, frame, c_globals, c_frame }
    }

    /// The function that runs a piece of code on a state.
    fn code(&mut self, number: usize, code: &CCode, needs: &Needs) {
        let _ = writeln!(
            self.out,
            "static unsigned long long spinor_code_{number}(uchar *g, uchar *f, uchar *h, unsigned who)\n{{"
        );
        if code.is_expression {
            self.line("\tunsigned value;");
        }
        self.copies(needs, true);
        if code.precondition.is_some() {
            let _ = writeln!(
                self.out,
                "\tif (!spinor_condition_{number}())\n\t\treturn (unsigned long long) SPINOR_PRECONDITION << 32;"
            );
        }
        if code.is_expression {
            let _ = writeln!(
                self.out,
                "\tvalue = (unsigned) spinor_text_{number}();\n\treturn value;\n}}"
            );
        } else {
            let _ = writeln!(self.out, "\tspinor_text_{number}();");
            self.copies(needs, false);
            self.line("\treturn 0;\n}");
        }
    }

    /// Copies what is needed, into C or back.
    fn copies(&mut self, needs: &Needs, into_c: bool) {
        let copy = if into_c { copy_in } else { copy_out };
        let (g, f) = (self.program.globals.bytes, needs.frame.as_ref());
        let mut out = String::new();
        for piece in &self.globals {
            if piece.hidden {
                copy(piece, &piece.name, "h", &mut out);
            } else if needs.globals.has(&piece.variable) {
                copy(piece, &format!("now.{}", piece.name), "g", &mut out);
            }
        }
        if needs.c_globals {
            out.push_str(&block("now.spinor_c", "g", g, into_c));
        }
        if let Some((owner, uses)) = f {
            let process = &self.program.proctypes[*owner];
            if into_c {
                let _ = writeln!(out, "\t_this = (uchar *) &spinor_p{owner};");
                let _ = writeln!(
                    out,
                    "\tspinor_p{owner}._pid = who & 255;\n\tspinor_p{owner}._t = {owner};"
                );
                let bits = process.location_bytes * 8;
                let _ = writeln!(out, "\tspinor_p{owner}._p = SPINOR_LOAD{bits}(f);");
                if self.program.uses_priority {
                    let at = process.priority_offset;
                    let _ = writeln!(out, "\tspinor_p{owner}._priority = f[{at}];");
                }
            }
            for piece in self.frames[*owner].iter().filter(|p| uses.has(&p.variable)) {
                copy(piece, &format!("spinor_p{owner}.{}", piece.name), "f", &mut out);
            }
            if needs.c_frame {
                let at = process.frame.bytes;
                out.push_str(&block(&format!("spinor_p{owner}.spinor_c"), "f", at, into_c));
            }
        } else if into_c {
            out.push_str("\t_this = 0;\n");
        }
        if !self.model.embedded.tracks.is_empty() {
            let way = if into_c { "in" } else { "out" };
            let _ = writeln!(out, "\tspinor_tracks_{way}(g, h);");
        }
        self.out.push_str(&out);
        if into_c {
            self.line("\t(void) g, (void) f, (void) h, (void) who;");
        }
    }

    /// Tracked memory, into C and back. Behind the variables: first what `c_state` declares.
    fn tracks(&mut self) {
        let (globals, hidden) = (self.program.globals.bytes, self.program.hidden_bytes);
        let c_state =
            if self.has_c_state(Storage::Global) { " + sizeof(now.spinor_c)" } else { "" };
        let model = self.model;
        for into_c in [true, false] {
            let way = if into_c { "in" } else { "out" };
            let _ = writeln!(self.out, "static void spinor_tracks_{way}(uchar *g, uchar *h)\n{{");
            let _ = writeln!(self.out, "\tg += {globals}{c_state};\n\th += {hidden};");
            for track in &model.embedded.tracks {
                let at = if track.matched { 'g' } else { 'h' };
                let (address, size) = (&track.address, &track.size);
                self.placed(track.span);
                let _ = if into_c {
                    writeln!(self.out, "if ({address}) memcpy((void *) ({address}), {at}, {size});")
                } else {
                    writeln!(
                        self.out,
                        "if ({address}) memcpy({at}, (void *) ({address}), {size}); else memset({at}, 0, {size});"
                    )
                };
                let _ = writeln!(self.out, "{at} += {size};");
            }
            self.line("(void) g, (void) h;\n}");
            self.own_lines();
        }
    }

    /// First values of the globals and of each type of process.
    pub(super) fn initialisers(&mut self) {
        let model = self.model;
        let storages = (0..model.proctypes.len() as u32).map(|n| Storage::Local(ProctypeId(n)));
        for storage in std::iter::once(Storage::Global).chain(storages) {
            let owner = match storage {
                Storage::Local(id) => Some(id.index()),
                _ => None,
            };
            let name = owner.map_or("globals".to_owned(), |n| n.to_string());
            let has_c_state = self.has_c_state(storage);
            let needs = Needs {
                globals: Uses::All,
                frame: owner.map(|owner| (owner, Uses::All)),
                c_globals: self.has_c_state(Storage::Global),
                c_frame: owner.is_some() && has_c_state,
            };
            let _ = writeln!(
                self.out,
                "static void spinor_begin_{name}(uchar *g, uchar *f, uchar *h, unsigned who)\n{{"
            );
            // Memory that is tracked begins as C has it.
            if owner.is_none() && !model.embedded.tracks.is_empty() {
                self.line("\tspinor_tracks_out(g, h);");
            }
            self.copies(&needs, true);
            for state in &model.embedded.states {
                let is_due = state.storage == storage
                    || (owner.is_none() && state.storage == Storage::Hidden);
                let Some(value) = state.init.as_ref().filter(|_| is_due) else { continue };
                let base = match storage {
                    _ if state.storage == Storage::Hidden => String::new(),
                    Storage::Local(id) => format!("spinor_p{}.", id.index()),
                    _ => "now.".to_owned(),
                };
                self.placed(state.span);
                let name = declared_name(&state.declaration);
                let _ = writeln!(self.out, "{base}{name} = {value};");
            }
            self.own_lines();
            self.copies(&needs, false);
            self.line("}");
        }
    }

    /// What the checker looks up by name.
    pub(super) fn entry(&mut self) {
        self.sizes();
        // Functions of their own: code that is part of one with a place to jump to is slower.
        self.line(
            "static unsigned long long (*const spinor_codes[])(uchar *, uchar *, uchar *, unsigned) = {",
        );
        for number in 0..self.model.embedded.codes.len() {
            let _ = writeln!(self.out, "\tspinor_code_{number},");
        }
        self.line("\t0\n};");
        self.line(
            "SPINOR_API unsigned long long spinor_run(unsigned code, uchar *g, uchar *f, uchar *h, unsigned who)\n{",
        );
        self.line(
            "\tint why = SPINOR_SET;\n\tif (why)\n\t\treturn (unsigned long long) why << 32;",
        );
        self.line("\tnow._nr_pr = who >> 8 & 255;\n\tnow._last = who >> 16 & 255;");
        self.line("\treturn spinor_codes[code](g, f, h, who);\n}");
        self.line(AROUND);
        self.line(
            "SPINOR_API unsigned long long spinor_begin(unsigned what, uchar *g, uchar *f, uchar *h, unsigned who)\n{",
        );
        self.line(
            "\tint why = SPINOR_SET;\n\tif (why)\n\t\treturn (unsigned long long) why << 32;",
        );
        self.line("\tnow._nr_pr = who >> 8 & 255;\n\tnow._last = who >> 16 & 255;");
        self.line("\tswitch (what) {\n\tcase 0: spinor_begin_globals(g, f, h, who); break;");
        for number in 0..self.model.proctypes.len() {
            let case = number + 1;
            let _ =
                writeln!(self.out, "\tcase {case}: spinor_begin_{number}(g, f, h, who); break;");
        }
        self.line("\t}\n\treturn 0;\n}");
    }

    /// Bytes that C adds to the globals, to the hidden variables and to each frame.
    fn sizes(&mut self) {
        let model = self.model;
        let sum = |matched: bool| {
            let sizes = model.embedded.tracks.iter().filter(|t| t.matched == matched);
            sizes.map(|t| format!(" + ({})", t.size)).collect::<String>()
        };
        let c_state = |has: bool, of: &str| match has {
            true => format!("sizeof({of}.spinor_c)"),
            false => "0".to_owned(),
        };
        let globals = c_state(self.has_c_state(Storage::Global), "now") + &sum(true);
        let mut list = format!("\t{globals},\n\t0{},\n", sum(false));
        for number in 0..model.proctypes.len() {
            let has = self.has_c_state(Storage::Local(ProctypeId(number as u32)));
            let _ = writeln!(list, "\t{},", c_state(has, &format!("spinor_p{number}")));
        }
        let _ = writeln!(self.out, "SPINOR_API const unsigned spinor_sizes[] = {{\n{list}}};");
        self.places();
    }

    /// For each `c_state` its offset among those of its structure and its size; for each `c_track` its
    /// size.
    fn places(&mut self) {
        let mut list = String::new();
        for state in &self.model.embedded.states {
            let structure = match state.storage {
                Storage::Global => "State".to_owned(),
                Storage::Local(id) => format!("P{}", id.index()),
                Storage::Hidden => {
                    list.push_str("\t0, 0,\n");
                    continue;
                }
            };
            let name = declared_name(&state.declaration);
            let _ = writeln!(
                list,
                "\toffsetof({structure}, {name}) - offsetof({structure}, spinor_c), sizeof((({structure} *) 0)->{name}),"
            );
        }
        for track in &self.model.embedded.tracks {
            let _ = writeln!(list, "\t({}),", track.size);
        }
        let _ =
            writeln!(self.out, "SPINOR_API const unsigned spinor_places[] = {{\n{list}\t0\n}};");
    }
}

/// C that copies a block of C state.
fn block(variable: &str, bytes: &str, at: u32, into_c: bool) -> String {
    match into_c {
        true => format!("\tmemcpy(&{variable}, {bytes} + {at}, sizeof({variable}));\n"),
        false => format!("\tmemcpy({bytes} + {at}, &{variable}, sizeof({variable}));\n"),
    }
}

/// The name in a C declaration such as `struct t *list[4]`.
pub(crate) fn declared_name(declaration: &str) -> &str {
    let end = declaration.find('[').unwrap_or(declaration.len());
    let text = declaration[..end].trim_end();
    let start = text.rfind(|c| !crate::names::is_word(c)).map_or(0, |at| at + 1);
    &text[start..]
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_in_declarations() {
        for (text, name) in
            [("int x", "x"), (" Coord *p ", "p"), ("struct t list [ 4 ][2]", "list")]
        {
            assert_eq!(super::declared_name(text), name);
        }
    }
}
