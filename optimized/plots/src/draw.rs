//! A plot as SVG.

use crate::names::{NAME_HEIGHT, apart, width, wrapped};
use crate::scale::{Scale, can_be_shown, ends, grouped, label, places_across, ticks};
use crate::svg::{Canvas, LOOKS, mark};
use crate::{Across, Column, Line, Place, Plot, Shows};

/// Heights of letters, in pixels.
const TITLE: f64 = 15.0;
const NAME: f64 = 13.0;
const NOTE: f64 = 12.0;

/// From one base line to the next.
const LINE: f64 = 17.0;

/// The least width of a plot, what each column has of it at the least, and a single place.
const LEAST_WIDTH: f64 = 860.0;
const LEAST_COLUMN: f64 = 200.0;
const SINGLE: f64 = 60.0;

/// From the numbers of the y axis to the axis; between columns; at the edges.
const TO_AXIS: f64 = 8.0;
const GAP: f64 = 22.0;
const MARGIN: f64 = 12.0;

/// The height of the axes, if the names need no more.
const HEIGHT: f64 = 300.0;

/// From a line's last place to its name: a stroke, a mark, the first letter.
const TO_MARK: f64 = 26.0;
const TO_NAME: f64 = 36.0;

/// How long a limit is that has a single place.
const SHORT: f64 = 36.0;

/// A column with its place on the page.
struct Frame<'a> {
    heading: &'a str,
    /// Each with those of its places that can be drawn.
    lines: Vec<(&'a Line, Vec<Place>)>,
    xs: Vec<f64>,
    left: f64,
    right: f64,
    /// Where names end.
    end: f64,
}

#[allow(clippy::cast_precision_loss, reason = "lines, names and columns")]
const fn many(count: usize) -> f64 {
    count as f64
}

/// The columns from left to right, beginning there, and the width of the whole.
fn frames(plot: &Plot, mut left: f64) -> (Vec<Frame<'_>>, f64) {
    let names = |column: &Column| {
        let widths = column.lines.iter().map(|line| width(&line.name, NAME));
        widths.fold(0.0, f64::max) + TO_NAME + 4.0
    };
    let columns: Vec<_> = plot
        .columns
        .iter()
        .map(|column| (column, names(column), places_across(plot.across, column)))
        .collect();
    let wide = columns.iter().filter(|(_, _, xs)| xs.len() > 1).count();
    let fixed = left
        + columns.iter().map(|(_, names, _)| names).sum::<f64>()
        + many(columns.len() - wide) * SINGLE
        + many(columns.len().saturating_sub(1)) * GAP
        + MARGIN;
    let total = LEAST_WIDTH.max(fixed + many(wide) * LEAST_COLUMN).round();
    let each = (total - fixed) / many(wide.max(1));
    let frames = columns.into_iter().map(|(column, names, xs)| {
        let right = left + if xs.len() > 1 { each } else { SINGLE };
        let places = |line: &Line| {
            let places = line.places.iter().copied();
            places.filter(|place| can_be_shown(plot.across, place)).collect::<Vec<Place>>()
        };
        let lines = column.lines.iter().map(|line| (line, places(line)));
        let frame = Frame {
            heading: &column.heading,
            lines: lines.filter(|(_, places)| !places.is_empty()).collect(),
            xs,
            left,
            right,
            end: right + names,
        };
        left = frame.end + GAP;
        frame
    });
    (frames.collect(), total)
}

/// What a screen reader says of it.
fn description(plot: &Plot, frames: &[Frame<'_>]) -> String {
    let line = |(line, places): &(&Line, Vec<Place>)| {
        let said = |place: &Place| format!("{} at {}", label(place.y), label(place.x));
        let ends = places.first().zip(places.last());
        let ends = ends.map_or_else(String::new, |(first, last)| match places.len() {
            1 => said(first),
            _ => format!("{}, {}", said(first), said(last)),
        });
        format!("{}: {ends}.", line.name)
    };
    let column = |frame: &Frame<'_>| {
        let heading = (frames.len() > 1).then(|| format!("{}:", frame.heading));
        heading.into_iter().chain(frame.lines.iter().map(line)).collect::<Vec<_>>().join(" ")
    };
    let columns: Vec<_> = frames.iter().map(column).collect();
    format!("{} over {}. {}", plot.y, plot.x, columns.join(" "))
}

pub(crate) fn svg(plot: &Plot) -> String {
    let places = plot.columns.iter().flat_map(|column| &column.lines).flat_map(|line| &line.places);
    let shown = places.filter(|place| can_be_shown(plot.across, place));
    let [low, high] = ends(shown.map(|place| place.y));
    let ticks: Vec<(f64, String)> =
        ticks([low, high]).into_iter().map(|tick| (tick, grouped(tick))).collect();
    let numbers = ticks.iter().map(|(_, text)| width(text, NOTE)).fold(40.0, f64::max);
    let (frames, total) = frames(plot, MARGIN + numbers + TO_AXIS);
    let notes: Vec<String> =
        plot.notes.iter().flat_map(|note| wrapped(note, NOTE, total - 2.0 * MARGIN)).collect();
    let headings: Vec<Vec<String>> = if frames.len() > 1 {
        frames.iter().map(|frame| wrapped(frame.heading, NAME, frame.end - frame.left)).collect()
    } else {
        vec![Vec::new(); frames.len()]
    };
    let after_notes = 26.0 + many(notes.len()) * LINE;
    let headed = many(headings.iter().map(Vec::len).max().unwrap_or_default()) * LINE;
    let top = after_notes + headed + 34.0;
    let most_names = frames.iter().map(|frame| frame.lines.len()).max().unwrap_or_default();
    let bottom = top + HEIGHT.max(many(most_names) * NAME_HEIGHT + 8.0);

    let mut canvas = Canvas::new([total, bottom + 48.0], &plot.title, &description(plot, &frames));
    canvas.text("title", "start", TITLE, [MARGIN, 24.0], &plot.title);
    let mut y = 26.0;
    for note in &notes {
        y += LINE;
        canvas.text("note", "start", NOTE, [MARGIN, y], note);
    }
    for (frame, heading) in frames.iter().zip(&headings) {
        // They end at one height.
        let mut y = after_notes + 4.0 + headed - many(heading.len()) * LINE;
        for line in heading {
            y += LINE;
            canvas.text("heading", "start", NAME, [frame.left, y], line);
        }
    }
    let upwards = Scale::new(true, [low, high], [bottom, top]);
    let title = format!("{}, logarithmic axis from {}", plot.y, grouped(low));
    canvas.text("title-y", "start", NOTE, [MARGIN, top - 12.0], &title);
    for (tick, text) in &ticks {
        let y = upwards.pixel(*tick);
        for frame in &frames {
            canvas.stroke("grid", &[[frame.left, y], [frame.right, y]]);
        }
        canvas.text("tick-y", "end", NOTE, [MARGIN + numbers, y + 4.0], text);
    }
    for frame in &frames {
        draw(&mut canvas, plot, frame, &upwards, [top, bottom]);
    }
    canvas.finish()
}

/// A column's x axis, lines and names.
fn draw(canvas: &mut Canvas, plot: &Plot, frame: &Frame<'_>, upwards: &Scale, [top, bottom]: [f64; 2]) {
    let &Frame { left, right, .. } = frame;
    let (first, last) = (frame.xs.first().copied().unwrap_or(1.0), frame.xs.last().copied().unwrap_or(1.0));
    let is_logarithmic = plot.across == Across::Logarithmic && first < last;
    let across = if first < last {
        Scale::new(is_logarithmic, [first, last], [left, right])
    } else {
        // A single place is beside its name.
        Scale::new(false, [first - 1.0, first], [left, right])
    };
    canvas.stroke("axis", &[[left, top], [left, bottom], [right, bottom]]);
    let mut written = f64::NEG_INFINITY;
    for &x in &frame.xs {
        let (pixel, text) = (across.pixel(x), grouped(x));
        canvas.stroke("axis", &[[pixel, bottom], [pixel, bottom + 4.0]]);
        let half = width(&text, NOTE) / 2.0;
        // Where places are narrow, not each has its number.
        if pixel - half > written + 4.0 {
            canvas.text("tick-x", "middle", NOTE, [pixel, bottom + 18.0], &text);
            written = pixel + half;
        }
    }
    let how = match (first < last, is_logarithmic) {
        (false, _) => String::new(),
        (true, false) => format!(", axis from {}", grouped(first)),
        (true, true) => format!(", logarithmic axis from {}", grouped(first)),
    };
    let title = format!("{}{how}", plot.x);
    canvas.text("title-x", "middle", NOTE, [f64::midpoint(left, right), bottom + 38.0], &title);

    let mut named = Vec::new();
    for (line, places) in &frame.lines {
        let points: Vec<[f64; 2]> =
            places.iter().map(|place| [across.pixel(place.x), upwards.pixel(place.y)]).collect();
        draw_line(canvas, line, places, &points);
        named.extend(points.last().map(|end| (*end, *line)));
    }
    named.sort_by(|([_, one], _), ([_, other], _)| one.total_cmp(other));
    let heights: Vec<f64> = named.iter().map(|([_, y], _)| *y).collect();
    let heights = apart(&heights, NAME_HEIGHT, [top + 4.0, bottom - 4.0]);
    for ((end, line), y) in named.into_iter().zip(heights) {
        draw_name(canvas, line, end, [right, y]);
    }
}

fn look(line: &Line) -> usize {
    line.look % LOOKS
}

/// Solid between places that were measured or counted, dashed elsewhere; a mark at each, hollow if it was not.
fn draw_line(canvas: &mut Canvas, line: &Line, places: &[Place], points: &[[f64; 2]]) {
    let look = look(line);
    if line.shows == Shows::Limit {
        let class = format!("limit c{look}");
        match points {
            [[x, y]] => canvas.stroke(&class, &[[x - SHORT, *y], [*x, *y]]),
            _ => canvas.stroke(&class, points),
        }
        return;
    }
    let (weight, large) = if line.shows == Shows::Whole { ("whole", true) } else { ("part", false) };
    let is_solid = |pair: &[Place]| pair.iter().all(|place| place.done);
    let solid: Vec<bool> = places.windows(2).map(is_solid).collect();
    let mut from = 0;
    for part in solid.chunk_by(|one, other| one == other) {
        let to = from + part.len();
        let dashed = if part.first() == Some(&true) { "" } else { " dashed" };
        canvas.stroke(&format!("{weight} c{look}{dashed}"), &points[from..=to]);
        from = to;
    }
    let shape = mark(look, large);
    for (place, point) in places.iter().zip(points) {
        let fill = if place.done { "filled" } else { "open" };
        canvas.mark(&format!("{fill} c{look}"), *point, &shape);
    }
}

/// A name, with the mark of its line, and a stroke to it from where the line ends.
fn draw_name(canvas: &mut Canvas, line: &Line, [x, y]: [f64; 2], [right, name_y]: [f64; 2]) {
    let look = look(line);
    if x < right - 0.5 {
        canvas.stroke("lead", &[[x + 6.0, y], [right, y]]);
    }
    canvas.stroke(&format!("to c{look}"), &[[right + 4.0, y], [right + TO_MARK - 8.0, name_y]]);
    let sample = [right + TO_MARK, name_y];
    match line.shows {
        Shows::Limit => {
            let ends = [[sample[0] - 7.0, name_y], [sample[0] + 7.0, name_y]];
            canvas.stroke(&format!("limit c{look}"), &ends);
        }
        Shows::Whole => canvas.mark(&format!("filled c{look}"), sample, &mark(look, true)),
        Shows::Part => canvas.mark(&format!("filled c{look}"), sample, &mark(look, false)),
    }
    canvas.text("name", "start", NAME, [right + TO_NAME, name_y + 4.5], &line.name);
}
