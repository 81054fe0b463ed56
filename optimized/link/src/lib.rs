//! What the processes of three hosts say to each other: pinned keys, TLS, envelopes, messages.
#![forbid(unsafe_code)]
