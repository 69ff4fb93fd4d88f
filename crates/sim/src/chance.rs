//! Seeded choices.

/// A source of choices: the same seed gives the same ones for ever (`SplitMix64`).
#[derive(Clone, Debug)]
pub struct Chance {
    state: u64,
}

impl Chance {
    /// From a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Chance { state: seed }
    }

    /// A number below `count`, which is not 0.
    pub fn below(&mut self, count: usize) -> usize {
        // The high half of a product: no number is preferred noticeably.
        ((u128::from(self.next()) * count as u128) >> 64) as usize
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::Chance;

    #[test]
    fn the_numbers_of_a_seed_never_change() {
        let mut chance = Chance::new(1);
        let drawn: Vec<usize> = (0..8).map(|_| chance.below(10)).collect();
        assert_eq!(drawn, [5, 7, 9, 4, 4, 7, 8, 5]);
    }

    #[test]
    fn every_number_is_drawn() {
        let mut chance = Chance::new(7);
        let mut drawn = [0; 5];
        for _ in 0..1000 {
            drawn[chance.below(5)] += 1;
        }
        assert!(drawn.iter().all(|&n| (140..260).contains(&n)), "{drawn:?}");
    }
}
