"""A short pendulum to sweep, and a sweep of it that all tests may read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from bondline.run import Run, open_run
from bondline.sweep import Here, Sweep, Wanted, axis, begin_sweep, carry

SHORT = 0.05  # s, five windows


@dataclass(frozen=True)
class Home:
    """A project folder."""

    path: Path

    @property
    def runs(self) -> Path:
        return self.path / "runs"

    @property
    def sweeps(self) -> Path:
        return self.path / "sweeps"

    def begin(self, wanted: Wanted, name: str = "s") -> Sweep:
        return begin_sweep(self.sweeps, self.runs, wanted, name)

    def run(self, sweep: Sweep, k: int) -> Run:
        return open_run(self.runs / f"{sweep.id}.{k:04}")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.fixture(scope="session")
def pendulum(project: Path) -> Path:
    return project / "examples" / "double_pendulum"


Want = Callable[..., Wanted]


@pytest.fixture(scope="session")
def want(pendulum: Path) -> Want:
    """A sweep of the pendulum over the given axes."""

    def make(*sets: str, **more: object) -> Wanted:
        axes = [axis(*text.split("=")) for text in sets]
        return replace(Wanted(pendulum, axes, until=SHORT), **more)

    return make


@pytest.fixture(scope="session")
def swept(tmp_path_factory: pytest.TempPathFactory, want: Want) -> tuple[Home, Sweep]:
    """Six variants: four masses that work, and one that cannot be, twice."""
    home = Home(tmp_path_factory.mktemp("swept"))
    wanted = want(
        "upper.mass=8..12kg:2",
        "lower.mass=10,20,-3kg",
        asked=["joint.A.F*:absmax", "lower.com.x"],
    )
    sweep = home.begin(wanted)
    carry(sweep, Here(), home.runs)
    return home, sweep
