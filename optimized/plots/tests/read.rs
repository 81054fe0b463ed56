//! What is drawn is read back, and each way in which a plot could mislead is found.

use duoram_plots::read::{Drawing, read};
use duoram_plots::{Across, Column, Line, Place, Plot, Shows};

fn line(name: &str, look: usize, shows: Shows, points: &[(f64, f64, bool)]) -> Line {
    let places = points.iter().map(|&(x, y, done)| Place { x, y, done }).collect();
    Line { name: name.to_owned(), look, shows, places }
}

/// A line of each kind; two that end at one place; one that ends early.
fn lines() -> Vec<Line> {
    vec![
        line("fast", 0, Shows::Whole, &[(10.0, 3.0, true), (12.0, 2.0, true), (14.0, 1.9, false)]),
        line("fast, online", 0, Shows::Part, &[(10.0, 2.9, true), (12.0, 1.9, true), (14.0, 1.9, false)]),
        line("AES limit", 0, Shows::Limit, &[(10.0, 1.5, true), (14.0, 1.5, true)]),
        line("slow", 3, Shows::Whole, &[(10.0, 90.0, true), (12.0, 95.0, true)]),
    ]
}

fn plot(columns: Vec<Column>) -> Plot {
    Plot {
        name: "p".to_owned(),
        title: "Trees & \"leaves\"".to_owned(),
        notes: vec!["on A CPU".to_owned(), "with <care>".to_owned()],
        x: "h = lg n",
        across: Across::Linear,
        y: "ns a leaf",
        columns,
    }
}

fn single() -> Plot {
    plot(vec![Column { heading: "A CPU".to_owned(), lines: lines() }])
}

fn double() -> Plot {
    let there = vec![
        line("fast", 0, Shows::Whole, &[(12.0, 5.0, true)]),
        line("AES limit", 0, Shows::Limit, &[(12.0, 4.0, true)]),
        line("fast, online", 0, Shows::Part, &[(12.0, 4.9, false)]),
    ];
    let column = |heading: &str, lines| Column { heading: heading.to_owned(), lines };
    plot(vec![column("A CPU", lines()), column("Another CPU", there)])
}

/// That all lines are read as they were given.
fn assert_shows(drawing: &Drawing, plot: &Plot) {
    assert_eq!(drawing.columns.len(), plot.columns.len());
    for (read, given) in drawing.columns.iter().zip(&plot.columns) {
        assert_eq!(read.lines.len(), given.lines.len());
        for line in &given.lines {
            let found = read.lines.iter().find(|other| other.name == line.name).unwrap();
            assert_eq!(found.shows, line.shows, "{}", line.name);
            assert_eq!(found.places.len(), line.places.len(), "{}", line.name);
            for (one, other) in found.places.iter().zip(&line.places) {
                let is_near = |one: f64, other: f64| (one / other - 1.0).abs() < 0.002;
                assert!(is_near(one.x, other.x) && is_near(one.y, other.y), "{one:?} for {other:?}");
                assert_eq!(one.done, other.done);
            }
        }
    }
}

#[test]
fn what_is_drawn_is_what_is_read() {
    for plot in [single(), double()] {
        let drawing = read(&plot.svg()).unwrap();
        assert_shows(&drawing, &plot);
        assert_eq!(drawing.title, plot.title);
        assert_eq!(drawing.notes, "on A CPU with <care>");
        assert_eq!((drawing.y.as_str(), drawing.columns[0].x.as_str()), ("ns a leaf", "h = lg n"));
    }
    let headings: Vec<_> =
        read(&double().svg()).unwrap().columns.into_iter().map(|column| column.heading).collect();
    assert_eq!(headings, ["A CPU", "Another CPU"]);
}

#[test]
fn a_logarithmic_axis_below_says_so() {
    let cores = [(1.0, 9.0, true), (2.0, 7.0, true), (32.0, 3.0, false)];
    let other = [(1.0, 90.0, true), (2.0, 90.0, true), (32.0, 90.0, false)];
    let lines = vec![line("a", 1, Shows::Whole, &cores), line("b", 2, Shows::Whole, &other)];
    let plot = Plot { across: Across::Logarithmic, ..plot(vec![Column { heading: String::new(), lines }]) };
    let svg = plot.svg();
    assert_shows(&read(&svg).unwrap(), &plot);
    let wrong = read(&svg.replace("h = lg n, logarithmic axis", "h = lg n, axis")).unwrap_err();
    assert!(wrong.starts_with("across: the number 2 is at "), "{wrong}");
}

#[test]
fn whatever_is_given_can_be_drawn() {
    let of = |points: &[(f64, f64, bool)]| {
        plot(vec![Column {
            heading: String::new(),
            lines: vec![line("a", 9, Shows::Whole, points), line("b", 1, Shows::Limit, points)],
        }])
    };
    for points in [
        &[][..],
        &[(1.0, 0.0, true)],
        &[(1.0, f64::NAN, true), (f64::INFINITY, 1.0, true), (2.0, f64::INFINITY, true)],
        &[(1.0, 1e-299, true), (2.0, 1e299, true)],
        &[(1.0, 5.0, true), (1.0 + 1e-9, 5.0, true)],
        &[(-1e300, 5.0, true), (1e300, 6.0, false)],
    ] {
        let svg = of(points).svg();
        assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
    assert!(!of(&[(1.0, 5.0, true)]).is_worth_drawing());
    assert!(of(&[(1.0, 5.0, true), (2.0, 5.0, true)]).is_worth_drawing());
    assert!(plot(Vec::new()).svg().ends_with("</svg>\n"));
}

#[test]
fn as_many_names_as_there_are_lines_have_room() {
    let lines = (0..7_u8).flat_map(|look| {
        let y = 1.0 + f64::from(look) / 1000.0;
        let of = |shows, name, from: f64, to: f64| {
            line(&format!("{name} {look}"), look.into(), shows, &[(1.0, from * y, true), (2.0, to * y, true)])
        };
        [
            of(Shows::Whole, "whole", 6.0, 5.9),
            of(Shows::Part, "part", 3.0, 1.0),
            of(Shows::Limit, "limit", 1.2, 1.0),
        ]
    });
    let plot = plot(vec![Column { heading: String::new(), lines: lines.collect() }]);
    assert_shows(&read(&plot.svg()).unwrap(), &plot);
}

/// What is said of a plot that has been tampered with.
fn tampered(svg: &str, from: &str, to: &str) -> String {
    assert!(svg.contains(from), "{from}: nothing to change in\n{svg}");
    read(&svg.replacen(from, to, 1)).expect_err("it was read")
}

/// The whole line of the picture in which this is.
fn whole_line<'s>(svg: &'s str, part: &str) -> &'s str {
    svg.lines().find(|line| line.contains(part)).unwrap()
}

#[test]
fn names_that_are_lost_or_swapped_are_found() {
    let svg = single().svg();
    let wrong = tampered(&svg, whole_line(&svg, ">slow<"), "");
    assert!(wrong.contains("marks, of which"), "{wrong}");
    let [one, other] = [">fast<", ">slow<"].map(|name| whole_line(&svg, name));
    let y = |line: &str| line.split(" y=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let drawing = read(
        &svg.replace(one, "?")
            .replace(other, &other.replace(&y(other), &y(one)))
            .replace('?', &one.replace(&y(one), &y(other))),
    );
    // It can be read, and says of the one what is of the other.
    let slow =
        drawing.unwrap().columns[0].lines.iter().find(|line| line.name == "slow").unwrap().places.len();
    assert_eq!(slow, 3);
    let to = svg.lines().find(|line| line.contains("class=\"to c3\"")).unwrap();
    let wrong = tampered(&svg, to, "");
    assert!(wrong.contains("slow: no stroke leads to its name"), "{wrong}");
    let height = to.split("points=\"").nth(1).unwrap().split(' ').next().unwrap();
    let (x, y) = height.split_once(',').unwrap();
    let lower = format!("{x},{}", y.parse::<f64>().unwrap() + 30.0);
    let wrong = tampered(&svg, to, &to.replace(height, &lower));
    assert!(wrong.contains("slow: its name is where another line ends"), "{wrong}");
}

#[test]
fn texts_over_each_other_or_too_small_are_found() {
    let svg = single().svg();
    let (one, other) = (whole_line(&svg, ">fast<"), whole_line(&svg, ">fast, online<"));
    let wrong = tampered(&svg, other, &one.replace(">fast<", ">fast, online<"));
    assert!(wrong.contains("are over each other"), "{wrong}");
    let wrong = tampered(&svg, other, &other.replace("font-size=\"13\"", "font-size=\"11\""));
    assert!(wrong.contains("letters of 11 pixels"), "{wrong}");
    let wrong = tampered(&svg, other, &other.replace(" x=\"", " x=\"9"));
    assert!(wrong.contains("beyond the edge"), "{wrong}");
}

#[test]
fn axes_that_are_wrong_are_found() {
    let svg = single().svg();
    let wrong = tampered(&svg, "ns a leaf, logarithmic axis from", "ns a leaf, axis from");
    assert!(wrong.contains("does not say that it is logarithmic"), "{wrong}");
    let wrong = tampered(&svg, "logarithmic axis from 1.4", "logarithmic axis from 0");
    assert!(wrong.contains("the axis of ns a leaf begins at 1.4"), "{wrong}");
    let wrong = tampered(&svg, "h = lg n, axis from 10", "h = lg n, axis from 0");
    assert!(wrong.contains("the axis of h = lg n begins at"), "{wrong}");
    let wrong = tampered(&svg, ">12</text>", ">13</text>");
    assert!(wrong.contains("across: the number 13 is at "), "{wrong}");
    let wrong = tampered(&svg, ">50</text>", ">60</text>");
    assert!(wrong.contains("upwards: the number 60 is at "), "{wrong}");
    // All numbers of an axis by the same factor are an axis that is right, of other lines.
    let shifted =
        [(">14<", ">16<"), (">12<", ">14<"), (">10</text>", ">12</text>"), ("axis from 10", "axis from 12")]
            .iter()
            .fold(svg, |svg, (from, to)| {
                svg.lines()
                    .map(|line| {
                        if line.contains("tick-x") || line.contains("title-x") {
                            line.replace(from, to)
                        } else {
                            line.to_owned()
                        }
                    })
                    .collect::<Vec<_>>()
                    .join("\n")
            });
    let first = read(&shifted).unwrap().columns[0].lines[0].places[0].x;
    assert!((first - 12.0).abs() < 0.01, "{first}");
}

#[test]
fn lines_that_look_measured_and_are_not_are_found() {
    let svg = single().svg();
    let dashed = whole_line(&svg, "class=\"whole c0 dashed\"");
    let wrong = tampered(&svg, dashed, &dashed.replace(" dashed", ""));
    assert!(wrong.contains("fast: it is solid at a hollow mark"), "{wrong}");
    let solid = whole_line(&svg, "class=\"whole c0\"");
    let wrong = tampered(&svg, solid, &solid.replace("whole c0", "whole c0 dashed"));
    assert!(wrong.contains("fast: it is dashed between marks that are filled"), "{wrong}");
    let wrong = tampered(&svg, solid, "");
    assert!(wrong.contains("fast: its marks are not joined"), "{wrong}");
    let hollow = whole_line(&svg, "class=\"open c0\"");
    let wrong = tampered(&svg, hollow, "");
    assert!(wrong.contains("its name is where another line ends"), "{wrong}");
}

#[test]
fn marks_without_a_name_and_lines_that_look_alike_are_found() {
    let svg = single().svg();
    let extra = "<path class=\"filled c5\" transform=\"translate(300 200)\" d=\"M0 0z\"/>\n</svg>";
    let wrong = tampered(&svg, "</svg>", extra);
    assert_eq!(
        wrong,
        "14 marks, of which 13 are of lines with names".replace("14", "12").replace("13", "11")
    );
    let mut lines = lines();
    lines[3].look = 0;
    let wrong = read(&plot(vec![Column { heading: String::new(), lines }]).svg()).unwrap_err();
    assert!(wrong.contains("two lines have this mark"), "{wrong}");
}

#[test]
fn a_quarter_that_is_empty_is_found() {
    let lines = vec![
        line("a", 0, Shows::Whole, &[(10.0, 1.0, true), (14.0, 1.2, true)]),
        line("b", 1, Shows::Whole, &[(12.5, 90.0, true), (14.0, 91.0, true)]),
    ];
    let wrong = read(&plot(vec![Column { heading: String::new(), lines }]).svg()).unwrap_err();
    assert_eq!(wrong, "the upper left quarter is empty");
}
