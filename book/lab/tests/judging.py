"""How a test says what is wrong: first the concept, then why, then what was expected and what came."""

import pytest

from duoram_given.words import word


def shown(x) -> str:
    """A value for a reader: large integers in hex."""
    if isinstance(x, (list, tuple)):
        return "[" + ", ".join(shown(y) for y in x) + "]"
    return hex(x) if isinstance(x, int) and not isinstance(x, bool) and abs(x) > 0xFFFF else repr(x)


def difference(got, expected, place=""):
    """Where two values first differ, and what stands there: None if nowhere. Lists and tuples with the same items are equal."""
    both = [x for x in (got, expected) if isinstance(x, (list, tuple))]
    if len(both) != 2:
        return None if not both and got == expected else (place, got, expected)
    if len(got) != len(expected):
        return f"{place} (the length)", len(got), len(expected)
    names = getattr(expected, "_fields", None) or getattr(got, "_fields", None)
    for i, (x, y) in enumerate(zip(got, expected)):
        found = difference(x, y, f"{place}.{names[i]}" if names else f"{place}[{i}]")
        if found:
            return found
    return None


def fail(concept: str, why: str, more: str = "") -> None:
    """Fails, and names the concept."""
    __tracebackhide__ = True
    pytest.fail(f"concept: {concept}\n{why}{more}", pytrace=False)


def expect(got, expected, concept: str, why: str) -> None:
    """`got` is `expected`."""
    __tracebackhide__ = True
    found = difference(got, expected)
    if found:
        place, one, other = found
        more = f"\nat {place.lstrip('. ')}:" if place else ""
        more += f"\n  expected {shown(other)}\n  got      {shown(one)}"
        if isinstance(one, int) and isinstance(other, int) and one != other and word(one) == other:
            more += "\n(right mod 2^64, but not reduced: duoram_given.words.word does it)"
        fail(concept, why, more)


def expect_not(got, forbidden, concept: str, why: str) -> None:
    """`got` is not `forbidden`."""
    __tracebackhide__ = True
    if not difference(got, forbidden):
        fail(concept, why, f"\n  got      {shown(got)}")


def expect_that(holds: bool, concept: str, why: str) -> None:
    """It holds."""
    __tracebackhide__ = True
    if not holds:
        fail(concept, why)
