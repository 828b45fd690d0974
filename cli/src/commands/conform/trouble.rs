//! Why a command could not be asked at all, and what to look at.

use tern_conformance::runner::{Program, Trouble};

use super::text::call;
use crate::failure::Failure;
use crate::text::shown;

/// The failure to start a command, or to hear from it who it is.
pub(super) fn cannot_ask(program: &Program, trouble: &Trouble) -> Failure {
    let hint = match trouble {
        Trouble::NotStarted { what } => {
            return Failure::usage(shown(what), cannot_start(program));
        }
        Trouble::Harness { what } => {
            return Failure::usage(
                shown(what),
                "this is no fault of the implementation: please report it, if the system is well",
            );
        }
        Trouble::Timeout { .. } => {
            "a reply is one line of JSON, and has to be flushed: many languages keep it back until \
             there is more"
        }
        Trouble::Crash { .. } => {
            "it has to stay, to answer line by line, and to end at `stop` or at the end of its input"
        }
        Trouble::Garbage { .. } => {
            "the first line on standard output is the reply to `hello`, with every field as spec/protocol.md has \
             it; what is meant for people goes to standard error"
        }
    };
    Failure::usage(
        format!(
            "`{}` did not answer `hello`: {}",
            shown(&program.command),
            indented(&trouble.to_string(), 4)
        ),
        format!(
            "{hint}; `tern conform --smoke -- {}` shows every line",
            call(program)
        ),
    )
}

/// A text of several lines, all but the first of them indented, so that none begins a line of ours.
pub(super) fn indented(text: &str, by: usize) -> String {
    let lines: Vec<String> = text.lines().map(shown).collect();
    lines.join(&format!("\n{:by$}", ""))
}

fn cannot_start(program: &Program) -> String {
    let command = &program.command;
    if program.arguments.is_empty() && command.contains(' ') {
        return format!(
            "a command and its arguments are words of their own, without quotes: `-- {}`",
            shown(command)
        );
    }
    "a program of this folder begins with `./`; it has to be executable, and a script to begin with \
     `#!` or to stand behind its interpreter, as in `-- python3 my_tern.py`"
        .to_owned()
}
