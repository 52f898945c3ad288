"""Flexible bodies in HDF5 files; docs/reference/multibody.md has the layout."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from bondline.core import Matrix
from bondline.errors import DeckError
from bondline.leaves.fe.matrices.hdf5_safe import Group, from_hdf5
from bondline.leaves.mbd.frame import Frame
from bondline.leaves.mbd.modes import Modes, Node

FORMAT, VERSION = "bondline modes", 1
_MOST_MODES = 1000
_MOST_NODES = 10_000


def write_modes(path: Path | str, modes: Modes) -> None:
    """The invariants and nodes of a flexible body, for `read_modes`."""
    import h5py

    with h5py.File(path, "w") as file:
        file.attrs.update({"format": FORMAT, "version": VERSION, "units": "SI"})
        file.attrs["mass"] = float(modes.mass)
        for name in _shapes(len(modes.M)):
            file[name] = np.asarray(getattr(modes, name), dtype=np.float64)
        if modes.stiffening is not None:
            file["stiffening"] = np.asarray(modes.stiffening)
        for name, node in modes.nodes.items():
            group = file.create_group(f"nodes/{name}")
            group["at"], group["turn"] = node.frame.at, node.frame.turn
            group["shift"], group["tilt"] = node.shift, node.tilt


def read_modes(source: Path | str | bytes, shown: str = "") -> Modes:
    """What `write_modes` wrote, from a file or its bytes; `shown` is what to call it.

    Nothing in the file is trusted: sizes are looked at before numbers are read.
    """
    place = shown or ("modes" if isinstance(source, bytes) else str(source))
    remedy = "Write it again with bondline.leaves.mbd.modal.write_modes."
    return from_hdf5(place, source, _read, remedy)


def _shapes(m: int) -> dict[str, tuple[int, ...]]:
    """What the arrays are, in the order of `Modes`, with their sizes."""
    return {
        "c0": (3,),
        "J0": (3, 3),
        "I0": (m, 3),
        "S1": (m, 3, 3),
        "S2": (m, m, 3, 3),
        "M": (m, m),
        "K": (m, m),
        "D": (m, m),
    }


def _read(file: Group) -> Modes:
    form, version = file.word("format"), file.number("version")
    if form != FORMAT or version != VERSION:
        raise DeckError(
            file.place,
            f"its format is {form[:60] or 'not said'!r}, version {version}.",
            f"Give the attributes format={FORMAT!r} and version={VERSION}.",
        )
    units = file.word("units", "SI")
    if units != "SI":
        raise file.refuse("@units", f"they are {units[:60]!r}.", "Convert to SI.")
    m = len(file.numbers("M", dimensions=2))
    if m > _MOST_MODES:
        raise file.refuse("M", f"{m} modes.", f"There are {_MOST_MODES} at most.")
    c0, J0, I0, S1, S2, M, K, D = (
        _array(file, name, size) for name, size in _shapes(m).items()
    )
    own = file.has("stiffening")
    twelve = _array(file, "stiffening", (12, m, m)) if own else None
    mass = file.number("mass")
    if mass is None or not 0.0 < mass < np.inf:
        raise file.refuse("@mass", f"it is {mass}.", "Give it in kg.")
    nodes = file.group("nodes") if file.has("nodes") else None
    return Modes(
        mass,
        *(c0, J0, I0, S1, S2, M, K, D),
        nodes=_nodes(nodes, m) if nodes else {},
        stiffening=twelve,
    )


def _array(file: Group, name: str, size: tuple[int, ...]) -> Matrix:
    found = file.floats(name, len(size))
    if found.shape != size or not np.isfinite(found).all():
        raise file.refuse(
            name,
            f"its shape is {found.shape}, or a number is not finite.",
            f"Give {' × '.join(map(str, size))} numbers.",
        )
    return found


def _nodes(group: Group, m: int) -> dict[str, Node]:
    if len(group.names) > _MOST_NODES:
        raise DeckError(
            group.place, f"{len(group.names)} nodes.", f"At most {_MOST_NODES}."
        )
    return {name: _node(group.group(name), m) for name in group.names}


def _node(group: Group, m: int) -> Node:
    at, turn = _array(group, "at", (3,)), _array(group, "turn", (4,))
    if abs(np.linalg.norm(turn) - 1.0) > 1e-9:
        raise group.refuse("turn", "it is no unit quaternion.", "Give w, x, y, z.")
    frame = Frame(tuple(at.tolist()), tuple(turn.tolist()))
    return Node(frame, _array(group, "shift", (3, m)), _array(group, "tilt", (3, m)))
