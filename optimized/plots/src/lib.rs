//! The one style of all plots of this project, as SVG.
//!
//! - Each line has its name at its end, with its mark; there is no legend.
//! - Solid is what was measured or counted. Dashed, with hollow marks, is what was not. Dotted is a limit.
//! - The y axis is logarithmic. Each axis says so, and where it begins.
//! - A mark tells lines apart for readers without colour. Light and dark follow the page where the browser tells it.
//! - Columns stand side by side over one y axis: a kind of CPU each, if there are data of more than one.
//!
//! [`read`] reads a plot back, as a person would, and refuses one that cannot be read.
#![forbid(unsafe_code)]

mod draw;
mod names;
pub mod read;
mod scale;
mod svg;

pub use scale::label;

/// How values of the x axis become places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Across {
    /// As they are.
    Linear,
    /// By their logarithms; those that have none are not drawn.
    Logarithmic,
}

/// A point of a line.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Place {
    /// On the axis below.
    pub x: f64,
    /// Above 0, or else it is not drawn.
    pub y: f64,
    /// Whether it was measured or counted.
    pub done: bool,
}

/// What a line is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shows {
    /// The whole: thick, with marks.
    Whole,
    /// A part of the whole: thin, with small marks.
    Part,
    /// What cannot be passed: dotted, without marks.
    Limit,
}

/// One line.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// Written at its end.
    pub name: String,
    /// Which of the colours, and of the marks. A limit has that of what it bounds.
    pub look: usize,
    /// What it is of.
    pub shows: Shows,
    /// By ascending x.
    pub places: Vec<Place>,
}

/// Lines over an x axis of their own.
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    /// Above it, if there are two or more: the CPU.
    pub heading: String,
    /// From any; names are put in the order of the ends.
    pub lines: Vec<Line>,
}

/// A plot.
#[derive(Clone, PartialEq, Debug)]
pub struct Plot {
    /// For a file.
    pub name: String,
    /// What is shown.
    pub title: String,
    /// Below the title: on which CPU, and what one must know besides. Broken into lines where they are full.
    pub notes: Vec<String>,
    /// What the x axes are of, and its unit.
    pub x: &'static str,
    /// How they are divided.
    pub across: Across,
    /// What the y axis is of: its unit.
    pub y: &'static str,
    /// Side by side.
    pub columns: Vec<Column>,
}

impl Plot {
    /// The plot as SVG.
    pub fn svg(&self) -> String {
        draw::svg(self)
    }

    /// Whether there is more than one place on some x axis: a single one is told better by a table.
    pub fn is_worth_drawing(&self) -> bool {
        self.columns.iter().any(|column| scale::places_across(self.across, column).len() > 1)
    }
}
