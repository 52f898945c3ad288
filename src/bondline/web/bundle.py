"""Bundles: arrays and a few words about them as one piece of bytes.

Four bytes hold the length of a JSON head (little-endian), then comes the head, filled
up with blanks to a multiple of eight, then the arrays, each at a multiple of eight.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

MEDIA = "application/octet-stream"
_KINDS = {"f": "<f4", "d": "<f8", "I": "<u4"}


def bundle(about: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """The bytes; arrays are float64, float32 or uint32.

    >>> piece = bundle({"n": 1}, {"t": np.array([0.5])})
    >>> len(piece) % 8, sorted(unbundle(piece)[1])
    (0, ['t'])
    """
    places, pieces, at = [], [], 0
    for name, array in arrays.items():
        kind = _KINDS[array.dtype.char if array.dtype.char in _KINDS else "d"]
        data = np.ascontiguousarray(array, dtype=kind).tobytes()
        places.append({"name": name, "type": kind[1:], "shape": array.shape, "at": at})
        data += b"\0" * (-len(data) % 8)
        pieces.append(data)
        at += len(data)
    head = json.dumps({**about, "arrays": places}, allow_nan=False).encode()
    head += b" " * (-(len(head) + 4) % 8)
    return b"".join([struct.pack("<I", len(head)), head, *pieces])


def unbundle(data: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """What `bundle` put together."""
    (size,) = struct.unpack_from("<I", data)
    about = json.loads(data[4 : 4 + size])
    arrays = {}
    for place in about.pop("arrays"):
        kind, count = np.dtype(f"<{place['type']}"), int(np.prod(place["shape"]))
        flat = np.frombuffer(data, kind, count, 4 + size + place["at"])
        arrays[place["name"]] = flat.reshape(place["shape"])
    return about, arrays
