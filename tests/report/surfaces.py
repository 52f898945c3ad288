"""A box glued from two shells and a bar, made up, with a state that moves."""

from __future__ import annotations

import numpy as np

from bondline.core import Deformed, Skin
from bondline.run.skins import Seen

NONE = np.zeros(0, dtype=np.intp)


def sheet(n: int, z: float, stressed: bool = False) -> Skin:
    """n × n quads of a unit square at height z, one of them cut into triangles."""
    g = np.arange((n + 1) ** 2).reshape(n + 1, n + 1)
    x, y = np.meshgrid(*[np.linspace(0.0, 1.0, n + 1)] * 2, indexing="ij")
    quads = np.stack([g[:-1, :-1], g[1:, :-1], g[1:, 1:], g[:-1, 1:]], -1).reshape(
        -1, 4
    )
    cut = quads[-1]
    return Skin(
        np.stack([x, y, np.full_like(x, z)], -1).reshape(-1, 3),
        np.array([cut[[0, 1, 2]], cut[[0, 2, 3]]]),
        quads[:-1],
        np.array([[0, n]]),
        np.arange((n + 1) ** 2) + 1,
        {"edge": g[0]},
        {"corner": g[:1, 0]},
        g[-1, :1],
        g[-1, -1:],
        np.array([[0.0, 0.0, -1.0]]),
        stressed,
    )


def skins(stressed: bool = False) -> dict[str, Skin]:
    return {"low": sheet(3, 0.0, stressed), "high": sheet(2, 0.5, stressed)}


def seen(count: int = 5, stressed: bool = False) -> list[Seen]:
    """High moves along z, as far as k mm at instant k; low stands still."""
    found = []
    for k in range(count):
        parts = {}
        for name, skin in skins().items():
            u = np.zeros_like(skin.points)
            u[:, 2] = 1e-3 * k * (name == "high") * skin.points[:, 0]
            mises = 1e6 * k * skin.points[:, 1] if stressed else None
            parts[name] = Deformed(u, mises)
        found.append(Seen(2 * k, 0.1 * k, parts))
    return found
