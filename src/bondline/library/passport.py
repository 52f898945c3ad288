"""The passport of a version: all that the library says about it, in one document.

Its bytes are what is sealed (SHA-256) and signed, so they have one spelling.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from bondline.description.place import Place, Problem
from bondline.description.sources import inside
from bondline.description.stored import NAME
from bondline.errors import CorruptModel
from bondline.library.names import PERSON, Reference

FORMAT = 1
KINDS = ("leaf", "integrated", "reduced", "remote")
MAX_FILES = 4096


def canonical(tree: Any) -> str:
    """JSON with one spelling: sorted keys, no spaces, ASCII."""
    return json.dumps(tree, sort_keys=True, separators=(",", ":"), allow_nan=False)


def sha256(data: bytes) -> str:
    """As hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


@dataclass(frozen=True)
class Passport:
    """What a version of a model is.

    `files` are SHA-256 and size by name inside the model, `main` the one to begin
    with. `ports` have dofs, units and whether they are frames. Each of `capabilities`
    is what was declared, and whether the conformance kit `verified` it. `uses` are
    the library models it refers to, with their digests. `previous` is the seal of the
    version before.
    """

    name: str
    version: int
    kind: str
    owner: str
    created: str
    digest: str
    main: str = ""
    files: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    meaning: str = ""
    licence: str = ""
    project: str = ""
    access: str = "private"
    policy: str = ""  # SHA-256 of the owner's policy for serving it
    ports: Mapping[str, Any] = field(default_factory=dict)
    capabilities: Mapping[str, Any] = field(default_factory=dict)
    parameters: tuple[Mapping[str, Any], ...] = ()
    uses: Mapping[str, str] = field(default_factory=dict)
    remote: Mapping[str, str] = field(default_factory=dict)
    kit: str = ""  # what tried it, and how
    previous: str = ""

    @property
    def reference(self) -> Reference:
        """Its name and version."""
        return Reference(self.name, self.version)

    @property
    def words(self) -> str:
        """What a search looks at, in small letters."""
        texts = [self.name, self.kind, self.owner, self.project, self.licence]
        texts += [self.meaning, *self.ports, *(p["name"] for p in self.parameters)]
        return " ".join(texts).lower()

    def plain(self) -> dict[str, Any]:
        """As plain data."""
        return {"format": FORMAT, **asdict(self)}

    def dump(self) -> str:
        """The document; equal passports give equal text."""
        return canonical(self.plain())

    def same_but_for_its_number(self, other: Passport) -> bool:
        """Whether nothing has changed between two versions."""
        return _lasting(self) == _lasting(other)


_PASSING = ("version", "created", "previous")


def _lasting(passport: Passport) -> str:
    return canonical({k: v for k, v in passport.plain().items() if k not in _PASSING})


def load_passport(text: str, place: str) -> Passport:
    """The passport that `dump` wrote; `CorruptModel` if it is none of ours.

    It may come from another library: nothing in it is believed before it is checked.
    """
    try:
        tree = json.loads(text)
        if tree.pop("format") != FORMAT:
            raise ValueError("another format")
        found = Passport(**{**tree, "parameters": tuple(tree["parameters"])})
        _judge(found)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise corrupt(place, f"its passport cannot be read ({error})") from error
    return found


def corrupt(place: str, what: str) -> CorruptModel:
    """What to say of a record that is not what it was."""
    return CorruptModel(
        place, f"{what}.", "Restore it from a copy, or pull it from another library."
    )


def _judge(passport: Passport) -> None:
    """ValueError or TypeError if a passport breaks the rules."""
    for f in fields(Passport):
        value, wanted = getattr(passport, f.name), _TYPES.get(str(f.type), _TREES)
        if not isinstance(value, wanted):
            raise TypeError(f"{f.name} is a {type(value).__name__}")
    names = [(NAME, passport.name), (PERSON, passport.owner)]
    names += [(NAME, passport.project)] if passport.project else []
    if not all(rule.fullmatch(name) for rule, name in names):
        raise ValueError("a name is not allowed")
    if passport.kind not in KINDS or passport.version < 1:
        raise ValueError("the kind or the version is unknown")
    if passport.files and passport.main not in passport.files:
        raise ValueError("its main file is none of its files")
    _judge_files(passport.files)


_TREES = (Mapping, tuple)
_TYPES: Mapping[str, Any] = {"str": str, "int": int}


def _judge_files(files: Mapping[str, Mapping[str, Any]]) -> None:
    if len(files) > MAX_FILES:
        raise ValueError(f"more than {MAX_FILES} files")
    for name, told in files.items():
        found = inside(name, "", Place("passport"))
        if isinstance(found, Problem) or found != name:
            raise ValueError(f"the file name {name!r} is not allowed")
        if len(bytes.fromhex(told["sha256"])) != 32 or int(told["size"]) < 0:
            raise ValueError(f"{name} has no SHA-256")
