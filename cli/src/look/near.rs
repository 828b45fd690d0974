//! Which known ids were probably meant.

/// Longer ids are not compared letter by letter.
const LONGEST: usize = 64;
/// How many are named.
const NAMED: usize = 3;

/// The known ids that differ from `id` least: by case, or by a slip or two of the hand, or by their
/// suffix only where it is one of a few. The nearest first, and equally near ones in their order.
pub(crate) fn nearest<'k>(id: &str, known: impl Iterator<Item = &'k str>) -> Vec<&'k str> {
    let word: Vec<char> = id.chars().take(LONGEST + 1).collect();
    let most = (word.len() / 3).clamp(1, 3);
    let mut near: Vec<(usize, &str)> = Vec::new();
    for other in known {
        if id.len().abs_diff(other.len()) > 4 * most {
            continue;
        }
        let Some(slips) = slips(&word, other, most) else {
            continue;
        };
        // INVARIANT: `near` is sorted and short, so this costs nothing.
        let at = near.partition_point(|&(others, name)| (others, name) < (slips, other));
        near.insert(at, (slips, other));
        near.truncate(NAMED);
    }
    near.into_iter().map(|(_, other)| other).collect()
}

/// How many characters are more, less or other, letters of either case counting as the same; none
/// if more than `most`.
fn slips(word: &[char], other: &str, most: usize) -> Option<usize> {
    let other: Vec<char> = other.chars().take(LONGEST + 1).collect();
    if word.len() > LONGEST || other.len() > LONGEST || word.len().abs_diff(other.len()) > most {
        return None;
    }
    // The last row of the table of distances between beginnings of the two words.
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, &letter) in word.iter().enumerate() {
        let mut left = index + 1;
        let mut diagonal = index;
        let mut next = Vec::with_capacity(row.len());
        next.push(left);
        for (&above, &against) in row.iter().skip(1).zip(&other) {
            let same = letter.to_lowercase().eq(against.to_lowercase());
            left = (diagonal + usize::from(!same)).min(above + 1).min(left + 1);
            diagonal = above;
            next.push(left);
        }
        if next.iter().all(|&slips| slips > most) {
            return None;
        }
        row = next;
    }
    row.last().copied().filter(|&slips| slips <= most)
}

#[cfg(test)]
mod tests;
