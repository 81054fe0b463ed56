//! What an experiment found, on standard output, and the same as a page.

use std::fmt::Write as _;

use duoram_experiments::catalogue::Experiment;
use duoram_experiments::claims;
use duoram_experiments::paper::beside;
use duoram_experiments::prices::{Prices, table_3};
use duoram_experiments::row::{Row, to_csv};
use duoram_experiments::system::System;
use duoram_experiments::systems::said;
use duoram_experiments::table::table;

use crate::{Error, Output};

/// Prints while experiments end, and keeps the page.
pub(super) struct Report<'o> {
    output: &'o mut Output,
    csv: bool,
    /// Whether the names of columns have been printed.
    began: bool,
    page: String,
    /// Plots of the experiment that is reported next.
    plots: Vec<String>,
    rows: Vec<Row>,
}

impl<'o> Report<'o> {
    pub(super) fn new(output: &'o mut Output, csv: bool) -> Self {
        let page = "# Results\n\nWritten by `duoram experiment`; not to be changed by hand.\n".to_owned();
        Self { output, csv, began: false, page, plots: Vec::new(), rows: Vec::new() }
    }

    /// A plot of the experiment that is reported next.
    pub(super) fn plot(&mut self, name: &str) {
        self.plots.push(name.to_owned());
    }

    /// An experiment that has ended.
    pub(super) fn experiment(
        &mut self,
        experiment: &Experiment,
        rows: Vec<Row>,
        skipped: &[String],
    ) -> Result<(), Error> {
        let title = format!("{}: {} ({})", experiment.name, experiment.title, experiment.figure);
        let mut lines = table(experiment, &rows);
        lines.extend(skipped.iter().map(|line| format!("left out: {line}")));
        let plots = std::mem::take(&mut self.plots);
        if self.csv {
            let text = to_csv(&rows);
            let from = usize::from(self.began);
            text.lines().skip(from).try_for_each(|line| self.output.line(line))?;
            self.began = true;
        }
        self.section(&title, &lines)?;
        for plot in plots {
            // Writing to a string does not fail.
            let _ = writeln!(self.page, "\n![{plot}]({plot}.svg)");
        }
        self.rows.extend(rows);
        Ok(())
    }

    /// What all experiments say together; the page.
    pub(super) fn finish<'s>(
        mut self,
        systems: impl Iterator<Item = &'s (dyn System + 'static)>,
        prices: &Prices,
    ) -> Result<String, Error> {
        let published = beside(&self.rows, prices);
        let costs = table_3(&self.rows, prices);
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
        Ok(self.page)
    }

    fn section(&mut self, title: &str, lines: &[String]) -> Result<(), Error> {
        let _ = writeln!(self.page, "\n## {title}\n\n```text\n{}\n```", lines.join("\n"));
        if self.csv {
            return Ok(());
        }
        self.output.line(title)?;
        lines.iter().try_for_each(|line| self.output.line(&format!("  {line}")))?;
        self.output.line("")
    }
}
