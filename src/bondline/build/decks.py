"""Parts that are made from finite-element decks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from bondline.build.deck_annotation import (
    How,
    asked_ports,
    asked_publish,
    asked_settings,
    declared,
)
from bondline.build.deck_problems import misread, refused, unusable
from bondline.core import Capabilities, Model, Passport
from bondline.description import ComponentSpec
from bondline.description.catalogue import Examined, FileForm
from bondline.description.spec import FileSpec
from bondline.errors import DeckError, SettingError, WiringError

if TYPE_CHECKING:
    from bondline.leaves.fe.formats import Deck
    from bondline.leaves.fe.plug import Plug
    from bondline.leaves.structure import Structure
    from bondline.numerics import Method


@dataclass(frozen=True, slots=True)
class Reader:
    """A kind of deck: what it is called, and how its text and parameters are read."""

    meaning: str
    read: Callable[[str, Mapping[str, float]], Deck]


def readers() -> Mapping[str, Reader]:
    """All of them, by what the names of files end with."""
    nastran = Reader("a Nastran deck", _read_bdf)
    return {
        "inp": Reader("an Abaqus or CalculiX deck", _read_inp),
        **dict.fromkeys(("bdf", "nas", "dat"), nastran),
    }


def _read_inp(text: str, parameters: Mapping[str, float]) -> Deck:
    from bondline.leaves.fe.formats import parse_inp

    return parse_inp(text, parameters)


def _read_bdf(text: str, parameters: Mapping[str, float]) -> Deck:
    from bondline.leaves.fe.formats import parse_bdf

    return parse_bdf(text)  # which has no parameters


def files() -> Mapping[str, FileForm]:
    """What a model file may name as decks."""
    return {end: FileForm(r.meaning, examined) for end, r in readers().items()}


@lru_cache(maxsize=256)
def examined(part: ComponentSpec) -> Examined:
    """What may be known of the part that a deck makes, and what is wrong with it."""
    assert part.file is not None, "only what could be read is examined"
    try:
        deck = _deck(part.file, part.name, ())
    except DeckError as error:
        return Examined(None, tuple(misread(part.file, error)))
    parameters, problems = declared(part, deck)
    _, wrong_settings = asked_settings(part)
    plugs, wrong_ports = asked_ports(part, deck.model.mesh)
    _, wrong_values = asked_publish(part, deck.model.mesh)
    problems += [*wrong_settings, *wrong_ports, *wrong_values]
    try:
        made = _leaf(part, ())
    except (SettingError, WiringError) as error:
        told = () if problems else (unusable(part, error),)
        return Examined(None, (*problems, *told))
    kind = readers()[part.file.ending].meaning
    can = Capabilities(linear=True, superposes=True)
    passport = Passport(part.file.ending, kind, parameters, made.ports, can)
    capabilities = made.capabilities if plugs else can
    return Examined(replace(passport, capabilities=capabilities), tuple(problems))


def unread(part: ComponentSpec) -> tuple[str, ...]:
    """What the reader of a deck says about it: `Deck.notes`."""
    assert part.file is not None, "only what could be read has notes"
    return _deck(part.file, part.name, ()).notes


def make(part: ComponentSpec, values: Mapping[str, float]) -> Model:
    """The leaf of a deck with those values of its parameters.

    `SettingError` at the line of the deck where they do not make a model.
    """
    try:
        return _leaf(part, tuple(sorted(values.items())))
    except DeckError as error:
        raise refused(part, error) from error


def _leaf(part: ComponentSpec, values: tuple[tuple[str, float], ...]) -> Structure:
    from bondline.leaves.fe.leaf import fe_leaf

    deck, plugs = modelled(part, values)
    model, (how, _) = deck.model, asked_settings(part)
    parameters, _ = declared(part, deck)
    publish, _ = asked_publish(part, model.mesh)
    return fe_leaf(
        model,
        plugs,
        steps=how.steps,
        publish=publish,
        draw=how.draw,
        skin=how.skin,
        method=_method(part.name, deck, how),
        parameters=parameters,
    )


def _method(name: str, deck: Deck, how: How) -> Method:
    """That of the annotation, or of the deck."""
    if how.method is not None or how.steps == 1 or deck.method.one_instant:
        return how.method or deck.method
    alpha = deck.analysis.alpha if deck.analysis else 0.0
    raise SettingError(
        f"{name}: method",
        f"its deck steps by HHT's with ALPHA = {alpha:g}, which takes one step a "
        f"window, and steps is {how.steps}.",
        'Say method="trapezoidal" in g:fe, or ALPHA=0 in the deck; or take steps="1" '
        "and shorter windows.",
    )


def modelled(
    part: ComponentSpec, values: tuple[tuple[str, float], ...]
) -> tuple[Deck, dict[str, Plug]]:
    """The deck with the settings of its part, and the part's ports."""
    assert part.file is not None, "only what could be read is made"
    deck = _deck(part.file, part.name, _changes(part, values))
    (how, _), model = asked_settings(part), deck.model
    if how.lumped or how.static_time is not None:
        at = model.static_time if how.static_time is None else how.static_time
        model = replace(model, lumped=how.lumped, static_time=at)
        deck = replace(deck, model=model)
    return deck, asked_ports(part, model.mesh)[0]


def _changes(
    part: ComponentSpec, values: tuple[tuple[str, float], ...]
) -> tuple[tuple[str, float], ...]:
    """Those values that are not the deck's own: what is the same is read once."""
    assert part.file is not None
    if not values:
        return values
    own = _deck(part.file, part.name, ()).parameters
    return tuple((n, v) for n, v in values if n not in own or own[n].value != v)


@lru_cache(maxsize=16)
def _deck(file: FileSpec, name: str, values: tuple[tuple[str, float], ...]) -> Deck:
    text = file.data.decode("utf-8", errors="replace")
    deck = readers()[file.ending].read(text, dict(values))
    return replace(deck, model=replace(deck.model, name=name))
