"""Whatever the bytes: a deck, or a `DeckError` that teaches."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bondline.errors import DeckError
from bondline.leaves.fe.formats import Deck, read_bdf, read_inp, read_msh
from bondline.leaves.fe.sections import Material, ShellSection

from .samples import BULK, MSH2, MSH4, RICH

PLATE = {"plate": ShellSection(Material("steel", 2.1e11), 0.01)}
READERS: dict[str, Callable[[Path], Deck]] = {
    "inp": read_inp,
    "bdf": read_bdf,
    "msh": lambda path: read_msh(path, PLATE),
}
WORDS = st.sampled_from(
    ["", "0", "-1", "1e300", "1e30", "1e-300", "nan", "inf", "9" * 30, "x", "1", "13",
     "3.5", "*", "**", "<", "<thick>", "<zz>", '"', "=", "STEEL", "Root", "*NODE",
     "*END STEP", "*STEP", "*PART, NAME=P", "*END PART", "*INSTANCE, NAME=I, PART=P",
     "\x00", "é", "٣", "THRU", "+", "$", "\t", "1.+400", ","]
)  # fmt: skip
QUIET = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def reads(reader: Callable[[Path], Deck], path: Path, content: bytes) -> None:
    path.write_bytes(content)
    outcome = tried(reader, path)
    if isinstance(outcome, DeckError):
        assert all((outcome.place, outcome.finding, outcome.remedy))
    else:
        assert isinstance(outcome, Deck)


def tried(reader: Callable[[Path], Deck], path: Path) -> Deck | DeckError:
    try:
        return reader(path)
    except DeckError as error:
        return error


@pytest.mark.parametrize("kind", READERS)
@QUIET
@given(content=st.binary(max_size=300))
def test_any_bytes(kind, content, tmp_path):
    reads(READERS[kind], tmp_path / "deck", content)


@st.composite
def damaged(draw: st.DrawFn, text: str) -> str:
    """A good deck with some lines taken out, doubled, cut or changed."""
    lines = text.split("\n")
    for _ in range(draw(st.integers(1, 4))):
        i = draw(st.integers(0, len(lines) - 1))
        match draw(st.sampled_from(["delete", "double", "cut", "word", "swap"])):
            case "delete":
                lines[i] = ""
            case "double":
                lines.insert(i, lines[draw(st.integers(0, len(lines) - 1))])
            case "cut":
                lines[i] = lines[i][: draw(st.integers(0, len(lines[i])))]
            case "word":
                lines[i] = draw(WORDS)
            case "swap":
                sep = "," if "," in lines[i] else " "
                words = lines[i].split(sep)
                words[draw(st.integers(0, len(words) - 1))] = draw(WORDS)
                lines[i] = sep.join(words)
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("kind", "text"), [("inp", RICH), ("bdf", BULK), ("msh", MSH2), ("msh", MSH4)]
)
@QUIET
@given(data=st.data())
def test_damaged_decks(kind, text, data, tmp_path):
    reads(READERS[kind], tmp_path / "deck", data.draw(damaged(text)).encode())
