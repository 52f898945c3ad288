"""What may be named in a model file; `build` supplies the real one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bondline.core import Connection, Passport
from bondline.description.forms import Form
from bondline.description.place import Problem
from bondline.description.spec import ComponentSpec
from bondline.description.stored import Lookup, nowhere


@dataclass(frozen=True, slots=True)
class JointForm:
    """A kind of joint: what it means, the settings it takes, how to make one.

    `make` is called with a name, the ends, their ports and settings.
    """

    meaning: str
    settings: tuple[str, ...]
    make: Callable[..., Connection]


@dataclass(frozen=True, slots=True)
class SolverForm:
    """An interface solver: what it does, its settings as attributes, how to make one.

    `choices` are the words for some of them. `make` is called with settings by the
    names in `keys`; `SettingError` if one of them is out of range.
    """

    meaning: str
    settings: Mapping[str, Form]
    keys: Mapping[str, str]
    choices: Mapping[str, tuple[str, ...]]
    make: Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Examined:
    """What may be known of a part made from a file, and what is wrong with the file.

    `published` are the values that the file itself publishes.
    """

    passport: Passport | None
    problems: tuple[Problem, ...] = ()
    published: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileForm:
    """A kind of file that parts are made from: what it is, and how one is examined.

    `examine` is called with a component whose file could be read.
    """

    meaning: str
    examine: Callable[[ComponentSpec], Examined]


@dataclass(frozen=True)
class Catalogue:
    """Kinds of leaves and joints, couplings and their schemes, solvers: by name.

    Schemes, and those that are refused, are listed by coupling, with a word on each;
    kinds of files by what their names end with. `library` finds models by version.
    """

    kinds: Mapping[str, Passport]
    schemes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    refused_schemes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    methods: Mapping[str, str] = field(default_factory=dict)
    solvers: Mapping[str, SolverForm] = field(default_factory=dict)
    joints: Mapping[str, JointForm] = field(default_factory=dict)
    estimates: tuple[str, ...] = ()
    starts: tuple[str, ...] = ()
    exchanges: tuple[str, ...] = ()  # of signals
    files: Mapping[str, FileForm] = field(default_factory=dict)
    library: Lookup = nowhere

    def passport(self, part: ComponentSpec | None) -> Passport | None:
        """What may be known of a part before it is made; None: nothing."""
        if part is None or part.file is None:
            return self.kinds.get(part.kind or "") if part else None
        form = self.files.get(part.file.ending)
        return form.examine(part).passport if form else None
