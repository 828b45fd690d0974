//! Core against model on files of any bytes.

use tern_conformance::Ask;
use tern_conformance::engine::{Core, Model};

use super::reduce_diff::compare;

/// The input is a file: core and model refuse it at the same line, or come to the same outcomes and
/// the same view (S2.15, S7.01, S8.02, S8.10, S8.11). Codes are not compared: where several errors are in
/// one line, no clause says which one is reported.
///
/// # Panics
/// Where they differ.
pub fn reduce_bytes(data: &[u8]) {
    compare(
        &mut Core::default(),
        &mut Model::default(),
        data,
        Ask::ViewAtEnd,
    );
}
