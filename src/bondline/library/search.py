"""Search: models by words, kind, owner, project."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, case, select

from bondline.library.access import visible
from bondline.library.tables import models

LIMIT = 50


@dataclass(frozen=True, slots=True)
class Hit:
    """A model that was found, at its latest version."""

    name: str
    latest: int
    kind: str
    owner: str
    project: str
    access: str
    meaning: str
    created: str


@dataclass(frozen=True, slots=True)
class Query:
    """What to look for: every word must be there; empty: all of them."""

    words: str = ""
    kind: str = ""
    owner: str = ""
    project: str = ""
    limit: int = LIMIT
    after: str = ""  # the last name of the page before; then in the order of names


def search(db: Connection, who: str, query: Query) -> list[Hit]:
    """Those that `who` may see, the best names first."""
    columns = [models.c[name] for name in Hit.__slots__]
    wanted: Select[Any] = select(*columns).where(visible(who))
    for key in ("kind", "owner", "project"):
        if given := getattr(query, key):
            wanted = wanted.where(models.c[key] == given)
    for word in query.words.lower().split():
        wanted = wanted.where(models.c.words.contains(word, autoescape=True))
    rows = db.execute(_ordered(wanted, query).limit(query.limit))
    return [Hit(*row) for row in rows]


def _ordered(wanted: Select[Any], query: Query) -> Select[Any]:
    if query.after or not query.words:
        return wanted.where(models.c.name > query.after).order_by(models.c.name)
    first = query.words.lower().split()[0]
    rank = case(
        (models.c.name == first, 0),
        (models.c.name.startswith(first, autoescape=True), 1),
        else_=2,
    )
    return wanted.order_by(rank, models.c.name)
