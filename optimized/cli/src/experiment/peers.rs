//! `duoram experiment peers`: programs of others in turn with ours, and ratios.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;
use duoram_experiments::catalogue::{COMPUTING, named};
use duoram_experiments::duoram::Duoram;
use duoram_experiments::peers::{
    Contender, Ours, Process, Round, WHAT_IS_COMPARED, medians, take_turns, text,
};
use duoram_experiments::plot;
use duoram_experiments::row::to_csv;
use duoram_reference::Paper;
use duoram_reference::lean::Lean;

use super::{origin, write};
use crate::progress::Progress;
use crate::{Error, Output, Verdict};

/// What is wanted.
#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// A program with its arguments, as `optimized/experiments/FORMAT.md` has it: it is told what to do, line by line.
    #[arg(long, required = true, value_name = "PROGRAM")]
    program: Vec<String>,
    /// lg of the numbers of words.
    #[arg(long, value_name = "H,..", value_delimiter = ',', default_values_t = [10, 16, 20], value_parser = clap::value_parser!(u32).range(4..=28))]
    log_size: Vec<u32>,
    /// How often each takes its turn.
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = RangedU64ValueParser::<usize>::new().range(1..=1000))]
    rounds: usize,
    /// Operations of a program in its turn.
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = RangedU64ValueParser::<usize>::new().range(1..=1 << 20))]
    operations: usize,
    /// Operations of ours in its turn.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = RangedU64ValueParser::<usize>::new().range(1..=4096))]
    own_operations: usize,
    /// Write medians of the programs (peers.csv, for --with), all rounds (rounds.csv), plots, and peers.md into this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

#[allow(clippy::cast_precision_loss, reason = "small counts, for a bar")]
pub(super) fn peers(options: &Options, output: &mut Output) -> Result<Verdict, Error> {
    if let Some(folder) = &options.out {
        fs::create_dir_all(folder).map_err(|source| Error::File { path: folder.clone(), source })?;
    }
    let all = options.log_size.len() * options.program.len();
    let progress = Progress::new("peers", all as u64);
    let (mut rounds, mut left_out) = (Vec::new(), Vec::new());
    for (place, &log_size) in options.log_size.iter().enumerate() {
        let mut ours: [Box<dyn Contender>; 2] = [
            Box::new(Ours::new(
                Box::new(Duoram::<Paper>::new()),
                log_size,
                options.own_operations,
                origin(false),
            )),
            Box::new(Ours::new(
                Box::new(Duoram::<Lean>::new()),
                log_size,
                options.own_operations,
                origin(false),
            )),
        ];
        for (number, program) in options.program.iter().enumerate() {
            progress.say(&format!("{program}, 2^{log_size} words"));
            let done = (place * options.program.len() + number) as f64;
            progress.reach_part(done);
            let mut watch = |share: f64| progress.reach_part(done + share);
            let measured = Process::start(program, log_size, options.operations)
                .and_then(|mut peer| take_turns(&mut peer, &mut ours, options.rounds, &mut watch));
            match measured {
                Ok(measured) => rounds.extend(measured),
                // The others have taken their time: one that fails at a size is not to cost it.
                Err(error @ duoram_experiments::Error::Peer { .. }) => left_out.push((log_size, error)),
                Err(error) => return Err(error.into()),
            }
        }
    }
    drop(progress);
    if rounds.is_empty()
        && let Some((_, error)) = left_out.pop()
    {
        return Err(error.into());
    }
    let lines: Vec<String> = WHAT_IS_COMPARED.iter().map(|line| (*line).to_owned()).collect();
    let mut table = text(&rounds);
    table.extend(left_out.iter().map(|(log_size, error)| format!("left out at 2^{log_size} words: {error}")));
    for line in lines.iter().chain([&String::new()]).chain(&table) {
        output.line(line)?;
    }
    if let Some(folder) = &options.out {
        let cpu = origin(false).cpu;
        write(
            folder,
            "peers.csv",
            &to_csv(&medians(&rounds.iter().map(|round| &round.peer).collect::<Vec<_>>())),
        )?;
        write(folder, "rounds.csv", &to_csv(rounds.iter().flat_map(Round::rows)))?;
        let mut page = format!(
            "# Peers beside ours\n\nWritten by `ci/peers`, computed on {cpu}; not to be changed by hand.\n\n{}\n\n```text\n{}\n```\n",
            lines.join("\n"),
            table.join("\n").trim_end()
        );
        let both = medians(&rounds.iter().flat_map(Round::rows).collect::<Vec<_>>());
        for plot in
            named(COMPUTING).map(|experiment| plot::plots(experiment, &both, &cpu)).unwrap_or_default()
        {
            write(folder, &format!("{}.svg", plot.name), &plot.svg())?;
            // Writing to a string does not fail.
            let _ = writeln!(page, "\n![{0}]({0}.svg)", plot.name);
        }
        write(folder, "peers.md", &page)?;
    }
    Ok(Verdict::Held)
}
