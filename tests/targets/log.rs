//! Logs out of the bytes of structured inputs.

use arbitrary::{Arbitrary as _, Unstructured};
use tern_conformance::Scenario;

/// So many bytes make a log at most: about 50 records.
const LONGEST: usize = 1024;

/// What the first byte decides, and the log document.
pub(super) struct Input {
    /// The first byte. None where the input is a log document: then everything is tried that it could decide.
    pub(super) choice: Option<u8>,
    /// The log document, or bare messages.
    pub(super) document: Vec<u8>,
}

/// The log of a structured input. One that begins with a brace is taken as it stands, so that a log
/// can be read in the file that keeps it, and means the same whatever becomes of the generator. In
/// all others the first byte is left to the target, and the log grows out of the rest.
///
/// Of a long input only the beginning is used, for the model's effort grows with the square of a log.
pub(super) fn of(data: &[u8]) -> Input {
    match data.split_first() {
        Some((&choice, rest)) if choice != b'{' => {
            let rest = &rest[..rest.len().min(LONGEST)];
            let scenario = Scenario::arbitrary(&mut Unstructured::new(rest));
            let document = scenario.map(|scenario| scenario.document());
            Input {
                choice: Some(choice),
                document: document.unwrap_or_default(),
            }
        }
        _ => Input {
            choice: None,
            document: data.to_vec(),
        },
    }
}
