"""What leaves around other programs have in common."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from math import ceil
from typing import Any

from bondline.core import Window
from bondline.errors import SettingError

_ROUND = 1e-9  # of a step: a window that is longer by that takes no further step


def engine(extra: str, *modules: str) -> tuple[Any, ...]:
    """Modules of another program, or how to get it."""
    known = [sys.modules.get(name) for name in modules]
    if all(known):
        return tuple(known)
    try:
        with _hushed():
            return tuple(import_module(name) for name in modules)
    except ImportError as error:
        raise SettingError(
            f"leaf of {extra}",
            f"{modules[0]} cannot be imported ({error}).",
            f"Install it: pip install 'bondline[{extra}]'.",
        ) from error


@contextmanager
def _hushed() -> Iterator[None]:
    """Some programs greet on standard output, where answers go."""
    sys.stdout.flush()
    kept = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def step_count(window: Window, longest: float) -> int:
    """How many equal steps a window is, as few as can be with none above `longest`.

    >>> step_count(Window(0.2, 0.3), 0.1), step_count(Window(0.0, 0.1), 0.03)
    (1, 4)
    """
    return max(1, ceil(window.h / longest - _ROUND))


def steps(window: Window, longest: float) -> Iterator[Window]:
    """A window as that many steps."""
    return window.split(step_count(window, longest))


def positive(place: str, value: float) -> None:
    """Refuse a length of time that is none."""
    if not 0.0 < value < float("inf"):
        raise SettingError(place, f"it is {value!r}.", "Give seconds, above 0.")


def attempted(place: str, call: Callable[[], Any], remedy: str) -> Any:
    """What a call of another program gives; what it raises, as a refusal."""
    try:
        return call()
    except Exception as error:  # code of others: anything may happen
        finding = " ".join(str(error).split())[:400]
        raise SettingError(place, f"{finding or type(error).__name__}.", remedy) from (
            error
        )
