"""CalculiX as a leaf: matrices and statics by its own program, from its own deck.

The program runs beside us, in a folder of its own: Debian's package calculix-ccx.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from scipy.sparse import csr_array

from bondline.core import (
    FRAME_DOFS,
    Advance,
    Capabilities,
    Motion,
    Parameter,
    Port,
    Rejected,
    Signal,
    Vector,
    Window,
)
from bondline.errors import DeckError, SettingError
from bondline.leaves.calculix_deck import (
    MATRICES,
    ModelDeck,
    read_displacements,
    read_model,
    static_deck,
)
from bondline.leaves.fe.matrices.entries import mirrored
from bondline.leaves.fe.matrices.leaf import matrix_leaf
from bondline.leaves.fe.matrices.matrix_set import MatrixSet, Terminal, shown
from bondline.leaves.fe.matrices.sound import check_mass
from bondline.leaves.fe.mesh import Indices
from bondline.leaves.fe.plug import Plugged
from bondline.leaves.raw import from_bytes, to_bytes
from bondline.leaves.structure import Structure
from bondline.numerics import LinearSystem, Method

PROGRAMS = ("ccx", "ccx_2.20", "ccx_2.21", "ccx_2.22")
PATIENCE = 600.0  # s
_SOLIDS = FRAME_DOFS[:3]


def program() -> str:
    """Where CalculiX is, or how to get it."""
    for name in PROGRAMS:
        found = shutil.which(name)
        if found:
            return found
    raise SettingError(
        "CalculiX",
        f"there is no program {PROGRAMS[0]} on the path.",
        "Install it: apt install calculix-ccx.",
    )


def run(deck: str, endings: Sequence[str], patience: float = PATIENCE) -> list[str]:
    """What CalculiX writes for a deck: the files with these endings."""
    with TemporaryDirectory(prefix="bondline-ccx-") as folder:
        job = Path(folder) / "job"
        job.with_suffix(".inp").write_text(deck, encoding="utf-8")
        try:
            done = subprocess.run(
                [program(), "job"],
                cwd=folder,
                env={"OMP_NUM_THREADS": "1", "CCX_NPROC_RESULTS": "1"},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=patience,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise DeckError(
                "CalculiX", f"no end after {patience:g} s.", "Take a smaller deck."
            ) from error
        said = done.stdout.decode("utf-8", errors="replace")
        files = [job.with_suffix(f".{ending}") for ending in endings]
        if done.returncode or "*ERROR" in said or not all(f.is_file() for f in files):
            raise DeckError("CalculiX", _complaint(said), "Correct the deck.")
        return [f.read_text(encoding="utf-8", errors="replace") for f in files]


def _complaint(said: str) -> str:
    """Its first error, or its last words."""
    lines = [" ".join(line.split()) for line in said.splitlines() if line.strip()]
    first = next((k for k, line in enumerate(lines) if "*ERROR" in line), None)
    told = lines[-3:] if first is None else lines[first : first + 3]
    return f"it gave up: {' / '.join(told)[:300] or 'without a word'}."


def calculix_matrices(model: ModelDeck, name: str) -> MatrixSet:
    """Stiffness and mass as CalculiX assembles them; supports are taken out."""
    stiffness, mass, dofs = run(model.text + MATRICES, ("sti", "mas", "dof"))
    labels = np.array(
        [[int(part) for part in word.split(".")] for word in dofs.split()],
        dtype=np.intp,
    )
    if not labels.size:
        raise DeckError(name, "nothing in it can move.", "Hold fewer nodes.")
    K, M = (_matrix(text, len(labels)) for text in (stiffness, mass))
    system = LinearSystem(M, csr_array(K.shape), K)
    return MatrixSet(name, system, labels - np.array([0, 1]))


def _matrix(text: str, n: int) -> csr_array:
    table = np.array(text.replace("D", "E").split(), dtype=np.float64).reshape(-1, 3)
    i, j = (table[:, c].astype(np.intp) - 1 for c in (0, 1))
    return mirrored((i, j), table[:, 2], n)


def calculix_leaf(
    name: str,
    deck: str,
    sockets: Mapping[str, str],
    *,
    damping: tuple[float, float] = (0.0, 0.0),
    method: Method | None = None,
    file: str = "",
) -> Structure:
    """The linear structure of a deck, with node sets as ports.

    CalculiX runs once, for its matrices; what comes from its first step on is left
    out. `damping` is Rayleigh's α M + β K.
    """
    model = read_model(deck, file or name)
    source = calculix_matrices(model, name)
    (M, _, K), (alpha, beta) = source.system, damping
    C = csr_array(alpha * csr_array(M) + beta * csr_array(K))
    source = replace(source, system=LinearSystem(M, C, K))
    ports = {port: _terminal(model, name, port, s) for port, s in sockets.items()}
    try:
        check_mass(name, source.system)
    except DeckError as error:
        raise DeckError(error.place, error.finding, _MASSES) from error
    return matrix_leaf(source, ports, method=method)


_MASSES = (
    "CalculiX takes too few points for the mass of some elements (C3D4, C3D8I, C3D10, "
    "C3D20R). Take C3D8 or C3D20, which have all of it."
)


def _terminal(model: ModelDeck, name: str, port: str, where: str) -> Terminal:
    nodes = model.nodes(f"{name}.{port}", where)
    return Terminal(
        _SOLIDS, nodes=nodes, points=np.array([model.points[n] for n in nodes])
    )


@dataclass(frozen=True, eq=False)
class CalculixStatics:
    """A structure whose nonlinear rest is found by CalculiX, a process a question.

    Turns and strains may be large (NLGEOM), and laws those of the deck. It is for
    statics alone: windows of time are rejected (`calculix_leaf` has linear motion, and
    linear rest besides). CalculiX writes displacements with seven digits: ask for no
    more of what is glued.
    """

    name: str
    deck: str
    sockets: Mapping[str, str]
    parameters: Mapping[str, Parameter] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _ = self._plugs  # refused here

    @cached_property
    def model(self) -> ModelDeck:
        """What the deck says."""
        return read_model(self.deck, self.name)

    @cached_property
    def _source(self) -> MatrixSet:
        return calculix_matrices(self.model, self.name)

    @cached_property
    def _plugs(self) -> Mapping[str, Plugged]:
        return {
            port: shown(
                self._source, port, _terminal(self.model, self.name, port, where)
            )
            for port, where in self.sockets.items()
        }

    @cached_property
    def _labels(self) -> list[tuple[int, int]]:
        """Node and component of every dof."""
        assert self._source.labels is not None, "CalculiX says them"
        return [(int(node), int(c)) for node, c in self._source.labels]

    @cached_property
    def _rows(self) -> Mapping[str, Indices]:
        return {p: np.asarray(plug.select) for p, plug in self._plugs.items()}

    @property
    def ports(self) -> Mapping[str, Port]:
        """Node sets."""
        return {port: plug.port for port, plug in self._plugs.items()}

    @property
    def capabilities(self) -> Capabilities:
        """It remembers nothing."""
        return Capabilities()

    def equilibrium(
        self,
        state: Vector,
        load_factor: float,
        inputs: Mapping[str, Vector],
        springs: Mapping[str, Vector],
    ) -> Advance[Vector] | Rejected:
        """Rest under port forces and springs to the ground; it has no own loads."""
        forces, stiff = (self._spread(given) for given in (inputs, springs))
        deck = static_deck(self.model, forces, stiff)
        try:
            (printed,) = run(deck, ("dat",))
        except DeckError as error:
            return Rejected(self.name, error.finding, error=error)
        moved = read_displacements(printed)
        u = np.array([moved[node][c] for node, c in self._labels])
        if not np.isfinite(u).all():
            return Rejected(self.name, "CalculiX found no rest")
        return self._shown(u)

    def _shown(self, u: Vector) -> Advance[Vector]:
        """What ports show of displacements."""
        places = {port: u[self._rows[port]] for port in self._plugs}
        still = {port: np.zeros_like(x) for port, x in places.items()}
        return Advance(u, {p: Motion(x, still[p], still[p]) for p, x in places.items()})

    def _spread(self, given: Mapping[str, Vector]) -> dict[tuple[int, int], float]:
        """Numbers of the ports by node and component."""
        found: dict[tuple[int, int], float] = {}
        for port, values in given.items():
            nodes = self.model.nodes(f"{self.name}.{port}", self.sockets[port])
            places = [(node, c) for node in nodes for c in range(len(_SOLIDS))]
            for place, value in zip(places, values.tolist(), strict=True):
                found[place] = found.get(place, 0.0) + value
        return found

    def start(self, t0: float) -> Advance[Vector]:
        """At rest and undeformed."""
        return self._shown(np.zeros(len(self._labels)))

    def advance(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Rejected:
        """None: it is for statics."""
        why = "CalculiX finds its rest only; calculix_leaf moves in time"
        error = SettingError(self.name, f"{why}.", "Take it for `bondline static`.")
        return Rejected(self.name, why, error=error)

    def dump(self, state: Vector) -> bytes:
        """Displacements as raw doubles."""
        return to_bytes(state)

    def load(self, data: bytes) -> Vector:
        """The state that `dump` wrote."""
        return from_bytes(data)
