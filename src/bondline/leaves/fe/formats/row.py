"""One line of numbers and words of a deck, and where it stands."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from bondline.errors import DeckError

LARGEST_LABEL = 999_999_999
LARGEST_NUMBER = 1e30  # products of four such numbers are still finite


@dataclass(frozen=True, slots=True)
class Row:
    """The fields of a data line; `place` is file:line, card."""

    place: str
    fields: list[str]

    def __len__(self) -> int:
        return len(self.fields)

    def word(self, i: int, default: str = "") -> str:
        """The field `i`, from 0, or the default if it is blank or missing."""
        return self.fields[i] if i < len(self.fields) and self.fields[i] else default

    def number(self, i: int, what: str, default: float | None = None) -> float:
        """The field `i` as a finite number."""
        text = self.word(i)
        if not text:
            if default is None:
                raise self.wrong(
                    f"{what} is missing (field {i + 1}).", "Give a number."
                )
            return default
        value = real(text)
        if value is None:
            raise self.wrong(
                f"{what} is {short(text)}.",
                f"Give a number of at most {LARGEST_NUMBER:g}, such as 2.1e11.",
            )
        return value

    def positive(self, i: int, what: str, default: float | None = None) -> float:
        """The field `i` as a number above zero."""
        value = self.number(i, what, default)
        if value <= 0.0:
            raise self.wrong(f"{what} is {value:g}.", "Give a number above zero.")
        return value

    def label(self, i: int, what: str, default: int | None = None) -> int:
        """The field `i` as the number of a node, an element, a dof."""
        text = self.word(i)
        if not text and default is not None:
            return default
        value = whole(text)
        if value is None:
            raise self.wrong(
                f"{what} is {short(text)}.",
                f"Give a whole number from 1 to {LARGEST_LABEL}.",
            )
        return value

    def labels(self, first: int, what: str) -> tuple[int, ...]:
        """All fields from `first` on as labels."""
        texts = self.fields[first:]
        together = "".join(texts)
        if together.isascii() and together.isdigit() and all(texts):
            values = tuple(map(int, texts))  # the fast way, for large meshes
            if min(values) >= 1 and max(values) <= LARGEST_LABEL:
                return values
        return tuple(self.label(i, what) for i in range(first, len(self.fields)))

    def wrong(self, finding: str, remedy: str) -> DeckError:
        """An error at this line."""
        return DeckError(self.place, finding, remedy)


def short(text: str) -> str:
    """A text as it may stand in a message, quoted and at most 40 characters long."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


def real(text: str) -> float | None:
    """A number as Fortran and C write it, or nothing if it is none.

    >>> real("1.5D-3"), real("nan"), real("1_0")
    (0.0015, None, None)
    """
    try:
        value = float(text)
    except ValueError:
        try:
            value = float(text.upper().replace("D", "E"))
        except ValueError:
            return None
    fair = isfinite(value) and abs(value) <= LARGEST_NUMBER and "_" not in text
    return value if fair else None


def whole(text: str) -> int | None:
    """A label from 1 on, or nothing if the text is none.

    >>> whole("12"), whole("12."), whole("x"), whole("-3")
    (12, 12, None, None)
    """
    text = text.removesuffix(".")
    if not (text.isascii() and text.isdigit()) or len(text) > 12:
        return None
    value = int(text)
    return value if 1 <= value <= LARGEST_LABEL else None
