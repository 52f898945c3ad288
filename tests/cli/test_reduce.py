"""`bondline reduce`: a deck, or a part of a model, becomes a file with ports."""

from __future__ import annotations

from pathlib import Path

import pytest

from bondline.leaves.fe.matrices import matrix_leaf, read_h5, read_substructure
from tests.build.deck_models import LEFT, RIGHT, write
from tests.cli.conftest import Call

POINT = """*NODE
5, 2.0, 0.0, 0.0
6, 2.0, 1.0, 0.0
*ELEMENT, TYPE=S4, ELSET=ALL
2, 2, 5, 6, 3
"""


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    path = tmp_path / "plate.inp"
    path.write_text(LEFT)
    return path


def test_a_deck_becomes_a_file_with_ports(call: Call, deck: Path) -> None:
    target = deck.with_name("plate.h5")
    got = call("reduce", deck, "--port", "edge", "--band", "100Hz", "-o", target)
    assert got.code == 0, got.err
    assert "dofs became" in got.out
    assert "statics" in got.out
    found = read_h5(target)
    assert found.band == pytest.approx(100.0)
    assert found.ports["edge"].port.size == 12
    assert found.loads is not None
    assert matrix_leaf(target).name == "plate"


def test_the_report_as_json(call: Call, deck: Path) -> None:
    ports = ("--port", "tip=EDGE", "--port", "CORNER")
    target = deck.with_name("x.h5")
    told = call("reduce", deck, *ports, "--band", "1kHz", "-o", target, "--json").json
    assert told["ports"] == {"tip": 12, "CORNER": 6}
    assert told["file"] == str(target)
    assert told["boundary"] == 12  # the corner is on the edge
    assert told["statics"] < 1e-10
    assert told["band"] == pytest.approx(1000.0)
    assert 0.0 <= told["frequencies"] < 1.0
    assert told["receptance"] == max(told["errors"])
    assert told["worst"] in told["samples"]
    assert all(name.startswith(("tip[", "CORNER ")) for name in told["between"])


def test_a_part_of_a_model_has_its_ports(call: Call, tmp_path: Path) -> None:
    model, target = write(tmp_path / "model"), tmp_path / "left.h5"
    thick = ("--set", "left.thickness=20mm")
    flags = ("--band", "50Hz", "-o", target)
    assert call("reduce", model, "--part", "left", *flags).code == 0
    thin = read_h5(target)
    assert list(thin.ports) == ["edge"]
    assert call("reduce", model, "--part", "left", *flags, *thick).code == 0
    assert read_h5(target).system.K[0, 0] > 1.5 * thin.system.K[0, 0]


def test_only_the_band_shows_less(call: Call, deck: Path) -> None:
    fine = LEFT.replace("*MATERIAL", POINT + "*MATERIAL")
    deck.write_text(fine)
    flags = ("--port", "CORNER", "--band", "60Hz", "--margin", "99", "--json")
    flags = (*flags, "-o", deck.with_name("x.h5"))
    more = call("reduce", deck, *flags).json
    less = call("reduce", deck, *flags, "--only-band").json
    assert less["modes"] < more["modes"]
    assert less["statics"] < 1e-10


def test_parameters_of_a_deck_can_be_set(call: Call, deck: Path) -> None:
    flags = ("--port", "EDGE", "--band", "50Hz", "-o", deck.with_name("x.h5"))
    assert call("reduce", deck, *flags, "--set", "thickness=0.02").code == 0
    bad = call("reduce", deck, *flags, "--set", "thickness=20mm")
    assert bad.code == 2
    assert "'20mm' is no number" in bad.err
    assert "SI units" in bad.err


def test_other_files_can_be_written(call: Call, deck: Path) -> None:
    target = deck.with_name("plate.mtx")
    got = call("reduce", deck, "--port", "EDGE", "--band", "50Hz", "-o", target)
    assert got.code == 0
    assert read_substructure(target).size == 12


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--port", "EDGE", "-o", "x.mat"), ("*.mat", ".mtx")),
        (("--port", "Egde"), ("no such node set", "'Edge'")),
        ((), ("no port is named", "Edge")),
        (("--part", "left"), ("a deck is one part", "Leave --part out")),
    ],
)
def test_what_cannot_be_reduced(
    call: Call, deck: Path, flags: tuple[str, ...], words: tuple[str, ...]
) -> None:
    got = call("reduce", deck, "--band", "50Hz", *flags)
    assert got.code == 2
    for word in words:
        assert word in got.err


def test_a_model_needs_a_part_that_is_a_deck(
    call: Call, tmp_path: Path, pendulum: Path
) -> None:
    model = write(tmp_path / "model")
    for source, flags, words in (
        (model, (), ("no part of a model is named", "--part")),
        (model, ("--part", "lefd"), ("no such part", "'left'")),
        (pendulum, ("--part", "upper"), ("not made from a deck", "none")),
        (tmp_path / "no", ("--part", "upper"), ("no such model", "")),
    ):
        got = call("reduce", source, *flags, "--band", "50Hz")
        assert got.code == 2
        for word in words:
            assert word in got.err


def test_a_bad_deck_is_told_with_its_line(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "bad.inp"
    path.write_text(RIGHT.replace("1, 1, 2, 3, 4", "1, 1, 2, 3, 99"))
    got = call("reduce", path, "--port", "EDGE", "--band", "50Hz")
    assert got.code == 1
    assert "bad.inp:" in got.err
    flags = ("--port", "EDGE", "--band", "50Hz", "--json")
    told = call("reduce", path, *flags).json["error"]["problems"]
    assert "node 99" in told[0]["finding"]
