"""What a nonlinear model must be before anything is computed, told where it is not."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf, isfinite
from typing import Any

import numpy as np

from bondline.errors import SettingError
from bondline.leaves.fe.sections import Material
from bondline.leaves.nonlinear.elements.springs import Progressive, Stop, Tabled
from bondline.leaves.nonlinear.materials.law import Plastic, elastic
from bondline.leaves.nonlinear.materials.solid import Rubber

_ROWS = "Nodes are rows of `points`, from 0; elements are rows of whole numbers."


def check_model(model: Any) -> None:
    """`SettingError` for points, elements, holds and pushes that cannot be."""
    points = np.asarray(model.points)
    if points.ndim != 2 or points.shape[1] != 3 or not np.isfinite(points).all():
        raise SettingError(
            f"{model.name}: points",
            f"they are an array of {points.shape}, or not all finite.",
            "Give a row of three finite numbers for each node; z = 0 in the plane.",
        )
    for block in model.blocks:
        place = f"{model.name}: {type(block).__name__}"
        _check_nodes(place, block, points)
        _check_block(place, block)
        inner = getattr(block, "inner", None)  # of `Arms`
        if inner is not None:
            _check_nodes(place, inner, points)
            _check_block(place, inner)
    for hold in model.holds:
        check_places(f"{model.name}: hold", hold.nodes, hold.components, len(points))
    for push in model.pushes:
        place = f"{model.name}: push on node {push.node}"
        check_places(place, [push.node], [push.component], len(points))


def check_places(place: str, nodes: Any, components: Iterable[int], count: int) -> None:
    """Nodes that are there, and components from 0 to 5."""
    rows = np.asarray(nodes)
    whole = rows.ndim == 1 and (not rows.size or np.issubdtype(rows.dtype, np.integer))
    if not whole or ((rows < 0) | (rows >= count)).any():
        raise SettingError(
            place, f"its nodes are {np.array2string(rows)} of {count}.", _ROWS
        )
    wrong = [c for c in components if c not in range(6)]
    if wrong:
        raise SettingError(
            place, f"there is no component {wrong[0]}.", "0 … 5 are x y z rx ry rz."
        )


def _check_nodes(place: str, block: Any, points: Any) -> None:
    rows = np.asarray(block.nodes)
    widths = getattr(block, "widths", ())  # how many nodes an element may have
    if (
        rows.ndim != 2
        or not np.issubdtype(rows.dtype, np.integer)
        or (widths and rows.shape[1] not in widths)
    ):
        some = " or ".join(map(str, widths)) or "their"
        raise SettingError(
            place,
            f"nodes are an array of {rows.shape}, {rows.dtype}.",
            f"Give a row of {some} nodes for each element, whole numbers.",
        )
    outside = rows[(rows < 0) | (rows >= len(points))]
    if outside.size:
        raise SettingError(
            place, f"there is no node {outside[0]} of {len(points)}.", _ROWS
        )
    if getattr(block, "slender", False):
        short = np.linalg.norm(np.diff(points[rows], axis=1), axis=2).ravel() == 0.0
        if short.any():
            raise SettingError(
                place,
                f"element {np.flatnonzero(short)[0]} has no length.",
                "Its two nodes must be at different points.",
            )


def _check_block(place: str, block: Any) -> None:
    section = getattr(block, "section", None)
    stuff = getattr(block, "metal", None) or getattr(section, "metal", None)
    if isinstance(stuff, Material | Plastic | Rubber):
        check_stuff(f"{place}: material {_base(stuff).name}", stuff)
    for name, least in (("thickness", 0.0), ("layers", 0), ("mass_each", -inf)):
        value = getattr(block, name, 1.0)
        if not (isfinite(value) and value > least) or (least == -inf and value < 0.0):
            raise SettingError(
                place, f"{name} is {value:g}.", "Give a finite number above zero."
            )
    laws = getattr(block, "laws", None)
    if laws is not None and len(laws) != len(block.components):
        raise SettingError(
            place,
            f"{len(laws)} laws for {len(block.components)} components.",
            "Give one law for each component.",
        )
    for law in laws if laws is not None else [getattr(block, "law", None)]:
        check_spring(place, law)


def check_stuff(place: str, stuff: Material | Plastic | Rubber) -> None:
    """E, ν, density and damping that a material can have."""
    base = _base(stuff)
    bounds = {
        "E": (base.E, 0.0, inf, "above zero, in Pa"),
        "nu": (base.nu, -1.0, 0.5, "between -1 and 0.5, for steel 0.3"),
        "rho": (base.rho, -1e-300, inf, "0 or more, in kg/m3"),
        "alpha": (base.alpha, -1e-300, inf, "0 or more, in 1/s"),
        "beta": (base.beta, -1e-300, inf, "0 or more, in s"),
    }
    if isinstance(stuff, Plastic):
        bounds["kinematic"] = stuff.kinematic, -1e-300, inf, "0 or more, in Pa"
    for name, (value, low, high, right) in bounds.items():
        if not (isfinite(value) and low < value < high):
            raise SettingError(
                place, f"{name} is {value:g}.", f"Give a finite number {right}."
            )


def _base(stuff: Material | Plastic | Rubber) -> Material:
    return stuff.material if isinstance(stuff, Rubber) else elastic(stuff)


def check_spring(place: str, law: Any) -> None:
    """Laws of springs that are numbers."""
    if isinstance(law, Tabled):
        x = np.asarray(law.d, dtype=np.float64)
        whole = len(x) == len(law.force) >= 2 and bool((np.diff(x) > 0.0).all())
        if not whole or not np.isfinite([*law.d, *law.force, law.c]).all():
            raise SettingError(
                f"{place}: table of a spring",
                f"its stretches are {list(law.d)}.",
                "Give two points or more, stretches rising, one force for each.",
            )
        return
    if not isinstance(law, Progressive | Stop):
        return
    d0 = law.d0 if isinstance(law, Progressive) else law.e0
    numbers = [law.k, law.c] + ([law.gap, law.sign] if isinstance(law, Stop) else [])
    pushes = min(law.k, law.c) < 0.0  # it would make energy
    if not np.isfinite(numbers).all() or not d0 > 0.0 or pushes:
        raise SettingError(
            f"{place}: law of a spring",
            f"{law} is no law.",
            "Give finite numbers, stiffness and damping of zero or more; it stiffens "
            "at a stretch above zero (inf: never).",
        )
