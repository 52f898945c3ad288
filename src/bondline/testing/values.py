"""The value of a state: everything in it that can be compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

_PLAIN = (bool, int, float, complex, str, bytes, type(None))


def content(value: Any, name: str = "state") -> dict[str, bytes]:
    """The bits of every array and number in a value, by the way to it.

    What cannot be looked into is left out.

    >>> sorted(content({"x": np.zeros(1), "n": 3}))
    ["state['n']", "state['x']"]
    """
    return dict(_walk(value, name, set()))


def _walk(value: Any, name: str, seen: set[int]) -> Iterator[tuple[str, bytes]]:
    if isinstance(value, np.ndarray | np.generic):
        yield name, value.tobytes() if value.dtype != object else b""
    elif isinstance(value, _PLAIN):
        yield name, repr(value).encode()
    elif id(value) not in seen:
        seen.add(id(value))
        for way, inner in _inside(value, name):
            yield from _walk(inner, way, seen)


def _inside(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        yield from ((f"{name}[{key!r}]", inner) for key, inner in value.items())
    elif isinstance(value, list | tuple):
        yield from ((f"{name}[{k}]", inner) for k, inner in enumerate(value))
    elif is_dataclass(value):
        yield from ((f"{name}.{f.name}", getattr(value, f.name)) for f in fields(value))
    elif hasattr(value, "__dict__") and not callable(value):
        yield from ((f"{name}.{key}", inner) for key, inner in vars(value).items())


def changed(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> str | None:
    """The first thing that is not what it was."""
    for name in (*before, *(n for n in after if n not in before)):
        if before.get(name) != after.get(name):
            return name
    return None
