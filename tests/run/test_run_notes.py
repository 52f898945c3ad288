"""Laws of notes: what solvers warn of is kept with its window, to the bit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from run_models import Swing, noting
from run_stories import PLAN, child, interrupted, stop_after, whole

from bondline.core import Advance, Window
from bondline.errors import Interrupted
from bondline.run import begin, create, resume, verify


def test_notes_reach_the_certificate_once_with_their_time(tmp_path: Path) -> None:
    run = begin(tmp_path, noting(), PLAN).run
    assert [f.notes for f in run.frames()][4:8] == [
        (),
        ("beware of 0.5.", "always."),
        ("always.",),
        ("always.",),
    ]
    assert run.certificate["warnings"][:2] == [
        "beware of 0.5. (first at t = 0.5 s)",
        "always. (first at t = 0.5 s)",
    ]
    verify(run)


def test_notes_survive_an_interruption_to_the_same_bits(tmp_path: Path) -> None:
    golden = whole(tmp_path, noting())
    run = interrupted(tmp_path, 6, noting())
    resume(run, noting())
    assert verify(run).sha256 == golden
    assert run.certificate["warnings"][0] == "beware of 0.5. (first at t = 0.5 s)"


def test_a_note_is_part_of_the_hash(tmp_path: Path) -> None:
    assert whole(tmp_path / "a", noting()) != whole(tmp_path / "b", Swing())


def test_what_a_guard_notes_is_kept_with_the_first_window(tmp_path: Path) -> None:
    class Guarded(Swing):
        def guard(self, state: Any, window: Window) -> tuple[str, ...]:
            return (f"hardly resolved at {window.h:g} s.",)

    golden = whole(tmp_path, Guarded())
    run = create(tmp_path / "runs", Guarded(), PLAN)
    with pytest.raises(Interrupted):
        resume(run, Guarded(), watch=stop_after(0))
    resume(run, Guarded())
    assert [f.notes for f in run.frames()][:3] == [
        (),
        ("hardly resolved at 0.1 s.",),
        (),
    ]
    assert verify(run).sha256 == golden


def test_notes_of_parts_and_halves_are_united() -> None:
    from bondline.gluing import ledger

    one: Any = Advance(None, {}, notes=("x.", "y."))
    assert ledger.heard(("x.",), {"p": one}) == ("x.", "p: x.", "p: y.")


def test_notes_survive_a_kill_to_the_same_bits(tmp_path: Path) -> None:
    plan = replace(PLAN, until=200.0)  # noted long before it can end
    run = create(tmp_path / "runs", noting(), plan)
    process = child(run, "noting")
    assert process.stdout is not None
    with process, process.stdout:
        while int(process.stdout.readline()) < 12:
            pass
        process.kill()
    reached = run.summary.t or 0.0
    assert run.summary.status == "interrupted"
    resume(run, noting(), reached + 1.0)
    assert verify(run).sha256 == whole(
        tmp_path, noting(), replace(plan, until=reached + 1.0)
    )
    assert "beware of 0.5. (first at t = 0.5 s)" in run.certificate["warnings"]
