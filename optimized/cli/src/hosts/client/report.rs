//! What a client prints.

use std::fmt;

use duoram_client::Config;
use duoram_reference::Role;
use duoram_runtime::operation::{Operation, Row};
use serde::Serialize;
use serde_json::Value;

use crate::run::OperationReport;

/// What was done.
#[derive(Serialize)]
pub(super) struct Report {
    client: String,
    protocol: String,
    log_size: u32,
    rows: u64,
    row_words: usize,
    /// Words of a file that was loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    loaded: Option<usize>,
    operations: Vec<OperationReport>,
}

impl Report {
    pub(super) fn new(config: &Config) -> Self {
        Self {
            client: config.name.to_string(),
            protocol: config.protocol.to_string(),
            log_size: config.log_size,
            rows: config.addresses(),
            row_words: config.row_words,
            loaded: None,
            operations: Vec::new(),
        }
    }

    pub(super) fn loaded(config: &Config, words: usize) -> Self {
        Self { loaded: Some(words), ..Self::new(config) }
    }

    pub(super) fn add(&mut self, line: usize, operation: &Operation, result: Option<Row>) {
        self.operations.push(OperationReport::new(line, operation, result));
    }
}

/// How a party is.
#[derive(Serialize)]
pub(super) struct StatusReport {
    party: String,
    /// What it says of itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<Value>,
    /// Why it says nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl StatusReport {
    pub(super) fn new(role: Role, status: Result<String, duoram_client::Error>) -> Self {
        let status = status.map_err(|error| error.to_string());
        let status = status.and_then(|text| {
            serde_json::from_str(&text).map_err(|error| format!("{role}: expected a status in JSON: {error}"))
        });
        let (status, error) = status.map_or_else(|error| (None, Some(error)), |status| (Some(status), None));
        Self { party: role.to_string(), status, error }
    }
}

/// One line: what most want to know.
impl fmt::Display for StatusReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(status) = &self.status else {
            return formatter.write_str(self.error.as_deref().unwrap_or_default());
        };
        write!(formatter, "{}: ", self.party)?;
        match status["waits_for"].as_array() {
            _ if status["ready"] == true => formatter.write_str("ready")?,
            Some(waits) if !waits.is_empty() => {
                let waits: Vec<_> = waits.iter().filter_map(Value::as_str).collect();
                write!(formatter, "waits for {}", waits.join(", "))?;
            }
            _ => formatter.write_str("not ready")?,
        }
        write!(
            formatter,
            ", {}loaded, stock {} reads {} updates",
            if status["loaded"] == true { "" } else { "not " },
            status["stock"]["reads"],
            status["stock"]["updates"],
        )
    }
}
