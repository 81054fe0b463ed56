//! A check that always says the same of the same things is made once: again only if one of them has changed.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::answers::Question;
use crate::error::{Error, Result};
use crate::{files, process};

/// Which check, and what its verdict depends on, besides this program and the command line itself.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A file, or a folder with all that is in it.
    #[arg(long, value_name = "PATH", required = true)]
    of: Vec<PathBuf>,
    /// What else there is, such as the version of a program.
    #[arg(long, value_name = "TEXT")]
    with: Vec<String>,
    /// A file that the check makes: it is kept, and put back where it was.
    #[arg(long, value_name = "FILE")]
    makes: Vec<PathBuf>,
    #[arg(last = true, required = true)]
    command: Vec<OsString>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    ask(&question(arguments)?, arguments)
}

fn ask(question: &Question, arguments: &Arguments) -> Result<()> {
    let kept = |number: usize| question.beside(&format!("made{number}"));
    if let Some(said) = question.answered()? {
        for (number, made) in arguments.makes.iter().enumerate() {
            fs::copy(kept(number), made).map_err(Error::file(made))?;
        }
        print!("{said}");
        println!("said before: nothing of what this depends on has changed");
        return Ok(());
    }
    let [program, words @ ..] = &arguments.command[..] else { unreachable!("clap requires a word") };
    let ran = process::run(Command::new(program).args(words))?;
    print!("{}", ran.output);
    eprint!("{}", ran.errors);
    if !ran.success {
        return Err(Error::Shown);
    }
    for (number, made) in arguments.makes.iter().enumerate() {
        let bytes = fs::read(made).map_err(Error::file(made))?;
        files::write(kept(number), bytes)?;
    }
    question.remember(&ran.all())
}

fn question(arguments: &Arguments) -> Result<Question> {
    let mut question = Question::new("once")?;
    for word in &arguments.command {
        question = question.with(word.as_encoded_bytes());
    }
    question = question.with(b"with");
    for text in &arguments.with {
        question = question.with(text.as_bytes());
    }
    question = question.with(b"makes");
    for path in &arguments.makes {
        question = question.with(path.as_os_str().as_encoded_bytes());
    }
    question = question.with(b"of");
    for path in &arguments.of {
        question = question.with(path.as_os_str().as_encoded_bytes());
        if path.is_dir() {
            question = question.with_folder(path)?;
        } else {
            question = question.with(&fs::read(path).map_err(Error::file(path))?);
        }
    }
    Ok(question)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// A check that counts its runs in `ran`, makes a file, and fails if `verdict` says so.
    fn check(folder: &Path) -> Arguments {
        let at = |name: &str| folder.join(name).display().to_string();
        let script = format!(
            "echo . >>{}; echo made $(wc -l <{}) >{}; echo said; exit $(cat {})",
            at("ran"),
            at("ran"),
            at("made"),
            at("of/verdict")
        );
        Arguments {
            of: vec![folder.join("of")],
            with: vec!["version 1".into()],
            makes: vec![folder.join("made")],
            command: ["sh", "-c", &script].map(OsString::from).to_vec(),
        }
    }

    /// With answers beside what is checked.
    fn run(folder: &Path, arguments: &Arguments) -> Result<()> {
        ask(&question(arguments)?.kept_in(&folder.join("answers")), arguments)
    }

    fn runs(folder: &Path) -> usize {
        files::read(folder.join("ran")).map_or(0, |text| text.lines().count())
    }

    #[test]
    fn a_check_is_made_again_when_something_has_changed_and_only_then() {
        let scratch = files::scratch().unwrap();
        let folder = scratch.path();
        let mut arguments = check(folder);
        files::write(folder.join("of/verdict"), "0").unwrap();
        run(folder, &arguments).unwrap();
        run(folder, &arguments).unwrap();
        assert_eq!(runs(folder), 1, "nothing has changed");
        files::write(folder.join("of/deep/er"), "new").unwrap();
        run(folder, &arguments).unwrap();
        assert_eq!(runs(folder), 2, "a file came");
        fs::rename(folder.join("of/deep/er"), folder.join("of/deep/est")).unwrap();
        run(folder, &arguments).unwrap();
        assert_eq!(runs(folder), 3, "a file has another name");
        fs::remove_file(folder.join("of/deep/est")).unwrap();
        arguments.with = vec!["version 2".into()];
        run(folder, &arguments).unwrap();
        assert_eq!(runs(folder), 4, "another version");
        arguments.command.push("argument".into());
        run(folder, &arguments).unwrap();
        assert_eq!(runs(folder), 5, "another command");
        files::write(folder.join("one"), "a").unwrap();
        arguments.of.push(folder.join("one"));
        run(folder, &arguments).unwrap();
        assert_eq!(runs(folder), 6, "a file more");
        files::write(folder.join("one"), "b").unwrap();
        run(folder, &arguments).unwrap();
        assert_eq!(runs(folder), 7, "that file has changed");
        arguments.makes.push(folder.join("ran"));
        run(folder, &arguments).unwrap();
        assert_eq!(runs(folder), 8, "a file more is made, and none of it was kept");
    }

    #[test]
    fn what_a_check_has_made_is_put_back() {
        let scratch = files::scratch().unwrap();
        let folder = scratch.path();
        files::write(folder.join("of/verdict"), "0").unwrap();
        run(folder, &check(folder)).unwrap();
        for left in ["nothing", "something else"] {
            fs::remove_file(folder.join("made")).unwrap();
            if left != "nothing" {
                files::write(folder.join("made"), left).unwrap();
            }
            run(folder, &check(folder)).unwrap();
            assert_eq!(files::read(folder.join("made")).unwrap(), "made 1\n", "{left} was there");
        }
        assert_eq!(runs(folder), 1);
    }

    #[test]
    fn a_check_that_failed_is_made_again_and_fails_again() {
        let scratch = files::scratch().unwrap();
        let folder = scratch.path();
        files::write(folder.join("of/verdict"), "7").unwrap();
        assert!(matches!(run(folder, &check(folder)), Err(Error::Shown)));
        assert!(matches!(run(folder, &check(folder)), Err(Error::Shown)));
        assert_eq!(runs(folder), 2);
        let of_nothing = Arguments { of: vec![folder.join("none")], ..check(folder) };
        assert!(run(folder, &of_nothing).is_err(), "nothing to look at");
    }
}
