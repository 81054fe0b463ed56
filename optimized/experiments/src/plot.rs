//! Lines as SVG: each has its name at its end, and is dashed where nothing was measured.

use plotters::coord::Shift;
use plotters::coord::combinators::LogCoord;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use crate::catalogue::{Axis, CIRCUIT_ORAM, Experiment, FLORAM, OURS, Quantity};
use crate::row::Row;

const SIZE: (u32, u32) = (860, 440);

/// Where the names begin.
const NAMES: u32 = 640;

/// How far names are apart, at the least.
const NAME_HEIGHT: i32 = 15;

/// Colours that the colour-blind tell apart (Okabe and Ito).
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(0, 0, 0),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
];

/// A system has one colour in all plots; what others bring takes those that are left, as it comes.
const COLOURED: [&str; 5] = [OURS[0], OURS[1], OURS[2], FLORAM, CIRCUIT_ORAM];

/// A point of a line.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Place {
    x: f64,
    y: f64,
    /// Whether it was measured or counted.
    done: bool,
}

/// One line.
#[derive(Clone, PartialEq, Debug)]
struct Line {
    name: String,
    colour: usize,
    /// Of both phases; else of one.
    thick: bool,
    places: Vec<Place>,
}

/// Lines with a logarithmic y axis.
#[derive(Clone, PartialEq, Debug)]
pub struct Plot {
    /// For a file.
    pub name: String,
    title: String,
    x: &'static str,
    y: &'static str,
    lines: Vec<Line>,
}

/// A plot that cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[error("{name}: cannot draw the plot: {reason}")]
pub struct CannotDraw {
    name: String,
    reason: String,
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, LogCoord<f64>>>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

impl Axis {
    fn of(self, row: &Row) -> f64 {
        match self {
            Self::LogSize => f64::from(row.log_size),
            Self::Bandwidth => row.mbit_per_s,
            Self::Latency => row.delay_ms,
            Self::Cores => f64::from(row.cores),
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::LogSize => "h = lg n",
            Self::Bandwidth => "Mbit/s",
            Self::Latency => "ms one way",
            Self::Cores => "cores a party",
        }
    }
}

impl Quantity {
    /// In seconds, in KiB, or in microseconds.
    fn of(self, row: &Row) -> f64 {
        match self {
            Self::Seconds => row.seconds,
            Self::Bytes => row.bytes_a_party / 1024.0,
            Self::Computing => 1e6 * row.computing(),
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Seconds => "seconds",
            Self::Bytes => "KiB a party",
            Self::Computing => "us of CPU time an operation",
        }
    }
}

/// The plots of an experiment: one for each kind of operation, and where cores vary for each size.
pub fn plots(experiment: &Experiment, rows: &[Row], cpu: &str) -> Vec<Plot> {
    let mut plots: Vec<(String, Vec<&Row>)> = Vec::new();
    for row in rows.iter().filter(|row| row.phase != "preparing") {
        let size =
            if experiment.axis == Axis::Cores { format!("-2^{}", row.log_size) } else { String::new() };
        let name = format!("{}-{}{}", experiment.name, row.kind, size.replace('^', "-"));
        match plots.iter_mut().find(|(other, _)| *other == name) {
            Some((_, rows)) => rows.push(row),
            None => plots.push((name, vec![row])),
        }
    }
    let plot = |(name, rows): (String, Vec<&Row>)| {
        let first = rows.first();
        let size = if experiment.axis == Axis::LogSize {
            String::new()
        } else {
            first.map_or_else(String::new, |row| format!(", 2^{} words", row.log_size))
        };
        let work = first.map_or_else(String::new, |row| match experiment.quantity {
            // Whoever measured may have done another number of them.
            Quantity::Computing => format!("a {}", row.kind),
            Quantity::Seconds | Quantity::Bytes => format!("{} {}", row.operations, row.kind),
        });
        let title = format!("{} ({}): {work}{size}; computed on {cpu}", experiment.name, experiment.figure);
        Plot {
            name,
            title,
            x: experiment.axis.title(),
            y: experiment.quantity.title(),
            lines: lines(experiment, &rows),
        }
    };
    plots.into_iter().map(plot).filter(|plot| !plot.lines.is_empty()).collect()
}

/// A line for both phases of each system, and one for the second if there is a first.
fn lines(experiment: &Experiment, rows: &[&Row]) -> Vec<Line> {
    let mut systems: Vec<&str> = Vec::new();
    for row in rows {
        if !systems.contains(&row.system.as_str()) {
            systems.push(&row.system);
        }
    }
    let line = |colour: usize, system: &str, phase: &str| {
        let mut places: Vec<_> = rows
            .iter()
            .filter(|row| row.system == system && row.phase == phase)
            .map(|row| Place {
                x: experiment.axis.of(row),
                y: experiment.quantity.of(row),
                done: !["quoted", "extrapolated"].contains(&row.honesty.as_str()),
            })
            // Nothing has a logarithm.
            .filter(|place| place.y > 0.0 && place.x.is_finite())
            .collect();
        places.sort_by(|one, other| one.x.total_cmp(&other.x));
        Line { name: format!("{system}, {phase}"), colour, thick: phase == "total", places }
    };
    let others: Vec<&str> = systems.iter().copied().filter(|system| !COLOURED.contains(system)).collect();
    let of_system = |system: &&str| {
        let colour = COLOURED.iter().chain(&others).position(|other| other == system).unwrap_or_default();
        let (total, online) = (line(colour, system, "total"), line(colour, system, "online"));
        if total.places == online.places { vec![total] } else { vec![total, online] }
    };
    systems.iter().flat_map(of_system).filter(|line| !line.places.is_empty()).collect()
}

impl Line {
    fn style(&self) -> ShapeStyle {
        COLOURS[self.colour % COLOURS.len()].stroke_width(if self.thick { 2 } else { 1 })
    }
}

impl Plot {
    /// The plot as SVG.
    ///
    /// # Errors
    ///
    /// [`CannotDraw`].
    pub fn svg(&self) -> Result<String, CannotDraw> {
        let mut text = String::new();
        self.write(&mut text)
            .map_err(|error| CannotDraw { name: self.name.clone(), reason: error.to_string() })?;
        Ok(text)
    }

    fn write(&self, text: &mut String) -> Drawn {
        let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let area = area.titled(&self.title, ("sans-serif", 15))?;
        let (plot, names) = area.split_horizontally(NAMES);
        self.draw(&plot, &names)?;
        area.present()?;
        Ok(())
    }

    fn draw(&self, area: &Area<'_>, names: &Area<'_>) -> Drawn {
        let places = || self.lines.iter().flat_map(|line| &line.places);
        let range = |of: fn(&Place) -> f64| {
            let low = places().map(of).fold(f64::INFINITY, f64::min);
            (low, places().map(of).fold(f64::NEG_INFINITY, f64::max))
        };
        let ((left, right), (bottom, top)) = (range(|place| place.x), range(|place| place.y));
        // One point is a plot too.
        let (left, right) = if left < right { (left, right) } else { (left - 1.0, right + 1.0) };
        let mut chart = ChartBuilder::on(area)
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(64)
            // A line at the edge is to be seen too.
            .build_cartesian_2d(left..right, (bottom * 0.8..top * 1.25).log_scale())?;
        chart
            .configure_mesh()
            .x_desc(self.x)
            .y_desc(self.y)
            .x_labels(8)
            .max_light_lines(0)
            .x_label_formatter(&|x| whole(*x))
            .y_label_formatter(&|y| label(*y))
            .draw()?;
        for line in &self.lines {
            draw_line(&mut chart, line)?;
        }
        self.draw_names(&chart, names)
    }

    /// Each name at the height at which its line ends, or as near as other names let it.
    fn draw_names(&self, chart: &Chart<'_, '_>, area: &Area<'_>) -> Drawn {
        let ends = self.lines.iter().filter_map(|line| Some((line, line.places.last()?)));
        let mut names: Vec<_> =
            ends.map(|(line, end)| (chart.backend_coord(&(end.x, end.y)).1, line)).collect();
        names.sort_by_key(|(y, _)| *y);
        let (top, bottom) = (area.get_base_pixel().1, SIZE.1.cast_signed() - NAME_HEIGHT);
        let heights = apart(&names.iter().map(|(y, _)| *y).collect::<Vec<_>>(), NAME_HEIGHT, bottom);
        for ((end, line), y) in names.into_iter().zip(heights) {
            let (end, y) = (end - top, y - top);
            let colour = COLOURS[line.colour % COLOURS.len()];
            area.draw(&PathElement::new([(-10, end), (2, y)], colour.stroke_width(1)))?;
            area.draw(&Text::new(
                line.name.clone(),
                (5, y - 6),
                ("sans-serif", 13).into_font().color(&colour),
            ))?;
        }
        Ok(())
    }
}

/// A number as short as an axis wants it: of the sums that make a logarithmic axis, the last digits are none.
fn label(value: f64) -> String {
    #[allow(clippy::cast_possible_truncation, reason = "a small power of ten")]
    let power = value.log10().floor() as i32;
    let decimals = usize::try_from(3 - power).unwrap_or_default();
    let text = format!("{value:.decimals$}");
    if decimals > 0 { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Nothing at a tick between two sizes, rates, delays or numbers of cores.
fn whole(value: f64) -> String {
    if (value - value.round()).abs() < 1e-9 { format!("{value:.0}") } else { String::new() }
}

/// Solid between points that were measured, dashed elsewhere; a dot at each.
fn draw_line(chart: &mut Chart<'_, '_>, line: &Line) -> Drawn {
    for pair in line.places.windows(2) {
        let ends = [(pair[0].x, pair[0].y), (pair[1].x, pair[1].y)];
        if pair[0].done && pair[1].done {
            chart.draw_series([PathElement::new(ends, line.style())])?;
        } else {
            chart.draw_series(DashedLineSeries::new(ends, 5, 4, line.style()))?;
        }
    }
    let dots = line.places.iter().map(|place| {
        let style = if place.done { line.style().filled() } else { line.style() };
        Circle::new((place.x, place.y), 2, style)
    });
    chart.draw_series(dots)?;
    Ok(())
}

/// Heights that ascend, moved down until each two are so far apart, and up again from the bottom.
fn apart(heights: &[i32], distance: i32, bottom: i32) -> Vec<i32> {
    let mut heights = heights.to_vec();
    for index in 1..heights.len() {
        heights[index] = heights[index].max(heights[index - 1] + distance);
    }
    let mut most = bottom;
    for height in heights.iter_mut().rev() {
        *height = (*height).min(most);
        most = *height - distance;
    }
    heights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::named;
    use crate::row::tests::a_row;

    fn phase(row: Row, phase: &str, honesty: &str) -> Row {
        Row { phase: phase.to_owned(), honesty: honesty.to_owned(), ..row }
    }

    #[test]
    fn a_plot_names_lines_axes_and_the_cpu() {
        let rows = [
            a_row("E5", "3P-DUORAM", 16, 8.0, 100.0),
            a_row("E5", "3P-DUORAM", 20, 9.0, 100.0),
            phase(a_row("E5", "3P-DUORAM", 16, 7.5, 10.0), "online", "real"),
            phase(a_row("E5", "3P-DUORAM", 20, 7.6, 10.0), "online", "real"),
            a_row("E5", "other", 16, 80.0, 100.0),
            phase(a_row("E5", "other", 20, 90.0, 100.0), "total", "extrapolated"),
            phase(a_row("E5", "3P-DUORAM", 16, 0.5, 90.0), "preparing", "real"),
        ];
        let plots = plots(named("E5").unwrap(), &rows, "A CPU");
        let [plot] = plots.as_slice() else { panic!("expected one plot, got {}", plots.len()) };
        assert_eq!(plot.name, "E5-read");
        let svg = plot.svg().unwrap();
        for text in [
            "E5 (figure 9(a)): 128 read; computed on A CPU",
            "h = lg n",
            "seconds",
            "3P-DUORAM, total",
            "3P-DUORAM, online",
            "other, total",
        ] {
            assert!(svg.contains(text), "{text}");
        }
        assert!(!svg.contains("preparing"));
        assert_eq!(plot.lines.iter().map(|line| line.places.len()).collect::<Vec<_>>(), [2, 2, 2]);
        let dashed = |line: &Line| line.places.iter().any(|place| !place.done);
        assert_eq!(plot.lines.iter().map(dashed).collect::<Vec<_>>(), [false, false, true]);
    }

    #[test]
    fn a_system_has_the_same_colour_whatever_is_beside_it() {
        let colour = |systems: &[&str], of: &str| {
            let rows: Vec<_> = systems.iter().map(|system| a_row("E5", system, 16, 1.0, 1.0)).collect();
            let plots = plots(named("E5").unwrap(), &rows, "A CPU");
            plots[0].lines.iter().find(|line| line.name.starts_with(of)).unwrap().colour
        };
        assert_eq!(colour(&[FLORAM], FLORAM), colour(&[OURS[0], FLORAM], FLORAM));
        let all = [OURS[0], FLORAM, "theirs", "mine"];
        let mut colours = all.map(|system| colour(&all, system));
        colours.sort_unstable();
        assert!(colours.windows(2).all(|two| two[0] != two[1]), "{colours:?}");
    }

    #[test]
    fn one_point_and_no_time_at_all_can_be_drawn() {
        let rows = [a_row("E5", "a", 16, 1.0, 1.0), a_row("E5", "b", 16, 0.0, 1.0)];
        let plots = plots(named("E5").unwrap(), &rows, "A CPU");
        assert_eq!(plots[0].lines.len(), 1);
        plots[0].svg().unwrap();
    }

    #[test]
    fn cores_are_a_plot_a_size() {
        let rows = [a_row("E11", "a", 16, 1.0, 1.0), a_row("E11", "a", 20, 2.0, 1.0)];
        let names: Vec<_> =
            plots(named("E11").unwrap(), &rows, "A CPU").into_iter().map(|plot| plot.name).collect();
        assert_eq!(names, ["E11-read-2-16", "E11-read-2-20"]);
    }

    #[test]
    fn a_label_is_the_number_at_its_tick() {
        let cases = [
            (0.009_000_000_000_000_001, "0.009"),
            (1.5, "1.5"),
            (30.0, "30"),
            (0.1, "0.1"),
            (1e7, "10000000"),
        ];
        for (value, expected) in cases {
            assert_eq!(label(value), expected);
        }
        assert_eq!([16.0, 15.2, 16.000_000_000_1].map(whole), ["16", "", "16"]);
    }

    #[test]
    fn names_do_not_hide_each_other() {
        assert_eq!(apart(&[10, 12, 13, 60], 15, 100), [10, 25, 40, 60]);
        assert_eq!(apart(&[90, 95, 99], 15, 100), [70, 85, 100]);
        assert_eq!(apart(&[], 15, 100), [0_i32; 0]);
    }
}
