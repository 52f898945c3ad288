"""Matrices and ports from an HDF5 file; docs/reference/matrices.md has the layout."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from bondline.core import FRAME_DOFS, Causality, Port, Surface
from bondline.errors import DeckError, did_you_mean
from bondline.leaves.fe.matrices.digest import digest_of
from bondline.leaves.fe.matrices.hdf5_safe import Group, from_hdf5
from bondline.leaves.fe.matrices.hdf5_write import FORMAT, TAKES, VERSION
from bondline.leaves.fe.matrices.histories_text import read_histories
from bondline.leaves.fe.matrices.matrix_set import MatrixSet
from bondline.leaves.fe.plug import Plugged
from bondline.leaves.fe.reduction.loads import Loads
from bondline.numerics import LinearSystem

_MOST_PORTS = 1000
_TAKES = {word: Causality(letter) for letter, word in TAKES.items()}


def read_h5(source: Path | str | bytes, shown: str = "") -> MatrixSet:
    """What `write_h5` wrote, from a file or its bytes; `shown` is what to call it."""
    place = shown or ("matrices" if isinstance(source, bytes) else str(source))
    remedy = "Write it again: bondline reduce, or write_h5."
    return from_hdf5(place, source, _read, remedy)


def _read(file: Group) -> MatrixSet:
    _check_format(file)
    M, K = file.matrix("M"), file.matrix("K")
    n = int(M.shape[0])
    C = file.matrix("C") if file.has("C") else csr_array((n, n))
    labels = _labels(file, n)
    name = file.word("name") or "matrices"
    band = file.number("band")
    if band is not None and not 0.0 < band < np.inf:
        raise file.refuse("@band", f"{band:g} is no band.", "Give a frequency in Hz.")
    ports = _ports(file, n)
    loads = _loads(file.group("loads"), n) if file.has("loads") else None
    made = MatrixSet(name, LinearSystem(M, C, K), labels, ports, band, loads)
    told = file.word("digest")
    if told and told != digest_of(made):
        raise DeckError(
            file.place,
            "its content does not match its digest.",
            "The file was changed after it was written: get it again from its owner, "
            "or remove the attribute if the change was meant.",
        )
    return made


def _check_format(file: Group) -> None:
    form, version = file.word("format"), file.number("version")
    if form != FORMAT or version != VERSION:
        raise DeckError(
            file.place,
            f"its format is {form[:60] or 'not said'!r}, version {version}.",
            f"Give the attributes format={FORMAT!r} and version={VERSION}.",
        )
    units = file.word("units", "SI")
    if not units.startswith("SI"):
        raise file.refuse(
            "@units",
            f"its units are {units[:60]!r}.",
            "Numbers are in SI units: m, kg, s, N, rad. Convert before writing.",
        )


def _labels(file: Group, n: int) -> Any:
    if not file.has("labels"):
        return None
    found = file.numbers("labels", "iu", 2)
    if found.shape != (n, 2):
        raise file.refuse(
            "labels", f"its shape is {found.shape}.", f"Give {n} nodes and components."
        )
    return found.astype(np.intp)


def _ports(file: Group, n: int) -> dict[str, Plugged]:
    if not file.has("ports"):
        return {}
    group = file.group("ports")
    if len(group.names) > _MOST_PORTS:
        raise DeckError(
            group.place,
            f"{len(group.names)} ports.",
            f"There are {_MOST_PORTS} at most; put nodes of one joint into one port.",
        )
    each = {name: group.group(name) for name in group.names}
    order = sorted(each, key=lambda name: each[name].number("place") or 0.0)
    return {name: _port(name, each[name], n) for name in order}


def _port(name: str, group: Group, n: int) -> Plugged:
    dofs = tuple(group.word("dofs").split())
    takes, count = group.word("takes", "force"), group.number("nodes") or 0.0
    wrong = [d for d in dofs if d not in FRAME_DOFS]
    if wrong or not dofs or len(set(dofs)) < len(dofs):
        known = " ".join(FRAME_DOFS)
        raise group.refuse("@dofs", f"{' '.join(dofs)[:60]!r}.", f"Some of {known}.")
    if takes not in _TAKES:
        raise group.refuse("@takes", f"{takes[:60]!r}.", did_you_mean(takes, _TAKES))
    select = _select(group, n)
    size = int(select.shape[0])
    nodes = size // len(dofs)
    if size != nodes * len(dofs) or nodes != count:
        raise group.refuse(
            "select",
            f"{size} dofs for {count:g} nodes with {' '.join(dofs)}.",
            "List the dofs of every node, node by node.",
        )
    fixed = group.wholes("fixed", size) if group.has("fixed") else np.zeros(0, np.intp)
    port = Port(
        name,
        dofs,
        nodes,
        _TAKES[takes],
        surface=_surface(group, nodes),
        fixed=tuple(fixed.tolist()),
    )
    return Plugged(port, select)


def _select(group: Group, n: int) -> Any:
    """A list of dofs, or rows over all of them."""
    if not group.has("select") or not group.is_group("select"):
        found = group.wholes("select", n)
        if len(np.unique(found)) < len(found):
            raise group.refuse("select", "it names a dof twice.", "Name each once.")
        return found
    rows = group.matrix("select")
    if rows.shape[1] != n:
        raise group.refuse(
            "select",
            f"rows over {rows.shape[1]} dofs, and there are {n}.",
            "Rows have a number for every dof.",
        )
    return rows


def _surface(group: Group, nodes: int) -> Surface | None:
    if not group.has("points"):
        return None
    points = group.floats("points", 2)
    if points.shape != (nodes, 3) or not np.isfinite(points).all():
        raise group.refuse(
            "points",
            f"its shape is {points.shape}, or a number is not finite.",
            f"Give {nodes} rows of x, y, z.",
        )
    if not group.has("facets"):
        return Surface(points)
    sizes, flat = group.wholes("facet_sizes", 5), group.wholes("facets", nodes)
    if sizes.sum() != len(flat) or (sizes < 2).any():
        raise group.refuse(
            "facets",
            f"{len(flat)} nodes for facets of {sizes.sum()}.",
            "A facet has two, three or four nodes.",
        )
    parts = np.split(flat, np.cumsum(sizes)[:-1])
    return Surface(points, tuple(tuple(int(x) for x in part) for part in parts))


def _loads(group: Group, n: int) -> Loads:
    histories = read_histories(group.place, group.word("histories", "[]"))
    size = (n, len(histories))
    made = {key: group.floats(key, 2) for key in ("value", "rate", "second")}
    made["static"] = group.floats("static")
    for key, A in made.items():
        fits = A.shape == ((n,) if key == "static" else size)
        if not fits or not np.isfinite(A).all():
            raise group.refuse(
                key,
                f"its shape is {A.shape}, or a number is not finite.",
                f"There are {n} dofs and {len(histories)} histories.",
            )
    return Loads(histories, **made)
