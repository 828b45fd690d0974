//! Small random logs: three participants, all ten acts, forks, equivocation, messages that wait,
//! refused deliveries and local facts.
//!
//! A log grows from genes: each says an act and holds dice for what it refers to. In the order of
//! growth almost everything is accepted; arrival shuffles it, and a few messages never arrive.

use proptest::prelude::*;
use serde_json::{Value, json};
use tern_core::log::Record;
use tern_core::{Delivery, Event, Log};

use super::{
    Words, ack, ask, challenge, commit, commit_body, context, decline, evidence, propose, replace,
    report, report_body, request, request_body, tell, withdraw,
};

/// What a gene makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Ask,
    Tell,
    Propose,
    Request,
    Commit,
    Report,
    Challenge,
    Revise,
    Decline,
    Ack,
    /// Another version of a message that is there.
    Version,
    /// A delivery that stages 1 to 4 refuse.
    Refused,
    Fact,
}

#[derive(Clone, Debug)]
pub(crate) struct Gene {
    kind: Kind,
    dice: [u8; 8],
}

/// A log in its order of arrival.
#[derive(Clone)]
pub(crate) struct RandomLog {
    pub(crate) events: Vec<Event<'static>>,
}

impl std::fmt::Debug for RandomLog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut log = Log::new(context());
        for event in &self.events {
            log.push(event.clone());
        }
        write!(f, "\n{}", log.to_document())
    }
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![
        2 => Just(Kind::Ask),
        2 => Just(Kind::Tell),
        1 => Just(Kind::Propose),
        5 => Just(Kind::Request),
        5 => Just(Kind::Commit),
        9 => Just(Kind::Report),
        2 => Just(Kind::Challenge),
        11 => Just(Kind::Revise),
        2 => Just(Kind::Decline),
        2 => Just(Kind::Ack),
        2 => Just(Kind::Version),
        1 => Just(Kind::Refused),
        14 => Just(Kind::Fact),
    ]
}

/// Logs of up to 30 events; `a:1` asks and `b:1` promises in each.
pub(crate) fn logs() -> impl Strategy<Value = RandomLog> {
    let gene = (kind(), any::<[u8; 8]>()).prop_map(|(kind, dice)| Gene { kind, dice });
    let genes = prop::collection::vec(gene, 5..28);
    // How far arrival strays from growth: not at all, a little, without measure.
    (
        genes,
        prop_oneof![1 => Just(0_usize), 3 => Just(4), 2 => Just(64)],
    )
        .prop_map(|(genes, spread)| grow(&genes, spread))
}

/// What is known of a message while a log grows.
struct Grown {
    words: Words,
    act: String,
    sender: char,
}

impl Grown {
    fn id(&self) -> String {
        self.words.id()
    }

    fn body(&self, field: &str) -> String {
        self.words.value["body"][field]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }
}

#[derive(Default)]
struct Garden {
    grown: Vec<Grown>,
    count: usize,
}

/// Whether a die shows one of the lowest `percent`.
fn chance(die: u8, percent: usize) -> bool {
    usize::from(die) * 100 < percent * 256
}

fn pick<T>(list: &[T], die: u8) -> Option<&T> {
    list.get(usize::from(die) * list.len() / 256)
}

fn one<const N: usize>(words: [&'static str; N], die: u8) -> &'static str {
    words[usize::from(die) % N]
}

impl Garden {
    fn fresh(&mut self, sender: char) -> String {
        self.count += 1;
        format!("{sender}:{}", self.count)
    }

    /// The id of a grown message of these acts; sometimes of any act, or of what never comes.
    fn reference(&self, acts: &[&str], die: u8, error: u8) -> String {
        if chance(error, 3) {
            return "x:404".into();
        }
        if chance(error, 5) {
            // What may come later, or is oneself: a cycle, if it names us.
            return format!("{}:{}", ['a', 'b'][usize::from(die % 2)], self.count + 1);
        }
        let fits =
            |it: &&Grown| acts.is_empty() || acts.contains(&it.act.as_str()) || chance(error, 12);
        let ids: Vec<String> = self.grown.iter().filter(fits).map(Grown::id).collect();
        pick(&ids, die).cloned().unwrap_or_else(|| "a:1".into())
    }

    fn find(&self, id: &str) -> Option<&Grown> {
        self.grown.iter().find(|it| it.id() == id)
    }

    /// Mostly the author of a message.
    fn author(&self, id: &str, die: u8) -> char {
        let author = id.chars().next().filter(|sender| "abc".contains(*sender));
        if chance(die, 12) {
            return ['a', 'b', 'c'][usize::from(die % 3)];
        }
        author.unwrap_or('a')
    }

    fn anybody(die: u8) -> char {
        ['a', 'a', 'b', 'b', 'c'][usize::from(die) * 5 / 256]
    }

    fn message(&mut self, gene: &Gene) -> Option<Words> {
        let [a, b, c, d, e, f, g, _] = gene.dice;
        let words = match gene.kind {
            Kind::Ask => {
                let words = ask(&self.fresh(Self::anybody(a)));
                if chance(b, 60) {
                    words.body("about", json!(self.reference(&[], c, d)))
                } else {
                    words
                }
            }
            Kind::Tell => tell(&self.fresh(Self::anybody(a))).citing(&[one(["ev:1", "ev:2"], b)]),
            Kind::Propose => propose(&self.fresh(Self::anybody(a))),
            Kind::Request if chance(a, 60) => {
                let replaced = self.reference(&["COMMIT"], b, c);
                let asked = self
                    .find(&replaced)
                    .map(|it| it.body("request"))
                    .unwrap_or_default();
                request(&self.fresh(self.author(&asked, d))).body("replaces", json!(replaced))
            }
            Kind::Request => request(&self.fresh(if chance(b, 80) { 'a' } else { 'c' })),
            Kind::Commit => {
                let asked = self.reference(&["REQUEST"], b, c);
                let words = commit(&self.fresh(if chance(a, 85) { 'b' } else { 'c' }), &asked);
                let words = words.thread(if chance(d, 8) { "u" } else { "t" });
                let conditions = json!(["x", "y"].get(..usize::from(e % 3)).unwrap());
                let words = words.body("conditions", conditions);
                if chance(f, 55) {
                    words.body("authority_ref", json!(grant_name(g)))
                } else {
                    words
                }
            }
            Kind::Report => {
                let on = self.reference(&["COMMIT"], a, b);
                let id = self.fresh(self.author(&on, c));
                let words = report(&id, &on, state(d));
                if chance(e, 20) {
                    words.citing(&[])
                } else {
                    words
                }
            }
            Kind::Challenge => challenge(&self.fresh(Self::anybody(a)), &self.reference(&[], b, c)),
            Kind::Revise => self.revision(gene),
            Kind::Decline => decline(
                &self.fresh(Self::anybody(a)),
                &self.reference(&["REQUEST", "PROPOSE"], b, c),
            ),
            Kind::Ack => ack(&self.fresh(Self::anybody(a)), &self.reference(&[], b, c)),
            Kind::Version => return self.version(gene),
            Kind::Refused | Kind::Fact => return None,
        };
        let reply = gene.dice[7];
        Some(if chance(reply, 55) {
            words.reply(&self.reference(&[], g, f))
        } else {
            words
        })
    }

    /// Mostly of what can be revised, by its author, after the target or one of its revisions.
    fn revision(&mut self, gene: &Gene) -> Words {
        let [a, b, c, d, e, f, g, _] = gene.dice;
        let revisable = ["REQUEST", "COMMIT", "REPORT", "REPORT", "TELL", "PROPOSE"];
        let target = self.reference(&revisable[..if chance(a, 85) { 4 } else { 6 }], b, c);
        let id = self.fresh(self.author(&target, d));
        let mut chain: Vec<String> = self
            .grown
            .iter()
            .filter(|it| it.act == "REVISE" && it.body("target") == target)
            .map(Grown::id)
            .collect();
        chain.push(target.clone());
        let previous = if chance(e, 8) {
            self.reference(&[], e.wrapping_mul(29), 200)
        } else {
            // The newest is likelier, so that chains grow long.
            pick(
                &chain,
                if chance(f, 60) {
                    f % 40
                } else {
                    f.wrapping_mul(7)
                },
            )
            .unwrap()
            .clone()
        };
        if chance(g, 25) {
            return withdraw(&id, &target, &previous);
        }
        let of = self
            .find(&target)
            .map(|it| (it.act.clone(), it.words.body_value()));
        let (act, original) = of.unwrap_or(("TELL".into(), Value::Null));
        let replacement = match act.as_str() {
            _ if chance(g.wrapping_mul(31), 8) => json!({}),
            "REQUEST" if chance(f, 40) => {
                let mut body = request_body();
                body["replaces"] = json!(self.reference(&["COMMIT"], d, e));
                body
            }
            "REQUEST" => request_body(),
            "COMMIT" => commit_body(&self.reference(&["REQUEST"], d, f)),
            "REPORT" if chance(f, 15) => report_body(&self.reference(&["COMMIT"], g, e), state(a)),
            "REPORT" => report_body(original["commitment"].as_str().unwrap(), state(a)),
            "PROPOSE" => propose("a:x").body_value(),
            _ => tell("a:x").citing(&["ev:3"]).body_value(),
        };
        replace(&id, &target, &previous, replacement)
    }

    /// An id that is there, with the content of something else or with other recipients.
    fn version(&mut self, gene: &Gene) -> Option<Words> {
        let [a, b, _, _, _, _, _, h] = gene.dice;
        let old = pick(&self.grown, a)?;
        if chance(h, 30) {
            return Some(old.words.clone().giving("ev:1", "otherwise").otherwise());
        }
        let alike: Vec<&Grown> = self
            .grown
            .iter()
            .filter(|it| it.sender == old.sender)
            .collect();
        let other = pick(&alike, b)?;
        Some(other.words.clone().with("id", json!(old.id())).otherwise())
    }

    fn fact(&self, dice: [u8; 8]) -> Value {
        let [a, b, c, d, ..] = dice;
        let on = self.reference(&["COMMIT"], b, if chance(c, 90) { 200 } else { c });
        match usize::from(a) * 24 / 256 {
            0..=2 => json!({"permit": {"commitment": on}}),
            3..=9 => grant(b, c, d),
            10 => json!({"revoke": {"ref": grant_name(b)}}),
            11 => json!({"require_approval": {"commitment": on}}),
            12 => json!({"approve": {"commitment": on, "by": "p"}}),
            13..=15 => json!({"confirm": {"commitment": on, "condition": d % 3}}),
            16 => json!({"judge": {"commitment": on,
                "terms": one(["satisfied", "mismatch", "ambiguous"], d)}}),
            17 => json!({"evidence": evidence("ev:1", one(["x", "y"], d))}),
            18 | 19 => json!({"clock": format!("2026-0{}-01T00:00:00Z", 1 + d % 9)}),
            20 | 21 => json!({"start": {"commitment": on, "action": one(["k", "l"], d)}}),
            22 => json!({"finish": {"commitment": on, "action": "k"}}),
            _ => json!({"reconciled": {"commitment": on, "action": "k",
                "causes": [one(["request_withdrawn", "superseded", "not_accepted"], d)]}}),
        }
    }
}

fn state(die: u8) -> &'static str {
    ["active", "active", "blocked", "fulfilled", "failed"][usize::from(die % 5)]
}

fn grant_name(die: u8) -> &'static str {
    if chance(die, 85) { "g" } else { "h" }
}

fn grant(b: u8, c: u8, d: u8) -> Value {
    let mut grant =
        json!({"ref": grant_name(b), "principal": if chance(c, 80) { "key:b" } else { "key:c" }});
    if chance(d, 40) {
        grant["actions"] = json!([if chance(c, 60) { "do" } else { "other" }]);
    }
    if chance(c, 30) {
        grant["not_before"] = json!("2026-03-01T00:00:00Z");
    }
    if chance(b, 30) {
        grant["expires"] = json!("2026-07-01T01:00:00+01:00");
    }
    json!({"grant": grant})
}

fn deliver(words: &Words) -> Event<'static> {
    let delivery = Delivery::new(words.text().into_bytes(), words.principal.as_deref());
    Event::Deliver(delivery.into_owned())
}

fn refused(garden: &Garden, dice: [u8; 8]) -> Event<'static> {
    let words = pick(&garden.grown, dice[0]).map_or_else(|| tell("a:1"), |it| it.words.clone());
    let words = words.otherwise();
    deliver(&match dice[1] % 4 {
        0 => words.via(Some("key:nobody")),
        1 => words.with("tern", json!("9")),
        2 => words.with("body", json!({})),
        _ => words.via(None),
    })
}

fn grow(genes: &[Gene], spread: usize) -> RandomLog {
    let mut garden = Garden::default();
    let first = genes.first().map_or([0; 8], |gene| gene.dice);
    let mut placed: Vec<(usize, Event<'static>)> = Vec::new();
    let mut terms = commit("b:2", "a:1");
    if chance(first[0], 60) {
        terms = terms.body("authority_ref", json!("g"));
    }
    for words in [request("a:1"), terms] {
        garden.count += 1;
        placed.push((0, deliver(&words)));
        garden.take(words);
    }
    for (n, gene) in genes.iter().enumerate() {
        let stray = usize::from(gene.dice[3] ^ gene.dice[5]) * spread / 256;
        let place = n + stray;
        match gene.kind {
            Kind::Fact => {
                let line = garden.fact(gene.dice).to_string();
                let Ok(Record::Event(event)) = Record::read(line.as_bytes()) else {
                    panic!("{line}");
                };
                placed.push((place, event.into_owned()));
            }
            Kind::Refused => placed.push((place, refused(&garden, gene.dice))),
            _ => {
                let Some(words) = garden.message(gene) else {
                    continue;
                };
                if !chance(gene.dice[2] ^ gene.dice[6], 5) {
                    placed.push((place, deliver(&words)));
                }
                if gene.kind != Kind::Version {
                    garden.take(words);
                }
            }
        }
    }
    placed.sort_by_key(|(place, _)| *place);
    RandomLog {
        events: placed.into_iter().map(|(_, event)| event).collect(),
    }
}

impl Garden {
    fn take(&mut self, words: Words) {
        let act = words.value["act"].as_str().unwrap().to_owned();
        let sender = words.id().chars().next().unwrap();
        self.grown.push(Grown { words, act, sender });
    }
}
