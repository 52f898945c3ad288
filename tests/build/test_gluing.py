"""Joints, couplings and solvers of a model file are those that are built."""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np
import pytest

from bondline.build import Given, build, catalogue, open_model, rehearse
from bondline.core import Alone
from bondline.description import read
from bondline.errors import SettingError
from bondline.gluing import JOINT_KINDS, SOLVERS, Bushing, IntegratedModel, Newton
from bondline.gluing.crew import Threads
from bondline.run import Keep, simulate

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription version="2.0" name="two"
    xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
    xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon"
    xmlns:g="urn:bondline:gluing:1">
  <ssd:System name="two"><ssd:Elements>"""


def two(
    folder: Path, kinds: tuple[str, str], ports: str, joint: str, **more: str
) -> Path:
    """A model file of two parts and one joint; `more` are attributes of the gluing."""
    parts = "".join(
        f'<ssd:Component name="{name}" type="application/x-bondline-leaf" '
        f'source="leaf:{kind}"><ssd:Connectors>'
        f'<ssd:Connector name="{port}" kind="unspecified"/></ssd:Connectors>'
        "</ssd:Component>"
        for name, kind, port in zip(("one", "two"), kinds, ports.split(), strict=True)
    )
    sides = "".join(
        f'<g:side element="{name}" connector="{port}"/>'
        for name, port in zip(("one", "two"), ports.split(), strict=True)
    )
    gluing = " ".join(f"{key}={quoteattr(text)}" for key, text in more.items())
    (folder / "SystemStructure.ssd").write_text(
        f"{HEAD}{parts}</ssd:Elements><ssd:Annotations><ssc:Annotation "
        f'type="io.github.bondline.gluing"><g:gluing step="0.01" {gluing}>'
        f'<g:joint name="J" {joint}>{sides}</g:joint></g:gluing></ssc:Annotation>'
        "</ssd:Annotations></ssd:System>"
        '<ssd:DefaultExperiment startTime="0" stopTime="0.1"/>'
        "</ssd:SystemStructureDescription>"
    )
    return folder


def built(path: Path) -> IntegratedModel:
    return build(read(path, catalogue()))


BODIES = ("rigid-body", "rigid-body")
POINT = ("Fx", "Fy", "Fz")
KINDS = {
    'kind="tie" dofs="x z"': ("Fx", "Fz"),
    'kind="fixed"': (*POINT, "Mx", "My", "Mz"),
    'kind="spherical"': POINT,
    'kind="revolute" axis="0 1 0" axis2="1 0 0"': (*POINT, "M1", "M2"),
    'kind="universal" axis="0 1 0"': (*POINT, "Mn"),
    'kind="cylindrical"': ("F1", "F2", "M1", "M2"),
    'kind="prismatic" axis="1 1 0"': ("F1", "F2", "Mx", "My", "Mz"),
    'kind="planar" frames="0 0 0 0 0 1.5"': ("F3", "M1", "M2"),
    'kind="point-on-line"': ("F1", "F2"),
    'kind="distance" length="2"': ("Fd",),
    'kind="bushing" stiffness="1e3" damping="1 1 1 2 2 2"': (
        *("F1", "F2", "F3", "M1", "M2", "M3"),
    ),
}


@pytest.mark.parametrize("joint", KINDS)
def test_a_joint_of_a_file_has_its_kind_and_settings(
    tmp_path: Path, joint: str
) -> None:
    folder = two(tmp_path, BODIES, "a b", joint)
    assert rehearse(folder)[1] == []
    [made] = built(folder).connections
    assert made.name == "J"
    assert [str(end) for end in made.ends] == ["one.a", "two.b"]
    assert made.components == KINDS[joint]


def test_every_kind_can_be_named_in_a_file() -> None:
    told = {joint.split('"')[1] for joint in KINDS}
    assert told | {"mesh-tie"} == set(JOINT_KINDS) == set(catalogue().joints)


def test_numbers_of_a_joint_reach_it(tmp_path: Path) -> None:
    folder = two(tmp_path, BODIES, "a b", 'kind="bushing" stiffness="1e3" damping="2"')
    [made] = built(folder).connections
    assert isinstance(made, Bushing)
    assert made.stiffness == (1e3,) * 6
    assert made.damping == (2.0,) * 6


def test_a_surface_that_is_missing_is_told_at_its_joint(tmp_path: Path) -> None:
    folder = two(tmp_path, ("chain", "chain"), "right left", 'kind="mesh-tie"')
    _, [problem] = rehearse(folder)
    text = (folder / "SystemStructure.ssd").read_text()
    line = text[: text.index("<g:joint")].count("\n") + 1
    assert (problem.code, problem.where.line) == ("BND060", line)
    assert "surface" in problem.finding


CHAINS = {
    "T-T": ("chain", "chain", "newmark/a,v,u"),
    "X-X": ("chain-tx", "chain-xt", "newmark/f"),
    "X-T": ("chain", "chain-xt", "newmark/f"),
}


@pytest.mark.parametrize("method", CHAINS)
def test_the_ports_choose_the_coupling(tmp_path: Path, method: str) -> None:
    one, other, scheme = CHAINS[method]
    folder = two(tmp_path, (one, other), "right left", 'kind="tie"')
    assert rehearse(folder)[1] == []
    model = built(folder)
    settings = model.coupling.settings()
    assert (settings["method"], settings["scheme"]) == (method, scheme)
    assert model.why.startswith(f"{method}: ")
    asked = two(tmp_path, (one, other), "right left", 'kind="tie"', method=method)
    assert built(asked).settings() == model.settings()


@pytest.mark.parametrize("method", CHAINS)
def test_the_couplings_agree(tmp_path: Path, method: str) -> None:
    """The same two chains, whoever is told what: one trapezoidal rule for all."""
    *kinds, _ = CHAINS[method]
    force = Given({"two.force": "5N", "two.frequency": "3Hz", "one.wall": "1e3"})
    records = []
    for pair in (tuple(kinds), ("chain", "chain")):
        opened = open_model(two(tmp_path, pair, "right left", 'kind="tie"'), force)
        keep = Keep()
        simulate(opened.model, 0.1, 0.01, record=keep)
        records.append(keep.results().signals)
    ours, reference = records
    for name in ("one.right.x", "two.right.x"):
        np.testing.assert_allclose(ours[name], reference[name], rtol=0, atol=1e-9)
    assert np.abs(reference["two.right.x"]).max() > 1e-3


def test_an_explicit_scheme_is_one_pass(tmp_path: Path) -> None:
    joint = 'kind="tie"'
    chains = ("chain", "chain-xt")
    folder = two(tmp_path, chains, "right left", joint, scheme="linear/explicit")
    assert built(folder).solver.settings()["kind"] == "one-pass"
    more = {"scheme": "linear/explicit", "solver": "iqn-ils"}
    _, [problem] = rehearse(two(tmp_path, chains, "right left", joint, **more))
    assert problem.code == "BND060"
    assert "solver iqn-ils: it advances each window several times" in problem.finding
    assert "one pass" in problem.remedy


SETTINGS = {
    "newton": ("patience", "4", "patience", 4),
    "broyden": ("contraction", "0.5", "contraction", 0.5),
    "bfgs": ("refresh", "never", "refresh", "never"),
    "iqn-ils": ("reuse", "7", "windows", 7),
    "anderson": ("depth", "2", "depth", 2),
    "aitken": ("scale", "0.5", "scale", 0.5),
    "relaxation": ("factor", "0.3", "factor", 0.3),
    "diagonal-secant": ("forceTolerance", "1e-3", "force_tolerance", 1e-3),
}


def test_every_solver_is_tried() -> None:
    assert set(SETTINGS) == set(SOLVERS) == set(catalogue().solvers) - {"one-pass"}


@pytest.mark.parametrize("solver", SETTINGS)
def test_a_solver_of_a_file_has_its_settings(tmp_path: Path, solver: str) -> None:
    attribute, text, key, value = SETTINGS[solver]
    more = {"solver": solver, attribute: text, "tolerance": "1e-8"}
    folder = two(tmp_path, ("chain", "chain"), "right left", 'kind="tie"', **more)
    assert rehearse(folder)[1] == []
    settings = built(folder).solver.settings()
    assert (settings[key], settings["tolerance"]) == (value, 1e-8)


def test_the_usual_solver_is_newton(tmp_path: Path) -> None:
    model = built(two(tmp_path, ("chain", "chain"), "right left", 'kind="tie"'))
    assert model.solver == Newton()
    assert model.crew == Alone()


def test_threads_change_no_bit(tmp_path: Path) -> None:
    bits = []
    for threads in ("1", "2"):
        more = {"threads": threads, "method": "T-T"}
        path = two(tmp_path, ("chain", "chain"), "right left", 'kind="tie"', **more)
        model = open_model(path, Given({"two.force": "5N"})).model
        keep = Keep()
        simulate(model, 0.05, 0.01, record=keep)
        bits.append({n: s.tobytes() for n, s in keep.results().signals.items()})
    assert model.crew == Threads(2)
    assert bits[0] == bits[1]


@pytest.mark.parametrize(
    ("given", "flags", "finding", "remedy"),
    [
        (
            Given(coupling="X-X"),
            "--coupling X-X",
            "one.right takes force and answers with motion. (BND019, ",
            'method="auto"',
        ),
        (
            Given(solver="iqn-ils", refresh="window"),
            "--refresh window --solver iqn-ils",
            "the solver iqn-ils has no setting 'refresh'",
            "Leave refresh out",
        ),
        (
            Given(scheme="newmark/f"),
            "--scheme newmark/f",
            "the scheme newmark/f is for X-X and X-T, not T-T",
            "newmark/a,v,u",
        ),
        (
            Given(max_iterations=0),
            "--max-iter 0",
            "maxIterations is 0. (BND043, ",
            "1 or more",
        ),
        (Given(threads=0), "--threads 0", "threads is 0. (BND043, ", "1 or more"),
        (Given(solver="newtn"), "--solver", "no such choice", "'newton'"),
        (Given(coupling="TT"), "--coupling", "no such choice", "'T-T'"),
    ],
)
def test_what_makes_no_sense_together_is_told_with_its_flags(
    tmp_path: Path, given: Given, flags: str, finding: str, remedy: str
) -> None:
    folder = two(tmp_path, ("chain", "chain"), "right left", 'kind="tie"')
    with pytest.raises(SettingError) as caught:
        open_model(folder, given)
    assert caught.value.place == flags
    assert finding in caught.value.finding
    assert remedy in caught.value.remedy


def test_another_solver_leaves_out_what_belongs_to_that_of_the_file(
    tmp_path: Path,
) -> None:
    more = {"refresh": "paper", "tolerance": "1e-7", "scheme": "newmark/a,v,u"}
    folder = two(tmp_path, ("chain", "chain"), "right left", 'kind="tie"', **more)
    given = Given(solver="anderson", threads=2)
    opened = open_model(folder, given)
    solver = opened.model.solver.settings()
    assert (solver["kind"], solver["tolerance"]) == ("anderson", 1e-7)
    assert opened.model.crew == Threads(2)
    assert Given.load(opened.settings["given"]) == given


def test_the_outermost_level_chooses_windows_and_start():
    from pathlib import Path

    from bondline.build import Given, open_model

    nested = Path(__file__).parents[2] / "examples" / "linear_chain" / "Nested.ssd"
    model = open_model(nested, Given(adaptive=1e-6, start="static")).model
    assert (model.pace.tolerance, model.start_from) == (1e-6, "static")
    inner = [p for p in model.parts.values() if hasattr(p, "pace")]
    assert inner
    assert all((p.pace, p.start_from) == (None, "given") for p in inner)
