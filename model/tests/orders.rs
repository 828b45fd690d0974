//! Logs made at random: what must not depend on the order of arrival.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use support::*;

struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % sides
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// What the id of a number is: its act follows from the number, so that references often fit.
const KINDS: [&str; 14] = [
    "d:1 REQUEST",
    "d:2 REQUEST",
    "d:3 REPLACING",
    "r:1 COMMIT",
    "r:2 COMMIT",
    "r:3 COMMIT",
    "r:4 REPORT",
    "r:5 REPORT",
    "r:6 REPORT",
    "d:4 TELL",
    "a:1 CHALLENGE",
    "a:2 ASK",
    "d:5 DECLINE",
    "a:3 ACK",
];

fn id(dice: &mut Dice) -> String {
    match dice.below(12) {
        0 => format!("d:{}", 20 + dice.below(3)),
        1..=3 => format!("{}:{}", ["d", "r"][dice.below(2)], 10 + dice.below(5)),
        _ => KINDS[dice.below(KINDS.len())]
            .split(' ')
            .next()
            .unwrap()
            .to_string(),
    }
}

fn of_kind(dice: &mut Dice, kind: &str) -> String {
    let fit: Vec<&str> = KINDS.iter().filter(|k| k.contains(kind)).copied().collect();
    if dice.below(8) == 0 {
        id(dice)
    } else {
        fit[dice.below(fit.len())]
            .split(' ')
            .next()
            .unwrap()
            .to_string()
    }
}

fn body(dice: &mut Dice, kind: &str) -> String {
    match kind {
        "REQUEST" => REQUEST.to_string(),
        "REPLACING" => request_body(&of_kind(dice, "COMMIT")),
        "COMMIT" => commit_body(&of_kind(dice, "RE"), "", ""),
        "REPORT" => report_body(
            &of_kind(dice, "COMMIT"),
            ["active", "blocked", "fulfilled", "failed"][dice.below(4)],
        ),
        _ => TELL.to_string(),
    }
}

/// A message for one of the ids of the pool.
fn any_message(dice: &mut Dice, number: usize) -> String {
    let reply = if dice.below(3) == 0 {
        id(dice)
    } else {
        String::new()
    };
    if number >= KINDS.len() {
        let own = format!("{}:{}", ["d", "r"][number % 2], 10 + number - KINDS.len());
        let targets: Vec<&str> = KINDS
            .iter()
            .filter(|k| k.starts_with(&own[..1]) && !k.contains("DECLINE"))
            .copied()
            .collect();
        let target = targets[dice.below(targets.len())];
        let (target, kind) = target.split_once(' ').unwrap();
        let previous = match dice.below(3) {
            0 => format!("{}:{}", &own[..1], 10 + dice.below(5)),
            _ => target.to_string(),
        };
        let replacement = if dice.below(3) == 0 {
            String::new()
        } else {
            body(dice, kind)
        };
        return revise(&own, target, &previous, &replacement).replace(
            r#""reply":null"#,
            &match reply.as_str() {
                "" => r#""reply":null"#.to_string(),
                reply => format!(r#""reply":"{reply}""#),
            },
        );
    }
    let (own, kind) = KINDS[number].split_once(' ').unwrap();
    let act = if kind == "REPLACING" { "REQUEST" } else { kind };
    let body = match kind {
        "CHALLENGE" => format!(
            r#"{{"target":"{}","kind":"scope","objection":"o","support":["ev:2"],"resolution_test":"t"}}"#,
            id(dice)
        ),
        "ASK" => format!(r#"{{"question":"q","about":"{}"}}"#, id(dice)),
        "DECLINE" => format!(
            r#"{{"target":"{}","reason":"r"}}"#,
            of_kind(dice, "REQUEST")
        ),
        "ACK" => format!(r#"{{"target":"{}"}}"#, id(dice)),
        kind => body(dice, kind),
    };
    message(own, act, &reply, &body)
}

fn facts(dice: &mut Dice) -> Vec<String> {
    let mut facts = Vec::new();
    for _ in 0..4 {
        let k = of_kind(dice, "COMMIT");
        facts.push(match dice.below(4) {
            0 => format!(r#"{{"permit":{{"commitment":"{k}"}}}}"#),
            1 => format!(r#"{{"start":{{"commitment":"{k}","action":"x"}}}}"#),
            2 => format!(r#"{{"judge":{{"commitment":"{k}","terms":"ambiguous"}}}}"#),
            _ => format!(r#"{{"reconciled":{{"commitment":"{k}","action":"x","causes":["not_accepted","superseded"]}}}}"#),
        });
    }
    facts
}

// S3.03, S6.01, S7.01: equal sets give equal views
#[test]
fn equal_sets_give_equal_views() {
    let (mut accepted, mut commitments) = (0, 0);
    for seed in 0..60 {
        let mut dice = Dice(seed * 977 + 5);
        let mut numbers: Vec<usize> = (0..KINDS.len() + 5).collect();
        dice.shuffle(&mut numbers);
        numbers.truncate(12 + dice.below(8));
        let mut lines: Vec<String> = numbers
            .into_iter()
            .map(|n| any_message(&mut dice, n))
            .collect();
        lines.extend(facts(&mut dice));
        let expected = view(&lines);
        accepted += expected.matches("\"accepted\"").count();
        commitments += expected.matches("\"readiness\"").count();
        for _ in 0..4 {
            dice.shuffle(&mut lines);
            assert_eq!(view(&lines), expected, "seed {seed}");
        }
    }
    assert!(
        accepted > 100 && commitments > 10,
        "{accepted} {commitments}"
    );
}

// S7.02: what is still promised where ids have several contents
#[test]
fn what_is_promised_of_equivocal_ids() {
    let mut differing = 0;
    for seed in 0..120 {
        let mut dice = Dice(seed * 7919 + 3);
        let mut numbers: Vec<usize> = (0..KINDS.len() + 5).collect();
        numbers.retain(|_| dice.below(5) > 0);
        for _ in 0..1 + dice.below(3) {
            numbers.push(numbers[dice.below(numbers.len())]);
        }
        let mut lines: Vec<String> = numbers
            .into_iter()
            .map(|n| any_message(&mut dice, n))
            .collect();
        // A version of another act now and then.
        if dice.below(3) == 0 {
            lines.push(tell(&format!("r:{}", 1 + dice.below(6)), ""));
        }
        lines.extend(
            ["r:1", "r:2", "r:3"].map(|k| format!(r#"{{"permit":{{"commitment":"{k}"}}}}"#)),
        );
        let views: Vec<String> = (0..4)
            .map(|_| {
                dice.shuffle(&mut lines);
                view(&lines)
            })
            .collect();
        for (one, other) in views.iter().zip(&views[1..]) {
            assert_eq!(
                at(one, &["equivocal"]),
                at(other, &["equivocal"]),
                "seed {seed}"
            );
            for k in ["r:1", "r:2", "r:3"] {
                let sight = |view: &String| {
                    let request = of(view, k, "request").replace('"', "");
                    [
                        status(view, k),
                        at(view, &["chains", k]).to_string(),
                        at(view, &["chains", &request]).to_string(),
                        of(view, k, "progress").to_string(),
                        of(view, k, "progress_cause").to_string(),
                        of(view, k, "superseded_by").to_string(),
                    ]
                };
                if sight(one) != sight(other) {
                    differing += 1;
                    for view in [one, other] {
                        assert_ne!(
                            of(view, k, "readiness"),
                            "\"ready\"",
                            "seed {seed}: {k}\n{}",
                            lines.join("\n")
                        );
                    }
                }
            }
        }
    }
    assert!(differing > 10, "{differing}");
}
