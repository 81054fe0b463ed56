//! Chapter 1: a linear scan, and what an operation sends for memories of several sizes.

use duoram_spec::core::vector::{dot, unit_vector};
use duoram_spec::paper::session::{Sent, UpdateQuery, connect, load, preprocess, reads, updates};

use crate::files::Page;
use crate::table::Table;
use duoram_vectors::Random;

/// The tables of the chapter.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        Page::new("linear-scan.md", linear_scan()),
        Page::new("online-words-by-depth.md", online_words_by_depth()),
    ]
}

fn linear_scan() -> String {
    let mut r = Random(1);
    let memory: Vec<u64> = (0..8).map(|_| 10 + r.below(90)).collect();
    let target = 5;
    let unit: Vec<u64> = unit_vector(memory.len(), target);
    let sum = dot(&memory, &unit);
    assert_eq!(sum, memory[target]);
    let mut table = Table::new([
        "address $i$",
        "$\\mathbf{D}[i]$",
        "$\\mathbf{e}[i]$",
        "$\\mathbf{D}[i] \\cdot \\mathbf{e}[i]$",
    ]);
    for i in 0..memory.len() {
        table.row([&i, &memory[i], &unit[i], &(memory[i] * unit[i])]);
    }
    table.row([&"sum", &"", &"", &format!("{sum}, which is $\\mathbf{{D}}[{target}]$")]);
    table.under(format!("A memory of {} words, and the unit vector of the address {target}:", memory.len()))
}

/// Words that messages hold, over all links.
fn words(sent: &[Sent]) -> usize {
    sent.iter().map(|message| message.payload.len()).sum::<usize>() / 8
}

fn online_words_by_depth() -> String {
    let mut r = Random(2);
    let mut table = Table::new(["depth h", "size n", "words sent for a READ", "words sent for an UPDATE"]);
    for log_size in [1, 3, 5, 8] {
        let n = 1 << log_size;
        let tapes = (r.words(n + 100), r.words(n + 100), r.words(2000));
        let session = connect(log_size, &tapes.0, &tapes.1, &tapes.2).session;
        let session = load(session, &r.words(n), &r.words(n)).session;
        let session = preprocess(session, 1, 1).session;
        let read = reads(session, &[(r.word(), r.word())]);
        let query = UpdateQuery { address: (r.word(), r.word()), value: (r.word(), r.word()) };
        let update = updates(read.session, &[query]);
        assert_eq!((words(&read.sent), words(&update.sent)), (6, 14), "for every size the same");
        table.row([&log_size, &n, &words(&read.sent), &words(&update.sent)]);
    }
    table.under("Counted in sessions of the specification, over all links; a word has 8 bytes:")
}
