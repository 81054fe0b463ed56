//! Lines over h, as SVG: what was measured is solid, what bounds it dashed, and the legend is drawn as the lines are.

use std::error::Error;
use std::path::Path;

use plotters::coord::Shift;
use plotters::element::DashedPathElement;
use plotters::prelude::*;

const SIZE: (u32, u32) = (860, 440);

/// Where the legend begins.
const LEGEND: u32 = 630;

/// Colours that the colour-blind tell apart (Okabe and Ito).
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];

/// What a line shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shows {
    /// Something that was done: solid.
    Measurement,
    /// What it cannot be faster than: dashed.
    Limit,
}

/// One line.
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) shows: Shows,
    /// Its colour's number. A limit has that of what it bounds.
    pub(crate) colour: usize,
    /// h and the value.
    pub(crate) points: Vec<(f64, f64)>,
}

/// Lines with a logarithmic y axis.
pub(crate) struct Plot {
    pub(crate) title: String,
    pub(crate) y: &'static str,
    pub(crate) lines: Vec<Line>,
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

impl Line {
    fn style(&self) -> ShapeStyle {
        COLOURS[self.colour % COLOURS.len()].stroke_width(match self.shows {
            Shows::Measurement => 2,
            Shows::Limit => 1,
        })
    }
}

impl Plot {
    /// Writes it, with the name of the CPU below the title.
    pub(crate) fn write(&self, path: &Path, cpu: &str) -> Result<(), Box<dyn Error>> {
        let area = SVGBackend::new(path, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let area = area.titled(&format!("{}, on {cpu}", self.title), ("sans-serif", 15))?;
        let (plot, legend) = area.split_horizontally(LEGEND);
        self.draw(&plot)?;
        self.draw_legend(&legend)?;
        area.present()?;
        Ok(())
    }

    fn draw(&self, area: &Area<'_>) -> Result<(), Box<dyn Error>> {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let range = |of: fn(&(f64, f64)) -> f64| {
            let low = points().map(of).fold(f64::INFINITY, f64::min);
            (low, points().map(of).fold(0.0, f64::max))
        };
        let ((left, right), (bottom, top)) = (range(|point| point.0), range(|point| point.1));
        let mut chart = ChartBuilder::on(area)
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(64)
            // A line at the edge is to be seen too.
            .build_cartesian_2d(left..right, (bottom * 0.93..top * 1.07).log_scale())?;
        chart
            .configure_mesh()
            .x_desc("h = lg n")
            .y_desc(self.y)
            .x_labels(8)
            .max_light_lines(0)
            .x_label_formatter(&|h| format!("{h:.0}"))
            .draw()?;
        for line in &self.lines {
            let points = line.points.iter().copied();
            match line.shows {
                Shows::Measurement => chart.draw_series(LineSeries::new(points, line.style()))?,
                Shows::Limit => chart.draw_series(DashedLineSeries::new(points, 5, 4, line.style()))?,
            };
        }
        Ok(())
    }

    fn draw_legend(&self, area: &Area<'_>) -> Result<(), Box<dyn Error>> {
        let mut y = 20;
        for line in &self.lines {
            let stroke = [(0, y), (30, y)];
            match line.shows {
                Shows::Measurement => area.draw(&PathElement::new(stroke, line.style()))?,
                Shows::Limit => area.draw(&DashedPathElement::new(stroke, 5, 4, line.style()))?,
            }
            area.draw(&Text::new(line.name.clone(), (38, y - 6), ("sans-serif", 13)))?;
            y += 22;
        }
        Ok(())
    }
}
