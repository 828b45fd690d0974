//! `tern completions`: what a shell can complete.

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::failure::{Exit, Failure};
use crate::output::print_data;

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Completions {
    /// The shell to write for
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  tern completions bash > ~/.local/share/bash-completion/completions/tern
  tern completions zsh > ~/.zfunc/_tern
  tern completions fish > ~/.config/fish/completions/tern.fish";

impl Completions {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::Tern::command(), "tern", &mut script);
        print_data(&String::from_utf8_lossy(&script))?;
        Ok(Exit::Fine)
    }
}
