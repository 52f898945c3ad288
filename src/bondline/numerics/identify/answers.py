"""Whether poles that an identification found are those of the model.

A mode of a model moves the dof that is pushed in the direction of the push: its part of
the receptance there is

    c / (s² + 2 ζ ω s + ω²),   c = φ² > 0                                       (1)

Poles that noise makes have any c, another one at every order. Those of whatever the
model is glued to are in its record, too, and agree at all orders; but the force there
is the opposite one, and c is negative. A load that repeats has poles without any c.
"""

from __future__ import annotations

from cmath import phase
from collections.abc import Sequence
from math import pi
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Complex = NDArray[np.complex128]

_PHASE = 0.5  # how far c of a mode may be from real, in rad
_ALIKE = 1.25  # ratio of c that is the same
_WITHIN = 2e-3  # of the frequency
_DAMPING = 0.01  # difference of damping ratios
_LOUD = 3.0  # times what is not explained
_APART = 0.02  # of the frequency: nearer ones may be one, found twice
_ONE = 5e-3  # of the frequency: nearer ones are one


class Agreed(NamedTuple):
    """Frequencies in Hz on which several orders agree.

    `twins` are so near to one of `clear` that they may be it, found twice, or a mode
    of their own: symmetric structures have such pairs.
    """

    clear: Floats
    twins: Floats

    @property
    def every(self) -> Floats:
        """All of them."""
        return np.sort(np.concatenate(self))


NOTHING = Agreed(np.zeros(0), np.zeros(0))


class Answer(NamedTuple):
    """One pole of one order: what it is, and how the model answers there, (1)."""

    order: int
    frequency: float  # Hz
    damping: float
    c: complex  # summed over the dofs
    loud: float  # its part of the record, over what no pole explains


def answers(
    z: Complex, u: Floats, y: Floats, h: float, level: int, rest: bool
) -> list[Answer]:
    """c of each pole of a trapezoidal step, by least squares over a whole record.

    The columns of u are forces, those of y the motions of the same dofs: positions
    (`level` 0), velocities (1) or accelerations (2). `rest`: the record begins at rest;
    if not, what was there before is fitted, too.
    """
    # what grows is no structure, and drowns all else
    calm = z[(np.abs(z) < 1.0 + 5.0 / len(y)) & (np.abs(z + 1.0) > 1e-6)]
    upper, real = calm[calm.imag > 1e-9], calm[np.abs(calm.imag) <= 1e-9].real
    su, sy = _sizes(u), _sizes(y)
    X = _columns(np.concatenate([upper, real]), u / su, len(upper), rest)
    scale = _sizes(X)
    C = np.linalg.lstsq(X / scale, y / sy, rcond=1e-13)[0] / scale[:, None]
    left = np.maximum(np.linalg.norm(y / sy - X @ C, axis=0), 1e-300)
    width, found = 2 * (u.shape[1] + (not rest)), list[Answer]()
    for k, p in enumerate(upper):
        own = slice(k * width, (k + 1) * width)
        loud = float((np.linalg.norm(X[:, own] @ C[own], axis=0) / left).max())
        rows = C[own]
        each = [
            (rows[2 * j, j] + 1j * rows[2 * j + 1, j]) * sy[j] / su[j]
            for j in range(u.shape[1])
        ]
        s = (2.0 / h) * (p - 1.0) / (p + 1.0)
        slope = (4.0 / h) / (p + 1.0) ** 2  # ds/dz
        c = complex(sum(each) * p * slope / s**level * 2j * s.imag)
        size = abs(s)
        found.append(Answer(0, size / (2.0 * pi), -s.real / size, c, loud))
    return found


def _columns(z: Complex, u: Floats, pairs: int, rest: bool) -> Floats:
    """What each pole makes of each force, and of a push at the start; then the forces.

    Of the first `pairs` poles real and imaginary parts, of the others they are real.
    """
    before = np.zeros((len(u), 0 if rest else 1))
    before[:1] = 1.0
    pushed = np.hstack([u, before]).astype(np.complex128)
    W = np.zeros((len(u), len(z), pushed.shape[1]), dtype=np.complex128)
    now = np.zeros(W.shape[1:], dtype=np.complex128)
    for n, push in enumerate(pushed):
        now = z[:, None] * now + push
        W[n] = now
    both = np.stack([W.real, -W.imag], axis=-1)[:, :pairs]
    return np.hstack(
        [both.reshape(len(u), -1), W.real[:, pairs:].reshape(len(u), -1), u]
    )


def _sizes(x: Floats) -> Floats:
    size: Floats = np.abs(x).max(axis=0)
    return np.where(size > 0.0, size, 1.0)


def own(found: Sequence[Answer], votes: int = 3) -> Agreed:
    """Frequencies of the model: several orders agree on them, and on c > 0."""
    return _agreed([a for a in found if _positive(a.c) and a.loud > _LOUD], votes)


def foreign(found: Sequence[Answer], votes: int = 3) -> Agreed:
    """Frequencies of what the model is glued to: several orders agree on c < 0."""
    return _agreed([a for a in found if _positive(-a.c)], votes)


def strange(found: Sequence[Answer], votes: int = 3) -> Agreed:
    """Frequencies at which the model seems to answer as no mode does, and loudly.

    A model that begins at rest, moved by the forces of the record alone, has none.
    Where there are some, it has loads of its own, and is not what it seems to be.
    """
    return _agreed([a for a in found if not _positive(a.c) and a.loud > _LOUD], votes)


def _positive(c: complex) -> bool:
    return c != 0.0 and abs(phase(c)) < _PHASE


def among(f: float, listed: Sequence[float] | Floats) -> bool:
    """Whether a frequency is one of these."""
    return any(abs(f - one) < _ONE * one for one in listed)


def _agreed(found: Sequence[Answer], votes: int) -> Agreed:
    """Where so many orders are alike; of neighbours first the one with the most."""
    if not found:
        return NOTHING
    order, f, damping, size = (
        np.array(column)
        for column in zip(
            *((a.order, a.frequency, a.damping, abs(a.c)) for a in found), strict=True
        )
    )
    each: list[tuple[int, int, float]] = []  # orders, poles, frequency
    for k in np.argsort(f):
        alike = np.abs(f - f[k]) < _WITHIN * f[k]
        alike &= np.abs(np.log(size / size[k])) < np.log(_ALIKE)
        alike &= np.abs(damping - damping[k]) < _DAMPING
        orders = len({*order[alike].tolist()})
        if orders >= votes:
            each.append((orders, int(alike.sum()), float(np.median(f[alike]))))
    clear, twins = list[float](), list[float]()
    for _, _, one in sorted(each, key=lambda e: (-e[0], -e[1], e[2])):
        if all(abs(one - other) > _APART * other for other in clear):
            clear.append(one)
        elif not among(one, [*clear, *twins]):
            twins.append(one)
    return Agreed(np.sort(clear), np.sort(twins))
