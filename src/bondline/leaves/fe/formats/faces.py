"""Faces of elements, numbered as in Abaqus, as positions in an element's nodes."""

from __future__ import annotations

from collections.abc import Mapping

FACES: Mapping[str, tuple[tuple[int, ...], ...]] = {
    "C3D4": ((0, 1, 2), (0, 3, 1), (1, 3, 2), (2, 3, 0)),
    "C3D10": (
        (0, 1, 2, 4, 5, 6),
        (0, 3, 1, 7, 8, 4),
        (1, 3, 2, 8, 9, 5),
        (2, 3, 0, 9, 7, 6),
    ),
    "C3D8": (
        (0, 1, 2, 3),
        (4, 7, 6, 5),
        (0, 4, 5, 1),
        (1, 5, 6, 2),
        (2, 6, 7, 3),
        (3, 7, 4, 0),
    ),
    "S3": ((0, 1, 2), (0, 2, 1)),
    "S4": ((0, 1, 2, 3), (0, 3, 2, 1)),
}
SHELLS = ("S3", "S4")
SOLIDS = ("C3D4", "C3D8", "C3D10")
BEAMS = ("B31", "B33")
NODES: Mapping[str, int] = {
    "B31": 2, "B33": 2, "C3D4": 4, "C3D8": 8, "C3D10": 10,
    "MASS": 1, "S3": 3, "S4": 4, "T3D2": 2,
}  # fmt: skip
