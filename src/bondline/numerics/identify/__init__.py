"""What a stranger learns of a linear model from its interface: its modes.

Three attacks from textbooks, kept here so that owners can try them on their own logs
and tests can measure remedies: realisation from impulse responses (`era`), regression
on an ordinary run (`arx`), rational interpolation of G over window lengths (`aaa`).
"""

from bondline.numerics.identify.answers import (
    NOTHING,
    Agreed,
    Answer,
    among,
    answers,
    foreign,
    own,
    strange,
)
from bondline.numerics.identify.compare import agreeing, consecutive, matched
from bondline.numerics.identify.poles import Found
from bondline.numerics.identify.rational import aaa, from_windows
from bondline.numerics.identify.records import arx, step_poles
from bondline.numerics.identify.responses import era

__all__ = [
    "NOTHING",
    "Agreed",
    "Answer",
    "Found",
    "aaa",
    "agreeing",
    "among",
    "answers",
    "arx",
    "consecutive",
    "era",
    "foreign",
    "from_windows",
    "matched",
    "own",
    "step_poles",
    "strange",
]
