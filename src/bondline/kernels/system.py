"""`System` of `c/system.h` as Python sees it."""

from __future__ import annotations

import ctypes
from enum import IntEnum


class Trouble(IntEnum):
    """What a kernel may answer instead of a result."""

    FINE = 0
    NOT_DEFINITE = 1
    NOT_FINITE = 2
    TOO_SMALL = 3
    TOO_MANY = 4
    NO_MEMORY = 5
    NOT_CLOSED = 6
    NOT_SOLVED = 7


# What to say of each, and what to try.
WORDS = {
    Trouble.NOT_DEFINITE: (
        "its mass matrix is not positive definite",
        "See whether every coordinate moves some mass.",
    ),
    Trouble.NOT_FINITE: (
        "its motion grows beyond all numbers",
        "See whether the forces and the start are finite, and take shorter steps.",
    ),
    Trouble.TOO_SMALL: (
        "no step is short enough for the tolerance",
        "Loosen the tolerance.",
    ),
    Trouble.TOO_MANY: (
        "it takes more steps than allowed",
        "Allow more, or loosen the tolerance.",
    ),
    Trouble.NO_MEMORY: ("there is no memory left", "Close other programs."),
    Trouble.NOT_CLOSED: (
        "a closed loop cannot be brought together",
        "Give the joints starts with which its ends nearly meet.",
    ),
    Trouble.NOT_SOLVED: (
        "Newton's method finds no solution of an implicit step",
        "Take shorter steps.",
    ),
}
_UNKNOWN = ("nobody knows why", "Report it, with the model.")


def words(trouble: int) -> str:
    """A trouble in words that continue "the model fails because ..."."""
    return WORDS.get(Trouble(trouble), _UNKNOWN)[0]


def remedy(trouble: int) -> str:
    """What to try."""
    return WORDS.get(Trouble(trouble), _UNKNOWN)[1]


_DOUBLES = ctypes.c_void_p


class CSystem(ctypes.Structure):
    """The same fields in the same order; functions and arrays are addresses."""

    _fields_ = (
        ("model", ctypes.c_void_p),
        ("n_q", ctypes.c_int),
        ("n_u", ctypes.c_int),
        ("work", ctypes.c_size_t),
        (
            "rates",
            ctypes.CFUNCTYPE(ctypes.c_int, _DOUBLES, ctypes.c_double, *[_DOUBLES] * 5),
        ),
        ("n_fast", ctypes.c_int),
        ("n_slow", ctypes.c_int),
        ("fast", ctypes.c_void_p),
        ("slow", ctypes.c_void_p),
        ("fast_q", ctypes.c_void_p),
        (
            "fast_rates",
            ctypes.CFUNCTYPE(ctypes.c_int, _DOUBLES, ctypes.c_double, *[_DOUBLES] * 5),
        ),
        (
            "split_rates",
            ctypes.CFUNCTYPE(ctypes.c_int, _DOUBLES, ctypes.c_double, *[_DOUBLES] * 6),
        ),
        ("n_turns", ctypes.c_int),
        ("turn_q", ctypes.c_void_p),
        ("turn_u", ctypes.c_void_p),
        (
            "fast_again",
            ctypes.CFUNCTYPE(ctypes.c_int, _DOUBLES, ctypes.c_double, *[_DOUBLES] * 5),
        ),
    )
