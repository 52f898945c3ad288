"""Element types of INP decks and the kinds they are here."""

from __future__ import annotations

from collections.abc import Mapping

KINDS: Mapping[str, str] = {
    "B31": "B31", "B31H": "B31", "B33": "B33",
    "C3D10": "C3D10", "C3D10M": "C3D10", "C3D10T": "C3D10", "C3D10HS": "C3D10",
    "C3D4": "C3D4", "C3D8": "C3D8", "C3D8I": "C3D8", "C3D8R": "C3D8",
    "MASS": "MASS", "ROTARYI": "MASS",
    "S3": "S3", "S3R": "S3", "STRI3": "S3",
    "S4": "S4", "S4R": "S4",
    "SPRING1": "SPRING", "SPRING2": "SPRING", "SPRINGA": "SPRING",
    "DASHPOT1": "SPRING", "DASHPOT2": "SPRING", "DASHPOTA": "SPRING",
    "T3D2": "T3D2",
}  # fmt: skip
ENDS: Mapping[str, int] = {
    "SPRING1": 1, "SPRING2": 2, "SPRINGA": 2,
    "DASHPOT1": 1, "DASHPOT2": 2, "DASHPOTA": 2,
}  # fmt: skip
CLOSE: Mapping[str, str] = {
    "B32": "B31", "B32R": "B31", "B21": "B31", "B22": "B31", "B31OS": "B31",
    "C3D15": "C3D10", "C3D20": "C3D8", "C3D20R": "C3D8", "C3D6": "C3D8",
    "CONN3D2": "SPRING2", "CPS4": "S4", "CPS3": "S3", "M3D4": "S4", "M3D3": "S3",
    "S6": "S3", "S8": "S4", "S8R": "S4", "S8R5": "S4", "S9R5": "S4", "S4R5": "S4",
    "STRI65": "S3", "T3D3": "T3D2", "T2D2": "T3D2", "SC8R": "S4",
}  # fmt: skip
REDUCED: Mapping[str, str] = {
    "C3D8": "C3D8I, with incompatible modes",
    "C3D8R": "C3D8I, with incompatible modes",
    "C3D10M": "C3D10",
    "S3R": "S3",
    "S4R": "S4",
}
