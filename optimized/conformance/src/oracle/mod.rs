//! `duoram oracle`: the specification, answering questions line by line.
//!
//! A request is one line, `{"id": any, "request": "prg", "input": {...}}`; its answer is one line, `{"id": any, "output":
//! {...}}` or `{"id": any, "error": {"field", "expected", "got"}}`. Whatever a line holds, it gets one answer, and the next
//! line is served. `optimized/conformance/README.md` lists the requests.

mod fields;
mod lean;
mod requests;
mod sessions;
mod two_party;

use std::io::{self, BufRead, BufReader, Read, Write};

use serde::Serialize;
use serde_json::Value;

use fields::{Fields, Refusal};
pub use requests::NAMES;
use requests::Requests;

/// What ends the answers before the requests do.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input broke.
    #[error("cannot read the input: {0}")]
    Input(io::Error),
    /// The output is closed or full.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
}

/// The longest line that is read: an `update` at the largest h that is answered takes a third of it.
pub const LONGEST_LINE: usize = 16 << 20;

/// What a buffer for lines may keep between requests.
const KEPT: usize = 64 << 10;

#[derive(Serialize)]
struct Answer<'a> {
    id: &'a Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Refusal>,
}

/// What was read.
enum Line {
    /// The end of the input; nothing.
    End,
    /// A line, in the buffer.
    Whole,
    /// A line of so many bytes, more than are kept.
    TooLong(usize),
}

/// Reads a line without its end into `line`. Of a line that is too long nothing is kept.
fn next_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Line> {
    line.clear();
    line.shrink_to(KEPT);
    let mut length = 0;
    loop {
        let available = input.fill_buf()?;
        if available.is_empty() && length == 0 {
            return Ok(Line::End);
        }
        let end = available.iter().position(|byte| *byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        length += part.len();
        if length <= LONGEST_LINE {
            line.extend_from_slice(part);
        }
        let (read, ended) = (part.len() + usize::from(end.is_some()), end.is_some() || available.is_empty());
        input.consume(read);
        if ended {
            return Ok(if length <= LONGEST_LINE { Line::Whole } else { Line::TooLong(length) });
        }
    }
}

/// A refusal of a whole line.
fn no_request(got: String) -> Refusal {
    let expected = r#"an object {"id": ..., "request": ..., "input": {...}}"#.to_owned();
    Refusal { field: "line".to_owned(), expected, got }
}

/// The request's id, `null` if there is none, and the outcome.
fn answer(requests: &mut Requests, line: &[u8]) -> (Value, Result<Value, Refusal>) {
    let request: Value = match serde_json::from_slice(line) {
        Ok(request @ Value::Object(_)) => request,
        Ok(_) => return (Value::Null, Err(no_request("JSON, but no object".to_owned()))),
        Err(error) => return (Value::Null, Err(no_request(format!("no JSON: {error}")))),
    };
    let outcome = Fields::new("line", &request, &["id", "request", "input"]).and_then(|fields| {
        let name = fields.text("request", &format!("one of {}", NAMES.join(", ")))?;
        requests.answer(name, &request["input"])
    });
    (request["id"].clone(), outcome)
}

/// Answers all requests of `input`, each on a line of `output`, which is flushed whenever no further request has arrived
/// yet: at once for someone who waits, in batches for a file.
///
/// # Errors
///
/// [`Error::Input`] and [`Error::Output`], if the streams break. No request is an error.
pub fn serve(input: impl Read, mut output: impl Write) -> Result<(), Error> {
    let mut input = BufReader::with_capacity(KEPT, input);
    let (mut line, mut requests) = (Vec::new(), Requests::default());
    loop {
        let (id, outcome) = match next_line(&mut input, &mut line).map_err(Error::Input)? {
            Line::End => return Ok(output.flush()?),
            Line::Whole => answer(&mut requests, &line),
            Line::TooLong(length) => {
                let got = format!("a line of {length} bytes, of at most {LONGEST_LINE}");
                (Value::Null, Err(no_request(got)))
            }
        };
        let (output_of, error) = outcome.map_or_else(|e| (None, Some(e)), |output| (Some(output), None));
        let answer = Answer { id: &id, output: output_of, error };
        serde_json::to_writer(&mut output, &answer).map_err(io::Error::from)?;
        output.write_all(b"\n")?;
        if !input.buffer().contains(&b'\n') {
            output.flush()?;
        }
    }
}
