"""What may be named in a model file; `build` supplies the real one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bondline.core import Connection, Passport
from bondline.description.forms import Form


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


@dataclass(frozen=True)
class Catalogue:
    """Kinds of leaves and joints, couplings and their schemes, solvers: by name.

    Schemes, and those that are refused, are listed by coupling, with a word on each.
    """

    kinds: Mapping[str, Passport]
    schemes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    refused_schemes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    methods: Mapping[str, str] = field(default_factory=dict)
    solvers: Mapping[str, SolverForm] = field(default_factory=dict)
    joints: Mapping[str, JointForm] = field(default_factory=dict)
    estimates: tuple[str, ...] = ()
    starts: tuple[str, ...] = ()
