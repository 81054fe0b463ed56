//! A trace as a TLA+ module of constants.

use std::fmt::Write as _;

use crate::format::{Event, Party, Step, Trace};

/// The number that stands for nobody: the `peer` of what a party does alone.
const NOBODY: usize = 3;

/// The module `TraceData`: `Protocol`, `SpeaksAfter`, `Lanes`, `Depth`, `Chunks`, `Program` (the plan) and `Trace` (the events).
pub fn module(trace: &Trace) -> String {
    let plan = &trace.plan;
    format!(
        "---- MODULE TraceData ----\nEXTENDS Naturals, Sequences\n\nProtocol == \"{}\"\nSpeaksAfter == \"{}\"\nLanes == {}\nDepth == {}\nChunks == {}\n\n\
         Program == {}\n\nTrace == {}\n====\n",
        plan.protocol.name(),
        plan.speaks_after.name(),
        plan.lanes,
        plan.log_size,
        plan.chunks,
        sequence(plan.steps.iter().map(step)),
        sequence(trace.events.iter().map(event)),
    )
}

/// A sequence, one element a line.
fn sequence(elements: impl Iterator<Item = String>) -> String {
    let mut text = String::new();
    for (number, element) in elements.enumerate() {
        let separator = if number == 0 { "" } else { "," };
        // Writing to a string does not fail.
        let _ = write!(text, "{separator}\n  {element}");
    }
    if text.is_empty() { "<< >>".to_owned() } else { format!("<<{text}\n>>") }
}

const fn boolean(value: bool) -> &'static str {
    if value { "TRUE" } else { "FALSE" }
}

fn step(step: &Step) -> String {
    let name = step.name();
    match *step {
        Step::Connect | Step::Load => format!("[op |-> \"{name}\"]"),
        Step::Preprocess { reads, updates } => {
            format!("[op |-> \"{name}\", reads |-> {reads}, updates |-> {updates}]")
        }
        Step::Read { count, after } | Step::Update { count, after } => online(name, count, after),
        Step::Write | Step::Swap => online(name, 1, false),
    }
}

fn online(name: &str, count: u32, after: bool) -> String {
    format!("[op |-> \"{name}\", count |-> {count}, after |-> {}]", boolean(after))
}

/// Kinds are among the known ones, so they need no quoting.
fn event(event: &Event) -> String {
    let items: Vec<String> = event.items.iter().map(u32::to_string).collect();
    format!(
        "[party |-> {}, event |-> \"{}\", peer |-> {}, kind |-> \"{}\", operation |-> {}, round |-> {}, \
         items |-> <<{}>>, size |-> {}]",
        event.party.index(),
        event.event.name(),
        event.peer.map_or(NOBODY, Party::index),
        event.kind,
        event.operation,
        event.round,
        items.join(", "),
        event.size,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_step_and_event() {
        let text = concat!(
            r#"{"trace":3,"protocol":"paper","speaks_after":"nothing","lanes":1,"log_size":10,"chunks":1,"steps":[{"step":"connect"},{"step":"load"},"#,
            r#"{"step":"preprocess","reads":20,"updates":3},{"step":"read","count":1,"after":false},"#,
            r#"{"step":"update","count":2,"after":true}]}"#,
            "\n",
            r#"{"party":"P0","event":"send","peer":"P1","kind":"hello","operation":0,"round":0,"items":[],"size":24}"#,
            "\n",
            r#"{"party":"P2","event":"receive","peer":"P0","kind":"helper update","operation":5,"round":4,"items":[3,22],"size":48}"#,
            "\n",
            r#"{"party":"P1","event":"apply","peer":null,"kind":"read","operation":3,"round":0,"items":[7],"size":0}"#,
        );
        let expected = r#"---- MODULE TraceData ----
EXTENDS Naturals, Sequences

Protocol == "paper"
SpeaksAfter == "nothing"
Lanes == 1
Depth == 10
Chunks == 1

Program == <<
  [op |-> "connect"],
  [op |-> "load"],
  [op |-> "preprocess", reads |-> 20, updates |-> 3],
  [op |-> "read", count |-> 1, after |-> FALSE],
  [op |-> "update", count |-> 2, after |-> TRUE]
>>

Trace == <<
  [party |-> 0, event |-> "send", peer |-> 1, kind |-> "hello", operation |-> 0, round |-> 0, items |-> <<>>, size |-> 24],
  [party |-> 2, event |-> "receive", peer |-> 0, kind |-> "helper update", operation |-> 5, round |-> 4, items |-> <<3, 22>>, size |-> 48],
  [party |-> 1, event |-> "apply", peer |-> 3, kind |-> "read", operation |-> 3, round |-> 0, items |-> <<7>>, size |-> 0]
>>
====
"#;
        assert_eq!(module(&Trace::parse(text).unwrap()), expected);
    }

    #[test]
    fn a_lean_write_has_one_query() {
        let text = concat!(
            r#"{"trace":3,"protocol":"lean","speaks_after":"commands","lanes":2,"log_size":1,"chunks":1,"steps":[{"step":"write"},{"step":"swap"}]}"#,
            "\n",
            r#"{"party":"P2","event":"send","peer":"P0","kind":"write","operation":0,"round":0,"items":[0],"size":8}"#,
            "\n",
            r#"{"party":"P1","event":"acknowledge","peer":"P0","kind":"messages","operation":0,"round":0,"items":[],"size":7}"#,
        );
        let module = module(&Trace::parse(text).unwrap());
        assert!(
            module.contains("\nProtocol == \"lean\"\nSpeaksAfter == \"commands\"\nLanes == 2\n"),
            "{module}"
        );
        assert!(module.contains("[op |-> \"write\", count |-> 1, after |-> FALSE],\n"), "{module}");
        assert!(
            module.contains("event |-> \"acknowledge\", peer |-> 0, kind |-> \"messages\"")
                && module.contains("items |-> <<>>, size |-> 7]\n"),
            "{module}"
        );
        assert!(module.contains("[op |-> \"swap\", count |-> 1, after |-> FALSE]\n"), "{module}");
    }

    #[test]
    fn a_trace_without_events() {
        let text = r#"{"trace":3,"protocol":"paper","speaks_after":"nothing","lanes":1,"log_size":1,"chunks":1,"steps":[]}"#;
        let module = module(&Trace::parse(text).unwrap());
        assert!(module.contains("Program == << >>\n\nTrace == << >>\n===="), "{module}");
    }
}
