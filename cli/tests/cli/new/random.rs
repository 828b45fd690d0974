//! Random histories of one commitment.

use super::order::{ACTIVE, promised};
use super::{extended, new};
use crate::common::{message, report, report_body, revise, view};

/// On whatever history: the report that `new` writes counts (R-13, S5.05, S5.06), unless something
/// final stands, which only a note can say (S5.04). So the search for `reply` agrees with the state.
#[test]
fn on_random_histories() {
    let mut seed = 7_u64;
    let mut random = move |below: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let states = ["active", "blocked", "active", "blocked", "fulfilled"];
    let (mut counted, mut stopped) = (0, 0);
    for _ in 0..120 {
        let (mut messages, mut reports) = (Vec::new(), Vec::<Vec<String>>::new());
        let mut ids = vec!["ben:1".to_string()];
        for number in 2..3 + random(8) {
            let id = format!("ben:{number}");
            let state = states[random(states.len())];
            let near = ids[random(ids.len())].clone();
            let chain = random(reports.len().max(1));
            messages.push(match (random(5), reports.get_mut(chain)) {
                (2 | 3, Some(chain)) => {
                    let previous = chain[random(chain.len())].clone();
                    let body = report_body("ben:1", state);
                    let replacement = if random(2) == 0 { "null" } else { &body };
                    chain.push(id.clone());
                    revise(&id, &chain[0], &previous, replacement)
                }
                (4, _) => {
                    let about = &ids[random(ids.len())];
                    message(
                        &id,
                        &near,
                        "ASK",
                        format!(r#"{{"question":"?","about":"{about}"}}"#),
                    )
                }
                _ => {
                    reports.push(vec![id.clone()]);
                    report(&id, &near, "ben:1", state)
                }
            });
            ids.push(id);
        }
        let log = promised(&messages);
        let ran = new(&log, "ben", "report", &ACTIVE);
        if ran.code == 1 {
            assert!(ran.err.contains("several_to_follow"), "{ran:?}");
            stopped += 1;
            continue;
        }
        let view = view(&extended(&log, "ben", "report", &ACTIVE));
        let promise = &view["commitments"]["ben:1"];
        let is_final = matches!(promise["progress"].as_str(), Some("fulfilled" | "failed"))
            || promise["progress_cause"] == "contradictory";
        assert!(
            is_final || promise["progress"] == "active",
            "{promise}\n{log}"
        );
        assert_eq!(
            is_final,
            ran.err.contains("the progress of"),
            "{ran:?}\n{log}"
        );
        counted += usize::from(!is_final);
    }
    assert!(counted > 20 && stopped > 20, "{counted} {stopped}");
}
