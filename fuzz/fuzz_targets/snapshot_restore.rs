//! See `tests/targets/snapshot_restore.rs`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| tern_tests::targets::snapshot_restore(data));
