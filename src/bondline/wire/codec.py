"""One self-describing binary form for trees of plain data: no pickle, no surprises.

A value is one type byte and its content. Numbers are little-endian; arrays carry
their shape, then raw float64. Dictionaries keep their order, so that equal trees
give equal bytes.
"""

from __future__ import annotations

import struct

import numpy as np

from bondline.core import Tree, Vector

_MAX_DEPTH = 64


class CodecError(ValueError):
    """The bytes are not a tree that `pack` wrote."""


def pack(tree: Tree) -> bytes:
    """Bytes of a tree.

    >>> unpack(pack({"a": [1, 2.5, None, True, "x"]}))
    {'a': [1, 2.5, None, True, 'x']}
    """
    out = bytearray()
    _write(tree, out, 0)
    return bytes(out)


def unpack(data: bytes) -> Tree:
    """The tree that `pack` wrote; `CodecError` for anything else."""
    reader = _Reader(data)
    tree = reader.value(0)
    if reader.at != len(data):
        raise CodecError(f"{len(data) - reader.at} bytes follow the end of the tree.")
    return tree


def arrays(tree: Tree) -> list[Vector]:
    """A tree that must be a list of arrays."""
    if not isinstance(tree, list):
        raise CodecError(f"A list of arrays was expected, not {type(tree).__name__}.")
    found = [item for item in tree if isinstance(item, np.ndarray)]
    if len(found) != len(tree):
        raise CodecError("Something in the list is not an array.")
    return found


def _sized(tag: bytes, body: bytes) -> bytes:
    return tag + struct.pack("<I", len(body)) + body


def _write(  # noqa: C901, PLR0912 - one branch a type
    tree: Tree, out: bytearray, depth: int
) -> None:
    if depth > _MAX_DEPTH:
        raise CodecError(f"The tree is nested more than {_MAX_DEPTH} deep.")
    if tree is None:
        out += b"N"
    elif isinstance(tree, bool):
        out += b"T" if tree else b"F"
    elif isinstance(tree, int):
        if not -(2**63) <= tree < 2**63:
            raise CodecError(f"{tree} does not fit into 64 bits.")
        out += b"I" + struct.pack("<q", tree)
    elif isinstance(tree, float):
        out += b"D" + struct.pack("<d", tree)
    elif isinstance(tree, str):
        out += _sized(b"S", tree.encode())
    elif isinstance(tree, bytes):
        out += _sized(b"B", tree)
    elif isinstance(tree, np.ndarray):
        shape = struct.pack(f"<B{tree.ndim}I", tree.ndim, *tree.shape)
        out += b"A" + shape + np.ascontiguousarray(tree, dtype="<f8").tobytes()
    elif isinstance(tree, list):
        out += b"L" + struct.pack("<I", len(tree))
        for item in tree:
            _write(item, out, depth + 1)
    elif isinstance(tree, dict):
        out += b"M" + struct.pack("<I", len(tree))
        for key, item in tree.items():
            out += _sized(b"S", key.encode())
            _write(item, out, depth + 1)
    else:
        raise TypeError(f"{type(tree).__name__} is not plain data: {tree!r}.")


class _Reader:
    """Walks the bytes; every length is checked before it is believed."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, count: int) -> bytes:
        end = self.at + count
        if end > len(self.data):
            raise CodecError(f"The tree ends early, at byte {len(self.data)}.")
        piece, self.at = self.data[self.at : end], end
        return piece

    def count(self) -> int:
        (n,) = struct.unpack("<I", self.take(4))
        if n > len(self.data):
            raise CodecError(f"A length of {n} at byte {self.at} cannot be true.")
        return int(n)

    def value(self, depth: int) -> Tree:
        if depth > _MAX_DEPTH:
            raise CodecError(f"The tree is nested more than {_MAX_DEPTH} deep.")
        tag = self.take(1)
        if tag in _SIMPLE:
            return _SIMPLE[tag]
        if tag in (b"I", b"D"):
            (number,) = struct.unpack("<q" if tag == b"I" else "<d", self.take(8))
            return int(number) if tag == b"I" else float(number)
        if tag in (b"S", b"B"):
            body = self.take(self.count())
            return self.text(body) if tag == b"S" else body
        return self.composite(tag, depth)

    def composite(self, tag: bytes, depth: int) -> Tree:
        if tag == b"A":
            return self.array()
        if tag == b"L":
            return [self.value(depth + 1) for _ in range(self.count())]
        if tag == b"M":
            return {self.key(): self.value(depth + 1) for _ in range(self.count())}
        raise CodecError(f"No value starts with {tag!r}, at byte {self.at - 1}.")

    def array(self) -> Tree:
        (ndim,) = self.take(1)
        shape = struct.unpack(f"<{ndim}I", self.take(4 * ndim))
        size = 1
        for n in shape:
            size *= n
        raw = np.frombuffer(self.take(8 * size), dtype="<f8")
        try:
            return raw.astype(np.float64).reshape(shape)
        except ValueError as error:  # empty, but with too many or too long axes
            raise CodecError(f"No array has the shape {shape}.") from error

    def key(self) -> str:
        if self.take(1) != b"S":
            raise CodecError(f"A key must be text, at byte {self.at - 1}.")
        return self.text(self.take(self.count()))

    def text(self, body: bytes) -> str:
        try:
            return body.decode()
        except UnicodeDecodeError as error:
            raise CodecError(f"Text is not UTF-8, before byte {self.at}.") from error


_SIMPLE: dict[bytes, Tree] = {b"N": None, b"T": True, b"F": False}
