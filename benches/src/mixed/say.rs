//! One message: who says what, about what.

use super::thread::{Drawn, Said};
use super::{Mixed, PARTICIPANTS, THREADS, delivery, name};
use crate::corpus::Entry;
use crate::write::{
    Draft, ack, ask, challenge, claim, commit, decline, impact, propose, quoted, report, request,
    revise, tell,
};

/// What is said, before its id is known.
struct Speech {
    act: &'static str,
    by: usize,
    body: String,
    on: String,
    requester: usize,
    /// Whether others may refer to it: a rejected one would take them along.
    stands: bool,
    /// Where it must be a reply to something, to what.
    reply: Option<String>,
}

impl Mixed {
    /// The next thing that somebody says; if it `stays`, left where others can refer to it.
    pub(super) fn say(&mut self, stays: bool) -> Entry {
        let index = self.random.below(THREADS);
        let (thread, drawn, last) = match self.threads.get(index) {
            Some(thread) => (
                thread.name.clone(),
                thread.draw(&mut self.random),
                thread.said.last().map(|said| said.id.clone()),
            ),
            None => return self.fact(),
        };
        let recent = drawn.said.as_ref().map(|said| said.id.clone());
        let speech = self.speech(drawn);
        let Speech { act, by, .. } = speech;
        let id = self.id(by);

        // Those that nothing may refer to: they wait for ever, or are idle.
        let (lost, idle) = (self.random.chance(1), self.random.chance(8));
        let reply = match self.random.below(1000) {
            _ if lost => Some("ben:never".into()),
            0..18 => Some(self.held_back(&thread, by)),
            _ if speech.reply.is_some() => speech.reply,
            18..520 => last,
            520..800 => recent,
            _ => None,
        };
        let gives = matches!(act, "TELL" | "REPORT") && self.random.chance(300);
        let rest = if gives {
            let id = format!("ev:{}", self.step);
            let evidence = self.evidence_object(&id);
            self.evidence.push(id);
            format!(r#","evidence":[{evidence}]"#)
        } else if self.random.chance(120) {
            let (trace, weight) = (self.random.bits(), self.random.below(1000));
            let note = self.text(60);
            format!(
                r#","extensions":{{"trace":"{trace:016x}","weight":{weight}.50,"notes":[{{"note":"{note}","seen":true}}]}}"#
            )
        } else {
            String::new()
        };
        let message = Draft {
            id: &id,
            to: &self.recipients(),
            thread: &thread,
            reply: reply.as_deref(),
            act,
            body: &speech.body,
            rest: &rest,
        }
        .write();
        let entry = delivery(by, message);
        if idle && stays {
            self.idle.push(entry.clone());
        } else if stays && !lost && speech.stands {
            if act == "COMMIT" {
                self.promised.push(id.clone());
            }
            if let Some(thread) = self.threads.get_mut(index) {
                thread.remember(Said {
                    last: id.clone(),
                    id,
                    act,
                    by,
                    on: speech.on,
                    requester: speech.requester,
                });
            }
        }
        entry
    }

    /// A message that will come a little later. Gives its id.
    fn held_back(&mut self, thread: &str, to: usize) -> String {
        let by = self.random.below(PARTICIPANTS.len());
        let id = self.id(by);
        let message = Draft {
            id: &id,
            to: &quoted(name(to)),
            thread,
            reply: None,
            act: "ASK",
            body: &ask(&self.text(420), None),
            rest: "",
        }
        .write();
        let due = self.step + 1 + self.random.below(200);
        self.late.push_back((due, delivery(by, message)));
        id
    }

    fn recipients(&mut self) -> String {
        let first = self.random.below(PARTICIPANTS.len());
        let count = 1 + self.random.below(4);
        let names = (first..first + count).map(|index| quoted(name(index % PARTICIPANTS.len())));
        names.collect::<Vec<_>>().join(",")
    }

    fn claims(&mut self, cites: bool) -> String {
        let count = 1 + self.random.below(3);
        let claims: Vec<String> = (0..count)
            .map(|index| {
                let cites = (cites && index == 0) || self.random.chance(300);
                let evidence = match self.evidence.draw(&mut self.random) {
                    _ if !cites => String::new(),
                    Some(evidence) => quoted(&evidence),
                    None => quoted("ev:early"),
                };
                claim(&self.text(285), &evidence)
            })
            .collect();
        claims.join(",")
    }

    fn tell(&mut self, by: usize) -> Speech {
        Speech {
            act: "TELL",
            by,
            body: tell(&self.claims(false)),
            on: String::new(),
            requester: 0,
            stands: true,
            reply: None,
        }
    }

    /// What somebody says, as far as the thread offers something to say it about.
    fn speech(&mut self, drawn: Drawn) -> Speech {
        let by = self.random.below(PARTICIPANTS.len());
        let mut speech = self.tell(by);
        let roll = self.random.below(1000);
        match (roll, drawn) {
            (0..100, Drawn { said, .. }) => {
                let about = said.filter(|_| self.random.chance(400)).map(|said| said.id);
                speech.act = "ASK";
                speech.body = ask(&self.text(560), about.as_deref());
            }
            (100..170, _) => {
                speech.act = "PROPOSE";
                speech.body = propose(&self.text(480), &self.text(180));
            }
            (170..290, Drawn { promised, .. }) => {
                let replaced = promised.filter(|_| self.random.chance(60));
                let replaces = replaced.as_ref().map(|promised| promised.id.as_str());
                speech.act = "REQUEST";
                speech.by = replaced.as_ref().map_or(by, |promised| promised.requester);
                speech.body = request(&self.text(380), &self.texts(5), replaces);
            }
            (
                290..400,
                Drawn {
                    asked: Some(asked), ..
                },
            ) => {
                let grant = format!("grant-{}", self.random.below(400));
                let grant = Some(grant.as_str()).filter(|_| self.random.chance(600));
                let conditions = self.texts(3);
                let body = commit(&asked.id, &self.text(380), &conditions, grant);
                let due = format!(r#""due":"{}""#, self.time());
                speech.act = "COMMIT";
                speech.body = if self.random.chance(500) {
                    body.replacen(r#""due":null"#, &due, 1)
                } else {
                    body
                };
                (speech.on, speech.requester) = (asked.id, asked.by);
            }
            (
                400..560,
                Drawn {
                    promised: Some(promised),
                    ..
                },
            ) => {
                let state = match self.random.below(100) {
                    0..55 => "active",
                    55..75 => "blocked",
                    75..96 => "fulfilled",
                    _ => "failed",
                };
                speech.act = "REPORT";
                // Now and then somebody reports on what another promised, which is rejected.
                let stranger = self.random.chance(20);
                speech.by = if stranger { by } else { promised.by };
                let claims = self.claims(state == "fulfilled");
                speech.body = report(&promised.id, state, &claims);
                speech.stands = speech.by == promised.by;
                if matches!(state, "fulfilled" | "failed") {
                    for thread in &mut self.threads {
                        thread.promised.forget(|other| other.id == promised.id);
                    }
                }
                speech.reply = Some(promised.last).filter(|_| self.random.chance(900));
                speech.on = promised.id;
            }
            (
                560..590,
                Drawn {
                    said: Some(said), ..
                },
            ) => {
                let support = self.evidence.draw(&mut self.random).map(|id| quoted(&id));
                let support = support.filter(|_| self.random.chance(500));
                let objection = self.text(420);
                speech.act = "CHALLENGE";
                speech.body = challenge(&said.id, &objection, &support.unwrap_or_default());
            }
            (
                590..670,
                Drawn {
                    revisable: Some(target),
                    promised,
                    ..
                },
            ) => {
                let replacement = match target.act {
                    "PROPOSE" => propose(&self.text(480), &self.text(180)),
                    "REQUEST" => request(&self.text(380), &self.texts(5), None),
                    "COMMIT" => commit(&target.on, &self.text(380), &self.texts(3), None),
                    "REPORT" => report(&target.on, "active", &self.claims(false)),
                    _ => tell(&self.claims(false)),
                };
                let replacement = Some(replacement).filter(|_| self.random.chance(850));
                let touched = promised.filter(|_| self.random.chance(400));
                let touched = touched.map(|promised| impact(&promised.id, "unaffected"));
                let forks = self.random.chance(250);
                let previous = if forks { &target.id } else { &target.last };
                speech.act = "REVISE";
                speech.by = target.by;
                speech.body = revise(
                    &target.id,
                    previous,
                    replacement.as_deref(),
                    &self.text(120),
                    &touched.unwrap_or_default(),
                );
                speech.on = target.id;
            }
            (
                670..700,
                Drawn {
                    asked: Some(asked), ..
                },
            ) => {
                speech.act = "DECLINE";
                speech.body = decline(&asked.id, &self.text(320));
            }
            (
                700..715,
                Drawn {
                    proposed: Some(proposed),
                    ..
                },
            ) => {
                speech.act = "DECLINE";
                speech.body = decline(&proposed.id, &self.text(320));
            }
            (
                715..800,
                Drawn {
                    said: Some(said), ..
                },
            ) if said.act != "ACK" => {
                speech.act = "ACK";
                speech.body = ack(&said.id);
            }
            _ => {}
        }
        speech
    }
}
