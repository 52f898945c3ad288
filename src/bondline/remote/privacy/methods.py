"""Everything a partner can ask for, and the words by which a policy grants it.

A method that is not in this table is never served.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        # what every run needs; nothing here computes
        "session": ("describe", "open", "close", "pulse", "guard", "breaks", "release"),
        # carried forward in time, with G where the model knows it
        "run": (
            "start",
            "advance",
            "respond",
            "realise",
            "linearise",
            "advance_each",
            "weighing",
        ),
        # how a run begins
        "begin": ("press", "place", "kick", "mobility"),
        # put away and taken back on the owner's disk
        "checkpoint": ("keep", "restore"),
        # many windows in one call: hands out impulse responses
        "block": ("impulse", "respond_block", "try_block", "settle_block"),
        "statics": ("equilibrium", "compliance"),
        # interface dynamics at any frequency: modes, and all of them
        "frequency": ("receptance",),
        # comes along with replies; `publish` of the model says how much of it
        "look": ("observe", "reactions", "shapes"),
        # outlines at rest and moved, as far as `publish` has them; `swinging` at any
        # frequency: modes
        "surfaces": ("skins", "deformed", "swinging"),
        # steps corrected from outside, with large masses: total mass, and free probing
        "corrector": ("ballasted", "predict", "correct", "accept"),
    }
)
METHODS: Mapping[str, str] = MappingProxyType(
    {method: group for group, each in GROUPS.items() for method in each}
)
# What a model can do, and no request asks for: states stay with their owner
NEVER = frozenset({"dump", "load", "team"})


def expand(words: Iterable[str]) -> frozenset[str]:
    """Methods of a list of methods and groups; unknown words are left out.

    >>> sorted(expand(["statics", "start", "dump"]))
    ['compliance', 'equilibrium', 'start']
    """
    found: set[str] = set()
    for word in words:
        found |= set(GROUPS.get(word, (word,)))
    return frozenset(found & set(METHODS))
