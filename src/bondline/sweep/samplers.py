"""Samplers: which variants a sweep has. The same seed gives the same variants."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import product

import numpy as np

from bondline.core import Matrix
from bondline.errors import UsageError, did_you_mean
from bondline.sweep.axes import MOST, Axis

Variant = Mapping[str, str]  # values by parameter, as for `--set`
_BITS = 30  # of SciPy's Sobol points


def variants(
    axes: Sequence[Axis],
    sampler: str = "grid",
    samples: int | None = None,
    seed: int = 0,
) -> list[Variant]:
    """All variants, in order."""
    if not axes:
        raise UsageError(
            "sweep", "nothing varies.", "Give --set upper.mass=8..12kg:5, or more."
        )
    _once(axes)
    if sampler == "grid":
        return _grid(axes, samples)
    if sampler not in SAMPLERS:
        raise UsageError(
            f"--sampler {sampler}",
            "there is no such sampler.",
            did_you_mean(sampler, ["grid", *SAMPLERS]),
        )
    if samples is None or not 1 <= samples <= MOST:
        raise UsageError(
            f"--sampler {sampler}",
            "it must know how many variants."
            if samples is None
            else f"{samples} is no number of variants.",
            f"Give --samples, 1 to {MOST}.",
        )
    shares = SAMPLERS[sampler](samples, len(axes), seed)
    return [
        {axis.name: axis.at(float(s)) for axis, s in zip(axes, row, strict=True)}
        for row in shares
    ]


def _once(axes: Sequence[Axis]) -> None:
    names = [axis.name for axis in axes]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(
                f"--set {name}", "it is set twice.", "Put all its values into one."
            )


def _grid(axes: Sequence[Axis], samples: int | None) -> list[Variant]:
    if samples is not None:
        raise UsageError(
            "--samples", "a grid has as many as its axes say.", "Take --sampler lhs."
        )
    values = [axis.grid() for axis in axes]
    count = math.prod(len(v) for v in values)
    if count > MOST:
        raise UsageError(
            "--sampler grid", f"it has {count} variants.", f"Stay below {MOST}."
        )
    names = [axis.name for axis in axes]
    return [dict(zip(names, point, strict=True)) for point in product(*values)]


def latin(count: int, dimensions: int, seed: int = 0) -> Matrix:
    """A Latin hypercube: each of `count` slices of each axis is taken once."""
    dice = np.random.default_rng(seed)
    slices = np.array([dice.permutation(count) for _ in range(dimensions)]).T
    return (slices + dice.random((count, dimensions))) / count


def sobol(count: int, dimensions: int, seed: int = 0) -> Matrix:
    """Sobol points with a digital shift, which keeps every property of the net."""
    from scipy.stats.qmc import Sobol

    power = max(0, math.ceil(math.log2(count)))
    net = Sobol(dimensions, scramble=False, bits=_BITS).random_base2(power)[:count]
    shift = np.random.default_rng(seed).integers(2**_BITS, size=dimensions)
    whole = (net * 2**_BITS).astype(np.int64) ^ shift
    return np.asarray((whole + 0.5) / 2**_BITS)


SAMPLERS: Mapping[str, Callable[[int, int, int], Matrix]] = {
    "lhs": latin,
    "sobol": sobol,
}
