use super::{beside, wrap};

#[test]
fn lines_keep_to_the_width_and_lose_nothing() {
    assert_eq!(wrap("one two three", 7), ["one two", "three"]);
    assert_eq!(wrap("abcdefgh", 3), ["abc", "def", "gh"]);
    assert_eq!(wrap("水水水", 4), ["水水", "水"]);
    assert_eq!(wrap("", 4), [""]);
}

#[test]
fn cells_stand_beside_each_other() {
    assert_eq!(beside("a b", "c", 1), "a │ c\nb │\n");
}
