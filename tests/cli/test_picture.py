"""`bondline picture`, and surfaces in `animate`, `report` and `export`."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from bondline.cli import main
from tests.cli.conftest import Call

SSD = """<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription version="2.0" name="cross"
    xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
    xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon"
    xmlns:g="urn:bondline:gluing:1">
  <ssd:System name="cross">
    <ssd:Elements>
      <ssd:Component name="member" type="application/x-bondline-deck"
          source="resources/connector_3.inp">
        <ssd:Annotations>
          <ssc:Annotation type="io.github.bondline.fe"><g:fe draw="{draw}"/>
          </ssc:Annotation>
        </ssd:Annotations>
      </ssd:Component>
    </ssd:Elements>
    <ssd:Annotations>
      <ssc:Annotation type="io.github.bondline.gluing">
        <g:gluing method="T-T" tolerance="1e-10" step="0.001"/>
      </ssc:Annotation>
    </ssd:Annotations>
  </ssd:System>
  <ssd:DefaultExperiment startTime="0" stopTime="0.003"/>
</ssd:SystemStructureDescription>
"""


@pytest.fixture(scope="module")
def cross(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of one deck that floats, once shown and once hidden, and runs of them."""
    folder = tmp_path_factory.mktemp("cross")
    deck = project / "examples" / "truck_frame" / "resources" / "connector_3.inp"
    for name, draw in (("shown", "mesh"), ("hidden", "false")):
        resources = folder / name / "resources"
        resources.mkdir(parents=True)
        (resources / deck.name).write_bytes(deck.read_bytes())
        text = SSD.format(draw=draw)
        (folder / name / "SystemStructure.ssd").write_text(text, encoding="utf-8")
        command = ["--quiet", "--project", str(folder), "run", str(folder / name)]
        assert main([*command, "--name", f"{name}-run"]) == 0
    return folder


def test_a_model_and_a_mode_are_drawn(call: Call, cross: Path, tmp_path: Path) -> None:
    got = call("picture", cross / "shown", "-o", tmp_path / "x.png", "--json").json
    assert got["parts"] == ["member"]
    assert "74 nodes, 51 elements" in got["note"]
    with Image.open(got["file"]) as image:
        assert min(image.size) > 300
    deck = cross / "shown" / "resources" / "connector_3.inp"
    seen = call("picture", deck, "--mode", "7", "-o", tmp_path / "d.svg", "--json").json
    assert seen["note"].endswith("Hz")
    assert seen["title"] == "connector_3, mode 7"


def test_a_run_is_drawn_reported_animated_and_exported(
    call: Call, cross: Path, tmp_path: Path
) -> None:
    base = ("--project", cross)
    got = call(*base, "picture", "shown-run", "--at", "2ms", "-o", tmp_path / "r.png")
    assert got.code == 0, got.err
    assert "t = 0.002 s" in got.err + got.out
    page = tmp_path / "r.html"
    assert call(*base, "report", "shown-run", "-o", page).code == 0
    assert "Parts and interfaces" in page.read_text(encoding="utf-8")
    out = ("export", "shown-run", "--to", "vtkhdf", "-o", tmp_path / "v", "--json")
    told = call(*base, *out).json
    assert (told["files"], told["instants"]) == (["member.vtkhdf"], 4)
    gif = tmp_path / "a.gif"
    assert call(*base, "animate", "shown-run", "-o", gif, "--color", "parts").code == 0
    with Image.open(gif) as image:
        assert image.n_frames >= 1


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("picture", "hidden-run"), "no part shows its surface"),
        (("picture", "shown-run", "--at", "1s"), "recorded from 0 s to 0.003 s"),
        (("picture", "shown-run", "--mode", "1"), "says nothing about a run"),
        (("picture", "shown-run", "--color", "stress"), "member shows no stress"),
        (("picture", "shown-run", "--view", "up"), "two angles"),
        (("animate", "hidden-run", "--scale", "2"), "for surfaces"),
        (("export", "hidden-run", "--to", "vtkhdf"), "no part shows its surface"),
    ],
)
def test_what_cannot_be_drawn_is_said(
    call: Call, cross: Path, args: tuple[str, ...], words: str
) -> None:
    got = call("--project", cross, *args)
    assert got.code == 2
    assert words in got.err


def test_models_have_no_instants_and_other_files_are_no_models(
    call: Call, cross: Path, tmp_path: Path
) -> None:
    got = call("picture", cross / "shown", "--at", "1ms")
    assert (got.code, "says nothing about a model" in got.err) == (2, True)
    other = tmp_path / "mesh.stl"
    other.write_text("solid")
    assert "neither a model nor a deck" in call("picture", other).err
    hidden = call("picture", cross / "hidden")
    assert 'draw="mesh"' in hidden.err
