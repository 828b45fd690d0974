//! Logs at random, out of bytes.
//!
//! One source serves property tests, fuzzers and long runs: a [`Scenario`] is made out of
//! [`Unstructured`] bytes, or out of a seed. A world of messages that are valid together is built
//! step by step, and damage is done on the way: to a message, to its delivery, to the document.
//! Each choice takes its bytes from the front, so the beginning of an input keeps its meaning
//! whatever follows, and an input that ends makes a log that ends.

mod damage;
mod dice;
mod facts;
mod moves;
mod node;
mod patterns;
mod post;
mod preset;
mod speak;
mod style;
mod tables;
mod wild;
mod words;
mod world;

use std::fmt;

use arbitrary::{Arbitrary, Unstructured};
use rand_core::{Rng as _, SeedableRng as _};
use rand_xorshift::XorShiftRng;

pub use damage::Damage;
pub use preset::Preset;

use damage::document::{self, File};
use dice::Dice;
use preset::Plan;
use world::World;

use crate::mixer::{Mixer, hash};

/// However long an input is, its log has about so many records at most.
const MOST_RECORDS: usize = 250;

/// More bytes than a record of a seeded log takes.
const BYTES_PER_RECORD: usize = 160;

/// A log as a list of lines, and what was put into it.
#[derive(Clone, PartialEq, Eq)]
pub struct Scenario {
    lines: Vec<Vec<u8>>,
    ends_with_newline: bool,
    preset: &'static str,
    seed: Option<u64>,
    damages: Vec<Damage>,
}

/// The log of a seed: for ever the same on one revision of this crate.
#[must_use]
pub fn seeded(seed: u64, preset: &Preset) -> Scenario {
    // So one seed makes logs of different lengths under different presets.
    let mut random = XorShiftRng::seed_from_u64(seed ^ hash(preset.name().as_bytes()));
    let (least, most) = preset.records();
    let spread = u64::try_from(most - least + 1).unwrap_or(1);
    let records = least + usize::try_from(random.next_u64() % spread).unwrap_or(0);
    let mut bytes = vec![0; 512 + records * BYTES_PER_RECORD];
    random.fill_bytes(&mut bytes);
    let mut scenario = grow(&mut Unstructured::new(&bytes), preset, records);
    scenario.seed = Some(seed);
    scenario
}

impl Scenario {
    /// A log out of bytes: the more bytes, the longer the log.
    ///
    /// # Errors
    /// None. Bytes that run out end the log.
    pub fn generate(u: &mut Unstructured<'_>, preset: &Preset) -> arbitrary::Result<Self> {
        Ok(grow(u, preset, MOST_RECORDS))
    }

    /// The bytes of the whole.
    #[must_use]
    pub fn document(&self) -> Vec<u8> {
        let mut document = Vec::with_capacity(self.lines.iter().map(|line| line.len() + 1).sum());
        for line in &self.lines {
            document.extend_from_slice(line);
            document.push(b'\n');
        }
        if !self.ends_with_newline {
            document.pop();
        }
        document
    }

    /// The lines without their newlines. In a document the first is its context.
    #[must_use]
    pub fn lines(&self) -> &[Vec<u8>] {
        &self.lines
    }

    /// The same scenario with other lines: permuted, cut or shrunk.
    #[must_use]
    pub fn with_lines(&self, lines: Vec<Vec<u8>>) -> Self {
        Self {
            lines,
            ..self.clone()
        }
    }

    /// The name of its preset.
    #[must_use]
    pub const fn preset(&self) -> &'static str {
        self.preset
    }

    /// The seed that it was made of, if it was.
    #[must_use]
    pub const fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// The damages done to it, in order.
    #[must_use]
    pub fn damages(&self) -> &[Damage] {
        &self.damages
    }
}

impl<'a> Arbitrary<'a> for Scenario {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let preset = *u.choose(Preset::all())?;
        Self::generate(u, &preset)
    }
}

impl fmt::Display for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.preset)?;
        if let Some(seed) = self.seed {
            write!(f, " seed {seed}")?;
        }
        write!(f, ", {} lines", self.lines.len())?;
        for (at, damage) in self.damages.iter().enumerate() {
            let before = if at == 0 { ", damages: " } else { " " };
            write!(f, "{before}{}", damage.as_str())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{self}")?;
        for line in &self.lines {
            writeln!(f, "{}", String::from_utf8_lossy(line))?;
        }
        Ok(())
    }
}

fn grow(u: &mut Unstructured<'_>, preset: &Preset, records: usize) -> Scenario {
    let mut dice = Dice::new(u);
    let plan = Plan::draw(preset, &mut dice);
    let order = dice.word();
    let spoils = dice.byte();
    let mut world = World::new(dice, plan);
    // A step that is dropped adds no record, so steps are counted as well.
    for _ in 0..=records {
        let step = world.plan.moves.pick(&mut world.dice);
        let Some(step) = step else {
            break;
        };
        world.make(step);
        if world.dice.is_spent() || world.post.len() > records {
            break;
        }
    }
    world.post.flush();
    let World {
        mut dice,
        plan,
        mut post,
        mut damages,
        ..
    } = world;
    if damages.contains(&Damage::ShuffleAll) {
        let first = usize::from(!plan.bare);
        if let Some(records) = post.lines.get_mut(first..) {
            Mixer::new(order).shuffle(records);
        }
    }
    let mut file = File {
        lines: post.lines,
        ends_with_newline: true,
    };
    // Mostly one damage to the file, sometimes none or two.
    let count = match spoils {
        0..=50 => 0,
        51..=220 => 1,
        _ => 2,
    };
    for _ in 0..count {
        if let Some(damage) = plan.file_damages.pick(&mut dice)
            && document::spoil(damage, &mut file, &mut dice)
        {
            damages.push(damage);
        }
    }
    Scenario {
        lines: file.lines,
        ends_with_newline: file.ends_with_newline,
        preset: preset.name(),
        seed: None,
        damages,
    }
}
