"""*NGEN, *NFILL and *ELGEN: nodes and elements from a few."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from bondline.leaves.fe.formats.draft import SCOPE, plain
from bondline.leaves.fe.formats.inp.card import Card
from bondline.leaves.fe.formats.inp.work import Work
from bondline.leaves.fe.formats.row import LARGEST_LABEL, Row

MOST = 5_000_000  # nodes or elements that a deck may generate


def ngen(card: Card, work: Work) -> None:
    """First node, last node, increment: nodes on the straight line between."""
    fresh: dict[int, None] = {}
    for row in card.rows():
        ends = [_node(row, i, card, work) for i in (0, 1)]
        by = row.label(2, "the increment", 1)
        span = abs(ends[1] - ends[0])
        if not span or span % by:
            raise row.wrong(
                f"{span} numbers between the ends are no multiple of {by}.",
                "Give an increment that leads from the first to the last.",
            )
        step = by if ends[1] > ends[0] else -by
        numbers = list(range(ends[0], ends[1] + step, step))
        _between(row, work, numbers)
        fresh.update(dict.fromkeys(numbers))
    if "NSET" in card.options:
        work.extend(work.node_sets, card.option("NSET"), fresh, card)


def nfill(card: Card, work: Work) -> None:
    """Two node sets, intervals, increment: rows of nodes between the two."""
    fresh: dict[int, None] = {}
    for row in card.rows():
        first, last = (work.nodes(row, i, card.scope) for i in (0, 1))
        count, by = row.label(2, "the intervals"), row.label(3, "the increment", 1)
        if len(first) != len(last):
            raise row.wrong(
                f"the sets have {len(first)} and {len(last)} nodes.",
                "Give sets with the same number of nodes.",
            )
        for a, b in zip(first, last, strict=True):
            _bounded(row, work, count)
            numbers = [*(a + i * by for i in range(count)), b]
            _between(row, work, numbers)
            fresh.update(dict.fromkeys(numbers))
    if "NSET" in card.options:
        work.extend(work.node_sets, card.option("NSET"), fresh, card)


def _node(row: Row, i: int, card: Card, work: Work) -> int:
    number = row.label(i, "the node") | card.scope.number << SCOPE
    if number not in work.draft.nodes:
        raise row.wrong(
            f"there is no node {plain(number)} yet.", "Define it above with *NODE."
        )
    return number


def _between(row: Row, work: Work, numbers: list[int]) -> None:
    """Nodes at equal distances from the first to the last, which are there."""
    _bounded(row, work, len(numbers))
    _labelled(row, plain(numbers[0]) + max(numbers) - numbers[0])
    nodes = work.draft.nodes
    ends = np.array([nodes[numbers[0]], nodes[numbers[-1]]])
    share = np.linspace(0.0, 1.0, len(numbers))[:, None]
    points = ends[0] + share * (ends[1] - ends[0])
    for number, (x, y, z) in zip(numbers[1:-1], points[1:-1].tolist(), strict=True):
        if number in nodes:
            raise row.wrong(
                f"node {plain(number)} is there already.", "Give every node one number."
            )
        nodes[number] = x, y, z


def elgen(card: Card, work: Work) -> None:
    """An element; how many, increments of nodes and elements; rows; layers."""
    elements, fresh = work.draft.elements, dict[int, None]()
    for row in card.rows():
        master = row.label(0, "the element") | card.scope.number << SCOPE
        if master not in elements:
            raise row.wrong(
                f"there is no element {plain(master)} yet.",
                "Define it above with *ELEMENT.",
            )
        written = elements[master]
        for i, (shift, step) in enumerate(_shifts(row, work)):
            number = master + step
            _labelled(row, plain(master) + step)
            if i and number in elements:
                raise row.wrong(
                    f"element {plain(number)} is there already.",
                    "Give every element one number.",
                )
            ends = tuple(node + shift for node in written.nodes)
            elements[number] = written._replace(nodes=ends)
            fresh[number] = None
        _linked(row, work, fresh)
    if "ELSET" in card.options:
        work.extend(work.element_sets, card.option("ELSET"), fresh, card)


def _shifts(row: Row, work: Work) -> Iterator[tuple[int, int]]:
    """What is added to nodes and to the element, for each of all."""
    runs = []
    for i in (1, 4, 7):
        count = row.label(i, "how many", 1)
        nodes = row.label(i + 1, "the increment of nodes", 1)
        steps = row.label(i + 2, "the increment of elements", 1)
        runs.append((count, nodes, steps))
    total = runs[0][0] * runs[1][0] * runs[2][0]
    _bounded(row, work, total)
    for layer, line, place in product(*(range(run[0]) for run in reversed(runs))):
        at = (place, line, layer)
        yield (
            sum(k * run[1] for k, run in zip(at, runs, strict=True)),
            sum(k * run[2] for k, run in zip(at, runs, strict=True)),
        )


def _linked(row: Row, work: Work, fresh: dict[int, None]) -> None:
    """Generated elements end at nodes that are there by now."""
    for number in fresh:
        for node in work.draft.elements[number].nodes:
            if node not in work.draft.nodes:
                raise row.wrong(
                    f"node {plain(node)} of element {plain(number)} is not defined.",
                    "Put *ELGEN after all nodes, and check the increments.",
                )


def _labelled(row: Row, number: int) -> None:
    if number > LARGEST_LABEL:
        raise row.wrong(
            f"it would number something {number}.", f"Stay below {LARGEST_LABEL}."
        )


def _bounded(row: Row, work: Work, count: int) -> None:
    work.generated += count
    if work.generated > MOST:
        raise row.wrong(
            f"more than {MOST} nodes and elements are generated.", "Give fewer."
        )
