"""Numbers and words of a leaf file, with the parameters it declares."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import cos, isfinite, sin
from typing import TypeVar

import numpy as np

from bondline.core import Parameter
from bondline.description import Problem
from bondline.description.untrusted import Node
from bondline.errors import BondlineError, SettingError, did_you_mean
from bondline.leaves.fe.formats.arithmetic import NotArithmetic, worth
from bondline.leaves.mbd.frame import Frame

T = TypeVar("T")
_LARGEST = 1_000_000
_WITH_UNIT = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)? ?[A-Za-z°]+\d?")
_WORD = re.compile(r"(?<![\w.])[A-Za-z_][\w.]*")


@dataclass(eq=False)
class Values:
    """Reads attributes; what is wrong becomes problems with the element's place."""

    parameters: Mapping[str, Parameter]
    problems: list[Problem] = field(default_factory=list)

    def attempt(self, node: Node, make: Callable[[Node], T]) -> T | None:
        """What `make` gives, or None and a problem."""
        try:
            with np.errstate(over="raise", divide="raise", invalid="raise"):
                return make(node)
        except SettingError as error:
            self.problems.append(wrong(node, error))
        except (ArithmeticError, ValueError) as error:  # LinAlgError is a ValueError
            finding, remedy = f"it cannot be computed: {error}.", "Look at its numbers."
            place = SettingError(named(node), finding, remedy)
            self.problems.append(wrong(node, place))
        return None

    def number(self, node: Node, key: str, default: float | None = None) -> float:
        """One number; arithmetic may have spaces."""
        text = node.attributes.get(key)
        if text is None:
            return _given(node, key, default)
        return self._worth(node, key, text)

    def numbers(
        self,
        node: Node,
        key: str,
        counts: Sequence[int] = (),
        default: Sequence[float] | None = None,
    ) -> tuple[float, ...]:
        """Several numbers; how many there may be."""
        text = node.attributes.get(key)
        if text is None:
            return tuple(_given(node, key, default))
        found = tuple(self._worth(node, key, piece) for piece in text.split())
        if counts and len(found) not in counts:
            some = " or ".join(map(str, counts))
            raise SettingError(
                f"{named(node)}, {key}",
                f"{len(found)} numbers.",
                f"Give {some}, with spaces between them and none inside.",
            )
        return found

    def triple(
        self, node: Node, key: str, default: Sequence[float] | None = (0.0, 0.0, 0.0)
    ) -> tuple[float, float, float]:
        """Three numbers."""
        x, y, z = self.numbers(node, key, (3,), default)
        return x, y, z

    def whole(self, node: Node, key: str, default: int) -> int:
        """A whole number."""
        found = self.number(node, key, default)
        if abs(found) > _LARGEST or found != int(found):
            raise SettingError(
                f"{named(node)}, {key}",
                f"it is {found:g}.",
                f"Give a whole number, {_LARGEST} at most.",
            )
        return int(found)

    def choice(self, node: Node, key: str, words: Sequence[str], default: str) -> str:
        """One of some words, or what a parameter with choices says."""
        text = node.get(key, default)
        p = self.parameters.get(text)
        if p is not None and p.choices:
            text = p.choices[int(p.value)]
        if text not in words:
            raise SettingError(
                f"{named(node)}, {key}", f"{text!r}.", did_you_mean(text, words)
            )
        return text

    def frame(self, node: Node) -> Frame:
        """`at`, and one of `turn`, `axis` and `rpy`."""
        at = self.triple(node, "at")
        ways = [key for key in ("turn", "axis", "rpy") if key in node.attributes]
        if len(ways) > 1:
            raise SettingError(
                named(node), f"it has {' and '.join(ways)}.", "Give one of them."
            )
        if ways == ["axis"]:
            return Frame.along(self.triple(node, "axis"), at)
        if ways == ["rpy"]:
            return Frame(at, rolled(*self.triple(node, "rpy")))
        w, x, y, z = self.numbers(node, "turn", (4,), (1.0, 0.0, 0.0, 0.0))
        return Frame(at, (w, x, y, z))

    def _worth(self, node: Node, key: str, text: str) -> float:
        try:
            found = float(text) if "_" not in text else None
        except ValueError:
            found = None
        if found is None or not isfinite(found):
            found = self._computed(node, key, text)
        return found

    def formula(self, text: str) -> tuple[str, dict[str, float]]:
        """A formula with parameters as plain names, and their values."""
        names = {_plain(name): p.value for name, p in self.parameters.items()}
        known = set(self.parameters)
        plain = _WORD.sub(
            lambda m: _plain(m[0]) if m[0] in known else m[0].replace(".", " . "), text
        )
        return plain, names

    def _computed(self, node: Node, key: str, text: str) -> float:
        known = set(self.parameters)
        try:
            return worth(*self.formula(text))
        except NotArithmetic as error:
            if _WITH_UNIT.fullmatch(text):
                raise SettingError(
                    f"{named(node)}, {key}",
                    f"{text[:60]!r} has a unit.",
                    "Write the number alone, in SI units; 30 degrees are 30*pi/180.",
                ) from error
            unknown = [w for w in _WORD.findall(text) if w not in known]
            hint = did_you_mean(unknown[0], known) if unknown and known else ""
            raise SettingError(
                f"{named(node)}, {key}",
                f"{text[:60]!r} has no value: {error}.",
                f"Use numbers and the parameters of the file. {hint}".strip(),
            ) from error


def _plain(name: str) -> str:
    """A name of a parameter as arithmetic takes it."""
    return "p_" + name.lower().replace(".", "_dot_").replace("-", "_dash_")


def _given(node: Node, key: str, default: T | None) -> T:
    if default is None:
        raise SettingError(f"{named(node)}, {key}", "it is missing.", "Give it.")
    return default


def true(node: Node, key: str) -> bool:
    """Whether an attribute says so; left out, it does not."""
    return node.get(key).strip() in ("true", "1")


def named(node: Node) -> str:
    """An element in words."""
    name = node.get("name")
    return f"{node.name} {name}" if name else node.name


def wrong(node: Node, error: BondlineError) -> Problem:
    """The problem of an element."""
    finding = f"{error.place}: {error.finding}"
    return Problem("BND074", node.where, finding, error.remedy)


def rolled(r: float, p: float, y: float) -> tuple[float, float, float, float]:
    """The quaternion of roll, pitch and yaw about fixed x, y and z, as in URDF."""
    (cr, sr), (cp, sp), (cy, sy) = ((cos(a / 2), sin(a / 2)) for a in (r, p, y))
    return (
        cr * cp * cy + sr * sp * sy,
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
    )
