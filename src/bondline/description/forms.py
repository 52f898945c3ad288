"""How settings are written in a model file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from bondline.description.bindings import read_number


@dataclass(frozen=True, slots=True)
class Form:
    """What to write, in words, and how it is read: None if it is something else."""

    words: str
    read: Callable[[str], Any]


def _numbers(text: str) -> tuple[float, ...] | None:
    found = [read_number(word) for word in text.split()]
    numbers = tuple(x for x in found if x is not None)
    return numbers if numbers and len(numbers) == len(found) else None


def _three(text: str) -> tuple[float, ...] | None:
    found = _numbers(text)
    return found if found and len(found) == 3 else None


def _triples(text: str) -> tuple[tuple[float, ...], ...] | None:
    found = _numbers(text)
    if found is None or len(found) % 3:
        return None
    return tuple(found[k : k + 3] for k in range(0, len(found), 3))


def _whole(text: str) -> int | None:
    number = read_number(text)
    return int(number) if number is not None and number == int(number) else None


def _words(text: str) -> tuple[str, ...] | None:
    return tuple(text.split()) or None


def _truth(text: str) -> bool | None:
    return {"true": True, "1": True, "false": False, "0": False}.get(text.strip())


def _word(text: str) -> str | None:
    return text.strip() or None


NUMBER = Form("one finite number", read_number)
WHOLE = Form("a whole number", _whole)
WORD = Form("one word", _word)
TRUTH = Form("true or false", _truth)

_EACH = "one number for all directions, or one for each, separated by blanks"
_AXIS = Form("three numbers separated by blanks, for example 0 0 1", _three)
_TRIPLES = Form("three numbers for each side, separated by blanks", _triples)

JOINT_FORMS: Mapping[str, Form] = MappingProxyType(
    {
        "dofs": Form("names of dofs separated by blanks, for example x y", _words),
        "axis": _AXIS,
        "axis2": _AXIS,
        "length": NUMBER,
        "reach": NUMBER,
        "stiffness": Form(_EACH, _numbers),
        "damping": Form(_EACH, _numbers),
        "frames": _TRIPLES,
        "rests": _TRIPLES,
        "method": WORD,
        "multipliers": WORD,
        "moments": TRUTH,
    }
)
