//! A column: its x axis, and its lines by their names.

use super::element::Element;
use super::{ColumnRead, LineRead, ROUNDING, Ruler, Tick, said};
use crate::svg::mark;
use crate::{Place, Shows};

/// From a name's first letter back to its mark, and up from its base line.
const TO_MARK: [f64; 2] = [10.0, 4.5];

/// What a column is read from.
struct Area<'a, 'e> {
    left: f64,
    right: f64,
    /// Where the next column begins.
    end: f64,
    elements: &'a [Element<'e>],
}

impl<'a, 'e> Area<'a, 'e> {
    fn within(&self, x: f64) -> bool {
        (self.left - 1.0..=self.right + 1.0).contains(&x)
    }

    fn of(&self, class: &'static str) -> impl Iterator<Item = &'a Element<'e>> {
        self.elements.iter().filter(move |element| element.is(class))
    }

    /// Marks between the axes.
    fn marks(&self) -> impl Iterator<Item = &'a Element<'e>> {
        self.of("filled").chain(self.of("open")).filter(|mark| self.within(mark.at()[0]))
    }
}

fn is_at(one: [f64; 2], other: [f64; 2]) -> bool {
    (one[0] - other[0]).abs() <= ROUNDING && (one[1] - other[1]).abs() <= ROUNDING
}

pub(super) fn read(
    [left, right, top, bottom]: [f64; 4],
    end: f64,
    elements: &[Element<'_>],
    upwards: &Ruler,
) -> Result<ColumnRead, String> {
    let area = Area { left, right, end, elements };
    let titles: Vec<&Element<'_>> = area.of("title-x").filter(|text| area.within(text.at()[0])).collect();
    let [title] = &*titles else { return Err(format!("across: {} titles", titles.len())) };
    let (x, is_logarithmic, from) = said(&title.words);
    let numbers: Vec<&Element<'_>> = area.of("tick-x").filter(|text| area.within(text.at()[0])).collect();
    let ticks: Vec<Tick> = numbers.iter().filter_map(|text| Some((text.says()?, text.at()[0]))).collect();
    let across = Ruler::new("across", is_logarithmic, &ticks)?;
    let strokes: Vec<f64> = area.of("axis").filter_map(|stroke| Some(stroke.points().first()?[0])).collect();
    for (value, pixel) in &ticks {
        if !strokes.iter().any(|stroke| (stroke - pixel).abs() <= ROUNDING) {
            return Err(format!("across: no tick at the number {value}"));
        }
    }
    let begins = ticks.first().filter(|(_, pixel)| ticks.len() > 1 && (pixel - left).abs() <= ROUNDING);
    if begins.map(|(value, _)| *value) != from {
        return Err(format!("the axis of {x} begins at {begins:?}, and says {from:?}"));
    }
    for mark in area.marks() {
        let [_, y] = mark.at();
        if !(top..=bottom).contains(&y) {
            return Err(format!("a mark is beyond the axes, at {y}"));
        }
    }
    let is_of_this = |name: &&Element<'_>| (right..end).contains(&name.at()[0]);
    let names: Vec<&Element<'_>> = area.of("name").filter(is_of_this).collect();
    let line = |name: &&Element<'_>| {
        read_line(&area, name, &across, upwards).map_err(|wrong| format!("{}: {wrong}", name.words))
    };
    let lines = names.iter().map(line).collect::<Result<Vec<_>, String>>()?;
    let headings = area.of("heading").filter(|text| (text.at()[0] - left).abs() <= ROUNDING);
    let heading: Vec<&str> = headings.map(|text| text.words.as_str()).collect();
    Ok(ColumnRead { heading: heading.join(" "), x, lines })
}

fn read_line(
    area: &Area<'_, '_>,
    name: &Element<'_>,
    across: &Ruler,
    upwards: &Ruler,
) -> Result<LineRead, String> {
    let [x, y] = name.at();
    let sample_at = [x - TO_MARK[0], y - TO_MARK[1]];
    let sample = area.of("filled").find(|mark| is_at(mark.at(), sample_at));
    let (shows, look, mut points) = if let Some(sample) = sample {
        let looks =
            |shows| shape(sample.look()).is_some_and(|look| sample.attribute("d") == mark(look, shows));
        let shows = match (looks(true), looks(false)) {
            (true, _) => Shows::Whole,
            (_, true) => Shows::Part,
            _ => return Err("the mark before its name is not of its colour".to_owned()),
        };
        let is_same = |mark: &&Element<'_>| {
            mark.look() == sample.look() && mark.attribute("d") == sample.attribute("d")
        };
        let points: Vec<([f64; 2], bool)> =
            area.marks().filter(is_same).map(|mark| (mark.at(), mark.is("filled"))).collect();
        (shows, sample.look(), points)
    } else {
        let is_sample = |stroke: &&Element<'_>| {
            let points = stroke.points();
            let [[from, height], [to, _]] = points.as_slice() else { return false };
            is_at([f64::midpoint(*from, *to), *height], sample_at)
        };
        let sample = area.of("limit").find(is_sample).ok_or("no mark is before its name")?;
        let is_same = |stroke: &&Element<'_>| {
            stroke.look() == sample.look()
                && stroke.points().first().is_some_and(|point| area.within(point[0]))
        };
        let strokes: Vec<_> = area.of("limit").filter(is_same).collect();
        let [stroke] = &*strokes else { return Err(format!("{} limits look like it", strokes.len())) };
        let points = stroke.points();
        // A single place has a short stroke.
        let points = match points.as_slice() {
            [_, end] if across.slope == 0.0 => vec![*end],
            _ => points,
        };
        (Shows::Limit, sample.look(), points.into_iter().map(|point| (point, true)).collect())
    };
    points.sort_by(|(one, _), (other, _)| one[0].total_cmp(&other[0]));
    if points.windows(2).any(|pair| pair[1].0[0] - pair[0].0[0] <= ROUNDING) {
        return Err("two lines have this mark".to_owned());
    }
    let (last, _) = points.last().ok_or("no line has this mark")?;
    if let Some(class) = stroke_class(shows) {
        strokes_join(area, class, look, &points)?;
    }
    let leads = area.of("to").filter(|stroke| stroke.look() == look).map(Element::points);
    let mut ends = leads.filter(|points| {
        points.last().is_some_and(|to| is_at(*to, [sample_at[0] - 8.0, sample_at[1]])) && points.len() == 2
    });
    let end = ends.next().ok_or("no stroke leads to its name")?[0];
    if (end[1] - last[1]).abs() > ROUNDING || !(area.right..area.end).contains(&end[0]) {
        return Err(format!("its name is where another line ends, at {:.0}, not {:.0}", end[1], last[1]));
    }
    let place = |(point, done): ([f64; 2], bool)| Place {
        x: across.value(point[0]),
        y: upwards.value(point[1]),
        done,
    };
    Ok(LineRead { name: name.words.clone(), shows, places: points.into_iter().map(place).collect() })
}

fn shape(look: &str) -> Option<usize> {
    look.strip_prefix('c')?.parse().ok()
}

const fn stroke_class(shows: Shows) -> Option<&'static str> {
    match shows {
        Shows::Whole => Some("whole"),
        Shows::Part => Some("part"),
        Shows::Limit => None,
    }
}

/// Strokes as thick as the marks are large join them. They are dashed where, and only where, an end was not measured.
fn strokes_join(
    area: &Area<'_, '_>,
    class: &'static str,
    look: &str,
    points: &[([f64; 2], bool)],
) -> Result<(), String> {
    let strokes = area.of(class).filter(|stroke| stroke.look() == look);
    let strokes: Vec<_> = strokes.map(|stroke| (stroke.points(), stroke.is("dashed"))).collect();
    for pair in points.windows(2) {
        let joins = |two: &[[f64; 2]]| is_at(two[0], pair[0].0) && is_at(two[1], pair[1].0);
        let stroke = strokes.iter().find(|(points, _)| points.windows(2).any(joins));
        let is_done = pair[0].1 && pair[1].1;
        match stroke {
            None => return Err("its marks are not joined".to_owned()),
            Some((_, true)) if is_done => return Err("it is dashed between marks that are filled".to_owned()),
            Some((_, false)) if !is_done => return Err("it is solid at a hollow mark".to_owned()),
            Some(_) => {}
        }
    }
    Ok(())
}
