//! What all pictures are drawn with: one set of colours, marks and letters, for light and dark pages.
//!
//! A party has a colour and, for readers without it, a way of drawing lines (P0 solid, P1 dashed, P2 dotted). A picture has a
//! ground of its own, so that it can be read on any page, and follows the page into the dark where the browser tells it.

use std::fmt::{self, Write};

/// The height of letters; smaller ones are subscripts.
pub(super) const LETTERS: f64 = 15.0;

/// Colours are those that the colour-blind tell apart (Okabe and Ito), as in the plots; on dark ground their light ones.
const STYLE: &str = "\
svg{--ground:#fff;--ink:#1b1b1b;--line:#666;--faint:#e9e9e9;--p0:#0072b2;--p1:#b94f00;--p2:#007a59;\
--tint0:#d3e7f4;--tint1:#fbe0cd;--tint2:#cfeee4;font-family:sans-serif;fill:var(--ink)}\
@media(prefers-color-scheme:dark){svg{--ground:#141617;--ink:#dfe5ea;--line:#a0a8b0;--faint:#2b3036;--p0:#56b4e9;\
--p1:#f0a35e;--p2:#3fc79d;--tint0:#143c55;--tint1:#57300f;--tint2:#0c4434}}\
.ground{fill:var(--ground)}.faint{fill:var(--faint)}.thin{stroke:var(--line);fill:none}\
.tint0{fill:var(--tint0)}.tint1{fill:var(--tint1)}.tint2{fill:var(--tint2)}.open{fill:var(--ground)}\
.hatch{fill:url(#hatch)}.dots{fill:url(#dots)}.ink{fill:var(--ink)}\
.p0{stroke:var(--p0)}.p1{stroke:var(--p1);stroke-dasharray:7 3}.p2{stroke:var(--p2);stroke-dasharray:2 3}\
.fill0{fill:var(--p0)}.fill1{fill:var(--p1)}.fill2{fill:var(--p2)}\
.heavy{stroke:var(--ink);stroke-width:3}.bold{font-weight:700}.mono{font-family:monospace}.math{font-style:italic}\
.lit{stroke:var(--ink)}text{stroke:none}.clear{paint-order:stroke;stroke:var(--ground);stroke-width:5px}";

const PATTERNS: &str = "\
<pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\
<rect width=\"2\" height=\"6\" fill=\"var(--line)\" opacity=\"0.55\"/></pattern>\
<pattern id=\"dots\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">\
<circle cx=\"3\" cy=\"3\" r=\"1.3\" fill=\"var(--line)\" opacity=\"0.8\"/></pattern>";

/// Where a text stands from its point.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A picture that is being drawn. Points are from the top left.
pub(super) struct Canvas {
    width: f64,
    title: String,
    description: String,
    body: String,
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A length as it is written: no digits that nobody sees.
fn length(x: f64) -> String {
    let written = format!("{x:.1}");
    written.strip_suffix(".0").map_or(written.clone(), str::to_owned)
}

/// The inside of a text in which `_` and `^` lower and raise the next letter, or the next letters in braces.
fn formula(text: &str) -> String {
    let mut written = String::new();
    let mut letters = text.chars().peekable();
    let mut shift = 0;
    let mut span = |written: &mut String, to: i32, inside: &str| {
        let (dy, size) = (to - shift, if to == 0 { String::new() } else { " font-size=\"11.5\"".to_owned() });
        shift = to;
        let dy = if dy == 0 { String::new() } else { format!(" dy=\"{dy}\"") };
        write!(written, "<tspan{dy}{size}>{}</tspan>", escaped(inside)).expect("a string takes all");
    };
    let mut plain = String::new();
    while let Some(letter) = letters.next() {
        let to = match letter {
            '_' => 4,
            '^' => -6,
            _ => {
                plain.push(letter);
                continue;
            }
        };
        if !plain.is_empty() {
            span(&mut written, 0, &std::mem::take(&mut plain));
        }
        let inside = match letters.next() {
            Some('{') => letters.by_ref().take_while(|letter| *letter != '}').collect(),
            other => other.map_or_else(String::new, String::from),
        };
        span(&mut written, to, &inside);
    }
    if !plain.is_empty() {
        span(&mut written, 0, &plain);
    }
    written
}

impl Canvas {
    /// An empty picture of this width, with what a screen reader says of it.
    pub(super) fn new(width: f64, title: &str, description: &str) -> Self {
        Self { width, title: escaped(title), description: escaped(description), body: String::new() }
    }

    fn line_of(&mut self, line: fmt::Arguments<'_>) {
        writeln!(self.body, "{line}").expect("a string takes all");
    }

    /// A rectangle; `more` is what else stands in its tag.
    pub(super) fn rect(&mut self, class: &str, [x, y, width, height]: [f64; 4], more: &str) {
        let [x, y, width, height] = [x, y, width, height].map(length);
        let space = if more.is_empty() { "" } else { " " };
        self.line_of(format_args!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{space}{more}/>"
        ));
    }

    /// A text of one line, its base line at y. In it `_` lowers and `^` raises.
    pub(super) fn text(&mut self, anchor: Anchor, class: &str, [x, y]: [f64; 2], text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let inside = if text.contains(['_', '^']) { formula(text) } else { escaped(text) };
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        let [x, y] = [x, y].map(length);
        self.line_of(format_args!(
            "<text{class} x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" font-size=\"{LETTERS}\">{inside}</text>"
        ));
    }

    /// A line; `more` is what else stands in its tag.
    pub(super) fn line(&mut self, class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2], more: &str) {
        let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(length);
        let space = if more.is_empty() { "" } else { " " };
        self.line_of(format_args!(
            "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"{space}{more}/>"
        ));
    }

    /// A level arrow of a party, from x, where it has a dot, to x.
    pub(super) fn arrow(&mut self, party: usize, y: f64, [from, to]: [f64; 2], more: &str) {
        let back = if to > from { -9.0 } else { 9.0 };
        self.line(&format!("p{party}"), [from, y], [to + back, y], &format!("stroke-width=\"2\" {more}"));
        self.line_of(format_args!(
            "<circle class=\"fill{party}\" cx=\"{}\" cy=\"{}\" r=\"4\"/>",
            length(from),
            length(y)
        ));
        let points = [[to, y], [to + back, y - 5.0], [to + back, y + 5.0]];
        let points = points.map(|[x, y]| format!("{},{}", length(x), length(y))).join(" ");
        self.line_of(format_args!("<polygon class=\"fill{party}\" points=\"{points}\"/>"));
    }

    /// The box with a party's name.
    pub(super) fn party(&mut self, party: usize, [middle, top]: [f64; 2], name: &str) {
        self.rect(
            &format!("tint{party} p{party}"),
            [middle - 45.0, top, 90.0, 28.0],
            "rx=\"4\" stroke-width=\"2\"",
        );
        self.text(Anchor::Middle, "bold", [middle, top + 19.0], name);
    }

    /// Cells with words in them, in a row from the left; each of the classes fills all of them, one above the other.
    pub(super) fn cells(&mut self, classes: &[&str], [x, y]: [f64; 2], words: &[String], more: &str) {
        for (place, word) in words.iter().enumerate() {
            let left = x + CELL * place as f64;
            for class in classes {
                self.rect(class, [left, y, CELL, CELL], "");
            }
            self.rect("thin", [left, y, CELL, CELL], &format!("data-word=\"{word}\" {more}"));
            self.text(Anchor::Middle, "mono clear", [left + CELL / 2.0, y + 19.0], word);
        }
    }

    /// The picture, of this height.
    pub(super) fn finish(self, height: f64) -> String {
        let [width, height] = [self.width, height].map(length);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             role=\"img\">\n<title>{}</title>\n<desc>{}</desc>\n<style>{STYLE}</style>\n<defs>{PATTERNS}</defs>\n\
             <rect class=\"ground\" width=\"{width}\" height=\"{height}\"/>\n{}</svg>\n",
            self.title, self.description, self.body
        )
    }
}

/// The side of a cell.
pub(super) const CELL: f64 = 28.0;

/// What tests see of a picture: the attributes of each element of a kind, as they stand in its text.
#[cfg(test)]
pub(super) fn drawn(svg: &str, element: &str) -> Vec<std::collections::BTreeMap<String, String>> {
    let begin = format!("<{element} ");
    let of_line = |line: &str| {
        let tag = line.strip_prefix(&begin)?.split_once('>')?.0.trim_end_matches('/').to_owned();
        let pairs = tag.split("\" ").filter_map(|pair| pair.trim_end_matches('"').split_once("=\""));
        Some(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    };
    svg.lines().filter_map(of_line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_named_and_described_and_has_a_ground_of_its_own() {
        let picture = Canvas::new(10.0, "a < b", "both").finish(20.0);
        assert!(picture.contains("<title>a &lt; b</title>\n<desc>both</desc>"), "{picture}");
        assert_eq!(drawn(&picture, "rect")[0]["class"], "ground");
        assert!(picture.contains("prefers-color-scheme:dark"));
    }

    #[test]
    fn letters_are_lowered_and_raised_and_what_follows_is_level_again() {
        assert_eq!(
            formula("t_0^{(2)} x"),
            "<tspan>t</tspan><tspan dy=\"4\" font-size=\"11.5\">0</tspan>\
             <tspan dy=\"-10\" font-size=\"11.5\">(2)</tspan><tspan dy=\"6\"> x</tspan>"
        );
    }

    #[test]
    fn what_is_drawn_is_found_again() {
        let mut canvas = Canvas::new(10.0, "", "");
        canvas.rect("thin", [1.0, 2.5, 3.0, 4.0], "data-word=\"7\"");
        let picture = canvas.finish(20.0);
        let rects = drawn(&picture, "rect");
        assert_eq!((rects[1]["y"].as_str(), rects[1]["data-word"].as_str()), ("2.5", "7"));
    }
}
