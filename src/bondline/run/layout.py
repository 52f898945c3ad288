"""Layout: which number of a stored window means what."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from bondline.core import Energy, Frame, Matrix, Observation, Reaction, Vector, Window
from bondline.run.chain import canonical


@dataclass(frozen=True, slots=True)
class Layout:
    """Names, units and sizes of everything in a frame, in the order of its numbers.

    The start has no window and often no forces, so it has a layout of its own. What
    there is to note in a window is part of its layout: few windows have anything, and
    most of those the same.
    """

    values: tuple[tuple[str, str], ...]  # name, unit
    forces: tuple[
        tuple[str, tuple[str, ...], int, bool], ...
    ]  # components, rows, instant
    shapes: tuple[tuple[str, int, int], ...]  # points, dimensions
    energy: bool
    stats: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, frame: Frame) -> Layout:
        """The layout that fits `frame`."""
        return cls(
            tuple((name, seen.unit) for name, seen in frame.values.items()),
            tuple(
                (name, r.components, len(r.coefficients), r.instant)
                for name, r in frame.forces.items()
            ),
            tuple((name, *_plane(x.shape)) for name, x in frame.shapes.items()),
            frame.energy is not None,
            tuple(frame.stats),
            frame.notes,
        )

    @property
    def size(self) -> int:
        """How many numbers a frame has, its shapes left aside."""
        forces = sum(len(parts) * rows for _, parts, rows, _ in self.forces)
        energy = 3 if self.energy else 0
        return len(self.values) + forces + energy + len(self.stats)

    @property
    def shapes_size(self) -> int:
        """How many numbers the shapes of a frame have."""
        return sum(points * dims for _, points, dims in self.shapes)

    def dump(self) -> str:
        """As JSON, equal text for equal layouts."""
        tree = asdict(self)
        if not self.notes:  # spelled as it was before there were any
            del tree["notes"]
        return canonical(tree)

    @classmethod
    def load(cls, text: str) -> Layout:
        """The layout that `dump` wrote; ValueError, KeyError or TypeError if not."""
        tree = json.loads(text)
        return cls(
            tuple((str(name), str(unit)) for name, unit in tree["values"]),
            tuple(
                (str(name), tuple(parts), int(rows), bool(instant))
                for name, parts, rows, instant in tree["forces"]
            ),
            tuple((str(name), int(n), int(dims)) for name, n, dims in tree["shapes"]),
            bool(tree["energy"]),
            tuple(tree["stats"]),
            tuple(str(note) for note in tree.get("notes", ())),
        )

    def pack(self, frame: Frame) -> bytes:
        """The numbers of `frame` without its shapes, little-endian float64."""
        head = [seen.value for seen in frame.values.values()]
        arrays = [r.coefficients for r in frame.forces.values()]
        tail = list(frame.stats.values())
        if frame.energy is not None:
            e = frame.energy
            tail = [e.stored, e.dissipated, e.supplied, *tail]
        return _packed([head, *arrays, tail])

    def pack_shapes(self, frame: Frame) -> bytes:
        """The points of all shapes of `frame`, likewise."""
        return _packed(frame.shapes.values())

    def unpack(self, blob: bytes, n: int, t: float, before: float | None) -> Frame:
        """The frame that `pack` wrote, without shapes.

        `before` is where its window starts.
        """
        numbers = _Numbers(_unpacked(blob))
        values = {name: Observation(numbers.one(), unit) for name, unit in self.values}
        forces = {
            name: Reaction(parts, numbers.many(rows, len(parts)), instant)
            for name, parts, rows, instant in self.forces
        }
        energy = Energy(*(numbers.one() for _ in range(3))) if self.energy else None
        stats = {name: numbers.one() for name in self.stats}
        window = None if before is None else Window(before, t)
        return Frame(n, window, t, values, forces, {}, energy, stats, self.notes)

    def unpack_shapes(self, blob: bytes) -> dict[str, Matrix]:
        """The shapes that `pack_shapes` wrote."""
        numbers = _Numbers(_unpacked(blob))
        return {name: numbers.many(k, dims) for name, k, dims in self.shapes}


def _packed(arrays: Iterable[Any]) -> bytes:
    flat = (np.asarray(a, dtype="<f8").tobytes() for a in arrays)
    return b"".join(flat)


def _unpacked(blob: bytes) -> Vector:
    return np.frombuffer(blob, dtype="<f8").astype(np.float64)


def _plane(shape: tuple[int, ...]) -> tuple[int, int]:
    points, dims = shape
    return points, dims


@dataclass(slots=True)
class _Numbers:
    """Hands out the numbers of a blob one after the other."""

    left: Vector
    at: int = 0

    def one(self) -> float:
        self.at += 1
        return float(self.left[self.at - 1])

    def many(self, rows: int, columns: int) -> Vector:
        size = rows * columns
        self.at += size
        return self.left[self.at - size : self.at].reshape(rows, columns)
