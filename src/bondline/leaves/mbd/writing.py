"""Tables of whole numbers and one of reals, as they grow."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from bondline.leaves.mbd.codes import HistoryKind
from bondline.leaves.mbd.forces import (
    Constant,
    Expression,
    Harmonic,
    History,
    Polynomial,
    Table,
)
from bondline.leaves.mbd.formula import program
from bondline.leaves.mbd.frame import Frame
from bondline.leaves.mbd.modes import Node


@dataclass
class Writing:
    """What has been written so far."""

    reals: list[float] = field(default_factory=list)
    markers: list[tuple[int, ...]] = field(default_factory=list)
    histories: list[tuple[int, ...]] = field(default_factory=list)

    def put(self, *parts: Iterable[float]) -> int:
        """Append numbers and say where they begin."""
        at = len(self.reals)
        for part in parts:
            self.reals.extend(float(x) for x in part)
        return at

    def marker(self, body: int, spot: Frame | Node, modes: int) -> int:
        """Append a marker and give its number; row k of its shapes is mode k."""
        node = spot if isinstance(spot, Node) else None
        frame = spot.frame if isinstance(spot, Node) else spot
        at = self.put(frame.at, frame.R.ravel())
        moves = tilts = False
        if node is not None and modes:
            moves, tilts = bool(np.any(node.shift)), bool(np.any(node.tilt))
            self.put(node.shift.T.ravel(), node.tilt.T.ravel())
        self.markers.append((body, int(moves), int(tilts), at))
        return len(self.markers) - 1

    def history(self, history: History) -> int:
        """Append a history, kind by kind, and give its number (c/history.h)."""
        match history:
            case Constant(value):
                row = (HistoryKind.CONSTANT, 1, self.put([value]))
            case Polynomial(coefficients, t0):
                at = self.put([t0], coefficients)
                row = (HistoryKind.POLYNOMIAL, len(coefficients), at)
            case Harmonic(a0, a, b, omega, t0):
                terms = max(len(a), len(b))
                a, b = (x + (0.0,) * (terms - len(x)) for x in (a, b))
                row = (HistoryKind.HARMONIC, terms, self.put([a0, omega, t0], a, b))
            case Table(times, values):
                row = (HistoryKind.TABLE, len(times), self.put(times, values))
            case Expression():
                steps = program(history)
                row = (HistoryKind.FORMULA, len(steps), self.put(*steps))
        self.histories.append(row)
        return len(self.histories) - 1
