//! Graphs with labelled moves.

use spinor_ts::{
    Component, ComponentClass, Expansion, Label, OmegaSystem, TransitionSystem, Violation,
    ViolationKind,
};

/// A move, or a violation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Move {
    To { target: u32, steps: u32, label: Label },
    Bad { violation: Violation, steps: u32 },
}

/// A graph given by lists of moves; the initial state is 0. States are encoded with
/// different lengths.
#[derive(Clone, Debug, Default)]
pub(crate) struct Web {
    pub(crate) moves: Vec<Vec<Move>>,
    /// By state: who can move.
    pub(crate) enabled: Vec<u64>,
    pub(crate) sets: u32,
    pub(crate) is_state_based: bool,
    /// With hidden bytes: one byte that counts moves and shifts their order.
    pub(crate) has_hidden: bool,
    /// By state: its component in the claim.
    pub(crate) components: Vec<Component>,
    /// So many states, the first ones, lie outside of everything that is wanted.
    pub(crate) outside: u32,
}

pub(crate) const CYCLE: Violation = Violation { kind: ViolationKind::AcceptanceCycle, site: 5 };

/// What a random web is like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taste {
    pub(crate) states: u32,
    pub(crate) sets: u32,
    pub(crate) processes: u32,
    pub(crate) is_state_based: bool,
    pub(crate) violations: bool,
}

impl Web {
    pub(crate) fn random(random: &mut fastrand::Rng, taste: Taste) -> Self {
        let Taste { states, sets, processes, is_state_based, violations } = taste;
        let degree = random.usize(1..5);
        let rarity = random.u32(1..6);
        let few = |random: &mut fastrand::Rng, count: u32, rarity: u32| {
            (0..count).filter(|_| random.u32(..=rarity) == 0).fold(0_u64, |bits, at| bits | 1 << at)
        };
        let mut web = Self { sets, is_state_based, has_hidden: random.bool(), ..Self::default() };
        let max_steps = *random.choice(&[1, 1, 3]).expect("there are some");
        for _ in 0..states {
            let of_state = few(random, sets, rarity) as u32;
            let mut movers = 0;
            let mut moves = Vec::new();
            for _ in 0..random.usize(..=degree) {
                let steps = random.u32(1..=max_steps);
                if violations && random.u32(..20) == 0 {
                    let violation =
                        Violation { kind: ViolationKind::Assertion, site: random.u32(..3) };
                    moves.push(Move::Bad { violation, steps });
                    continue;
                }
                let accepting =
                    if is_state_based { of_state } else { few(random, sets, rarity) as u32 };
                let mover = if processes > 0 { 1 << random.u32(..processes) } else { 0 };
                let mover = if random.u32(..8) == 0 { few(random, processes, 2) } else { mover };
                movers |= mover;
                let label = Label { accepting, movers: mover };
                moves.push(Move::To { target: random.u32(..states), steps, label });
            }
            web.moves.push(moves);
            web.enabled.push(movers | few(random, processes, 4));
        }
        web.components = vec![Component::default(); states as usize];
        web
    }

    /// Turns the first `outside` states into a part that nothing returns to and that no move
    /// of belongs to the first acceptance set.
    pub(crate) fn fence(&mut self, outside: u32) {
        let states = self.len();
        for (state, moves) in (0..).zip(&mut self.moves) {
            for to in moves {
                let Move::To { target, label, .. } = to else { continue };
                if state < outside {
                    label.accepting &= !1;
                } else {
                    *target = outside + *target % (states - outside);
                }
            }
        }
        self.outside = outside;
    }

    /// A ring of states, all moves with the same label.
    pub(crate) fn ring(states: u32, label: Label) -> Self {
        let to = |state: u32| vec![Move::To { target: (state + 1) % states, steps: 1, label }];
        Self {
            moves: (0..states).map(to).collect(),
            enabled: vec![label.movers; states as usize],
            sets: 1,
            is_state_based: true,
            components: vec![Component::default(); states as usize],
            ..Self::default()
        }
    }

    /// The moves of a state that are no violations.
    pub(crate) fn successors(&self, state: u32) -> impl Iterator<Item = (u32, u32, Label)> {
        self.moves[state as usize].iter().filter_map(|to| match to {
            Move::To { target, steps, label } => Some((*target, *steps, *label)),
            Move::Bad { .. } => None,
        })
    }

    pub(crate) fn len(&self) -> u32 {
        self.moves.len() as u32
    }

    /// Whether all moves of a state are accepting.
    pub(crate) fn is_accepting(&self, state: u32) -> bool {
        self.successors(state).any(|(_, _, label)| label.accepting & 1 != 0)
    }

    /// Gives every state the component it would have if the claim were the graph itself,
    /// where the book's classes make sense.
    pub(crate) fn classify(&mut self) {
        if self.sets != 1 || !self.is_state_based {
            return;
        }
        let reach = super::brute::reachability(self);
        let is_together = |a: u32, b: u32| {
            a == b || reach[a as usize][b as usize] && reach[b as usize][a as usize]
        };
        for state in 0..self.len() {
            let number = (0..=state).find(|other| is_together(*other, state)).unwrap_or(state);
            let members: Vec<u32> =
                (0..self.len()).filter(|other| is_together(*other, state)).collect();
            let accepting = members.iter().filter(|state| self.is_accepting(**state)).count();
            let class = if accepting == 0 {
                ComponentClass::NonAccepting
            } else if self.has_rejecting_cycle(&members) {
                ComponentClass::PartlyAccepting
            } else {
                ComponentClass::FullyAccepting
            };
            self.components[state as usize] = Component { number, class };
        }
    }

    /// Whether some cycle of these states avoids accepting ones.
    fn has_rejecting_cycle(&self, members: &[u32]) -> bool {
        let mut rest: Vec<u32> =
            members.iter().copied().filter(|state| !self.is_accepting(*state)).collect();
        loop {
            let before = rest.len();
            let has_next = |state: &u32| self.successors(*state).any(|(to, ..)| rest.contains(&to));
            let kept: Vec<u32> = rest.iter().copied().filter(has_next).collect();
            if kept.len() == before {
                return before > 0;
            }
            rest = kept;
        }
    }

    fn encode(&self, state: u32, hidden: u8) -> Vec<u8> {
        let mut bytes = state.to_le_bytes().to_vec();
        bytes.resize(4 + state as usize % 3, 0);
        if self.has_hidden {
            bytes.push(hidden);
        }
        bytes
    }
}

fn decode(state: &[u8]) -> u32 {
    u32::from_le_bytes(state[..4].try_into().expect("four bytes"))
}

impl TransitionSystem for Web {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        Ok(self.encode(0, 0))
    }

    fn hidden_bytes(&self) -> usize {
        usize::from(self.has_hidden)
    }

    fn lies_outside(&self, state: &[u8]) -> bool {
        decode(state) < self.outside
    }

    fn expand(&mut self, state: &[u8], out: &mut Expansion) {
        out.clear();
        let number = decode(state);
        let hidden = if self.has_hidden { state[state.len() - 1] } else { 0 };
        assert_eq!(state, self.encode(number, hidden), "not a state of this system");
        let moves = &self.moves[number as usize];
        out.enabled = self.enabled[number as usize];
        for index in 0..moves.len() {
            match moves[(index + usize::from(hidden)) % moves.len()] {
                Move::To { target, steps, label } => {
                    let next = self.encode(target, hidden.wrapping_add(index as u8 + 1));
                    out.push_successor(&next, steps);
                    out.labels_mut().push(label);
                    out.deepest = out.deepest.max(steps);
                }
                Move::Bad { violation, steps } => {
                    out.push_violation(violation, steps);
                    out.labels_mut().push(Label::default());
                }
            }
        }
    }
}

impl OmegaSystem for Web {
    fn acceptance_sets(&self) -> u32 {
        self.sets
    }

    fn is_state_based(&self) -> bool {
        self.is_state_based
    }

    fn cycle_violation(&self) -> Violation {
        CYCLE
    }

    fn component(&self, state: &[u8]) -> Component {
        self.components[decode(state) as usize]
    }
}
