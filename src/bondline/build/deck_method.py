"""The method of time steps that the owner of a deck asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from bondline.description.bindings import read_number
from bondline.errors import SettingError, did_you_mean
from bondline.numerics import Method

METHODS: Mapping[str, tuple[Callable[..., Method], tuple[str, ...]]] = {
    "trapezoidal": (Method.trapezoidal, ()),
    "newmark": (Method.newmark, ("beta", "gamma")),
    "hht": (Method.hht, ("alpha",)),
    "generalized-alpha": (Method.generalized_alpha, ("rho",)),
}
WEIGHTS = tuple(w for _, weights in METHODS.values() for w in weights)
KEYS = ("method", *WEIGHTS)


def asked_method(
    settings: Mapping[str, str],
) -> tuple[Method | None, list[tuple[str, str]]]:
    """The method, None: as the deck says; and what is wrong, each with a remedy."""
    name, given = settings.get("method"), [w for w in WEIGHTS if w in settings]
    if name is None:
        return None, [(_quoted(w, settings), _whose(w)) for w in given]
    if name not in METHODS:
        return None, [(_quoted("method", settings), did_you_mean(name, METHODS))]
    make, weights = METHODS[name]
    wrong = list(_misfits(settings, name, weights))
    if wrong:
        return None, wrong
    numbers = {w: float(read_number(settings[w]) or 0.0) for w in weights}
    try:
        return make(**numbers), []
    except SettingError as error:
        every = " ".join(_quoted(key, settings) for key in ("method", *weights))
        return None, [(every, f"{error.finding} {error.remedy}")]


def _misfits(
    settings: Mapping[str, str], name: str, weights: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    for w in WEIGHTS:
        if w in settings and w not in weights:
            yield _quoted(w, settings), _whose(w)
        elif w in settings and read_number(settings[w]) is None:
            yield _quoted(w, settings), "Give a number."
        elif w in weights and w not in settings:
            asked = " ".join(f'{w}="…"' for w in weights)
            yield f'method="{name}" without {w}', f"Give {asked}."


def _whose(weight: str) -> str:
    name = next(n for n, (_, weights) in METHODS.items() if weight in weights)
    return f'It belongs to method="{name}".'


def _quoted(key: str, settings: Mapping[str, str]) -> str:
    return f'{key}="{settings[key][:60]}"'
