"""A run with a part at an owner's, whose every write is recorded on both sides.

It is made in two lives: the first coordinator and the first server end, and others go
on from what is on the disks. The owner has all that an owner has there: a policy with
budgets, an audit log, checkpoints and an epoch, in folders that nobody made before.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path

from bondline.remote.limits import Limits
from bondline.remote.owner.host import Host
from bondline.remote.owner.server import serve
from bondline.remote.owner.shelf import Shelf
from bondline.remote.privacy.methods import METHODS
from bondline.remote.privacy.policy import Budget, Grant, Policy, Steps
from bondline.remote.privacy.policy_gate import PolicyGate
from bondline.remote.trust.tls import Credentials
from tests.chaos.conftest import EXAMPLES, Home
from tests.chaos.failpoints import attached, held
from tests.chaos.kills import FORKS, LIMIT, coordinate
from tests.chaos.recording import HOW, Story, told
from tests.remote.conftest import parts_of, placement

MODEL = EXAMPLES / "linear_chain"
PART, NAME, STEP = "two", "a", 0.01  # s
LIVES = ("0.7s", "1.4s")  # until then in the first life, and in the second
WINDOWS = (70, 140)  # of the run, at their ends
ME = "spiffe://test/integrator"
BUDGET = 1600  # windows: a server takes lots of 64


@dataclass(frozen=True)
class Owner:
    """Folders of an owner's, below one that may be empty."""

    folder: Path

    @property
    def shelf(self) -> Shelf:
        return Shelf(self.folder / "store" / "leaf")

    @property
    def audit(self) -> Path:
        return self.folder / "log" / "audit.jsonl"

    @property
    def budgets(self) -> Path:
        return self.folder / "used" / "budgets.sqlite"

    def host(self) -> Host:
        """What it serves, to the integrator only."""
        parts = {n: replace(p, max_step=0.5) for n, p in parts_of(MODEL).items()}
        steps, budget = Steps((STEP,)), Budget(windows=BUDGET, sessions=64)
        grant = Grant(ME, PART, frozenset(METHODS), steps=steps, budget=budget)
        rules = Policy(grants=(grant,), audit=self.audit, budgets=self.budgets)
        return Host(parts, PolicyGate.of(rules), Limits(sessions=4), self.shelf)


def serve_policed(folder: Path, secrets: Credentials, told: Connection) -> None:
    """Serve with a policy until somebody kills us."""
    server = serve(Owner(folder).host(), "127.0.0.1:0", secrets)
    told.send(server.port)
    server.wait()


@dataclass(frozen=True)
class Scene:
    """What was written down, and how far each life went."""

    story: Story
    project: Path  # the coordinator's folder
    owner: Owner
    ends: tuple[int, ...]  # moments


def played(folder: Path, owner: Credentials, integrator: Credentials) -> Scene:
    """Both lives, on disks that are empty before."""
    project, there = folder / "project", Owner(folder / "owner")
    for disk in (project, there.folder):
        disk.mkdir()
    story, ends = Story(), list[int]()
    for until in LIVES:
        words = words_for(project, until)
        live = _Life(folder, project, there, owner, integrator)
        story.moments += live.recorded(words).moments
        ends.append(len(story))
    return Scene(story, project, there, tuple(ends))


def words_for(project: Path, until: str) -> list[str]:
    """How the run goes on, or begins."""
    if (project / "runs" / NAME).exists():
        return ["--resume", NAME, "--until", until]
    return [str(MODEL), "--name", NAME, "--until", until, "--step", f"{STEP}s"]


@dataclass(frozen=True)
class _Life:
    folder: Path
    project: Path
    there: Owner
    owner: Credentials
    integrator: Credentials

    def recorded(self, words: Sequence[str]) -> Story:
        """One coordinator and one server, from their beginnings to their ends."""
        mine, theirs = FORKS.Pipe()
        gates, held_ = zip(*(FORKS.Pipe() for _ in range(2)), strict=True)
        flag = self.folder / "partners.toml"
        head = ["--quiet", "--project", str(self.project), "run"]
        args = ([*head, *words, "--placement", str(flag)], self.folder / "said")
        given = (self.there.folder, self.owner, theirs)
        server = FORKS.Process(target=held, args=(held_[0], serve_policed, *given))
        run = FORKS.Process(target=held, args=(held_[1], coordinate, *args))
        both = (server, run)
        for process in both:
            process.start()
        with tempfile.TemporaryDirectory() as room:
            record = Path(room) / "record"
            tracer = attached([p.pid or 0 for p in both], record, HOW)
            try:
                gates[0].send(True)
                assert mine.poll(LIMIT), "the server did not start"
                place = {PART: f"127.0.0.1:{mine.recv()}"}
                placement(flag, place, self.integrator)
                gates[1].send(True)
                run.join(LIMIT)
                assert run.exitcode == 0, (self.folder / "said").read_text()
            finally:
                for process in both:
                    process.kill()
                    process.join(LIMIT)
                tracer.communicate(timeout=LIMIT)
            return told(record, [self.project, self.there.folder])


def home(project: Path) -> Home:
    """A folder of a coordinator's."""
    return Home(project, MODEL, ())
