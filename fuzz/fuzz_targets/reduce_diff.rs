//! See `tests/targets/reduce_diff.rs`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| tern_tests::targets::reduce_diff(data));
