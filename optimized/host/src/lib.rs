//! A party as a process of its own: its configuration, its engine, its links, its state on disk, and what an operator sees.
#![forbid(unsafe_code)]
