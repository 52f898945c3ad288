"""The hidden model of the privacy tests, and the assembly it is glued into.

A clamped steel beam of 40 Euler-Bernoulli elements that bends in one plane, with one
interface dof at its end; trapezoidal windows of 1 ms.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.linalg import eigh

from bondline.core import Signal, Window, uniform
from bondline.gluing import glue
from bondline.leaves.fe.leaf import Plug, fe_leaf
from bondline.leaves.fe.loads import NodalForce
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.reduction.banded import banded
from bondline.leaves.fe.sections import Material
from bondline.leaves.fe.supports import Support
from bondline.leaves.histories import Harmonic
from tests.fe.parts import ALL, beam

H = 1e-3
BAND = 60.0
SCALES = (0.87, 0.93, 1.07, 1.13)  # controls: frequencies that nothing has
END = {"end": Plug("u1", components=(1,))}
OUT_OF_PLANE = (0, 2, 3, 4)


@cache
def hidden_model():
    mesh = beam(40, side=0.008)
    flat = Support(np.arange(1, 41), OUT_OF_PLANE)
    return FeModel("hidden", mesh, (Support(mesh.node_sets["u0"], ALL), flat))


def hidden():
    return fe_leaf(hidden_model(), END)


def served(band=BAND):
    return banded(hidden(), band, samples=0).leaf


@cache
def truth():
    """Its frequencies in Hz, from its matrices."""
    M, _, K = (A.toarray() for A in hidden_model().assembled.system)
    return np.sqrt(eigh(K, M, eigvals_only=True)) / (2.0 * np.pi)


def assembly(part, seed, below=BAND):
    """The part glued to a beam that four loads below a frequency shake from t = 0."""
    g = np.random.default_rng(seed)
    steel = Material("steel", 210e9, 0.3, 7850.0, alpha=2.0, beta=1e-5)
    mesh = beam(10, length=0.5, side=0.01, material=steel)
    loads = tuple(
        NodalForce(
            mesh.node_sets["u1"],
            1,
            float(g.normal()),
            Harmonic(b=(1.0,), a=(0.5,), omega=float(2 * np.pi * g.uniform(1, below))),
        )
        for _ in range(4)
    )
    flat = Support(np.arange(0, 11), OUT_OF_PLANE)
    model = FeModel("other", mesh, (flat,), loads=loads)
    names = {"tip": f"{mesh.ids[mesh.node_sets['u1'][0]]}.y"}
    other = fe_leaf(model, {"a": Plug("u0", components=(1,))}, publish=names)
    return glue("both", [part, other], {"weld": ("hidden.end", "other.a")})


def impulse(leaf, steps):
    """Interface impulse response: steps x 1 x 1."""
    forces = np.zeros((steps, 1))
    forces[0] = 1.0
    return driven(leaf, forces)["x"][:, :, None]


def driven(leaf, forces):
    """What the port shows, x v a, when it is given these forces."""
    state, shown = leaf.start(0.0).state, []
    for n, f in enumerate(forces):
        done = leaf.advance(state, uniform(0.0, H, n), {"end": Signal.hold(f)})
        state = done.state
        shown.append(done.outputs["end"])
    return {level: np.array([getattr(o, level) for o in shown]) for level in "xva"}


def ordinary(steps, seed, below=BAND):
    """A load of six harmonics below a frequency, switched on at t = 0."""
    g = np.random.default_rng(seed)
    f, phase = g.uniform(1, below, 6), g.uniform(0, 2 * np.pi, 6)
    t = H * np.arange(1, steps + 1)[:, None]
    return np.cos(2 * np.pi * f * t + phase).sum(axis=1, keepdims=True)


def flexibility(leaf, lengths):
    """G at many window lengths."""
    G = [leaf.linearise(None, Window(0.0, h), {}).blocks["end", "end"] for h in lengths]
    return np.array([one[0, 0, 0, 0] for one in G])


def rounded(x, digits):
    """The numbers with that many digits."""
    if digits is None:
        return x
    return np.array([float(f"{v:.{digits - 1}e}") for v in x.ravel()]).reshape(x.shape)
