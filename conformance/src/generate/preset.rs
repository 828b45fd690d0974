//! What kinds of logs there are: which steps, which damages, how often.

use tern_core::message::Act;

use super::damage::Damage;
use super::dice::{Dice, Weighted};
use super::moves::{Local, Move};
use super::tables::{
    ALL_DAMAGES, ALL_MOVES, BARE_DAMAGES, BYTE_DAMAGES, DOCUMENT_DAMAGES, FEW_DAMAGES,
    FILE_DAMAGES, REFERENCE_DAMAGES,
};
use crate::mixer::Mixer;

/// A named way to generate logs.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    name: &'static str,
    moves: &'static [(Move, u8)],
    damages: &'static [(Damage, u8)],
    /// Damages to the file as a whole.
    file_damages: &'static [(Damage, u8)],
    /// How many messages of a hundred are damaged.
    damage: u8,
    /// From and to how many records a log has, about.
    records: (usize, usize),
    /// How many revisions a chain grows by at most.
    depth: usize,
    bare: bool,
}

/// Everything in one log, in the middle of the other presets.
const MIXED: Preset = Preset {
    name: "mixed",
    moves: ALL_MOVES,
    damages: ALL_DAMAGES,
    file_damages: &[],
    damage: 22,
    records: (6, 42),
    depth: 6,
    bare: false,
};

const PRESETS: &[Preset] = &[
    MIXED,
    Preset {
        name: "wild",
        moves: &[
            (Move::Wild, 60),
            (Move::Say(Act::Request), 6),
            (Move::Say(Act::Commit), 10),
            (Move::Say(Act::Report), 8),
            (Move::Say(Act::Revise), 10),
            (Move::Negotiate, 3),
            (Move::Fork, 3),
            (Move::Fact(Local::Start), 2),
            (Move::Fact(Local::MakeReady), 2),
        ],
        ..MIXED
    },
    Preset {
        name: "chains",
        moves: &[
            (Move::Chain, 10),
            (Move::Say(Act::Revise), 8),
            (Move::Revive, 4),
            (Move::ReviseCommit, 3),
            (Move::ReviseRequest, 3),
            (Move::Fork, 1),
            (Move::Say(Act::Propose), 1),
            (Move::Say(Act::Report), 1),
        ],
        damages: FEW_DAMAGES,
        damage: 8,
        records: (10, 120),
        depth: 100,
        ..MIXED
    },
    Preset {
        name: "forks",
        moves: &[
            (Move::Fork, 10),
            (Move::Chain, 4),
            (Move::ReviseCommit, 4),
            (Move::ReviseRequest, 4),
            (Move::ForkReport, 4),
            (Move::Revive, 2),
            (Move::Say(Act::Tell), 1),
            (Move::Fact(Local::Start), 2),
        ],
        damages: FEW_DAMAGES,
        damage: 15,
        ..MIXED
    },
    Preset {
        name: "negotiation",
        moves: &[
            (Move::Negotiate, 12),
            (Move::Say(Act::Commit), 4),
            (Move::ReviseRequest, 4),
            (Move::ReviseCommit, 4),
            (Move::Say(Act::Decline), 3),
            (Move::Say(Act::Propose), 2),
            (Move::Say(Act::Report), 3),
            (Move::Fact(Local::Start), 2),
            (Move::Fact(Local::MakeReady), 2),
        ],
        damages: REFERENCE_DAMAGES,
        damage: 20,
        ..MIXED
    },
    Preset {
        name: "progress",
        moves: &[
            (Move::Course, 6),
            (Move::Concurrent, 6),
            (Move::Invalidate, 6),
            (Move::ForkReport, 6),
            (Move::Say(Act::Report), 6),
            (Move::Say(Act::Revise), 4),
            (Move::Revive, 1),
        ],
        damages: FEW_DAMAGES,
        damage: 15,
        ..MIXED
    },
    Preset {
        name: "readiness",
        moves: &[
            (Move::Say(Act::Commit), 4),
            (Move::Fact(Local::MakeReady), 8),
            (Move::Fact(Local::Grant), 10),
            (Move::Fact(Local::Clock), 6),
            (Move::Fact(Local::Revoke), 2),
            (Move::Fact(Local::Permit), 4),
            (Move::Fact(Local::RequireApproval), 3),
            (Move::Fact(Local::Approve), 3),
            (Move::Fact(Local::Confirm), 6),
            (Move::Fact(Local::Judge), 3),
            (Move::Say(Act::Report), 2),
            (Move::Negotiate, 1),
        ],
        damages: FEW_DAMAGES,
        damage: 10,
        ..MIXED
    },
    Preset {
        name: "equivocation",
        moves: &[
            (Move::Say(Act::Request), 2),
            (Move::Say(Act::Commit), 4),
            (Move::Say(Act::Report), 5),
            (Move::Say(Act::Revise), 6),
            (Move::Negotiate, 5),
            (Move::ReviseRequest, 2),
            (Move::ReviseCommit, 2),
            (Move::ForkReport, 2),
            (Move::Dispute, 2),
            (Move::Say(Act::Ack), 1),
            (Move::Fact(Local::Start), 1),
        ],
        damages: &[
            (Damage::EquivocateText, 8),
            (Damage::EquivocateAct, 8),
            (Damage::EquivocateReference, 10),
            (Damage::EquivocateMore, 4),
            (Damage::ReferUnknown, 3),
            (Damage::Late, 4),
            (Damage::Early, 3),
            (Damage::Shuffle, 3),
            (Damage::ShuffleAll, 2),
            (Damage::RepeatReordered, 2),
        ],
        damage: 35,
        ..MIXED
    },
    Preset {
        name: "references",
        damages: REFERENCE_DAMAGES,
        damage: 40,
        ..MIXED
    },
    Preset {
        name: "annotations",
        moves: &[
            (Move::Dispute, 10),
            (Move::Say(Act::Challenge), 4),
            (Move::Say(Act::Ack), 4),
            (Move::ReviseCommit, 5),
            (Move::Say(Act::Revise), 5),
            (Move::Say(Act::Report), 4),
            (Move::Negotiate, 3),
            (Move::Revive, 3),
            (Move::Say(Act::Ask), 3),
            (Move::Say(Act::Decline), 2),
            (Move::Fact(Local::Judge), 3),
        ],
        damages: FEW_DAMAGES,
        damage: 15,
        ..MIXED
    },
    Preset {
        name: "evidence",
        moves: &[
            (Move::Say(Act::Tell), 6),
            (Move::Say(Act::Challenge), 4),
            (Move::Say(Act::Report), 6),
            (Move::Say(Act::Revise), 6),
            (Move::Fact(Local::Evidence), 8),
            (Move::Wild, 3),
            (Move::Invalidate, 2),
        ],
        damages: ALL_DAMAGES,
        damage: 20,
        ..MIXED
    },
    Preset {
        name: "reconcile",
        moves: &[
            (Move::Fact(Local::Start), 12),
            (Move::Fact(Local::Finish), 3),
            (Move::Fact(Local::Reconciled), 8),
            (Move::Negotiate, 5),
            (Move::ReviseRequest, 5),
            (Move::ReviseCommit, 5),
            (Move::Fork, 4),
            (Move::Say(Act::Commit), 4),
            (Move::Fact(Local::MakeReady), 2),
        ],
        damages: REFERENCE_DAMAGES,
        damage: 25,
        ..MIXED
    },
    Preset {
        name: "bytes",
        damages: BYTE_DAMAGES,
        damage: 60,
        records: (3, 20),
        ..MIXED
    },
    Preset {
        name: "document",
        file_damages: DOCUMENT_DAMAGES,
        records: (2, 12),
        ..MIXED
    },
    Preset {
        name: "bare",
        damages: BARE_DAMAGES,
        file_damages: FILE_DAMAGES,
        records: (1, 20),
        bare: true,
        ..MIXED
    },
];

impl Preset {
    /// Every preset.
    #[must_use]
    pub fn all() -> &'static [Self] {
        PRESETS
    }

    /// The preset of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// What it is called.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The same preset where nothing goes wrong: everything that is said is meant to be accepted.
    #[must_use]
    pub const fn undamaged(mut self) -> Self {
        self.damage = 0;
        self.file_damages = &[];
        self
    }

    /// Whether its logs are documents that are always readable.
    #[must_use]
    pub const fn is_readable(&self) -> bool {
        self.file_damages.is_empty()
    }

    /// From and to how many records its logs have, about.
    #[must_use]
    pub const fn records(&self) -> (usize, usize) {
        self.records
    }
}

/// A preset as one log uses it: some of it switched off (swarm testing).
pub(crate) struct Plan {
    pub(crate) moves: Weighted<Move>,
    pub(crate) damages: Weighted<Damage>,
    pub(crate) file_damages: Weighted<Damage>,
    /// Percentages.
    pub(crate) damage: u8,
    /// Odd names, ids and texts.
    pub(crate) odd: u8,
    /// Deliveries as `text` or `base64` where `message` would do.
    pub(crate) forms: u8,
    /// References that do not ask whether their target is sound.
    pub(crate) loose: u8,
    pub(crate) evidence: u8,
    pub(crate) extensions: u8,
    pub(crate) depth: usize,
    pub(crate) bare: bool,
}

impl Plan {
    pub(crate) fn draw(preset: &Preset, dice: &mut Dice<'_, '_>) -> Self {
        let mut moves = swarm(preset.moves, dice);
        if moves.is_empty() {
            moves = Weighted::new(preset.moves, 0);
        }
        let damages = swarm(preset.damages, dice);
        let file_damages = Weighted::new(preset.file_damages, 0);
        let damage = match dice.below(4) {
            _ if preset.damage == 0 || damages.is_empty() => 0,
            1 => preset.damage / 3,
            2 => preset.damage.saturating_mul(2).min(70),
            _ => preset.damage,
        };
        let loose = match preset.name {
            _ if damage == 0 => 0,
            "wild" => 50,
            "references" => 12,
            _ => 4,
        };
        Self {
            moves,
            damages,
            file_damages,
            damage,
            odd: dice.one(&[2, 0, 10, 0, 30]),
            forms: dice.one(&[0, 5, 20, 60]),
            loose,
            evidence: dice.one(&[5, 0, 15, 40]),
            extensions: dice.one(&[5, 0, 10, 30]),
            depth: preset.depth,
            bare: preset.bare,
        }
    }
}

/// Switches off some of a table: nothing, a quarter, a half or three quarters of it.
fn swarm<T: Copy>(table: &'static [(T, u8)], dice: &mut Dice<'_, '_>) -> Weighted<T> {
    let share = dice.below(4);
    let mut mixer = Mixer::new(dice.word());
    let mut bits = || u128::from(mixer.number()) << 64 | u128::from(mixer.number());
    let off = match share {
        0 => 0,
        1 => bits() & bits(),
        2 => bits(),
        _ => bits() | bits(),
    };
    Weighted::new(table, off)
}
