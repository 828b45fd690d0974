//! Core's times against the model's, and against jiff.

use std::cmp::Ordering;

use tern_core::message::{Instant, Timestamp};

/// The input is two lines: core and model take each for a time or not (A-TIME), and put two times in
/// the same order. Where jiff can hold a time, it takes it too, for the same second.
///
/// # Panics
/// Where this does not hold.
pub fn timestamp(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let (one, other) = text.split_once('\n').unwrap_or((text, text));
    if let (Some(one), Some(other)) = (read(one), read(other)) {
        let core = one.core.cmp(&other.core);
        let model = one.model.cmp(&other.model);
        assert!(
            core == model,
            "A-TIME: core puts them {core:?}, the model {model:?}: {text:?}"
        );
        assert!(
            (core == Ordering::Equal) == (one.core == other.core),
            "A-TIME: order and equality disagree: {text:?}"
        );
        // Two times that jiff has exactly.
        if let (Some(one), Some(other)) = (one.jiff, other.jiff) {
            assert!(
                core == one.cmp(&other),
                "A-TIME: core puts them {core:?}, jiff {:?}: {text:?}",
                one.cmp(&other)
            );
        }
    }
}

struct Time {
    core: Instant,
    model: tern_model::Instant,
    /// None where jiff does not have it exactly.
    jiff: Option<jiff::Timestamp>,
}

fn read(text: &str) -> Option<Time> {
    let core = Timestamp::new(text).ok();
    let model = tern_model::instant(text);
    assert!(
        core.is_some() == model.is_some(),
        "A-TIME: a time for core: {}, for the model: {}: {text:?}",
        core.is_some(),
        model.is_some()
    );
    let (core, model) = (core?.instant(), model?);
    // jiff has neither leap seconds, nor more than nine digits, nor the last hours of 9999.
    let digits = text.bytes().skip(20).take_while(u8::is_ascii_digit).count();
    let is_exact = core.second() < 60 && (text.as_bytes().get(19) != Some(&b'.') || digits <= 9);
    let jiff: Option<jiff::Timestamp> = text.parse().ok().filter(|_| is_exact);
    let second = core.minute() * 60 + i64::from(core.second());
    let is_late = second > jiff::Timestamp::MAX.as_second();
    assert!(
        jiff.is_some() || !is_exact || is_late,
        "A-TIME: jiff does not take it, core does: {text:?}"
    );
    if let Some(jiff) = jiff {
        let nanosecond: i32 = format!("{:0<9}", core.fraction()).parse().unwrap();
        let by_core = jiff::Timestamp::new(second, 0)
            .and_then(|time| time.checked_add(jiff::SignedDuration::new(0, nanosecond)));
        assert!(
            by_core.is_ok_and(|time| time == jiff),
            "A-TIME: core reads second {second} and fraction {}, jiff {jiff}: {text:?}",
            core.fraction()
        );
    }
    Some(Time { core, model, jiff })
}
