"""The hash chain: one SHA-256 that stands for every bit of a run.

    seed  = SHA-256(what decides the bits: model, its digest, grid, settings)
    h_-1  = seed
    h_n   = SHA-256(h_n-1, n, t_n, SHA-256(layout of window n), its numbers, its shapes)

The last link is the SHA-256 of the run. Nothing in it depends on the clock, on the
machine's name or on how windows were grouped into commits.
"""

from __future__ import annotations

import hashlib
import json
import struct
from dataclasses import dataclass
from typing import Any


def canonical(tree: Any) -> str:
    """JSON with one spelling: sorted keys, no spaces, numbers that round-trip.

    >>> canonical({"b": 0.1, "a": [1, True]})
    '{"a":[1,true],"b":0.1}'
    """
    return json.dumps(tree, sort_keys=True, separators=(",", ":"), allow_nan=False)


def digest(*pieces: bytes) -> bytes:
    """SHA-256 over pieces, with their lengths, so that none can lend to another."""
    sha = hashlib.sha256()
    for piece in pieces:
        sha.update(struct.pack("<Q", len(piece)))
        sha.update(piece)
    return sha.digest()


@dataclass(frozen=True, slots=True)
class Packed:
    """A frame as it is stored: its layout's digest, its numbers, and its shapes apart.

    Shapes are most of the bytes and of use to few readers.
    """

    layout: bytes
    numbers: bytes
    shapes: bytes


def link(before: bytes, n: int, t: float, packed: Packed) -> bytes:
    """h_n from h_n-1."""
    return digest(
        before,
        struct.pack("<qd", n, t),
        packed.layout,
        packed.numbers,
        packed.shapes,
    )


def checkpoint_seal(head: bytes, n: int, t: float, state: bytes) -> bytes:
    """Ties a state to the window it belongs to."""
    return digest(b"checkpoint", head, struct.pack("<qd", n, t), state)
