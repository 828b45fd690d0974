use super::nearest;

#[test]
fn the_nearest_comes_first_and_the_far_does_not_come() {
    let known = ["ben:1", "ben:2", "Ben:1", "anastasia:77"];
    assert_eq!(
        nearest("ben:1", known.into_iter()),
        ["Ben:1", "ben:1", "ben:2"]
    );
    assert_eq!(nearest("bem:2", known.into_iter()), ["ben:2"]);
    assert_eq!(nearest("zoe:99999", known.into_iter()), Vec::<&str>::new());
    assert_eq!(nearest("", known.into_iter()), Vec::<&str>::new());
}
