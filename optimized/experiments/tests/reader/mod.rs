//! Reads a plot back from its SVG.

use std::collections::BTreeSet;

use duoram_experiments::row::Row;

/// Where the names of lines begin, in pixels.
const NAMES: f64 = 640.0;

/// What rounding to pixels may move a dot, and the ticks that it is read by.
const ROUNDING: f64 = 1.6;

/// What the axes of an experiment must be called, and what of a row is on them.
struct Axes {
    across: &'static str,
    x: fn(&Row) -> f64,
    upwards: &'static str,
    y: fn(&Row) -> f64,
}

/// By the appendix's names.
fn axes(experiment: &str) -> Axes {
    let (across, x): (_, fn(&Row) -> f64) = match experiment {
        "E2" => ("Mbit/s", |row| row.mbit_per_s),
        "E3" => ("ms one way", |row| row.delay_ms),
        "E11" => ("cores a party", |row| f64::from(row.cores)),
        _ => ("h = lg n", |row| f64::from(row.log_size)),
    };
    let (upwards, y): (_, fn(&Row) -> f64) = match experiment {
        "E4" | "E7" | "E10" => ("KiB a party", |row| row.bytes_a_party / 1024.0),
        _ => ("seconds", |row| row.seconds),
    };
    Axes { across, x, upwards, y }
}

struct Text {
    x: f64,
    y: f64,
    colour: String,
    anchor: String,
    says: String,
}

struct Dot {
    x: f64,
    y: f64,
    colour: String,
    width: String,
    filled: bool,
}

/// What an element has under this name.
fn attribute(element: &str, name: &str) -> String {
    let start = format!(" {name}=\"");
    let value = element.split_once(&start).and_then(|(_, rest)| rest.split_once('"'));
    value.map(|(value, _)| value.to_owned()).unwrap_or_default()
}

fn number(element: &str, name: &str) -> f64 {
    attribute(element, name).parse().unwrap_or(f64::NAN)
}

fn texts(svg: &str) -> Vec<Text> {
    let lines: Vec<&str> = svg.lines().collect();
    let text = |pair: &[&str]| {
        pair[0].starts_with("<text").then(|| Text {
            x: number(pair[0], "x"),
            y: number(pair[0], "y"),
            colour: attribute(pair[0], "fill"),
            anchor: attribute(pair[0], "text-anchor"),
            says: pair[1].to_owned(),
        })
    };
    lines.windows(2).filter_map(text).collect()
}

fn dots(svg: &str) -> Vec<Dot> {
    let dot = |line: &str| {
        let fill = attribute(line, "fill");
        let filled = fill != "none";
        Dot {
            x: number(line, "cx"),
            y: number(line, "cy"),
            colour: if filled { fill } else { attribute(line, "stroke") },
            width: attribute(line, "stroke-width"),
            filled,
        }
    };
    svg.lines().filter(|line| line.starts_with("<circle")).map(dot).collect()
}

/// Where the line ends whose name is at this height: a stroke leads from the end to the name.
fn end_of(svg: &str, name: &Text) -> Option<f64> {
    let strokes = svg.lines().filter(|line| line.starts_with("<polyline"));
    let points = strokes.filter(|line| attribute(line, "stroke") == name.colour).map(|line| {
        let points = attribute(line, "points").replace(',', " ");
        points.split_whitespace().filter_map(|number| number.parse().ok()).collect::<Vec<f64>>()
    });
    points.filter(|points| points.len() == 4 && points[0] >= NAMES).find_map(|points| {
        // A text's height is that of its top, six above its middle.
        ((points[3] - name.y - 6.0).abs() < 1.0).then_some(points[1])
    })
}

/// An axis as its ticks say: the pixel of a value.
struct Scale {
    first: (f64, f64),
    slope: f64,
}

impl Scale {
    /// From ticks, each a value (its logarithm, if the axis is one) and a pixel. All of them must fit.
    fn new(name: &str, ticks: &[(f64, f64, String)]) -> Result<Self, String> {
        let [first, .., last] = ticks else {
            return Err(format!("{name}: expected two ticks with numbers, got {}", ticks.len()));
        };
        let slope = (last.1 - first.1) / (last.0 - first.0);
        let scale = Self { first: (first.0, first.1), slope };
        for (value, pixel, text) in ticks {
            let expected = scale.pixel(*value);
            if (expected - pixel).abs() > ROUNDING {
                return Err(format!("{name}: the tick {text} is at {pixel}, expected at {expected:.0}"));
            }
        }
        Ok(scale)
    }

    fn pixel(&self, value: f64) -> f64 {
        self.first.1 + self.slope * (value - self.first.0)
    }
}

/// Whether the plot of this name says what the rows of its experiment say, or else what is wrong.
pub(crate) fn check(name: &str, svg: &str, rows: &[Row]) -> Result<(), String> {
    let parts: Vec<&str> = name.split('-').collect();
    let (experiment, kind) = (parts[0], parts[1]);
    let size: Option<u32> = parts.get(3).and_then(|size| size.parse().ok());
    let axes = axes(experiment);
    let (texts, dots) = (texts(svg), dots(svg));

    let tick = |text: &Text, pixel: f64, value: fn(f64) -> f64| {
        Some((value(text.says.parse().ok()?), pixel, text.says.clone()))
    };
    let (below, left): (Vec<&Text>, Vec<&Text>) =
        texts.iter().filter(|text| text.x < NAMES && text.y > 20.0).partition(|text| text.y > 390.0);
    let titles = |texts: &[&Text]| {
        let titles = texts.iter().filter(|text| text.says.parse::<f64>().is_err() && !text.says.is_empty());
        titles.map(|text| text.says.clone()).collect::<Vec<_>>().join(" and ")
    };
    for (what, expected, got) in
        [("across", axes.across, titles(&below)), ("upwards", axes.upwards, titles(&left))]
    {
        if got != expected {
            return Err(format!("{what}: expected {expected}, got {got}"));
        }
    }
    let ticks: Vec<_> = below.iter().filter_map(|text| tick(text, text.x, |value| value)).collect();
    let ends = |text: &&&Text| text.anchor == "end";
    let heights: Vec<_> =
        left.iter().filter(ends).filter_map(|text| tick(text, text.y, f64::log10)).collect();
    let across = if let [(value, pixel, _)] = &*ticks {
        // One size: whatever the slope is.
        Scale { first: (*value, *pixel), slope: f64::MAX }
    } else {
        Scale::new("across", &ticks)?
    };
    let upwards = Scale::new("upwards", &heights)?;

    let of_plot: Vec<&Row> = rows
        .iter()
        .filter(|row| row.kind == kind && size.is_none_or(|size| row.log_size == size))
        .filter(|row| row.phase != "preparing" && (axes.y)(row) > 0.0)
        .collect();
    let lines: BTreeSet<(&str, &str)> =
        of_plot.iter().map(|row| (row.system.as_str(), row.phase.as_str())).collect();
    let mut shown = 0;
    for (system, phase) in lines {
        let points = |phase: &str| -> Vec<(f64, f64)> {
            let is_of = |row: &&&Row| row.system == system && row.phase == phase;
            of_plot.iter().filter(is_of).map(|row| ((axes.x)(row), (axes.y)(row))).collect()
        };
        if phase == "online" && points("online") == points("total") {
            continue;
        }
        let line = format!("{system}, {phase}");
        let names: Vec<_> = texts.iter().filter(|text| text.says == line).collect();
        let [label] = &*names else {
            return Err(format!("no line is named {line}, or {} are", names.len()));
        };
        let width = if phase == "total" { "2" } else { "1" };
        let mut own: Vec<&Dot> =
            dots.iter().filter(|dot| dot.colour == label.colour && dot.width == width).collect();
        for row in of_plot.iter().filter(|row| row.system == system && row.phase == phase) {
            let (x, y) = (across.pixel((axes.x)(row)), upwards.pixel((axes.y)(row).log10()));
            let is_at = |dot: &&Dot| (dot.x - x).abs() <= ROUNDING && (dot.y - y).abs() <= ROUNDING;
            let Some(found) = own.iter().position(is_at) else {
                let size = row.log_size;
                return Err(format!("{line}: no dot where 2^{size} should be, at {x:.0}, {y:.0}"));
            };
            let dot = own.remove(found);
            let is_done = ["real", "counted"].contains(&row.honesty.as_str());
            if dot.filled != is_done {
                let looks = if dot.filled { "measured" } else { "not measured" };
                return Err(format!("{line}: 2^{} looks {looks}, and is {}", row.log_size, row.honesty));
            }
            shown += 1;
        }
        let of_line = of_plot.iter().filter(|row| row.system == system && row.phase == phase);
        let last = of_line.max_by(|one, other| (axes.x)(one).total_cmp(&(axes.x)(other)));
        let last = last.map(|row| upwards.pixel((axes.y)(row).log10()));
        let end = end_of(svg, label);
        if end.zip(last).is_none_or(|(end, last)| (end - last).abs() > ROUNDING) {
            return Err(format!("{line}: its name is where another line ends, at {end:?}, not {last:?}"));
        }
        if let Some(dot) = own.first() {
            return Err(format!("{line}: a dot that no row has, at {}, {}", dot.x, dot.y));
        }
    }
    if shown == dots.len() {
        Ok(())
    } else {
        Err(format!("{} dots, of which {shown} are of rows", dots.len()))
    }
}
