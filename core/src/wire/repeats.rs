//! Finding what occurs twice, in less than quadratic time.

use alloc::vec::Vec;

/// Up to so many texts, comparing each with each is quicker than sorting.
const FEW: usize = 16;

/// Whether a text is equal to an earlier one.
pub(crate) fn has_repeats<'t>(texts: impl Iterator<Item = &'t str> + Clone) -> bool {
    let mut rest = texts.clone();
    for _ in 0..FEW {
        match rest.next() {
            None => return false,
            Some(text) if rest.clone().take(FEW).any(|later| later == text) => return true,
            Some(_) => {}
        }
    }
    !repeats(texts).is_empty()
}

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

#[cfg(test)]
mod tests {
    use super::{has_repeats, repeats};
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;

    /// S2.04: one text twice is found wherever the two stand, among few and among many.
    #[test]
    fn s2_04_what_occurs_twice_is_found() {
        for count in 0..40 {
            let texts: Vec<String> = (0..count).map(|number| format!("{number}")).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            assert!(!has_repeats(texts.iter().copied()));
            assert!(repeats(texts.iter().copied()).is_empty());
            for later in 1..count {
                for earlier in 0..later {
                    let mut texts = texts.clone();
                    let text = texts.get(earlier).copied().unwrap_or_default();
                    if let Some(place) = texts.get_mut(later) {
                        *place = text;
                    }
                    assert!(has_repeats(texts.iter().copied()), "{texts:?}");
                    assert_eq!(repeats(texts.iter().copied()), [later]);
                }
            }
        }
    }
}
