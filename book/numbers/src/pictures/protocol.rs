//! The whole protocol on one page: the messages of a session that was really run, with their bytes.

use duoram_reference::local::{Delivery, LocalSession, share};
use duoram_reference::{Batch, HEADER_LENGTH, Header, Paper, Parameters, Plain, Protocol, Role, SessionId};

use super::canvas::{Anchor, Canvas};
use crate::error::Error;

const LOG_SIZE: u32 = 10;

const WIDTH: f64 = 804.0;
/// Where the parties' lines are.
const LINES: [f64; 3] = [308.0, 511.0, 714.0];
const STEP: f64 = 25.0;

/// What a message holds, in the order of the protocol.
const HOLDS: [(&str, &str); 10] = [
    ("triples", "masks for ANDs and products"),
    ("level operands", "masked bit, masked L ⊕ R"),
    ("level opening", "a share of the correction"),
    ("conversion operands", "masked sign, masked F"),
    ("conversion opening", "a share of F·pm + r"),
    ("helper keys", "of DPF 2 and of DPF 3"),
    ("shift", "i*_b − ri_b"),
    ("unblinding", "γ_b"),
    ("update", "i*_b − ri_b, M_b + F_b^{(1, 2, 3)}"),
    ("helper update", "i*_b − ri_b, M_b + F_b^{(2, 3)}"),
];

/// All messages of a kind from one party to another: how many, and the bytes of each.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Arrow {
    kind: &'static str,
    from: usize,
    to: usize,
    count: usize,
    bytes: usize,
}

/// A step of the session: what was sent, and the longest chain of messages.
struct Step {
    arrows: Vec<Arrow>,
    chain: u32,
}

impl Step {
    fn of(log: &[Delivery]) -> Self {
        let mut arrows: Vec<Arrow> = Vec::new();
        for sent in log {
            let header = Header::decode(sent.frame.from, &sent.frame.bytes).expect("a frame that was sent");
            let kind = Paper::KINDS
                .iter()
                .find(|kind| kind.number() == header.kind)
                .expect("a kind of the protocol");
            let (from, to) = (sent.frame.from.index(), sent.frame.to.index());
            let bytes = sent.frame.bytes.len() - HEADER_LENGTH;
            match arrows
                .iter_mut()
                .find(|arrow| (arrow.kind, arrow.from, arrow.to) == (kind.name(), from, to))
            {
                Some(arrow) => {
                    assert_eq!(arrow.bytes, bytes, "all {kind} messages of a step are of one length");
                    arrow.count += 1;
                }
                None => arrows.push(Arrow { kind: kind.name(), from, to, count: 1, bytes }),
            }
        }
        Self { arrows, chain: log.iter().map(|sent| sent.depth).max().unwrap_or_default() }
    }

    fn bytes(&self) -> usize {
        self.arrows.iter().map(|arrow| arrow.count * arrow.bytes).sum()
    }
}

/// One READ item and one UPDATE item, a READ, an UPDATE.
fn session() -> Result<[Step; 3], Error> {
    let parameters = Parameters::new(SessionId(*b"words of a book."), LOG_SIZE)?;
    let mut session = LocalSession::new(parameters, [[1; 32], [2; 32], [3; 32]], Plain)?;
    session.connect()?;
    session.record();
    session.preprocess(Batch { reads: 1, updates: 1 })?;
    let preprocessing = Step::of(&session.take_log());
    let ([i_0, i_1], [m_0, m_1]) = (share(700, 77), share(5, 78));
    session.read([&[i_0], &[i_1]])?;
    let read = Step::of(&session.take_log());
    session.update([&[(i_0, m_0)], &[(i_1, m_1)]])?;
    Ok([preprocessing, read, Step::of(&session.take_log())])
}

/// The page, and how far down it is drawn.
struct Page {
    canvas: Canvas,
    y: f64,
}

impl Page {
    /// A band with a step's name.
    fn band(&mut self, name: &str, what: &str, step: Option<&Step>) {
        self.y += 10.0;
        self.canvas.rect("faint", [8.0, self.y, WIDTH - 16.0, 28.0], "rx=\"3\"");
        self.canvas.text(Anchor::Start, "bold", [16.0, self.y + 19.0], name);
        self.canvas.text(Anchor::Start, "", [170.0, self.y + 19.0], what);
        let cost = step.map_or_else(
            || "0 bytes".to_owned(),
            |step| format!("{} bytes, {} in a row", step.bytes(), step.chain),
        );
        self.canvas.text(Anchor::End, "bold", [WIDTH - 16.0, self.y + 19.0], &cost);
        self.y += 28.0;
    }

    /// The arrows of a step, a row for each kind of message; those between neighbours one above the other.
    fn messages(&mut self, step: &Step) {
        let mut kinds: Vec<&str> = step.arrows.iter().map(|arrow| arrow.kind).collect();
        kinds.dedup();
        for kind in kinds {
            let mut of_kind: Vec<&Arrow> = step.arrows.iter().filter(|arrow| arrow.kind == kind).collect();
            of_kind.sort_by_key(|arrow| arrow.from);
            let holds = HOLDS.iter().find(|(name, _)| *name == kind).expect("every kind is described").1;
            let start = self.y;
            // An arrow goes to the first level of the row on which nothing but arrows of its sender is, and none in its way.
            let mut levels: Vec<Vec<[usize; 3]>> = Vec::new();
            for arrow in &of_kind {
                let span = [arrow.from.min(arrow.to), arrow.from.max(arrow.to)];
                let free = |taken: &Vec<[usize; 3]>| {
                    taken.iter().all(|[from, a, b]| *from == arrow.from && (span[1] <= *a || *b <= span[0]))
                };
                let level = levels.iter().position(free).unwrap_or(levels.len());
                if level == levels.len() {
                    levels.push(Vec::new());
                }
                levels[level].push([arrow.from, span[0], span[1]]);
                self.arrow(arrow, start + STEP * (level as f64 + 1.0));
            }
            let times = of_kind[0].count;
            let name = if times > 1 { format!("{kind} (each of {times} levels)") } else { kind.to_owned() };
            self.canvas.text(Anchor::Start, "bold", [16.0, start + 20.0], &name);
            self.canvas.text(Anchor::Start, "", [16.0, start + 39.0], holds);
            self.y = start + (STEP * levels.len() as f64).max(44.0) + 8.0;
        }
    }

    fn arrow(&mut self, arrow: &Arrow, y: f64) {
        let Arrow { kind, from, to, count, bytes } = arrow;
        let (a, b) = (LINES[*from], LINES[*to]);
        let inward = if b > a { 3.0 } else { -3.0 };
        let data = format!(
            "data-kind=\"{kind}\" data-from=\"{from}\" data-to=\"{to}\" data-count=\"{count}\" data-bytes=\"{bytes}\""
        );
        self.canvas.arrow(*from, y, [a, b - inward], &data);
        let written = if *count > 1 { format!("{count} × {bytes}") } else { bytes.to_string() };
        // Beside the line that a long arrow crosses.
        let at = f64::midpoint(if from.abs_diff(*to) > 1 { LINES[1] } else { a }, b);
        self.canvas.text(Anchor::Middle, "clear", [at, y - 5.0], &written);
    }

    /// What each party does alone: lines of text on its line.
    fn alone(&mut self, does: [&[&str]; 3]) {
        let lines = does.iter().map(|lines| lines.len()).max().unwrap_or_default() as f64;
        self.y += 6.0;
        for (party, texts) in does.into_iter().enumerate() {
            if texts.is_empty() {
                continue;
            }
            let height = 21.0 * texts.len() as f64 + 9.0;
            self.canvas.rect(
                &format!("open p{party}"),
                [LINES[party] - 82.0, self.y, 164.0, height],
                "rx=\"4\"",
            );
            for (line, text) in texts.iter().enumerate() {
                self.canvas.text(
                    Anchor::Middle,
                    "",
                    [LINES[party], self.y + 20.0 + 21.0 * line as f64],
                    text,
                );
            }
        }
        self.y += 21.0 * lines + 15.0;
    }
}

/// The picture.
pub(super) fn picture() -> Result<String, Error> {
    // Twice, as the parties' lines lie below all else and are as long as the page.
    let steps = session()?;
    let height = page(&steps, 0.0).y;
    Ok(page(&steps, height).canvas.finish(height + 10.0))
}

fn page([preprocessing, read, update]: &[Step; 3], height: f64) -> Page {
    let description = format!(
        "The messages between P0, P1 and P2, with the bytes of each, in a memory of {} words. Preprocessing: {} bytes in {} \
         messages one after another. READ: {} bytes, {} messages. UPDATE: {} bytes, {} message. REFRESHBLINDS needs no message.",
        1 << LOG_SIZE,
        preprocessing.bytes(),
        preprocessing.chain,
        read.bytes(),
        read.chain,
        update.bytes(),
        update.chain
    );
    let canvas = Canvas::new(WIDTH, "The whole protocol on one page", &description);
    let mut page = Page { canvas, y: 44.0 };
    for (party, role) in [Role::P0, Role::P1, Role::P2].into_iter().enumerate() {
        page.canvas.line(&format!("p{party}"), [LINES[party], 40.0], [LINES[party], height], "");
        page.canvas.party(party, [LINES[party], 10.0], &role.to_string());
    }
    page.canvas.text(Anchor::Start, "", [16.0, 29.0], "numbers on arrows are bytes");
    page.band("Preprocessing", "one READ item, one UPDATE item", Some(preprocessing));
    page.messages(preprocessing);
    page.alone([
        &["ri_0, a share of ri", "t_0, v_0 of DPF 1, 2, 3"],
        &["ri_1, a share of ri", "t_1, v_1 of DPF 1, 2, 3"],
        &["t_0, v_0 of DPF 2", "t_1, v_1 of DPF 3"],
    ]);
    page.band("READ", "at i*, on items as above", Some(read));
    let (answers, shifts): (Vec<Arrow>, Vec<Arrow>) =
        read.arrows.iter().cloned().partition(|arrow| arrow.kind == "unblinding");
    page.messages(&Step { arrows: shifts, chain: 1 });
    page.alone([&["turn t_0 by S"], &["turn t_1 by S"], &["turn both by S"]]);
    page.messages(&Step { arrows: answers, chain: 1 });
    page.alone([&["read_0"], &["read_1"], &[]]);
    page.band("UPDATE", "by M at i*", Some(update));
    page.messages(update);
    page.alone([&["D_0 + w_0^{(1)}"], &["D_1 + w_1^{(1)}"], &[]]);
    page.band("REFRESHBLINDS", "each alone, with what it has", None);
    page.alone([
        &["ζ_0 − w_0^{(2)}", "D̃_1 + w_0^{(3)} − w_0^{(1)}"],
        &["ζ_1 − w_1^{(3)}", "D̃_0 + w_1^{(2)} − w_1^{(1)}"],
        &["ζ_0 − w_0^{(2)}", "ζ_1 − w_1^{(3)}"],
    ]);
    page
}

#[cfg(test)]
mod tests {
    use duoram_spec::paper::session::{Sent, UpdateQuery, connect, preprocess, reads, updates};
    use duoram_vectors::Random;

    use super::super::canvas::drawn;
    use super::*;

    /// Kind, from, to, and the bytes of all messages that an arrow stands for, as drawn.
    fn arrows() -> Vec<(String, usize, usize, usize)> {
        let lines = drawn(&picture().unwrap(), "line");
        let number = |line: &std::collections::BTreeMap<String, String>, name: &str| {
            line[name].parse::<usize>().unwrap()
        };
        let of_line = |line: &std::collections::BTreeMap<String, String>| {
            let bytes = number(line, "data-count") * number(line, "data-bytes");
            (line["data-kind"].clone(), number(line, "data-from"), number(line, "data-to"), bytes)
        };
        lines.iter().filter(|line| line.contains_key("data-kind")).map(of_line).collect()
    }

    fn bytes_of(kinds: &[&str]) -> usize {
        arrows().iter().filter(|arrow| kinds.contains(&arrow.0.as_str())).map(|arrow| arrow.3).sum()
    }

    #[test]
    fn the_arrows_of_read_and_update_carry_the_payload_that_bench_prints() {
        // What README.md says of any size: 48 bytes a READ, 112 an UPDATE.
        assert_eq!(bytes_of(&["shift", "unblinding"]), 48);
        assert_eq!(bytes_of(&["update", "helper update"]), 112);
    }

    #[test]
    fn every_message_of_the_specifications_session_is_an_arrow_and_nothing_else_is() {
        let mut r = Random(1);
        let tape = |r: &mut Random| r.words(4000);
        let (a, b, c) = (tape(&mut r), tape(&mut r), tape(&mut r));
        let connected = connect(LOG_SIZE as usize, &a, &b, &c).session;
        let prepared = preprocess(connected, 1, 1);
        let read = reads(prepared.session, &[(1, 2)]);
        let updated = updates(read.session, &[UpdateQuery { address: (1, 2), value: (3, 4) }]);
        let mut expected: Vec<(String, usize, usize, usize)> = Vec::new();
        for Sent { kind, from, to, payload, .. } in [prepared.sent, read.sent, updated.sent].concat() {
            let name = Paper::KINDS.iter().find(|known| known.number() == kind).unwrap().name().to_owned();
            let (from, to) = (usize::from(from), usize::from(to));
            match expected.iter_mut().find(|known| (&known.0, known.1, known.2) == (&name, from, to)) {
                Some(known) => known.3 += payload.len(),
                None => expected.push((name, from, to, payload.len())),
            }
        }
        let mut found = arrows();
        expected.sort();
        found.sort();
        assert_eq!(found, expected);
    }

    #[test]
    fn the_helper_is_drawn_without_any_message_to_it_that_has_a_share_of_memory_or_result() {
        let mut to_helper: Vec<String> =
            arrows().into_iter().filter(|arrow| arrow.2 == 2).map(|arrow| arrow.0).collect();
        to_helper.sort();
        to_helper.dedup();
        assert_eq!(to_helper, ["helper keys", "helper update", "shift"]);
    }
}
