//! Reads a plot back from its SVG as a person does: what a mark says by the numbers of the axes, and whose it is by the mark before a
//! name. What a person could not read, or would read wrongly, is refused.

mod column;
mod element;
mod seen;

use crate::scale::THIN_SPACE;
use crate::{Place, Shows};
use element::Element;

/// What rounding may move a point, in pixels.
pub(crate) const ROUNDING: f64 = 0.1;

/// A plot that was read.
#[derive(Clone, PartialEq, Debug)]
pub struct Drawing {
    /// What is shown.
    pub title: String,
    /// Below the title, as one line.
    pub notes: String,
    /// What the y axis is of.
    pub y: String,
    /// From left to right.
    pub columns: Vec<ColumnRead>,
}

/// A column that was read.
#[derive(Clone, PartialEq, Debug)]
pub struct ColumnRead {
    /// Above it; empty if it is the only one.
    pub heading: String,
    /// What the x axis is of.
    pub x: String,
    /// From the highest name to the lowest.
    pub lines: Vec<LineRead>,
}

/// A line that was read.
#[derive(Clone, PartialEq, Debug)]
pub struct LineRead {
    /// At its end.
    pub name: String,
    /// By its thickness, or its dots.
    pub shows: Shows,
    /// By ascending x, as the axes have them: some thousandths off.
    pub places: Vec<Place>,
}

/// A value and where it is, in pixels.
type Tick = (f64, f64);

/// An axis as its ticks say: the value of a pixel.
pub(crate) struct Ruler {
    logarithmic: bool,
    first: Tick,
    /// Of the value, or its logarithm, a pixel.
    slope: f64,
}

impl Ruler {
    /// All ticks must lie where the first and the last say.
    fn new(name: &str, logarithmic: bool, ticks: &[Tick]) -> Result<Self, String> {
        let of = |value: f64| if logarithmic { value.log10() } else { value };
        let first = ticks.first().ok_or_else(|| format!("{name}: no numbers"))?;
        let last = ticks.last().unwrap_or(first);
        let slope = if ticks.len() > 1 { (of(last.0) - of(first.0)) / (last.1 - first.1) } else { 0.0 };
        let ruler = Self { logarithmic, first: (of(first.0), first.1), slope };
        for (value, pixel) in ticks.iter().filter(|_| slope != 0.0) {
            let expected = ruler.first.1 + (of(*value) - ruler.first.0) / slope;
            if (expected - pixel).abs() > 3.0 * ROUNDING {
                return Err(format!(
                    "{name}: the number {value} is at {pixel:.1}, expected at {expected:.1}"
                ));
            }
        }
        Ok(ruler)
    }

    fn value(&self, pixel: f64) -> f64 {
        let value = self.first.0 + self.slope * (pixel - self.first.1);
        if self.logarithmic { 10_f64.powf(value) } else { value }
    }
}

/// What an axis is of, and the number at which it says that it begins.
fn said(title: &str) -> (String, bool, Option<f64>) {
    let (what, how) = title.split_once(", ").unwrap_or((title, ""));
    let from =
        how.rsplit_once("axis from ").and_then(|(_, number)| number.replace(THIN_SPACE, "").parse().ok());
    (what.to_owned(), how.starts_with("logarithmic "), from)
}

/// Reads a plot.
///
/// # Errors
///
/// What is wrong with it, in words.
pub fn read(svg: &str) -> Result<Drawing, String> {
    let elements: Vec<Element<'_>> = svg.lines().filter_map(Element::parse).collect();
    let of = |class: &'static str| elements.iter().filter(move |element| element.is(class));
    let words = |class: &'static str| of(class).map(|text| text.words.clone()).collect::<Vec<_>>();

    let heights: Vec<Tick> =
        of("tick-y").filter_map(|text| Some((text.says()?, text.at()[1] - 4.0))).collect();
    let (y, is_logarithmic, from) = said(&words("title-y").join(" "));
    if !is_logarithmic {
        return Err(format!("the axis of {y} does not say that it is logarithmic"));
    }
    if heights.len() < 3 || heights.len() != of("tick-y").count() {
        return Err(format!("upwards: expected three numbers, got {}", heights.len()));
    }
    let upwards = Ruler::new("upwards", true, &heights)?;
    let mut frames: Vec<[f64; 4]> = of("axis").filter_map(Element::frame).collect();
    frames.sort_by(|one, other| one[0].total_cmp(&other[0]));
    let bottom = frames.first().map_or(f64::NAN, |frame| frame[3]);
    let begins = upwards.value(bottom);
    if from.is_none_or(|from| (from / begins - 1.0).abs() > 0.01) {
        return Err(format!("the axis of {y} begins at {begins:.3}, and says {from:?}"));
    }
    seen::texts_are_readable(svg, &elements)?;
    let ends = frames.iter().skip(1).map(|frame| frame[0]).chain([f64::INFINITY]);
    let columns = frames.iter().zip(ends).map(|(frame, end)| {
        let column = column::read(*frame, end, &elements, &upwards)?;
        seen::no_quarter_is_empty(*frame, end, &elements)?;
        Ok(column)
    });
    let columns = columns.collect::<Result<Vec<_>, String>>()?;
    let marks = of("filled").chain(of("open")).count();
    let read: usize = columns
        .iter()
        .flat_map(|column| &column.lines)
        .filter(|line| line.shows != Shows::Limit)
        // And the mark before its name.
        .map(|line| line.places.len() + 1)
        .sum();
    if marks != read {
        return Err(format!("{marks} marks, of which {read} are of lines with names"));
    }
    Ok(Drawing { title: words("title").join(" "), notes: words("note").join(" "), y, columns })
}
