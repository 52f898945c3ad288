"""Elements of a leaf file that are there only under a condition."""

from __future__ import annotations

import re
from dataclasses import replace

from bondline.build.leaf_files.values import Values, named
from bondline.description.untrusted import Node
from bondline.errors import SettingError, did_you_mean

_RULE = re.compile(r"\s*([\w.-]+)\s*(!?=)\s*([\w.-]+)\s*")


def present(root: Node, v: Values) -> Node:
    """The tree without elements whose `when` does not hold.

    `when="variant=S"` holds where the parameter `variant`, one of some words, is `S`;
    `when="1-rigid"` where that is not 0. What is wrong goes to `v.problems`.
    """
    kept = [n for n in root.children if v.attempt(n, lambda n: _holds(n, v))]
    return replace(root, children=[present(n, v) for n in kept])


def _holds(node: Node, v: Values) -> bool:
    text = node.attributes.get("when", "1")
    rule = _RULE.fullmatch(text)
    if rule is None:
        return v.number(node, "when", 1.0) != 0.0
    name, sign, word = rule.groups()
    words = {n: p.choices for n, p in v.parameters.items() if p.choices}
    place = f"{named(node)}, when"
    if name not in words:
        raise SettingError(
            place,
            f"{name} is no parameter that has choices.",
            'Write when="name=word" with one that has. ' + did_you_mean(name, words),
        )
    if word not in words[name]:
        raise SettingError(
            place, f"{name} is never {word!r}.", did_you_mean(word, words[name])
        )
    chosen = words[name][int(v.parameters[name].value)]
    return (chosen == word) == (sign == "=")
