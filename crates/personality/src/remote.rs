//! Remote references as SPIN prints them: `P[0]:x` is `P[0].x`, `P[0]@L` is `(P[0]._p==L)`.

use spinor_program::Program;

/// Rewrites the texts of the statements.
pub(crate) fn respell(program: &mut Program) {
    let names: Vec<String> = program.proctypes.iter().map(|p| p.name.to_string()).collect();
    for statement in &mut program.statements {
        if statement.text.contains([':', '@']) {
            statement.text = respelled(&statement.text, &names).into();
        }
    }
}

/// A text in SPIN's words; `names` are those of the proctypes.
fn respelled(text: &str, names: &[String]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if is_part(first) {
            let (word, behind) = rest.split_at(length_of_word(rest));
            let reference = names.iter().any(|name| name == word);
            match reference.then(|| remote(word, behind, names)).flatten() {
                Some((spelled, behind)) => {
                    out.push_str(&spelled);
                    rest = behind;
                }
                None => {
                    out.push_str(word);
                    rest = behind;
                }
            }
            continue;
        }
        // What is printed is nobody's reference.
        let taken = match rest[1..].find('\'').filter(|_| first == '\'') {
            Some(end) => end + 2,
            None => first.len_utf8(),
        };
        out.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    out
}

/// The reference that begins with a proctype and goes on with `behind`, and what follows it.
fn remote<'t>(proctype: &str, behind: &'t str, names: &[String]) -> Option<(String, &'t str)> {
    let (index, behind) = behind.split_at(length_of_index(behind));
    let whose = format!("{proctype}{}", respelled(index, names));
    if let Some(variable) = behind.strip_prefix(':').filter(|rest| length_of_word(rest) > 0) {
        return Some((format!("{whose}."), variable));
    }
    let behind = behind.strip_prefix('@')?;
    let (label, behind) = behind.split_at(length_of_word(behind));
    Some((format!("({whose}._p=={label})"), behind))
}

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn length_of_word(text: &str) -> usize {
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

/// The length of `[…]` at the beginning, 0 if there is none.
fn length_of_index(text: &str) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        depth += i32::from(c == '[') - i32::from(c == ']');
        if depth == 0 {
            return if at > 0 { at + 1 } else { 0 };
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::respelled;

    #[test]
    fn references_look_as_spins_do() {
        let names = ["P".to_owned(), "Q".to_owned()];
        let check = |text: &str, expected: &str| assert_eq!(respelled(text, &names), expected);
        check("((P:x==4))", "((P.x==4))");
        check("(P[Q[0]:y]:a[1]>P@L)", "(P[Q[0].y].a[1]>(P._p==L))");
        check("(P[0]@L)", "((P[0]._p==L))");
        check("printf('P:x %d',Q:y)", "printf('P:x %d',Q.y)");
        check("x = ( (PQ:1) -> P : Q )", "x = ( (PQ:1) -> P : Q )");
    }
}
