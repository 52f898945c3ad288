"""A remote model: a `Subsystem` like any other, with its owner's abilities."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache

from bondline.errors import BondlineError, LeafInconsistent, NotAllowed, NotServed
from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.abilities import BY_WIRE
from bondline.remote.client.asking import Asking
from bondline.remote.client.line import Line
from bondline.remote.client.link import Link, Patience
from bondline.remote.client.troubles import ALLOW, Partner
from bondline.remote.codec.malformed import Malformed


def remote_model(
    name: str,
    line: Line,
    model: str = "",
    patience: Patience | None = None,
    takeover: bool = False,
    pause: Callable[[float], None] = time.sleep,
) -> Asking:
    """The model behind `line`, described but not yet opened.

    It satisfies exactly those optional protocols that the served model does. `pause`
    is between two attempts to reach who is away.
    """
    partner = Partner(name, line.place, model)
    link = Link(partner, line, patience or Patience(), takeover, pause=pause)
    description = _described(link, model)
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


def _described(link: Link, model: str) -> pb.Description:
    """What the partner says; who has no model of that name may say what it has."""
    try:
        return link.describe(model)
    except NotAllowed as error:
        if not model or error.remedy != ALLOW:
            raise  # no certificate, perhaps
        asked = f"{error.finding} It was asked for {model!r}."
        check = "If that is no name of theirs, write it right in the placement file; "
        raise NotAllowed(error.place, asked, check + "else ask its owner.") from error
    except NotServed as error:
        if not model:
            raise  # there are several, or none for us
        finding = f"the partner has no model {model!r}."
        try:
            only = link.describe("").model
        except BondlineError:  # several, or none for us: their names are its owner's
            raise NotServed(error.place, finding, error.remedy) from error
        near = f"Did you mean {only!r}, the only one there?"
        raise NotServed(error.place, finding, near) from error


@cache
def _with(abilities: frozenset[pb.Ability]) -> type[Asking]:
    """The class of remote models with these abilities."""
    mixed = tuple(BY_WIRE[a] for a in sorted(abilities) if a in BY_WIRE)
    return type("RemoteModel", (*mixed, Asking) if mixed else (Asking,), {})
