"""The next window is asked for before the last one is told: partners need not wait."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from bondline.build import open_model
from bondline.core import Frame
from bondline.errors import BondlineError, Interrupted, NonFinite
from bondline.gluing.crew import Turns
from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.line import LineDown, never
from bondline.run import Commits, Keep, Plan, Watch, begin, simulate, verify
from bondline.wire.turns import others_first
from tests.remote.conftest import Supplier, Supply

STEP = 0.01


@dataclass
class Diary:
    """What happened, in order: `realise` of one part, and frames."""

    rows: list[str] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    after: Callable[[Frame], None] = lambda frame: None

    def write(self, frame: Frame, state: Any) -> None:
        self.rows.append(f"frame {frame.n}")
        self.frames.append(frame)
        self.after(frame)


class Noting:
    """A line that notes which windows are asked for, and is cut when somebody says."""

    def __init__(self, line, diary: Diary) -> None:
        self.line, self.diary, self.place = line, diary, line.place
        self.windows, self.cut = 0, lambda: False

    def exchange(self, raw: bytes, patience: float, busy=never) -> bytes:
        request = pb.Request.FromString(raw)
        if request.HasField("realise"):
            self.windows += 1
            self.diary.rows.append(f"window {self.windows}")
        if self.cut():
            raise LineDown("refused", "nobody is there", final=True)
        return self.line.exchange(raw, patience, busy)

    def __getattr__(self, name: str):
        return getattr(self.line, name)


class Waited:
    """A line that notes when it is asked, and when somebody comes for the reply."""

    def __init__(self, line, part: str, rows: list[str]) -> None:
        self.line, self.part, self.rows, self.place = line, part, rows, line.place

    def exchange(self, raw: bytes, patience: float, busy=never) -> bytes:
        self.rows.append(f"{self.part} asked")
        others_first()
        self.rows.append(f"{self.part} hears")
        return self.line.exchange(raw, patience, busy)

    def __getattr__(self, name: str):
        return getattr(self.line, name)


def placed(path: Path, there: Supplier, diary: Diary):
    """The model with all parts at their owners'; requests of the first are noted."""
    whole = open_model(path).model
    parts = {name: there.model(name) for name in whole.parts}
    first = next(iter(parts.values()))
    first.link.line = line = Noting(first.link.line, diary)
    return replace(whole, parts=parts, crew=Turns()), line


@pytest.fixture
def chain_away(project: Path, supply: Supply):
    path, diary = project / "examples" / "linear_chain", Diary()
    model, line = placed(path, supply(path), diary)
    yield model, line, diary
    for part in model.parts.values():
        part.close()


def test_a_window_is_told_while_the_next_one_is_on_its_way(chain_away, project: Path):
    model, _, diary = chain_away
    simulate(model, 4 * STEP, STEP, record=diary)
    assert diary.rows[1:] == [
        *("window 1", "window 2", "frame 1", "window 3", "frame 2"),
        *("window 4", "frame 3", "frame 4"),
    ]
    here, keep = open_model(project / "examples" / "linear_chain").model, Keep()
    simulate(here, 4 * STEP, STEP, record=keep)
    assert [f.values for f in diary.frames] == [f.values for f in keep.frames]


def test_in_process_a_window_is_told_before_the_next_one(project: Path):
    model, diary = open_model(project / "examples" / "linear_chain").model, Diary()
    told = []
    simulate(
        model,
        3 * STEP,
        STEP,
        record=diary,
        stopped=lambda: told.append(len(diary.rows)),
    )
    assert told == [1, 2, 3], "who may stop a run has seen all windows before"


def test_a_window_is_told_though_the_next_one_fails(chain_away):
    model, line, diary = chain_away
    line.cut = lambda: line.windows == 3
    with pytest.raises(BondlineError, match="nobody"):
        simulate(model, 5 * STEP, STEP, record=diary)
    assert [f.n for f in diary.frames] == [0, 1, 2]


def test_what_is_wrong_with_a_window_comes_before_what_is_wrong_with_the_next(
    chain_away,
):
    model, line, diary = chain_away

    def wrong(frame: Frame) -> None:
        if frame.n == 2:
            raise NonFinite("here", "the disk is full.", "")

    diary.after, line.cut = wrong, lambda: line.windows == 3
    with pytest.raises(NonFinite, match="the disk is full"):
        simulate(model, 5 * STEP, STEP, record=diary)


def test_who_stops_a_run_loses_no_window(chain_away):
    model, line, diary = chain_away
    with pytest.raises(Interrupted, match="after window 3 of 9"):
        simulate(model, 9 * STEP, STEP, record=diary, stopped=lambda: line.windows == 3)
    assert [f.n for f in diary.frames] == [0, 1, 2, 3]


@pytest.mark.parametrize("windows", [1, 2, 3, 64])
def test_checkpoints_between_windows_change_no_bit(
    windows: int, chain_away, project: Path, tmp_path: Path
):
    """They ask the same partners, who may have the next window on their desk."""
    model, _, _ = chain_away
    here = open_model(project / "examples" / "linear_chain").model
    plan = Plan(20 * STEP, STEP)
    watch = Watch(commits=Commits(windows, 60.0, share=math.inf))
    runs = [
        begin(tmp_path / name, each, plan, watch).run
        for name, each in (("here", here), ("away", model))
    ]
    assert len({run.summary.sha256 for run in runs}) == 1
    assert len({verify(run).checkpoints for run in runs}) == 1


def test_all_partners_are_asked_to_keep_a_state_before_one_is_waited_for(chain_away):
    model, _, _ = chain_away
    state, rows = model.start(0.0).state, list[str]()
    for name, part in model.parts.items():
        part.link.line = Waited(part.link.line, name, rows)
    asked, heard = ([f"{n} {what}" for n in model.parts] for what in ("asked", "hears"))
    data = model.dump(state)
    assert rows == [*asked, *heard]
    rows.clear()
    assert model.observe(model.load(data)) == model.observe(state)
    assert rows == [*asked, *heard], "and to take them back"


def test_a_recorder_that_asks_partners_in_between_lets_the_window_finish(chain_away):
    model, _, diary = chain_away
    states: list[bytes] = []

    class Keeping(Diary):
        def write(self, frame: Frame, state: Any) -> None:
            states.append(model.dump(state))
            super().write(frame, state)

    simulate(model, 3 * STEP, STEP, record=Keeping(diary.rows, diary.frames))
    assert [f.n for f in diary.frames] == [0, 1, 2, 3]
    found = [model.observe(model.load(state)) for state in states]
    assert found == [f.values for f in diary.frames]
