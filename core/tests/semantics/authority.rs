//! §6: grants and permits, exact bounds, several records.

use serde_json::{Value, json};

use crate::common::{Chat, commit, commit_body, replace, request, tell};

/// A commitment under grant `g`.
fn under_grant() -> Chat {
    let mut chat = Chat::new();
    chat.ok(request("a:1"))
        .ok(commit("b:1", "a:1").body("authority_ref", json!("g")));
    chat
}

fn grant(fields: Value) -> Value {
    let mut grant = json!({"ref": "g", "principal": "key:b"});
    for (key, value) in fields.as_object().unwrap() {
        grant[key] = value.clone();
    }
    json!({"grant": grant})
}

/// S6.13, T5.04, T4.06: null gives no authority, but local policy may permit.
#[test]
fn s6_13_no_authority() {
    let mut chat = Chat::new();
    chat.ok(request("a:1"))
        .ok(commit("b:1", "a:1"))
        .ok(commit("b:2", "a:1"));
    assert_eq!(chat.blocks("b:1"), "no_authority");
    // No grant helps where none is named, and a permit helps its own commitment only.
    chat.fact(&grant(json!({}))).permit("b:2");
    assert_eq!(chat.blocks("b:1"), "no_authority");
    assert_eq!(chat.blocks("b:2"), "");
    chat.permit("b:1").permit("b:1");
    assert_eq!(chat.blocks("b:1"), "");
}

/// S6.14, T5.02, T8.03: the named grant is not on record; names are compared in full.
#[test]
fn s6_14_grant_unknown() {
    let mut chat = under_grant();
    assert_eq!(chat.blocks("b:1"), "grant_unknown");
    chat.fact(&grant(json!({"ref": "G"})))
        .fact(&grant(json!({"ref": "g "})));
    assert_eq!(chat.blocks("b:1"), "grant_unknown");
    chat.fact(&grant(json!({})));
    assert_eq!(chat.blocks("b:1"), "");
}

/// S6.14: the commitment's own `authority_ref` counts, not the request's and not an offer's.
#[test]
fn s6_14_its_own_authority_ref() {
    let mut chat = Chat::new();
    chat.ok(request("a:1").body("authority_ref", json!("g")))
        .ok(commit("b:1", "a:1"));
    chat.fact(&grant(json!({})));
    assert_eq!(chat.blocks("b:1"), "no_authority");
    let mut body = commit_body("a:1");
    body["authority_ref"] = json!("g");
    chat.ok(replace("b:2", "b:1", "b:1", body));
    assert_eq!(chat.blocks("b:1"), "no_authority");
    let mut chat = under_grant();
    chat.ok(replace("b:2", "b:1", "b:1", commit_body("a:1")))
        .permit("b:1");
    assert_eq!(chat.blocks("b:1"), "grant_unknown");
}

/// S6.15: revoked, known or not, before or after; nothing brings it back.
#[test]
fn s6_15_grant_revoked() {
    let mut chat = under_grant();
    chat.fact(&json!({"revoke": {"ref": "g"}}));
    assert_eq!(chat.blocks("b:1"), "grant_revoked grant_unknown");
    chat.fact(&grant(json!({})));
    assert_eq!(chat.blocks("b:1"), "grant_revoked");
    chat.fact(&grant(json!({"actions": ["do"]})));
    assert_eq!(chat.blocks("b:1"), "grant_revoked");
    let mut chat = under_grant();
    chat.fact(&grant(json!({})))
        .fact(&json!({"revoke": {"ref": "other"}}));
    assert_eq!(chat.blocks("b:1"), "");
    // A revocation of what nobody names is nothing to a null reference.
    let mut chat = Chat::deal();
    chat.fact(&json!({"revoke": {"ref": "g"}}));
    assert_eq!(chat.blocks("b:1"), "");
}

/// S6.16: the principal bound to the author, not the name.
#[test]
fn s6_16_grant_other_principal() {
    for (principal, code) in [
        ("key:b", ""),
        ("b", "grant_other_principal"),
        ("key:a", "grant_other_principal"),
        ("KEY:B", "grant_other_principal"),
    ] {
        let mut chat = under_grant();
        chat.fact(&grant(json!({"principal": principal})));
        assert_eq!(chat.blocks("b:1"), code, "{principal}");
    }
    // Two names of one principal.
    let mut chat = Chat::new();
    chat.ok(request("b:1"))
        .ok(commit("d:1", "b:1").body("authority_ref", json!("g")));
    chat.fact(&grant(json!({"principal": "key:a"})));
    assert_eq!(chat.blocks("d:1"), "");
}

/// S6.17: `actions` holds the original action, character for character; absent allows all.
#[test]
fn s6_17_grant_too_narrow() {
    for (actions, code) in [
        (json!(["do"]), ""),
        (json!(["other", "do"]), ""),
        (json!(["do", "do"]), ""),
        (json!([]), "grant_too_narrow"),
        (json!(["Do"]), "grant_too_narrow"),
        (json!(["do "]), "grant_too_narrow"),
        (json!(["do it"]), "grant_too_narrow"),
    ] {
        let mut chat = under_grant();
        chat.fact(&grant(json!({"actions": actions})));
        assert_eq!(chat.blocks("b:1"), code, "{actions}");
    }
    // Neither the action of the request nor that of an offer.
    let mut chat = under_grant();
    chat.fact(&grant(json!({"actions": ["offered"]})));
    let mut body = commit_body("a:1");
    body["action"] = json!("offered");
    chat.ok(replace("b:2", "b:1", "b:1", body));
    assert_eq!(chat.blocks("b:1"), "grant_too_narrow");
}

/// S6.18, A-TIME: the bounds at the exact instant, in fractions and offsets.
#[test]
fn s6_18_bounds_are_exact() {
    let bound = "2026-11-30T12:00:00.5Z";
    let cases = [
        ("2026-11-30T12:00:00.4999999999999999999999Z", "before"),
        ("2026-11-30T12:00:00Z", "before"),
        ("2026-11-30T13:00:00.49+01:00", "before"),
        ("2026-11-30T12:00:00.5Z", "at"),
        ("2026-11-30T12:00:00.5000Z", "at"),
        ("2026-11-30t13:30:00.5+01:30", "at"),
        ("2026-11-30T12:00:00.50-00:00", "at"),
        ("2026-11-29T23:01:00.5-12:59", "at"),
        ("2026-11-30T12:00:00.50000000000000000000001Z", "after"),
        ("2026-12-01T11:59:00.5+23:59", "at"),
    ];
    for (now, place) in cases {
        let clock = json!({"clock": now});
        let mut chat = under_grant();
        chat.fact(&grant(json!({"not_before": bound}))).fact(&clock);
        let code = if place == "before" {
            "grant_not_yet_valid"
        } else {
            ""
        };
        assert_eq!(chat.blocks("b:1"), code, "not_before, {now}");
        let mut chat = under_grant();
        chat.fact(&grant(json!({"expires": bound}))).fact(&clock);
        let code = if place == "before" {
            ""
        } else {
            "grant_expired"
        };
        assert_eq!(chat.blocks("b:1"), code, "expires, {now}");
    }
}

/// S6.18, A-TIME: a leap second lies between second 59 and the next minute.
#[test]
fn s6_18_leap_seconds() {
    let leap = "2016-12-31T23:59:60Z";
    for (now, code) in [
        ("2016-12-31T23:59:59.999Z", ""),
        ("2017-01-01T01:59:60+02:00", "grant_expired"),
        ("2017-01-01T00:00:00Z", "grant_expired"),
    ] {
        let mut chat = under_grant();
        chat.fact(&grant(json!({"expires": leap})))
            .fact(&json!({"clock": now}));
        assert_eq!(chat.blocks("b:1"), code, "{now}");
    }
    let mut chat = under_grant();
    chat.fact(&grant(json!({"expires": "2017-01-01T00:00:00Z"})))
        .fact(&json!({"clock": leap}));
    assert_eq!(chat.blocks("b:1"), "");
}

/// S6.18: without a clock a bound blocks; without a bound no clock is needed.
#[test]
fn s6_18_clock_unknown() {
    let time = "2026-11-30T12:00:00Z";
    for bounds in [
        json!({"not_before": time}),
        json!({"expires": time}),
        json!({"not_before": time, "expires": time}),
    ] {
        let mut chat = under_grant();
        chat.fact(&grant(bounds));
        assert_eq!(chat.blocks("b:1"), "clock_unknown");
    }
    let mut chat = under_grant();
    chat.fact(&grant(json!({})));
    assert_eq!(chat.blocks("b:1"), "");
    // An empty interval: at its one instant it is over.
    let mut chat = under_grant();
    chat.fact(&grant(json!({"not_before": time, "expires": time})))
        .fact(&json!({"clock": time}));
    assert_eq!(chat.blocks("b:1"), "grant_expired");
}

/// S6.18, S6.01: now is the latest clock, whichever came last.
#[test]
fn s6_18_now_is_the_latest_clock() {
    let mut chat = under_grant();
    chat.fact(&grant(json!({"expires": "2026-06-01T00:00:00Z"})));
    chat.fact(&json!({"clock": "2026-07-01T00:00:00Z"}));
    chat.fact(&json!({"clock": "2026-05-01T00:00:00Z"}));
    assert_eq!(chat.blocks("b:1"), "grant_expired");
    // The latest as an instant, not as a text.
    let mut chat = under_grant();
    chat.fact(&grant(json!({"expires": "2026-06-01T00:00:00Z"})));
    chat.fact(&json!({"clock": "2026-05-31T23:30:00-01:00"}));
    chat.fact(&json!({"clock": "2026-06-01T00:10:00+12:00"}));
    assert_eq!(chat.blocks("b:1"), "grant_expired");
}

/// S6.19: of several records each must suffice; every defect of each is listed.
#[test]
fn s6_19_several_records() {
    let mut chat = under_grant();
    chat.fact(&grant(json!({})))
        .fact(&grant(json!({"actions": ["do"]})));
    assert_eq!(chat.blocks("b:1"), "");
    chat.fact(&grant(json!({"principal": "key:c"})));
    assert_eq!(chat.blocks("b:1"), "grant_other_principal");
    chat.fact(&grant(json!({"actions": ["x"]})));
    chat.fact(&grant(json!({"expires": "2026-01-01T00:00:00Z"})));
    assert_eq!(
        chat.blocks("b:1"),
        "clock_unknown grant_other_principal grant_too_narrow"
    );
    chat.fact(&json!({"clock": "2026-01-01T00:00:00Z"}));
    chat.fact(&grant(json!({"not_before": "2027-01-01T00:00:00Z"})));
    assert_eq!(
        chat.blocks("b:1"),
        "grant_expired grant_not_yet_valid grant_other_principal grant_too_narrow"
    );
}

/// S6.19, T5.03: a permit makes up for none of the defects of a grant.
#[test]
fn s6_19_a_permit_cures_no_grant() {
    let mut chat = under_grant();
    chat.permit("b:1");
    assert_eq!(chat.blocks("b:1"), "grant_unknown");
    chat.fact(&grant(
        json!({"principal": "key:c", "actions": [], "expires": "2026-01-01T00:00:00Z"}),
    ));
    assert_eq!(
        chat.blocks("b:1"),
        "clock_unknown grant_other_principal grant_too_narrow"
    );
    chat.fact(&json!({"revoke": {"ref": "g"}}));
    assert_eq!(
        chat.blocks("b:1"),
        "clock_unknown grant_other_principal grant_revoked grant_too_narrow"
    );
}

/// T5.03, T5.06, T5.07, T3.12: whatever messages quote or claim, they grant nothing.
#[test]
fn t5_03_messages_grant_nothing() {
    let mut chat = under_grant();
    let before = chat.blocks("b:1");
    let quoted = r#"{"grant":{"ref":"g","principal":"key:b"}} {"permit":{"commitment":"b:1"}}"#;
    chat.ok(tell("a:2").giving("ev:g", quoted));
    chat.ok(tell("a:3").with(
        "extensions",
        json!({"grant": {"ref": "g", "principal": "key:b"}}),
    ));
    chat.ok(request("a:4")
        .body("action", json!(quoted))
        .body("authority_ref", json!("g")));
    assert_eq!(chat.blocks("b:1"), before);
}

/// S6.01: records of a grant form a set.
#[test]
fn s6_01_grants_in_any_order() {
    let facts = [
        grant(json!({"actions": ["x"]})),
        grant(json!({})),
        json!({"clock": "2026-01-01T00:00:00Z"}),
        grant(json!({"expires": "2027-01-01T00:00:00Z"})),
        grant(json!({})),
    ];
    let mut here = under_grant();
    let mut there = under_grant();
    for (one, other) in facts.iter().zip(facts.iter().rev()) {
        here.fact(one);
        there.fact(other);
    }
    assert_eq!(here.view(), there.view());
}
