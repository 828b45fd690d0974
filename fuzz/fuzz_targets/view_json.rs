//! See `tests/targets/view_json.rs`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| tern_tests::targets::view_json(data));
