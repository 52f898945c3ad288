"""Histories over time as text, and back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from bondline.errors import DeckError, SettingError, did_you_mean
from bondline.leaves.expression import Expression
from bondline.leaves.histories import Constant, Harmonic, History, Table

KINDS: dict[str, type[Constant] | type[Table] | type[Harmonic] | type[Expression]] = {
    "constant": Constant,
    "table": Table,
    "harmonic": Harmonic,
    "expression": Expression,
}


def histories_text(place: str, histories: Sequence[History]) -> str:
    """JSON: a list of kinds and their numbers."""
    return json.dumps([_said(place, history) for history in histories])


def _said(place: str, history: History) -> dict[str, Any]:
    for word, kind in KINDS.items():
        if isinstance(history, kind):
            return {"kind": word, **asdict(history)}
    raise SettingError(
        place,
        f"a load follows a {type(history).__name__}, which a file cannot say.",
        "Use a Constant, Table, Harmonic or Expression.",
    )


def read_histories(place: str, text: str) -> tuple[History, ...]:
    """What `histories_text` wrote."""
    try:
        return tuple(_made(one) for one in json.loads(text))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise DeckError(
            place,
            f"its histories cannot be read ({error}).",
            f"Give a JSON list of objects with a kind: {', '.join(KINDS)}.",
        ) from error
    except SettingError as error:
        raise DeckError(place, error.finding, error.remedy) from error


def _made(said: dict[str, Any]) -> History:
    word = str(said["kind"])
    if word not in KINDS:
        raise ValueError(f"no kind {word!r}. {did_you_mean(word, KINDS)}")
    given = {key: _plain(value) for key, value in said.items() if key != "kind"}
    made = KINDS[word](**given)
    value, *_ = made.at(0.0)
    float(value)
    return made


def _plain(value: Any) -> Any:
    """Lists of numbers become tuples; numbers become floats."""
    if isinstance(value, list):
        return tuple(float(x) for x in value)
    return value if isinstance(value, str | dict) else float(value)
