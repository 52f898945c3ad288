"""The truck frame from its model file: what can be set, what is published."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bondline.build import Given, open_model
from bondline.cli import main
from bondline.run import Keep, simulate
from tests.cases.truck_frame.all_at_once import newmark, whole
from tests.cases.truck_frame.decks import FOLDER
from tests.cases.truck_frame.glued import DT

GIVEN = {"thickness": "6mm", "load.amplitude": "1.5kN", "load.frequency": "40"}
STEPS = 12


@pytest.fixture(scope="module")
def opened():
    return open_model(FOLDER, Given(set=GIVEN))


@pytest.fixture(scope="module")
def results(opened):
    keep = Keep()
    simulate(opened.model, STEPS * DT, DT, record=keep)
    return keep.results()


def test_the_frame_has_three_names_to_set(opened):
    values = {p.name: (p.value, p.unit) for p in opened.parameters}
    assert list(values)[:3] == ["load.amplitude", "load.frequency", "thickness"]
    assert values["thickness"] == (0.006, "m")
    assert values["load.amplitude"] == (1500.0, "N")
    leaves = [v for name, v in values.items() if name.endswith(".thickness")]
    assert leaves == [(0.006, "m")] * 6


def test_the_published_signals_have_names_of_the_frame(results):
    values = [name for name in results.signals if "joint." not in name]
    assert values == ["observed.az", "load.z"]
    assert results.units["observed.az"] == "m/s²"


@pytest.mark.parametrize("layer", ["", "left."])
def test_a_joint_has_its_force_as_a_whole_and_at_every_node(results, layer):
    for joint, nodes in (("c1", 14), ("c2", 4), ("c3", 5), ("c4", 8)):
        name = f"{layer}joint.{joint}"
        each = [results.signals[f"{name}.{n}.Fz"] for n in range(nodes)]
        np.testing.assert_allclose(results.signals[f"{name}.Fz"], sum(each))
        assert f"{name}.{nodes}.Fz" not in results.signals


def test_whatever_is_set_agrees_with_all_at_once(results):
    one = whole(thickness=0.006, amplitude=1500.0, frequency=40.0)
    exact = newmark(one.model, DT, STEPS)
    row = np.flatnonzero(one.model.mesh.ids == 1201)[0]
    expected = exact.a[:, row, 2]
    found = results.signals["observed.az"]
    assert np.abs(found - expected).max() < 1e-9 * np.abs(expected).max()


def test_at_rest_the_rails_carry_the_load(tmp_path, capsys):
    command = ["--project", str(tmp_path), "static", str(FOLDER), "--json"]
    assert main(command) == 0
    told = json.loads(capsys.readouterr().out)
    joints = [f"{layer}joint.c{k}.Fz" for layer in ("", "left.") for k in (1, 2, 3, 4)]
    assert sum(told["forces"][name] for name in joints) == pytest.approx(2000.0)
    assert told["values"]["load.z"]["value"] > 0.0
    assert told["gap"] < 1e-12


def test_a_frame_of_one_s_own_starts_from_the_template(tmp_path, capsys):
    frame = tmp_path / "frame"
    assert main(["init", str(frame), "--template", "truck-frame"]) == 0
    capsys.readouterr()
    assert main(["check", str(frame), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["problems"] == []
    deck = frame / "resources" / "connector_3.inp"
    deck.write_text(deck.read_text().replace("*DENSITY", "*DENSETY"))
    assert main(["check", str(frame), "--json"]) == 1
    (problem,) = json.loads(capsys.readouterr().out)["problems"]
    line = deck.read_text().splitlines().index("*DENSETY") + 1
    assert problem["code"] == "BND071"
    assert problem["file"].endswith("connector_3.inp")
    assert problem["line"] == line
