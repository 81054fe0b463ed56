//! Chapter 21: the test vectors, and one of them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::Error;
use crate::files::Page;
use crate::repository::{Repository, form};
use crate::table::Table;

const FOLDER: &str = "spec/vectors";

/// A file of test vectors, its fields in the order of the file.
#[derive(Deserialize, Serialize)]
struct TestFile {
    about: String,
    paper: String,
    schema: u32,
    vectors: Vec<Value>,
}

/// The example and the list of the chapter.
pub(crate) fn pages(repository: &Repository) -> Result<Vec<Page>, Error> {
    Ok(vec![
        Page::new("vector-example.md", example(repository)?),
        Page::new("vector-files.md", list(repository)?),
    ])
}

fn example(repository: &Repository) -> Result<String, Error> {
    let path = format!("{FOLDER}/prg.json");
    let mut file: TestFile = repository.json(&path)?;
    let count = file.vectors.len();
    file.vectors.truncate(1);
    let shown =
        serde_json::to_string_pretty(&file).map_err(|source| Error::Json { path: path.clone(), source })?;
    Ok(format!("`{path}`, with the first of its {count} vectors:\n\n```json\n{shown}\n```\n"))
}

fn list(repository: &Repository) -> Result<String, Error> {
    let names = repository.names(FOLDER, "json")?;
    let (faults, topics): (Vec<_>, Vec<_>) = names.iter().partition(|name| name.contains("_bad_"));
    let mut table = Table::new(["file", "vectors", "files of known faults", "vectors in them"]);
    let (mut good, mut bad, mut listed) = (0, 0, 0);
    for topic in &topics {
        let count = |name: &str| -> Result<usize, Error> {
            Ok(repository.json::<TestFile>(&format!("{FOLDER}/{name}"))?.vectors.len())
        };
        let prefix = topic.replace(".json", "_bad_");
        let of_topic: Vec<&str> =
            faults.iter().map(|name| name.as_str()).filter(|name| name.starts_with(&prefix)).collect();
        let mut vectors_of_faults = 0;
        for name in &of_topic {
            vectors_of_faults += count(name)?;
        }
        let vectors = count(topic)?;
        let shown: Vec<String> = of_topic.iter().map(|name| format!("`{name}`")).collect();
        table.row([&format!("`{topic}`"), &vectors, &shown.join(", "), &vectors_of_faults]);
        good += vectors;
        bad += vectors_of_faults;
        listed += of_topic.len();
    }
    if listed != faults.len() {
        return Err(form(FOLDER, "a file of a known fault belongs to no file or to two"));
    }
    let totals = [format!("in all {} files", topics.len()), format!("{listed} files")];
    table.row([&totals[0], &good, &totals[1], &bad]);
    Ok(table.folded(format!("All {} files, {listed} of them of known faults", names.len())))
}
