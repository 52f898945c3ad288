"""Laws of vitals: they tell where time goes, and change nothing else."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from tests.remote.conftest import parts_of
from tests.remote.test_coming_back import Direct
from tests.run.run_models import Swing

from bondline.build import Given, open_model, plan_of
from bondline.core import Model
from bondline.gluing import IntegratedModel
from bondline.remote.client.remote import remote_model
from bondline.remote.owner.host import Host
from bondline.remote.owner.shelf import Shelf
from bondline.run import Plan, Run, Watch, begin, resume, verify
from bondline.run.vitals import Vital, Vitals, read_vitals
from bondline.run.writer import Commits

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "double_pendulum"


def _plan(until: float) -> tuple[Model, Plan]:
    opened = open_model(EXAMPLE, Given())
    return opened.model, plan_of(opened, until)


def _watched(folder: Path, until: float, windows: int = 5) -> Run:
    model, plan = _plan(until)
    return begin(folder, model, plan, _watch(windows)).run


def _watch(windows: int) -> Watch:
    return Watch(commits=Commits(windows, 1e9), vitals=True)


def _vitals(run: Run) -> list[Vital]:
    with run.reading() as db:
        return read_vitals(db, 10_000)


def test_who_watches_changes_no_bit(tmp_path: Path) -> None:
    model, plan = _plan(0.1)
    plain = begin(tmp_path / "plain", model, plan).run
    watched = _watched(tmp_path / "watched", 0.1)
    assert verify(watched).sha256 == verify(plain).sha256
    assert _vitals(plain) == []
    assert [v.n for v in _vitals(watched)] == [4, 9, 10]


def test_residuals_are_those_of_the_window_one_an_iteration(tmp_path: Path) -> None:
    run = _watched(tmp_path, 0.1)
    frames = {f.n: f for f in run.frames()}
    for vital in _vitals(run):
        e = vital.residuals["double_pendulum"]
        assert len(e) == frames[vital.n].stats["iterations"] + 1
        assert e[-1] == frames[vital.n].stats["residual"]


def test_parts_take_no_longer_than_the_run(tmp_path: Path) -> None:
    """Also with what an earlier process of the run took."""
    run = _watched(tmp_path, 0.05)
    before = _vitals(run)[-1]
    resume(run, _plan(0.1)[0], 0.1, watch=_watch(5))
    after = _vitals(run)[-1]
    assert after.n == 10
    for name in ("upper", "lower"):
        assert 0.0 < before.parts[name][0] < after.parts[name][0]
        assert before.parts[name][1] < after.parts[name][1]
    assert before.elapsed < after.elapsed
    assert sum(seconds for seconds, _ in after.parts.values()) < after.elapsed


def test_a_long_run_keeps_few_and_its_ends() -> None:
    with closing(sqlite3.connect(":memory:")) as db:
        clocks = Vitals(Swing(), most=8)
        for n in range(100):
            clocks.put(db, n)
        found = [v.n for v in read_vitals(db, 10_000)]
    assert 4 <= len(found) <= 8
    assert (found[0], found[-1]) == (0, 99)


def test_parts_elsewhere_tell_their_wire(tmp_path: Path) -> None:
    model, plan = _plan(0.05)
    assert isinstance(model, IntegratedModel)
    host = Host(parts_of(EXAMPLE), shelf=Shelf(tmp_path / "shelf"))
    lower = remote_model("lower", Direct(lambda: host), "lower")
    whole = replace(model, parts={**model.parts, "lower": lower})
    last = _vitals(begin(tmp_path / "runs", whole, plan, _watch(5)).run)[-1]
    seconds, trips, shortest = last.wire["lower"]
    assert set(last.wire) == {"lower"}
    assert trips > 0
    assert 0.0 < shortest * trips <= seconds < last.elapsed
