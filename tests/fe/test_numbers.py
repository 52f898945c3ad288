"""Numbers that cannot be are refused by name, not turned into plausible results."""

from __future__ import annotations

from dataclasses import replace
from math import inf, nan

import numpy as np
import pytest

from bondline.errors import SettingError
from bondline.leaves.fe.leaf import fe_leaf
from bondline.leaves.fe.links import Equation
from bondline.leaves.fe.loads import NodalForce, Pressure
from bondline.leaves.fe.mesh import Block, Mesh
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.sections import Bushing, PointMass, ShellSection, TrussSection
from bondline.leaves.fe.supports import Initial, Support
from bondline.leaves.histories import Constant, Harmonic

from .parts import ALL, STEEL, beam, plate, rod, square

FINITE = "Give a finite number, in SI units."


def with_section(mesh: Mesh, section) -> Mesh:
    return replace(mesh, blocks=(replace(mesh.blocks[0], section=section),))


def beams(**changes) -> Mesh:
    return with_section(beam(2), replace(square(), **changes))


def shells(**changes) -> Mesh:
    return with_section(plate(2, 1), ShellSection(replace(STEEL, **changes), 0.01))


def spring(stiffness=1.0, damping=0.0) -> Mesh:
    ground = Bushing(np.full(6, stiffness), np.full(6, damping))
    blocks = (
        Block("BUSHING", np.array([[0]]), ground, np.array([7])),
        Block("MASS", np.array([[0]]), PointMass(1.0), np.array([8])),
    )
    return Mesh(np.zeros((1, 3)), blocks, np.array([1]))


def thing(mesh: Mesh, **more) -> FeModel:
    return FeModel("m", mesh, **more)


def refused(model: FeModel) -> SettingError:
    with pytest.raises(SettingError) as error:
        _ = model.assembled
    return error.value


@pytest.mark.parametrize(
    ("mesh", "place", "finding"),
    [
        (
            with_section(plate(2, 1), ShellSection(STEEL, 0.01, nan)),
            "m: section of S4 element 1, offset",
            "nan is not a finite number.",
        ),
        (
            with_section(plate(2, 1), ShellSection(STEEL, inf)),
            "m: section of S4 element 1, thickness",
            "inf is not a finite number.",
        ),
        (
            beams(offset=(nan, 0.0)),
            "m: section of B33 element 1, offset",
            "nan is not a finite number.",
        ),
        (
            beams(J=nan),
            "m: section of B33 element 1, J",
            "nan is not a finite number, not negative.",
        ),
        (
            beams(area=-1.0),
            "m: section of B33 element 1, area",
            "-1 is not a finite positive number.",
        ),
        (
            beams(shear2=-1e-4),
            "m: section of B33 element 1, shear2",
            "-0.0001 is not a positive number; infinite for a beam that does not shear"
            ".",
        ),
        (
            with_section(rod(2), TrussSection(STEEL, nan)),
            "m: section of T3D2 element 1, area",
            "nan is not a finite positive number.",
        ),
        (
            shells(rho=nan),
            "m: material steel, rho",
            "nan is not a finite number, not negative.",
        ),
        (
            shells(beta=-1e-5),
            "m: material steel, beta",
            "-1e-05 is not a finite number, not negative.",
        ),
        (shells(E=inf), "m: material steel, E", "inf is not a finite number."),
        (
            spring(nan),
            "m: section of BUSHING element 7, stiffness",
            "nan is not a finite number.",
        ),
        (
            spring(1.0, inf),
            "m: section of BUSHING element 7, damping",
            "inf is not a finite number.",
        ),
    ],
)
def test_numbers_of_sections(mesh, place, finding):
    error = refused(thing(mesh))
    assert (error.place, error.finding) == (place, finding)
    assert error.remedy == f"Give {finding.split(' is not ')[1][:-1]}, in SI units."


@pytest.mark.parametrize("bad", [nan, inf])
def test_numbers_of_loads_supports_and_links(bad):
    held = Support("u0", ALL)
    force = NodalForce("u1", 2, bad)
    pressure = Pressure(np.array([[1, 1]]), bad)
    equation = Equation(np.array([2, 5]), (0, 0), np.array([1.0, bad]))
    mesh = plate(2, 1)
    each = {
        "load 1, value": thing(mesh, supports=(held,), loads=(force,)),
        "load 1, pressure": thing(mesh, supports=(held,), loads=(pressure,)),
        "support 1, value": thing(mesh, supports=(replace(held, value=bad),)),
        "equation 1, coefficients": thing(mesh, links=(equation,)),
    }
    for place, model in each.items():
        error = refused(model)
        assert (error.place, error.remedy) == (place, FINITE)
        assert error.finding == f"{bad:g} is not a finite number."


def test_damping_that_would_drive():
    error = refused(thing(plate(2, 1), rayleigh=(0.0, -1e-4)))
    assert error.place == "m: rayleigh β"
    assert error.finding == "-0.0001 is not a finite number, not negative."
    assert error.remedy == "Give a finite number, not negative, in SI units."
    assert refused(thing(plate(2, 1), rayleigh=(nan, 0.0))).place == "m: rayleigh α"


@pytest.mark.parametrize("bad", [nan, inf])
def test_numbers_of_a_leaf(bad):
    model = thing(plate(2, 1), supports=(Support("u0", ALL),))
    with pytest.raises(SettingError) as error:
        fe_leaf(model, {}, modal=(bad,))
    assert error.value.place == "modal damping ratios"
    assert error.value.finding == f"{bad:g} is not a finite number."
    assert error.value.remedy == FINITE
    with pytest.raises(SettingError) as error:
        fe_leaf(replace(model, initial=(Initial("u1", 2, velocity=bad),)), {})
    assert error.value.place == "m: start"
    assert error.value.finding == f"{bad:g} is not a finite number."
    assert error.value.remedy == FINITE


@pytest.mark.parametrize(
    ("place", "make"),
    [
        ("constant over time", lambda: Constant(nan)),
        ("harmonic over time", lambda: Harmonic(b=(1.0,), omega=inf)),
    ],
)
def test_numbers_of_histories(place, make):
    with pytest.raises(SettingError) as error:
        make()
    assert error.value.place == place
    assert error.value.finding == "a number is not finite."
    assert error.value.remedy == "Give finite numbers."


def test_what_overflows_on_the_way_is_found_at_its_node():
    with np.errstate(over="ignore", invalid="ignore"):
        error = refused(thing(with_section(rod(2), TrussSection(STEEL, 1e300))))
    assert error.place == "m: node 1, x"
    assert "the stiffness assembled there is inf" in error.finding
    assert "units" in error.remedy
