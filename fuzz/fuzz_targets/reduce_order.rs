//! See `tests/targets/reduce_order.rs`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| tern_tests::targets::reduce_order(data));
