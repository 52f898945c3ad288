"""What the tests of the store do again and again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from run_models import Swing

from bondline.core import Frame
from bondline.errors import Interrupted
from bondline.run import Commits, Plan, Run, Watch, begin, create, resume

CHILD = Path(__file__).with_name("run_child.py")
PLAN = Plan(
    until=1.0, step=0.1, settings={"tol": 1e-10, "set": {"a": 1.5}}, package=b"x"
)


def child(run: Run, model: str, *more: str, **env: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(CHILD), str(run.path), model, *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", **env},
    )


def whole(tmp_path: Path, model: Any = None, plan: Plan = PLAN) -> str:
    """SHA-256 of the run that nobody disturbs."""
    return begin(tmp_path / "whole", model or Swing(), plan).run.summary.sha256


def stop_after(n: int, commits: Commits | None = None) -> Watch:
    seen: list[int] = []

    def note(frame: Frame) -> None:
        seen.append(frame.n)

    return Watch(note, lambda: bool(seen) and seen[-1] >= n, commits or Commits())


def interrupted(tmp_path: Path, n: int, model: Any = None) -> Run:
    run = create(tmp_path / "runs", model or Swing(), PLAN)
    with pytest.raises(Interrupted):
        resume(run, model or Swing(), watch=stop_after(n))
    return run
