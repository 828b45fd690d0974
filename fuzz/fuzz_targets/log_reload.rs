//! See `tests/targets/log_reload.rs`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| tern_tests::targets::log_reload(data));
