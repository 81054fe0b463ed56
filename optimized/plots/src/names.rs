//! Where texts go, so that none hides another.

/// The least distance of names, from one base line to the next.
pub(crate) const NAME_HEIGHT: f64 = 16.0;

/// A letter's width, as a part of its height: the mean of sans-serif fonts that are wide.
const WIDE: f64 = 0.61;

/// How much room a text takes at the most.
#[allow(clippy::cast_precision_loss, reason = "letters of a line")]
pub(crate) fn width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * WIDE
}

/// A text as lines that are no wider; a word that is wider has a line of its own.
pub(crate) fn wrapped(text: &str, size: f64, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line, size) + width(word, size) + size < most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Heights that ascend, moved as little as groups of neighbours let them be until each two are so far apart, and none is beyond the
/// ends; too many for the room go beyond the bottom.
pub(crate) fn apart(heights: &[f64], distance: f64, [top, bottom]: [f64; 2]) -> Vec<f64> {
    /// Names that touch: where the first would be, and how many.
    struct Group {
        first: f64,
        names: f64,
    }
    let mut groups: Vec<Group> = Vec::new();
    for height in heights {
        let mut last = Group { first: height.clamp(top, bottom.max(top)), names: 1.0 };
        while let Some(before) = groups.pop_if(|before| before.first + before.names * distance > last.first) {
            // Each name of the two wants the group where it alone would like it: the mean of that.
            let names = before.names + last.names;
            let wanted = before.names * before.first + last.names * (last.first - before.names * distance);
            let lowest = (bottom - (names - 1.0) * distance).max(top);
            last = Group { first: (wanted / names).clamp(top, lowest), names };
        }
        groups.push(last);
    }
    let names = |group: Group| {
        let mut height = group.first;
        let mut left = group.names;
        std::iter::from_fn(move || {
            let next = height;
            height += distance;
            left -= 1.0;
            (left >= 0.0).then_some(next)
        })
    };
    groups.into_iter().flat_map(names).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_hide_each_other_and_stay_near_their_ends() {
        let ends = [0.0, 100.0];
        assert_eq!(apart(&[40.0, 60.0], 15.0, ends), [40.0, 60.0], "those with room do not move");
        assert_eq!(apart(&[50.0, 50.0, 50.0], 15.0, ends), [35.0, 50.0, 65.0], "up and down alike");
        assert_eq!(apart(&[95.0, 99.0], 15.0, ends), [85.0, 100.0], "not beyond the bottom");
        assert_eq!(apart(&[0.0, 1.0], 15.0, ends), [0.0, 15.0], "nor beyond the top");
        assert_eq!(apart(&[], 15.0, ends), [0.0; 0]);
        let heights: Vec<f64> = (0..6).map(|name| f64::from(name * name)).collect();
        let apart = apart(&heights, 15.0, ends);
        assert!(apart.windows(2).all(|two| two[1] - two[0] >= 15.0 - 1e-9), "{apart:?}");
        assert!(apart[0] >= 0.0 && apart[5] <= 100.0, "{apart:?}");
    }

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrapped("one two  three", 10.0, 65.0), ["one two", "three"]);
        assert_eq!(wrapped("a-word-that-is-too-long b", 10.0, 65.0), ["a-word-that-is-too-long", "b"]);
        assert!(wrapped("", 10.0, 65.0).is_empty());
    }
}
