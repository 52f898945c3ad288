"""Arrays of FMI 3: every element is a signal, a parameter, or a dof of a port."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import expm

pytest.importorskip("fmpy", reason="FMUs need the extra `fmi`: ./run extras")

from bondline.build import fmus, open_model
from bondline.core import Advance, Signal, Window
from bondline.description import Place
from bondline.description.fmu.arrays import MOST
from bondline.description.spec import FmuSpec, InterfaceSpec
from bondline.errors import SettingError
from bondline.leaves.fmu.leaf import FmuLeaf
from bondline.run import Keep, simulate
from tests.fmi.making import SAVES, description, fmu, leaf, part
from tests.fmi.models import component, model

TWO, N = '<Dimension start="2"/>', '<Dimension valueReference="20"/>'
SIZE = (
    '<UInt64 name="n" valueReference="20" causality="structuralParameter" '
    'variability="fixed" start="2"/>'
)


def _array(name: str, reference: int, how: str, dimensions: str, start: str) -> str:
    told = f' start="{start}"' if start else ""
    kind = "fixed" if how == "parameter" else "continuous"
    return (
        f'<Float64 name="{name}" valueReference="{reference}" causality="{how}" '
        f'variability="{kind}"{told}>{dimensions}</Float64>'
    )


ARRAYS = {
    "n": SIZE,
    "y": _array("y", 0, "output", N, ""),
    "u": _array("u", 2, "input", TWO, "1 2"),
    "z": _array("z", 4, "output", TWO + '<Dimension start="1"/>', ""),
    "A": _array("A", 6, "parameter", N + N, "1 0 0 1"),
    "B": _array("B", 10, "parameter", TWO + N, "1 0 0 1"),
    "x0": _array("x0", 14, "parameter", N, "0"),
    "inner": _array("inner", 30, "local", "<Dimension/>", ""),
}


def _made(folder: Path, **other: str) -> Path:
    """The model c/matrix.c, with other words for some of its variables."""
    text = description("matrix", 3, SAVES[3], [])
    head, tail = text.split("<ModelVariables>")
    told = f"{head}<ModelVariables>{''.join((ARRAYS | other).values())}{tail}"
    more = {"modelDescription.xml": told.encode()}
    return fmu(folder / "matrix.fmu", "matrix", 3, more=more)


def _exact(A: np.ndarray, B: np.ndarray, u: np.ndarray, t: float) -> np.ndarray:
    """x at t of x' = A x + B u, from rest."""
    whole = np.zeros((3, 3))
    whole[:2, :2], whole[:2, 2] = A, B @ u
    return np.asarray((expm(t * whole) @ [0.0, 0.0, 1.0])[:2])


def test_elements_are_named_from_one_on_and_row_by_row(tmp_path: Path) -> None:
    made = fmus.examined(part(_made(tmp_path)))
    assert made.problems == ()
    assert made.passport is not None
    assert [*made.passport.ports] == [
        *("y[1]", "y[2]", "u[1]", "u[2]"),
        *("z[1,1]", "z[2,1]"),
    ]
    found = {n: p.value for n, p in made.passport.parameters.items()}
    assert [*found][:5] == ["n", "A[1,1]", "A[1,2]", "A[2,1]", "A[2,2]"]
    assert [found[n] for n in ("n", "A[1,1]", "A[1,2]", "x0[2]")] == [2, 1, 0, 0]


def test_an_element_is_set_and_the_others_stay(tmp_path: Path) -> None:
    values = {"A[1,2]": 0.5, "B[2,1]": -3.0}
    made = leaf(_made(tmp_path), **values)
    assert isinstance(made, FmuLeaf), made.notes
    record = Keep()
    simulate(made, 0.2, 0.1, record=record)
    got = record.results().signals
    A, B = np.array([[1.0, 0.5], [0.0, 1.0]]), np.array([[1.0, 0.0], [-3.0, 1.0]])
    x = _exact(A, B, np.array([1.0, 2.0]), 0.2)
    assert [got["y[1]"][-1], got["y[2]"][-1]] == pytest.approx([*x], rel=1e-12)
    assert got["z[2,1]"][-1] == 2.0


def test_an_element_that_is_told_leaves_the_others(tmp_path: Path) -> None:
    made = leaf(_made(tmp_path))
    start = made.start(0.0).state
    pressed = made.press(start, 0.0, {"u[1]": np.array([5.0])}).outputs
    assert (pressed["z[1,1]"], pressed["z[2,1]"]) == (5.0, 2.0)
    told = {"u[2]": Signal.hold(np.array([7.0]))}
    gone = made.advance(start, Window(0.0, 0.1), told)
    assert isinstance(gone, Advance)
    assert (gone.outputs["z[1,1]"], gone.outputs["z[2,1]"]) == (1.0, 7.0)


def test_connections_go_from_element_to_element(tmp_path: Path) -> None:
    _made(tmp_path)
    ends = [("y[2]", "output"), ("u[1]", "input"), ("z[1,1]", "output")]
    model(
        tmp_path,
        [
            component("a", "matrix.fmu", ends[:1], {"A[2,2]": -2.0}),
            component("b", "matrix.fmu", ends[1:]),
        ],
        wires=[("a.y[2]", "b.u[1]")],
        gluing='step="0.1" signals="iterated"',
    )
    record = Keep()
    simulate(open_model(tmp_path).model, 0.3, 0.1, record=record)
    got = record.results()
    np.testing.assert_allclose(got.signals["a.y[2]"], 1.0 - np.exp(-2.0 * got.t))
    np.testing.assert_allclose(got.signals["b.z[1,1]"], got.signals["a.y[2]"])
    assert set(got.signals["b.z[2,1]"]) == {2.0}


def test_elements_can_make_a_port(tmp_path: Path) -> None:
    """A free mass: x'' = F, with elements of arrays as force, position and velocity."""
    here = Place("model.ssd", 1, 1)
    own = (("x",), ("u[1]",), ("y[1]",), ("y[2]",))
    said = FmuSpec(here, interfaces=(InterfaceSpec("p", *own, (), (), here),))
    free = {"A[1,1]": 0.0, "A[1,2]": 1.0, "A[2,2]": 0.0}
    pushed = {"B[1,1]": 0.0, "B[2,1]": 1.0, "B[2,2]": 0.0}
    made = leaf(_made(tmp_path), "a", said, **free, **pushed)
    assert "u[1]" not in made.ports
    told = {"p": Signal.hold(np.array([3.0]))}
    gone = made.advance(made.start(0.0).state, Window(0.0, 0.2), told)
    assert isinstance(gone, Advance)
    motion = gone.outputs["p"]
    assert (motion.x[0], motion.v[0]) == pytest.approx((0.06, 0.6), rel=1e-12)


def test_a_structural_parameter_stays_as_it_is(tmp_path: Path) -> None:
    path = _made(tmp_path)
    assert leaf(path, n=2.0).parameters["n"].value == 2.0
    with pytest.raises(SettingError, match="n of a says how large arrays are") as no:
        leaf(path, n=3.0)
    assert "Leave it at 2" in no.value.remedy


LOST = '<Dimension valueReference="99"/>'
LARGE = f'<Dimension start="{MOST}"/>'


@pytest.mark.parametrize(
    ("name", "dimensions", "start", "finding"),
    [
        ("u", TWO + TWO, "1 2", "the array u has 4 elements and 2 start values"),
        ("y", LOST, "", "the array y has a dimension of which the size is not told"),
        ("y", '<Dimension start="-1"/>', "", "the array y has a dimension"),
        ("y", '<Dimension start="1"/>' * 33, "", "y has more than 32 dimensions"),
        ("y", LARGE, "", "the array u has too many elements"),
        ("y", LARGE * 32, "", "the array y has too many elements"),
    ],
)
def test_an_array_that_cannot_be_is_refused_by_its_name(
    tmp_path: Path, name: str, dimensions: str, start: str, finding: str
) -> None:
    how = {"u": "input", "y": "output"}[name]
    path = _made(tmp_path, **{name: _array(name, 0, how, dimensions, start)})
    [problem] = fmus.examined(part(path)).problems
    assert problem.code == "BND103"
    assert finding in problem.finding
    assert "structural parameter" in problem.remedy
    with pytest.raises(SettingError, match=finding):
        leaf(path)


def test_a_large_table_stays_as_it_is(tmp_path: Path) -> None:
    table = _array("T", 40, "parameter", LARGE, "0")
    made = fmus.examined(part(_made(tmp_path, T=table)))
    assert made.problems == ()
    assert made.passport is not None
    assert not [n for n in made.passport.parameters if n.startswith("T")]
