//! The order of times.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use quickcheck::{Arbitrary, Gen};
use tern_conformance::Mixer;
use tern_core::message::Timestamp;

use super::check;
use crate::harness::scale;

/// A text that is a time, or nearly one.
#[derive(Clone, Debug)]
struct Time(String);

impl Arbitrary for Time {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut dice = Mixer::new(u64::arbitrary(g));
        // Of four one may be wrong anywhere; the others are times, some of them leap seconds.
        let wild = dice.below(4) == 0;
        let pick = |dice: &mut Mixer, sane: &[&'static str], odd: &[&'static str]| {
            let both: Vec<&str> = if wild {
                [sane, odd].concat()
            } else {
                sane.to_vec()
            };
            both[dice.below(both.len())]
        };
        let year = pick(
            &mut dice,
            &["0000", "0001", "1999", "2016", "2016", "2017", "9999"],
            &["1900", "2000"],
        );
        if dice.below(4) == 0 {
            let leap = [
                "06-30T23:59:60Z",
                "12-31T23:59:60z",
                "01-01T00:59:60+01:00",
                "12-31T22:58:60-01:01",
            ];
            let odd = ["06-29T23:59:60Z", "06-30T23:58:60Z", "01-01T00:59:60+00:59"];
            let leap = pick(&mut dice, &leap, &odd);
            let fraction = ["", ".0", ".5", ".9999999999999999999999"][dice.below(4)];
            return Self(format!(
                "{year}-{}",
                leap.replace(":60", &format!(":60{fraction}"))
            ));
        }
        let date = pick(
            &mut dice,
            &["01-01", "12-31", "02-28", "06-30"],
            &["02-29", "02-30", "00-10", "13-01", "04-31"],
        );
        let t = pick(&mut dice, &["T", "t"], &[" "]);
        let hours = pick(&mut dice, &["00", "22", "23"], &["24"]);
        let minutes = pick(&mut dice, &["00", "59"], &["60"]);
        let seconds = pick(&mut dice, &["00", "59"], &["60", "61"]);
        let fraction = pick(
            &mut dice,
            &["", "", ".0", ".5", ".50", ".999999999999999999999"],
            &["."],
        );
        let zone = pick(
            &mut dice,
            &[
                "Z", "z", "+00:00", "-00:00", "+01:00", "-01:00", "+23:59", "-00:01",
            ],
            &["", "+24:00", "+0100"],
        );
        Self(format!(
            "{year}-{date}{t}{hours}:{minutes}:{seconds}{fraction}{zone}"
        ))
    }
}

/// A-TIME: the order of times is total, agrees with equality and is the same in core and model, which
/// take the same texts for times.
#[test]
fn a_time_times_are_in_a_total_order() {
    static TIMES: AtomicUsize = AtomicUsize::new(0);
    fn ordered(one: Time, two: Time, three: Time) -> bool {
        let texts = [&one.0, &two.0, &three.0];
        let core = texts.map(|text| Timestamp::new(text.as_str()).ok().map(|it| it.instant()));
        let model = texts.map(|text| tern_model::instant(text));
        let same = (0..3).all(|it| core[it].is_some() == model[it].is_some());
        let ([Some(a), Some(b), Some(c)], [Some(x), Some(y), Some(z)]) = (&core, &model) else {
            return same;
        };
        TIMES.fetch_add(1, Relaxed);
        let alike = a.cmp(b) == x.cmp(y) && b.cmp(c) == y.cmp(z) && (a == b) == (x == y);
        let consistent =
            (a.cmp(b) == std::cmp::Ordering::Equal) == (a == b) && a.cmp(b) == b.cmp(a).reverse();
        let transitive = !(a <= b && b <= c) || a <= c;
        same && alike && consistent && transitive
    }
    check(
        "times are in a total order",
        8_000,
        ordered as fn(Time, Time, Time) -> bool,
    );
    let times = TIMES.load(Relaxed);
    println!("  three texts that are times: {times}");
    assert!(times > 500 || scale() < 1.0);
}
