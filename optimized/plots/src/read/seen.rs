//! What must hold of what is seen, whatever it says.

use super::element::Element;
use crate::names::width;

/// The least height of letters.
const LEAST: f64 = 12.0;

/// All texts are large enough, within the picture, and none is over another.
pub(super) fn texts_are_readable(svg: &str, elements: &[Element<'_>]) -> Result<(), String> {
    let root = svg.lines().next().unwrap_or_default();
    let size = |name: &str| {
        let value = root.split_once(&format!(" {name}=\""))?.1.split_once('"')?.0;
        value.parse::<f64>().ok()
    };
    let (Some(wide), Some(high)) = (size("width"), size("height")) else {
        return Err("it does not say its size".to_owned());
    };
    let mut boxes: Vec<(&str, [f64; 4])> = Vec::new();
    for text in elements.iter().filter(|element| !element.words.is_empty()) {
        let (words, size) = (text.words.as_str(), text.number("font-size"));
        if size.is_nan() || size < LEAST {
            return Err(format!("{words}: letters of {size} pixels, expected {LEAST} or more"));
        }
        let ([x, y], room) = (text.at(), width(words, size));
        let left = match text.attribute("text-anchor") {
            "start" => x,
            "middle" => x - room / 2.0,
            _ => x - room,
        };
        // From a capital's height above the base line to what is below it.
        let place = [left, left + room, y - 0.75 * size, y + 0.22 * size];
        if !(place[0] >= 0.0 && place[1] <= wide && place[2] >= 0.0 && place[3] <= high) {
            return Err(format!("{words}: beyond the edge of the picture"));
        }
        let is_over = |other: &[f64; 4]| {
            place[0] < other[1] && other[0] < place[1] && place[2] < other[3] && other[2] < place[3]
        };
        if let Some((other, _)) = boxes.iter().find(|(_, other)| is_over(other)) {
            return Err(format!("{words} and {other} are over each other"));
        }
        boxes.push((words, place));
    }
    Ok(())
}

/// A line, or what leads from its end to its name, passes each quarter of a column's axes. A single place has no quarters.
pub(super) fn no_quarter_is_empty(
    [left, right, top, bottom]: [f64; 4],
    end: f64,
    elements: &[Element<'_>],
) -> Result<(), String> {
    let of_lines = |element: &&Element<'_>| {
        ["whole", "part", "limit", "lead"].iter().any(|class| element.is(class))
            && element.points().first().is_some_and(|point| point[0] >= left - 1.0 && point[0] < end)
    };
    let strokes: Vec<Vec<[f64; 2]>> = elements
        .iter()
        .filter(of_lines)
        .map(Element::points)
        .filter(|points| points[0][0] <= right)
        .collect();
    let ticks = elements.iter().filter(|element| element.is("tick-x"));
    if ticks.filter(|tick| (left - 1.0..=right + 1.0).contains(&tick.at()[0])).count() < 2 {
        return Ok(());
    }
    let between = |[from, to]: [[f64; 2]; 2]| {
        (0..=64_u32).map(move |step| {
            let part = f64::from(step) / 64.0;
            [from[0] + part * (to[0] - from[0]), from[1] + part * (to[1] - from[1])]
        })
    };
    let segments = strokes.iter().flat_map(|points| points.windows(2)).map(|pair| [pair[0], pair[1]]);
    let passed: Vec<[f64; 2]> = segments.flat_map(between).collect();
    let (middle, half) = (f64::midpoint(left, right), f64::midpoint(top, bottom));
    for (name, [low, high], [above, below]) in [
        ("upper left", [left, middle], [top, half]),
        ("upper right", [middle, right], [top, half]),
        ("lower left", [left, middle], [half, bottom]),
        ("lower right", [middle, right], [half, bottom]),
    ] {
        let is_within = |[x, y]: &[f64; 2]| (low..=high).contains(x) && (above..=below).contains(y);
        if !passed.iter().any(is_within) {
            return Err(format!("the {name} quarter is empty"));
        }
    }
    Ok(())
}
