//! The program behind the scripts of `ci/` and `proofs/`. Scripts call; what parses and what prints tables is here, one module a
//! subcommand, each with its planted faults as tests beside it. It runs at the top of the repository: see `run`.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod answers;
mod citations;
mod coverage;
mod engine_test;
mod error;
mod files;
mod fuzz;
mod hashes;
mod licences;
mod model_check;
mod mutants;
mod once;
mod pairs;
mod plant;
mod process;
mod proofs;
mod prove;
mod prove_mutants;
mod readme;
mod spec_faults;
mod table;
mod tampered;
mod tlc;
mod total;
mod translation;
mod validate;

/// The program behind the scripts of ci/ and proofs/.
#[derive(Parser)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Every citation has its key in BIBLIOGRAPHY.md.
    Citations(citations::Arguments),
    /// The table of `ci/coverage`, from the report on standard input.
    Coverage,
    /// The tests of the translator.
    EngineTest(engine_test::Arguments),
    /// The committed translation is what the translator makes of the specification.
    TranslationCheck(translation::Check),
    /// The specification has not changed since it was translated, nor the translation since it was written.
    TranslationFresh(translation::Pair),
    /// Puts what the translator wrote where it is to be.
    TranslationInstall(translation::Install),
    /// No operation of a crate can panic.
    Total(total::Arguments),
    /// Models, and traces of real runs.
    ModelCheck(model_check::Arguments),
    /// Are traces behaviours of the model?
    Validate(validate::Arguments),
    /// Do the tests bite?
    Mutants(mutants::Arguments),
    /// The generated parts of README.md, and proofs/THEOREMS.md.
    Readme(readme::Arguments),
    /// What libFuzzer found, and how to see it again.
    FuzzExplain(fuzz::Explain),
    /// The closing table of `ci/fuzz`.
    FuzzTable(fuzz::Summary),
    /// A check, unless it has passed before of the very same things.
    Once(once::Arguments),
    /// Replaces a text that must occur exactly once.
    Plant(plant::Arguments),
    /// The proofs, from the sources to a verdict.
    Prove(prove::Arguments),
    /// What we depend on: licences, sources, versions.
    Licences(licences::Arguments),
    /// Do the proofs bite?
    ProveMutants(prove_mutants::Arguments),
    /// Do the tests in words bite?
    SpecFaults(spec_faults::Arguments),
}

fn main() -> ExitCode {
    // The name is that of the script, which is what was called.
    let (name, result) = match CommandLine::parse().command {
        Command::Citations(arguments) => ("ci/citations", citations::run(&arguments)),
        Command::Coverage => ("ci/coverage", coverage::run()),
        Command::EngineTest(arguments) => ("proofs/hax/test", engine_test::run(&arguments)),
        Command::TranslationCheck(arguments) => ("proofs/hax/check", translation::check(&arguments)),
        Command::TranslationFresh(arguments) => ("proofs/hax/fresh", translation::fresh(&arguments)),
        Command::TranslationInstall(arguments) => ("proofs/hax/run", translation::install(&arguments)),
        Command::Total(arguments) => ("proofs/hax/total", total::run(&arguments)),
        Command::ModelCheck(arguments) => ("ci/model-check", model_check::run(&arguments)),
        Command::Validate(arguments) => ("proofs/tla/validate", validate::run(&arguments)),
        Command::Mutants(arguments) => ("ci/mutants", mutants::run(&arguments)),
        Command::Readme(arguments) => ("ci/readme", readme::run(&arguments)),
        Command::FuzzExplain(arguments) => ("ci/fuzz", fuzz::explain(&arguments)),
        Command::FuzzTable(arguments) => ("ci/fuzz", fuzz::summary(&arguments)),
        Command::Once(arguments) => ("once", once::run(&arguments)),
        Command::Plant(arguments) => ("plant", plant::run(&arguments)),
        Command::Prove(arguments) => ("ci/prove", prove::run(&arguments)),
        Command::Licences(arguments) => ("ci/licences", licences::run(&arguments)),
        Command::ProveMutants(arguments) => ("ci/prove-mutants", prove_mutants::run(&arguments)),
        Command::SpecFaults(arguments) => ("ci/spec-faults", spec_faults::run(&arguments)),
    };
    result.map_or_else(|error| error.report(name), |()| ExitCode::SUCCESS)
}
