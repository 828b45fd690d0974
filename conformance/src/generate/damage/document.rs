//! What befalls whole documents and whole files (S8.01 to S8.11).

use super::super::dice::Dice;
use super::Damage;

/// The lines of a file.
pub(crate) struct File {
    pub(crate) lines: Vec<Vec<u8>>,
    pub(crate) ends_with_newline: bool,
}

/// Records that are wrong in one field or another. Each stands for a row of the table of forms.
const MISSING: &[&str] = &[
    "{\"permit\":{}}",
    "{\"grant\":{\"ref\":\"grant:1\"}}",
    "{\"approve\":{\"commitment\":\"ana:1\"}}",
    "{\"evidence\":{\"id\":\"ev:1\"}}",
    "{\"start\":{\"commitment\":\"ana:1\"}}",
    "{\"reconciled\":{\"commitment\":\"ana:1\",\"action\":\"x\"}}",
    "{\"context\":{\"id\":\"garden\"}}",
    "{\"judge\":{\"commitment\":\"ana:1\"}}",
];

const UNKNOWN: &[&str] = &[
    "{\"permit\":{\"commitment\":\"ana:1\",\"by\":\"zoe\"}}",
    "{\"revoke\":{\"ref\":\"grant:1\",\"Ref\":1}}",
    "{\"deliver\":{\"text\":\"\",\"extensions\":{}}}",
    "{\"grant\":{\"ref\":\"g\",\"principal\":\"p\",\"not_after\":\"2026-11-30T12:00:00Z\"}}",
    "{\"finish\":{\"commitment\":\"ana:1\",\"action\":\"x\",\"result\":1}}",
    "{\"evidence\":{\"id\":\"ev:1\",\"source\":\"s\",\"collected_at\":\"2026-11-30T12:00:00Z\",\"method\":\"m\",\"result\":\"r\",\"note\":\"n\"}}",
];

const BAD_VALUES: &[&str] = &[
    "{\"permit\":\"ana:1\"}",
    "{\"permit\":{\"commitment\":\"ana\"}}",
    "{\"confirm\":{\"commitment\":\"ana:1\",\"condition\":-1}}",
    "{\"confirm\":{\"commitment\":\"ana:1\",\"condition\":0.5}}",
    "{\"confirm\":{\"commitment\":\"ana:1\",\"condition\":\"0\"}}",
    "{\"clock\":\"2026-02-30T00:00:00Z\"}",
    "{\"clock\":1}",
    "{\"judge\":{\"commitment\":\"ana:1\",\"terms\":\"Satisfied\"}}",
    "{\"grant\":{\"ref\":\"\",\"principal\":\"p\"}}",
    "{\"grant\":{\"ref\":\"g\",\"principal\":\"p\",\"actions\":[\"\"]}}",
    "{\"grant\":{\"ref\":\"g\",\"principal\":\"p\",\"actions\":null}}",
    "{\"grant\":{\"ref\":\"g\",\"principal\":\"p\",\"expires\":null}}",
    "{\"reconciled\":{\"commitment\":\"ana:1\",\"action\":\"x\",\"causes\":\"superseded\"}}",
    "{\"reconciled\":{\"commitment\":\"ana:1\",\"action\":\"x\",\"causes\":[1]}}",
    "{\"start\":{\"commitment\":\"ana:1\",\"action\":\"\"}}",
    "{\"deliver\":{\"principal\":1,\"text\":\"\"}}",
    "{\"deliver\":{\"principal\":\"\",\"text\":\"\"}}",
    "{\"deliver\":{\"text\":null}}",
    "{\"evidence\":{\"id\":\"ev:\",\"source\":\"s\",\"collected_at\":\"2026-11-30T12:00:00Z\",\"method\":\"m\",\"result\":\"r\"}}",
    "{\"evidence\":[]}",
    "{\"context\":{\"id\":\"\",\"participants\":{}}}",
    "{\"context\":{\"id\":\"x\",\"participants\":{\"a:b\":\"p\"}}}",
    "{\"context\":{\"id\":\"x\",\"participants\":{\"a\":\"\"}}}",
];

const BROKEN: &[&str] = &[
    "{",
    "[]",
    "null",
    "# a comment",
    "{\"permit\":{\"commitment\":\"ana:1\"}}{}",
    "{\"permit\":{\"commitment\":\"ana:1\",\"commitment\":\"ana:1\"}}",
    "{\"permit\":{\"commitment\":\"ana:1\"},\"\\u0070ermit\":{\"commitment\":\"ana:1\"}}",
    "{\"clock\":\"\\ud83d\"}",
    "{\"deliver\":{\"message\":{]}}",
];

const UNKNOWN_RECORDS: &[&str] = &[
    "{}",
    "{\"note\":1}",
    "{\"Clock\":\"2026-11-30T12:00:00Z\"}",
    "{\"clock\":\"2026-11-30T12:00:00Z\",\"revoke\":{\"ref\":\"grant:1\"}}",
    "{\"\":{}}",
];

const PAYLOADS: &[&str] = &[
    "{\"deliver\":{}}",
    "{\"deliver\":{\"principal\":\"key:ana\"}}",
    "{\"deliver\":{\"text\":\"\",\"base64\":\"\"}}",
    "{\"deliver\":{\"message\":{},\"text\":\"{}\"}}",
];

const IMPOSSIBLE: &[&str] = &[
    "{\"deliver\":{\"message\":[]}}",
    "{\"deliver\":{\"message\":\"x\"}}",
    "{\"deliver\":{\"message\":null}}",
    "{\"deliver\":{\"message\":{\"a\":1,\"a\":1}}}",
    "{\"deliver\":{\"message\":{\"x\":{\"a\":1,\"\\u0061\":1}}}}",
    "{\"deliver\":{\"message\":{\"a\":1e999}}}",
    "{\"deliver\":{\"message\":{\"a\":\"\\ud83d\"}}}",
];

const BAD_BASE64: &[&str] = &[
    "{\"deliver\":{\"base64\":\"e30\"}}",
    "{\"deliver\":{\"base64\":\"e31=\"}}",
    "{\"deliver\":{\"base64\":\"e30 =\"}}",
    "{\"deliver\":{\"base64\":\"e30=\\n\"}}",
    "{\"deliver\":{\"base64\":\"_w==\"}}",
    "{\"deliver\":{\"base64\":\"=\"}}",
];

/// Does a damage to a file, unless it does not fit.
pub(crate) fn spoil(damage: Damage, file: &mut File, dice: &mut Dice<'_, '_>) -> bool {
    let insert = |file: &mut File, line: &[u8], at: usize| {
        file.lines.insert(at.min(file.lines.len()), line.to_vec());
    };
    let anywhere = dice.between(1, file.lines.len().max(1));
    match damage {
        Damage::DocumentBrokenLine => insert(file, dice.one(BROKEN).as_bytes(), anywhere),
        Damage::DocumentBlankLine | Damage::BareBlankLine => {
            let at = dice.below(file.lines.len() + 1);
            let blank = dice.one(&["", " ", "\t\r"]);
            insert(file, blank.as_bytes(), at);
        }
        Damage::DocumentUnknownRecord => {
            insert(file, dice.one(UNKNOWN_RECORDS).as_bytes(), anywhere);
        }
        Damage::DocumentMissingField => insert(file, dice.one(MISSING).as_bytes(), anywhere),
        Damage::DocumentUnknownField => insert(file, dice.one(UNKNOWN).as_bytes(), anywhere),
        Damage::DocumentBadValue => insert(file, dice.one(BAD_VALUES).as_bytes(), anywhere),
        Damage::DocumentPayloads => insert(file, dice.one(PAYLOADS).as_bytes(), anywhere),
        Damage::DocumentImpossibleMessage => {
            insert(file, dice.one(IMPOSSIBLE).as_bytes(), anywhere);
        }
        Damage::DocumentBadBase64 => insert(file, dice.one(BAD_BASE64).as_bytes(), anywhere),
        Damage::DocumentBeforeContext => {
            let at = dice.between(1, 3);
            if at >= file.lines.len() {
                return false;
            }
            file.lines.swap(0, at);
        }
        Damage::DocumentNoContext => {
            if file.lines.len() < 2 {
                return false;
            }
            file.lines.remove(0);
        }
        Damage::DocumentSecondContext => {
            let line = b"{\"context\":{\"id\":\"garden\",\"participants\":{\"zoe\":\"key:zoe\"}}}";
            insert(file, line, anywhere);
        }
        Damage::DocumentReservedContext => {
            let line =
                b"{\"context\":{\"id\":\"unverified\",\"participants\":{\"ana\":\"key:ana\"}}}";
            if dice.chance(50) {
                insert(file, line, anywhere);
            } else if let Some(first) = file.lines.first_mut() {
                *first = line.to_vec();
            }
        }
        Damage::DocumentSameContext => match file.lines.first().cloned() {
            Some(first) => insert(file, &first, anywhere),
            None => return false,
        },
        Damage::DocumentCrlf => {
            let all = dice.chance(60);
            for line in &mut file.lines {
                if all || dice.chance(30) {
                    line.push(b'\r');
                }
            }
        }
        Damage::DocumentNoLastNewline => file.ends_with_newline = false,
        Damage::DocumentSpaced => {
            for line in &mut file.lines {
                if dice.chance(40) {
                    line.insert(0, b' ');
                    line.push(b'\t');
                }
            }
        }
        Damage::DocumentByteOrderMark => match file.lines.first_mut() {
            Some(first) => {
                let old = std::mem::take(first);
                *first = ["\u{feff}".as_bytes(), &old].concat();
            }
            None => return false,
        },
        Damage::BarePretty => return pretty(file, dice),
        _ => return false,
    }
    true
}

/// Leaves one message only, over several lines, with blank lines around it.
fn pretty(file: &mut File, dice: &mut Dice<'_, '_>) -> bool {
    let Some(line) = dice.pick(&file.lines) else {
        return false;
    };
    let mut lines = Vec::new();
    if dice.chance(40) {
        lines.push(Vec::new());
    }
    // A break before each field: commas within texts get one too, and break them.
    let mut rest: &[u8] = line;
    while let Some(at) = find(rest, b",\"") {
        let (before, after) = rest.split_at(at + 1);
        lines.push(before.to_vec());
        rest = after;
    }
    lines.push(rest.to_vec());
    if dice.chance(40) {
        lines.push(b" ".to_vec());
    }
    file.lines = lines;
    true
}

fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|window| window == part)
}
