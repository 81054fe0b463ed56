"""Small things that tests are made with."""

import random as random_module

ALL = 2**128 - 1


def mixed(label, factor, term):
    """Some function of a label without its flag, whose every bit depends on many."""
    x = ((label & ~1) * factor + term) & ALL
    return x ^ x >> 61


class ToyPrg:
    """A PRG that hides nothing, but is quick. A DPF is *correct* with any PRG, so most tests use this one; that it is *private*
    takes a good one. Counts its calls."""

    def __init__(self):
        self.calls = 0

    def left(self, label):
        self.calls += 1
        return mixed(label, 0x9E3779B97F4A7C15F39CC0605CEDC835, 0x2545F4914F6CDD1D2545F4914F6CDD1D)

    def right(self, label):
        self.calls += 1
        return mixed(label, 0xDA942042E4DD58B5D6E8FEB86659FD93, 0x5851F42D4C957F2D14057B7EF767814F)


def seeded(name: str) -> random_module.Random:
    """Test data that is the same in each run."""
    return random_module.Random(name)


def words(random, n: int) -> list:
    """n words."""
    return [random.getrandbits(64) for _ in range(n)]
