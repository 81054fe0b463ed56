//! Values to pixels and ticks.

use crate::{Across, Column, Place};

/// Values to pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    logarithmic: bool,
    /// A value, or its logarithm, and its pixel.
    low: (f64, f64),
    high: (f64, f64),
}

impl Scale {
    /// The pixel of the lowest value, and that of the highest; the two values differ.
    pub(crate) fn new(logarithmic: bool, [low, high]: [f64; 2], [from, to]: [f64; 2]) -> Self {
        let of = |value: f64| if logarithmic { value.log10() } else { value };
        Self { logarithmic, low: (of(low), from), high: (of(high), to) }
    }

    pub(crate) fn pixel(&self, value: f64) -> f64 {
        let value = if self.logarithmic { value.log10() } else { value };
        self.low.1 + (value - self.low.0) * (self.high.1 - self.low.1) / (self.high.0 - self.low.0)
    }
}

/// Whether a place can be drawn.
pub(crate) fn can_be_shown(across: Across, place: &Place) -> bool {
    let has_place = place.x.is_finite() && (across == Across::Linear || place.x > 0.0);
    // What is nearly nothing, or nearly infinite, has no room for a margin.
    has_place && (1e-300..1e300).contains(&place.y)
}

/// Each x of a column once, ascending.
pub(crate) fn places_across(across: Across, column: &Column) -> Vec<f64> {
    let places = column.lines.iter().flat_map(|line| &line.places);
    let mut values: Vec<f64> =
        places.filter(|place| can_be_shown(across, place)).map(|place| place.x).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    values
}

/// The y axis's ends: the lower is a number of two digits, so that the axis can say where it begins.
pub(crate) fn ends(values: impl Iterator<Item = f64> + Clone) -> [f64; 2] {
    let low = values.clone().fold(f64::INFINITY, f64::min);
    let high = values.fold(0.0, f64::max);
    if low > high {
        return [1.0, 10.0];
    }
    [two_digits_below(low / 1.06), high * 1.06]
}

fn two_digits_below(value: f64) -> f64 {
    let unit = 10_f64.powf(value.log10().floor() - 1.0);
    let rounded = (value / unit).floor() * unit;
    label(rounded).parse().unwrap_or(rounded)
}

/// At most as many ticks with numbers.
const MOST: usize = 9;

/// The values with numbers on a logarithmic axis: two at the least, if the ends differ.
pub(crate) fn ticks([low, high]: [f64; 2]) -> Vec<f64> {
    let within = |mantissas: &[f64], step: i32| {
        #[allow(clippy::cast_possible_truncation, reason = "a power of ten")]
        let powers = low.log10().floor() as i32..=high.log10().ceil() as i32;
        let ticks = powers
            .filter(|power| power.rem_euclid(step) == 0)
            .flat_map(|power| mantissas.iter().map(move |mantissa| mantissa * 10_f64.powi(power)));
        ticks.filter(|tick| (low..=high).contains(tick)).collect::<Vec<f64>>()
    };
    let all = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
    let by_mantissas = [&all[..], &[1.0, 2.0, 3.0, 5.0], &[1.0, 2.0, 5.0], &[1.0, 3.0]];
    let candidates = by_mantissas.map(|mantissas| within(mantissas, 1)).into_iter();
    let decades = (1..=600).map(|step| within(&[1.0], step));
    candidates
        .chain(decades)
        .find(|ticks| (3..=MOST).contains(&ticks.len()))
        .unwrap_or_else(|| steps([low, high]))
}

/// Ticks within less than a digit.
fn steps([low, high]: [f64; 2]) -> Vec<f64> {
    let least = (high - low) / 8.0;
    let power = 10_f64.powf(least.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power).into_iter().find(|step| *step >= least);
    let step = step.unwrap_or(least);
    let first = (low / step).ceil();
    let ticks = (0..9).map(|tick| (first + f64::from(tick)) * step);
    ticks.take_while(|tick| *tick <= high).collect()
}

/// A number as short as an axis wants it: of sums and products of powers of ten, the last digits are none.
pub fn label(value: f64) -> String {
    #[allow(clippy::cast_possible_truncation, reason = "a power of ten")]
    let power = value.abs().max(1e-300).log10().floor() as i32;
    let decimals = usize::try_from(3 - power).unwrap_or_default();
    let text = format!("{value:.decimals$}");
    if decimals > 0 { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// The same with its thousands apart, if there are tens of them.
pub(crate) fn grouped(value: f64) -> String {
    let text = label(value);
    let digits = text.find('.').unwrap_or(text.len());
    if digits < 5 {
        return text;
    }
    let letters = text.chars().enumerate().flat_map(|(place, letter)| {
        let begins = place > 0 && place < digits && (digits - place).is_multiple_of(3);
        begins.then_some(THIN_SPACE).into_iter().chain([letter])
    });
    letters.collect()
}

/// Between thousands.
pub(crate) const THIN_SPACE: char = '\u{2009}';

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_apart() {
        let cases = [
            (1000.0, "1000"),
            (10_000.0, "10\u{2009}000"),
            (123_456_789.0, "123\u{2009}456\u{2009}789"),
            (0.000_5, "0.0005"),
        ];
        for (value, expected) in cases {
            assert_eq!(grouped(value), expected);
        }
    }

    fn labels(ends: [f64; 2]) -> Vec<String> {
        ticks(ends).into_iter().map(label).collect()
    }

    #[test]
    fn a_label_is_the_number_at_its_tick() {
        let cases = [
            (0.009_000_000_000_000_001, "0.009"),
            (1.5, "1.5"),
            (30.0, "30"),
            (0.1, "0.1"),
            (1e7, "10000000"),
            (0.0, "0"),
        ];
        for (value, expected) in cases {
            assert_eq!(label(value), expected);
        }
    }

    #[test]
    fn an_axis_has_three_numbers_at_the_least_and_nine_at_the_most() {
        assert_eq!(labels([0.62, 3.6]), ["0.7", "0.8", "0.9", "1", "2", "3"]);
        assert_eq!(labels([13.0, 760.0]), ["20", "30", "50", "100", "200", "300", "500"]);
        assert_eq!(labels([0.9, 610_000.0]), ["1", "10", "100", "1000", "10000", "100000"]);
        assert_eq!(labels([1.405, 1.475]), ["1.41", "1.42", "1.43", "1.44", "1.45", "1.46", "1.47"]);
        let (mut low, mut wide) = (1e-299, 1.12);
        while low < 1e290 {
            let ticks = ticks([low, low * wide]);
            assert!((3..=MOST).contains(&ticks.len()), "{} ticks from {low} to {}", ticks.len(), low * wide);
            assert!(ticks.iter().all(|tick| (low * 0.999..=low * wide * 1.001).contains(tick)));
            (low, wide) = (low * 7.3, if wide > 1e8 { 1.12 } else { wide * 1.7 });
        }
    }

    #[test]
    fn an_axis_begins_at_a_number_that_it_can_say() {
        for (value, expected) in [(0.664, "0.62"), (15.3, "14"), (1000.0, "940"), (0.000_44, "0.00041")] {
            assert_eq!(label(ends([value].into_iter())[0]), expected);
        }
        assert_eq!(ends([].into_iter()).map(label), ["1", "10"], "of nothing");
    }

    #[test]
    fn values_lie_between_the_pixels_of_the_ends() {
        let scale = Scale::new(true, [1.0, 100.0], [300.0, 100.0]);
        assert!((scale.pixel(10.0) - 200.0).abs() < 1e-9);
        let scale = Scale::new(false, [10.0, 20.0], [0.0, 50.0]);
        assert!((scale.pixel(12.0) - 10.0).abs() < 1e-9);
    }

    #[test]
    fn what_has_no_logarithm_is_not_shown() {
        let place = |x, y| Place { x, y, done: true };
        for (across, x, y, shown) in [
            (Across::Linear, 0.0, 1.0, true),
            (Across::Logarithmic, 0.0, 1.0, false),
            (Across::Linear, f64::INFINITY, 1.0, false),
            (Across::Linear, 1.0, 0.0, false),
            (Across::Linear, 1.0, -1.0, false),
            (Across::Linear, 1.0, f64::INFINITY, false),
            (Across::Linear, 1.0, f64::NAN, false),
        ] {
            assert_eq!(can_be_shown(across, &place(x, y)), shown, "{x} {y}");
        }
    }
}
