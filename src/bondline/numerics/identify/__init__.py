"""What a stranger learns of a linear model from its interface: its modes.

Three attacks from textbooks, kept here so that owners can try them on their own logs
and tests can measure remedies: realisation from impulse responses (`era`), regression
on an ordinary run (`arx`), rational interpolation of G over window lengths (`aaa`).
"""

from bondline.numerics.identify.compare import agreeing, consecutive, matched
from bondline.numerics.identify.poles import Found
from bondline.numerics.identify.rational import aaa, from_windows
from bondline.numerics.identify.records import arx
from bondline.numerics.identify.responses import era

__all__ = [
    "Found",
    "aaa",
    "agreeing",
    "arx",
    "consecutive",
    "era",
    "from_windows",
    "matched",
]
