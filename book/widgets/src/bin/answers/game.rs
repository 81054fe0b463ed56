//! The game: the view of a round, then the tool's lines, then the end of the round, then the next one, then twenty by the tool.
//!
//! Here, unlike in the rest of this program, the values are the library's own, run natively: that they are what the
//! specification's sessions send, and what the tools win, is tested beside the game (`src/game`). What is said again here is
//! what stands in which cell, and the score.

use duoram_book_widgets::{game_guess, game_play, game_round, game_score, game_tool};
use serde_json::{Value, json};

use crate::cells::{Cells, PUBLIC, Views, text};

const SERIES: u64 = 20;

fn ask(what: fn(&str) -> String, form: &Value, round: u64, more: (&str, Value)) -> Value {
    let mut fields = json!({
        "fault": form["fault"], "protocol": form["protocol"], "seed": form["seed"], "round": round.to_string(),
    });
    fields[more.0] = more.1;
    let answer: Value = serde_json::from_str(&what(&fields.to_string())).unwrap_or_default();
    assert!(answer["error"].is_null(), "{answer}");
    answer
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn lines(cells: &mut Cells, title: &str, section: &Value) {
    for line in list(&section["lines"]) {
        for (at, word) in list(&line["words"]).iter().enumerate() {
            cells.set(format!("{title}.{}[{at}]", text(line, "name")), string(word), PUBLIC);
        }
    }
}

/// A round before the tool is used.
fn round(form: &Value, number: u64) -> Cells {
    let shown = ask(game_round, form, number, ("guess", json!("")));
    let mut cells = Cells::default();
    cells.set("round", number, PUBLIC);
    for (at, word) in list(&shown["memory"]).iter().enumerate() {
        cells.set(format!("memory[{at}]"), string(word), PUBLIC);
    }
    for (side, script) in ["A", "B"].iter().zip(list(&shown["scripts"])) {
        cells.set(*side, string(script), PUBLIC);
    }
    for section in list(&shown["sections"]) {
        lines(&mut cells, text(section, "title"), section);
    }
    let drawn: Vec<String> = list(&shown["drawn"]).iter().map(string).collect();
    cells.set("drawn", drawn.join(" "), PUBLIC);
    for (at, message) in list(&shown["messages"]).iter().enumerate() {
        cells.set(format!("message{at}"), text(message, "bytes"), PUBLIC);
    }
    cells
}

fn string(value: &Value) -> String {
    value.as_str().unwrap_or("").to_owned()
}

fn score(cells: &mut Cells, form: &Value, wins: u64, rounds: u64) {
    for protocol in ["as-it-is", "with-fault"] {
        let (wins, rounds) = if form["protocol"] == protocol { (wins, rounds) } else { (0, 0) };
        let fields = json!({ "wins": wins.to_string(), "rounds": rounds.to_string() });
        let says: Value = serde_json::from_str(&game_score(&fields.to_string())).unwrap_or_default();
        cells.set(format!("{protocol}.score"), format!("{wins} of {rounds}"), PUBLIC);
        cells.set(format!("{protocol}.chance"), string(&says["says"]), PUBLIC);
    }
}

/// Guesses what the form says. It has a field `guess` beside those of the page.
pub(crate) fn steps(form: &Value) -> Vec<Views> {
    let mut first = round(form, 1);
    score(&mut first, form, 0, 0);

    let computed = ask(game_tool, form, 1, ("guess", json!("")));
    let mut tool = round(form, 1);
    lines(&mut tool, "Tool", &computed);
    tool.set("says", string(&computed["says"]), PUBLIC);
    let mut told = tool.clone();
    score(&mut tool, form, 0, 0);

    let end = ask(game_guess, form, 1, ("guess", form["guess"].clone()));
    let right = end["right"] == true;
    let verdict = if right { "Right" } else { "Wrong" };
    told.set("told", format!("{verdict}: it was {}.", string(&end["was"])), PUBLIC);
    score(&mut told, form, u64::from(right), 1);

    let mut next = round(form, 2);
    score(&mut next, form, u64::from(right), 1);

    let won = ask(game_play, form, 2, ("count", json!(SERIES.to_string())));
    let wins = u64::from(right) + won["wins"].as_u64().unwrap_or(0);
    let mut last = round(form, 2 + SERIES);
    score(&mut last, form, wins, 1 + SERIES);

    [first, tool, told, next, last].iter().map(Cells::views).collect()
}
