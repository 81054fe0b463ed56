//! Chapter 19: the figures of one run of `ci/bench`, which are kept with its plots.

use std::fmt::Display;

use serde::Deserialize;

use crate::error::Error;
use crate::files::Page;
use crate::notation::SPACE;
use crate::repository::{Repository, form};
use crate::table::Table;

const SUMMARY: &str = "optimized/cli/docs/summary.json";

/// What `ci/bench` writes.
#[derive(Deserialize)]
struct Summary {
    cpu: String,
    backends: Vec<Backend>,
    fss_rs: Vec<Peer>,
}

#[derive(Deserialize)]
struct Backend {
    backend: String,
    rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    log_size: u32,
    ns_per_leaf: f64,
    aes_limit_ns_per_call: f64,
    aes_limit_fraction: f64,
    read_ms: f64,
    update_ms: f64,
    memory_limit_ms: f64,
}

impl Row {
    /// Milliseconds of this size as nanoseconds a leaf.
    fn ns_a_leaf(&self, ms: f64) -> f64 {
        ms * 1e6 / f64::from(self.log_size).exp2()
    }
}

#[derive(Deserialize)]
struct Peer {
    log_size: u32,
    ns_per_leaf: f64,
    ratio: f64,
}

/// The tables of the chapter, and the plots: a book is served from its own folder only.
pub(crate) fn pages(repository: &Repository) -> Result<Vec<Page>, Error> {
    let summary: Summary = repository.json(SUMMARY)?;
    let mut pages = vec![
        Page::new("ns-per-leaf.md", ns_per_leaf(&summary)?),
        Page::new("aes-ratio.md", aes_ratio(&summary)?),
        Page::new("memory-ratio.md", memory_ratio(&summary)?),
    ];
    for plot in ["full_evaluation.svg", "online.svg"] {
        let path = format!("optimized/cli/docs/{plot}");
        let text = repository.text(&path)?;
        if !text.contains(&summary.cpu) {
            return Err(form(&path, format!("not of the CPU in {SUMMARY}")));
        }
        pages.push(Page::new(plot, text));
    }
    Ok(pages)
}

/// One column a backend, the fastest first.
const BACKENDS: [&str; 4] = ["vaes512", "vaes256", "aesni", "portable"];

/// h, and the row of each backend that is measured at this size.
type OfSize<'a> = (u32, [Option<&'a Row>; 4]);

impl Summary {
    fn caption(&self, what: &str) -> String {
        format!("{what}; one thread, one run on {}:", self.cpu)
    }

    /// The rows of each backend. A run on a CPU without one of them is no run for the book.
    fn backends(&self) -> Result<[&[Row]; 4], Error> {
        let names: Vec<&str> = self.backends.iter().map(|backend| backend.backend.as_str()).collect();
        if names != BACKENDS {
            return Err(form(SUMMARY, format!("backends {names:?} for {BACKENDS:?}")));
        }
        Ok(std::array::from_fn(|number| self.backends[number].rows.as_slice()))
    }

    /// The rows by size.
    fn by_size(&self) -> Result<Vec<OfSize<'_>>, Error> {
        let backends = self.backends()?;
        let of_size = |size| backends.map(|rows| rows.iter().find(|row| row.log_size == size));
        Ok(backends[0].iter().map(|row| (row.log_size, of_size(row.log_size))).collect())
    }
}

/// A table with a column for each backend.
fn by_backend(first: &str) -> Table<5> {
    let [vaes512, vaes256, aesni, portable] = BACKENDS.map(|name| format!("`{name}`"));
    Table::new([first, &vaes512, &vaes256, &aesni, &portable])
}

fn add_row(table: &mut Table<5>, first: &dyn Display, [c_0, c_1, c_2, c_3]: [String; 4]) {
    table.row([first, &c_0, &c_1, &c_2, &c_3]);
}

fn ns(time: f64) -> String {
    format!("{time:.2}{SPACE}ns")
}

/// AES calls a leaf: a tree with n leaves has n - 1 inner nodes, of two calls each.
const CALLS: f64 = 2.0;

fn ns_per_leaf(summary: &Summary) -> Result<String, Error> {
    const LOG_SIZE: u32 = 20;
    let mut columns = Vec::new();
    for rows in summary.backends()? {
        // The portable backend is not measured on large trees.
        let largest = rows.iter().rfind(|row| row.log_size <= LOG_SIZE);
        columns.push(largest.ok_or_else(|| form(SUMMARY, format!("no size up to {LOG_SIZE}")))?);
    }
    let mut table = by_backend("what");
    table.row([&"labels in a register", &4, &2, &1, &1]);
    // Two calls of ten rounds each, for all labels of a register at once.
    table.row([&"AES instructions a leaf", &5, &10, &20, &"none: software"]);
    let mut row = |what: &str, figure: &dyn Fn(&Row) -> String| {
        add_row(&mut table, &what, std::array::from_fn(|number| figure(columns[number])));
    };
    let limit = |row: &Row| CALLS * row.aes_limit_ns_per_call;
    // READ and UPDATE evaluate two trees.
    let share_of_two = |row: &Row, ms: f64| format!("{:.2}", 2.0 * limit(row) / row.ns_a_leaf(ms));
    row("depth $h$", &|row| row.log_size.to_string());
    row("AES limit: a call", &|row| ns(row.aes_limit_ns_per_call));
    row("AES limit: a leaf, two calls", &|row| ns(limit(row)));
    row("evaluation: a leaf", &|row| ns(row.ns_per_leaf));
    row("evaluation: share of the AES limit", &|row| format!("{:.2}", row.aes_limit_fraction));
    row("memory limit: loading 16 bytes", &|row| ns(row.ns_a_leaf(row.memory_limit_ms)));
    row("READ: a leaf of two trees, 16 bytes loaded", &|row| ns(row.ns_a_leaf(row.read_ms)));
    row("READ: share of the AES limit of two trees", &|row| share_of_two(row, row.read_ms));
    row("UPDATE: a leaf of two trees, 16 bytes loaded and stored", &|row| ns(row.ns_a_leaf(row.update_ms)));
    row("UPDATE: share of the AES limit of two trees", &|row| share_of_two(row, row.update_ms));
    Ok(table.under(summary.caption("A share of 1 would be the limit itself")))
}

/// A table over h, in which a cell is made from a backend's row.
fn over_sizes(summary: &Summary, cell: impl Fn(&Row) -> String) -> Result<Table<5>, Error> {
    let mut table = by_backend("$h$");
    for (size, rows) in summary.by_size()? {
        let cell = |row: Option<&Row>| row.map_or_else(|| "not measured".to_owned(), &cell);
        add_row(&mut table, &size, rows.map(cell));
    }
    Ok(table)
}

fn aes_ratio(summary: &Summary) -> Result<String, Error> {
    let table = over_sizes(summary, |row| format!("{}, {:.2}", ns(row.ns_per_leaf), row.aes_limit_fraction))?;
    let mut peer = Table::new(["peer", "$h$", "a leaf", "compared with ours"]);
    for Peer { log_size, ns_per_leaf, ratio } in &summary.fss_rs {
        peer.row([&"fss-rs", log_size, &ns(*ns_per_leaf), &format!("{ratio:.1} times `{}`", BACKENDS[0])]);
    }
    let what = "The time of a leaf, and the share of the AES limit (1 would be the limit itself)";
    Ok(table.under(summary.caption(what)) + "\n" + &peer.to_string())
}

fn memory_ratio(summary: &Summary) -> Result<String, Error> {
    let of_operation = |operation: &str, ms: fn(&Row) -> f64| -> Result<String, Error> {
        let cell = |row: &Row| format!("{:.4}{SPACE}ms, {:.1}", ms(row), ms(row) / row.memory_limit_ms);
        let what =
            "the time, and how many times as long it is as reading $C$ and $\\zeta_b$ once, 16 bytes a leaf";
        Ok(over_sizes(summary, cell)?.under(summary.caption(&format!("{operation}: {what}"))))
    };
    Ok(of_operation("READ", |row| row.read_ms)? + "\n" + &of_operation("UPDATE", |row| row.update_ms)?)
}
