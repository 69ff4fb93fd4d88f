//! Labels as text: a sum of products in a given notation.

use crate::bdd::{Bdd, Label};

/// How a format writes boolean operators.
pub(crate) struct Notation {
    pub(crate) truth: &'static str,
    pub(crate) falsity: &'static str,
    pub(crate) and: &'static str,
    pub(crate) or: &'static str,
}

impl Notation {
    pub(crate) const PROMELA: Notation =
        Notation { truth: "1", falsity: "0", and: " && ", or: " || " };
    pub(crate) const HOA: Notation = Notation { truth: "t", falsity: "f", and: "&", or: " | " };

    /// Writes `label`, naming atoms by `atom`.
    pub(crate) fn write(
        &self,
        label: Label,
        bdd: &mut Bdd,
        atom: impl Fn(u32) -> String,
    ) -> String {
        match label {
            Label::TRUE => return self.truth.to_owned(),
            Label::FALSE => return self.falsity.to_owned(),
            _ => {}
        }
        let cubes = bdd.cubes(label);
        let products: Vec<String> = cubes
            .iter()
            .map(|cube| {
                let literals = cube.iter().map(|&(v, value)| {
                    let name = atom(v);
                    if value { name } else { format!("!{name}") }
                });
                literals.collect::<Vec<_>>().join(self.and)
            })
            .collect();
        if products.len() == 1 {
            return products.into_iter().next().unwrap_or_default();
        }
        let is_single = |i: usize| cubes[i].len() == 1;
        let sum = products.iter().enumerate().map(|(i, p)| {
            if is_single(i) || self.and == "&" { p.clone() } else { format!("({p})") }
        });
        sum.collect::<Vec<_>>().join(self.or)
    }
}
