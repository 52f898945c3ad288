"""Writes the six decks of the truck chassis frame (wang2003, Example 1, Table 1).

Two rails of channel section, webs outside, and four cross members between them:

- connector 1: a box with a bulkhead in its middle;
- connector 2: a channel lying on its flanges, loaded in the middle of its web;
- connector 3: an angle with two holes, its flange cut out in the middle;
- connector 4: a channel with three holes, its lower flange cut out in the middle.

x runs along the frame, y to its left, z up; metres. A rail is a grid of 12 x 47 quads.
The corners of its rear end are cut off: two quads of the left rail are collapsed, and
one edge of the right one. Nodes and elements are numbered through all decks, nodes of
a cross section along x and then downwards, so that the node sets of two parts that
meet list the same points in the same order. Node 1201, which the paper observes, is in
the right rail, where connector 4 ends.

Table 1 gives the mesh and not the sizes. They are such that the mesh resolves the
frame: cells are less than ten times as long as thick, and between the two walls of a
connector, where the web of a rail bends most, a rail has two or three. With every cell
cut into 2 x 2 the first ten frequencies fall by 0.8 to 2.6 %.

    python make_decks.py [FOLDER]
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

HALF_WIDTH = 0.3  # of the frame, to the middle of the webs
WEB, FLANGE, THICKNESS = 0.155, 0.053, 0.01  # channel 165 x 58 x 10
WEB_ROWS, FLANGE_ROWS = 8, 2
SPANS = (  # length and number of cells, from the front, connectors in between
    *((0.2, 3), (0.09, 2), (1.05, 11), (0.09, 3)),  # connectors 1 and 2
    *((1.05, 11), (0.09, 2), (1.15, 12), (0.09, 2), (0.08, 1)),  # 3 and 4
)
AT = (3, 16, 30, 44)  # stations of the connectors' front walls
WIDE = (2, 3, 2, 2)  # cells of a rail from a connector's front wall to its rear one
FINER = 1.15  # cells of connectors grow by it from the rails to the middle
PINS = (6, 38)  # stations of the supports, at the lower edge of the webs
TOP, BOTTOM = FLANGE_ROWS, FLANGE_ROWS + WEB_ROWS  # edges of the web in a section
DAMPING = (5.0, 1e-5)  # Rayleigh
Cell = tuple[int, ...]


@dataclass
class Part:
    """Nodes by key, elements by their nodes' keys, sets of keys, lines of its own."""

    name: str
    title: str
    points: dict[Cell, tuple[float, float, float]] = field(default_factory=dict)
    cells: list[tuple[Cell, ...]] = field(default_factory=list)
    sets: dict[str, list[Cell]] = field(default_factory=dict)
    loaded: bool = False


def stations() -> np.ndarray:
    """Where the cross sections of the rails are along x."""
    steps = [np.full(n, length / n) for length, n in SPANS]
    return np.concatenate([[0.0], np.cumsum(np.concatenate(steps))]).round(12)


def walls(k: int) -> tuple[float, float]:
    """x of a connector's front and rear wall."""
    front, rear = stations()[[AT[k], AT[k] + WIDE[k]]]
    return float(front), float(rear)


def profile() -> list[tuple[float, float]]:
    """Inset and height of the 13 nodes of a rail's section, from the upper flange."""
    half = 0.5 * WEB
    flange = [FLANGE * (1.0 - k / FLANGE_ROWS) for k in range(FLANGE_ROWS)]
    web = [half - WEB * k / WEB_ROWS for k in range(WEB_ROWS + 1)]
    upper, lower = [(y, half) for y in flange], [(y, -half) for y in flange[::-1]]
    return [*upper, *((0.0, z) for z in web), *lower]


def rail(name: str, side: float) -> Part:
    """A rail as a plain grid: node (i, j) is at station i and point j of the section.

    `side` is 1 for the left rail; its normals point out of the channel.
    """
    part, shape = Part(name, name.replace("_", " ")), profile()
    for i, x in enumerate(stations()):
        for j, (inset, z) in enumerate(shape):
            part.points[i, j] = (float(x), side * (HALF_WIDTH - inset), z)
    order = 1 if side > 0 else -1
    for i, j in np.ndindex(len(part.points) // len(shape) - 1, len(shape) - 1):
        corners = ((i, j), (i, j + 1), (i + 1, j + 1), (i + 1, j))
        part.cells.append(corners[::order])
    part.sets = {f"C{k}": list(nodes) for k, nodes in enumerate(seats(), 1)}
    part.sets["PINS"] = [(i, BOTTOM) for i in PINS]
    return part


def seats() -> Iterator[list[Cell]]:
    """Which nodes of a rail each connector meets."""
    one, two, three, four = ((at, at + wide) for at, wide in zip(AT, WIDE, strict=True))
    yield [(i, j) for i in one for j in range(TOP + 1, BOTTOM)]
    yield [(i, j) for i in two for j in (TOP + 3, TOP + 5)]
    web = [(three[0], j) for j in range(TOP + 1, BOTTOM, 2)]
    yield [*web, (three[1], BOTTOM - 1)]
    web = [(four[0], j) for j in range(TOP + 1, TOP + 7)]
    yield [*web, (four[1], TOP + 1), (four[1], TOP + 6)]


def left_rail() -> Part:
    """Both rear corners are cut off; there a quad shrinks onto one node."""
    part, last = rail("left_rail", 1.0), len(stations()) - 1
    edge = len(profile()) - 1
    for corner, inner in (((last, 0), (last - 1, 1)), ((last, edge), (last - 1, 11))):
        a, b = np.array(part.points[corner]), np.array(part.points[inner])
        part.points[inner] = tuple((0.3 * a + 0.7 * b).round(12).tolist())
        merge(part, corner, inner)
    return part


def right_rail() -> Part:
    """The upper rear corner is cut off: a quad that loses an edge is a triangle."""
    part, last = rail("right_rail", -1.0), len(stations()) - 1
    merge(part, (last, 0), (last - 1, 0))
    part.sets["OBSERVED"] = [(AT[3], TOP + WEB_ROWS // 2)]
    return part


def merge(part: Part, gone: Cell, kept: Cell) -> None:
    """Let one node take the place of another; quads left with two edges vanish."""
    del part.points[gone]
    merged = []
    for cell in part.cells:
        nodes = tuple(kept if n == gone else n for n in cell)
        short = tuple(n for k, n in enumerate(nodes) if n != nodes[k - 1])
        if len(set(short)) == len(short):
            merged.append(short)
    part.cells = merged


def member(
    name: str, title: str, section: Sequence[tuple[float, float]], cells: int
) -> Part:
    """A prism from rail to rail: node (i, j) is at cut i and point j of the section.

    `section` lists x and z along its wall; cells lie between neighbours in it.
    """
    part = Part(name, title)
    for i, y in enumerate(cuts(cells)):
        for j, (x, z) in enumerate(section):
            part.points[i, j] = (float(x), y, float(z))
    for i, j in np.ndindex(cells, len(section) - 1):
        part.cells.append(((i, j), (i, j + 1), (i + 1, j + 1), (i + 1, j)))
    ends = {"LEFT": 0, "RIGHT": cells}
    part.sets = {n: [(i, j) for j in range(len(section))] for n, i in ends.items()}
    return part


def cuts(cells: int) -> list[float]:
    """Where the cross sections of a connector are along y, from the left."""
    k = np.arange(cells)
    sizes = FINER ** np.minimum(k, k[::-1])
    ends = np.concatenate([[0.0], np.cumsum(sizes / sizes.sum())])
    return (HALF_WIDTH * (1.0 - 2.0 * ends)).round(12).tolist()


def heights(*points: int) -> list[float]:
    """Heights of those points of a rail's section."""
    return [profile()[j][1] for j in points]


def without(part: Part, holes: Iterable[Cell]) -> None:
    """Take out cells named by their first nodes, and nodes that are left alone."""
    gone = set(holes)
    part.cells = [cell for cell in part.cells if cell[0] not in gone]
    used = {node for cell in part.cells for node in cell}
    part.points = {n: p for n, p in part.points.items() if n in used}


def connector_1() -> Part:
    """A closed box of 14 walls, and a bulkhead of its own nodes across its middle."""
    front, rear = walls(0)
    z = heights(*range(TOP + 1, BOTTOM))
    ring = [*((front, h) for h in z), *((rear, h) for h in z[::-1])]
    part, n, cells = member("connector_1", "box with a bulkhead", ring, 12), 14, 12
    for i in range(cells):
        part.cells.append(((i, n - 1), (i, 0), (i + 1, 0), (i + 1, n - 1)))
    middle, y = cells // 2, 0.0
    third = (rear - front) / 3.0
    for k in range(1, 6):
        for side in (1, 2):
            x = round(float(front + side * third), 12)
            part.points[middle, n + 2 * k + side] = (x, y, z[k])
    part.cells += bulkhead(middle, n)
    return part


def bulkhead(i: int, n: int) -> list[tuple[Cell, ...]]:
    """Quads in the inside, trapezia and triangles where it meets the box."""

    def row(k: int) -> tuple[Cell, ...]:
        inside = (i, n + 2 * k + 1), (i, n + 2 * k + 2)
        return ((i, k), *inside, (i, n - 1 - k))

    quads = [
        (row(k)[s], row(k + 1)[s], row(k + 1)[s + 1], row(k)[s + 1])
        for k in range(1, 5)
        for s in range(3)
    ]
    (a, b), (_, p, q, _) = ((i, 0), (i, n - 1)), row(1)
    upper = [(a, row(1)[0], p), (a, p, q, b), (b, q, row(1)[3])]
    (c, d), (_, r, s, _) = ((i, 6), (i, n - 7)), row(5)
    lower = [(c, r, row(5)[0]), (c, d, r), (d, s, r), (d, row(5)[3], s)]
    return [*quads, *upper, *lower]


def connector_2() -> Part:
    """Web up, flanges down; they alone meet the rails."""
    front, rear = walls(1)
    high, low = heights(TOP + 3, TOP + 5)
    web = [(x, high) for x in np.linspace(front, rear, 5).round(12)]
    section = [(front, low), *web, (rear, low)]
    part = member("connector_2", "channel under the load", section, 14)
    for end in ("LEFT", "RIGHT"):
        part.sets[end] = [part.sets[end][j] for j in (0, 1, 5, 6)]
    part.sets["LOAD"] = [(7, 3)]
    part.loaded = True
    return part


def connector_3() -> Part:
    """An angle: web in front, flange behind at its lower edge."""
    front, rear = walls(2)
    z = heights(*range(TOP + 1, BOTTOM, 2))
    section = [*((front, h) for h in z), (rear, z[-1])]
    part = member("connector_3", "angle with holes", section, 15)
    without(part, [(4, 1), (10, 1), *((i, 3) for i in range(4, 11))])
    return part


def connector_4() -> Part:
    """A channel open to the rear."""
    front, rear = walls(3)
    z = heights(*range(TOP + 1, TOP + 7))
    section = [(rear, z[0]), *((front, h) for h in z), (rear, z[-1])]
    part = member("connector_4", "channel with holes", section, 13)
    without(part, [(2, 3), (6, 3), (10, 3), *((i, 6) for i in range(4, 9))])
    return part


def parts() -> list[Part]:
    """All six, in the order of Table 1."""
    rails = [left_rail(), right_rail()]
    return [*rails, connector_1(), connector_2(), connector_3(), connector_4()]


def numbered(part: Part, first: int) -> dict[Cell, int]:
    """Numbers of the nodes: cut by cut, along x and then downwards."""

    def place(key: Cell) -> tuple[float, ...]:
        x, _, z = part.points[key]
        return (key[0], x, -z)

    rails = part.name.endswith("rail")
    order = sorted(part.points) if rails else sorted(part.points, key=place)
    return {key: first + k for k, key in enumerate(order)}


def deck(part: Part, node: int, element: int) -> str:
    """The part as an Abaqus deck; its first node and element have those numbers."""
    ids = numbered(part, node)
    lines = [*_head(part), "*NODE, NSET=NALL"]
    lines += [
        f"{n}, " + ", ".join(f"{c:.9g}" for c in part.points[key])
        for key, n in ids.items()
    ]
    for kind, corners in (("S4", 4), ("S3", 3)):
        cells = [cell for cell in part.cells if len(cell) == corners]
        if cells:
            lines.append(f"*ELEMENT, TYPE={kind}, ELSET=SHELL")
        for k, cell in enumerate(cells, element):
            lines.append(", ".join(str(n) for n in (k, *(ids[c] for c in cell))))
        element += len(cells)
    for name, keys in part.sets.items():
        lines.append(f"*NSET, NSET={name}")
        lines += _rows(sorted(ids[k] for k in keys))
    return "\n".join([*lines, *_tail(part)]) + "\n"


def _rows(numbers: Sequence[int]) -> list[str]:
    """Sixteen numbers a line, as the format allows."""
    cut = [numbers[k : k + 16] for k in range(0, len(numbers), 16)]
    return [", ".join(map(str, row)) for row in cut]


def _head(part: Part) -> list[str]:
    lines = [
        "*HEADING",
        f"Truck chassis frame (wang2003, Example 1): {part.title}",
        "** Made by make_decks.py. Units: N, m, kg, s.",
        "*PARAMETER",
        f"thickness = {THICKNESS}",
    ]
    if part.loaded:
        lines += [
            "amplitude = 2000.0",
            "frequency = 50.0",
            "omega = 2*3.141592653589793*frequency",
        ]
    return lines


def _tail(part: Part) -> list[str]:
    alpha, beta = DAMPING
    lines = [
        "*MATERIAL, NAME=STEEL",
        *("*ELASTIC", "2.1e11, 0.3", "*DENSITY", "7850.0"),
        f"*DAMPING, ALPHA={alpha}, BETA={beta}",
        "*SHELL SECTION, ELSET=SHELL, MATERIAL=STEEL",
        "<thickness>",
    ]
    if "PINS" in part.sets:
        lines += ["*BOUNDARY", "PINS, 1, 3"]
    if part.loaded:
        lines += [
            "** sin(omega t)",
            "*AMPLITUDE, NAME=SINE, DEFINITION=PERIODIC",
            *("1, <omega>, 0.0, 0.0", "0.0, 1.0"),
        ]
    lines += ["*STEP", "*DYNAMIC, DIRECT, ALPHA=0", "0.0005, 0.5"]
    if part.loaded:
        lines += ["*CLOAD, AMPLITUDE=SINE", "LOAD, 3, <amplitude>"]
    return [*lines, "*END STEP"]


def decks() -> dict[str, str]:
    """All decks by the names of their files, numbered through."""
    found, node, element = {}, 1, 1
    for part in parts():
        found[f"{part.name}.inp"] = deck(part, node, element)
        node += len(part.points)
        element += len(part.cells)
    return found


def main(folder: Path) -> None:
    """Write them."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in decks().items():
        (folder / name).write_text(text, encoding="ascii")


if __name__ == "__main__":
    here = Path(__file__).with_name("resources")
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else here)
