"""FT-13: the power fails: what was not synced is lost, or torn, and nothing else.

A run with a part at an owner's is recorded, call by call. From the recording the disks
are built that a power failure could have left at a moment; both sides are started again
on them, and go on to the same bits.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from itertools import chain, cycle, islice, product, zip_longest
from pathlib import Path

import pytest

from bondline.remote.trust.tls import Credentials
from tests.chaos.disk import PAGE, Disk, Loss
from tests.chaos.failpoints import no_strace
from tests.chaos.outage import HOW, WHO, Left, Outage, Stage
from tests.chaos.recording import UNSEEN, Step
from tests.chaos.scene import LIVES, STEP, WINDOWS, home, played

pytestmark = pytest.mark.skipif(bool(no_strace()), reason=no_strace())
QUICK, POINTS, TORN = 12, 200, 100
EVERY = list(product(HOW, WHO))


@pytest.fixture(scope="module")
def stage(
    tmp_path_factory: pytest.TempPathFactory,
    owner: Credentials,
    integrator: Credentials,
) -> Stage:
    folder = tmp_path_factory.mktemp("scene")
    grid = ("--until", LIVES[-1], "--step", f"{STEP}s")
    golden = home(folder).run("golden", *grid)
    scene = played(folder, owner, integrator)
    room = tmp_path_factory.mktemp("left")
    return Stage(scene, room, (owner, integrator), golden)


def moments(stage: Stage, points: int, seed: int) -> list[int]:
    """Spread over both lives, and over what is asked: most writes are of logs."""
    dice, kinds = random.Random(seed), dict[str, list[int]]()
    for k, (step, _) in enumerate(stage.scene.story.moments, 1):
        kinds.setdefault(kind(step), []).append(k)
    for each in kinds.values():
        dice.shuffle(each)
    turns = chain.from_iterable(zip_longest(*kinds.values()))
    chosen = islice((k for k in turns if k is not None), points)
    return dice.sample([*chosen], points)


def kind(step: Step) -> str:
    """What is done, and to which file; names by chance count as one."""
    return f"{step.name} {re.sub('[0-9a-f]{8,}', '', str(step.path))}"


def test_the_recording_is_what_happened(stage: Stage, tmp_path: Path):
    """Otherwise the disks that are built from it prove nothing."""
    for root in (stage.scene.project, stage.scene.owner.folder):
        disk = Disk(root).after(stage.scene.story, len(stage.scene.story))
        built = tmp_path / root.name
        disk.write(built, Loss(PAGE, lambda n: n, random.Random(0)))
        assert contents(built) == contents(root)


def contents(folder: Path) -> dict[str, bytes | None]:
    return {
        str(p.relative_to(folder)): p.read_bytes() if p.is_file() else None
        for p in folder.rglob("*")
        if not p.name.endswith(UNSEEN)
    }


def test_what_was_told_grows_and_ends_with_all(stage: Stage):
    """Otherwise the laws below ask for nothing."""
    ends = [stage.told(end) for end in stage.scene.ends]
    assert [told.windows for told in ends] == list(WINDOWS)
    assert [told.epoch for told in ends] == [1, 2]
    assert all(told.used >= n for told, n in zip(ends, WINDOWS, strict=True))
    assert all(w.sealed == w.every for told in ends for w in (told.log, told.audit))
    on_the_way = {*stage.stored.values()} - {None, -1, *WINDOWS}
    assert len(on_the_way) >= 2, "commits of each life"


@pytest.mark.parametrize("k", range(QUICK))
def test_a_power_failure_loses_nothing_that_was_told(stage: Stage, k: int):
    how, who = EVERY[k]
    stage.go_on(Outage(moments(stage, QUICK, seed=7)[k], who, how))


def test_a_torn_record_is_cut_off_and_said(stage: Stage):
    """The last one of the owner's log, and of the coordinator's."""
    for who in ("owner", "coordinator"):
        cut = [Outage(k, who, "tear") for k in range(1, len(stage.scene.story))]
        found = next(o for o in cut[len(cut) // 3 :] if stage.left(o).tails)
        stage.go_on(found)


CHECKS = {
    "windows": Left.check_windows,
    "epoch": Left.check_epoch,
    "budget": Left.check_budget,
    "logs": Left.check_logs,
}


@pytest.mark.parametrize("what", CHECKS)
def test_a_disk_that_lies_about_syncs_is_found_out(stage: Stage, what: str):
    """The law can fail: everything is lost although it was synced."""
    check: Callable[[Left], None] = CHECKS[what]
    for end in stage.scene.ends:
        check(stage.left(Outage(end, "both", "drop")))
        with pytest.raises(AssertionError):
            check(stage.left(Outage(end, "both", "drop", honest=False)))


@pytest.mark.full
def test_two_hundred_power_failures_lose_nothing_that_was_told(stage: Stage):
    """What was not synced is lost, all of it, or page by page, or torn."""
    for moment, who in zip(moments(stage, POINTS, seed=13), cycle(WHO), strict=False):
        stage.go_on(Outage(moment, who, "drop"))
    others = cycle(product(HOW[1:], WHO))
    for moment, (how, who) in zip(moments(stage, TORN, 17), others, strict=False):
        stage.go_on(Outage(moment, who, how))
    print(f"{len(stage.seen)} different disks, {stage.torn} torn logs")
    assert len(stage.seen) > TORN // 2, "many of them differ"
    assert stage.torn > 0
