"""The decks are those of wang2003, Table 1, and sound meshes."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from tests.cases.truck_frame.decks import FOLDER, PARTS, plain, text

TABLE_1 = {
    "left_rail": (622, 562, 31),
    "right_rail": (623, 564, 31),
    "connector_1": (192, 187, 28),
    "connector_2": (105, 84, 8),
    "connector_3": (74, 51, 10),
    "connector_4": (108, 83, 16),
}
JOINTS = {f"C{k}": f"connector_{k}" for k in (1, 2, 3, 4)}


@pytest.fixture(scope="module")
def parts():
    return {name: plain(name) for name in PARTS}


def interface(part) -> set[int]:
    names = [*JOINTS, "LEFT", "RIGHT"]
    return {n for name in names for n in part.sets.get(name, [])}


@pytest.mark.parametrize("name", PARTS)
def test_a_part_has_the_counts_of_table_1(parts, name):
    part = parts[name]
    counts = len(part.nodes), len(part.elements), len(interface(part))
    assert counts == TABLE_1[name]


def test_the_coupled_system_has_the_counts_of_table_1(parts):
    """1724 nodes, 62 of them in two parts: what coincides is what is glued."""
    places: dict[tuple[float, ...], list[int]] = {}
    for part in parts.values():
        for n, x in part.nodes.items():
            places.setdefault(tuple(x.round(9)), []).append(n)
    shared = [nodes for nodes in places.values() if len(nodes) > 1]
    assert len(places) == 1662
    assert sum(len(part.elements) for part in parts.values()) == 1531
    assert all(len(nodes) == 2 for nodes in shared)
    glued = set().union(*(interface(part) for part in parts.values()))
    assert {n for nodes in shared for n in nodes} == glued
    assert len(shared) == 62


def test_sets_that_meet_list_the_same_points_in_the_same_order(parts):
    for joint, connector in JOINTS.items():
        for rail, end in (("left_rail", "LEFT"), ("right_rail", "RIGHT")):
            one, other = parts[rail], parts[connector]
            np.testing.assert_array_equal(
                one.points(one.sets[joint]), other.points(other.sets[end])
            )


def test_numbers_run_through_all_parts(parts):
    nodes = [n for part in parts.values() for n in part.nodes]
    elements = [n for part in parts.values() for n in part.elements]
    assert nodes == list(range(1, 1725))
    assert elements == list(range(1, 1532))


def test_the_paper_s_node_is_observed_and_glued(parts):
    right = parts["right_rail"]
    assert right.sets["OBSERVED"] == [1201]
    assert 1201 in right.sets["C4"]


def test_pins_and_load_are_where_they_should_be(parts):
    """Four pins at nodes that nothing is glued to; the load in the middle."""
    for rail in ("left_rail", "right_rail"):
        pins = parts[rail].sets["PINS"]
        assert len(pins) == 2
        assert not {*pins} & interface(parts[rail])
    two = parts["connector_2"]
    (load,) = two.sets["LOAD"]
    ends = two.points([*two.sets["LEFT"], *two.sets["RIGHT"]])
    assert two.nodes[load][:2] == pytest.approx(ends.mean(axis=0)[:2])


def corners(part, size: int):
    """Positions, edges and corner normals of all elements with so many nodes."""
    every = [nodes for nodes in part.elements.values() if len(nodes) == size]
    x = np.array([part.points(list(nodes)) for nodes in every]).reshape(-1, size, 3)
    edges = np.roll(x, -1, axis=1) - x
    return x, edges, np.cross(edges, -np.roll(edges, 1, axis=1))


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("size", [3, 4])
def test_no_element_is_degenerate_inverted_or_warped(parts, name, size):
    """Convex and flat, aspect ratios below 5, corners from 14 to 166 degrees."""
    x, edges, normals = corners(parts[name], size)
    lengths = np.linalg.norm(edges, axis=2)
    assert (lengths.max(axis=1) < 5.0 * lengths.min(axis=1)).all()
    mean = normals.sum(axis=1, keepdims=True)
    mean /= np.linalg.norm(mean, axis=2, keepdims=True)
    sines = (normals * mean).sum(axis=2) / (lengths * np.roll(lengths, 1, axis=1))
    assert (sines > 0.25).all()
    height = ((x - x.mean(axis=1, keepdims=True)) * mean).sum(axis=2)
    assert (abs(height) < 1e-9).all()


@pytest.mark.parametrize("name", PARTS)
def test_every_node_is_used_and_neighbours_turn_the_same_way(parts, name):
    """An edge between two elements is run through once in each direction."""
    part = parts[name]
    assert {n for nodes in part.elements.values() for n in nodes} == {*part.nodes}
    runs: dict[tuple[int, int], int] = {}
    for nodes in part.elements.values():
        for one, other in zip(nodes, (*nodes[1:], nodes[0]), strict=True):
            runs[one, other] = runs.get((one, other), 0) + 1
    branched = {
        tuple(sorted(e)) for e in runs if runs[e] + runs.get((e[1], e[0]), 0) > 2
    }
    assert all(n == 1 for e, n in runs.items() if tuple(sorted(e)) not in branched)
    assert len(branched) == (14 if name == "connector_1" else 0)  # its bulkhead


def test_the_script_makes_the_decks(tmp_path):
    script = [sys.executable, "-B", str(FOLDER / "make_decks.py"), str(tmp_path)]
    subprocess.run(script, check=True)
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(
        p.name for p in (FOLDER / "resources").iterdir()
    )
    for part in PARTS:
        assert (tmp_path / f"{part}.inp").read_text() == text(part)
