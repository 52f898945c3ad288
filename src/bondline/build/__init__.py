"""Build: names become objects, here and nowhere else."""

from bondline.build.build import build
from bondline.build.catalogue import catalogue
from bondline.build.deck_doubts import doubtful
from bondline.build.deck_notes import deck_notes
from bondline.build.given import Given
from bondline.build.kinds import Kind, broken, kinds
from bondline.build.misplaced import misplaced, parts_of, unserved
from bondline.build.prepare import (
    Opened,
    doubted,
    open_model,
    plan_of,
    require,
    unheard,
)
from bondline.build.rehearse import rehearse
from bondline.build.templates import template, templates
from bondline.build.unfit import unpublished

__all__ = [
    "Given",
    "Kind",
    "Opened",
    "broken",
    "build",
    "catalogue",
    "deck_notes",
    "doubted",
    "doubtful",
    "kinds",
    "misplaced",
    "open_model",
    "parts_of",
    "plan_of",
    "rehearse",
    "require",
    "template",
    "templates",
    "unheard",
    "unpublished",
    "unserved",
]
