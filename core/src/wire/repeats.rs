//! Finding what occurs twice, in less than quadratic time.

use alloc::vec::Vec;

/// Up to so many texts, comparing each with each is quicker than sorting.
const FEW: usize = 16;

/// The indexes of all texts that are equal to an earlier one, in ascending order.
pub(crate) fn repeats<'t>(texts: impl Iterator<Item = &'t str> + Clone) -> Vec<usize> {
    if texts.clone().nth(FEW).is_none() {
        let repeated = |&(index, text): &(usize, &str)| {
            texts.clone().take(index).any(|earlier| earlier == text)
        };
        return texts
            .clone()
            .enumerate()
            .filter(repeated)
            .map(|(index, _)| index)
            .collect();
    }
    let mut sorted: Vec<_> = texts
        .enumerate()
        .map(|(index, text)| (text, index))
        .collect();
    sorted.sort_unstable();
    let pairs = sorted.iter().zip(sorted.iter().skip(1));
    let mut repeated: Vec<_> = pairs
        .filter(|(one, next)| one.0 == next.0)
        .map(|(_, next)| next.1)
        .collect();
    repeated.sort_unstable();
    repeated
}
