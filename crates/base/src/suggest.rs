//! "Did you mean …": the nearest of the names that would have been right.

use std::cmp::Reverse;

/// The candidate nearest to `name`, if it is near enough to be a slip.
pub fn nearest<T: AsRef<str>>(name: &str, candidates: impl IntoIterator<Item = T>) -> Option<T> {
    let limit = (name.chars().count() / 3).clamp(1, 3);
    candidates
        .into_iter()
        .filter(|c| c.as_ref() != name)
        .map(|c| (distance(name, c.as_ref()), c))
        .filter(|(d, c)| *d <= limit && *d < c.as_ref().chars().count())
        // Slips are rarer at the beginning of a word.
        .min_by_key(|(d, c)| (*d, Reverse(common_prefix(name, c.as_ref())), c.as_ref().len()))
        .map(|(_, c)| c)
}

/// Characters that both begin with.
fn common_prefix(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count()
}

/// Edit distance, letter case counting half a step (rounded down).
fn distance(a: &str, b: &str) -> usize {
    if a.eq_ignore_ascii_case(b) {
        return 1;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    let mut above = row.clone();
    for (i, &x) in a.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, &y) in b.iter().enumerate() {
            let mut best = (row[j] + usize::from(x != y)).min(row[j + 1] + 1).min(next[j] + 1);
            let swapped = i > 0 && j > 0 && x == b[j - 1] && a[i - 1] == y;
            if swapped {
                best = best.min(above[j - 1] + 1);
            }
            next.push(best);
        }
        above = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Text;

    #[test]
    fn finds_slips_and_nothing_far() {
        let names: Vec<Text> = ["count", "turn", "x"].map(Text::from).to_vec();
        let near = |n: &str| nearest(n, &names).map(|t| t.to_string());
        assert_eq!(near("cuont").as_deref(), Some("count"));
        assert_eq!(near("Turn").as_deref(), Some("turn"));
        assert_eq!(near("y"), None);
        assert_eq!(nearest("byt", ["bit", "bool", "byte"]), Some("byte"));
        assert_eq!(near("process"), None);
    }
}
