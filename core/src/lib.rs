//! Tern 0.1: bytes in, accountable state out.
#![no_std]

extern crate alloc;

mod code;
pub mod message;
pub mod wire;

pub use code::{Block, Class, Code, DocumentCode};
