"""Whatever happens to a file, the answer is a model or coded problems."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bondline.build import rehearse
from bondline.description import CODES, bundle
from tests.description.wrong import EXAMPLES, NESTED, PENDULUM, write

PIECES = sorted({*NESTED.replace(">", ">\n").split("\n"), *PENDULUM.split()})
VALUES = [
    "",
    "0",
    "-1",
    "NaN",
    "INF",
    "1e999",
    "x",
    "upper",
    "A",
    "mm",
    "..",
    "é",
    "\t",
]


@st.composite
def bytes_changed(draw: st.DrawFn) -> bytes:
    """The pendulum with some bytes replaced, removed or doubled."""
    data = bytearray(PENDULUM.encode())
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data) - 1))
        size = draw(st.integers(0, 8))
        data[at : at + size] = draw(st.binary(max_size=8))
    return bytes(data)


@st.composite
def structure_changed(draw: st.DrawFn) -> bytes:
    """A model with tags moved, removed and repeated, and attributes changed."""
    lines = draw(st.sampled_from([PENDULUM, NESTED])).split("\n")
    for _ in range(draw(st.integers(1, 5))):
        at = draw(st.integers(4, len(lines) - 2))
        match draw(st.sampled_from(["drop", "repeat", "insert", "swap", "value"])):
            case "drop":
                del lines[at]
            case "repeat":
                lines.insert(at, lines[at])
            case "insert":
                lines.insert(at, draw(st.sampled_from(PIECES)))
            case "swap":
                lines[at - 1], lines[at] = lines[at], lines[at - 1]
            case "value":
                parts = lines[at].split('"')
                if len(parts) > 2:
                    which = draw(st.integers(0, len(parts) // 2 - 1)) * 2 + 1
                    parts[which] = draw(st.sampled_from(VALUES))
                    lines[at] = '"'.join(parts)
    return "\n".join(lines).encode()


def _law(data: bytes, folder: Path) -> None:
    write(folder, "")
    (folder / "SystemStructure.ssd").write_bytes(data)
    spec, problems = rehearse(folder)
    assert spec is not None or problems
    assert {p.code for p in problems} <= set(CODES)
    assert all(p.finding and p.remedy for p in problems)
    assert all(str(folder) in p.where.file for p in problems)


_QUIET = settings(
    max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@_QUIET
@given(data=st.one_of(bytes_changed(), structure_changed()))
def test_a_changed_file_gives_a_model_or_problems(data: bytes, tmp_path: Path) -> None:
    _law(data, tmp_path)


@pytest.mark.full
@settings(_QUIET, max_examples=20_000)
@given(data=st.one_of(bytes_changed(), structure_changed()))
def test_very_many_changed_files_do_too(data: bytes, tmp_path: Path) -> None:
    _law(data, tmp_path)


@_QUIET
@given(data=st.binary(max_size=200))
def test_any_bytes_give_problems(data: bytes, tmp_path: Path) -> None:
    _law(data, tmp_path)


@_QUIET
@given(data=st.binary(max_size=60), at=st.integers(0, 10_000))
def test_a_changed_archive_gives_a_model_or_problems(
    data: bytes, at: int, tmp_path: Path
) -> None:
    good = bytearray(bundle(EXAMPLES / "double_pendulum"))
    at %= len(good)
    good[at : at + len(data)] = data
    path = tmp_path / "a.ssp"
    path.write_bytes(good)
    spec, problems = rehearse(path)
    assert spec is not None or problems
    assert {p.code for p in problems} <= set(CODES)
