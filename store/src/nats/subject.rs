//! Names of logs as subjects: letters, digits, `-` and `_` stand for themselves, every other byte is `=XX`.
//!
//! So a subject is as readable as its log, and has at most 3,072 bytes; the server takes lines of 4,096.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

/// What comes before the names of the logs of a stream.
pub(super) fn logs(stream: &str) -> String {
    format!("{stream}.log.")
}

/// The subject of the parts of batches that are too long for one message.
pub(super) fn parts(stream: &str) -> String {
    format!("{stream}.part")
}

/// The subject of a log.
pub(super) fn of(stream: &str, name: &str) -> String {
    let mut subject = logs(stream);
    for byte in name.bytes() {
        // Writing to a string cannot fail.
        let _written = match byte {
            b'-' | b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => {
                subject.push(byte.into());
                Ok(())
            }
            byte => write!(subject, "={byte:02x}"),
        };
    }
    subject
}

/// The name of the log of a subject, if it is one of this stream.
pub(super) fn name(stream: &str, subject: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = subject.strip_prefix(&logs(stream))?.bytes();
    while let Some(next) = rest.next() {
        bytes.push(match next {
            b'=' => byte(rest.next()?, rest.next()?)?,
            next => next,
        });
    }
    let name = String::from_utf8(bytes).ok()?;
    (crate::log::check_name(&name).is_ok() && of(stream, &name) == subject).then_some(name)
}

/// The byte of two hexadecimal digits.
pub(super) fn byte(high: u8, low: u8) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(high)? << 4 | digit(low)?).ok()
}

/// The token of the snapshots of one kind of one log: they are never listed, so a digest will do.
pub(super) fn snapshot(name: &str, kind: &str) -> String {
    let digest = Sha256::new()
        .chain_update(kind)
        .chain_update([0])
        .chain_update(name)
        .finalize();
    digest.iter().fold(String::new(), |mut token, byte| {
        let _written = write!(token, "{byte:02x}");
        token
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn a_subject_is_that_of_one_name() {
        let long = "ä.".repeat(341) + "x";
        for text in [
            "design", "a b", "a.b", "=", "=3d", "*", ">", "ä", "\n", &long,
        ] {
            let subject = of("S", text);
            assert!(subject.len() < 3100 && !subject.contains([' ', '*', '>']));
            assert_eq!(subject.matches('.').count(), 2);
            assert_eq!(name("S", &subject).unwrap(), text);
        }
        for wrong in [
            "S.log.",
            "S.log.=",
            "S.log.=zz",
            "S.log.=61",
            "S.log.=3D",
            "S.log.=ff",
            "T.log.a",
        ] {
            assert_eq!(name("S", wrong), None, "{wrong}");
        }
    }
}
