//! Messages as text. Whatever is put in is already escaped for JSON.

/// A message to one recipient.
pub(crate) fn message(id: &str, reply: Option<&str>, act: &str, body: &str) -> String {
    Draft {
        id,
        to: r#""peer""#,
        thread: "t",
        reply,
        act,
        body,
        rest: "",
    }
    .write()
}

pub(crate) struct Draft<'d> {
    pub(crate) id: &'d str,
    /// A list without its brackets.
    pub(crate) to: &'d str,
    pub(crate) thread: &'d str,
    pub(crate) reply: Option<&'d str>,
    pub(crate) act: &'d str,
    pub(crate) body: &'d str,
    /// Further fields, each with a comma before it.
    pub(crate) rest: &'d str,
}

impl Draft<'_> {
    pub(crate) fn write(&self) -> String {
        let Self {
            id,
            to,
            thread,
            act,
            body,
            rest,
            ..
        } = self;
        let from = id.split(':').next().unwrap_or_default();
        let reply = self.reply.map_or("null".into(), quoted);
        format!(
            r#"{{"tern":"0.1","id":"{id}","from":"{from}","to":[{to}],"thread":"{thread}","reply":{reply},"act":"{act}","body":{body}{rest}}}"#
        )
    }
}

pub(crate) fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

pub(crate) fn ask(question: &str, about: Option<&str>) -> String {
    let about = about.map_or(String::new(), |about| format!(r#","about":"{about}""#));
    format!(r#"{{"question":"{question}"{about}}}"#)
}

pub(crate) fn claim(text: &str, evidence: &str) -> String {
    format!(
        r#"{{"text":"{text}","basis":"observed","confidence":"high","scope":"here and now","evidence":[{evidence}],"alternatives":[]}}"#
    )
}

pub(crate) fn tell(claims: &str) -> String {
    format!(r#"{{"claims":[{claims}]}}"#)
}

pub(crate) fn propose(plan: &str, success: &str) -> String {
    format!(r#"{{"plan":"{plan}","success":"{success}","constraints":[]}}"#)
}

pub(crate) fn request(action: &str, constraints: &str, replaces: Option<&str>) -> String {
    let replaces = replaces.map_or(String::new(), |commit| format!(r#","replaces":"{commit}""#));
    format!(
        r#"{{"action":"{action}","done_when":"it is done","constraints":[{constraints}],"authority_ref":null{replaces}}}"#
    )
}

pub(crate) fn commit(request: &str, action: &str, conditions: &str, grant: Option<&str>) -> String {
    let grant = grant.map_or("null".into(), quoted);
    format!(
        r#"{{"request":"{request}","action":"{action}","deliverable":"a note","done_when":"it is written","due":null,"conditions":[{conditions}],"authority_ref":{grant}}}"#
    )
}

pub(crate) fn report(commitment: &str, state: &str, claims: &str) -> String {
    format!(r#"{{"commitment":"{commitment}","state":"{state}","claims":[{claims}]}}"#)
}

pub(crate) fn challenge(target: &str, objection: &str, support: &str) -> String {
    format!(
        r#"{{"target":"{target}","kind":"factual","objection":"{objection}","support":[{support}],"resolution_test":"look again"}}"#
    )
}

/// Without a replacement it withdraws.
pub(crate) fn revise(
    target: &str,
    previous: &str,
    replacement: Option<&str>,
    reason: &str,
    impact: &str,
) -> String {
    let mode = replacement.map_or("withdraw", |_| "replace");
    let replacement = replacement.unwrap_or("null");
    format!(
        r#"{{"target":"{target}","previous":"{previous}","mode":"{mode}","reason":"{reason}","replacement":{replacement},"impact":[{impact}]}}"#
    )
}

pub(crate) fn impact(commitment: &str, assessment: &str) -> String {
    format!(
        r#"{{"commitment":"{commitment}","assessment":"{assessment}","reason":"it rests on this"}}"#
    )
}

pub(crate) fn decline(target: &str, reason: &str) -> String {
    format!(r#"{{"target":"{target}","reason":"{reason}"}}"#)
}

pub(crate) fn ack(target: &str) -> String {
    format!(r#"{{"target":"{target}"}}"#)
}
