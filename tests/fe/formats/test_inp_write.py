"""Models written as decks: the same when read again, and CalculiX runs them."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import fields, is_dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bondline.errors import UsageError
from bondline.leaves.expression import Expression
from bondline.leaves.fe.formats import Analysis, inp_text, parse_inp, write_inp
from bondline.leaves.fe.formats.inp.pen import WIDTH, spans
from bondline.leaves.fe.loads import Gravity, NodalForce
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.sections import Bushing
from bondline.leaves.fe.static import static
from bondline.leaves.histories import Harmonic, Table

from .samples import RICH

KNOWN_TO_CALCULIX = re.sub(
    r"(?m)^\*(?:COUPLING|DISTRIBUTING|ROTARY|BEAM GENERAL|SPRING, ELSET=GROUND).*\n"
    r"(?:(?!\*).*\n)*",
    "",
    RICH,
)
for gone in ("TYPE=ROTARYI, ELSET=TURN\n10, 12", "TYPE=SPRING1, ELSET=GROUND\n8, 15",
             "TYPE=B31, ELSET=GENERAL\n4, 11, 12"):  # fmt: skip
    KNOWN_TO_CALCULIX = KNOWN_TO_CALCULIX.replace(f"*ELEMENT, {gone}\n", "")
KNOWN_TO_CALCULIX = KNOWN_TO_CALCULIX.replace("BEAM, GENERAL, ROD", "BEAM, ROD")
KNOWN_TO_CALCULIX = KNOWN_TO_CALCULIX.replace("14, 3, -100.\n", "")


def alike(a: object, b: object, rtol: float) -> bool:
    """Whether two values are the same, numbers up to a tolerance."""
    if isinstance(a, np.ndarray | float):
        return np.allclose(a, b, rtol=rtol, atol=0.0)
    if is_dataclass(a):
        mine, theirs = vars_of(a), vars_of(b)
        return type(a) is type(b) and alike(mine, theirs, rtol)
    if isinstance(a, dict):
        return all(name in b and alike(a[name], b[name], rtol) for name in a)
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(alike, a, b, [rtol] * len(a)))
    return a == b


def vars_of(thing: object) -> dict[str, object]:
    return {field.name: getattr(thing, field.name) for field in fields(thing)}


@pytest.mark.parametrize(("dialect", "rtol"), [("abaqus", 1e-14), ("calculix", 1e-12)])
def test_what_is_written_reads_as_the_same_model(dialect, rtol):
    deck = parse_inp(RICH if dialect == "abaqus" else KNOWN_TO_CALCULIX)
    if dialect == "calculix":
        deck = parse_inp(inp_text(deck.model, deck.analysis))  # its sines are tables
    back = parse_inp(inp_text(deck.model, deck.analysis, dialect=dialect))
    assert back.analysis == deck.analysis
    assert alike(deck.model, back.model, rtol)  # sets may be more
    assert not alike(deck.model, replace(back.model, loads=()), rtol)


@pytest.mark.parametrize("dialect", ["abaqus", "calculix"])
def test_writing_comes_to_rest(dialect):
    model = parse_inp(RICH if dialect == "abaqus" else KNOWN_TO_CALCULIX).model
    step, texts = Analysis("dynamic", 1e-3, 0.05, -0.1), []
    for _ in range(3):
        texts.append(inp_text(model, step, dialect=dialect))
        model = parse_inp(texts[-1]).model
    assert texts[1] == texts[2]


def test_statics_do_not_change_by_writing():
    deck = parse_inp(plate())
    for dialect in ("abaqus", "calculix"):
        back = parse_inp(inp_text(deck.model, deck.analysis, dialect=dialect))
        assert_allclose(
            static(back.model).u, static(deck.model).u, rtol=1e-9, atol=1e-16
        )


def test_numbers_are_no_longer_than_calculix_reads():
    model = parse_inp(KNOWN_TO_CALCULIX).model
    points = model.mesh.points + 1e-5 / 3
    blocks = tuple(b for b in model.mesh.blocks if b.kind != "SPRING")
    mesh = replace(model.mesh, points=-points, blocks=blocks, element_sets={})
    moved = replace(model, mesh=mesh)
    numbers = re.findall(
        r"-?\d[\d.e+-]*", inp_text(moved, Analysis("dynamic", 1e-3, 0.1))
    )
    assert max(map(len, numbers)) <= WIDTH
    back = parse_inp(inp_text(moved)).model.mesh.points
    assert_allclose(back, -points, rtol=1e-12)


def test_amplitudes_are_exact_at_the_steps_of_the_analysis():
    model = parse_inp(KNOWN_TO_CALCULIX).model
    wave = Expression("sin(40 * t) + t**2")
    force = NodalForce(np.array([12]), 0, 2.0, wave)
    step = Analysis("dynamic", 0.01, 0.2, -0.05)
    text = inp_text(replace(model, loads=(force,)), step)
    (load,) = parse_inp(text).model.loads
    assert isinstance(load.history, Table)
    for t in np.linspace(0.0, 0.2, 21):
        assert_allclose(load.history.at(t)[0], wave.at(t)[0], rtol=1e-12, atol=1e-15)
    still = inp_text(
        replace(model, loads=(force,), static_time=0.1), Analysis("static")
    )
    (load,) = parse_inp(still).model.loads
    assert_allclose(load.history.at(0.5)[0], wave.at(0.1)[0], rtol=1e-12)


def test_damping_of_the_whole_model_goes_into_the_materials():
    model = replace(parse_inp(KNOWN_TO_CALCULIX).model, rayleigh=(1.0, 2e-5))
    back = parse_inp(inp_text(model, Analysis("static"))).model
    material = back.mesh.blocks[0].section.material
    assert (material.alpha, material.beta) == pytest.approx((1.5, 3e-5))


def test_a_bushing_is_a_spring_a_dof():
    model = parse_inp(KNOWN_TO_CALCULIX).model
    stiff = np.array([1.0, 2.0, 0.0, 0.0, 0.0, 3.0])
    spring = next(b for b in model.mesh.blocks if isinstance(b.section, Bushing))
    block = replace(spring, section=Bushing(stiff, np.zeros(6), np.eye(3)[[1, 2, 0]]))
    mesh = replace(model.mesh, blocks=(*model.mesh.blocks[:-2], block))
    back = parse_inp(inp_text(replace(model, mesh=mesh), Analysis("static"))).model
    found = [b.section for b in back.mesh.blocks if isinstance(b.section, Bushing)]
    assert_allclose(sum(s.stiffness for s in found), stiff)
    assert (
        len({i for b in back.mesh.blocks for i in b.ids.tolist()}) == back.mesh.elements
    )
    for section in found:
        assert_allclose(section.axes, np.eye(3)[[1, 2, 0]], atol=1e-15)


@pytest.mark.parametrize(
    ("removed", "finding", "remedy"),
    [
        ("BEAM GENERAL", "rectangular", "abaqus"),
        ("ROTARY", "rotary", "abaqus"),
        ("COUPLING", "interpolations", "abaqus"),
    ],
)
def test_what_calculix_has_no_card_for_is_refused(removed, finding, remedy):
    parts = {
        "BEAM GENERAL": (
            "*ELEMENT, TYPE=B31, ELSET=GENERAL\n4, 11, 12\n",
            "BEAM GENERAL",
        ),
        "ROTARY": ("*ELEMENT, TYPE=ROTARYI, ELSET=TURN\n10, 12\n", "ROTARY INERTIA"),
        "COUPLING": ("", "COUPLING"),
    }
    elements, card = parts[removed]
    body = re.search(rf"(?m)^\*{card}.*\n(?:(?!\*).*\n)*", RICH)[0]
    if card == "COUPLING":
        body += "*DISTRIBUTING\n1, 6\n"
    text = KNOWN_TO_CALCULIX.replace(
        "*BOUNDARY\nHeld", elements + body + "*BOUNDARY\nHeld"
    )
    text = text.replace("EALL, GRAV, 9.81, 0., 0., -1.\n", "")
    with pytest.raises(UsageError) as caught:
        inp_text(parse_inp(text).model, Analysis("static"))
    assert "calculix" in caught.value.place
    assert finding in caught.value.finding
    assert remedy in caught.value.remedy


def test_more_that_calculix_cannot_do():
    model = parse_inp(KNOWN_TO_CALCULIX).model
    blocks = tuple(
        replace(b, kind="B33") if b.kind == "B31" else b for b in model.mesh.blocks
    )
    b33 = replace(model, mesh=replace(model.mesh, blocks=blocks))
    sine = NodalForce(np.array([0]), 0, 1.0, Harmonic(b=(1.0,)))
    fine = Analysis("dynamic", 1e-9, 1.0)
    for bad, step in ((b33, None), (replace(model, loads=(sine,)), fine)):
        with pytest.raises(UsageError) as caught:
            inp_text(bad, step)
        assert caught.value.finding
        assert caught.value.remedy


def test_dofs_are_written_as_runs():
    assert spans((0, 1, 2)) == [(1, 3)]
    assert spans((5, 0, 2, 1)) == [(1, 3), (6, 6)]


PLATE = """\
*NODE
{nodes}
*ELEMENT, TYPE=S4, ELSET=PLATE
{elements}
*NSET, NSET=ROOT, GENERATE
1, 5, 1
*NSET, NSET=TIP, GENERATE
{first}, {last}, 1
*MATERIAL, NAME=STEEL
*ELASTIC
2.1e11, 0.
*DENSITY
7800.
*SHELL SECTION, ELSET=PLATE, MATERIAL=STEEL
0.02
*BOUNDARY
ROOT, ENCASTRE
*STEP
*STATIC
*CLOAD
TIP, 3, 10.
*DLOAD
PLATE, P, 100.
*END STEP
"""


def plate() -> str:
    n, m = 20, 5
    nodes = [f"{i * m + j + 1}, {i / n}, {j / 4 / (m - 1)}, 0."
             for i in range(n + 1) for j in range(m)]  # fmt: skip
    elements = [
        f"{i * (m - 1) + j + 1}, {a}, {a + m}, {a + m + 1}, {a + 1}"
        for i in range(n) for j in range(m - 1) for a in [i * m + j + 1]
    ]  # fmt: skip
    return PLATE.format(
        nodes="\n".join(nodes), elements="\n".join(elements), first=n * m + 1,
        last=(n + 1) * m,
    )  # fmt: skip


def printed(folder: Path, model: FeModel, analysis: Analysis) -> np.ndarray:
    """Displacements of the tip that CalculiX prints last."""
    write_inp(model, folder / "run.inp", analysis, prints=["TIP"])
    done = subprocess.run(
        ["ccx", "run"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert "*ERROR" not in done.stdout
    lines = (folder / "run.dat").read_text().split("\n")
    rows = [line.split() for line in lines if re.match(r" +\d+ +-?\d\.\d+E", line)]
    return np.array(rows[-5:], dtype=float)[:, 1:]


needs_ccx = pytest.mark.skipif(shutil.which("ccx") is None, reason="CalculiX (ccx)")


@needs_ccx
def test_calculix_runs_the_deck_and_agrees(tmp_path: Path):
    deck = parse_inp(plate())
    model = deck.model
    theirs = printed(tmp_path, model, Analysis("static"))
    ours = static(model).u[model.mesh.node_sets["TIP"], :3]
    assert_allclose(theirs[:, 2], ours[:, 2], rtol=0.02)


CUBE = """\
*NODE
1, 0., 0., 0.
2, 1., 0., 0.
3, 1., 1., 0.
4, 0., 1., 0.
5, 0., 0., 1.
6, 1., 0., 1.
7, 1., 1., 1.
8, 0., 1., 1.
9, 0.5, 0.5, 2.
10, 0.5, 1., 1.
*ELEMENT, TYPE=C3D8I, ELSET=CUBE
1, 1, 2, 3, 4, 5, 6, 7, 8
*ELEMENT, TYPE=MASS, ELSET=LUMP
2, 9
*NSET, NSET=BOTTOM
1, 2, 3, 4
*NSET, NSET=TIP
5, 6, 7, 8, 10
*MATERIAL, NAME=STEEL
*ELASTIC
2e11, 0.3
*DENSITY
8000.
*SOLID SECTION, ELSET=CUBE, MATERIAL=STEEL
*MASS, ELSET=LUMP
1000.
*RIGID BODY, NSET=TIP, REF NODE=9
*BOUNDARY
BOTTOM, ENCASTRE
*STEP
*STATIC
*CLOAD
9, 1, 1000.
*DLOAD
, GRAV, 9.81, 0., 0., -1.
CUBE, P3, 500.
*END STEP
"""


@needs_ccx
def test_calculix_agrees_on_links_masses_gravity_and_pressure(tmp_path: Path):
    model = parse_inp(CUBE).model
    theirs = printed(tmp_path, model, Analysis("static"))
    ours = static(model).u[model.mesh.node_sets["TIP"], :3]
    assert_allclose(theirs, ours, rtol=2e-6)


@needs_ccx
@pytest.mark.parametrize(
    "analysis", [Analysis("frequency", modes=3), Analysis("dynamic", 1e-3, 5e-3, -0.05)]
)
def test_calculix_runs_every_kind_of_step(tmp_path: Path, analysis):
    model = parse_inp(plate()).model
    sine = Harmonic(b=(1.0,), omega=300.0)
    loads = tuple(replace(load, history=sine) for load in model.loads)
    theirs = printed(tmp_path, replace(model, loads=loads), analysis)
    assert theirs.shape == (5, 3)
    assert np.abs(theirs).max() > 0.0


@pytest.mark.parametrize("dialect", ["calculix", "abaqus"])
@pytest.mark.parametrize("step", [Analysis("frequency"), Analysis("dynamic"), None])
def test_lumped_masses_are_not_dropped(step, dialect):
    """Gravity counts masses at rest, too; without it no deck needs them."""
    model = replace(parse_inp(KNOWN_TO_CALCULIX).model, lumped=True)
    with pytest.raises(UsageError) as caught:
        inp_text(model, step, dialect=dialect)
    assert caught.value.place == f"writing {model.name} for {dialect}"
    assert "masses are lumped" in caught.value.finding
    assert "lumped=False" in caught.value.remedy
    light = tuple(load for load in model.loads if not isinstance(load, Gravity))
    still = replace(model, loads=light)
    assert inp_text(still) == inp_text(replace(still, lumped=False))
