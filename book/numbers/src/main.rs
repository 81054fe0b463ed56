//! Computes every number of the book, and draws its pictures.
//!
//! Each table comes from a call of the specification or of the reference, from fixed seeds, or from a file of the repository
//! that a check of its own keeps right. What the text around a table says of it is asserted where the table is made: if the
//! code changes so that the text is no longer true, this program fails, and does not write another table.
//!
//! With `--check` nothing is written: every file of DIR is compared with what would be, and some chapter beside DIR shows it.

mod by_hand;
mod conversion;
mod costs;
mod distributed;
mod durable;
mod error;
mod experiments;
mod fast_path;
mod files;
mod glossary;
mod lean;
mod lean_costs;
mod listed_tests;
mod material;
mod model;
mod notation;
mod oblivious;
mod pictures;
mod point_functions;
mod proofs;
mod reading;
mod readme;
mod repository;
mod sharing;
mod table;
mod triples;
mod two_parties;
mod updating;
mod vectors;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use crate::error::Error;
use crate::files::Page;
use crate::repository::Repository;

/// Computes every number of the book
#[derive(Parser)]
struct Arguments {
    /// Where the files are: book/src/generated
    directory: PathBuf,
    /// Write nothing, and name each file that differs from what would be written
    #[arg(long)]
    check: bool,
}

/// All files, in the order of the chapters.
fn pages(repository: &Repository) -> Result<Vec<Page>, Error> {
    let chapters = [
        readme::pages(repository)?,
        oblivious::pages(),
        sharing::pages(),
        point_functions::pages(),
        by_hand::pages(),
        distributed::pages(),
        triples::pages(),
        conversion::pages(),
        reading::pages(),
        updating::pages(),
        costs::pages()?,
        two_parties::pages(),
        lean::pages(),
        lean_costs::pages()?,
        listed_tests::pages(repository)?,
        proofs::pages(repository)?,
        model::pages(repository)?,
        durable::pages()?,
        experiments::pages(repository)?,
        fast_path::pages(repository)?,
        vectors::pages(repository)?,
        glossary::pages(repository)?,
        pictures::pages()?,
    ];
    Ok(chapters.into_iter().flatten().collect())
}

/// Whether all is as computed.
fn run(Arguments { directory, check }: &Arguments) -> Result<bool, Error> {
    let pages = pages(&Repository::of_this_crate())?;
    if !check {
        files::write(directory, &pages)?;
        println!("{} files written", pages.len());
        return Ok(true);
    }
    let differences = files::compare(directory, &pages)?;
    for difference in &differences {
        eprintln!("{difference}");
    }
    if differences.is_empty() {
        println!("{} files, all as computed", pages.len());
    } else {
        eprintln!("{} of the book's numbers are not as computed", differences.len());
    }
    Ok(differences.is_empty())
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("duoram-book-numbers: {error}");
            ExitCode::from(2)
        }
    }
}
