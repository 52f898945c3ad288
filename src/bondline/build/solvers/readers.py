"""Leaf files of other programs: what each root element means."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from bondline.build.leaf_files.values import Values, named, true
from bondline.build.mechanisms.bodies import Files
from bondline.build.solvers.code import made_by
from bondline.build.solvers.mjcf_files import checked
from bondline.core import FRAME_DOFS, Model
from bondline.description.schema import LEAF
from bondline.description.spec import FileSpec
from bondline.description.untrusted import Node
from bondline.errors import SettingError, did_you_mean

Read: TypeAlias = Callable[[Node, str, Values, Files], Model]


def _python(root: Node, name: str, v: Values, files: Files) -> Model:
    values = {key: p.value for key, p in v.parameters.items()}
    return made_by(_file(root, files), root.get("make", "leaf"), name, values)


def _mujoco(root: Node, name: str, v: Values, files: Files) -> Model:
    from bondline.leaves.mujoco import mujoco_leaf

    assets = {n.get("source"): _file(n, files) for n in root.all(LEAF, "asset")}
    text = checked(_file(root, files), assets)
    ports = list(root.all(LEAF, "port"))
    return mujoco_leaf(
        name,
        text,
        {n.get("name"): n.get("at", n.get("name")) for n in ports},
        {source: file.data for source, file in assets.items()},
        points=tuple(n.get("name") for n in ports if true(n, "point")),
        key=root.get("key"),
        parameters=v.parameters,
    )


def _kratos(root: Node, name: str, v: Values, files: Files) -> Model:
    from bondline.leaves.kratos_matrices import kratos_linear
    from bondline.leaves.kratos_model import mdpa
    from bondline.leaves.kratos_structure import KratosStructure

    file = _file(root, files)
    fill = mdpa(file.data.decode("utf-8", errors="replace"), file.shown)
    ports = list(root.all(LEAF, "port"))
    sockets = {n.get("name"): n.get("at", n.get("name")) for n in ports}
    held = {n.get("at"): _dofs(n) for n in root.all(LEAF, "hold")}
    steps = v.whole(root, "steps", 1)
    if true(root, "linear"):
        return kratos_linear(name, fill, sockets, held, steps=steps)
    return KratosStructure(
        name,
        fill,
        sockets,
        held,
        {n.get("name"): _dofs(n) for n in ports if "dofs" in n.attributes},
        v.triple(root, "gravity"),
        steps,
        v.number(root, "bossak", 0.0),
        publish={n.get("name"): _watched(n, v) for n in root.all(LEAF, "signal")},
        parameters=v.parameters,
    )


def _calculix(root: Node, name: str, v: Values, files: Files) -> Model:
    from bondline.leaves.calculix import calculix_leaf

    file = _file(root, files)
    ports = root.all(LEAF, "port")
    return calculix_leaf(
        name,
        file.data.decode("utf-8", errors="replace"),
        {n.get("name"): n.get("at", n.get("name")) for n in ports},
        damping=(v.number(root, "alpha", 0.0), v.number(root, "beta", 0.0)),
        file=file.shown,
    )


READERS: Mapping[str, Read] = {
    "python": _python,
    "mujoco": _mujoco,
    "kratos": _kratos,
    "calculix": _calculix,
}
MEANINGS = {
    "python": "a leaf made by code",
    "mujoco": "rigid bodies in MuJoCo",
    "kratos": "a structure in Kratos",
    "calculix": "a structure of CalculiX",
}


def _file(node: Node, files: Files) -> FileSpec:
    source = node.get("source")
    if source not in files:
        raise SettingError(
            f"{node.name} {source}", "it could not be read.", "See the other problem."
        )
    return files[source]


def _dofs(n: Node) -> tuple[str, ...]:
    words = tuple(n.get("dofs", " ".join(FRAME_DOFS[:3])).split())
    for word in words:
        if word not in FRAME_DOFS:
            raise SettingError(
                f"{named(n)}, dofs", f"{word!r}.", did_you_mean(word, FRAME_DOFS)
            )
    return words


def _watched(n: Node, v: Values) -> tuple[int, str]:
    return v.whole(n, "node", 0), v.choice(n, "component", FRAME_DOFS, "")
