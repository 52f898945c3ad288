"""Surfaces in the record of a run."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from run_models import Swing

from bondline.core import Deformed, Skin, Vector
from bondline.errors import CorruptRun, Interrupted, NonFinite
from bondline.run import Plan, begin, create, resume, verify
from bondline.run.skins import MOST_BYTES, MOST_STATES, dump, every, load, numbers

POINTS = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
SKIN = Skin(
    POINTS,
    np.zeros((0, 3), np.intp),
    np.array([[0, 1, 2, 3]]),
    np.array([[0, 2]]),
    np.array([11, 12, 13, 14]),
    {"edge, α": np.array([1, 2])},
    {"all": np.arange(4)},
    np.array([0]),
    np.array([2]),
    np.array([[0.0, 0.0, -1.0]]),
    True,
)


@dataclass(frozen=True)
class Flag(Swing):
    """The swing, with a surface that it moves."""

    def skins(self) -> Mapping[str, Skin]:
        return {"flag": SKIN, "": SKIN}

    def deformed(
        self, state: Vector, t: float | None, share: float = 1.0
    ) -> Mapping[str, Deformed]:
        u = POINTS * state[1]
        return {"": Deformed(u, u[:, 0] ** 2), "flag": Deformed(2.0 * u, u[:, 1] ** 2)}


PLAN = Plan(until=1.0, step=0.1, package=b"x")


def test_a_skin_is_read_back_to_the_same_bits():
    again = load(dump(SKIN))
    for name in ("points", "triangles", "quads", "bars", "ids", "held", "loaded"):
        assert_array_equal(getattr(again, name), getattr(SKIN, name))
    assert list(again.ports) == ["edge, α"]
    assert_array_equal(again.ports["edge, α"], [1, 2])
    assert_array_equal(again.sets["all"], np.arange(4))
    assert_array_equal(again.pushes, SKIN.pushes)
    assert again.stressed
    assert dump(again) == dump(SKIN)


def test_a_run_keeps_how_surfaces_move(tmp_path):
    run = begin(tmp_path, Flag(), PLAN).run
    assert sorted(run.skins()) == ["", "flag"]
    seen, frames = run.seen(), list(run.frames())
    assert [s.n for s in seen] == [f.n for f in frames] == list(range(11))
    for one, frame in zip(seen, frames, strict=True):
        angle = frame.values["angle"].value
        assert one.t == frame.t
        assert_allclose(one.parts["flag"].displacement, 2.0 * POINTS * angle, rtol=1e-6)
        assert_allclose(one.parts[""].mises, (POINTS[:, 0] * angle) ** 2, rtol=1e-6)
    assert verify(run).windows == 10


def test_the_hash_of_a_run_does_not_depend_on_what_is_shown(tmp_path):
    shown = begin(tmp_path / "a", Flag(), PLAN).run
    hidden = begin(tmp_path / "b", Swing(), PLAN).run
    assert shown.summary.sha256 == hidden.summary.sha256
    assert hidden.skins() == {}
    assert hidden.seen() == []


def test_a_run_that_was_stopped_keeps_the_same_surfaces(tmp_path):
    whole = begin(tmp_path / "a", Flag(), PLAN).run
    run, count = create(tmp_path / "b", Flag(), PLAN), iter(range(5))
    from bondline.run import Watch

    with pytest.raises(Interrupted):
        resume(run, Flag(), watch=Watch(None, lambda: next(count, None) is None))
    resume(run, Flag())
    assert [s.n for s in run.seen()] == list(range(11))
    for one, two in zip(run.seen(), whole.seen(), strict=True):
        assert_array_equal(one.parts[""].displacement, two.parts[""].displacement)


def test_a_long_run_keeps_some_windows_and_the_last(tmp_path):
    assert every({"": SKIN}, 100) == 1
    assert every({"": SKIN}, 10 * MOST_STATES) == 10
    big = Skin(np.zeros((10**6, 3)), *[np.zeros(0, np.intp)] * 4)
    assert every({"": big}, 1000) * MOST_BYTES >= 1000 * 4 * numbers(big)
    run = begin(tmp_path, Flag(), Plan(until=25.1, step=0.1, package=b"x")).run
    kept = [s.n for s in run.seen()]
    assert kept == [*range(0, 251, 2), 251]
    assert verify(run).windows == 251


@dataclass(frozen=True)
class Blinking(Flag):
    """One of its surfaces cannot be seen in the first half of a second."""

    def deformed(
        self, state: Vector, t: float | None, share: float = 1.0
    ) -> Mapping[str, Deformed]:
        moved = super().deformed(state, t, share)
        seen = t is None or t == 0.0 or t % 1.0 > 0.45
        return moved if seen else {"": moved[""]}


def test_surfaces_that_cannot_be_seen_are_kept_as_soon_as_they_can(tmp_path):
    run = begin(tmp_path / "all", Blinking(), PLAN).run
    assert [s.n for s in run.seen()] == [0, 5, 6, 7, 8, 9]
    plan = Plan(until=50.0, step=0.1, package=b"x")
    run = begin(tmp_path / "some", Blinking(), plan).run
    kept = [s.n for s in run.seen()]
    assert kept[:8] == [0, 5, 6, 9, 15, 18, 25, 27], "every third, or the next"
    assert verify(run).windows == 500


@pytest.mark.parametrize(
    ("sql", "place"),
    [
        ("UPDATE moved SET blob = zeroblob(length(blob)) WHERE n = 3", "window 3"),
        ("UPDATE moved SET n = 99 WHERE n = 4", "window 99"),
        ("UPDATE moved SET blob = 'x' WHERE n = 4", "window 4"),
        ("UPDATE skins SET name = 'flat' WHERE name = 'flag'", "surface flat"),
        ("UPDATE skins SET blob = 'x' WHERE name = 'flag'", "surface flag"),
    ],
)
def test_a_changed_surface_is_detected(tmp_path, sql, place):
    run = begin(tmp_path, Flag(), PLAN).run
    with sqlite3.connect(run.file) as db:
        db.execute(sql)
    db.close()
    with pytest.raises(CorruptRun) as caught:
        verify(run)
    assert run.id in caught.value.place
    assert place in caught.value.place
    assert "hash" in caught.value.finding
    assert "copy" in caught.value.remedy


@pytest.mark.parametrize(
    "sql", ["UPDATE skins SET blob = x'00'", "UPDATE moved SET blob = x'00000000'"]
)
def test_a_surface_that_cannot_be_read_is_said(tmp_path, sql):
    run = begin(tmp_path, Flag(), PLAN).run
    with sqlite3.connect(run.file) as db:
        db.execute(sql)
    db.close()
    with pytest.raises(CorruptRun) as caught:
        run.seen()
    assert "run.sqlite" in caught.value.place
    assert caught.value.finding
    assert caught.value.remedy


@dataclass(frozen=True)
class Torn(Flag):
    """Its surface is nowhere after a while."""

    def deformed(
        self, state: Vector, t: float | None, share: float = 1.0
    ) -> Mapping[str, Deformed]:
        gone = np.full_like(POINTS, np.nan if t and t > 0.35 else 0.0)
        return {n: Deformed(gone, gone[:, 0]) for n in ("", "flag")}


def test_a_surface_that_is_nowhere_stops_the_run(tmp_path):
    run = create(tmp_path, Torn(), PLAN)
    with pytest.raises(NonFinite) as caught:
        resume(run, Torn())
    assert "window 4" in caught.value.place
    assert "nowhere" in caught.value.finding
    assert "shorter step" in caught.value.remedy
    assert [s.n for s in run.seen()] == [0, 1, 2, 3]
