"""Mechanisms in the files of other programs: what reading one gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bondline.description import Problem
from bondline.description.bindings import read_number
from bondline.description.place import refuse
from bondline.description.untrusted import Node, read_xml
from bondline.errors import SettingError
from bondline.leaves.mbd.frame import Frame
from bondline.leaves.mbd.model import Mechanism


@dataclass(frozen=True, eq=False)
class Imported:
    """A mechanism, and what the file says that it does not have."""

    mechanism: Mechanism
    notes: tuple[str, ...] = ()


@dataclass(eq=False)
class Notes:
    """What was passed over, each thing once, with how often."""

    found: dict[str, int] = field(default_factory=dict)

    def add(self, what: str) -> None:
        """One more of these."""
        self.found[what] = self.found.get(what, 0) + 1

    @property
    def said(self) -> tuple[str, ...]:
        """In words."""
        return tuple(f"{what} ({n} times)" for what, n in self.found.items())


def opened(source: Path | str | bytes, shown: str, root: str) -> Node:
    """The root of a file or its bytes; `DescriptionError` if it is no such file."""
    data = source if isinstance(source, bytes) else Path(source).read_bytes()
    document = read_xml(data, shown or str(source if data is not source else root))
    if isinstance(document, Problem):
        raise refuse([document])
    if document.root.name != root:
        raise unfit(
            document.root, f"it starts with <{document.root.name}>.", f"<{root}>"
        )
    return document.root


def unfit(node: Node, finding: str, remedy: str) -> SettingError:
    """The error at an element."""
    name = node.get("name")
    what = f"{node.name} {name}" if name else node.name
    return SettingError(f"{node.where}, {what}", finding, remedy)


def child(node: Node, name: str) -> Node | None:
    """The first child of that name."""
    return next((c for c in node.children if c.name == name), None)


def number(node: Node | None, key: str, default: float | None = None) -> float:
    """An attribute that is one number."""
    return numbers(node, key, (1,), None if default is None else (default,))[0]


def numbers(
    node: Node | None,
    key: str,
    counts: Sequence[int],
    default: Sequence[float] | None = None,
) -> tuple[float, ...]:
    """An attribute that is some numbers; how many there may be."""
    text = node.attributes.get(key) if node else None
    if text is None or node is None:
        if default is not None:
            return tuple(default)
        assert node is not None, "what has no default is asked of what is there"
        raise unfit(node, f"it has no {key}.", f"Give {key}.")
    found = [read_number(word) for word in text.split()]
    known = [x for x in found if x is not None]
    if len(known) < len(found) or len(known) not in counts:
        some = " or ".join(map(str, counts))
        raise unfit(node, f"{key}={text[:60]!r}.", f"Give {some} finite numbers.")
    return tuple(known)


def triple(
    node: Node | None, key: str, default: Sequence[float] | None = (0.0, 0.0, 0.0)
) -> tuple[float, float, float]:
    """Three of them."""
    x, y, z = numbers(node, key, (3,), default)
    return x, y, z


def behind(outer: Frame, inner: Frame) -> Frame:
    """`inner`, which is told in `outer`, as the body of `outer` sees it."""
    from bondline.leaves.spatial import product

    at = outer.p + outer.R @ inner.p
    return Frame((at[0], at[1], at[2]), product(outer.turn, inner.turn))
