"""What supports and links say about dofs, as rows: dof = Σ coefficient × dof + motion.

A dof is numbered 6 × node + component here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bondline.core import FRAME_DOFS, Matrix, Vector
from bondline.errors import SettingError
from bondline.leaves.fe.links import Equation, Interpolation, Link, RigidLink
from bondline.leaves.fe.mesh import Indices, Mesh
from bondline.leaves.fe.numbers import check_number
from bondline.leaves.fe.supports import Support
from bondline.leaves.histories import History


@dataclass(frozen=True, eq=False)
class Rows:
    """What one support or link says; `says` is its name in messages.

    Row i makes dof `slots[i]` follow the dofs `sources`, by row i of `matrix`, plus
    `value` times `history`. A row that is not `forced` is passed over where nothing
    else knows its dof.
    """

    says: str
    slots: Indices
    sources: Indices
    matrix: Matrix
    value: float = 0.0
    history: History | None = None
    forced: bool = True
    held: bool = False  # by a support


def rows(
    mesh: Mesh, supports: tuple[Support, ...], links: tuple[Link, ...]
) -> list[Rows]:
    """All of them, in the order given: supports first."""
    made = [_support(mesh, i, s) for i, s in enumerate(supports, start=1)]
    for i, link in enumerate(links, start=1):
        made += _link(mesh, i, link)
    return made


def _support(mesh: Mesh, number: int, support: Support) -> Rows:
    says = f"support {number}"
    nodes = mesh.rows(says, support.nodes)
    components = _components(says, support.components)
    check_number(f"{says}, value", support.value)
    slots = (6 * nodes[:, None] + np.array(components, dtype=np.intp)).ravel()
    nothing = np.zeros(0, dtype=np.intp)
    empty = np.zeros((len(slots), 0))
    history = support.history if support.value else None
    value = support.value
    return Rows(says, slots, nothing, empty, value, history, False, held=True)


def _link(mesh: Mesh, number: int, link: Link) -> Iterator[Rows]:
    if isinstance(link, RigidLink):
        yield from _rigid(mesh, f"rigid link {number}", link)
    elif isinstance(link, Interpolation):
        yield _mean(mesh, f"interpolation {number}", link)
    else:
        yield _equation(mesh, f"equation {number}", link)


def _rigid(mesh: Mesh, says: str, link: RigidLink) -> Iterator[Rows]:
    """u_s = u_m + θ_m × (x_s − x_m), θ_s = θ_m."""
    slaves = mesh.rows(says, link.slaves)
    master = _one(mesh, says, link.master)
    components = list(_components(says, link.components))
    if master in slaves:
        raise SettingError(
            f"{says}, node {mesh.ids[master]}",
            "it is the master and one of its own slaves.",
            "Take it out of the slaves.",
        )
    sources = 6 * master + np.arange(6)
    carried = _carried(mesh.points[slaves] - mesh.points[master])
    for slave, matrix in zip(slaves, carried, strict=True):
        slots = 6 * slave + np.array(components, dtype=np.intp)
        yield Rows(says, slots, sources, matrix[components], forced=False)


def _carried(lever: Matrix) -> NDArray[np.float64]:
    """How the dofs at the ends of levers follow those of a rigid body: n × 6 × 6."""
    matrix = np.zeros((len(lever), 6, 6))
    matrix[:] = np.eye(6)
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):  # (θ × r)ᵢ = θⱼ rₖ − θₖ rⱼ
        matrix[:, i, 3 + j] = lever[:, k]
        matrix[:, i, 3 + k] = -lever[:, j]
    return matrix


def _mean(mesh: Mesh, says: str, link: Interpolation) -> Rows:
    """The rigid motion nearest to that of the nodes, carried to the reference.

    Minimal Σ w |uᵢ − ū − θ × rᵢ|² with rᵢ from the weighted centre: ū = Σ w uᵢ / Σ w
    and J θ = Σ w rᵢ × uᵢ with J = Σ w (r·r 1 − r rᵀ).
    """
    nodes = mesh.rows(says, link.nodes)
    reference = _one(mesh, says, link.reference)
    components = list(_components(says, link.components))
    w = np.asarray(link.weights, dtype=np.float64)
    _check_weights(mesh, says, (nodes, w), reference)
    x = mesh.points[nodes]
    centre = w @ x / w.sum()
    r = x - centre
    J = np.einsum("i,ij,ik->jk", w, r, r)
    J = np.trace(J) * np.eye(3) - J
    cross = _carried(r)[:, :3, 3:]  # θ × r = cross θ, so r × u = crossᵀ u
    moments = np.einsum("i,iab->bia", w, cross).reshape(3, -1)
    lever = _carried(mesh.points[[reference]] - centre)[0]
    turning = _turning(mesh, says, J, moments, lever, components)
    mean = np.einsum("i,ab->aib", w / w.sum(), np.eye(3)).reshape(3, -1)
    matrix = lever @ np.vstack([mean, turning])
    slots = 6 * reference + np.array(components, dtype=np.intp)
    sources = (6 * nodes[:, None] + np.arange(3)).ravel()
    return Rows(says, slots, sources, matrix[components])


def _turning(
    mesh: Mesh,
    says: str,
    J: Matrix,
    moments: Matrix,
    lever: Matrix,
    components: list[int],
) -> Matrix:
    """J⁻¹ moments, or a refusal where a rotation that is needed cannot be told."""
    values, axes = np.linalg.eigh(J)
    loose = values <= 1e-10 * max(float(values[-1]), 1e-300)
    needed = lever[components][:, 3:] @ axes[:, loose]
    if np.abs(needed).max(initial=0.0) > 1e-10 * (1.0 + np.abs(lever).max()):
        raise SettingError(
            says,
            "its nodes lie on a line or in one point, so that they cannot tell every "
            f"rotation of the reference ({_shown(components)}).",
            "Add a node beside the line, or leave the rotations out.",
        )
    inverse = np.where(loose, 0.0, 1.0 / np.where(loose, 1.0, values))
    found: Matrix = (axes * inverse) @ axes.T @ moments
    return found


def _check_weights(
    mesh: Mesh, says: str, each: tuple[Indices, Vector], reference: int
) -> None:
    nodes, w = each
    if w.shape != (len(nodes),) or not (w >= 0.0).all() or not 0.0 < w.sum() < np.inf:
        raise SettingError(
            says,
            f"{len(nodes)} nodes have the weights {np.array2string(w)}.",
            "Give one weight a node, finite, none negative, not all zero.",
        )
    if reference in nodes:
        raise SettingError(
            f"{says}, node {mesh.ids[reference]}",
            "the reference is one of the nodes that it follows.",
            "Take it out of the nodes.",
        )


def _equation(mesh: Mesh, says: str, link: Equation) -> Rows:
    nodes = mesh.rows(says, link.nodes)
    a = np.asarray(link.coefficients, dtype=np.float64)
    check_number(f"{says}, coefficients", a)
    if not len(nodes) or not (len(nodes) == len(link.components) == len(a)):
        raise SettingError(
            says,
            f"it has {len(nodes)} nodes, {len(link.components)} components and "
            f"{len(a)} coefficients.",
            "Give one of each a term.",
        )
    components = np.array(_components(says, link.components), dtype=np.intp)
    slots = 6 * nodes + components
    if a[0] == 0.0:
        raise SettingError(
            says,
            "its first coefficient is 0.",
            "The first dof follows the others: let a term that counts come first.",
        )
    return Rows(says, slots[:1], slots[1:], -a[None, 1:] / a[0])


def _one(mesh: Mesh, says: str, node: int | str) -> int:
    """The row of a node, or of the only one in a set."""
    rows = mesh.rows(says, node)
    if len(rows) != 1:
        raise SettingError(
            says,
            f"the node set {node!r} has {len(rows)} nodes.",
            "Give a set of one node here, or a row of `Mesh.points`.",
        )
    return int(rows[0])


def _components(says: str, components: tuple[int, ...]) -> tuple[int, ...]:
    for c in components:
        if c not in range(6):
            raise SettingError(
                says,
                f"there is no component {c}.",
                "Components are 0 … 5: x y z rx ry rz.",
            )
    return components


def _shown(components: list[int]) -> str:
    return " ".join(FRAME_DOFS[c] for c in components)
