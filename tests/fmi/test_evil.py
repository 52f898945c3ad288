"""SEC-09, FT-30: whatever an FMU does, it does to itself."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("fmpy", reason="FMUs need the extra `fmi`: ./run extras")

from bondline.core import Advance, Rejected, Signal, Window
from bondline.description import Place
from bondline.description.spec import FmuSpec
from bondline.errors import LeafHung, LeafLost, SettingError
from bondline.leaves.fmu import sandbox
from bondline.leaves.oscillator import Oscillator
from bondline.run import simulate
from tests.fmi.making import fmu, leaf

if sandbox.missing():
    pytest.skip(f"no sandbox: {sandbox.missing()}", allow_module_level=True)

WINDOW = Window(0.0, 0.01)


@pytest.fixture(scope="module")
def evil(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Makes a leaf that does one deed; it has a secret in reach of its user."""
    folder = tmp_path_factory.mktemp("evil")
    secret = folder / "secret"
    secret.write_text("mine", encoding="utf-8")
    path = fmu(folder / "x.fmu", "evil", 2, flags={}, defines=[f'SECRET="{secret}"'])

    def make(patience: float = 60.0) -> Any:
        return leaf(path, said=FmuSpec(Place("m", 1, 1), patience=patience))

    return make


def _deed(number: int) -> dict[str, Signal]:
    return {"deed": Signal.hold(np.array([float(number)]))}


def _done(made: Any, deed: int) -> float:
    got = made.advance(made.start(0.0).state, WINDOW, _deed(deed))
    assert isinstance(got, Advance)
    return float(np.asarray(got.outputs["done"]))


@pytest.mark.parametrize(
    "deed",
    [
        1,
        pytest.param(2, marks=pytest.mark.full),
        pytest.param(4, marks=pytest.mark.full),
    ],
)
def test_a_crash_is_the_loss_of_a_leaf_and_of_nothing_else(
    evil: Any, deed: int
) -> None:
    made = evil()
    state = made.start(0.0).state
    began = time.monotonic()
    got = made.advance(state, WINDOW, _deed(deed))
    assert time.monotonic() - began < 10.0
    assert isinstance(got, Rejected)
    assert isinstance(got.error, LeafLost)
    assert got.error.exit_code == 20
    assert "its process is gone" in str(got.error)
    assert "ended" in str(got.error)
    assert made.machine.pid is None
    after = made.advance(state, WINDOW, {})  # the state went with the process
    assert isinstance(after, Rejected)


def test_an_endless_loop_is_ended(evil: Any) -> None:
    made = evil(patience=0.5)
    state = made.start(0.0).state
    pid = made.machine.pid
    got = made.advance(state, WINDOW, _deed(3))
    assert isinstance(got, Rejected)
    assert isinstance(got.error, LeafHung)
    assert got.error.exit_code == 21
    assert "did not answer within 0.5 s" in str(got.error)
    assert not Path(f"/proc/{pid}").exists()


def test_it_gets_nothing_and_changes_nothing_outside_its_process(
    evil: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    other = Oscillator("b", mass=3.0, stiffness=100.0, force=2.0)
    golden = simulate(other, 0.1, 0.01).state.tobytes()
    here, third = os.getcwd(), np.float64(1.0) / 3.0
    made = evil()
    for deed in (5, 6, 7):  # processes; network, programs, tracing; files
        assert _done(made, deed) == 0.0
    _done(made, 8)  # rounding, locale, signals, folder, a flood of text
    assert os.getcwd() == here
    assert (np.float64(1.0) / 3.0).tobytes() == third.tobytes()
    assert simulate(other, 0.1, 0.01).state.tobytes() == golden
    told = capfd.readouterr()
    assert "flood" not in told.out + told.err
    assert 0.0 < _done(made, 9) < 40.0  # blocks of 256 MB, until memory has an end
    made.machine.end()
    assert made.machine.pid is None


def test_without_a_sandbox_it_is_refused_until_somebody_agrees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = fmu(tmp_path / "x.fmu", "oscillator", 2)
    monkeypatch.setenv("PATH", str(tmp_path))  # no bwrap there
    monkeypatch.delenv(sandbox.CONSENT, raising=False)
    sandbox.missing.cache_clear()
    try:
        with pytest.raises(SettingError) as refused:
            leaf(path)
        assert "bubblewrap (bwrap) is not installed" in str(refused.value)
        assert "--allow-unsandboxed" in refused.value.remedy
        monkeypatch.setenv(sandbox.CONSENT, "1")
        made = leaf(path)
        assert made.machine.layers == ("limits", "seccomp")
        assert "runs without a sandbox" in made.start(0.0).notes[0]
    finally:
        sandbox.missing.cache_clear()
