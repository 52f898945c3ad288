"""What MJCF says for a whole file: angles, sequences of rotations, default classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import cos, pi, sin

import numpy as np

from bondline.build.mechanisms.foreign import child, numbers, triple, unfit
from bondline.core import Matrix
from bondline.description.untrusted import Node
from bondline.errors import did_you_mean
from bondline.leaves.mbd.frame import Frame
from bondline.leaves.spatial import Turn, product

_MAIN = "main"
_REFUSED = ("coordinate", "settotalmass", "balanceinertia", "inertiafromgeom")
_HARMLESS = {
    "coordinate": "local",
    "balanceinertia": "false",
    "inertiafromgeom": "auto",
}


@dataclass(frozen=True, eq=False)
class Words:
    """`angle` is the file's unit of angles in rad; `styles` the default attributes."""

    angle: float
    sequence: str
    styles: Mapping[str, Mapping[str, Mapping[str, str]]]

    def attributes(self, node: Node, style: str) -> Node:
        """The element with what its class says besides."""
        chosen = node.get("class") or style or _MAIN
        if chosen not in self.styles:
            known = did_you_mean(chosen, self.styles)
            raise unfit(node, f"there is no class {chosen!r}.", known)
        usual = self.styles[chosen].get(node.name, {})
        return replace(node, attributes={**usual, **node.attributes})

    def frame(self, node: Node) -> Frame:
        """`pos` and one of the ways to say a rotation."""
        return Frame(triple(node, "pos"), self.turn(node))

    def turn(self, node: Node) -> Turn:
        """A quaternion."""
        if "axisangle" in node.attributes:
            x, y, z, angle = numbers(node, "axisangle", (4,))
            return _about((x, y, z), angle * self.angle)
        if "euler" in node.attributes:
            return self._euler(triple(node, "euler"))
        if "zaxis" in node.attributes:
            return Frame.along(triple(node, "zaxis")).turn
        if "xyaxes" in node.attributes:
            return _of_axes(np.reshape(numbers(node, "xyaxes", (6,)), (2, 3)))
        w, x, y, z = numbers(node, "quat", (4,), (1.0, 0.0, 0.0, 0.0))
        return w, x, y, z

    def _euler(self, angles: tuple[float, float, float]) -> Turn:
        """Small letters turn about axes that turn along, capitals about fixed ones."""
        made: Turn = (1.0, 0.0, 0.0, 0.0)
        for letter, angle in zip(self.sequence, angles, strict=True):
            axis = tuple(float(letter.lower() == a) for a in "xyz")
            one = _about((axis[0], axis[1], axis[2]), angle * self.angle)
            made = product(made, one) if letter.islower() else product(one, made)
        return made


def words_of(root: Node) -> Words:
    """Of a file."""
    compiler = child(root, "compiler")
    for key in _REFUSED if compiler else ():
        assert compiler is not None
        if compiler.get(key, _HARMLESS.get(key, "")) != _HARMLESS.get(key, ""):
            raise unfit(compiler, f"{key} is not supported.", "Take it out.")
    degrees = compiler is None or compiler.get("angle", "degree") == "degree"
    sequence = compiler.get("eulerseq", "xyz") if compiler else "xyz"
    styles: dict[str, Mapping[str, Mapping[str, str]]] = {_MAIN: {}}
    for node in root.children:
        if node.name == "default":
            _style(node, {}, node.get("class") or _MAIN, styles)
    return Words(pi / 180 if degrees else 1.0, sequence, styles)


def _style(
    node: Node,
    outer: Mapping[str, Mapping[str, str]],
    name: str,
    styles: dict[str, Mapping[str, Mapping[str, str]]],
) -> None:
    own = dict(outer)
    for one in node.children:
        if one.name != "default":
            own[one.name] = {**own.get(one.name, {}), **one.attributes}
    styles[name] = own
    for one in node.children:
        if one.name == "default":
            _style(one, own, one.get("class"), styles)


def _about(axis: tuple[float, float, float], angle: float) -> Turn:
    x, y, z = np.array(axis) / np.linalg.norm(axis) * sin(angle / 2)
    return cos(angle / 2), float(x), float(y), float(z)


def _of_axes(axes: Matrix) -> Turn:
    """The quaternion of a frame whose x and y axes are told."""
    x = axes[0] / np.linalg.norm(axes[0])
    y = axes[1] - (axes[1] @ x) * x
    y /= np.linalg.norm(y)
    R = np.stack([x, y, np.cross(x, y)], axis=1)
    K = np.array(
        [
            [R.trace(), R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
            [0.0, 2 * R[0, 0] - R.trace(), R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]],
            [0.0, 0.0, 2 * R[1, 1] - R.trace(), R[1, 2] + R[2, 1]],
            [0.0, 0.0, 0.0, 2 * R[2, 2] - R.trace()],
        ]
    )
    w, x_, y_, z_ = np.linalg.eigh(np.triu(K) + np.triu(K, 1).T)[1][:, -1].tolist()
    return w, x_, y_, z_
