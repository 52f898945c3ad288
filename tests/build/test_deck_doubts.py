"""What is doubtful about decks that can be used: told, and the model runs."""

from __future__ import annotations

import pytest

from bondline.build import (
    Given,
    deck_notes,
    doubtful,
    open_model,
    rehearse,
    require,
)
from bondline.build.doubts import in_millimetres as in_mm
from bondline.errors import UsageError
from bondline.leaves.fe.formats import parse_inp
from bondline.leaves.fe.sections import Material
from bondline.numerics import Method
from tests.build.deck_models import LEFT, RIGHT, write


def shifted(text: str, by: float, factor: float = 1.0) -> str:
    """The nodes of a deck elsewhere, or in other units."""
    lines, inside = [], False
    for line in text.splitlines():
        if line.startswith("*"):
            inside = line == "*NODE"
        elif inside:
            n, *x = line.split(",")
            u, v, w = (factor * float(c) for c in x)
            line = f"{n}, {u}, {v + by}, {w}"
        lines.append(line)
    return "\n".join(lines) + "\n"


def test_parts_that_are_apart_are_told_and_tied(tmp_path):
    (found,) = rehearse(write(tmp_path, (RIGHT, shifted(RIGHT, 0.2))))[1]
    assert (found.code, found.severity) == ("BND055", "warning")
    assert found.where.file.endswith("SystemStructure.ssd")
    assert (
        found.finding == "joint seam: left.edge and right.edge are up to 0.2 m apart."
    )
    assert "Move one of the parts" in found.remedy
    assert open_model(tmp_path).model.parts["right"].ports["edge"].nodes == 2


def test_parts_that_nearly_touch_are_fine(tmp_path):
    assert rehearse(write(tmp_path, (RIGHT, shifted(RIGHT, 5e-4))))[1] == []


def test_parts_in_other_units_are_told(tmp_path):
    """Not as nodes in another order."""
    (found,) = rehearse(write(tmp_path, (RIGHT, shifted(RIGHT, 0.0, 1000.0))))[1]
    assert "right.edge is 1000 times as large as left.edge: units?" in found.finding
    assert "SI units" in found.remedy


MILLIMETRES = (
    ("2.1e11, 0.3", "210000.0, 0.3"),
    ("7850.0", "7.85e-9"),
    ("thickness = 0.01", "thickness = 10.0"),
)


def in_millimetres(text: str, *without: str) -> str:
    for old, new in MILLIMETRES:
        text = text.replace(old, new)
    for lines in without:
        text = text.replace(lines, "")
    return shifted(text, 0.0, 1000.0)


def test_decks_in_millimetres_and_tonnes_are_told(tmp_path):
    """At the card of the material; both decks are, so that they fit each other."""
    both = (LEFT, in_millimetres(LEFT)), (RIGHT, in_millimetres(RIGHT))
    left, right = rehearse(write(tmp_path, *both))[1]
    assert (left.code, left.severity) == ("BND056", "warning")
    assert left.where.file.endswith("left.inp")
    line = in_millimetres(LEFT).splitlines().index("*ELASTIC") + 1
    assert left.where.line == line
    assert "E = 2.1e+05 and the density 7.85e-09 of material STEEL" in left.finding
    assert "in a part of 1000 m" in left.finding
    assert "times 1e-3" in left.remedy
    assert "times 1e12" in left.remedy
    assert right.where.file.endswith("right.inp")


def material(E: float, rho: float) -> Material:
    return Material("m", E, 0.3, rho)


@pytest.mark.parametrize(
    ("E", "rho", "size", "told"),
    [
        (2.1e5, 7.85e-9, 0.5, True),  # whatever its size: no solid is that light
        (7.0e4, 2.7e-9, 300.0, True),
        (2.1e5, 0.0, 400.0, True),
        (2.1e5, 0.0, 4.0, False),  # foam
        (2.1e11, 7850.0, 400.0, False),  # a bridge
        (1e6, 1100.0, 0.1, False),  # rubber
        (2.1e11, 0.0, 400.0, False),
    ],
)
def test_what_looks_like_millimetres(E, rho, size, told):
    assert in_mm(material(E, rho), size) is told


def test_a_load_that_the_step_misses_is_told(tmp_path):
    """The step is 1 ms: at most 500 Hz are seen, with two steps a window 1000 Hz."""
    path = write(tmp_path, ("rate = 20.0", "rate = 600.0"))
    (found,) = rehearse(path)[1]
    assert (found.code, found.severity) == ("BND057", "warning")
    assert found.where.file.endswith("left.inp")
    assert "left is loaded at 600 Hz" in found.finding
    assert "see at most 500 Hz" in found.finding
    assert "8.3e-05 s" in found.remedy
    spec = open_model(path).spec
    assert [p.code for p in doubtful(spec, 1e-3)] == ["BND057"]
    assert doubtful(spec, 5e-4) == []
    assert doubtful(spec, None) == []


def test_a_load_that_a_parameter_makes_quick_is_told(tmp_path):
    given = Given(set={"left.rate": "600"})
    opened = open_model(write(tmp_path), given)
    (found,) = doubtful(opened.spec, 1e-3)
    assert "600 Hz" in found.finding


def test_what_readers_pass_over_is_told(tmp_path):
    changes = ("DIRECT", "ALPHA=0"), ("*END STEP", "*NODE FILE\nU\n*END STEP")
    spec, _ = rehearse(write(tmp_path, *changes))
    notes = deck_notes(spec)
    assert any("NODE FILE is passed over" in note for note in notes)
    assert any("all steps are as long as the first" in note for note in notes)
    assert all(note.startswith("resources/left.inp: ") for note in notes)
    assert deck_notes(None) == []


def test_a_deck_is_no_model(tmp_path):
    with pytest.raises(UsageError) as caught:
        require(write(tmp_path) / "resources" / "left.inp")
    assert caught.value.place.endswith("left.inp")
    assert caught.value.finding == "it is the file of a part, no model."
    assert "bondline picture" in caught.value.remedy


def test_a_deck_says_how_it_steps():
    assert parse_inp(LEFT).method == Method.hht(-0.05)
    assert parse_inp(LEFT.replace("DIRECT", "ALPHA=0")).method == Method.trapezoidal()
    assert parse_inp(RIGHT).method == Method.trapezoidal()


def test_statics_of_a_deck_takes_the_amplitude_at_any_rate(tmp_path):
    for rate in ("20.0", "35.0", "100.0"):
        folder = write(tmp_path / rate, ("rate = 20.0", f"rate = {rate}"))
        load = open_model(folder).model.parts["left"].static_load
        assert load.max() == pytest.approx(5.0)


def test_gravity_needs_mass():
    text = LEFT.replace("*DENSITY\n7850.0\n", "")
    text = text.replace("*END STEP", "*DLOAD\nALL, GRAV, 9.81, 0., 0., -1.\n*END STEP")
    with pytest.raises(Exception, match="no material has a density") as caught:
        parse_inp(text)
    assert "DLOAD" in str(caught.value)
    assert "*DENSITY" in str(caught.value)
