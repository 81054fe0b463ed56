//! The payloads of all messages as bytes.
