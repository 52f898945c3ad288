"""One leaf by name: a kind, a part of a model file, or a maker in a Python module."""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bondline.build.build import Elsewhere
from bondline.build.given import Given
from bondline.build.kinds import Kind, broken, kinds
from bondline.build.prepare import open_model, open_part
from bondline.core import Model, Parameter
from bondline.description.units import UnitTrouble, to_si
from bondline.errors import UsageError, did_you_mean

_NUMBER = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*?)\s*")


@dataclass(frozen=True, slots=True)
class Single:
    """A leaf, and a way to make it again, with parameters by name if it takes any."""

    leaf: Model
    make: Callable[..., Model] | None


def single(
    target: str,
    given: Mapping[str, str],
    elsewhere: Callable[[], Elsewhere] = dict,
) -> Single:
    """The leaf of that name: `chain`, `MODEL:part`, `MODEL` or `module:maker`.

    `elsewhere` is asked for the parts of a model that are at partners'.
    `given` sets parameters, with units; those of a model file by `part.parameter`.
    """
    if target in kinds():
        return _of_kind(target, kinds()[target], given)
    if target in broken():
        raise broken()[target]
    path, inside = _split(target)
    if (model := model_of(target)) is not None:
        return _of_model(model, inside, given, elsewhere)
    if path and inside:
        return _of_module(target, path, inside, given)
    raise UsageError(
        target,
        "there is no such kind of leaf, and no such file.",
        f"{did_you_mean(target, kinds())} A part of a model is MODEL:part, your own "
        "leaf module:maker.",
    )


def model_of(target: str) -> Path | None:
    """The file of `MODEL:part` or `MODEL`; None if the target is no such thing."""
    path, _ = _split(target)
    known = target in kinds() or target in broken()
    return Path(path) if path and not known and Path(path).exists() else None


def _split(target: str) -> tuple[str, str]:
    path, _, inside = target.rpartition(":") if ":" in target else (target, "", "")
    return path, inside


def _of_kind(name: str, kind: Kind, given: Mapping[str, str]) -> Single:
    values = _numbers(kind.passport.parameters, given)
    make = partial(kind.make, name, **values)
    return Single(make(), make)


def _of_model(
    path: Path,
    inside: str,
    given: Mapping[str, str],
    elsewhere: Callable[[], Elsewhere],
) -> Single:
    def make() -> Model:
        asked, there = Given(set=given), elsewhere()
        alone = open_part(path, inside, asked, there) if inside else None
        if alone is not None:
            return alone
        return _part(open_model(path, asked, there).model, str(path), inside)

    return Single(make(), make)


def _part(model: Model, place: str, inside: str) -> Model:
    """The part `left.rail` of a model; the model itself without a name."""
    for name in inside.split(".") if inside else ():
        parts: Mapping[str, Model] = getattr(model, "parts", {})
        if name not in parts:
            raise UsageError(
                f"{place}:{inside}",
                f"{model.name} has no part {name!r}.",
                did_you_mean(name, parts),
            )
        model = parts[name]
    return model


def _of_module(
    target: str, module: str, attribute: str, given: Mapping[str, str]
) -> Single:
    found = _imported(target, module, attribute)
    if isinstance(found, Kind):
        return _of_kind(found.passport.kind, found, given)
    if hasattr(found, "advance") and not isinstance(found, type):
        _numbers({}, given)
        return Single(found, None)
    values = {name: _plain(name, text) for name, text in given.items()}
    make = partial(found, *_name(found, attribute), **values)
    leaf = make()
    if not hasattr(leaf, "advance"):
        raise UsageError(
            target,
            f"it makes a {type(leaf).__name__}, which has no advance.",
            "It must make a leaf: something with start and advance.",
        )
    return Single(leaf, make)


def _imported(target: str, module: str, attribute: str) -> Any:
    here = os.getcwd()
    if here not in sys.path:
        sys.path.insert(0, here)  # as `python -m` does
    try:
        made = importlib.import_module(module)
    except Exception as error:  # code of others: anything may happen
        raise UsageError(
            target,
            f"{module} cannot be imported ({type(error).__name__}: {error}).",
            "Give a model file that exists, or a module that Python finds from here.",
        ) from error
    if not hasattr(made, attribute):
        known = [name for name in vars(made) if not name.startswith("_")]
        raise UsageError(
            target, f"{module} has no {attribute!r}.", did_you_mean(attribute, known)
        )
    return getattr(made, attribute)


def _name(make: Callable[..., Any], attribute: str) -> tuple[str, ...]:
    """A maker that wants a name first gets one."""
    from inspect import signature

    if not callable(make):
        raise UsageError(
            attribute,
            f"it is a {type(make).__name__}.",
            "Give a leaf, a Kind, or something that makes a leaf when it is called.",
        )
    first = next(iter(signature(make).parameters.values()), None)
    wanted = first is not None and first.name == "name" and first.default is first.empty
    return (attribute,) if wanted else ()


def _numbers(
    declared: Mapping[str, Parameter], given: Mapping[str, str]
) -> dict[str, float]:
    """Texts such as `12kg` as numbers in the units of the parameters."""
    for name in given:
        if name not in declared:
            raise UsageError(
                f"--set {name}={given[name]}",
                f"nothing is named {name!r}.",
                did_you_mean(name, declared),
            )
    return {name: _plain(name, text, declared[name]) for name, text in given.items()}


def _plain(name: str, text: str, p: Parameter | None = None) -> float:
    """One number; without a declared parameter there is no unit to convert to."""
    place, found = f"--set {name}={text}", _NUMBER.fullmatch(text)
    if found is None or (p is None and found[2]):
        raise UsageError(
            place, f"{text!r} is not a number.", "Write for example 12, 1e-3 or 12kg."
        )
    value = to_si(float(found[1]), found[2] or None, p.unit if p else "1")
    if isinstance(value, UnitTrouble):
        raise UsageError(place, value.finding, value.remedy)
    return value
