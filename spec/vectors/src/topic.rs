//! A topic: the good file, and a bad file for each fault.

use serde_json::{Value, json};

/// One kind of computation, and the inputs it is shown on.
pub(crate) struct Topic<C> {
    /// The name of the good file, without `.json`.
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// Where the paper, or another source, has it.
    pub(crate) paper: &'static str,
    /// Each with its name.
    pub(crate) cases: Vec<(String, C)>,
    pub(crate) input: fn(&C) -> Value,
    /// By the specification's own functions.
    pub(crate) output: fn(&C) -> Value,
}

/// A way to get it wrong.
pub(crate) struct Fault<C> {
    /// What follows `_bad_` in the file's name.
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// The output, wrong.
    pub(crate) output: fn(&C) -> Value,
}

impl<C> Topic<C> {
    /// The good file and the bad ones. A case on which a fault does not show is not in the fault's file.
    pub(crate) fn files(&self, faults: &[Fault<C>]) -> Vec<(String, Value)> {
        let good = self.file(self.about, |case| Some((self.output)(case)));
        let bad = faults.iter().map(|fault| {
            let wrong = |case: &C| Some((fault.output)(case)).filter(|output| *output != (self.output)(case));
            (format!("{}_bad_{}.json", self.name, fault.name), self.file(fault.about, wrong))
        });
        [(format!("{}.json", self.name), good)].into_iter().chain(bad).collect()
    }

    fn file(&self, about: &str, output: impl Fn(&C) -> Option<Value>) -> Value {
        let vectors: Vec<Value> = self
            .cases
            .iter()
            .filter_map(|(name, case)| {
                let output = output(case)?;
                Some(json!({ "name": name, "input": (self.input)(case), "output": output }))
            })
            .collect();
        json!({ "schema": 1, "about": about, "paper": self.paper, "vectors": vectors })
    }
}
