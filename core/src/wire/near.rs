//! Which known name was probably meant.

/// Longer words are not compared: no known name is nearly as long.
const LONGEST: usize = 40;

/// The known name nearest to a word, if it differs by case only or by a slip or two of the hand
/// (a character more, less, other, or two swapped).
pub(super) fn nearest(word: &str, known: &[&'static str]) -> Option<&'static str> {
    if word.len() > LONGEST {
        return None;
    }
    let same = |name: &&&str| name.eq_ignore_ascii_case(word);
    let slips = |slips: usize| {
        // A third of the name may be wrong at most, or every short word is near to every other.
        known
            .iter()
            .find(|name| name.len() >= 3 * slips && within(word.as_bytes(), name.as_bytes(), slips))
    };
    known
        .iter()
        .find(same)
        .or_else(|| slips(1))
        .or_else(|| slips(2))
        .copied()
}

/// Whether so many slips lead from one word to the other. Recurses no deeper than a word is long.
fn within(one: &[u8], other: &[u8], slips: usize) -> bool {
    match (one, other) {
        ([], []) => true,
        ([first, one @ ..], [second, other @ ..]) if first.eq_ignore_ascii_case(second) => {
            within(one, other, slips)
        }
        _ if slips == 0 => false,
        ([_, rest @ ..], []) | ([], [_, rest @ ..]) => within(rest, &[], slips - 1),
        ([first, one_rest @ ..], [second, other_rest @ ..]) => {
            let swapped = match (one_rest, other_rest) {
                ([a, one_rest @ ..], [b, other_rest @ ..]) => {
                    first == b && second == a && within(one_rest, other_rest, slips - 1)
                }
                _ => false,
            };
            swapped
                || within(one_rest, other, slips - 1)
                || within(one, other_rest, slips - 1)
                || within(one_rest, other_rest, slips - 1)
        }
    }
}
