"""Power failures of the recorded scene, and what must be true after each of them.

What somebody was told before is the measure: windows that a sync has put away, replies
that the coordinator wrote down, heads of logs that the other side has.
"""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from bondline.remote.log.audit import NAME as LOG
from bondline.remote.log.audit_read import compare, read_log
from bondline.remote.privacy.budgets import Budgets
from bondline.remote.trust.tls import Credentials
from bondline.run import find, verify
from tests.chaos.disk import PAGE, SECTOR, Disk, File, Loss
from tests.chaos.recording import UNSEEN
from tests.chaos.scene import LIVES, NAME, PART, Owner, Scene, home, words_for
from tests.remote.conftest import placement, serving

WHO = ("coordinator", "owner", "both")  # loses its power
HOW = ("drop", "pages", "sectors", "tear")  # loses what
_USED = "SELECT total(amount) FROM used WHERE kind = 'windows'"


@dataclass(frozen=True)
class Outage:
    """The power fails at a moment of the story."""

    moment: int
    who: str
    how: str
    honest: bool = True  # else the disk had said yes to every sync, and done nothing

    def loss(self, disk: Disk, lost: bool) -> Loss:
        """What happens to a disk; by chance, which is the same every time."""
        dice = random.Random(f"{self.moment} {self.who} {self.how} {disk.root.name}")
        if not lost:
            return Loss(PAGE, _all, dice)
        if self.how == "tear":
            return Loss(PAGE, _all, dice, disk.last)
        if self.how == "drop":
            return Loss(PAGE, _none, dice)
        block = PAGE if self.how == "pages" else SECTOR
        return Loss(block, lambda n: dice.choice((0, n, dice.randint(0, n))), dice)


def _all(changes: int) -> int:
    return changes


def _none(changes: int) -> int:
    return 0


@dataclass(frozen=True)
class Written:
    """A log as it was written until the power failed; the beginning was sealed."""

    every: bytes
    sealed: bytes

    @classmethod
    def in_(cls, disk: Disk, path: Path) -> Written:
        log = disk.find(path)
        if not isinstance(log, File):
            return cls(b"", b"")
        versions = log.versions
        return cls(versions[-1], versions[0])

    def whole(self, left: bytes) -> bytes:
        """Of what is left, the records that are as they were written."""
        pairs = enumerate(zip(self.every, left, strict=False))
        shorter = min(len(self.every), len(left))
        same = next((k for k, (a, b) in pairs if a != b), shorter)
        return left[: left.rfind(b"\n", 0, same) + 1]


@dataclass(frozen=True)
class Told:
    """What was promised when the power failed."""

    windows: int | None  # that syncs have put away; None before there was a run
    log: Written  # the coordinator's
    audit: Written  # the owner's

    @property
    def _heard(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.log.every.split(b"\n")[:-1]]

    @property
    def epoch(self) -> int:
        """The last one that the coordinator had heard of: sessions are named by it."""
        return max((int(str(r.get("session", 0))) for r in self._heard), default=0)

    @property
    def used(self) -> int:
        """Windows of the owner's that the coordinator has got."""
        return sum(int(str(r.get("windows", 0))) for r in self._heard)


@dataclass
class Stage:
    """Builds what outages leave, and goes on from there."""

    scene: Scene
    room: Path
    secrets: tuple[Credentials, Credentials]  # of the owner, of the integrator
    golden: str
    seen: set[str] = field(default_factory=set)  # disks that were gone on from
    torn: int = 0  # logs whose tails were cut

    def go_on(self, outage: Outage) -> None:
        """All laws; the run is carried on, unless it was from the same disks."""
        left = self.left(outage)
        left.check()
        if left.digest not in self.seen:
            self.seen.add(left.digest)
            self.torn += len(left.tails)
            left.carry_on(self.secrets, self.golden)
        shutil.rmtree(left.project.parent)

    def left(self, outage: Outage) -> Left:
        """The disks after it, and what they must hold."""
        room = Path(tempfile.mkdtemp(dir=self.room))
        project, owner = self.scene.project, self.scene.owner.folder
        for who, root in (("coordinator", project), ("owner", owner)):
            disk = Disk(root, outage.honest).after(self.scene.story, outage.moment)
            lost = outage.who in (who, "both")
            disk.write(room / root.name, outage.loss(disk, lost))
        told = self.told(outage.moment)
        return Left(room / project.name, Owner(room / owner.name), told)

    def told(self, moment: int) -> Told:
        """By disks that do what they are told."""
        here = Disk(self.scene.project).after(self.scene.story, moment)
        there = Disk(self.scene.owner.folder).after(self.scene.story, moment)
        syncs = [began for began, ended in self._syncs if ended <= moment]
        return Told(
            self.stored[syncs[-1]] if syncs else None,
            Written.in_(here, self.scene.project / "runs" / NAME / LOG),
            Written.in_(there, self.scene.owner.audit),
        )

    @cached_property
    def _syncs(self) -> list[tuple[int, int]]:
        """When syncs of the run began, and when they had ended."""
        runs, began = self.scene.project / "runs", dict[object, int]()
        named = (runs, *(runs / NAME / f"run.sqlite{end}" for end in ("", "-wal")))
        found = list[tuple[int, int]]()
        for k, (step, begins) in enumerate(self.scene.story.moments):
            if step.name == "sync" and step.path in named:
                if begins:
                    began[step] = k
                else:
                    found.append((began[step], k + 1))
        return found

    @cached_property
    def stored(self) -> dict[int, int | None]:
        """Windows that could be read when a sync began."""
        found = dict[int, int | None]()
        for began, _ in self._syncs:
            room = self.room / f"sync-{began}"
            disk = Disk(self.scene.project).after(self.scene.story, began)
            disk.write(room, Loss(PAGE, _all, random.Random(0)))
            found[began] = windows(room)
        return found


@dataclass(frozen=True)
class Left:
    """What is on two disks after the power failed, and what had been told before."""

    project: Path
    owner: Owner
    told: Told

    @cached_property
    def logs(self) -> dict[Path, Written]:
        log = self.project / "runs" / NAME / LOG
        return {log: self.told.log, self.owner.audit: self.told.audit}

    @cached_property
    def tails(self) -> dict[Path, tuple[bytes, int]]:
        """Logs whose ends are no records: what is whole, and the bytes after that."""
        there = {p: p.read_bytes() for p in self.logs if p.exists()}
        kept = {p: self.logs[p].whole(data) for p, data in there.items()}
        cut = {p: len(data) - len(kept[p]) for p, data in there.items()}
        return {p: (kept[p], n) for p, n in cut.items() if n}

    def check(self) -> None:
        """What was told is there, before anybody goes on."""
        self.check_windows()
        self.check_epoch()
        self.check_budget()
        self.check_logs()

    def check_windows(self) -> None:
        found = windows(self.project)
        if self.told.windows is not None:
            assert found is not None, "the run is gone"
            assert found >= self.told.windows, "windows that a sync had put away"

    def check_epoch(self) -> None:
        file = self.owner.shelf.folder / "epoch"
        epoch = int(file.read_text()) if file.exists() else 0
        assert epoch >= self.told.epoch, "the epoch went back"

    def check_budget(self) -> None:
        Budgets(self.owner.budgets).close()  # as a server finds it
        with closing(sqlite3.connect(self.owner.budgets)) as book:
            ((used,),) = book.execute(_USED)  # of any day
        assert used >= self.told.used, "a budget gave back what was used"

    def check_logs(self) -> None:
        for path, written in self.logs.items():
            data = path.read_bytes() if path.exists() else b""
            assert data.startswith(written.sealed), "records that were sealed"

    @cached_property
    def digest(self) -> str:
        """The same for the same disks."""
        found = sha256()
        for folder in (self.project, self.owner.folder):
            for file in sorted(folder.rglob("*")):
                if file.is_file() and not file.name.endswith(UNSEEN):
                    found.update(f"{file.relative_to(folder)}\n".encode())
                    found.update(sha256(file.read_bytes()).digest())
        return found.hexdigest()

    def carry_on(self, secrets: tuple[Credentials, Credentials], golden: str) -> None:
        """Both sides are started again: the same bits, and logs that agree."""
        tails = self.tails
        self._run(*secrets)
        run = find(self.project / "runs", NAME)
        assert verify(run).sha256 == golden
        lost = [e.text for e in run.events if e.kind == "damaged"]
        assert not lost, "checkpoints that the owner had put away"
        mine, theirs = map(read_log, self.logs)
        assert compare(mine, [theirs])[0] > 0, "heads that both have"
        last = max(int(r.get("session", 0)) for r in mine.records)
        assert last > self.told.epoch, "a session of before has come back"
        for log in (mine, theirs):
            assert log.records[0]["kind"] == "begin"
            kept, cut = tails.get(log.path, (b"", 0))
            assert log.path.read_bytes().startswith(kept)
            said = [r["bytes"] for r in log.records if r["kind"] == "torn"]
            assert not cut or cut in said, "what was cut is said"

    def _run(self, owner: Credentials, integrator: Credentials) -> None:
        host = self.owner.host()
        try:
            with serving(host, owner) as server:
                place = {PART: f"127.0.0.1:{server.port}"}
                flag = placement(self.project / "p.toml", place, integrator)
                words = words_for(self.project, LIVES[-1])
                assert home(self.project).code(*words, "--placement", flag) == 0
        finally:
            host.gate.close()


def windows(project: Path) -> int | None:
    """Of the run, if there is one, which must be whole; -1 before its start."""
    if not (project / "runs" / NAME).exists():
        return None
    return verify(find(project / "runs", NAME)).windows
