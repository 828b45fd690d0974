//! Small logs in all orders, as far as a debug build gets in a few seconds. The example `scopes`
//! goes further.
#![allow(clippy::panic, clippy::unwrap_used, missing_docs, reason = "tests")]

use std::collections::BTreeSet;

use tern_conformance::scope::{Checked, Look, Scope, SmallLog, enumerate, enumerate_equivocal};

fn check(checked: &mut Checked, look: Look) -> impl FnMut(&SmallLog) {
    move |log| {
        let both = checked
            .check(log, look)
            .and_then(|()| checked.check(&log.numbered_backwards(), look));
        if let Err(parting) = both {
            panic!("{parting}");
        }
    }
}

/// S3.02, S7.01: core and model agree on every step of every order of all logs of up to two
/// messages, and of all logs of three that wait for nothing for ever.
#[test]
fn core_and_model_agree_on_all_small_logs() {
    let mut checked = Checked::default();
    for size in 0..=2 {
        let mut each = check(&mut checked, Look::EachStep);
        enumerate(size, Scope::Any, (0, 1), &mut each);
    }
    let mut each = check(&mut checked, Look::EachStep);
    enumerate(3, Scope::Acyclic, (0, 1), &mut each);
    drop(each);
    println!(
        "{} logs, {} orders, {} views compared, {} shapes",
        checked.logs,
        checked.orders,
        checked.views,
        checked.shapes.len()
    );
    // Each once with ids that sort like the kinds, and once the other way round.
    assert_eq!(checked.logs, 2 * (1 + 34 + 3080 + 5960));
    assert_eq!(checked.orders, 2 * (1 + 34 + 2 * 3080 + 6 * 5960));
    assert!(checked.shapes.len() > 500);
}

/// R-15, S7.02: the same where one of one or two messages has a second version.
#[test]
fn core_and_model_agree_on_small_equivocations() {
    let mut checked = Checked::default();
    for size in 1..=2 {
        let mut each = check(&mut checked, Look::EachStep);
        enumerate_equivocal(size, Scope::Acyclic, (0, 1), &mut each);
    }
    println!("{} logs, {} orders", checked.logs, checked.orders);
    assert!(checked.logs > 5_000);
}

/// one log of each class of renamings. The classes are counted here by naming each log in all
/// ways.
#[test]
fn each_class_of_renamed_logs_is_there_once() {
    for (size, scope) in [(1, Scope::Any), (2, Scope::Any), (2, Scope::Closed)] {
        let mut logs = Vec::new();
        enumerate(size, scope, (0, 1), &mut |log: &SmallLog| {
            logs.push(log.clone())
        });
        let classes: BTreeSet<BTreeSet<String>> = logs.iter().map(renamings).collect();
        assert_eq!(classes.len(), logs.len(), "no class twice");
        // Of 17 kinds, 4 refer to nothing, 11 to one message and 2 to two.
        let others = if scope == Scope::Any { size + 1 } else { size };
        let messages = 2 * (4 + 11 * others + 2 * others * others);
        let named: usize = classes.iter().map(BTreeSet::len).sum();
        assert_eq!(
            named,
            messages.pow(u32::try_from(size).unwrap()),
            "no class is missing"
        );
    }
}

/// The log under all names of its messages and participants.
fn renamings(log: &SmallLog) -> BTreeSet<String> {
    let messages = log.messages();
    let mut orders: Vec<Vec<usize>> = vec![vec![0]];
    if messages.len() == 2 {
        orders = vec![vec![0, 1], vec![1, 0]];
    }
    let renamed = orders.iter().flat_map(|order| {
        [0, 1].map(|exchange| {
            let place = |old: u8| {
                let found = order.iter().position(|&at| at == usize::from(old));
                found.unwrap_or(usize::from(old))
            };
            let named: Vec<_> = order
                .iter()
                .filter_map(|&at| messages.get(at))
                .map(|message| {
                    let used = message.references.iter().take(message.kind.references());
                    let references: Vec<usize> = used.map(|&to| place(to)).collect();
                    (message.kind, message.author ^ exchange, references)
                })
                .collect();
            format!("{named:?}")
        })
    });
    renamed.collect()
}
