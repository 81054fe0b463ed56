"""An oblivious memory on two or three hosts, for those who own its words.

    from duoram_client import Memory

    with Memory("client.toml") as memory:
        memory[7] = 50
        print(memory[7], memory.read([1, 2, 3]))

Where an address holds a row of words, `read_rows`, `write_row` and so on take and give lists of `row_words` of them.

A thin layer over the C library libduoram_client_c (`cargo build --release -p duoram-client-c`), which is looked for at the path in
DUORAM_CLIENT_LIBRARY, and else where the system looks for libraries. Words are integers from 0 to 2^64 - 1; what is written may be
negative, and is taken mod 2^64. Calls wait; other threads of Python go on.
"""

import ctypes
import ctypes.util
import os

__all__ = ["Memory", "Error", "Again", "Refused", "Invalid"]


class Error(Exception):
    """The memory is of no more use; a request may be done or not."""


class Again(Error):
    """Refused for now; nothing has changed. After `retry_after` seconds it may go better."""

    def __init__(self, text, retry_after):
        super().__init__(text)
        self.retry_after = retry_after


class Refused(Error):
    """Refused by the parties; nothing has changed."""


class Invalid(Error, ValueError):
    """An argument is wrong; nothing was asked."""


_DONE, _AGAIN, _REFUSED, _INVALID = range(4)
_WORD = ctypes.c_uint64
_WORDS = ctypes.POINTER(_WORD)
_MEMORY = ctypes.c_void_p


def _load_library():
    path = os.environ.get("DUORAM_CLIENT_LIBRARY") or ctypes.util.find_library("duoram_client_c")
    if path is None:
        raise ImportError("libduoram_client_c is not found: set DUORAM_CLIENT_LIBRARY to its path")
    library = ctypes.CDLL(path)
    for name, result, arguments in [
        ("open", _MEMORY, [ctypes.c_char_p]),
        ("close", None, [_MEMORY]),
        ("len", _WORD, [_MEMORY]),
        ("row_words", ctypes.c_size_t, [_MEMORY]),
        ("read", ctypes.c_int, [_MEMORY, _WORDS, ctypes.c_size_t, _WORDS]),
        ("update", ctypes.c_int, [_MEMORY, _WORDS, _WORDS, ctypes.c_size_t]),
        ("write", ctypes.c_int, [_MEMORY, _WORD, _WORD]),
        ("swap", ctypes.c_int, [_MEMORY, _WORD, _WORD, _WORDS]),
        ("chase", ctypes.c_int, [_MEMORY, _WORD, _WORD, _WORDS]),
        ("read_rows", ctypes.c_int, [_MEMORY, _WORDS, ctypes.c_size_t, _WORDS]),
        ("update_rows", ctypes.c_int, [_MEMORY, _WORDS, _WORDS, ctypes.c_size_t]),
        ("write_row", ctypes.c_int, [_MEMORY, _WORD, _WORDS]),
        ("swap_row", ctypes.c_int, [_MEMORY, _WORD, _WORDS, _WORDS]),
        ("chase_row", ctypes.c_int, [_MEMORY, _WORD, _WORD, _WORDS]),
        ("load", ctypes.c_int, [_MEMORY, _WORDS, ctypes.c_size_t]),
        ("error", ctypes.c_char_p, []),
        ("retry_after_ms", ctypes.c_uint32, []),
    ]:
        function = getattr(library, "duoram_" + name)
        function.restype, function.argtypes = result, arguments
    return library


_library = _load_library()


def _error():
    return _library.duoram_error().decode(errors="replace")


def _check(code):
    if code == _DONE:
        return
    if code == _AGAIN:
        raise Again(_error(), _library.duoram_retry_after_ms() / 1000)
    raise {_REFUSED: Refused, _INVALID: Invalid}.get(code, Error)(_error())


def _address(number):
    # ctypes would take it mod 2^64.
    if not 0 <= number < 1 << 64:
        raise Invalid(f"expected an address from 0, got {number}")
    return number


def _word(number):
    if not -(1 << 63) <= number < 1 << 64:
        raise Invalid(f"expected a word of 64 bits, got {number}")
    return number % (1 << 64)


def _array(numbers):
    return (_WORD * len(numbers))(*numbers)


class Memory:
    """An oblivious memory: `path` is that of the client's settings, which `duoram deploy` has written. Waits until P0 and P1 are there."""

    def __init__(self, path):
        self._memory = None
        self._memory = _library.duoram_open(os.fsencode(path))
        if self._memory is None:
            raise Error(_error())

    def close(self):
        """Ends its links. No other thread may be in a call."""
        memory, self._memory = self._memory, None
        _library.duoram_close(memory)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_memory", None) is not None:
            self.close()

    def __len__(self):
        return _library.duoram_len(self._memory)

    def __getitem__(self, address):
        return self.read([address])[0]

    def __setitem__(self, address, value):
        self.write(address, value)

    def read(self, addresses):
        """The words at some addresses, asked for at the same time."""
        addresses = _array([_address(address) for address in addresses])
        words = (_WORD * len(addresses))()
        _check(_library.duoram_read(self._memory, addresses, len(addresses), words))
        return list(words)

    def update(self, updates):
        """Adds to words, in the sense of the protocol: pairs of an address and what is added. If it fails, some may have been added to."""
        updates = list(updates)
        addresses = _array([_address(address) for address, _ in updates])
        deltas = _array([_word(delta) for _, delta in updates])
        _check(_library.duoram_update(self._memory, addresses, deltas, len(updates)))

    def write(self, address, value):
        """Sets a word."""
        _check(_library.duoram_write(self._memory, _address(address), _word(value)))

    def swap(self, address, value):
        """Sets a word; what it was."""
        old = _WORD()
        _check(_library.duoram_swap(self._memory, _address(address), _word(value), ctypes.byref(old)))
        return old.value

    def chase(self, address, steps):
        """Reads at an address, then at the word that was read there, and so on; the last word. Nothing in between is opened."""
        word = _WORD()
        _check(_library.duoram_chase(self._memory, _address(address), _address(steps), ctypes.byref(word)))
        return word.value

    @property
    def row_words(self):
        """The words at an address: 1 or, where it holds a row, so many."""
        return _library.duoram_row_words(self._memory)

    def _row(self, words):
        row = [_word(word) for word in words]
        # C would read and write as many as there are in a row, whatever is there.
        if len(row) != self.row_words:
            raise Invalid(f"expected a row of {self.row_words} words, got {len(row)}")
        return row

    def _rows(self, words):
        width = self.row_words
        return [list(words[first : first + width]) for first in range(0, len(words), width)]

    def read_rows(self, addresses):
        """The rows at some addresses, asked for at the same time."""
        addresses = _array([_address(address) for address in addresses])
        words = (_WORD * (len(addresses) * self.row_words))()
        _check(_library.duoram_read_rows(self._memory, addresses, len(addresses), words))
        return self._rows(words)

    def update_rows(self, updates):
        """Adds to rows: pairs of an address and the row that is added. If it fails, some may have been added to."""
        updates = list(updates)
        addresses = _array([_address(address) for address, _ in updates])
        deltas = _array([word for _, row in updates for word in self._row(row)])
        _check(_library.duoram_update_rows(self._memory, addresses, deltas, len(updates)))

    def write_row(self, address, row):
        """Sets a row."""
        _check(_library.duoram_write_row(self._memory, _address(address), _array(self._row(row))))

    def swap_row(self, address, row):
        """Sets a row; what it was."""
        old = (_WORD * self.row_words)()
        _check(_library.duoram_swap_row(self._memory, _address(address), _array(self._row(row)), old))
        return list(old)

    def chase_row(self, address, steps):
        """Reads at an address, then at the first word of the row that was read there, and so on; the last row."""
        row = (_WORD * self.row_words)()
        _check(_library.duoram_chase_row(self._memory, _address(address), _address(steps), row))
        return list(row)

    def load(self, words):
        """The whole memory, rows one behind the other; words that are not given are 0."""
        words = _array([_word(word) for word in words])
        _check(_library.duoram_load(self._memory, words, len(words)))
