//! Strands stay few and long: what makes a walk back cheap, and no result shows.

use alloc::vec;
use alloc::vec::Vec;

use super::super::ids::Ix;
use super::{Place, Strands};

fn ix(number: u32) -> Ix {
    Ix(number)
}

/// Adds a message as the reducer does: behind the newest reference that is the last of its strand.
fn weave(strands: &mut Strands, message: u32, references: &[u32]) -> Place {
    let last = references.iter().filter(|it| strands.is_last(ix(**it)));
    let place = strands.add(ix(message), last.max().map(|it| ix(*it)));
    strands.refer(place, ix(message), references.iter().map(|it| ix(*it)));
    place
}

/// S5.01: a conversation in which everybody answers the last message is one strand without crossings.
#[test]
fn a_conversation_is_one_strand() {
    let mut strands = Strands::default();
    weave(&mut strands, 0, &[]);
    for message in 1..1_000 {
        // Naming older messages of the same strand leads nowhere else.
        let place = weave(&mut strands, message, &[message - 1, message / 2]);
        let expected = Place {
            strand: 0,
            at: message,
        };
        assert_eq!(place, expected);
    }
    assert_eq!(strands.lengths, [1_000]);
    assert!(strands.crossings.is_empty());
}

/// S5.01: a member is a crossing only if it leads further into another strand than those before it.
#[test]
fn a_crossing_leads_further() {
    let mut strands = Strands::default();
    for message in 0..4 {
        weave(
            &mut strands,
            message,
            &message.checked_sub(1).map_or(vec![], |it| vec![it]),
        );
    }
    // A second strand, from the middle of the first: 4 names 1, 5 names 1 again, 6 names 2, 7 names 0.
    weave(&mut strands, 4, &[1]);
    weave(&mut strands, 5, &[4, 1]);
    weave(&mut strands, 6, &[5, 2]);
    weave(&mut strands, 7, &[6, 0]);
    assert_eq!(strands.lengths, [4, 4]);
    let crossings: Vec<(u32, u32)> = strands.crossings.keys().copied().collect();
    assert_eq!(crossings, [(1, 0), (1, 2)]);
}
