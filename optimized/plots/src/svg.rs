//! Elements of SVG, one a line, so that a change of a plot is a change of few lines.

use std::fmt::{self, Write};

/// Colours are those that the colour-blind tell apart (Okabe and Ito), darker on light ground and lighter on dark: each has at least
/// three times the ground's contrast.
const STYLE: &str = "\
svg{--ground:#fff;--ink:#1b1b1b;--line:#666;--faint:#e4e4e4;--c0:#0072b2;--c1:#b94f00;--c2:#007a59;--c3:#1b1b1b;--c4:#b3478a;\
--c5:#3d8fc6;--c6:#a87000;font-family:sans-serif;fill:var(--ink)}\
@media(prefers-color-scheme:dark){svg{--ground:#141617;--ink:#dfe5ea;--line:#a0a8b0;--faint:#33393f;--c0:#56b4e9;--c1:#f0a35e;\
--c2:#3fc79d;--c3:#dfe5ea;--c4:#e29ac4;--c5:#9fb6ff;--c6:#e6c14d}}\
.ground{fill:var(--ground)}.grid{stroke:var(--faint);fill:none}.axis{stroke:var(--line);fill:none}\
.lead{stroke:var(--line);fill:none;stroke-dasharray:1 4}\
.c0{stroke:var(--c0);fill:var(--c0)}.c1{stroke:var(--c1);fill:var(--c1)}.c2{stroke:var(--c2);fill:var(--c2)}\
.c3{stroke:var(--c3);fill:var(--c3)}.c4{stroke:var(--c4);fill:var(--c4)}.c5{stroke:var(--c5);fill:var(--c5)}\
.c6{stroke:var(--c6);fill:var(--c6)}.whole{stroke-width:2.2}.part,.open,.to{stroke-width:1.2}\
.limit{stroke-width:1.8;stroke-dasharray:2 3}.dashed{stroke-dasharray:6 4}polyline{fill:none!important}.open{fill:var(--ground)}.filled{stroke:none}\
.title{font-weight:700}";

/// How many looks there are.
pub(crate) const LOOKS: usize = 7;

/// The mark of a look, around 0: each another shape.
pub(crate) fn mark(look: usize, large: bool) -> String {
    let s = if large { 4.2 } else { 3.2 };
    let path = |points: &[(f64, f64)]| {
        let points: Vec<String> =
            points.iter().map(|(x, y)| format!("{} {}", length(x * s), length(y * s))).collect();
        format!("M{}z", points.join("L"))
    };
    match look % LOOKS {
        0 => format!("M-{s} 0a{s} {s} 0 1 0 {d} 0a{s} {s} 0 1 0 -{d} 0z", d = 2.0 * s),
        1 => path(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
        2 => path(&[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)]),
        3 => path(&[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)]),
        4 => path(&[(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)]),
        5 => path(&[(-1.1, -1.0), (1.1, -1.0), (-1.1, 1.0), (1.1, 1.0)]),
        _ => path(&[(-1.2, 0.0), (0.8, -1.1), (0.8, 1.1)]),
    }
}

/// A number as it is written: no digits that nobody sees.
pub(crate) fn length(x: f64) -> String {
    let text = format!("{x:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A drawing; points are from the top left.
pub(crate) struct Canvas {
    text: String,
}

impl Canvas {
    /// An empty one, with what a screen reader says of it.
    pub(crate) fn new([width, height]: [f64; 2], title: &str, description: &str) -> Self {
        let mut canvas = Self { text: String::new() };
        canvas.line(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             role=\"img\">"
        ));
        canvas.line(format_args!("<title>{}</title>", escaped(title)));
        canvas.line(format_args!("<desc>{}</desc>", escaped(description)));
        canvas.line(format_args!("<style>{STYLE}</style>"));
        canvas.line(format_args!("<rect class=\"ground\" width=\"{width}\" height=\"{height}\"/>"));
        canvas
    }

    fn line(&mut self, line: fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "{line}");
    }

    /// A text, its base line at y; `anchor` is `start`, `middle` or `end`.
    pub(crate) fn text(&mut self, class: &str, anchor: &str, size: f64, [x, y]: [f64; 2], text: &str) {
        let [x, y, size] = [x, y, size].map(length);
        self.line(format_args!(
            "<text class=\"{class}\" text-anchor=\"{anchor}\" font-size=\"{size}\" x=\"{x}\" y=\"{y}\">{}</text>",
            escaped(text)
        ));
    }

    /// Strokes from point to point.
    pub(crate) fn stroke(&mut self, class: &str, points: &[[f64; 2]]) {
        let points: Vec<String> =
            points.iter().map(|[x, y]| format!("{},{}", length(*x), length(*y))).collect();
        self.line(format_args!("<polyline class=\"{class}\" points=\"{}\"/>", points.join(" ")));
    }

    /// A mark of a line.
    pub(crate) fn mark(&mut self, class: &str, [x, y]: [f64; 2], shape: &str) {
        let [x, y] = [x, y].map(length);
        self.line(format_args!("<path class=\"{class}\" transform=\"translate({x} {y})\" d=\"{shape}\"/>"));
    }

    pub(crate) fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The relative luminance of a colour, as WCAG 2 defines it.
    fn luminance(colour: &str) -> f64 {
        let digits = if colour.len() == 3 {
            colour.chars().flat_map(|digit| [digit, digit]).collect()
        } else {
            colour.to_owned()
        };
        let part = |at: usize| {
            let part = f64::from(u8::from_str_radix(&digits[at..at + 2], 16).unwrap()) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(0) + 0.7152 * part(2) + 0.0722 * part(4)
    }

    #[test]
    fn colours_are_seen_on_light_and_dark_ground() {
        let schemes: Vec<&str> = STYLE.split("svg{").skip(1).collect();
        assert_eq!(schemes.len(), 2);
        for scheme in schemes {
            let colour = |name: &str| {
                let (_, after) = scheme.split_once(&format!("--{name}:#")).unwrap();
                luminance(&after[..after.find([';', '}']).unwrap()])
            };
            let ground = colour("ground");
            let contrast = |name: &str| {
                let of = colour(name);
                (of.max(ground) + 0.05) / (of.min(ground) + 0.05)
            };
            for look in 0..LOOKS {
                let contrast = contrast(&format!("c{look}"));
                assert!(contrast >= 3.0, "c{look}: {contrast:.1}");
            }
            assert!(contrast("ink") >= 7.0 && contrast("line") >= 4.5);
        }
    }

    #[test]
    fn each_look_has_a_mark_of_its_own_in_two_sizes() {
        let marks: BTreeSet<String> =
            (0..LOOKS).flat_map(|look| [mark(look, true), mark(look, false)]).collect();
        assert_eq!(marks.len(), 2 * LOOKS);
    }
}
