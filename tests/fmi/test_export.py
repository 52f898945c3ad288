"""Exported FMUs run in fmpy, are valid, roll back, and are leaves again."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("fmpy", reason="FMUs need the extra `fmi`: ./run extras")

import fmpy
from fmpy.fmi1 import FMICallException
from fmpy.fmi2 import FMU2Slave
from fmpy.fmi3 import FMU3Slave
from fmpy.validation import validate_fmu
from lxml import etree

from bondline.build import open_model
from bondline.cli.entry import enter
from bondline.core import Causality, Port, Signal, Window
from bondline.export.fmu.running import Running, Written
from bondline.gluing import glue
from bondline.leaves import FreeBar, PinnedBar
from bondline.run import simulate
from tests.description.wrong import EXAMPLES
from tests.fmi.making import leaf


def _exported(folder: Path, version: int, target: str, *more: str) -> Path:
    path = folder / f"out{version}.fmu"
    told = ["export", target, "--to", "fmu", "--fmi", str(version), "-o", str(path)]
    assert enter(["--quiet", *told, *more]) == 0
    return path


def _opened(path: Path, folder: Path, **more: Any) -> tuple[Any, dict[str, int]]:
    """An instance after its start, and references by the names of variables."""
    about = fmpy.read_model_description(str(path))
    where = fmpy.extract(str(path), unzipdir=str(folder))
    told = {
        "guid": about.guid if about.fmiVersion == "2.0" else about.instantiationToken,
        "unzipDirectory": where,
        "modelIdentifier": about.coSimulation.modelIdentifier,
        "instanceName": "one",
    }
    if about.fmiVersion == "2.0":
        fmu = FMU2Slave(**told)
        fmu.instantiate()
        fmu.setupExperiment()
    else:
        fmu = FMU3Slave(**told)
        fmu.instantiate(**more)
    fmu.enterInitializationMode()
    fmu.exitInitializationMode()
    return fmu, {v.name: v.valueReference for v in about.modelVariables}


@pytest.mark.parametrize("version", [pytest.param(2, marks=pytest.mark.full), 3])
def test_it_is_valid_runs_in_fmpy_and_rolls_back_to_the_same_bits(
    version: int, tmp_path: Path
) -> None:
    path = _exported(tmp_path, version, "pinned-bar", "--set", "mass=10kg")
    assert validate_fmu(str(path)) == []
    fmu, at = _opened(path, tmp_path / "x")
    get = fmu.getReal if version == 2 else fmu.getFloat64
    put = fmu.setReal if version == 2 else fmu.setFloat64
    save = fmu.getFMUstate if version == 2 else fmu.getFMUState
    back = fmu.setFMUstate if version == 2 else fmu.setFMUState
    names = ["A.r.x", "A.v.y", "A.a.x", "angle_now"]

    def go(t: float, force: float) -> list[float]:
        put([at["A.F.x"]], [force])
        fmu.doStep(t, 0.01)
        return list(get([at[n] for n in names]))

    go(0.0, 3.0)
    saved = save()
    first = go(0.01, 5.0)
    go(0.02, -7.0)
    back(saved)
    assert go(0.01, 5.0) == first
    written = fmu.serializeFMUstate if version == 2 else fmu.serializeFMUState
    read = fmu.deSerializeFMUstate if version == 2 else fmu.deserializeFMUState
    back(read(bytes(written(saved))))
    assert go(0.01, 5.0) == first
    own = PinnedBar("own", mass=10.0)
    state = own.start(0.0).state
    for k, force in enumerate((3.0, 5.0)):
        window = Window(0.01 * k, 0.01 * k + 0.01)
        done = own.advance(state, window, {"A": Signal.hold(np.array([force, 0.0]))})
        state = done.state  # type: ignore[union-attr]
    assert first[0] == done.outputs["A"].x[0]  # type: ignore[union-attr]


def test_instances_have_their_own_parameters_also_where_states_are_written() -> None:
    """A state that was bytes is read with the parameters it was saved with."""
    about = {"mass": 10.0}
    ours, theirs, empty = (
        Running(lambda values: PinnedBar("b", **values), PinnedBar("b"))
        for _ in range(3)
    )
    ours.values, theirs.values = dict(about), {"mass": 99.0}
    for one in (ours, theirs):
        one.begin(0.0)
        one.set("A.F.x", 3.0)
        assert one.step(0.0, 0.01)
    written = ours.save().to_bytes()
    assert ours.step(0.01, 0.01)
    for other in (theirs, empty):
        other.restore(Written(written))
        assert other.model.parameters["mass"].value == 10.0
        assert other.step(0.01, 0.01)
        assert other.get("A.v.y") == ours.get("A.v.y")
    assert ours.values == about


def test_a_step_that_is_rejected_says_why(tmp_path: Path) -> None:
    heard: list[str] = []

    def hear(_: Any, status: int, category: bytes, text: bytes) -> None:
        heard.append(text.decode())

    path = _exported(tmp_path, 3, "pinned-bar")
    fmu, at = _opened(path, tmp_path / "x", logMessage=hear, loggingOn=True)
    fmu.setFloat64([at["A.F.x"]], [float("nan")])
    with pytest.raises(FMICallException):
        fmu.doStep(0.0, 0.01)
    assert "not finite" in heard[-1]


TWICE = """\
import sys, fmpy
for _ in range(2):
    end = fmpy.simulate_fmu(sys.argv[1], stop_time=0.02, output_interval=0.01)
    print(len(end), flush=True)
try:
    fmpy.simulate_fmu(sys.argv[1], stop_time=0.02, start_values={"mass": -1.0})
except Exception as error:
    print(type(error).__name__, flush=True)
"""


def test_it_runs_again_in_a_process_whose_first_folder_is_gone(tmp_path: Path) -> None:
    """And says why it cannot start, also to a host that logs nothing."""
    path = _exported(tmp_path, 2, "pinned-bar")
    done = subprocess.run(
        [sys.executable, "-c", TWICE, str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["3", "3", "FMICallException"]
    assert "mass: it is -1. Give a number greater than zero" in done.stderr


def test_a_port_is_a_terminal_of_our_kind_and_says_so(tmp_path: Path) -> None:
    path = _exported(tmp_path, 3, "rigid-body")
    assert validate_fmu(str(path)) == []
    with zipfile.ZipFile(path) as archive:
        terminals = archive.read("terminalsAndIcons/terminalsAndIcons.xml")
        kind = "io.github.bondline.mech.interface3d"
        manifest = archive.read(f"extra/{kind}/fmi-ls-manifest.xml")
    schemas = Path(fmpy.__file__).parent / "schema" / "fmi3"
    for text, name in (
        (terminals, "fmi3TerminalsAndIcons.xsd"),
        (manifest, "fmi3LayeredStandardManifest.xsd"),
    ):
        schema = etree.XMLSchema(etree.parse(str(schemas / name)))
        schema.assertValid(etree.fromstring(text))
    assert terminals.count(b"<TerminalMemberVariable") == 2 * (6 + 3 + 4 + 6 + 6)
    made = leaf(path, "body")
    port = made.ports["a"]
    assert isinstance(port, Port)
    assert (port.frame, port.causality) == (True, Causality.FORCE_IN)


@pytest.mark.full
def test_an_exported_leaf_is_glued_as_the_leaf_itself(tmp_path: Path) -> None:
    path = _exported(tmp_path, 2, "pinned-bar")
    there = leaf(path, "upper", mass=10.0, torque=-200.0)
    here = PinnedBar("upper", mass=10.0, torque=-200.0)
    lower = FreeBar("lower", mass=20.0, length=2.0)
    ends = []
    for upper in (there, here):
        model = glue("pendulum", [upper, lower], {"A": ("upper.A", "lower.A")})
        state = simulate(model, 0.1, 0.01).state
        ends.append([m.x.tolist() for m in state.motions.values()])
    np.testing.assert_allclose(ends[0], ends[1], rtol=0.0, atol=1e-12)


def test_an_integrated_model_is_exported_whole(tmp_path: Path) -> None:
    path = _exported(tmp_path, 3, str(EXAMPLES / "double_pendulum"))
    assert validate_fmu(str(path)) == []
    about = fmpy.read_model_description(str(path)).defaultExperiment
    times = [about.startTime, about.stopTime, about.stepSize]
    assert [float(told) for told in times] == [0.0, 3.0, 0.01]
    got = fmpy.simulate_fmu(
        str(path), stop_time=0.1, step_size=0.01, output=["lower.com.x"]
    )
    opened = open_model(EXAMPLES / "double_pendulum")
    state = simulate(opened.model, 0.1, 0.01).state
    there = opened.model.observe(state)["lower.com.x"].value
    # fmpy's steps wobble in their last digit, and joints are closed to a tolerance
    assert got["lower.com.x"][-1] == pytest.approx(there, abs=1e-8)
