"""Matrices and ports as one HDF5 file; docs/reference/matrices.md has the layout."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from bondline.core import Port
from bondline.errors import SettingError
from bondline.leaves.fe.matrices.digest import digest_of
from bondline.leaves.fe.matrices.histories_text import histories_text
from bondline.leaves.fe.matrices.matrix_set import MatrixSet
from bondline.leaves.fe.plug import Plugged
from bondline.leaves.fe.reduction.loads import Loads
from bondline.numerics import LinearSystem
from bondline.numerics.lowrank import Updated

FORMAT, VERSION, UNITS = "bondline-matrices", 1, "SI (m, kg, s, N, rad)"
TAKES = {"T": "force", "X": "motion"}
_FULL = 5000  # dofs up to which damping by modes is written in full


def write_h5(source: MatrixSet, path: Path | str) -> str:
    """Write one file; its digest, which the file has, too."""
    import h5py

    source = _plain(source)
    digest = digest_of(source)
    with h5py.File(str(path), "w") as file:
        about = {"format": FORMAT, "version": VERSION, "units": UNITS}
        file.attrs.update({**about, "name": source.name, "digest": digest})
        if source.band is not None:
            file.attrs["band"] = float(source.band)
        for letter, A in zip("MCK", source.system, strict=True):
            _matrix(file, letter, A)
        if source.labels is not None:
            file["labels"] = source.labels.astype(np.int64)
        ports = file.create_group("ports")
        for place, (name, plug) in enumerate(source.ports.items()):
            group = ports.create_group(name)
            group.attrs["place"] = place
            _port(group, plug)
        if source.loads is not None:
            _loads(file.create_group("loads"), source.name, source.loads)
    return digest


def _plain(source: MatrixSet) -> MatrixSet:
    """With damping by modes multiplied out."""
    M, C, K = source.system
    if not isinstance(C, Updated):
        return source
    if source.size > _FULL:
        raise SettingError(
            f"{source.name}: C",
            f"damping by modes fills a matrix of {source.size} dofs.",
            "Reduce the model first, or use Rayleigh damping.",
        )
    system = LinearSystem(M, C.toarray(), K)
    return MatrixSet(
        source.name, system, source.labels, source.ports, source.band, source.loads
    )


def _matrix(group: Any, name: str, A: Any) -> None:
    if isinstance(A, np.ndarray):
        group[name] = A.astype(np.float64)
        return
    own = group.create_group(name)
    own.attrs["shape"] = np.array(A.shape, dtype=np.int64)
    own["data"] = A.data.astype(np.float64)
    own["indices"] = A.indices.astype(np.int64)
    own["indptr"] = A.indptr.astype(np.int64)


def _port(group: Any, plug: Plugged) -> None:
    port: Port = plug.port
    group.attrs["dofs"] = " ".join(port.dofs)
    group.attrs["nodes"] = port.nodes
    group.attrs["takes"] = TAKES[port.causality.value]
    if isinstance(plug.select, np.ndarray):
        group["select"] = plug.select.astype(np.int64)
    else:
        _matrix(group, "select", plug.select)
    if port.fixed:
        group["fixed"] = np.array(port.fixed, dtype=np.int64)
    if port.surface is not None:
        group["points"] = np.asarray(port.surface.points, dtype=np.float64)
        facets = port.surface.facets
        if facets:
            sizes = np.array([len(f) for f in facets], dtype=np.int64)
            group["facet_sizes"] = sizes
            group["facets"] = np.array([n for f in facets for n in f], dtype=np.int64)


def _loads(group: Any, name: str, loads: Loads) -> None:
    group.attrs["histories"] = histories_text(name, loads.histories)
    for key in ("value", "rate", "second", "static"):
        group[key] = np.asarray(getattr(loads, key), dtype=np.float64)
