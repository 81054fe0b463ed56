"""The project's test vectors, `spec/vectors/*.json`, whose README says what is in them."""

import json
from pathlib import Path
from typing import List

import pytest

folder = Path(__file__).resolve().parents[3] / "spec" / "vectors"  # or --vectors


def words(text: str) -> List[int]:
    """Words, 8 bytes each, lowest first."""
    return [int.from_bytes(bytes.fromhex(text[i : i + 16]), "little") for i in range(0, len(text), 16)]


def word(text: str) -> int:
    """One word."""
    (one,) = words(text)
    return one


def blocks(text: str) -> List[int]:
    """Blocks, 16 bytes each, lowest first."""
    return [int.from_bytes(bytes.fromhex(text[i : i + 32]), "little") for i in range(0, len(text), 32)]


def block(text: str) -> int:
    """One block."""
    (one,) = blocks(text)
    return one


def bits(text: str) -> List[int]:
    """Bits, in order."""
    return [int(bit) for bit in text]


def pair(of: dict, name: str) -> tuple:
    """The words `name_0` and `name_1`."""
    return word(of[f"{name}_0"]), word(of[f"{name}_1"])


def read(name: str) -> dict:
    """A file of vectors."""
    return json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))


def good(name: str):
    """Runs a test for each vector of a file, as its argument `vector`."""
    return pytest.mark.parametrize("vector", [pytest.param(v, id=v["name"]) for v in read(name)["vectors"]])


def faulty(name: str):
    """Runs a test for each file of known faults of `name`, as its argument `fault`: what its `about` says must not be so."""
    found = sorted(file.stem for file in folder.glob(f"{name}_bad_*.json"))
    assert found, f"no vectors of known faults: {name}"
    return pytest.mark.parametrize("fault", [pytest.param(read(stem), id=stem) for stem in found])
