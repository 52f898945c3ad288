"""Codes and sizes of a packed mechanism: what c/tree_open.c and c/tree_inner.h have.

Whole numbers are a head, then tables of rows: bodies, markers, forces, histories,
loops, and pairs of fast velocities and positions.
"""

from __future__ import annotations

from enum import IntEnum

FORMAT = 3
TOLD = 8  # a code after those of the joints
SOLVERS = {"auto": 0, "dense": 1, "recursive": 2}


class Head(IntEnum):
    """Where a number of the head is."""

    FORMAT = 0
    BODIES = 1
    MARKERS = 2
    FORCES = 3
    HISTORIES = 4
    LOOPS = 5
    POSITIONS = 6
    SPEEDS = 7
    FAST = 8
    SOLVER = 9


# Numbers in a row of each table, by where the head has the number of its rows.
WIDTHS = {
    Head.BODIES: 9,
    Head.MARKERS: 4,
    Head.FORCES: 5,
    Head.HISTORIES: 3,
    Head.LOOPS: 5,
    Head.FAST: 2,
}


class ForceKind(IntEnum):
    """What a force is."""

    JOINT_LOAD = 0
    JOINT_SPRING = 1
    JOINT_STOP = 2
    PUSH = 3
    SPRING = 4
    BUSHING = 5
    CONTACT = 6


# Reals of forces that specialised kernels leave to the general one's laws.
REALS = {
    ForceKind.JOINT_STOP: 5,
    ForceKind.SPRING: 3,
    ForceKind.BUSHING: 12,
    ForceKind.CONTACT: 7,
}


class HistoryKind(IntEnum):
    """How a number depends on time; names are those of c/history.h."""

    CONSTANT = 0
    POLYNOMIAL = 1
    HARMONIC = 2
    TABLE = 3
    FORMULA = 4
