//! What an experiment found, on standard output and in a folder.

use std::fmt::Write as _;

use duoram_experiments::catalogue::Experiment;
use duoram_experiments::claims;
use duoram_experiments::measure::Results;
use duoram_experiments::paper::beside;
use duoram_experiments::plot::plots;
use duoram_experiments::prices::{Prices, table_3};
use duoram_experiments::row::{Row, from_csv, to_csv};
use duoram_experiments::system::System;
use duoram_experiments::systems::said;
use duoram_experiments::table::table;

use super::{Options, write};
use crate::{Error, Output};

/// What stands before the reason why something was not run.
pub(super) const LEFT_OUT: &str = "left out: ";

/// Prints and writes while experiments end, and keeps the page.
pub(super) struct Report<'o> {
    output: &'o mut Output,
    options: &'o Options,
    /// Whether the names of columns have been printed.
    began: bool,
    page: String,
    rows: Vec<Row>,
}

impl<'o> Report<'o> {
    pub(super) fn new(output: &'o mut Output, options: &'o Options) -> Self {
        let page = "# Results\n\nWritten by `duoram experiment`; not to be changed by hand.\n".to_owned();
        Self { output, options, began: false, page, rows: Vec::new() }
    }

    /// An experiment that has ended, with what somebody brought along of it. Rows that name no CPU are of this one.
    pub(super) fn experiment(
        &mut self,
        experiment: &Experiment,
        results: Results,
        brought: &[Row],
        cpu: &str,
    ) -> Result<(), Error> {
        let Results { mut rows, skipped } = results;
        let of_this = |row: &&Row| row.experiment.eq_ignore_ascii_case(experiment.name);
        rows.extend(brought.iter().filter(of_this).cloned());
        let title = format!("{}: {} ({})", experiment.name, experiment.title, experiment.figure);
        let mut lines = table(experiment, &rows);
        lines.extend(skipped.iter().map(|line| format!("{LEFT_OUT}{line}")));
        let file = to_csv(&rows);
        if self.options.csv {
            let from = usize::from(self.began);
            file.lines().skip(from).try_for_each(|line| self.output.line(line))?;
            self.began = true;
        }
        self.section(&title, &lines)?;
        if let Some(folder) = &self.options.out {
            write(folder, &format!("{}.csv", experiment.name), &file)?;
            // What is drawn is what the file says, to its last digit: whoever has the file draws the same.
            let drawn = from_csv(&file).unwrap_or_else(|_| rows.clone());
            for plot in plots(experiment, &drawn, cpu) {
                write(folder, &format!("{}.svg", plot.name), &plot.svg())?;
                // Writing to a string does not fail.
                let _ = writeln!(self.page, "\n![{0}]({0}.svg)", plot.name);
            }
        }
        self.rows.extend(rows);
        Ok(())
    }

    /// What all experiments say together; the page.
    pub(super) fn finish<'s>(
        mut self,
        systems: impl Iterator<Item = &'s (dyn System + 'static)>,
    ) -> Result<(), Error> {
        let prices = Prices::from(self.options.prices);
        let published = beside(&self.rows, &prices);
        let costs = table_3(&self.rows, &prices);
        let claims: Vec<_> = claims::check(&self.rows).iter().map(ToString::to_string).collect();
        let mut honesty = Vec::new();
        for system in systems {
            if self.rows.iter().any(|row| row.system == system.name()) {
                honesty.extend(said(system)?);
            }
        }
        for (title, lines) in [
            ("Published numbers beside these (times are of other computers)", published),
            ("Table 3: millionths of a dollar, preparing included, of all parties", costs),
            ("Claims of the artifact's appendix", claims),
            ("What is real in these numbers, and how far they are from what was published", honesty),
        ] {
            if !lines.is_empty() {
                self.section(title, &lines)?;
            }
        }
        match &self.options.out {
            Some(folder) => write(folder, "results.md", &self.page),
            None => Ok(()),
        }
    }

    fn section(&mut self, title: &str, lines: &[String]) -> Result<(), Error> {
        let _ = writeln!(self.page, "\n## {title}\n\n```text\n{}\n```", lines.join("\n"));
        if self.options.csv {
            return Ok(());
        }
        self.output.line(title)?;
        lines.iter().try_for_each(|line| self.output.line(&format!("  {line}")))?;
        self.output.line("")
    }
}
