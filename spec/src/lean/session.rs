//! A whole session: the parties' functions, put together.
