"""Lines into cards, with parameters put in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bondline.errors import DeckError
from bondline.leaves.fe.formats.findings import Findings
from bondline.leaves.fe.formats.inp.card import Card, Line, squeezed
from bondline.leaves.fe.formats.inp.keyword import keyword
from bondline.leaves.fe.formats.inp.parameters import Parameters
from bondline.leaves.fe.formats.row import short

VERBATIM = ("PARAMETER", "HEADING")
BLANK = ("BEAMSECTION", "BEAMGENERALSECTION", "SPRING", "DASHPOT")  # blank lines count
LONGEST = 64  # lines of one keyword


def cards(
    lines: Iterable[Line], parameters: Parameters, findings: Findings
) -> list[Card]:
    """The cards of a deck in order; those of *PARAMETER are taken in on the way."""
    found: list[Card] = []
    with findings.gathering():
        for line in joined(lines):
            if found and _plain(line.text):
                found[-1].lines.append(line)
                continue
            with findings.gathering():
                if line.text.startswith("*"):
                    _finish(found, parameters)
                    found.append(keyword(parameters.filled(line)))
                elif not line.text and not (
                    found and squeezed(found[-1].title) in BLANK
                ):
                    continue
                elif not found:
                    raise _stray(line)
                elif squeezed(found[-1].title) in VERBATIM:
                    found[-1].lines.append(line)
                else:
                    found[-1].lines.append(parameters.filled(line))
    with findings.gathering():
        _finish(found, parameters)
    return found


def _plain(text: str) -> bool:
    """A data line in which nothing is to be put in: most lines of large decks."""
    return bool(text) and text[0] != "*" and "<" not in text


def _finish(found: list[Card], parameters: Parameters) -> None:
    """Let the parameters that end here be known to what follows."""
    while found and found[-1].lines and not found[-1].lines[-1].text:
        found[-1].lines.pop()
    if found and squeezed(found[-1].title) == "PARAMETER":
        parameters.read(found.pop())


def joined(lines: Iterable[Line]) -> Iterator[Line]:
    """Lines in which a keyword that ends with a comma goes on to the next line."""
    held: list[Line] = []
    for line in lines:
        fresh = line.text.startswith("*")
        if held and not line.text:
            continue
        data = line.text[:1].isdigit()  # no option starts so, whatever came before
        if held and (fresh or data or len(held) >= LONGEST):
            yield _whole(held)
            held = []
        if (fresh or held) and line.text.endswith(","):
            held.append(line)
        elif held:
            yield _whole([*held, line])
            held = []
        else:
            yield line
    if held:
        yield _whole(held)


def _whole(held: list[Line]) -> Line:
    first = held[0]
    return Line(first.file, first.number, "".join(line.text for line in held))


def _stray(line: Line) -> DeckError:
    return DeckError(
        f"{line.file}:{line.number}",
        f"found {short(line.text)} before any keyword.",
        "Start the deck with a keyword such as *NODE. Is this an INP file?",
    )
