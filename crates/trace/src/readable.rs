//! Expressions without the parentheses that SPIN puts around everything.
//!
//! `((i<=(3-1)))` becomes `i <= 3 - 1`. Text that is not understood stays as it is.

/// How tightly operators bind; operands bind tighter than all.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];
const UNARY: usize = LEVELS.len();
const OPERAND: usize = UNARY + 1;
/// `(c -> a : b)` keeps its parentheses.
const MAX_DEPTH: usize = 200;

/// A statement as SPIN prints it, made readable.
pub(crate) fn statement(text: &str) -> String {
    try_statement(text).unwrap_or_else(|| text.to_owned())
}

fn try_statement(text: &str) -> Option<String> {
    if let Some((place, value)) = text.split_once(" = ").filter(|(place, _)| is_place(place)) {
        let (place, value) = (whole(place)?, whole(value)?);
        let step = |op: &str| value == format!("{place} {op} 1");
        return Some(match () {
            () if step("+") => format!("{place}++"),
            () if step("-") => format!("{place}--"),
            () => format!("{place} = {value}"),
        });
    }
    if text.starts_with('(') {
        return Some(match whole(text)?.as_str() {
            "0" => "false".to_owned(),
            "1" => "true".to_owned(),
            other => other.to_owned(),
        });
    }
    let inside = text.strip_prefix("assert(")?.strip_suffix(')')?;
    Some(format!("assert({})", whole(inside)?))
}

fn is_place(text: &str) -> bool {
    !text.starts_with('(') && !text.contains(['"', '\'', '!', '?'])
}

fn whole(text: &str) -> Option<String> {
    let mut reader = Reader { rest: text.trim(), depth: 0 };
    let (out, _) = reader.expression()?;
    reader.rest.is_empty().then_some(out)
}

struct Reader<'a> {
    rest: &'a str,
    depth: usize,
}

impl<'a> Reader<'a> {
    /// An expression and how tightly it binds.
    fn expression(&mut self) -> Option<(String, usize)> {
        let left = self.operand()?;
        let Some((op, level)) = self.operator() else { return Some(left) };
        let right = self.operand()?;
        let side = |(text, bound): (String, usize), is_enough: bool| match () {
            // Mixed bit and comparison operators are misread without.
            () if is_enough && !(bound < UNARY && is_bitwise(level, bound)) => text,
            () => format!("({text})"),
        };
        let (l, r) = (left.1, right.1);
        Some((format!("{} {op} {}", side(left, l >= level), side(right, r > level)), level))
    }

    fn operand(&mut self) -> Option<(String, usize)> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let found = match self.rest.chars().next()? {
            '(' => self.group()?,
            sign @ ('!' | '~' | '-') => {
                self.rest = &self.rest[1..];
                let (text, bound) = self.operand()?;
                let text = if bound < UNARY || text.starts_with(sign) {
                    format!("{sign}({text})")
                } else {
                    format!("{sign}{text}")
                };
                (text, UNARY)
            }
            _ => (self.name()?, OPERAND),
        };
        self.depth -= 1;
        Some(found)
    }

    fn group(&mut self) -> Option<(String, usize)> {
        self.rest = &self.rest[1..];
        let (text, bound) = self.expression()?;
        if let Some(rest) = self.rest.strip_prefix(" -> ") {
            self.rest = rest;
            let (yes, _) = self.expression()?;
            self.rest = self.rest.strip_prefix(" : ")?;
            let (no, _) = self.expression()?;
            self.rest = self.rest.strip_prefix(')')?;
            return Some((format!("({text} -> {yes} : {no})"), OPERAND));
        }
        self.rest = self.rest.strip_prefix(')')?;
        Some((text, bound))
    }

    /// A number, or a name with whatever indices, fields and arguments follow.
    fn name(&mut self) -> Option<String> {
        let is_word = |c: char| c.is_alphanumeric() || "_.@:".contains(c);
        let mut out = String::new();
        loop {
            let end = self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len());
            out.push_str(&self.rest[..end]);
            self.rest = &self.rest[end..];
            if out == "run" {
                self.rest = self.rest.strip_prefix(' ')?;
                out.push(' ');
                continue;
            }
            let close = match self.rest.chars().next() {
                _ if out.is_empty() => return None,
                Some('[') => ']',
                Some('(') => ')',
                // A poll: its arguments are no expressions.
                Some('?') => return self.poll(out),
                _ => return Some(out),
            };
            out.push_str(&self.rest[..1]);
            self.rest = &self.rest[1..];
            while !self.rest.starts_with(close) {
                out.push_str(&self.expression()?.0);
                if let Some(rest) = self.rest.strip_prefix(',') {
                    self.rest = rest;
                    out.push_str(", ");
                }
            }
            out.push(close);
            self.rest = &self.rest[1..];
        }
    }

    fn poll(&mut self, mut out: String) -> Option<String> {
        let end = self.rest.find(']')? + 1;
        out.push_str(&self.rest[..end]);
        self.rest = &self.rest[end..];
        Some(out)
    }

    fn operator(&mut self) -> Option<(&'static str, usize)> {
        if self.rest.starts_with("->") {
            return None;
        }
        let all = LEVELS.iter().enumerate().flat_map(|(i, ops)| ops.iter().map(move |op| (*op, i)));
        let longest =
            all.filter(|(op, _)| self.rest.starts_with(op)).max_by_key(|(op, _)| op.len());
        let (op, level) = longest?;
        self.rest = &self.rest[op.len()..];
        Some((op, level))
    }
}

/// Whether operators of these levels should not stand side by side bare.
fn is_bitwise(outer: usize, inner: usize) -> bool {
    let is_bit = |level: usize| (2..=4).contains(&level) || level == 7;
    outer != inner && (is_bit(outer) || is_bit(inner))
}

#[cfg(test)]
mod tests {
    use super::statement;

    #[track_caller]
    fn check(printed: &str, expected: &str) {
        assert_eq!(statement(printed), expected);
    }

    #[test]
    fn needless_parentheses_go() {
        check("((i<=(3-1)))", "i <= 3 - 1");
        check("(((a+b)*c))", "(a + b) * c");
        check("((a-(b-c)))", "a - (b - c)");
        check("(((a-b)-c))", "a - b - c");
        check("(((a&&b)||!((c==d))))", "a && b || !(c == d)");
        check("(((a&3)==1))", "(a & 3) == 1");
        check("(!(!(a)))", "!(!a)");
        check("(-(1))", "-1");
    }

    #[test]
    fn statements() {
        check("x = (x+1)", "x++");
        check("a[(i+1)].f = ((a[i].f-1)*2)", "a[i + 1].f = (a[i].f - 1) * 2");
        check("assert((x==1))", "assert(x == 1)");
        check("(0)", "false");
        check("((run P((x+1),2)))", "run P(x + 1, 2)");
        check("((len(q)<N))", "len(q) < N");
        check("x = (c -> (a+1) : b)", "x = (c -> a + 1 : b)");
        check("(((_pid==1)&&P[0]@lab))", "_pid == 1 && P[0]@lab");
        check("(q?[1,_])", "q?[1,_]");
    }

    #[test]
    fn what_is_not_understood_stays() {
        check("printf('a = %d',x)", "printf('a = %d',x)");
        check("q!1,(x+1)", "q!1,(x+1)");
        check("(a @ )", "(a @ )");
        check("", "");
    }
}
