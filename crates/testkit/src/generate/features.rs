//! Language features that a generated model may use.

use super::rng::Rng;

macro_rules! features {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// A language feature; each seed uses a few of them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Feature { $($(#[$doc])* $name,)* }

        impl Feature {
            /// All features.
            pub const ALL: &'static [Feature] = &[$(Feature::$name,)*];
        }
    };
}

features! {
    /// All scalar types, not only `byte`.
    Types,
    /// Values that do not fit their variable.
    Truncation,
    /// Shifts, bit operations, conditional expressions.
    Operators,
    /// Arrays.
    Arrays,
    /// Record types.
    Records,
    /// `mtype` constants and variables.
    Mtypes,
    /// Named `mtype` subtypes.
    Subtypes,
    /// Hidden variables.
    Hidden,
    /// Initial values.
    Initialisers,
    /// Declarations between statements and in inner blocks.
    LateDeclarations,
    /// Buffered channels.
    Buffered,
    /// `!!`, `??`, `<…>`, polls, `eval`.
    FancyChannels,
    /// Rendezvous channels.
    Rendezvous,
    /// Messages with several fields.
    WideMessages,
    /// Channels sent in messages, kept in variables and passed to processes.
    ChannelValues,
    /// Records as messages.
    RecordMessages,
    /// Channels local to a process.
    LocalChannels,
    /// Processes with parameters, started by `run`.
    Run,
    /// Several instances of a proctype.
    Instances,
    /// `provided` clauses.
    Provided,
    /// Process priorities.
    Priority,
    /// Inline definitions.
    Inlines,
    /// Plain labels and jumps.
    Goto,
    /// `end`, `progress` and `accept` labels.
    SpecialLabels,
    /// `for` loops.
    For,
    /// `select`.
    Select,
    /// `atomic`.
    Atomic,
    /// `d_step`.
    DStep,
    /// `unless`.
    Unless,
    /// `timeout`.
    Timeout,
    /// `assert`.
    Assert,
    /// `printf`.
    Print,
    /// `x++` and `x--`.
    IncDec,
    /// `_pid` and `_nr_pr`.
    Predefined,
    /// `_last`, `enabled`, `pc_value`.
    RarePredefined,
    /// References to labels and variables of other processes.
    Remote,
    /// `else` in choices.
    Else,
    /// A never claim.
    Claim,
    /// A `trace` or `notrace` declaration.
    Trace,
    /// Rare run-time errors: bad index, division by zero, dead channels.
    RuntimeErrors,
}

/// A set of features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features(u64);

impl Features {
    /// The set with exactly the given members.
    pub fn of(list: &[Feature]) -> Features {
        let mut set = Features::default();
        list.iter().for_each(|&f| set.insert(f));
        set
    }

    /// True if `f` is a member.
    pub fn has(self, f: Feature) -> bool {
        self.0 & (1 << f as u64) != 0
    }

    /// Adds `f`.
    pub fn insert(&mut self, f: Feature) {
        self.0 |= 1 << f as u64;
    }

    /// Removes `f`.
    pub fn remove(&mut self, f: Feature) {
        self.0 &= !(1 << f as u64);
    }

    /// The members in order.
    pub fn iter(self) -> impl Iterator<Item = Feature> {
        Feature::ALL.iter().copied().filter(move |&f| self.has(f))
    }

    /// A random selection: a handful, so that a model is about something.
    pub(crate) fn random(rng: &mut Rng) -> Features {
        let mut set = Features::default();
        let count = 4 + rng.below(9);
        for _ in 0..count {
            set.insert(rng.one_of(Feature::ALL));
        }
        for (f, percent) in [
            (Feature::Else, 60),
            (Feature::Initialisers, 40),
            (Feature::Buffered, 35),
            (Feature::Assert, 25),
        ] {
            if rng.chance(percent) {
                set.insert(f);
            }
        }
        for f in [Feature::Claim, Feature::Trace, Feature::RuntimeErrors] {
            set.remove(f);
        }
        set
    }

    /// Adds what members need and drops what SPIN does not accept together.
    pub(crate) fn completed(mut self, rng: &mut Rng) -> Features {
        use Feature::*;
        for (f, needs) in [
            (Subtypes, Mtypes),
            (RecordMessages, Records),
            (RecordMessages, Buffered),
            (FancyChannels, Buffered),
            (Trace, Buffered),
        ] {
            if self.has(f) {
                self.insert(needs);
            }
        }
        let channels = self.has(Buffered) || self.has(Rendezvous);
        if !channels && (self.has(WideMessages) || self.has(ChannelValues)) {
            self.insert(if rng.chance(60) { Buffered } else { Rendezvous });
        }
        if self.has(Rendezvous) {
            // SPIN: priorities and enabled() cannot be combined with rendezvous.
            self.remove(Priority);
        }
        self
    }
}
