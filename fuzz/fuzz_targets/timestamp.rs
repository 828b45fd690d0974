//! See `tests/targets/timestamp.rs`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| tern_tests::targets::timestamp(data));
