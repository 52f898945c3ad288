"""The parameters that a leaf file declares."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from bondline.build.leaf_files.values import Values, true
from bondline.core import Parameter
from bondline.description import Problem
from bondline.description.schema import LEAF
from bondline.description.units import UnitTrouble, to_si
from bondline.description.untrusted import Node
from bondline.errors import SettingError

_NAME = re.compile(r"[A-Za-z][\w-]*(\.[A-Za-z][\w-]*)*")


def declared(
    root: Node, given: Mapping[str, float]
) -> tuple[dict[str, Parameter], list[Problem]]:
    """The parameters of a file, with its own values or those given.

    A value may be arithmetic over the parameters before it.
    """
    found, values = dict[str, Parameter](), Values({})
    for node in root.all(LEAF, "parameter"):
        made = values.attempt(node, lambda n: _parameter(n, found))
        if made is not None:
            value = given.get(made.name, made.value)
            found[made.name] = replace(made, value=value)
            values.parameters = dict(found)
    return found, values.problems


def _parameter(node: Node, known: Mapping[str, Parameter]) -> Parameter:
    name, unit = node.get("name"), node.get("unit", "1")
    choices = tuple(node.get("choices").split())
    if name in known or not _NAME.fullmatch(name):
        raise SettingError(
            f"parameter {name}",
            "it is there twice." if name in known else "that is no name.",
            "Names have letters, digits, dots between; each is there once.",
        )
    trouble = to_si(1.0, unit, "1")
    if isinstance(trouble, UnitTrouble) and not trouble.known:
        raise SettingError(f"parameter {name}", trouble.finding, trouble.remedy)
    if choices:
        word = Values(known).choice(node, "value", choices, "")
        value = float(choices.index(word))
    else:
        value = Values(known).number(node, "value")
    positive = true(node, "positive")
    if positive and not value > 0:
        raise SettingError(f"parameter {name}", f"it is {value:g}.", "It is positive.")
    meaning = node.get("meaning") + (f" ({', '.join(choices)})" if choices else "")
    return Parameter(name, value, unit, meaning.strip(), positive, choices)
