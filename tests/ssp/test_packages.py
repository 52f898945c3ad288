"""Packages are written whole, with other values, and in variants."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import pytest

from bondline.build import catalogue, open_model
from bondline.cli import main
from bondline.description import Change, load, variants, write_package
from bondline.errors import DescriptionError, UsageError
from tests.ssp.conftest import PENDULUM

NOTE = b"""<ssc:Annotation type="com.example.layout"><x:page xmlns:x="urn:x">A4</x:page>
</ssc:Annotation>"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A pendulum with an annotation and files that nobody here knows."""
    made = tmp_path / "pendulum"
    shutil.copytree(PENDULUM, made)
    main_file = made / "SystemStructure.ssd"
    text = main_file.read_bytes()
    main_file.write_bytes(
        text.replace(b"<ssd:Annotations>", b"<ssd:Annotations>" + NOTE)
    )
    (made / "resources").mkdir()
    (made / "resources" / "signals.ssb").write_bytes(b"<anything/>")
    (made / "documentation").mkdir()
    (made / "documentation" / "index.html").write_bytes(b"<p>read me")
    (made / "runs").mkdir()
    (made / "runs" / "secret").write_bytes(b"not part of the model")
    return made


def names(path: Path) -> list[str]:
    with zipfile.ZipFile(path) as archive:
        return sorted(archive.namelist())


def masses(path: Path) -> tuple[float, float]:
    told = {p.name: p.value for p in open_model(path).parameters}
    return told["upper.mass"], told["lower.mass"]


def test_what_is_not_known_stays_as_it_is(folder, tmp_path):
    first = write_package(folder, tmp_path / "a.ssp", catalogue())
    assert names(first) == [
        "SystemStructure.ssd",
        "documentation/index.html",
        "resources/signals.ssb",
    ]
    with zipfile.ZipFile(first) as archive:
        kept = archive.read("SystemStructure.ssd")
        assert kept == (folder / "SystemStructure.ssd").read_bytes()
    again = write_package(first, tmp_path / "b.ssp", catalogue())
    assert first.read_bytes() == again.read_bytes()


def test_values_become_a_parameter_set_that_counts(folder, tmp_path, pyssp):
    change = Change({"lower.mass": "30kg", "gravity": "9.81"})
    path = write_package(folder, tmp_path / "a.ssp", catalogue(), change)
    assert masses(path) == (10.0, 30.0)
    told = {p.name: p.value for p in open_model(path).parameters}
    assert told["upper.gravity"] == told["lower.gravity"] == 9.81
    with zipfile.ZipFile(path) as archive:
        assert b"com.example.layout" in archive.read("SystemStructure.ssd")
    with pyssp.ssp.SSP(path, mode="r") as ssp:
        (values,) = ssp.ssv
        with values as ssv:
            assert [p["name"] for p in ssv.parameters] == ["lower.mass", "gravity"]


def test_values_may_be_changed_again(folder, tmp_path):
    once = Change({"lower.mass": "30kg"})
    first = write_package(folder, tmp_path / "a.ssp", catalogue(), once)
    twice = Change({"lower.mass": "40kg"})
    second = write_package(first, tmp_path / "b.ssp", catalogue(), twice)
    assert masses(second) == (10.0, 40.0)


def test_variants_live_side_by_side(folder, tmp_path, capsys):
    path, runs = tmp_path / "a.ssp", tmp_path / "project"
    command = ["--quiet", "pack", str(folder), "-o", str(path)]
    assert main([*command, "--set", "lower.mass=30kg", "--as", "Heavy"]) == 0
    assert variants(path) == ["SystemStructure", "Heavy"]
    assert masses(path) == (10.0, 20.0)
    assert masses(path / "Heavy.ssd") == (10.0, 30.0)
    run = ["--quiet", "--project", str(runs), "run", str(path), "--until", "20ms"]
    assert main([*run, "--variant", "Heavy", "--name", "h"]) == 0
    kept = runs / "runs" / "h" / "model.ssp"
    assert masses(kept) == (10.0, 30.0)
    assert main([*run, "--variant", "Hevy"]) == 2
    assert "Did you mean 'Heavy'?" in capsys.readouterr().err


def test_a_variant_is_not_overwritten(folder, tmp_path):
    heavy = Change({"lower.mass": "30kg"}, "Heavy")
    first = write_package(folder, tmp_path / "a.ssp", catalogue(), heavy)
    with pytest.raises(UsageError, match="has a variant of this name"):
        write_package(first, tmp_path / "b.ssp", catalogue(), heavy)
    assert not (tmp_path / "b.ssp").exists()


def test_names_of_variants_cannot_lead_out(folder, tmp_path):
    change = Change({"lower.mass": "30kg"}, "../../evil")
    path = write_package(folder, tmp_path / "a.ssp", catalogue(), change)
    assert ".._.._evil.ssd" in names(path)
    assert load(path).spec is not None


def test_what_cannot_be_set_is_told_and_nothing_is_written(folder, tmp_path):
    for values, error in (
        ({"uper.mass": "3kg"}, UsageError),
        ({"upper.mass": "3m"}, DescriptionError),
    ):
        with pytest.raises(error):
            write_package(folder, tmp_path / "a.ssp", catalogue(), Change(values))
    assert list(tmp_path.glob("*.ssp")) == []


def test_links_are_not_followed_into_a_package(folder, tmp_path):
    (tmp_path / "secret").write_text("mine")
    (folder / "resources" / "link").symlink_to(tmp_path / "secret")
    path = write_package(folder, tmp_path / "a.ssp", catalogue())
    assert "resources/link" not in names(path)


def test_a_hostile_archive_is_not_packed_again(tmp_path):
    bad = tmp_path / "bad.ssp"
    with zipfile.ZipFile(bad, "w") as archive:
        archive.write(PENDULUM / "SystemStructure.ssd", "SystemStructure.ssd")
        archive.writestr("../../evil.txt", "x")
    with pytest.raises(DescriptionError, match="leaves the archive"):
        write_package(bad, tmp_path / "a.ssp", catalogue())
    with pytest.raises(DescriptionError, match="leaves the archive"):
        variants(bad)
    assert load(bad / "SystemStructure.ssd").spec is None
