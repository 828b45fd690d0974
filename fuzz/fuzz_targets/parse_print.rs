//! See `tests/targets/parse_print.rs`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| tern_tests::targets::parse_print(data));
