//! Small files by hand, with what every implementation must say of them.

/// A file and what is to be said of it.
#[derive(Clone, Debug)]
pub struct Case {
    /// In a few words.
    pub name: &'static str,
    /// The clause that decides.
    pub clause: &'static str,
    /// The file.
    pub bytes: Vec<u8>,
    /// What is to be said.
    pub expected: Expected,
}

/// What an implementation says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The document is refused at this line.
    Refused(usize),
    /// It is read. Each delivery comes to `accepted`, `pending`, `duplicate`, `id_conflict`, to the
    /// class of a rejection (stages 1 to 4) or to its code (stage 6).
    Read(Vec<&'static str>),
}

const CONTEXT: &str = r#"{"context":{"id":"garden","participants":{"ana":"key:a","ben":"key:b"}}}"#;

/// An ASK.
fn ask(id: &str) -> String {
    let from = id.split(':').next().unwrap_or_default();
    format!(
        r#"{{"tern":"0.1","id":"{id}","from":"{from}","to":["all"],"thread":"beds","reply":null,"act":"ASK","body":{{"question":"Dry?"}}}}"#
    )
}

/// An ACK.
fn ack(id: &str, target: &str) -> String {
    let body = format!(r#""act":"ACK","body":{{"target":"{target}"}}"#);
    ask(id).replace(r#""act":"ASK","body":{"question":"Dry?"}"#, &body)
}

/// A delivery by the principal of the sender.
fn deliver(message: &str) -> String {
    let is_ana = message.contains(r#""from":"ana""#);
    let principal = if is_ana { "key:a" } else { "key:b" };
    format!(r#"{{"deliver":{{"principal":"{principal}","message":{message}}}}}"#)
}

fn lines<const N: usize>(lines: [&str; N]) -> Vec<u8> {
    (lines.join("\n") + "\n").into_bytes()
}

fn refused(name: &'static str, clause: &'static str, bytes: Vec<u8>, line: usize) -> Case {
    let expected = Expected::Refused(line);
    Case {
        name,
        clause,
        bytes,
        expected,
    }
}

fn read<const N: usize>(
    name: &'static str,
    clause: &'static str,
    bytes: Vec<u8>,
    outcomes: [&'static str; N],
) -> Case {
    let expected = Expected::Read(outcomes.to_vec());
    Case {
        name,
        clause,
        bytes,
        expected,
    }
}

/// All cases: log documents that are read, errors of the document, and bare files.
#[must_use]
pub fn cases() -> Vec<Case> {
    [documents(), broken_documents(), bare_files()].concat()
}

fn documents() -> Vec<Case> {
    let (one, two) = (deliver(&ask("ana:1")), deliver(&ack("ben:1", "ana:1")));
    let other = deliver(&ask("ana:1").replace("Dry?", "Wet?"));
    let spoofed = one.replace("key:a", "key:b");
    let version = one.replace(r#""0.1""#, r#""0.2""#);
    let self_ack = deliver(&ack("ben:2", "ben:2"));
    let decline = ack("ben:3", "ana:1").replace(r#""ACK""#, r#""DECLINE""#);
    let decline = deliver(&decline.replace(
        r#"{"target":"ana:1"}"#,
        r#"{"target":"ana:1","reason":"No."}"#,
    ));
    let deep = ask("ana:1").replace(
        r#""body":"#,
        &format!(
            r#""extensions":{{"deep":{}{}}},"body":"#,
            "[".repeat(200),
            "]".repeat(200)
        ),
    );
    let crlf = [CONTEXT, &one, &two].join("\r\n").into_bytes();
    vec![
        read("a context alone", "S8.06", lines([CONTEXT]), []),
        read(
            "a question and its receipt",
            "S3.02",
            lines([CONTEXT, &one, &two]),
            ["accepted", "accepted"],
        ),
        read(
            "a receipt that comes first",
            "S3.03",
            lines([CONTEXT, &two, &one]),
            ["pending", "accepted"],
        ),
        read(
            "the same again, and another",
            "T1.27",
            lines([CONTEXT, &one, &one, &other, &other]),
            ["accepted", "duplicate", "id_conflict", "id_conflict"],
        ),
        read(
            "a spoof, then the genuine one",
            "R-01",
            lines([CONTEXT, &spoofed, &one]),
            ["identity", "accepted"],
        ),
        read(
            "another version, then this one",
            "T1.16",
            lines([CONTEXT, &version, &one]),
            ["version", "accepted"],
        ),
        read(
            "a receipt of itself",
            "S3.04",
            lines([CONTEXT, &self_ack]),
            ["pending"],
        ),
        read(
            "a question is not declined",
            "S3.09",
            lines([CONTEXT, &one, &decline]),
            ["accepted", "target_not_declinable"],
        ),
        read(
            "too deep under `message`",
            "S8.08",
            lines([CONTEXT, &deliver(&deep)]),
            ["syntax"],
        ),
        read(
            "the same context again",
            "S8.06",
            lines([CONTEXT, &one, CONTEXT, &two]),
            ["accepted", "accepted"],
        ),
        read(
            "carriage returns, no last newline",
            "R-05",
            crlf,
            ["accepted", "accepted"],
        ),
        read(
            "nobody authenticated",
            "S8.09",
            lines([CONTEXT, &one.replace(r#""principal":"key:a","#, "")]),
            ["identity"],
        ),
        read(
            "no bytes at all",
            "S8.07",
            lines([CONTEXT, r#"{"deliver":{"text":""}}"#]),
            ["syntax"],
        ),
        read(
            "bytes that are no text",
            "S8.07",
            lines([CONTEXT, r#"{"deliver":{"base64":"/w=="}}"#]),
            ["syntax"],
        ),
        read(
            "facts that wait for ever",
            "S6.01",
            lines([
                CONTEXT,
                r#"{"permit":{"commitment":"ana:9"}}"#,
                r#"{"confirm":{"commitment":"ana:9","condition":1.0}}"#,
            ]),
            [],
        ),
    ]
}

fn broken_documents() -> Vec<Case> {
    let one = deliver(&ask("ana:1"));
    let after = |line: &str| lines([CONTEXT, &one, line, &one]);
    vec![
        refused("a blank line", "S8.03", after(""), 3),
        refused("a line that is no JSON", "S8.03", after("{"), 3),
        refused("a line that is no object", "S8.03", after("[]"), 3),
        refused("an unknown record", "S8.04", after(r#"{"allow":{}}"#), 3),
        refused(
            "two records on a line",
            "S8.04",
            after(r#"{"revoke":{"ref":"g"},"clock":"2026-12-01T00:00:00Z"}"#),
            3,
        ),
        refused(
            "a field is missing",
            "S8.05",
            after(r#"{"approve":{"commitment":"ana:1"}}"#),
            3,
        ),
        refused(
            "a field too many",
            "S8.05",
            after(r#"{"revoke":{"ref":"g","now":true}}"#),
            3,
        ),
        refused(
            "a value of another form",
            "S8.05",
            after(r#"{"permit":{"commitment":"ana"}}"#),
            3,
        ),
        refused(
            "a condition below 0",
            "S8.05",
            after(r#"{"confirm":{"commitment":"ana:1","condition":-1}}"#),
            3,
        ),
        refused(
            "a day that does not exist",
            "S8.05",
            after(r#"{"clock":"2026-11-31T00:00:00Z"}"#),
            3,
        ),
        refused(
            "a record before the context",
            "S8.06",
            lines([&one, CONTEXT]),
            1,
        ),
        refused(
            "another context",
            "S8.06",
            after(&CONTEXT.replace("key:b", "key:c")),
            3,
        ),
        refused(
            "the reserved context",
            "S8.06",
            lines([&CONTEXT.replace("garden", "unverified"), &one]),
            1,
        ),
        refused(
            "no payload",
            "S8.07",
            after(r#"{"deliver":{"principal":"key:a"}}"#),
            3,
        ),
        refused(
            "two payloads",
            "S8.07",
            after(r#"{"deliver":{"text":"","base64":""}}"#),
            3,
        ),
        refused(
            "base64 without padding",
            "S8.07",
            after(r#"{"deliver":{"base64":"/w"}}"#),
            3,
        ),
        refused(
            "a repeated key under `message`",
            "S8.08",
            after(r#"{"deliver":{"message":{"a":1,"a":2}}}"#),
            3,
        ),
        refused(
            "an infinite number under `message`",
            "S8.08",
            after(r#"{"deliver":{"message":{"a":1e999}}}"#),
            3,
        ),
        refused(
            "a first line with `evidence`",
            "S8.10",
            lines([&ask("ana:1").replacen('{', r#"{"evidence":[],"#, 1)]),
            1,
        ),
    ]
}

/// A message with so much white space before it that it is as long as one may be (S2.06).
fn longest(message: &str) -> String {
    format!("{}{message}", " ".repeat((1 << 20) - message.len()))
}

fn bare_files() -> Vec<Case> {
    let (one, two) = (ask("ana:1"), ack("ben:1", "ana:1"));
    let pretty = one.replace(',', ",\n");
    let borrowed = one.replace(r#""from":"ana""#, r#""from":"ben""#);
    let marked = [b"\xef\xbb\xbf", one.as_bytes()].concat();
    vec![
        read("an empty file", "S8.10", Vec::new(), []),
        read(
            "two bare messages",
            "S8.11",
            lines([&one, &two]),
            ["accepted", "accepted"],
        ),
        read(
            "one message as long as one may be, and a newline",
            "S8.11",
            lines([&longest(&one)]),
            ["accepted"],
        ),
        read(
            "one message over lines as long as one may be, and a newline",
            "S8.11",
            lines([&longest(&pretty)]),
            ["accepted"],
        ),
        read(
            "one byte more",
            "S2.06",
            lines([&format!(" {}", longest(&pretty))]),
            ["syntax"],
        ),
        read(
            "a broken first line",
            "S8.11",
            lines(["{", &one]),
            ["syntax", "accepted"],
        ),
        read(
            "one message over several lines",
            "T1.04",
            pretty.clone().into_bytes(),
            ["accepted"],
        ),
        read(
            "blank lines around one message",
            "S8.11",
            lines(["", &pretty, ""]),
            ["accepted"],
        ),
        read(
            "a blank line between two",
            "R-05",
            lines([&one, "", &two]),
            ["accepted", "syntax", "accepted"],
        ),
        read(
            "another's id",
            "S2.12",
            lines([&borrowed, &two]),
            ["identity", "pending"],
        ),
        read("a byte-order mark", "S2.04", marked, ["syntax"]),
        read(
            "an object that is no message",
            "S2.10",
            lines(["{}"]),
            ["shape"],
        ),
    ]
}
