"""What a leaf on large masses remembers, and how it is kept."""

from __future__ import annotations

from typing import Any, NamedTuple

from bondline.core import Serialising, Tree, Vector
from bondline.wire import pack, unpack


class MassState(NamedTuple):
    """The leaf's own state, and the last step of the large masses."""

    inside: Any
    f_e: Vector  # loads on the large masses at t
    f_i: Vector  # what they exert on the structure
    v: Vector  # their velocities r'
    a: Vector  # their accelerations r''
    rate: Vector  # how f_i changed over the last window, per second
    share: Vector | None = None  # C over that of the masses alone, once it is known
    largest: float = 0.0  # |f_i| so far
    drift: float = 0.0  # how far a led port is from where it was told to be


def dump(leaf: Serialising[Any], state: MassState) -> bytes:
    """As bytes."""
    inside, *rest = state
    tree: list[Tree] = [leaf.dump(inside), *rest]
    return pack(tree)


def load(leaf: Serialising[Any], data: bytes) -> MassState:
    """The state that `dump` wrote."""
    tree: Any = unpack(data)
    inside, *rest = tree
    return MassState(leaf.load(inside), *rest)
