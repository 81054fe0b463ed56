//! The book's preprocessor: `mdbook` runs it and speaks JSON with it on standard input and output.
//!
//! It replaces `{{#include ../../FILE:NAME}}` by the item NAME of FILE, writes where it stands below each listing, and links
//! each code span that is a file, an item of the specification, a theorem or a test to its line. What it cannot find is an
//! error, and the book is not built: mdBook's own includes would leave a hole without a word.
//!
//! Settings, in `[preprocessor.listings]` of `book.toml`: `sources`, the folder for the pages of the source files that these
//! links lead to, which are written in the same run; `top`, the way from `book.toml` to the top of the repository (`..`);
//! `up`, the way from the pages to the book that has the folder of sources (none), for the slides, which are a folder in it.

mod chapter;
mod item;
mod repository;
mod source;

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::Path;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use serde_json::Value;

use repository::Repository;

#[derive(Parser)]
#[command(about = "mdBook preprocessor: code by name, and links from names to lines")]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Whether a renderer is supported: all are
    Supports { renderer: String },
}

fn main() -> ExitCode {
    if let Some(Command::Supports { renderer: _ }) = Arguments::parse().command {
        return ExitCode::SUCCESS;
    }
    match run() {
        Ok(book) => {
            println!("{book}");
            ExitCode::SUCCESS
        }
        Err(errors) => {
            for error in &errors {
                eprintln!("{error}");
            }
            eprintln!("book-listings: {} errors", errors.len());
            ExitCode::FAILURE
        }
    }
}

/// Reads context and book, and returns the book.
fn run() -> Result<Value, Vec<String>> {
    let one = |error: String| vec![error];
    let mut input = String::new();
    io::stdin().read_to_string(&mut input).map_err(|error| one(format!("standard input: {error}")))?;
    let (context, mut book): (Value, Value) = serde_json::from_str(&input).map_err(|error| {
        one(format!("standard input: expected the context and the book as mdBook writes them: {error}"))
    })?;
    let root = Path::new(context["root"].as_str().unwrap_or("."));
    let root = root.canonicalize().map_err(|error| one(format!("{}: {error}", root.display())))?;
    let folder = root.join(context["config"]["book"]["src"].as_str().unwrap_or("src"));
    let settings = &context["config"]["preprocessor"]["listings"];
    let top = root.join(settings["top"].as_str().unwrap_or(".."));
    let repository = Repository::open(&top).map_err(|error| one(format!("{}: {error}", root.display())))?;
    let up = settings["up"].as_str().unwrap_or_default();

    let mut walk =
        Walk { folder: &folder, repository: &repository, up, errors: Vec::new(), linked: BTreeSet::new() };
    walk.items(&mut book["items"]);
    if !walk.errors.is_empty() {
        return Err(walk.errors);
    }
    if let Some(pages) = settings["sources"].as_str() {
        source::write_all(&root.join(pages), &repository, &walk.linked).map_err(one)?;
    }
    Ok(book)
}

/// A walk over all chapters.
struct Walk<'a> {
    folder: &'a Path,
    repository: &'a Repository,
    up: &'a str,
    errors: Vec<String>,
    /// Files that some chapter links to.
    linked: BTreeSet<String>,
}

impl Walk<'_> {
    fn items(&mut self, items: &mut Value) {
        for item in items.as_array_mut().into_iter().flatten() {
            let Some(chapter) = item.get_mut("Chapter") else { continue };
            let name = chapter["path"].as_str().unwrap_or_default().to_owned();
            let text = chapter["content"].as_str().unwrap_or_default().to_owned();
            match chapter::expand(&text, self.folder, self.repository, self.up) {
                Ok((text, linked)) => {
                    chapter["content"] = Value::String(text);
                    self.linked.extend(linked);
                }
                Err(errors) => self.errors.extend(errors.iter().map(|error| format!("{name}: {error}"))),
            }
            self.items(&mut chapter["sub_items"]);
        }
    }
}
