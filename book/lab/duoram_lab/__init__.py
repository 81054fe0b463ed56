"""The laboratory: DUORAM in your own hand. Start with `sharing.py`; `book/lab/README.md` says in which order to go on."""
