//! Text in columns. Everything given here is safe to print already.

use std::io::{self, IsTerminal as _};

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// How wide the terminal is; 80 where there is none. `COLUMNS` overrules.
pub(crate) fn terminal_width() -> usize {
    let wished = std::env::var("COLUMNS").ok();
    let measured = || {
        let (width, _) = terminal_size::terminal_size()?;
        io::stdout().is_terminal().then_some(usize::from(width.0))
    };
    wished
        .and_then(|columns| columns.parse().ok())
        .or_else(measured)
        .unwrap_or(80)
        .clamp(40, 400)
}

/// The text in lines of at most `width` columns, broken between words where it can be.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        let needed = line.width() + usize::from(!line.is_empty()) + word.width();
        if needed <= width {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        for character in word.chars() {
            if line.width() + character.width().unwrap_or(0) > width {
                lines.push(std::mem::take(&mut line));
            }
            line.push(character);
        }
    }
    lines.push(line);
    lines
}

/// Two cells beside each other, each `width` columns wide.
pub(crate) fn beside(left: &str, right: &str, width: usize) -> String {
    let (left, right) = (wrap(left, width), wrap(right, width));
    let mut out = String::new();
    for index in 0..left.len().max(right.len()) {
        let one = left.get(index).map_or("", String::as_str);
        let other = right.get(index).map_or("", String::as_str);
        let gap = " ".repeat(width.saturating_sub(one.width()));
        let line = format!("{one}{gap} │ {other}");
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests;
