"""A remote model: a `Subsystem` like any other, with its owner's abilities."""

from __future__ import annotations

from functools import cache

from bondline.remote import bondline_pb2 as pb
from bondline.remote.abilities_by_wire import BY_WIRE
from bondline.remote.asking import Asking
from bondline.remote.line import Line
from bondline.remote.link import Link, Patience
from bondline.remote.troubles import Partner


def remote_model(
    name: str,
    line: Line,
    model: str = "",
    patience: Patience | None = None,
    takeover: bool = False,
) -> Asking:
    """The model behind `line`, described but not yet opened.

    It satisfies exactly those optional protocols that the served model does.
    """
    partner = Partner(name, line.place, model)
    link = Link(partner, line, patience or Patience(), takeover)
    description = link.describe(model)
    return _with(frozenset(description.abilities))(name, link, description)


@cache
def _with(abilities: frozenset[pb.Ability]) -> type[Asking]:
    """The class of remote models with these abilities."""
    mixed = tuple(BY_WIRE[a] for a in sorted(abilities) if a in BY_WIRE)
    return type("RemoteModel", (*mixed, Asking) if mixed else (Asking,), {})
