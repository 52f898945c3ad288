"""Every problem code, explained: what `bondline check --explain BND012` prints."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bondline.errors import UsageError, did_you_mean


@dataclass(frozen=True, slots=True)
class Code:
    """One code: its title, why it matters, and an example of wrong and right."""

    code: str
    title: str
    explanation: str
    wrong: str
    right: str

    def __str__(self) -> str:
        return (
            f"{self.code}: {self.title}\n\n{self.explanation}\n\n"
            f"wrong:\n{_indent(self.wrong)}\n\nright:\n{_indent(self.right)}\n"
        )


def _indent(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.strip("\n").splitlines())


class _Codes(Mapping[str, Code]):
    """The catalogue in codes.toml, read when it is first asked for."""

    def __getitem__(self, code: str) -> Code:
        return _read()[code]

    def __iter__(self) -> Iterator[str]:
        return iter(_read())

    def __len__(self) -> int:
        return len(_read())


_SHORT = re.compile(r"(?<=^BND)\d{1,2}$")
CODES: Mapping[str, Code] = _Codes()


@cache
def _read() -> dict[str, Code]:
    text = Path(__file__).with_name("codes.toml").read_text(encoding="utf-8")
    return {
        code: Code(
            code,
            entry["title"],
            entry["explanation"].strip(),
            entry["wrong"].strip("\n"),
            entry["right"].strip("\n"),
        )
        for code, entry in tomllib.loads(text).items()
    }


def explain(code: str) -> str:
    """The page on one code; `UsageError` with the nearest match if there is none."""
    found = CODES.get(code.upper())
    if found is None:
        three = _SHORT.sub(lambda digits: digits[0].zfill(3), code.upper())
        raise UsageError(
            f"--explain {code}", "no such code.", did_you_mean(three, CODES)
        )
    return str(found)
