"""Another multibody code on the cases of `multibody_case`, in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from os import environ
from pathlib import Path
from time import process_time

import numpy as np
from installed import absent
from multibody_case import Array

AGAIN = 3  # runs that are measured in one process, after one that is not
ENOUGH = 1.0  # s of runs in one process


@dataclass(frozen=True)
class Job:
    """A case of a name, a method of the code, and its step."""

    case: str
    method: str
    step: float = 1e-4
    again: int = AGAIN

    @property
    def steps(self) -> int:
        return round(1.0 / self.step)


@dataclass(frozen=True, eq=False)
class Done:
    """Seconds of processor time for one second of motion, and where the tip was."""

    seconds: float
    steps: int
    tip: Array

    def error(self, exact: Array) -> float:
        """The largest distance from another motion, m."""
        return float(np.linalg.norm(self.tip - exact, axis=1).max())


@dataclass(frozen=True)
class Rival:
    """A script that reads a job from its input and prints what came out."""

    name: str
    script: Path
    packages: tuple[str, ...]
    extra: str

    def missing(self) -> str:
        """What is not installed, or nothing."""
        return absent(self.packages, self.extra)

    def run(self, job: Job) -> Done:
        """The best of some runs."""
        done = subprocess.run(
            [sys.executable, str(self.script)],
            input=json.dumps(asdict(job)),
            capture_output=True,
            text=True,
            env={**environ, "OMP_NUM_THREADS": "1"},
        )
        if done.returncode:
            raise RuntimeError(done.stdout[-1000:] + done.stderr[-2000:])
        *_, last = done.stdout.splitlines()
        found = json.loads(last)
        return Done(found["seconds"], found["steps"], np.array(found["tip"]))


def answer(cases: Mapping[str, Callable[[Job], Done]]) -> None:
    """What happens in the process of its own."""
    job = Job(**json.loads(sys.stdin.read()))
    done = cases[job.case](job)
    print()
    print(json.dumps({**asdict(done), "tip": done.tip.tolist()}))


def best(go: Callable[[], object], again: int) -> float:
    """Processor time of the quickest run; the first one counts if it is alone."""
    times: list[float] = []
    for _ in range(1 + again):
        if sum(times) > ENOUGH:
            break
        begin = process_time()
        go()
        times.append(process_time() - begin)
    return min(times[1:] or times)
