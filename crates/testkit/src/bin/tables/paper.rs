//! The models and the numbers of the paper.

use crate::model::Model;
use crate::runs::Error;

/// Stored, expanded, transitions, length; nothing where the paper has a dash.
pub type Printed = Option<[u64; 4]>;

/// A block of Tables 3 to 5: breadth first, depth first, A*, best first, SPIN.
pub struct Block {
    pub model: Model,
    pub error: Error,
    pub printed: [Printed; 5],
}

const fn model(
    name: &'static str,
    file: &'static str,
    defines: &'static [(&'static str, &'static str)],
    written: &'static [(&'static str, &'static str)],
) -> Model {
    Model { name, file, defines, written }
}

pub const GIOP: Model = model("GIOP", "deadlock.giop", &[], &[("NUSERS", "2"), ("NSERVERS", "1")]);
pub const PHILOSOPHERS: Model = model("Philosophers", "deadlock.philosophers", &[("N", "8")], &[]);
pub const OPTICAL: Model = model("Optical", "deadlock.optical", &[("N", "6")], &[]);
pub const MARRIERS: Model = model("Marriers", "deadlock.marriers", &[], &[("NPAIRS", "3")]);
pub const MARRIERS_4: Model = model("Marriers", "deadlock.marriers", &[], &[("NPAIRS", "4")]);

pub const DEADLOCKS: [Block; 4] = [
    Block {
        model: GIOP,
        error: Error::Deadlock,
        printed: [
            Some([40_847, 37_266, 151_671, 58]),
            Some([218, 218, 327, 134]),
            Some([31_066, 27_061, 108_971, 58]),
            Some([117, 65, 126, 65]),
            Some([326, 326, 364, 134]),
        ],
    },
    Block {
        model: PHILOSOPHERS,
        error: Error::Deadlock,
        printed: [
            Some([3_678, 2_875, 15_775, 34]),
            Some([1_341, 1_341, 1_772, 1_362]),
            Some([67, 17, 73, 34]),
            Some([493, 225, 622, 66]),
            Some([1_341, 1_341, 1_772, 1_362]),
        ],
    },
    Block {
        model: OPTICAL,
        error: Error::Deadlock,
        printed: [
            Some([148_591, 110_722, 621_216, 38]),
            Some([20, 20, 20, 44]),
            Some([83, 14, 83, 38]),
            Some([83, 14, 13, 38]),
            Some([20, 20, 20, 44]),
        ],
    },
    Block {
        model: MARRIERS,
        error: Error::Deadlock,
        printed: [
            Some([9_459, 9_004, 24_064, 50]),
            Some([10_588, 10_588, 29_069, 72]),
            Some([9_208, 8_335, 22_298, 50]),
            Some([7_154, 4_124, 9_710, 61]),
            Some([2_530, 2_530, 3_116, 72]),
        ],
    },
];

pub const ASSERTIONS: [Block; 3] = [
    Block {
        model: model("Relay", "assertion.relay", &[], &[]),
        error: Error::Assertion,
        printed: [
            Some([905, 707, 2_701, 12]),
            Some([342, 342, 718, 190]),
            Some([738, 663, 2_262, 12]),
            Some([162, 48, 263, 28]),
            Some([342, 342, 870, 190]),
        ],
    },
    Block {
        model: model("Lynch", "assertion.lynch", &[], &[]),
        error: Error::Assertion,
        printed: [
            Some([80, 77, 94, 29]),
            Some([48, 48, 49, 46]),
            Some([73, 70, 87, 29]),
            Some([49, 46, 59, 29]),
            Some([46, 46, 48, 46]),
        ],
    },
    Block {
        model: model("Mutex", "assertion.mutex", &[], &[]),
        error: Error::Assertion,
        printed: [
            Some([363, 344, 688, 15]),
            Some([202, 202, 363, 54]),
            Some([38, 21, 42, 15]),
            Some([39, 24, 48, 15]),
            Some([202, 202, 363, 54]),
        ],
    },
];

pub const INVARIANTS: [Block; 2] = [
    Block {
        model: model("POTS", "ltl.invariant.pots-error", &[], &[]),
        error: Error::Claim,
        printed: [
            Some([24_546, 17_632, 99_125, 81]),
            None,
            Some([6_654, 3_657, 18_742, 81]),
            Some([781, 209, 1_067, 83]),
            Some([148_049, 148_049, 425_597, 2_765]),
        ],
    },
    Block {
        model: model("Elevator", "ltl.invariant.elevator", &[("N", "3")], &[]),
        error: Error::Claim,
        printed: [
            Some([38_662, 38_564, 160_364, 203]),
            Some([279, 279, 356, 510]),
            Some([38_598, 38_506, 160_208, 203]),
            Some([2_753, 2_297, 5_960, 421]),
            Some([292, 292, 348, 510]),
        ],
    },
];

/// Table 6: expanded states and largest estimate; none, active, deadlock, danger.
pub const HEURISTICS: [(Model, [(u64, u32); 4]); 4] = [
    (PHILOSOPHERS, [(2_875, 0), (17, 8), (17, 10), (10, 16)]),
    (OPTICAL, [(110_722, 0), (14, 12), (342, 14), (342, 12)]),
    (MARRIERS_4, [(493_840, 0), (432_483, 4), (462_235, 25), (192_902, 25)]),
    (GIOP, [(37_266, 0), (27_061, 6), (28_067, 12), (24_859, 25)]),
];

/// Table 7: number of philosophers; breadth first, depth first, A*, best first, SPIN.
pub const PHILOSOPHERS_BY_NUMBER: [(&str, [Printed; 5]); 6] = [
    (
        "2",
        [
            Some([9, 7, 10, 10]),
            Some([6, 6, 7, 10]),
            Some([6, 6, 4, 10]),
            Some([6, 4, 6, 10]),
            Some([6, 6, 7, 10]),
        ],
    ),
    (
        "3",
        [
            Some([19, 14, 29, 14]),
            Some([19, 10, 12, 18]),
            Some([12, 7, 13, 14]),
            Some([26, 23, 43, 14]),
            Some([19, 10, 12, 18]),
        ],
    ),
    (
        "4",
        [
            Some([56, 42, 116, 18]),
            Some([45, 45, 62, 54]),
            Some([19, 9, 21, 18]),
            Some([70, 57, 142, 26]),
            Some([45, 45, 116, 54]),
        ],
    ),
    (
        "8",
        [
            Some([3_768, 2_875, 15_775, 34]),
            Some([1_341, 1_341, 1_772, 1_362]),
            Some([67, 17, 73, 34]),
            Some([493, 225, 622, 66]),
            Some([1_341, 1_341, 1_772, 1_362]),
        ],
    ),
    (
        "14",
        [
            None,
            None,
            Some([199, 29, 211, 58]),
            Some([1_660, 1_963, 684, 114]),
            Some([2_164_280, 2_164_280, 27_050_400, 9_998]),
        ],
    ),
    ("16", [None, None, Some([259, 33, 273, 66]), Some([2_201, 893, 2_578, 130]), None]),
];

/// Table 8: depth; A*, IDA*, IDA* over bits.
pub const GIOP_UNDER_LIMITS: [(u64, [u64; 3]); 12] = [
    (58, [150_344, 146_625, 146_625]),
    (59, [168_191, 164_982, 164_982]),
    (60, [184_872, 184_383, 184_383]),
    (61, [0, 206_145, 206_145]),
    (62, [0, 0, 229_626]),
    (63, [0, 0, 255_411]),
    (64, [0, 0, 282_444]),
    (65, [0, 0, 311_340]),
    (66, [0, 0, 341_562]),
    (67, [0, 0, 373_422]),
    (68, [0, 0, 407_310]),
    (69, [0, 0, 442_941]),
];
pub const GIOP_3: Model =
    model("GIOP", "deadlock.giop", &[], &[("NUSERS", "3"), ("NSERVERS", "1")]);

/// Table 10: formula; nested, improved nested: stored, expanded, transitions.
pub const LEADER: [(&str, Model, [[u64; 3]; 2]); 2] = [
    (
        "◇□ oneLeader",
        model("Leader", "ltl.leader", &[("N", "4"), ("L", "8"), ("F", "3")], &[]),
        [[4_779, 9_556, 42_307], [4_779, 9_556, 42_307]],
    ),
    (
        "◇ elected",
        model("Leader", "ltl.leader", &[("N", "4"), ("L", "8"), ("F", "2")], &[]),
        [[2_380, 14_086, 4_759], [2_380, 7_044, 2_380]],
    ),
];

/// Table 11: nested, improved nested, A* and improved nested.
pub const LIVENESS: [(Model, [[u64; 4]; 3]); 2] = [
    (
        model("Elevator", "ltl.elevator", &[("N", "3")], &[]),
        [[192, 229, 280, 320], [187, 187, 215, 311], [29_407, 28_309, 130_211, 297]],
    ),
    (
        model("GIOP", "ltl.giop", &[], &[("NUSERS", "3"), ("NSERVERS", "1")]),
        [[7_331, 7_346, 33_061, 289], [7_260, 7_260, 32_984, 155], [86, 81, 93, 155]],
    ),
];
