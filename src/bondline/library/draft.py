"""A draft: what is known of a version before the library gives it its number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bondline.description.stored import digest_of
from bondline.errors import UsageError, did_you_mean
from bondline.library.access import ACCESS
from bondline.library.names import named, plain_text
from bondline.library.passport import KINDS, Passport, sha256


@dataclass(frozen=True)
class Draft:
    """A model to add.

    Its files by name, the one to begin with, and the other lines of its passport.
    """

    name: str
    kind: str
    main: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)
    meaning: str = ""
    licence: str = ""
    project: str = ""
    access: str = ""  # without a word: as it was; a new one as its project says
    policy: bytes = b""
    ports: Mapping[str, Any] = field(default_factory=dict)
    capabilities: Mapping[str, Any] = field(default_factory=dict)
    parameters: tuple[Mapping[str, Any], ...] = ()
    uses: Mapping[str, str] = field(default_factory=dict)
    remote: Mapping[str, str] = field(default_factory=dict)
    kit: str = ""

    def judge(self) -> None:
        """`UsageError` if it breaks a rule."""
        named(self.name)
        _one_of("--kind", self.kind, KINDS)
        if self.project:
            named(self.project)
        if self.access:
            _one_of("--access", self.access, ACCESS)
        if self.access == "project" and not self.project:
            raise UsageError("--access", "there is no project.", "Give --in PROJECT.")
        plain_text("--meaning", self.meaning)
        plain_text("--licence", self.licence)
        for name in self.files:
            plain_text("file name", name)

    def passport(self, owner: str, version: int, created: str, before: str) -> Passport:
        """The passport with that number."""
        files = {
            name: {"sha256": sha256(data), "size": len(data)}
            for name, data in self.files.items()
        }
        usual = "project" if self.project else "private"
        return Passport(
            version=version,
            owner=owner,
            created=created,
            previous=before,
            files=files,
            digest=digest_of(self.files),
            access=self.access or usual,
            policy=sha256(self.policy) if self.policy else "",
            **{key: getattr(self, key) for key in _AS_GIVEN},
        )


_AS_GIVEN = (
    *("name", "kind", "main", "meaning", "licence", "project", "ports"),
    *("capabilities", "parameters", "uses", "remote", "kit"),
)


def _one_of(what: str, word: str, known: tuple[str, ...]) -> None:
    if word not in known:
        raise UsageError(
            what, f"{word[:80]!r} is none of its words.", did_you_mean(word, known)
        )
