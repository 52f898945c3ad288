"""Driving a sweep: tasks go out, answers come in, the record says where it is."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bondline.run.database import explained
from bondline.sweep.pools import Pool
from bondline.sweep.record import PACKAGE, Standing, Sweep, Variant
from bondline.sweep.work import Answer, Task
from bondline.sweep.writer import Writer, writing

_LOOK = 0.25  # s between looks at whether somebody asked to stop
_GRACE = 40  # looks that running variants get to finish their window


@dataclass(frozen=True)
class Watching:
    """Who looks on, and who may stop it."""

    progress: Callable[[Standing], None] | None = None
    stopped: Callable[[], bool] = field(default=lambda: False)


def take_up(sweep: Sweep) -> None:
    """Take back that it was stopped; refused while somebody carries it."""
    with writing(sweep):
        sweep.stop.unlink(missing_ok=True)


def carry(
    sweep: Sweep,
    pool: Pool,
    runs: Path,
    watch: Watching | None = None,
    again: Sequence[str] = (),
    taken_up: bool = False,
) -> Standing:
    """Carry a sweep on until nothing is left, or somebody stops it.

    Variants that are done are left alone; so are failed ones unless `again` names
    their status. Whoever has `taken_up` the sweep, or made it, a while ago says so: a
    request to stop that came since then counts.
    """
    with writing(sweep) as writer:
        if not taken_up:
            sweep.stop.unlink(missing_ok=True)
        writer.release(also=("cancelled", *again))
        writer.status("running")
        drive = _Drive(writer, pool, runs, watch or Watching())
        try:
            drive.go()
        except BaseException as error:
            sweep.stop.touch()
            writer.status("interrupted", f"{type(error).__name__}: {error}")
            raise
        drive.conclude()
    return sweep.standing


@dataclass
class _Drive:
    writer: Writer
    pool: Pool
    runs: Path
    watch: Watching
    flying: dict[Any, Variant] = field(default_factory=dict)

    def __post_init__(self) -> None:
        sweep = self.writer.sweep
        self.facts = sweep.facts
        self.waiting = deque(sweep.variants("waiting"))
        self.package = b"" if self.pool.shared else (sweep.path / PACKAGE).read_bytes()

    @property
    def asked_to_stop(self) -> bool:
        return self.watch.stopped() or self.writer.sweep.stop.exists()

    def go(self) -> None:
        """Until all is done; or until somebody stops it and the windows end."""
        while (self.waiting or self.flying) and not self.asked_to_stop:
            self.fill()
            self.collect()
        if not self.flying:
            return
        self.writer.sweep.stop.touch()
        for _ in range(_GRACE):
            if self.flying:
                self.collect()
        self.pool.drop(list(self.flying))

    def fill(self) -> None:
        room = self.pool.room() if self.waiting else 0
        while self.waiting and len(self.flying) < room and not self.asked_to_stop:
            variant = self.waiting.popleft()
            self.writer.begin(variant.k)
            self.flying[self.pool.submit(self.task(variant))] = variant

    def task(self, variant: Variant) -> Task:
        sweep, facts = self.writer.sweep, self.facts
        given = dict(facts["given"])
        given["set"] = {**given.get("set", {}), **variant.parameters}
        return Task(
            k=variant.k,
            run=variant.run,
            model=str((sweep.path / PACKAGE).resolve()),
            runs=str(self.runs.resolve()),
            stop=str(sweep.stop.resolve()),
            given=given,
            until=facts["until"],
            step=facts["step"],
            asked=tuple(facts["asked"]),
            package=self.package,
        )

    def collect(self) -> None:
        for ticket in self.pool.finished(list(self.flying), _LOOK):
            variant = self.flying.pop(ticket)
            self.settle(variant, self.pool.answer(ticket, variant.k))
        if self.watch.progress is not None:
            self.watch.progress(self.writer.sweep.standing)

    def settle(self, variant: Variant, answer: Answer) -> None:
        if answer.status == "stopped":
            return  # released when the record is closed
        if answer.files:
            self.keep(variant, answer)
        left = self.facts["retries"] - variant.tries
        if answer.status == "failed" and answer.passing and left > 0:
            self.writer.settle(answer, "waiting")
            self.waiting.append(_tried(variant))
        else:
            self.writer.settle(answer, answer.status)

    def keep(self, variant: Variant, answer: Answer) -> None:
        """Put a run that has travelled into the store."""
        path = self.runs / variant.run
        with explained(path):
            path.mkdir(parents=True, exist_ok=True)
            for name, data in answer.files.items():
                (path / Path(name).name).write_bytes(data)

    def conclude(self) -> None:
        """The status of the whole."""
        self.writer.release()
        counts = self.writer.sweep.standing.counts
        if not counts.get("waiting"):
            self.writer.status("done")
        elif self.watch.stopped():
            self.writer.status("interrupted", "stopped on request")
        else:
            self.writer.cancel_waiting()
            self.writer.status("cancelled", "cancelled on request")


def _tried(variant: Variant) -> Variant:
    return replace(variant, tries=variant.tries + 1)
