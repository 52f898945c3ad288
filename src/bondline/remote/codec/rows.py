"""Rows of float64 as the wire has them, made without a Python number each.

A packed field is a tag, its length and the numbers, little-endian: what protobuf would
write of a list of floats, several times quicker. Parsers cannot tell them apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bondline.core import ForceRows, Matrix, MotionRows, Motions, Vector
from bondline.remote import bondline_pb2 as pb

MOTION, EFFORT, VALUE, BENT, TURNED = 1, 2, 3, 4, 8  # forms of outputs
_WIRE = np.dtype("<f8")

Asks: TypeAlias = Callable[..., pb.Advance | pb.Realise]


def raw(row: Matrix) -> bytes:
    """The numbers themselves."""
    return row.astype(_WIRE, copy=False).tobytes()


@lru_cache(maxsize=4096)
def signal_head(port: int, rows: int, size: int) -> bytes:
    """A `Signal` up to its numbers."""
    made = pb.Signal(port=port, rows=rows, coefficients=[0.0] * size)
    return _cut(made.SerializeToString(), size)


@lru_cache(maxsize=4096)
def inputs_head(ask: Asks, port: int, rows: int, columns: int) -> bytes:
    """A `Signal` among the inputs of what `ask` makes, up to its numbers."""
    size = rows * columns
    made = ask(inputs=[pb.Signal(port=port, rows=rows, coefficients=[0.0] * size)])
    return _cut(made.SerializeToString(), size)


@lru_cache(maxsize=4096)
def told_head(port: int, rows: int, columns: int) -> bytes:
    """A `Signal` in `Inputs`, up to its numbers."""
    size = rows * columns
    told = pb.Signal(port=port, rows=rows, coefficients=[0.0] * size)
    return _cut(pb.Inputs(signals=[told]).SerializeToString(), size)


@lru_cache(maxsize=4096)
def figures_head(table: int, size: int) -> bytes:
    """A `Figures` up to its numbers."""
    made = pb.Figures(table=table, values=[0.0] * size)
    return _cut(made.SerializeToString(), size)


def outputs_head(ports: Sequence[int], forms: Sequence[int], size: int) -> bytes:
    """An `Outputs` up to its numbers."""
    made = pb.Outputs(ports=ports, forms=forms, values=[0.0] * size)
    return _cut(made.SerializeToString(), size)


def split(shown: pb.Outputs) -> tuple[bytes, Vector]:
    """An `Outputs` up to its numbers, and they; if nothing unknown is in there.

    The row can be read only.
    """
    written, size = shown.SerializeToString(), len(shown.values)
    head = _cut(written, size)
    return head, np.frombuffer(written, _WIRE, size, len(head))


class Signals(NamedTuple):
    """How the bytes of `Inputs` are laid out whose signals are all constant."""

    heads: tuple[bytes, ...]
    spans: tuple[slice, ...]  # of the numbers of each signal
    length: int

    def written(self, rows: NDArray[np.float64]) -> list[bytes]:
        """One `Inputs` for every row of numbers, those of a signal after another's."""
        made = np.empty((len(rows), self.length), dtype=np.uint8)
        numbers, at = _bytes(rows), 0
        for head, span in zip(self.heads, self.spans, strict=True):
            made[:, span.start - len(head) : span.start] = np.frombuffer(head, np.uint8)
            size = span.stop - span.start
            made[:, span] = numbers[:, at : at + size]
            at += size
        return [row.tobytes() for row in made]

    def read(self, written: Sequence[bytes]) -> NDArray[np.float64] | None:
        """The rows of numbers; None where somebody laid them out in another way."""
        if any(len(one) != self.length for one in written):
            return None
        every = np.frombuffer(b"".join(written), np.uint8).reshape(len(written), -1)
        for head, span in zip(self.heads, self.spans, strict=True):
            found = every[:, span.start - len(head) : span.start]
            if not (found == np.frombuffer(head, np.uint8)).all():
                return None
        rows = np.concatenate([every[:, span] for span in self.spans], axis=1)
        return rows.view(_WIRE).astype(np.float64, copy=False)


@lru_cache(maxsize=1024)
def constant_signals(ports: tuple[int, ...], sizes: tuple[int, ...]) -> Signals:
    """Of these ports, in this order, with so many dofs each."""
    heads = tuple(told_head(p, 1, n) for p, n in zip(ports, sizes, strict=True))
    spans, at = list[slice](), 0
    for head, size in zip(heads, sizes, strict=True):
        spans.append(slice(at + len(head), at := at + len(head) + 8 * size))
    return Signals(heads, tuple(spans), at)


def _bytes(rows: NDArray[np.float64]) -> NDArray[np.uint8]:
    return np.ascontiguousarray(rows, dtype=_WIRE).view(np.uint8)


def split_rows(shown: Sequence[pb.Outputs]) -> tuple[bytes, NDArray[np.float64]] | None:
    """What several `Outputs` begin with, and their numbers; None if they differ."""
    written, size = [each.SerializeToString() for each in shown], len(shown[0].values)
    head = _cut(written[0], size)
    length = len(written[0])
    if any(len(w) != length or not w.startswith(head) for w in written):
        return None
    every = np.frombuffer(b"".join(written), np.uint8).reshape(len(written), -1)
    return head, np.ascontiguousarray(every[:, len(head) :]).view(_WIRE)


def _cut(written: bytes, size: int) -> bytes:
    return written[: len(written) - 8 * size]


class _Row(NamedTuple):
    """How levels of `Motions` become a row."""

    places: Mapping[str, slice]
    shape: tuple[int, ...]
    order: NDArray[np.intp]
    head: bytes  # an `Outputs` up to its numbers


_NONE = _Row({}, (), np.empty(0, dtype=np.intp), b"")


class Numbers(dict[str, int]):
    """Numbers of the ports by their names; remembers how they were shown last."""

    def __init__(self, ports: Iterable[str]) -> None:
        super().__init__((name, k) for k, name in enumerate(ports))
        self._row = _NONE

    def write(self, shown: Motions[str], made: pb.Outputs) -> int:
        """What the ports show that have a number; how many values that is."""
        row, levels = self._row, shown.levels
        if row.places is not shown.places or row.shape != levels.shape:
            row = self._row = self._learn(shown)
        made.MergeFromString(row.head + raw(levels.take(row.order)))
        return row.order.size

    def write_rows(self, shown: MotionRows[str], made: Sequence[pb.Outputs]) -> int:
        """The same after every window, each into its own."""
        first = self._learn(shown[0])
        self._row = first
        rows = shown.levels.reshape(len(shown), -1).take(first.order, axis=1)
        for each, row in zip(made, rows, strict=True):
            each.MergeFromString(first.head + raw(row))
        return rows.size

    def tell_rows(self, told: ForceRows[str], made: Any) -> None:
        """Constant forces over every window, each added as an `Inputs`."""
        ports = tuple(self[name] for name in told.places)
        sizes = tuple(cut.stop - cut.start for cut in told.places.values())
        laid = constant_signals(ports, sizes)
        for written in laid.written(told.coefficients[:, 0]):
            made.add().MergeFromString(written)

    def _learn(self, shown: Motions[str]) -> _Row:
        old, shape = self._row, shown.levels.shape
        if old.shape == shape and old.places == shown.places:
            return old._replace(places=shown.places)
        at = np.arange(shown.levels.size, dtype=np.intp).reshape(shape)
        seen = {name: cut for name, cut in shown.places.items() if name in self}
        cuts = [at[:, cut].ravel() for cut in seen.values()]
        order = np.concatenate([_NONE.order, *cuts])
        form = MOTION + (BENT if len(at) > 2 else 0)
        ports, forms = [self[name] for name in seen], [form for _ in cuts]
        head = outputs_head(ports, forms, order.size)
        return _Row(shown.places, shape, order, head)
