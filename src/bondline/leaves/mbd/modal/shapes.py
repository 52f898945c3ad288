"""Eigenfunctions of uniform beams on 0 ≤ x ≤ 1, elastic ones only, ∫ φ² dx = 1.

Bending solves φ'''' = λ⁴ φ. It is written as

    φ = A cos λx + B sin λx + C e^(−λx) + D e^(−λ(1−x))                        (1)

where nothing grows, so that high modes are as good as low ones. Stretching and twisting
solve φ'' = −λ² φ.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import cos, cosh, pi, sin, sinh

import numpy as np

from bondline.core import Vector
from bondline.errors import SettingError, did_you_mean

# Which derivatives vanish at an end that is held like this.
_HELD = {"clamped": (0, 1), "pinned": (0, 2), "free": (2, 3)}
BENDING_ENDS = tuple(f"{left}-{right}" for left in _HELD for right in _HELD)
STRETCHING_ENDS = ("fixed-free", "free-fixed", "fixed-fixed", "free-free")
# λ of the n-th elastic mode is close to (n + offset) π.
_OFFSETS = {
    frozenset({"clamped", "free"}): -0.5,
    frozenset({"clamped"}): 0.5,
    frozenset({"free"}): 0.5,
    frozenset({"clamped", "pinned"}): 0.25,
    frozenset({"pinned", "free"}): 0.25,
    frozenset({"pinned"}): 0.0,
}
_GAUSS = 24  # points on each half wave


@dataclass(frozen=True)
class Shape:
    """One eigenfunction: `at(x, d)` is its d-th derivative by x."""

    root: float
    at: Callable[[Vector, int], Vector]


def bending(ends: str, number: int) -> Shape:
    """The eigenfunction with that number, from 1; rises at x = 0 as far as it can."""
    left, right = _parted(ends, BENDING_ENDS)
    root = _root(frozenset({left, right}), number)
    rows = [_terms(np.zeros(1), root, d)[:, 0] / root**d for d in _HELD[left]]
    rows += [_terms(np.ones(1), root, d)[:, 0] / root**d for d in _HELD[right]]
    factors = np.linalg.svd(np.array(rows))[2][-1]
    factors *= np.sign(_first(factors, root, _HELD[left]))

    def raw(x: Vector, d: int) -> Vector:
        return np.asarray(factors @ _terms(x, root, d))

    return _normal(root, raw, number)


def stretching(ends: str, number: int) -> Shape:
    """The eigenfunction of a bar or shaft with that number, from 1."""
    left, right = _parted(ends, STRETCHING_ENDS)
    root = (number - 0.5 * (left != right)) * pi
    shift = 0.0 if left == "free" else -pi / 2  # cos, or sin

    def raw(x: Vector, d: int) -> Vector:
        return np.asarray(root**d * np.cos(root * x + shift + d * pi / 2))

    return _normal(root, raw, number)


def _parted(ends: str, known: tuple[str, ...]) -> tuple[str, str]:
    if ends not in known:
        raise SettingError(f"ends {ends!r}", "unknown.", did_you_mean(ends, known))
    left, right = ends.split("-")
    return left, right


def _terms(x: Vector, root: float, d: int) -> Vector:
    """The four functions of (1), derived d times: 4 × points."""
    turn = d * pi / 2
    waves = [np.cos(root * x + turn), np.sin(root * x + turn)]
    falls = [(-1) ** d * np.exp(-root * x), np.exp(-root * (1 - x))]
    return np.asarray(root**d * np.array([*waves, *falls]))


def _first(factors: Vector, root: float, held: tuple[int, ...]) -> float:
    """The lowest derivative at x = 0 that does not vanish."""
    d = next(d for d in range(4) if d not in held)
    return float(factors @ _terms(np.zeros(1), root, d)[:, 0])


def _root(ends: frozenset[str], number: int) -> float:
    """λ by Newton's method from where it nearly is."""
    root = (number + _OFFSETS[ends]) * pi
    if ends == {"pinned"}:
        return root
    equation = _tangents if ends & {"pinned"} else _cosines
    sign = 1.0 if ends == {"clamped", "free"} else -1.0
    for _ in range(50):
        f, slope = equation(root, sign)
        root, before = root - f / slope, root
        if abs(root - before) <= 4e-16 * root:
            break
    return root


def _cosines(x: float, sign: float) -> tuple[float, float]:
    """cos λ ± 1/cosh λ and its slope: clamped and free ends."""
    far = min(x, 350.0)
    return cos(x) + sign / cosh(far), -sin(x) - sign * sinh(far) / cosh(far) ** 2


def _tangents(x: float, _: float) -> tuple[float, float]:
    """sin λ − cos λ tanh λ and its slope: one end pinned."""
    far = min(x, 350.0)
    t = sinh(far) / cosh(far)
    return sin(x) - cos(x) * t, cos(x) + sin(x) * t - cos(x) * (1 - t * t)


def _normal(root: float, raw: Callable[[Vector, int], Vector], number: int) -> Shape:
    x, w = gauss(number)
    size = float(np.sqrt(w @ raw(x, 0) ** 2))
    return Shape(root, lambda x, d: raw(x, d) / size)


def gauss(waves: int) -> tuple[Vector, Vector]:
    """Points and weights on 0 ≤ x ≤ 1, exact to round-off for that many half waves."""
    x, w = np.polynomial.legendre.leggauss(_GAUSS)
    panels = max(waves, 1) + 1
    left = np.arange(panels)[:, None] / panels
    return (left + (x + 1) / (2 * panels)).ravel(), np.tile(w / (2 * panels), panels)
