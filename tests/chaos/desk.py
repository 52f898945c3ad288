"""A coordinator with a part at an owner's, watched at what it asks of the system."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bondline.run import find, verify
from tests.chaos.failpoints import Call, Point, Watched, watched
from tests.chaos.kills import Lives, coordinate

GRID = ("--until", "0.3s", "--step", "10ms")
RECORDED = "trace=write,pwrite64,fsync,fdatasync,rename,unlink,ftruncate,fcntl"


@dataclass(frozen=True)
class Desk:
    """A coordinator whose part `lower` is at an owner's, and the bits it must give."""

    lives: Lives
    flag: tuple[str, Path]
    grid: tuple[str, ...]
    golden: str
    record: list[Call]

    @property
    def runs(self) -> Path:
        return self.lives.home.folder / "runs"

    def words(self, name: str) -> tuple[object, ...]:
        """How the run goes on, or begins."""
        if (self.runs / name).exists():
            return ("--resume", name, *self.flag)
        return (self.lives.home.model, "--name", name, *self.grid, *self.flag)

    @contextmanager
    def watched(self, name: str, *how: str) -> Iterator[Watched]:
        args = self.lives.coordination(*self.words(name))
        with watched(coordinate, args, *how) as process:
            yield process

    def killed(self, name: str, point: Point) -> None:
        """kill -9 there, and nowhere else; what was stored is whole."""
        with self.watched(name, *point.inject("signal=KILL")) as process:
            code = process.end()
            last = process.calls[-1:]
        assert code == -signal.SIGKILL, (point, code, self.lives.words[-500:])
        assert [(c.name, c.on(point.file)) for c in last] == [(point.name, True)]
        if (self.runs / name).exists():
            verify(find(self.runs, name))

    def finished(self, name: str) -> str:
        """SHA-256 of the run once it has been carried on."""
        assert self.lives.home.code(*self.words(name)) == 0
        return verify(find(self.runs, name)).sha256


@contextmanager
def at_work(lives: Lives) -> Iterator[Desk]:
    """A desk with a server, the bits it must give, and all that a run asks."""
    home = lives.home
    golden = home.run("here")
    with lives.served() as (proxy, _):
        flag = home.place({"lower": proxy.address}, lives.integrator)
        desk = Desk(lives, flag, home.flags, golden, [])
        with desk.watched("undisturbed", "-e", RECORDED) as process:
            assert process.end() == 0, lives.words
            desk.record.extend(process.calls)
        yield desk
