"""The example `fmu_pair`, as its guide tells it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("fmpy", reason="FMUs need the extra `fmi`: ./run extras")
pytest.importorskip("pythonfmu3", reason="exports need the extra `fmi`: ./run extras")


@pytest.mark.full
def test_the_guide_works(tmp_path: Path) -> None:
    def call(*words: str) -> str:
        return subprocess.run(
            [sys.executable, *words],
            cwd=tmp_path,
            check=True,
            capture_output=True,
            text=True,
        ).stdout

    call("-m", "bondline", "init", "pair", "--template", "fmu-pair")
    call("pair/make_fmus.py")
    call("-m", "bondline", "check", "pair")
    call("-m", "bondline", "run", "pair", "--name", "one")
    told = call("pair/figures.py", "one", "pair.png")
    difference = float(told.split()[-2])
    assert difference < 1e-7  # order 4: 4.7e-8 m where this was written
    assert (tmp_path / "pair.png").stat().st_size > 10_000
