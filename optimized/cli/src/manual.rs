//! `duoram completions` and `duoram man`: what a shell and `man` want to know, from the same words as `--help`.

use std::io::Write;

use clap::Command;
use clap_complete::Shell;

use crate::{Error, Output, Verdict};

/// For which shell.
#[derive(Debug, clap::Args)]
pub struct CompletionsOptions {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// Of what.
#[derive(Debug, clap::Args)]
pub struct ManOptions {
    /// A command, such as run; without it, the page of the program.
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

/// Writes completions.
///
/// # Errors
///
/// [`Error::Output`].
pub fn completions(
    options: &CompletionsOptions,
    mut program: Command,
    output: &mut Output,
) -> Result<Verdict, Error> {
    // Into memory first: a closed output would be a panic.
    let mut text = Vec::new();
    clap_complete::generate(options.shell, &mut program, "duoram", &mut text);
    output.writer().write_all(&text)?;
    Ok(Verdict::Held)
}

/// Writes a page.
///
/// # Errors
///
/// [`Error::NoSuchCommand`], [`Error::Output`].
pub fn man(options: &ManOptions, mut program: Command, output: &mut Output) -> Result<Verdict, Error> {
    // Gives the commands' pages their names, `duoram-run(1)`.
    program.build();
    let command = match &options.command {
        None => program,
        Some(name) => {
            let found = program.find_subcommand(name).filter(|command| !command.is_hide_set());
            found.cloned().ok_or_else(|| Error::NoSuchCommand { name: name.clone() })?
        }
    };
    clap_mangen::Man::new(command).render(output.writer())?;
    Ok(Verdict::Held)
}
