"""Whether surfaces that are tied node by node lie in each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from bondline.core import Port

_APART = 1e-3  # of the size of the larger port
_UNITS = 10.0  # so many times as large: other units, no other mesh


def apart(names: Sequence[str], ports: Sequence[Port]) -> Iterator[tuple[str, str]]:
    """What is doubtful about where ports rest, and what to try.

    Each is compared with the first; ports that do not say where they are pass.
    """
    for name, port in zip(names[1:], ports[1:], strict=True):
        one, two = ports[0].surface, port.surface
        if one is None or two is None or one.points.shape != two.points.shape:
            continue
        told = times_as_large((names[0], name), (ports[0], port))
        if told:
            yield told, "Are both in SI units? Scale the points of one of them."
            continue
        far = float(np.linalg.norm(one.points - two.points, axis=1).max())
        if far > _APART * max(size(ports[0]), size(port)) > 0.0:
            finding = f"{names[0]} and {name} are up to {far:.3g} m apart."
            yield (
                finding,
                "Move one of the parts, unless the joint is meant to be stiff.",
            )


def times_as_large(names: tuple[str, str], ports: tuple[Port, Port]) -> str:
    """A sentence where one port is far larger than the other; else empty."""
    sizes = [size(port) for port in ports]
    large, small = (0, 1) if sizes[0] > sizes[1] else (1, 0)
    if not sizes[small] > 0.0 or sizes[large] < _UNITS * sizes[small]:
        return ""
    ratio = sizes[large] / sizes[small]
    return f"{names[large]} is {ratio:.4g} times as large as {names[small]}: units?"


def size(port: Port) -> float:
    """The largest extent of a port's surface; 0 if it has none."""
    if port.surface is None or not len(port.surface.points):
        return 0.0
    return float(np.ptp(port.surface.points, axis=0).max())
