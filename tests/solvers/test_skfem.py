"""Weak forms of scikit-fem as leaves; needs bondline[skfem]."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.errors import SettingError
from bondline.gluing import glue
from bondline.testing import assert_conforms

pytest.importorskip("skfem")

import skfem
from skfem.helpers import dot, grad

from bondline.leaves.skfem import skfem_leaf

TENSION, WEIGHT = 40.0, 0.3


@skfem.BilinearForm
def stretch(u, v, w):
    return TENSION * dot(grad(u), grad(v))


@skfem.BilinearForm
def inertia(u, v, w):
    return WEIGHT * u * v


def membrane(name="skin", first=0.0, last=2.0, ports=("right",), held="left", **how):
    """A square net of quadratic elements under tension, from `first` to `last`."""
    x, y = np.linspace(first, last, int(4 * (last - first)) + 1), np.linspace(0, 1, 4)
    mesh = skfem.MeshQuad.init_tensor(x, y).with_boundaries(
        {
            "left": lambda x: np.isclose(x[0], first),
            "right": lambda x: np.isclose(x[0], last),
        }
    )
    basis = skfem.Basis(mesh, skfem.ElementQuad2())
    forms = {"K": stretch, "M": inertia, **how.pop("forms", {})}
    how = {"dofs": ("z",), **how}
    return skfem_leaf(name, basis, forms, {p: p for p in ports}, held=held, **how)


def test_it_conforms():
    leaf = membrane()
    assert leaf.ports["right"].nodes == 7  # corners and middles of three edges
    assert_conforms(leaf)


def test_it_swings_as_the_weak_form_says():
    """Held on the left, free elsewhere: ω = c π / 2 L."""
    first = np.sqrt(TENSION / WEIGHT) * np.pi / 4.0
    leaf = membrane()
    counts = [leaf.receptance(s * first, damped=False).below for s in (0.9999, 1.0001)]
    assert counts == [0, 1]


def test_two_halves_glued_vibrate_as_one():
    left = membrane("left", 0.0, 1.0)
    right = membrane("rest", 1.0, 2.0, ("left", "right"), held=None)
    seam = {"cut": ("left.right", "rest.left")}
    glued = glue("skin", [left, right], seam, exports={"right": "rest.right"})
    whole = membrane()
    for omega in (10.0, 50.0):
        one, two = (
            m.receptance(omega).blocks["right", "right"] for m in (glued, whole)
        )
        assert np.abs(one - two).max() < 1e-9 * np.abs(two).max()


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"forms": {"D": inertia}}, "found K, M, D"),
        ({"ports": ("top",)}, "Name a boundary"),
        ({"dofs": ("x", "y")}, "not 2 in every place"),
        ({"held": "right"}, "some of its dofs are held"),
        ({"held": lambda x: x[0] > 9.0}, "no dofs"),
    ],
)
def test_what_does_not_fit_is_refused(how, words):
    with pytest.raises(SettingError, match=words):
        membrane(**how)
