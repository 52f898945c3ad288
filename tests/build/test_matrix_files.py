"""Files of matrices as components: read inside the model, checked, made into leaves."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np
import pytest
from numpy.testing import assert_allclose

from bondline.build import open_model, rehearse
from bondline.core import Window
from bondline.description import pack
from bondline.leaves.fe.formats import parse_inp
from bondline.leaves.fe.leaf import Plug
from bondline.leaves.fe.matrices import reduced_matrices, write_h5
from bondline.leaves.fe.reduction import Wanted, reduce_model
from tests.build.deck_models import RIGHT, write

DECK = 'source="resources/right.inp"'
FILE = 'source="resources/right.h5"'


def model(folder: Path, *changes: tuple[str, str]) -> Path:
    """The plate of two decks, the right one served as reduced matrices."""
    write(folder, (DECK, FILE), *changes)
    own = parse_inp(RIGHT).model
    made = reduce_model(own, {"edge": Plug("EDGE")}, Wanted(modes=99, samples=0))
    write_h5(reduced_matrices(made), folder / "resources/right.h5")
    return folder


def told(folder: Path, *changes: tuple[str, str]):
    return rehearse(model(folder, *changes))[1]


def trace(path: Path) -> list[float]:
    model = open_model(path).model
    now, found = model.start(0.0), []
    for k in range(10):
        now = model.advance(now.state, Window(k * 1e-3, (k + 1) * 1e-3), {})
        assert now.stats["iterations"] == 1
        found.append(model.observe(now.state)["tip.az"].value)
    return found


def test_matrices_stand_for_the_deck_they_came_from(tmp_path):
    """All modes are kept: the same to round-off."""
    exact = trace(write(tmp_path / "decks"))
    mine = trace(model(tmp_path / "matrices"))
    assert_allclose(mine, exact, atol=1e-7 * np.abs(exact).max())


def test_the_part_goes_by_its_own_name(tmp_path):
    part = open_model(model(tmp_path)).model.parts["right"]
    assert part.name == "right"
    assert part.ports["edge"].nodes == 2
    assert len(part.ports["edge"].surface.facets) == 1


def test_an_archive_holds_it_as_well(tmp_path):
    model(tmp_path / "plate")
    files = {
        p.relative_to(tmp_path / "plate").as_posix(): p.read_bytes()
        for p in (tmp_path / "plate").rglob("*")
        if p.is_file()
    }
    (tmp_path / "plate.ssp").write_bytes(pack(files))
    assert trace(tmp_path / "plate.ssp") == trace(tmp_path / "plate")


def test_steps_may_be_asked_for(tmp_path):
    fe = '<ssd:Annotations><ssc:Annotation type="io.github.bondline.fe"><g:fe %s/>'
    fe += "</ssc:Annotation></ssd:Annotations>"
    ports = '<ssd:Connectors><ssd:Connector name="edge" kind="unspecified"/>'
    ports += "</ssd:Connectors>\n      </ssd:Component>"
    more = ports.replace("</ssd:Component>", f"{fe}</ssd:Component>")
    good = model(tmp_path / "a", (ports, more % 'steps="4"'))
    assert open_model(good).model.parts["right"].steps == 4
    problems = told(tmp_path / "b", (ports, more % 'mass="lumped"'))
    assert [p.code for p in problems] == ["BND072"]
    assert 'mass="lumped"' in problems[0].finding
    assert "steps" in problems[0].remedy


def test_a_port_that_the_file_does_not_have(tmp_path):
    assert not told(tmp_path / "a")
    left = '<ssd:Connectors><ssd:Connector name="edge" kind="unspecified"/>'
    problems = told(tmp_path / "b", (left, left.replace("edge", "egde")))
    found = next(p for p in problems if p.code == "BND025")
    assert "right has no port 'egde'" in found.finding
    assert "'edge'" in found.remedy


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        (lambda f: f.__delitem__("M"), "M: it is missing"),
        (lambda f: f["K"].__setitem__((0, 0), np.nan), "NaN"),
        (lambda f: f["K"].__setitem__((0, 0), 1.0), "digest"),
        (lambda f: f["ports/edge/select"].__setitem__(0, 4711), "4711"),
    ],
)
def test_a_wrong_file_is_a_problem_at_its_name(change, finding, tmp_path):
    path = model(tmp_path)
    with h5py.File(path / "resources/right.h5", "a") as file:
        change(file)
    problems = rehearse(path)[1]
    found = next(p for p in problems if p.code == "BND071")
    assert found.where.file.endswith("right.h5")
    assert finding in found.finding
    assert found.remedy
