"""Mutated model files and archives: a model, or problems with codes."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from bondline.build import rehearse
from bondline.description import CODES, bundle
from tests.fuzz.mutate import archive_changed, xml_changed

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SEEDS = (
    *("double_pendulum/SystemStructure.ssd", "linear_chain/Nested.ssd"),
    *("chain/chain.leaf.xml", "linear_chain/resources/common.ssv"),
    *("gun_turret/gun_turret.leaf.xml", "control_arm/vehicle.leaf.xml"),
    *("four_bar/crank.leaf.xml", "quarter_car_curb/car.leaf.xml"),
)
ARCHIVES = ("double_pendulum", "linear_chain", "chain", "spatial_pendulum")


@dataclass(frozen=True)
class Xml:
    """A trial with one changed file of an example."""

    folder: Path

    def __call__(self, dice: Random) -> None:
        name = dice.choice(SEEDS)
        example, _, inner = name.partition("/")
        home = self.folder / example
        if not home.exists():
            shutil.copytree(EXAMPLES / example, home)
        whole = (EXAMPLES / name).read_bytes()
        (home / inner).write_bytes(xml_changed(whole, dice))
        try:
            judged(home / inner if inner.endswith(".ssd") else home)
        finally:
            (home / inner).write_bytes(whole)


@cache
def _bundled(example: str) -> bytes:
    return bundle(EXAMPLES / example)


@dataclass(frozen=True)
class Archive:
    """A trial with a changed .ssp."""

    folder: Path

    def __call__(self, dice: Random) -> None:
        raw = archive_changed(_bundled(dice.choice(ARCHIVES)), dice)
        path = self.folder / "a.ssp"
        path.write_bytes(raw)
        judged(path)
        assert [p.name for p in self.folder.iterdir()] == ["a.ssp"]


def judged(path: Path) -> None:
    """The law: a model or problems, each with a code, a finding and a remedy."""
    spec, problems = rehearse(path)
    assert spec is not None or problems
    assert {p.code for p in problems} <= set(CODES)
    assert all(p.finding and p.remedy for p in problems)
