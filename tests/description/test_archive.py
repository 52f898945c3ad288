"""Archives are judged entry by entry, and never touch the disk."""

from __future__ import annotations

import io
import stat
import struct
import zipfile
from pathlib import Path

import pytest

from bondline.description import bundle, digest, load
from tests.description.wrong import EXAMPLES, PENDULUM

MAIN = "SystemStructure.ssd"


def _zip(path: Path, *entries: tuple[str | zipfile.ZipInfo, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return path


def _refused(path: Path, code: str, finding: str, remedy: str) -> None:
    loaded = load(path)
    assert loaded.spec is None
    [problem] = loaded.problems
    assert problem.code == code
    assert problem.where.file == str(path)
    assert finding in problem.finding
    assert remedy in problem.remedy


ROOT = (MAIN, PENDULUM.encode())


@pytest.mark.parametrize(
    ("name", "finding"),
    [
        ("../../evil.ssv", "leaves the archive"),
        ("resources/../../evil.ssv", "leaves the archive"),
        ("/etc/evil.ssv", "absolute name"),
        ("C:/evil.ssv", "a drive"),
        ("a\\evil.ssv", "a backslash"),
        ("a\nb.ssv", "control characters"),
    ],
)
def test_names_that_lead_out_are_refused(
    name: str, finding: str, tmp_path: Path
) -> None:
    path = _zip(tmp_path / "a.ssp", ROOT, (name, b"x"))
    _refused(path, "BND006", finding, "Make it anew")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.ssp"]


def test_a_link_is_refused(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("resources/x.ssv")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    path = _zip(tmp_path / "a.ssp", ROOT, (link, b"/etc/passwd"))
    _refused(path, "BND006", "a link or a device", "plain files")


def test_two_entries_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        path = _zip(tmp_path / "a.ssp", ROOT, ROOT)
    _refused(path, "BND006", "two entries are named", "Make it anew")


def test_an_encrypted_entry_is_refused(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.ssp", ROOT)
    data = bytearray(path.read_bytes())
    directory = data.rindex(b"PK\1\2")
    data[directory + 8] |= 1
    path.write_bytes(data)
    _refused(path, "BND006", "is encrypted", "Make it anew")


def test_another_compression_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.ssp"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr(*ROOT)
    _refused(path, "BND006", "neither stored nor deflated", "stored or deflated")


def test_an_archive_without_a_root_description_is_refused(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.ssp", (f"inner/{MAIN}", PENDULUM.encode()))
    _refused(path, "BND006", "no SystemStructure.ssd at its root", "at the root")


def test_something_else_called_ssp_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.ssp"
    path.write_bytes(b"PK\3\4 but not an archive")
    _refused(path, "BND006", "not a zip file", "Make it anew")


def test_zip64_is_refused(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.ssp", ROOT)
    data = path.read_bytes()
    at = data.rindex(b"PK\5\6")
    path.write_bytes(data[:at] + b"PK\6\7" + bytes(16) + data[at:])
    _refused(path, "BND006", "zip64", "Make it anew")


def test_too_many_entries_are_refused_before_they_are_read(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.ssp", *((f"r/{n}", b"") for n in range(4096)), ROOT)
    _refused(path, "BND007", "more than 4096 entries", "Keep large data out")


def test_an_archive_that_hides_its_entries_is_refused(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.ssp", *((f"r/{n}", b"") for n in range(4096)), ROOT)
    data = bytearray(path.read_bytes())
    at = data.rindex(b"PK\5\6")
    struct.pack_into("<2H", data, at + 8, 1, 1)
    path.write_bytes(data)
    _refused(path, "BND007", "more than 4096 entries", "Keep large data out")


def test_a_bomb_is_refused(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.ssp", ROOT, ("r/zeros.ssv", bytes(8 * 2**20)))
    _refused(path, "BND007", "100 times its size", "Keep large data out")


def test_a_claim_of_more_than_half_a_gigabyte_is_refused(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.ssp", ROOT)
    data = bytearray(path.read_bytes())
    struct.pack_into("<L", data, data.rindex(b"PK\1\2") + 24, 600 * 2**20)
    path.write_bytes(data)
    _refused(path, "BND007", "unpacks to more than", "Keep large data out")


def test_a_size_that_lies_is_refused(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.ssp", ROOT)
    data = bytearray(path.read_bytes())
    struct.pack_into("<L", data, data.rindex(b"PK\1\2") + 24, 100)
    path.write_bytes(data)
    _refused(path, "BND006", "not a sound zip file", "Make it anew")


@pytest.mark.parametrize("model", ["double_pendulum", "linear_chain"])
def test_a_bundle_is_the_same_model(model: str, tmp_path: Path) -> None:
    path = tmp_path / "a.ssp"
    path.write_bytes(bundle(EXAMPLES / model))
    loaded = load(path)
    assert loaded.problems == ()
    assert loaded.contents == load(EXAMPLES / model).contents
    assert digest(path) == digest(EXAMPLES / model)
    assert bundle(path) == path.read_bytes()


def test_a_variant_is_bundled_as_the_root_of_its_archive(tmp_path: Path) -> None:
    path = tmp_path / "a.ssp"
    path.write_bytes(bundle(EXAMPLES / "linear_chain" / "Nested.ssd"))
    names = zipfile.ZipFile(io.BytesIO(path.read_bytes())).namelist()
    assert names == [MAIN, "resources/common.ssv"]
    loaded = load(path)
    assert loaded.spec is not None
    assert loaded.spec.name == "linear_chain_nested"


def test_the_digest_changes_with_any_file(tmp_path: Path) -> None:
    for name, data in load(EXAMPLES / "linear_chain").contents.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    before = digest(tmp_path)
    assert before == digest(EXAMPLES / "linear_chain")
    common = tmp_path / "resources" / "common.ssv"
    common.write_text(common.read_text().replace("0.5", "0.6"))
    assert digest(tmp_path) != before
