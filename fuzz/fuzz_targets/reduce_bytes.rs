//! See `tests/targets/reduce_bytes.rs`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| tern_tests::targets::reduce_bytes(data));
