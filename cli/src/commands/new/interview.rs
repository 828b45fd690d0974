//! Asking for what is missing: on a terminal one plain question after the other, elsewhere not at
//! all. Then everything that is missing is named at once.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

use super::values::Answer;
use crate::failure::Failure;
use crate::text::shown;

/// Collects what a message needs.
pub(super) struct Interview {
    /// Whether there is somebody to ask.
    someone: bool,
    /// Whether something had to be asked. Who gave everything is not asked for more.
    asked: bool,
    /// The options that nobody gave.
    missing: Vec<String>,
}

impl Interview {
    /// Somebody is there when standard input and standard error are terminals. Standard output
    /// need not be one: the message goes there.
    pub(super) fn new() -> Self {
        Self {
            someone: io::stdin().is_terminal() && io::stderr().is_terminal(),
            asked: false,
            missing: Vec::new(),
        }
    }

    /// What was given, or what somebody answers. Without either the option is noted as missing.
    pub(super) fn need<T: Answer>(
        &mut self,
        given: Option<T>,
        option: &str,
        question: &str,
    ) -> Option<T> {
        if given.is_some() {
            return given;
        }
        let question = match T::choices() {
            Some(choices) => format!("{question} ({choices})"),
            None => question.to_string(),
        };
        while let Some(line) = self.ask(&question) {
            match T::read(&line) {
                Ok(answer) => return Some(answer),
                Err(why) => self.tell(&why),
            }
        }
        self.lacks(option);
        None
    }

    /// What was given, or what somebody answers, one at a time up to an empty line.
    pub(super) fn list<T: Answer>(&mut self, given: Vec<T>, question: &str) -> Vec<T> {
        if !given.is_empty() || !self.asked {
            return given;
        }
        let question = format!("{question}, one a line, empty to end");
        let mut answers = Vec::new();
        while let Some(line) = self.ask(&question) {
            if line.is_empty() {
                break;
            }
            match T::read(&line) {
                Ok(answer) => answers.push(answer),
                Err(why) => self.tell(&why),
            }
        }
        answers
    }

    /// One optional thing: an empty line for none.
    pub(super) fn may<T: Answer>(&mut self, given: Option<T>, question: &str) -> Option<T> {
        if given.is_some() || !self.asked {
            return given;
        }
        let question = format!("{question}, empty for none");
        while let Some(line) = self.ask(&question) {
            if line.is_empty() {
                break;
            }
            match T::read(&line) {
                Ok(answer) => return Some(answer),
                Err(why) => self.tell(&why),
            }
        }
        None
    }

    /// Whether somebody is there to answer.
    pub(super) fn has_someone(&self) -> bool {
        self.someone
    }

    /// Notes that an option is missing.
    pub(super) fn lacks(&mut self, option: &str) {
        self.missing.push(option.to_string());
    }

    /// Says something to whoever answers.
    pub(super) fn tell(&self, sentence: &str) {
        if self.someone {
            anstream::eprintln!("  {}", shown(sentence));
        }
    }

    /// Ends here if anything is missing, naming all of it.
    pub(super) fn finish(&self) -> Result<(), Failure> {
        if self.missing.is_empty() {
            return Ok(());
        }
        Err(Failure::usage(
            format!("missing: {}", self.missing.join(", ")),
            "give these options, or run it on a terminal and be asked",
        ))
    }

    /// One line from the terminal; none once it has ended.
    fn ask(&mut self, question: &str) -> Option<String> {
        if !self.someone {
            return None;
        }
        self.asked = true;
        let mut err = io::stderr().lock();
        let mut line = String::new();
        // A terminal that cannot be written to or read from is nobody.
        let read = write!(err, "{}: ", shown(question))
            .and_then(|()| err.flush())
            .and_then(|()| io::stdin().lock().read_line(&mut line));
        if read.is_ok_and(|read| read > 0) {
            let answer = line.strip_suffix('\n').unwrap_or(&line);
            return Some(answer.strip_suffix('\r').unwrap_or(answer).to_string());
        }
        self.someone = false;
        None
    }
}
