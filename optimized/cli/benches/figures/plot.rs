//! Lines over h, as SVG.

use std::error::Error;
use std::path::Path;

use plotters::prelude::*;

/// One line.
#[derive(Clone)]
pub(crate) struct Line {
    pub(crate) name: String,
    /// h and the value.
    pub(crate) points: Vec<(f64, f64)>,
}

/// Lines with a logarithmic y axis.
pub(crate) struct Plot {
    pub(crate) title: &'static str,
    pub(crate) y: &'static str,
    pub(crate) lines: Vec<Line>,
}

impl Plot {
    pub(crate) fn write(&self, path: &Path, cpu: &str) -> Result<(), Box<dyn Error>> {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let over =
            |fold: fn(f64, f64) -> f64, start, of: fn(&(f64, f64)) -> f64| points().map(of).fold(start, fold);
        let (left, right) = (over(f64::min, f64::INFINITY, |p| p.0), over(f64::max, 0.0, |p| p.0));
        let (bottom, top) = (over(f64::min, f64::INFINITY, |p| p.1), over(f64::max, 0.0, |p| p.1));
        let area = SVGBackend::new(path, (760, 440)).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .caption(format!("{}, on {cpu}", self.title), ("sans-serif", 16))
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(60)
            .build_cartesian_2d(left..right + 5.0, (bottom * 0.8..top * 1.4).log_scale())?;
        chart.configure_mesh().x_desc("h = lg n").y_desc(self.y).x_labels(10).draw()?;
        for (number, line) in self.lines.iter().enumerate() {
            let color = Palette99::pick(number).to_rgba();
            let dashed = line.name.ends_with("limit");
            let style = color.stroke_width(if dashed { 1 } else { 2 });
            let drawn = if dashed {
                chart.draw_series(DashedLineSeries::new(line.points.iter().copied(), 4, 4, style))?
            } else {
                chart.draw_series(LineSeries::new(line.points.iter().copied(), style))?
            };
            drawn.label(&line.name).legend(move |(x, y)| PathElement::new(vec![(x, y), (x + 18, y)], style));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::MiddleRight)
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .draw()?;
        area.present()?;
        Ok(())
    }
}
