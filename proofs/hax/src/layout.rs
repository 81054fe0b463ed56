//! Text with line breaks: a group is written on one line if it fits, and otherwise broken at all of its breaks.

pub const WIDTH: usize = 100;

#[derive(Clone, Debug)]
pub enum Doc {
    Text(String),
    /// A space, or a line break if the group around it is broken.
    Line,
    /// Nothing, or a line break if the group around it is broken.
    Break,
    /// A line break.
    Hard,
    /// Two columns to the right.
    Indent(Box<Doc>),
    Concat(Vec<Doc>),
    Group(Box<Doc>),
}

pub fn text(s: impl Into<String>) -> Doc {
    Doc::Text(s.into())
}

pub fn concat(docs: Vec<Doc>) -> Doc {
    Doc::Concat(docs)
}

pub fn group(docs: Vec<Doc>) -> Doc {
    Doc::Group(Box::new(Doc::Concat(docs)))
}

pub fn indent(docs: Vec<Doc>) -> Doc {
    Doc::Indent(Box::new(Doc::Concat(docs)))
}

/// `docs` with `separator` after each but the last.
pub fn separated(docs: Vec<Doc>, separator: &[Doc]) -> Doc {
    let mut out = vec![];
    for (k, doc) in docs.into_iter().enumerate() {
        if k > 0 {
            out.extend(separator.iter().cloned());
        }
        out.push(doc);
    }
    Doc::Concat(out)
}

impl Doc {
    pub fn render(&self) -> String {
        let mut out = String::new();
        self.write(0, false, &mut out);
        out.push('\n');
        out
    }

    /// The text on one line; none if it has a hard line break.
    pub fn flat(&self) -> Option<String> {
        match self {
            Doc::Text(s) => Some(s.clone()),
            Doc::Line => Some(" ".to_string()),
            Doc::Break => Some(String::new()),
            Doc::Hard => None,
            Doc::Indent(doc) | Doc::Group(doc) => doc.flat(),
            Doc::Concat(docs) => docs.iter().map(Doc::flat).collect(),
        }
    }

    fn write(&self, column: usize, broken: bool, out: &mut String) {
        let newline = |out: &mut String| {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', column));
        };
        match self {
            Doc::Text(s) => out.push_str(s),
            Doc::Line if !broken => out.push(' '),
            Doc::Break if !broken => (),
            Doc::Line | Doc::Break | Doc::Hard => newline(out),
            Doc::Indent(doc) => doc.write(column + 2, broken, out),
            Doc::Concat(docs) => docs.iter().for_each(|doc| doc.write(column, broken, out)),
            Doc::Group(doc) => {
                let used = out.len() - out.rfind('\n').map_or(0, |at| at + 1);
                match doc.flat() {
                    Some(line) if used + line.len() <= WIDTH => out.push_str(&line),
                    _ => doc.write(column, true, out),
                }
            }
        }
    }
}
