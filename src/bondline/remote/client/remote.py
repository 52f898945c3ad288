"""A remote model: a `Subsystem` like any other, with its owner's abilities."""

from __future__ import annotations

from functools import cache

from bondline.errors import LeafInconsistent
from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.abilities import BY_WIRE
from bondline.remote.client.asking import Asking
from bondline.remote.client.line import Line
from bondline.remote.client.link import Link, Patience
from bondline.remote.client.troubles import Partner
from bondline.remote.codec.malformed import Malformed


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
    made = _with(frozenset(description.abilities))(name, link, description)
    try:
        made.ports  # noqa: B018 - what cannot be read is told now
    except Malformed as error:
        raise LeafInconsistent(
            str(partner),
            f"its description cannot be: {error}.",
            "Ask its owner which version it serves.",
        ) from error
    return made


@cache
def _with(abilities: frozenset[pb.Ability]) -> type[Asking]:
    """The class of remote models with these abilities."""
    mixed = tuple(BY_WIRE[a] for a in sorted(abilities) if a in BY_WIRE)
    return type("RemoteModel", (*mixed, Asking) if mixed else (Asking,), {})
