"""Matrices as leaves."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from bondline.leaves.fe.matrices.matrix_set import MatrixSet, Terminal, shown
from bondline.leaves.fe.matrices.open import read_matrices
from bondline.leaves.fe.matrices.sound import check_mass
from bondline.leaves.structure import Structure
from bondline.numerics import Method
from bondline.numerics.symmetry import symmetrised


def matrix_leaf(
    source: MatrixSet | Path | str,
    ports: Mapping[str, Terminal] | None = None,
    *,
    steps: int = 1,
    method: Method | None = None,
) -> Structure:
    """The matrices as a leaf, with the ports of the file and those given here.

    A path is read by what it ends with: .h5 and .hdf5, .op4, or .mtx with all matrices
    of an Abaqus substructure in one file. What a file's digits leave between the two
    triangles of a matrix is shared out.
    """
    if not isinstance(source, MatrixSet):
        source = read_matrices(source)
    check_mass(source.name, source.system)
    given = {name: shown(source, name, t) for name, t in (ports or {}).items()}
    plugs, loads = {**source.ports, **given}, source.loads
    return Structure(
        source.name,
        symmetrised(source.system),
        select={name: plug.select for name, plug in plugs.items()},
        ports={name: plug.port for name, plug in plugs.items()},
        external=loads,
        steps=steps,
        static_load=loads.static if loads else None,
        kinks=loads.kinks if loads else (),
        method=method or Method(),
    )
