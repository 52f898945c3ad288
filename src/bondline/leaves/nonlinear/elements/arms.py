"""Springs and elements without mass that hold nodes by rigid arms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bondline.errors import SettingError
from bondline.leaves.nonlinear.elements.block import (
    Answer,
    Array,
    Elements,
    Indices,
    Moved,
)
from bondline.leaves.nonlinear.turning import skew


@dataclass(frozen=True, eq=False)
class Arms:
    """Elements whose nodes in `masters` stand on rigid arms from nodes that turn.

    Rows of `points` that only such elements use have no dofs of their own: they follow
    x = x_m + R_m r. For springs; what has mass must sit on nodes.
    """

    inner: Elements
    masters: Mapping[int, int]
    components: tuple[int, ...] = (0, 1, 2, 3, 4, 5)

    def __post_init__(self) -> None:
        if not set(self.masters) & set(self.inner.nodes.ravel().tolist()):
            raise SettingError(
                f"Arms: nodes {sorted(self.masters)}",
                "none of them is an end of the elements.",
                "Map ends of the elements to the nodes that carry them.",
            )

    @cached_property
    def nodes(self) -> Indices:
        """Those of the inner elements, carried ones replaced by their masters."""
        rows = self.inner.nodes.copy()
        for carried, master in self.masters.items():
            rows[self.inner.nodes == carried] = master
        return rows

    @property
    def grants(self) -> tuple[int, ...]:
        """Dofs that nodes have because of it: rotations must come from others."""
        return self.inner.components

    @property
    def numbers(self) -> int:
        """Of the inner elements."""
        return self.inner.numbers

    def respond(self, points: Array, moved: Moved, past: Array) -> Answer:
        """Forces at the ends of arms, brought to the nodes."""
        assert moved.R is not None
        rest = points[self.inner.nodes] - points[self.nodes]
        r = (moved.R @ rest[..., None])[..., 0]
        d, v = moved.d.copy(), moved.v.copy()
        d[..., :3] += r - rest
        v[..., :3] += np.cross(v[..., 3:], r)
        c = len(self.inner.components)
        at = Moved(d[..., :c], v[..., :c], moved.R)
        answer = self.inner.respond(points, at, past)
        T = np.zeros((*r.shape[:2], 6, 6))
        T[...] = np.eye(6)
        T[..., :3, 3:] = -skew(r)
        T = T[..., :c, :]
        f = answer.force.reshape(*r.shape[:2], c)
        K = _brought(answer.tangent, T)
        turn = skew(f[..., :3]) @ skew(r)  # of the moment r × f
        for k in range(r.shape[1]):
            K[:, 6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] += turn[:, k]
        C = None if answer.damping is None else _brought(answer.damping, T)
        force = np.einsum("ekic,eki->ekc", T, f).reshape(len(r), -1)
        return answer._replace(force=force, tangent=K, damping=C)

    def mass(self, points: Array) -> Array:
        """None; inner elements that have some are refused."""
        if np.any(self.inner.mass(points)):
            raise SettingError(
                f"Arms: {type(self.inner).__name__}",
                "its elements have mass.",
                "Arms are for springs; give the mass to the nodes with Masses.",
            )
        m = 6 * self.nodes.shape[1]
        return np.zeros((len(self.nodes), m, m))

    def drag(self) -> float:
        """None."""
        return 0.0

    def strains(self, past: Array) -> Array | None:
        """Those of the inner elements."""
        return self.inner.strains(past)


def _brought(K: Array, T: Array) -> Array:
    """Tᵀ K T, node by node."""
    e, k, c, _ = T.shape
    blocks = K.reshape(e, k, c, k, c)
    made = np.einsum("eaic,eaibj,ebjd->eacbd", T, blocks, T, optimize=True)
    return np.asarray(made.reshape(e, 6 * k, 6 * k))
