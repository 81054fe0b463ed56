//! Elements, one a line.

use crate::scale::THIN_SPACE;

/// A text, strokes, or a mark.
pub(super) struct Element<'a> {
    line: &'a str,
    /// What a text says.
    pub(super) words: String,
}

impl<'a> Element<'a> {
    pub(super) fn parse(line: &'a str) -> Option<Self> {
        let is_one = ["<text ", "<polyline ", "<path "].iter().any(|start| line.starts_with(start));
        let words = line.strip_suffix("</text>").and_then(|line| line.rsplit_once('>'));
        let words = words.map_or("", |(_, words)| words);
        let words =
            words.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
        is_one.then_some(Self { line, words })
    }

    pub(super) fn attribute(&self, name: &str) -> &'a str {
        let start = format!(" {name}=\"");
        let value = self.line.split_once(&start).and_then(|(_, rest)| rest.split_once('"'));
        value.map_or("", |(value, _)| value)
    }

    pub(super) fn number(&self, name: &str) -> f64 {
        self.attribute(name).parse().unwrap_or(f64::NAN)
    }

    /// The number that a text says.
    pub(super) fn says(&self) -> Option<f64> {
        self.words.replace(THIN_SPACE, "").parse().ok()
    }

    /// Whether it is of this class.
    pub(super) fn is(&self, class: &str) -> bool {
        self.attribute("class").split(' ').any(|other| other == class)
    }

    /// Its colour.
    pub(super) fn look(&self) -> &'a str {
        let is_look = |class: &&str| class.len() == 2 && class.starts_with('c');
        self.attribute("class").split(' ').find(is_look).unwrap_or_default()
    }

    /// Where a text or a mark is.
    pub(super) fn at(&self) -> [f64; 2] {
        let moved = self.attribute("transform").strip_prefix("translate(");
        let moved = moved.and_then(|rest| rest.strip_suffix(')')?.split_once(' '));
        moved.map_or_else(
            || [self.number("x"), self.number("y")],
            |(x, y)| [x, y].map(|number| number.parse().unwrap_or(f64::NAN)),
        )
    }

    /// The points of a stroke.
    pub(super) fn points(&self) -> Vec<[f64; 2]> {
        let points = self.attribute("points").split(' ').filter_map(|point| point.split_once(','));
        points.filter_map(|(x, y)| Some([x.parse().ok()?, y.parse().ok()?])).collect()
    }

    /// Left, right, top and bottom of the axes of a column.
    pub(super) fn frame(&self) -> Option<[f64; 4]> {
        let points = self.points();
        let [[left, top], _, [right, bottom]] = points.as_slice() else { return None };
        Some([*left, *right, *top, *bottom])
    }
}
