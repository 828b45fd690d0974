//! The way of deliveries and facts onto lines: in which form, when, and by whom.

use std::rc::Rc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::node::{Node, write_string};
use super::style::{self, Style};
use crate::mixer::Mixer;

/// Whom the channel authenticated.
pub(crate) enum Principal {
    Of(Rc<str>),
    Null,
    Absent,
}

/// When a line comes, against the lines around it.
#[derive(Clone, Copy)]
pub(crate) enum When {
    Now,
    /// So many lines later.
    Late(usize),
    /// So many lines earlier.
    Early(usize),
    Never,
}

/// How a message is delivered.
pub(crate) struct Mail {
    pub(crate) principal: Principal,
    /// Bytes instead of the message. They may be anything, so they never travel as `message`.
    pub(crate) bytes: Option<Vec<u8>>,
    pub(crate) style: Option<Style>,
    pub(crate) when: When,
}

impl Mail {
    pub(crate) fn from(principal: &Rc<str>) -> Self {
        Self {
            principal: Principal::Of(Rc::clone(principal)),
            bytes: None,
            style: None,
            when: When::Now,
        }
    }
}

/// The lines so far, the context first, and what is still under way.
pub(crate) struct Post {
    pub(crate) lines: Vec<Vec<u8>>,
    held: Vec<(usize, Vec<u8>)>,
    bare: bool,
}

impl Post {
    pub(crate) fn new(bare: bool) -> Self {
        Self {
            lines: Vec::new(),
            held: Vec::new(),
            bare,
        }
    }

    /// Lines with those under way.
    pub(crate) fn len(&self) -> usize {
        self.lines.len() + self.held.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The first record. A bare file has none.
    pub(crate) fn open(&mut self, context: &Node) {
        if !self.bare {
            self.lines.push(context.to_json().into_bytes());
        }
    }

    /// A local fact, which a bare file does not have.
    pub(crate) fn fact(&mut self, record: &Node, early: usize) {
        if !self.bare {
            self.put(record.to_json().into_bytes(), When::Early(early));
        }
    }

    /// Puts a message on a line, as `message` where `form` is zero and that can be.
    pub(crate) fn send(&mut self, node: &Node, mail: Mail, form: u8) {
        let text = match (&mail.bytes, mail.style) {
            (Some(bytes), _) => Payload::Bytes(bytes.clone()),
            (None, Some(style)) => Payload::Text(style::write(node, style)),
            (None, None) => Payload::Text(node.to_json()),
        };
        let line = if self.bare {
            text.into_bytes()
        } else {
            record(text, &mail, form)
        };
        self.put(line, mail.when);
    }

    fn put(&mut self, line: Vec<u8>, when: When) {
        match when {
            When::Never => {}
            When::Late(lines) => self.held.push((self.lines.len() + lines, line)),
            When::Early(0) | When::Now => self.lines.push(line),
            When::Early(lines) => {
                let first = usize::from(!self.bare);
                let at = self.lines.len().saturating_sub(lines).max(first);
                self.lines.insert(at.min(self.lines.len()), line);
            }
        }
        while let Some(at) = self
            .held
            .iter()
            .position(|(due, _)| *due <= self.lines.len())
        {
            let (_, line) = self.held.remove(at);
            self.lines.push(line);
        }
    }

    /// Puts the last lines into another order.
    pub(crate) fn shuffle_last(&mut self, count: usize, seed: u64) {
        let first = usize::from(!self.bare);
        let start = self.lines.len().saturating_sub(count).max(first);
        if let Some(last) = self.lines.get_mut(start..) {
            Mixer::new(seed).shuffle(last);
        }
    }

    /// Nothing stays under way.
    pub(crate) fn flush(&mut self) {
        self.held.sort_by_key(|(due, _)| *due);
        self.lines.extend(self.held.drain(..).map(|(_, line)| line));
    }
}

enum Payload {
    Text(String),
    Bytes(Vec<u8>),
}

impl Payload {
    fn into_bytes(self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.into_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}

/// A `deliver` record.
fn record(payload: Payload, mail: &Mail, form: u8) -> Vec<u8> {
    let mut out = String::with_capacity(640);
    out.push_str("{\"deliver\":{");
    match &mail.principal {
        Principal::Of(principal) => {
            out.push_str("\"principal\":");
            write_string(principal, &mut out);
            out.push(',');
        }
        Principal::Null => out.push_str("\"principal\":null,"),
        Principal::Absent => {}
    }
    let payload = match payload {
        Payload::Text(text) => Ok(text),
        Payload::Bytes(bytes) => String::from_utf8(bytes).map_err(|error| error.into_bytes()),
    };
    match payload {
        Ok(text) if mail.bytes.is_none() && form < 8 => {
            out.push_str("\"message\":");
            out.push_str(&text);
        }
        Ok(text) if form < 160 => {
            out.push_str("\"text\":");
            write_string(&text, &mut out);
        }
        Ok(text) => push_base64(text.as_bytes(), &mut out),
        Err(bytes) => push_base64(&bytes, &mut out),
    }
    out.push_str("}}");
    out.into_bytes()
}

fn push_base64(bytes: &[u8], out: &mut String) {
    out.push_str("\"base64\":\"");
    STANDARD.encode_string(bytes, out);
    out.push('"');
}
