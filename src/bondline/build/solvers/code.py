"""Python files of a model that make leaves."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from bondline.core import Model
from bondline.description.spec import FileSpec
from bondline.errors import BondlineError, SettingError, did_you_mean


def made_by(file: FileSpec, make: str, name: str, values: Mapping[str, float]) -> Model:
    """What the function `make` of a file gives for a name and values of parameters.

    The bytes that run are those that were read with the model, and that its digest
    is of. What the code raises becomes a `SettingError` with its words.
    """
    place = f"{file.shown}: {make}"
    try:
        found = _loaded(file)
        maker = found.get(make)
        if not callable(maker):
            known = [n for n, x in found.items() if callable(x) and n[:1] != "_"]
            raise SettingError(place, "no such function.", did_you_mean(make, known))
        leaf = maker(name, **values)
    except BondlineError:
        raise
    except Exception as error:  # code of others: anything may happen
        raise SettingError(
            place,
            f"it raises {type(error).__name__}: {error}.",
            "Try it by itself: bondline leaf test MODULE:FUNCTION.",
        ) from error
    _check(place, leaf)
    checked: Model = leaf
    return checked


def _loaded(file: FileSpec) -> dict[str, Any]:
    """The names of a file; its module is known, as dataclasses and pickles ask for."""
    name = f"bondline_model_code_{hashlib.sha256(file.data).hexdigest()[:16]}"
    module = ModuleType(name)
    module.__file__ = file.shown
    code = compile(file.data, file.shown, "exec", dont_inherit=True)
    sys.modules[name] = module
    exec(code, module.__dict__)
    return module.__dict__


def _check(place: str, leaf: object) -> None:
    lacking = [n for n in ("start", "advance", "ports") if not hasattr(leaf, n)]
    if lacking:
        raise SettingError(
            place,
            f"it makes a {type(leaf).__name__}, which has no {lacking[0]}.",
            "Return a leaf: an ExudynLeaf, a FunctionLeaf, one of your own.",
        )
