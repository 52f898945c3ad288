"""Elements of a leaf file that are there only under a condition."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from bondline.build.mechanisms.values import Values, named
from bondline.core import Parameter
from bondline.description import Problem
from bondline.description.untrusted import Node
from bondline.errors import SettingError, did_you_mean

_RULE = re.compile(r"\s*([\w.-]+)\s*(!?=)\s*([\w.-]+)\s*")


def present(
    root: Node, parameters: Mapping[str, Parameter]
) -> tuple[Node, list[Problem]]:
    """The tree without elements whose `when` does not hold, and what is wrong.

    `when="variant=S"` holds where the parameter `variant`, one of some words, is `S`.
    """
    v = Values(parameters)
    kept = []
    for child in root.children:
        holds = v.attempt(child, lambda n: _holds(n, parameters))
        if holds:
            below, problems = present(child, parameters)
            v.problems += problems
            kept.append(below)
    return replace(root, children=kept), v.problems


def _holds(node: Node, parameters: Mapping[str, Parameter]) -> bool:
    text = node.attributes.get("when")
    if text is None:
        return True
    rule, words = _RULE.fullmatch(text), {n for n, p in parameters.items() if p.choices}
    place = f"{named(node)}, when"
    if rule is None or rule[1] not in words:
        hint = did_you_mean(rule[1], words) if rule and words else ""
        raise SettingError(
            place,
            f"{text!r} is no condition.",
            'Write when="name=word" or "name!=word" with a parameter that has choices. '
            f"{hint}".strip(),
        )
    p = parameters[rule[1]]
    if rule[3] not in p.choices:
        raise SettingError(
            place,
            f"{rule[1]} is never {rule[3]!r}.",
            did_you_mean(rule[3], p.choices),
        )
    return (p.choices[int(p.value)] == rule[3]) == (rule[2] == "=")
