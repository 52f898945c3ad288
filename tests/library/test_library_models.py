"""Models that take their parts from a library."""

from __future__ import annotations

import json
import shutil
import zipfile

import pytest

from bondline.build import catalogue, open_model
from bondline.build.prepare import plan_of
from bondline.build.to_library import drafted
from bondline.description import examine
from bondline.errors import DescriptionError
from bondline.library import Draft, Library
from bondline.library.unpack import unpack

THIRD = 'source="third.leaf.xml"'
SYSTEM = "application/x-ssp-definition"


@pytest.fixture
def shelf(project, monkeypatch, tmp_path):
    """A library with the third bar of the four-bar, and a model that takes it."""
    monkeypatch.setenv("BONDLINE_LIBRARY", str(tmp_path / "shelf"))
    for name in ("SystemStructure.ssd", "crank.leaf.xml"):
        shutil.copy(project / "examples" / "four_bar" / name, tmp_path)
    with Library(create=True) as library:
        bar = project / "examples" / "four_bar" / "third.leaf.xml"
        library.add(drafted(str(bar)).draft)
        yield library


def model(tmp_path, source, kind=None):
    text = (tmp_path / "SystemStructure.ssd").read_text("utf-8")
    new = text.replace(THIRD, f'source="{source}"')
    if kind:
        old = f'type="application/x-bondline-deck" source="{source}"'
        new = new.replace(old, f'type="{kind}" source="{source}"')
    assert new != text
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "SystemStructure.ssd").write_text(new, "utf-8")
    shutil.copy(tmp_path / "crank.leaf.xml", folder)
    return folder


def told(folder):
    _, problems = examine(folder, catalogue())
    return [(p.code, p.where.line, p.finding, p.remedy) for p in problems]


def test_a_part_of_the_library_is_the_part(shelf, project, tmp_path):
    folder = model(tmp_path, "library:third@1")
    assert told(folder) == []
    opened, plain = open_model(folder), open_model(project / "examples" / "four_bar")
    assert opened.model.parts["third"].ports == plain.model.parts["third"].ports
    assert [p.value for p in opened.parameters] == [p.value for p in plain.parameters]
    digest = shelf.get("third").passport.digest
    assert opened.settings["library"] == {"third@1": digest}
    assert "library" not in plain.settings


def test_what_a_run_keeps_needs_no_library(shelf, tmp_path, monkeypatch):
    opened = open_model(model(tmp_path, "library:third@1"))
    package = tmp_path / "model.ssp"
    package.write_bytes(plan_of(opened).package)
    monkeypatch.setenv("BONDLINE_LIBRARY", str(tmp_path / "nowhere"))
    again = open_model(package)
    assert again.digest == opened.digest
    assert again.settings == opened.settings


@pytest.mark.parametrize(
    ("source", "kind", "code", "words"),
    [
        ("library:third", None, "BND090", ("names no version", "library:rail@3")),
        ("library:../x@1", None, "BND090", ("names no version", "bondline db search")),
        ("library:thrid@1", None, "BND091", ("no model 'thrid'", "mean 'third'?")),
        ("library:third@7", None, "BND092", ("has no version 7", "library:third@1")),
        ("library:third@1", SYSTEM, "BND093", ("kind 'leaf'", "x-bondline-deck")),
    ],
)
def test_a_wrong_reference_is_told_at_its_line(
    shelf, tmp_path, source, kind, code, words
):
    found = told(model(tmp_path, source, kind))
    text = (tmp_path / "model" / "SystemStructure.ssd").read_text("utf-8")
    line = 1 + text[: text.index(f'source="{source}"')].count("\n")
    assert [(c, at) for c, at, *_ in found if c == code] == [(code, line)]
    _, _, finding, remedy = next(row for row in found if row[0] == code)
    assert words[0] in finding
    assert words[1] in remedy


def test_no_library_is_told(shelf, tmp_path, monkeypatch):
    folder = model(tmp_path, "library:third@1")
    monkeypatch.setenv("BONDLINE_LIBRARY", str(tmp_path / "nowhere"))
    assert [row[0] for row in told(folder)] == ["BND095"]


def test_a_changed_file_is_refused_where_it_is_named(shelf, tmp_path):
    folder = model(tmp_path, "library:third@1")
    sha = shelf.get("third").passport.files["third.h5"]["sha256"]
    file = tmp_path / "shelf" / "files" / sha[:2] / sha[2:]
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    with pytest.raises(DescriptionError, match="BND094 third@1 is refused"):
        open_model(folder)


@pytest.mark.parametrize(
    ("victim", "old", "new"),
    [
        ("third.leaf.xml", b"0", b"1"),
        ("passport.json", b'"digest":"', b'"digest":"0'),
        ("passport.json", b"third.h5", b"../../h5"),
        ("passport.json", b"{", b"["),
    ],
)
def test_a_changed_copy_inside_a_model_is_refused(shelf, tmp_path, victim, old, new):
    opened = open_model(model(tmp_path, "library:third@1"))
    package = tmp_path / "bad.ssp"
    with zipfile.ZipFile(package, "w") as archive:
        for name, data in opened.files.items():
            if name == f"library/third@1/{victim}":
                assert old in data
                data = data.replace(old, new, 1)
            archive.writestr(name, data)
    with pytest.raises(DescriptionError, match="BND094"):
        open_model(package)


def test_an_unsigned_part_is_refused_where_keys_are_asked_for(
    shelf, tmp_path, monkeypatch
):
    from bondline.library import make_key

    _, public = make_key(tmp_path / "owner")
    monkeypatch.setenv("BONDLINE_SIGNERS", str(public))
    assert [(c, f) for c, _, f, _ in told(model(tmp_path, "library:third@1"))] == [
        (
            "BND094",
            "third@1 is refused: it is not signed, by none of the 1 keys that are "
            "trusted.",
        )
    ]


def test_integrated_models_use_others_and_are_used(shelf, tmp_path):
    inner = model(tmp_path, "library:third@1")
    draft = drafted(str(inner), "four-bar").draft
    assert sorted(draft.files) == ["SystemStructure.ssd", "crank.leaf.xml"]
    assert list(draft.uses) == ["third@1"]
    shelf.add(draft)
    outer = tmp_path / "outer"
    outer.mkdir()
    text = (inner / "SystemStructure.ssd").read_text("utf-8")
    head = text[: text.index("<ssd:System name=")]
    (outer / "SystemStructure.ssd").write_text(
        f'{head}<ssd:System name="outer"><ssd:Elements><ssd:Component name="whole" '
        f'type="{SYSTEM}" source="library:four-bar@1"/></ssd:Elements>'
        '<ssd:Annotations><ssc:Annotation type="io.github.bondline.gluing"><g:gluing/>'
        "</ssc:Annotation></ssd:Annotations></ssd:System>"
        "</ssd:SystemStructureDescription>",
        "utf-8",
    )
    opened = open_model(outer)
    assert set(opened.model.parts["whole"].parts) == {"crank", "third"}
    assert list(opened.settings["library"]) == ["four-bar@1", "third@1"]


def test_a_remote_model_stays_with_its_owner(shelf, tmp_path):
    shelf.add(Draft("axle", "remote", remote={"part": "axle"}))
    kind = "application/x-bondline-leaf"
    _, problems = examine(model(tmp_path, "library:axle@1", kind), catalogue())
    assert not [p for p in problems if p.code.startswith("BND09")]


def test_files_of_a_version_run_without_a_library(shelf, tmp_path, monkeypatch):
    shelf.add(drafted(str(model(tmp_path, "library:third@1")), "four-bar").draft)
    unpack(shelf, "four-bar", tmp_path / "copy")
    assert json.loads((tmp_path / "copy/passport.json").read_text())["version"] == 1
    monkeypatch.setenv("BONDLINE_LIBRARY", str(tmp_path / "nowhere"))
    assert set(open_model(tmp_path / "copy").model.parts) == {"crank", "third"}
