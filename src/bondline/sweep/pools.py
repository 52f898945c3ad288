"""Pools: who does the work of a sweep. This process, or workers of Dask."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from bondline.errors import BondlineError, PartnerUnreachable, VersionMismatch
from bondline.sweep.work import Answer, Task, perform, sees, version

_NO_PAGES: dict[str, list[str]] = {
    f"distributed.{who}.http.routes": [] for who in ("scheduler", "worker")
}
_PATIENCE = 30.0  # s for a scheduler to answer, and for its first worker


class Pool(Protocol):
    """Takes tasks, gives tickets, answers in any order."""

    @property
    def shared(self) -> bool:
        """Whether workers see the files of this machine."""
        ...

    def room(self) -> int:
        """Tasks that should be with the workers at one time."""
        ...

    def submit(self, task: Task) -> Any:
        """A ticket for the answer."""
        ...

    def finished(self, tickets: Sequence[Any], wait: float) -> list[Any]:
        """Tickets that can be answered; waits so many seconds for the first."""
        ...

    def answer(self, ticket: Any, k: int) -> Answer:
        """What came of it; a worker that died is an answer, too."""
        ...

    def drop(self, tickets: Sequence[Any]) -> None:
        """These are not wanted any more."""
        ...


@dataclass(frozen=True)
class Here:
    """One variant after the other, in this process."""

    shared: bool = True

    def room(self) -> int:
        """One."""
        return 1

    def submit(self, task: Task) -> Answer:
        """Done at once."""
        return perform(task)

    def finished(self, tickets: Sequence[Answer], wait: float) -> list[Answer]:
        """All."""
        return list(tickets)

    def answer(self, ticket: Answer, k: int) -> Answer:
        """The ticket is the answer."""
        return ticket

    def drop(self, tickets: Sequence[Answer]) -> None:
        """There is nothing that still runs."""


@dataclass(frozen=True)
class Dask:
    """Workers of a Dask scheduler."""

    client: Any
    shared: bool = True
    _sent: list[int] = field(default_factory=lambda: [0])

    def room(self) -> int:
        """Two a thread, so that none has to wait for this process."""
        threads: dict[str, int] = self.client.nthreads()
        return 2 * max(1, sum(threads.values()))

    def submit(self, task: Task) -> Any:
        """A future; a worker that dies hands its task to another one."""
        self._sent[0] += 1
        key = f"{task.run}-{self._sent[0]}"
        return self.client.submit(perform, task, key=key, pure=False, retries=0)

    def finished(self, tickets: Sequence[Any], wait: float) -> list[Any]:
        """Futures that have ended, well or not."""
        from distributed import wait as await_first

        if self.client.status != "running":
            raise _gone(self.client)
        with contextlib.suppress(TimeoutError), self.client.as_current():
            await_first(list(tickets), timeout=wait, return_when="FIRST_COMPLETED")
        return [ticket for ticket in tickets if ticket.done()]

    def answer(self, ticket: Any, k: int) -> Answer:
        """What the worker answered, or how it was lost."""
        from distributed import KilledWorker

        try:
            found: Answer = ticket.result()
            return found
        except KilledWorker as error:
            why = _lost(f"it took its worker with it, {error.last_worker.address}.")
            return Answer(k, "failed", reason=why, passing=True)
        except BondlineError:
            raise
        except Exception as error:  # the scheduler restarted, or cannot read us
            why = _lost(f"{type(error).__name__}: {error}")
            return Answer(k, "failed", reason=why, passing=True)

    def drop(self, tickets: Sequence[Any]) -> None:
        """Those that have not begun never will."""
        self.client.cancel(list(tickets), force=True)


def _lost(finding: str) -> dict[str, str]:
    remedy = "Look at the memory and at the logs of the workers, then resume."
    return {"kind": "WorkerLost", "place": "", "finding": finding, "remedy": remedy}


def _gone(client: Any) -> PartnerUnreachable:
    return PartnerUnreachable(
        f"Dask scheduler {client.scheduler.address}",
        f"the line is {client.status}.",
        "Start it again, then: bondline sweep --resume SWEEP.",
    )


@contextlib.contextmanager
def local(jobs: int) -> Iterator[Dask]:
    """Worker processes of our own on this machine.

    They and we speak TLS with keys that only live in memory: a scheduler runs whatever
    it is sent, and other users of this machine could reach its port.
    """
    import dask
    from distributed import Client, LocalCluster

    with (
        dask.config.set(_NO_PAGES),
        LocalCluster(
            n_workers=jobs,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            security=True,
            silence_logs=logging.CRITICAL,
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield Dask(client)


@contextlib.contextmanager
def scheduler(
    address: str, witness: Path, patience: float = _PATIENCE
) -> Iterator[Dask]:
    """The workers of a scheduler that runs already.

    `witness` is a file of the sweep: workers that all see it write into the run store
    themselves, from others the runs travel.
    """
    from distributed import Client

    try:
        client = Client(address, timeout=patience, set_as_default=False)
    except (OSError, ValueError) as error:
        raise PartnerUnreachable(
            f"--scheduler {address}",
            f"it does not answer ({str(error).splitlines()[0]}).",
            "Start one (dask scheduler, dask worker), or leave --scheduler away.",
        ) from error
    with client:
        _await_workers(client, address, patience)
        _same_version(client, address)
        seen = client.run(sees, str(witness.resolve()))
        yield Dask(client, shared=all(seen.values()))


def _await_workers(client: Any, address: str, patience: float) -> None:
    try:
        client.wait_for_workers(1, timeout=patience)
    except TimeoutError as error:
        raise PartnerUnreachable(
            f"--scheduler {address}",
            "it has no workers.",
            f"Start some: dask worker {address}",
        ) from error


def _same_version(client: Any, address: str) -> None:
    try:
        there = client.run(version)
    except Exception as error:  # a worker that cannot import us says so in its own way
        raise VersionMismatch(
            f"--scheduler {address}",
            f"its workers cannot load Bondline ({error}).",
            f"Install bondline {version()} where the workers run.",
        ) from error
    for worker, found in there.items():
        if found != version():
            raise VersionMismatch(
                f"worker {worker}",
                f"it has bondline {found}, here is {version()}.",
                "Install the same version on both sides.",
            )
